"""Without the optional packages, and the time that is not spent on loading them."""

import subprocess
import sys

import pytest
from builders.commands import PEOPLE, ROLES, command, environment, is_one_sentence


@pytest.mark.parametrize(
    ("missing", "extra"),
    [("typer", "cli"), ("duckdb", "tables"), ("pyarrow", "tables"), ("narwhals", "tables")],
)
def test_a_missing_package_names_the_extra(tmp_path, missing, extra):
    block = f"import sys; sys.modules[{missing!r}] = None; "
    arguments = ["mask", PEOPLE, tmp_path / "o.csv", *ROLES]
    line = command(*arguments)
    line[2] = block + line[2]
    done = subprocess.run(line, capture_output=True, text=True, env=environment(), check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert is_one_sentence(done.stderr)
    assert missing in done.stderr
    assert f"pip install 'tokumei[{extra}]'" in done.stderr


def test_the_library_alone_needs_numpy_only():
    line = [
        sys.executable,
        "-c",
        "import sys\n"
        "for name in ('typer', 'rich', 'duckdb', 'pyarrow', 'narwhals', 'pandas', 'polars'):\n"
        "    sys.modules[name] = None\n"
        "import tokumei\n"
        "print(tokumei.mdav([[1], [2]], 2).tolist())\n"
        "try:\n    tokumei.release.mask(None, quasi=[])\n"
        "except ImportError as error:\n    print(error)\n",
    ]
    done = subprocess.run(line, capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.splitlines() == [
        "[0, 0]",
        "tokumei.release needs duckdb: pip install 'tokumei[tables]'",
    ]


def test_version_and_help_load_no_table_engine():
    line = command("--version")
    line[2] = (
        "import sys, atexit\n"
        "engines = {'pyarrow', 'duckdb', 'pandas'}\n"
        "atexit.register(lambda: print(sorted(sys.modules.keys() & engines)))\n" + line[2]
    )
    done = subprocess.run(line, capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.splitlines()[-1] == "[]"
