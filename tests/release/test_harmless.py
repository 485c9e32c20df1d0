"""What is harmless is released: a gate that refuses it would be as wrong as one that is open."""

from datetime import datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from builders.made import FEW, ROWS, failures, people
from builders.people import ACCEPTED

import tokumei as tk

HARMLESS = {
    "a table like any other": people(),
    "the order kept": people(),
    "four rows": people(4),
    "constants": people() | {"age": [40] * ROWS, "income": [1.0] * ROWS, "job": ["x"] * ROWS},
    "columns that are constant and identifiers that are": people() | {"name": ["Ann"] * ROWS},
    "missing cells": people() | {"job": [None, "x"] * (ROWS // 2), "note": [None] * ROWS},
    "masked already": people() | {"age": [20, 40, 60] * (ROWS // 3), "income": [1.5] * ROWS},
    "a name that is a word of others' notes": people() | {
        "name": [["Hall", "Wood", "Town"][i % 3] for i in range(ROWS)],
        "note": [f"a {['wood', 'town', 'hall', 'mill'][i % 4]} by the sea" for i in range(ROWS)],
    },
    "numbers that a number is sometimes equal to": people() | {
        "name": list(range(ROWS)),
        "job": np.random.default_rng(5).integers(0, 90, ROWS).tolist(),
    },
}  # fmt: skip


@pytest.mark.parametrize("kind", FEW)
@pytest.mark.parametrize("which", HARMLESS)
def test_the_harmless_is_released(tmp_path, kind, which):
    asked = {"keep_order": True} if "kept" in which else {}
    assert failures(HARMLESS[which], kind, tmp_path, **asked) == {}


FAST = {"effort": "fast", "missing": "category", "accept_risk": ACCEPTED}
REAL = {
    "adult.csv": {
        "quasi": ["age", "education", "marital-status", "race", "sex", "native-country"],
        "sensitive": ["income"],
        "other": "*",
    },
    "census.csv": {"quasi": ["AFNLWGT", "AGI", "EMCONTRB"], "other": "*"},
    "tarragona.csv": {"quasi": ["FIXED.ASSETS", "SALES"], "identifier": ["COMPANY"], "other": "*"},
    "eia.csv": {
        "quasi": ["RESREVENUE", "RESSALES"],
        "identifier": ["UTILITYID", "UTILNAME"],
        "other": "*",
    },
    "testdata.csv": {
        "quasi": ["urbrur", "roof", "sex", "age"],
        "household": "ori_hid",
        "weight": "sampling_weight",
        "other": "*",
    },
}


@pytest.mark.parametrize("ending", [".csv", ".parquet"])
@pytest.mark.parametrize("name", REAL)
def test_real_tables_are_made_as_asked(reference_path, tmp_path, name, ending):
    roles, source = dict(REAL[name]), reference_path(name)
    if "COMPANY" in roles.get("identifier", ()):  # nobody's name is among its columns
        source = tmp_path / name
        lines = reference_path(name).read_text().splitlines()
        source.write_text(
            "\n".join([f"{lines[0]},COMPANY", *(f"{x},c{i}" for i, x in enumerate(lines[1:]))])
        )
    target = tmp_path / f"out{ending}"
    done = tk.release.mask_file(source, target, 5, **FAST, **roles)
    assert done.audit["verdict"] == "released"


def test_columns_of_every_type_are_read_again_as_they_were(tmp_path):
    rng = np.random.default_rng(9)
    day = rng.integers(0, 20000, 60)
    moments = [datetime(1990, 1, 1) + timedelta(days=int(d), microseconds=int(d)) for d in day]
    columns = {
        "age": pa.array(rng.integers(18, 90, 60)),
        "text": pa.array([None, "", "a,b", 'q"', "two\nlines", "é"] * 10),
        "single": pa.array(rng.normal(size=60).astype(np.float32)),
        "half": pa.array(rng.normal(size=60).astype(np.float16)),
        "number": pa.array([0.1, -0.0, 1e300, None, 5e-324, 1 / 3] * 10),
        "large": pa.array([2**63 + 1, None, 5] * 20, pa.uint64()),
        "truth": pa.array([True, None, False] * 20),
        "decimal": pa.array([Decimal("1.50"), None, Decimal("-0.25")] * 20),
        "wide": pa.array([Decimal("1.50"), None, Decimal("-0.25")] * 20, pa.decimal256(50, 2)),
        "day": pa.array([d.date() for d in moments]),
        "time": pa.array([time(1, 2, 3, 4), None] * 30),
        "seconds": pa.array([d.replace(microsecond=0) for d in moments], pa.timestamp("s")),
        "moment": pa.array(moments, pa.timestamp("us")),
        "exact": pa.array(day * 10**9 + 1, pa.timestamp("ns")),
        "zoned": pa.array(moments, pa.timestamp("us", "Europe/Berlin")),
        "span": pa.array(day, pa.duration("s")),
        "category": pa.array(["x", None, "y"] * 20).dictionary_encode(),
        "nothing": pa.nulls(60),
        "code": pa.array([b"\x00\xff", None] * 30),
        "list": pa.array([[1, 2], None, []] * 20),
        "record": pa.array([{"a": 1, "b": "x"}, None] * 30),
        "map": pa.array([[("a", 1)], None] * 30, pa.map_(pa.string(), pa.int64())),
    }
    roles = {"quasi": ["age"], "identifier": [], "sensitive": [], "other": "*"}
    text_only = ("code", "list", "record", "map")
    for kind in ("arrow", "polars", ".parquet", ".feather"):
        without = {"polars": ("half", "wide", "map")}.get(kind, ())
        some = {name: column for name, column in columns.items() if name not in without}
        assert failures(some, kind, tmp_path, **roles) == {}
    plain = {name: column for name, column in columns.items() if name not in text_only}
    target = tmp_path / "mixed.csv"
    pa.parquet.write_table(pa.table(plain | {"half": columns["single"]}), tmp_path / "in.parquet")
    tk.release.mask_file(
        tmp_path / "in.parquet", target, 3, quasi=["age"], other="*", accept_risk=ACCEPTED
    )
    frame = pa.table(plain).to_pandas()
    roles = {"quasi": ["age"], "other": "*", "accept_risk": ACCEPTED}
    assert tk.release.mask(frame, 3, **roles).audit["verdict"] == "released"
