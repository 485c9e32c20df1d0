"""What the command loads, and when: no pandas for files, and nothing before it names a phase."""

import subprocess
import sys

from builders.commands import FEW, PEOPLE, ROLES, environment

ASKED = """
import sys
from tokumei import cli
from tokumei.release.phases import heard_by
heard = []
with heard_by(lambda name: heard.append((name, "pyarrow" in sys.modules))):
    try:
        cli.main()
    except SystemExit as end:
        assert not end.code, end.code
print("pandas" in sys.modules, heard[0], heard[1][0])
"""


def test_a_phase_is_named_before_anything_is_loaded_and_pandas_never_is(tmp_path):
    line = ["mask", PEOPLE, tmp_path / "out.csv", "-k", "5", *ROLES, *FEW, "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", ASKED, *map(str, line)],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
        timeout=120,
    )
    assert done.stdout == "False ('loading', False) reading\n"
