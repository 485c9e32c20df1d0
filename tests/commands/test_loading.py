"""What the command loads, and when: only what it uses, and nothing before it names a phase."""

import gzip
import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.commands import FEW, PEOPLE, ROLES, environment
from pyarrow import feather

from tokumei.release.io import decoder

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
rooms = {name.split(".")[1] for name in sys.modules if name.startswith("tokumei.")}
print(sorted({"batch", "estimators", "recode", "reconstruct", "sql"} & rooms))
called = {"mask", "attack", "assess", "compare", "perturb", "recode", "report", "verify", "job"}
print(sorted(name for name in called if f"tokumei.commands.{name}" in sys.modules))
"""


def test_a_phase_is_named_first_and_what_is_not_used_is_never_loaded(tmp_path):
    line = ["mask", PEOPLE, tmp_path / "out.csv", "-k", "5", *ROLES, *FEW, "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", ASKED, *map(str, line)],
        capture_output=True,
        text=True,
        env=environment(),
        check=True,
        timeout=120,
    )
    assert done.stdout == "False ('loading', False) reading\n[]\n['mask']\n"


@pytest.mark.parametrize("form", ["csv", "csv.gz", "parquet", "arrow"])
def test_the_process_that_decodes_a_file_does_without_numpy(tmp_path, form):
    table = pa.table({"age": ["1", "3"], "x": ["a", "b"]})
    source = tmp_path / f"in.{form}"
    {
        "csv": lambda: source.write_bytes(b"age,x\n1,a\n3,b\n"),
        "csv.gz": lambda: source.write_bytes(gzip.compress(b"age,x\n1,a\n3,b\n")),
        "parquet": lambda: pq.write_table(table, source),
        "arrow": lambda: feather.write_feather(table, source),
    }[form]()
    asked = {"source": str(source), "target": str(tmp_path / "made"), "memory": 1 << 32}
    asked["format"] = form.removesuffix(".gz")
    asked |= {"delimiter": None, "header": None, "encoding": None, "numbers": []}
    done = subprocess.run(
        [sys.executable, "-I", "-X", "importtime", decoder.__file__, json.dumps(asked)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "error" not in json.loads(done.stdout)
    assert " pyarrow.lib\n" in done.stderr
    assert " numpy\n" not in done.stderr
    assert " pyarrow.compute\n" not in done.stderr
    with pa.OSFile(str(tmp_path / "made")) as file:
        assert pa.ipc.open_stream(file).read_all().to_pydict() == table.to_pydict()
