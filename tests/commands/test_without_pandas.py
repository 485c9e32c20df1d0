"""Files need no pandas, which takes longer to load than most files: the command does without it."""

import subprocess
import sys

from builders.commands import FEW, PEOPLE, ROLES, environment

ASKED = """
import sys
from tokumei import cli
try:
    cli.main()
except SystemExit as end:
    assert not end.code, end.code
print("pandas" in sys.modules)
"""


def test_a_file_is_masked_and_pandas_is_not_loaded(tmp_path):
    line = ["mask", PEOPLE, tmp_path / "out.csv", "-k", "5", *ROLES, *FEW, "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", ASKED, *map(str, line)],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
        timeout=120,
    )
    assert done.stdout == "False\n"
