"""The standard output holds what was asked for, whatever libraries print there by themselves."""

import json
import subprocess
import sys

from builders.commands import FEW, PEOPLE, ROLES, environment, posix

STRAY = """
import ctypes, os, sys
from tokumei import cli, commands

real = commands.run

def run(arguments):
    ctypes.CDLL(None).printf(b"kept back until the end\\n")
    os.write(1, b"written at once\\n")
    return real(arguments)

commands.run = run
cli.main(sys.argv[1:])
"""


@posix
def test_what_a_library_prints_is_no_part_of_the_answer(tmp_path):
    words = ["mask", PEOPLE, tmp_path / "out.csv", "-k", "5", *ROLES, *FEW, "--json"]
    done = subprocess.run(
        [sys.executable, "-c", STRAY, *map(str, words)],
        capture_output=True, text=True, check=True, env=environment(),
    )  # fmt: skip
    assert json.loads(done.stdout)["verdict"] == "released"
    assert {"kept back until the end", "written at once"} <= set(done.stderr.splitlines())
