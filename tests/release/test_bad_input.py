"""Tables and children that are bad input: one sentence that shows no cell, and nothing is left."""

import json
import logging
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.commands import command, environment, is_one_sentence, posix
from builders.hiding import CANARY, with_buffers
from builders.people import ACCEPTED

import tokumei as tk
from tokumei.release import Refused
from tokumei.release.errors import InputError
from tokumei.release.io import reading

NAMES = [f"{CANARY}-{i}" for i in range(6)]
PEOPLE = {"name": NAMES, "age": [31, 32, 33, 44, 45, 46], "town": ["a", "a", "b", "b", "c", "c"]}
ROLES = {"k": 2, "quasi": ["age"], "identifier": ["name"], "other": ["town"]}


def lines(*rows):
    return ("\n".join(rows) + "\n").encode()


TABLES = {
    "a column without a role": (PEOPLE, {"other": ()}, Refused, "'town' has none"),
    "an unknown column": (PEOPLE, {"other": ["place"]}, InputError, "no column 'place'"),
    "a column in two roles": (PEOPLE, {"other": ["age", "town"]}, InputError, "named twice"),
    "no quasi-identifier": (PEOPLE, {"quasi": [], "other": "*"}, InputError, "quasi-identifier"),
    "k of one": (PEOPLE, {"k": 1}, InputError, "at least 2"),
    "k of half a record": (PEOPLE, {"k": 2.5}, InputError, "k must be"),
    "k beyond the rows": (PEOPLE, {"k": 7}, InputError, "between 2 and the number of rows"),
    "no rows": ({name: [] for name in PEOPLE}, {}, InputError, "no rows"),
    "NaN": (PEOPLE | {"age": [1.0, float("nan")] * 3}, {}, InputError, "3 missing values"),
    "texts among numbers": (PEOPLE | {"age": [1, CANARY] * 3}, {}, InputError, "3 cells"),
    "an unknown method": (PEOPLE, {"method": CANARY[:3]}, InputError, "method must be"),
    "a tree without a category": (
        PEOPLE,
        {"quasi": ["town"], "other": ["age"], "trees": {"town": {"a": "z", "b": "z"}}},
        InputError,
        "2 values",
    ),
    "a kind that is none": (PEOPLE, {"kinds": {"age": "text"}}, InputError, "the kind of"),
    "an order without a category": (
        PEOPLE,
        {"quasi": ["town"], "other": ["age"], "orders": {"town": ["a", "b"]}},
        InputError,
        "2 values",
    ),
    "l beyond the values": (
        PEOPLE,
        {"sensitive": ["town"], "other": (), "l_diversity": 4},
        InputError,
        "the table has 3",
    ),
    "a weight that is negative": (
        PEOPLE | {"w": [-1.0] * 6},
        {"weight": "w"},
        InputError,
        "6 nega",
    ),
}


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("way", TABLES)
def test_bad_tables_get_a_sentence(way, make, caplog):
    columns, options, kind, sentence = TABLES[way]
    if way == "texts among numbers" and make is not pd.DataFrame:
        columns = columns | {"age": [str(cell) for cell in columns["age"]]}
    caplog.set_level(logging.DEBUG)
    with pytest.raises(kind, match=sentence) as caught:
        tk.release.mask(make(columns), **(ROLES | options))
    shown = str(caught.value) + caplog.text + json.dumps(getattr(caught.value, "audit", ""))
    assert CANARY not in shown


def test_a_number_under_a_null_is_missing_in_every_library():
    table = pa.table(
        {"age": with_buffers(pa.int64(), [1, 77, 3, 4], missing=[False, True, False, False])}
    )
    for make in (table, table.to_pandas(), pl.from_arrow(table)):
        with pytest.raises(InputError, match="1 missing value"):
            tk.release.mask(make, k=2, quasi=["age"])


def test_lines_without_names_are_all_data(tmp_path):
    (tmp_path / "in.csv").write_bytes(lines("a,1,b", "c,3,d"))
    target = tmp_path / "out.csv"
    columns = {"quasi": ["column_2"], "identifier": ["column_1"], "other": ["column_3"]}
    columns["accept_risk"] = ACCEPTED
    tk.release.mask_file(tmp_path / "in.csv", target, k=2, header=False, keep_order=True, **columns)
    assert target.read_bytes() == lines("column_2,column_3", "2,b", "2,d")


def test_names_that_look_like_data_can_be_said_to_be_names(tmp_path):
    (tmp_path / "in.csv").write_bytes(lines("2019,2020", "1,2", "3,4"))
    target = tmp_path / "out.csv"
    tk.release.mask_file(tmp_path / "in.csv", target, k=2, header=True, quasi=["2019", "2020"])
    assert target.read_bytes() == lines("2019,2020", "2,3", "2,3")


@posix
@pytest.mark.parametrize("place", ["pipe.csv", "/dev/zero", "/dev/stdin"])
def test_pipes_and_devices_are_refused_before_they_are_opened(tmp_path, place):
    os.mkfifo(tmp_path / "pipe.csv")
    source = tmp_path / place
    if source.suffix != ".csv":
        (tmp_path / "device.csv").symlink_to(source)
        source = tmp_path / "device.csv"
    with pytest.raises(InputError, match="a pipe or a device"):
        tk.release.mask_file(source, tmp_path / "out.csv", **ROLES)


@pytest.mark.parametrize(
    ("code", "sentence"), [(-9, "not enough memory"), (-11, "damaged"), (-6, "damaged"), (1, "dam")]
)
def test_a_child_that_dies_is_bad_input(tmp_path, monkeypatch, code, sentence):
    def died(command, **how):
        Path(json.loads(command[-1])["target"]).write_bytes(b"half")
        end = (
            f"import os; os.kill(os.getpid(), {-code})" if code < 0 else f"raise SystemExit({code})"
        )
        return begun([sys.executable, "-c", end], **how)

    begun = subprocess.Popen
    monkeypatch.setattr(reading.subprocess, "Popen", died)
    (tmp_path / "in.csv").write_bytes(lines("age", "1", "2"))
    with pytest.raises(InputError, match=sentence):
        tk.release.mask_file(tmp_path / "in.csv", tmp_path / "out.csv", k=2, quasi=["age"])
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


@posix
def test_a_child_that_needs_too_much_memory_says_so(tmp_path, monkeypatch):
    table = pa.table({"age": np.zeros(30_000_000, np.int64)})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=len(table))  # 120 kB
    monkeypatch.setattr(reading, "_memory", lambda: 400 << 20)
    with pytest.raises(InputError, match="memory"):
        tk.release.mask_file(tmp_path / "in.parquet", tmp_path / "out.csv", k=2, quasi=["age"])
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


@posix
def test_memory_that_runs_out_in_the_work_says_so_and_leaves_nothing(tmp_path):
    rng = np.random.default_rng(0)
    pq.write_table(pa.table({"age": rng.normal(size=3_000_000)}), tmp_path / "in.parquet")

    def bounded():
        resource.setrlimit(resource.RLIMIT_DATA, (300 << 20, 300 << 20))

    done = subprocess.run(
        command("mask", "in.parquet", "out.parquet", "-k", 5, "--quasi", "age", "--threads", 1),
        cwd=tmp_path, env=environment(), preexec_fn=bounded, capture_output=True, text=True,
        check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    assert is_one_sentence(done.stderr)
    assert "memory" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["in.parquet"]


@posix
@pytest.mark.parametrize("form", ["csv", "parquet", "arrow"])
def test_damaged_files_end_in_a_sentence_or_a_release(tmp_path, form):
    thorough = os.environ.get("TOKUMEI_TEST_PROFILE") == "thorough"
    script = Path(__file__).parents[1] / "builders" / "fuzzing.py"
    done = subprocess.run(
        [sys.executable, script, form, "5000" if thorough else "40", "3", tmp_path],
        capture_output=True, text=True, check=True, env=environment(),
    )  # fmt: skip
    outcomes = json.loads(done.stdout.splitlines()[-1])["outcomes"]
    assert outcomes.pop("LEFT") == 0
    assert set(outcomes) <= {"released", "InputError", "Refused", "MemoryError"}, done.stdout


def test_tables_hold_what_must_not_be_shown():
    assert all(re.search(CANARY, str(columns)) for columns, *_ in TABLES.values() if columns["age"])
