"""Columns of every type are masked in blocks as they are in memory: dates, times, whole numbers."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import ACCEPTED, folder_of

import tokumei as tk

RNG = np.random.default_rng(4)
DAYS = [date(1940, 1, 1) + timedelta(int(n)) for n in RNG.integers(0, 25_000, 1200)]
HOURS = [datetime(2024, 1, 1) + timedelta(hours=int(n)) for n in RNG.integers(0, 40_000, 1200)]
COLUMNS = {
    "date32": pa.array(DAYS, pa.date32()),
    "date64": pa.array(DAYS, pa.date64()),
    "timestamp": pa.array(HOURS, pa.timestamp("s")),
    "nanoseconds": pa.array(HOURS, pa.timestamp("ns")),
    "zone": pa.array([h.replace(tzinfo=UTC) for h in HOURS], pa.timestamp("us", "Europe/Paris")),
    "time": pa.array([time(int(n) // 60, int(n) % 60) for n in RNG.integers(0, 1440, 1200)]),
    "duration": pa.array([timedelta(minutes=int(n)) for n in RNG.integers(0, 900, 1200)]),
    "bool": pa.array(RNG.random(1200) < 0.3),
    "int8": pa.array(RNG.integers(-100, 100, 1200), pa.int8()),
    "uint64": pa.array(RNG.integers(0, 1 << 40, 1200), pa.uint64()),
    "float32": pa.array(np.round(RNG.normal(0, 9, 1200), 1), pa.float32()),
    "decimal": pa.array([Decimal(int(n)) / 100 for n in RNG.integers(0, 9_999, 1200)]),
    "large text": pa.array(RNG.choice(["a", "b", "c"], 1200), pa.large_string()),
    "dictionary": pa.array(RNG.choice(["a", "b", "c"], 1200)).dictionary_encode(),
}


@pytest.fixture
def other():
    return pa.array(np.round(RNG.lognormal(9, 1, 1200), 2))


@pytest.mark.parametrize("some_missing", [False, True])
@pytest.mark.parametrize("kind", COLUMNS)
def test_a_column_comes_out_in_its_type_and_as_in_memory(
    tmp_path, unattacked, other, kind, some_missing
):
    column = COLUMNS[kind]
    known = pa.string() if kind == "dictionary" else column.type
    if some_missing:
        cells = [None if n % 7 == 0 else v for n, v in enumerate(column.to_pylist())]
        column = pa.array(cells, known)
    table = pa.table({"x": column, "y": other})
    how = {"k": 3, "quasi": ["x", "y"], "method": "mdav", "accept_risk": ACCEPTED}
    how |= {"missing": "impute"} if some_missing else {}
    source = folder_of(tmp_path / "in", table)
    tk.release.mask_dataset(source, tmp_path / "out", **how)
    released = pa.concat_tables([pq.read_table(p) for p in (tmp_path / "out").iterdir()])
    in_memory = tk.release.mask(table, **how).table
    # Parquet has neither seconds nor milliseconds of dates.
    held = {pa.timestamp("s"): pa.timestamp("ms"), pa.date64(): pa.date32()}
    assert released.schema.field("x").type == held.get(known, known)
    # The table is one block here, whose second round can only make it cheaper.
    values = [set(map(str, t.column("x").to_pylist())) for t in (released, in_memory)]
    assert len(values[0] & values[1]) >= 0.3 * len(values[1])


def test_dates_are_published_by_the_coarsest_period_that_costs_little(tmp_path, small):
    table = pa.table({"born": COLUMNS["date32"], "income": RNG.normal(size=1200)})
    source = folder_of(tmp_path / "in", table, files=4, group=100)
    how = {"k": 3, "quasi": ["born", "income"], "accept_risk": ACCEPTED}
    release = tk.release.mask_dataset(source, tmp_path / "out", **how)
    in_memory = tk.release.mask(table, **how)
    assert release.audit["achieved"]["resolution"] == in_memory.audit["achieved"]["resolution"]
    assert release.audit["achieved"]["resolution"] == {"born": "year"}
    parts = [pq.read_table(each) for each in (tmp_path / "out").iterdir()]
    days = pa.concat_tables(parts).column("born").to_pylist()
    assert {(day.month, day.day) for day in days} == {(1, 1)}
    assert not set(days) & {day for day in DAYS if (day.month, day.day) != (1, 1)}


def test_a_resolution_can_be_asked_for_and_names_a_column_that_is_masked(tmp_path, small):
    table = pa.table({"seen": COLUMNS["timestamp"], "income": RNG.normal(size=1200)})
    source = folder_of(tmp_path / "in", table)
    how = {"k": 3, "quasi": ["seen", "income"], "accept_risk": ACCEPTED}
    release = tk.release.mask_dataset(source, tmp_path / "out", resolution={"seen": "day"}, **how)
    assert release.audit["achieved"]["resolution"] == {"seen": "day"}
    with pytest.raises(tk.release.InputError, match="resolution names 'when', which is not"):
        tk.release.mask_dataset(source, tmp_path / "no", resolution={"when": "day"}, **how)


@pytest.mark.parametrize("said", [False, True])
def test_dates_in_text_are_read_as_dates(tmp_path, small, said):
    texts = pa.array([day.isoformat() for day in DAYS])
    table = pa.table({"born": texts, "income": RNG.normal(size=1200)})
    how = {"k": 3, "quasi": ["born", "income"], "accept_risk": ACCEPTED}
    how |= {"kinds": {"born": "date"}} if said else {}
    tk.release.mask_dataset(folder_of(tmp_path / "in", table), tmp_path / "out", **how)
    parts = [pq.read_table(each) for each in (tmp_path / "out").iterdir()]
    assert {len(year) for year in pa.concat_tables(parts).column("born").to_pylist()} == {4}
