"""The command in a process of its own, and what is asserted of its words."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PEOPLE = ROOT / "examples" / "people.csv"
ROLES = ["--identifier", "person", "--quasi", "age,region,income", "--nominal", "region"]
ROLES += ["--sensitive", "diagnosis", "--drop", "*"]
FEW = ["--accept-risk", "too few records,linkage through unmasked columns"]
FEW += ["--reason", "invented people, for a test"]
posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and limits")


def command(*arguments):
    """The command line of a process of its own."""
    return [sys.executable, "-c", "from tokumei.cli import main; main()", *map(str, arguments)]


def environment(**more):
    # An editable install looks at its build at the first import: its words are not the command's.
    return os.environ | {"SKBUILD_EDITABLE_VERBOSE": "0"} | more


def process(*arguments, **options):
    return subprocess.run(
        command(*arguments),
        capture_output=not options.keys() & {"stdout", "stderr"},
        text=True,
        env=environment(),
        timeout=120,
        check=False,
        **options,
    )


def is_one_sentence(text):
    return re.fullmatch(r"tokumei: [^\n]+\n", text) is not None and "Traceback" not in text


def names(folder):
    return sorted(path.name for path in folder.iterdir())
