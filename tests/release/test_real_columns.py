"""Columns as people have them come back as they came in: integers, amounts, dates, nulls."""

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from builders.csv_files import cells, mask
from builders.people import ACCEPTED

import tokumei as tk
from tokumei.release.mask import forms, moments
from tokumei.values.calendar import moments_of, texts_of

DAYS = [datetime.date(1950, 1, 1) + datetime.timedelta(days=137 * i) for i in range(60)]
WHEN = [datetime.datetime(2024, 3, 1, 7) + datetime.timedelta(minutes=97 * i) for i in range(60)]


def masked(column, k=3, **options):
    table = (
        column if not isinstance(column, pa.Array | pa.ChunkedArray) else pa.table({"x": column})
    )
    options = {
        "quasi": ["x"],
        "keep_order": True,
        "effort": "fast",
        "accept_risk": ACCEPTED,
    } | options
    return tk.release.mask(table, k=k, **options)


NUMBERS = {
    "int8": pa.array(range(60), pa.int8()),
    "uint64": pa.array([2**63 + 3 * i for i in range(60)], pa.uint64()),
    "int64 at its edge": pa.array([2**63 - 1 - i for i in range(60)], pa.int64()),
    "float32": pa.array([i / 4 for i in range(60)], pa.float32()),
    "decimal": pa.array([Decimal(i) / 100 for i in range(60)], pa.decimal128(12, 2)),
    "duration": pa.array([datetime.timedelta(seconds=i) for i in range(60)], pa.duration("ms")),
    "time": pa.array([datetime.time(i // 60, i % 60) for i in range(0, 1200, 20)], pa.time64("us")),
    "date": pa.array(DAYS, pa.date32()),
    "timestamp": pa.array(WHEN, pa.timestamp("ms", "Europe/Berlin")),
    "boolean": pa.array([i % 2 == 0 for i in range(60)]),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_a_column_of_arrow_keeps_its_type(kind):
    release = masked(NUMBERS[kind])
    assert release.table.schema.field("x").type == NUMBERS[kind].type
    assert release.audit["achieved"]["k"] >= 3


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([*range(59), None], "Int64"),
        ([*(i / 10 for i in range(59)), None], "Float64"),
        (list(range(60)), "int32"),
        ([i % 2 == 0 for i in range(60)], "boolean"),
        (DAYS, "datetime64[ns]"),
        (WHEN, "datetime64[us]"),
        ([datetime.timedelta(hours=i) for i in range(60)], "timedelta64[s]"),
        (list(range(60)), pd.ArrowDtype(pa.int16())),
    ],
    ids=lambda each: str(each) if not isinstance(each, list) else "",
)
def test_a_column_of_pandas_keeps_its_dtype(values, dtype):
    frame = pd.DataFrame({"x": pd.Series(values, dtype=dtype)})
    release = masked(frame, missing="impute")
    assert release.table["x"].dtype == frame["x"].dtype


@pytest.mark.parametrize(
    "series",
    [
        pl.Series(list(range(60)), dtype=pl.UInt8),
        pl.Series([Decimal(i) / 100 for i in range(60)], dtype=pl.Decimal(10, 2)),
        pl.Series(DAYS),
        pl.Series(WHEN, dtype=pl.Datetime("ns", "UTC")),
        pl.Series([datetime.timedelta(hours=i) for i in range(60)]),
        pl.Series([datetime.time(i // 3, i % 60) for i in range(60)]),
        pl.Series([True, False] * 30),
    ],
    ids=lambda series: str(series.dtype),
)
def test_a_column_of_polars_keeps_its_dtype(series):
    assert masked(pl.DataFrame({"x": series})).table["x"].dtype == series.dtype


@pytest.mark.parametrize(
    ("values", "decimals"),
    [([1, 2, 40], 0), ([1.5, 2.0], 1), ([0.1, 0.25], 2), ([1 / 3], None), ([], 0), ([1e300], 0)],
)
def test_the_grid_of_numbers_is_their_decimals(values, decimals):
    assert forms.decimals_of(np.array(values, dtype=float)) == decimals


def test_there_is_one_zero():
    made = forms.Numbers(pa.float64(), 1).cells(np.array([-0.04, 0.0, 0.04]))
    assert [str(value) for value in made.to_pylist()] == ["0.0"] * 3


def test_means_are_rounded_to_the_grid_and_groups_stay():
    rng = np.random.default_rng(4)
    x = np.round(rng.gamma(2.0, 900.0, 300), 2)
    fine = masked(pa.table({"x": x}), k=5, round="none")
    grid = masked(pa.table({"x": x}), k=5)
    exact, rounded = (np.array(one.table["x"]) for one in (fine, grid))
    assert np.abs(exact - rounded).max() <= 0.005 + 1e-12
    assert np.array_equal(np.round(rounded, 2), rounded)
    assert not np.array_equal(np.round(exact, 2), exact)
    assert grid.audit["achieved"]["k"] >= 5
    assert grid.audit["achieved"]["groups"] == fine.audit["achieved"]["groups"]


def test_rounding_that_makes_groups_alike_keeps_every_model():
    # Means 1.4 and 1.6 of integers of one sensitive value each would be 1 and 2; 0.4 and 0.6 too.
    x = [0, 0, 0, 1, 1, 0, 0, 1, 1, 1] * 3
    release = masked(pa.table({"x": x, "s": list("ababababab") * 3}), k=5, sensitive=["s"])
    assert set(release.table["x"].to_pylist()) <= {0, 1}
    assert release.audit["achieved"]["k"] >= 5


def test_amounts_with_two_decimals_keep_them_in_csv(tmp_path):
    target = mask(tmp_path, b"age,x\n1.50,a\n2.50,b\n3.10,c\n3.30,d\n")
    assert [row[0] for row in cells(target)[1:]] == ["2.00", "2.00", "3.20", "3.20"]


@pytest.mark.parametrize(
    ("resolution", "text"),
    [
        ("year", "1985"),
        ("quarter", "1985-Q4"),
        ("month", "1985-11"),
        ("day", "1985-11-09"),
        ("hour", "1985-11-09T13"),
        ("minute", "1985-11-09T13:05"),
    ],
)
def test_periods_are_called_as_iso_8601_calls_them(resolution, text):
    moment = np.array(["1985-11-09T13:05:07"], dtype="datetime64[us]")
    assert texts_of(moment, resolution) == [text]
    form = moments.Moments(None, resolution, nearest=False)
    assert form.cells(moment.astype(np.int64).astype(float)).to_pylist() == [text]


@pytest.mark.parametrize(
    ("days", "expected"),
    [(27_000, "year"), (1000, "quarter"), (400, "month"), (30, "day"), (1.5, "hour")],
)
def test_a_resolution_is_as_coarse_as_costs_little(days, expected):
    values = np.linspace(0.0, days * 86_400e6, 5_000)
    found = moments.coarsest(float(np.var(values)), "second")
    assert found == expected
    starts = moments.start_of(moments_of(values), found).astype(np.int64).astype(float)
    lost = np.var(values - starts) / np.var(values)
    assert lost <= 0.02


def test_no_birthday_of_a_member_is_published(tmp_path):
    rows = "".join(f"{day},a\n" for day in DAYS)
    target = mask(tmp_path, f"born,x\n{rows}".encode(), k=3, quasi=["born"])
    published = {row[0] for row in cells(target)[1:]}
    assert not published & {day.isoformat() for day in DAYS}
    assert all(len(text) == 4 for text in published)  # years, here


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (["31.12.1999", "1.2.2001"], ["1999-12-31", "2001-02-01"]),
        (["12/31/1999", "2/1/2001"], ["1999-12-31", "2001-02-01"]),
        (["31/12/1999", "01/02/2001"], ["1999-12-31", "2001-02-01"]),
        (["1999/12/31", "2001/02/01"], ["1999-12-31", "2001-02-01"]),
        (["1999-12-31", "2001-02-01"], ["1999-12-31", "2001-02-01"]),
    ],
)
def test_dates_are_read_as_they_are_written(tmp_path, written, says):
    rows = "".join(f"{date},a\n" * 3 for date in written)
    options = {"k": 3, "quasi": ["born"], "resolution": {"born": "day"}}
    target = mask(tmp_path, f"born,x\n{rows}".encode(), **options)
    assert [row[0] for row in cells(target)[1:]] == [each for each in says for _ in range(3)]


def test_dates_that_can_be_read_in_two_ways_are_refused(tmp_path):
    with pytest.raises(tk.release.InputError, match="day and month cannot be told apart"):
        mask(tmp_path, b"born,x\n01/02/2001,a\n03/04/2002,b\n", quasi=["born"])


def test_a_slip_in_a_column_said_to_be_dates_is_counted(tmp_path):
    content = b"born,x\n2001-02-01,a\n2001-13-01,b\n2001-02-03,c\n"
    with pytest.raises(tk.release.InputError, match="'born' has 1 cell that is not a date"):
        mask(tmp_path, content, quasi=["born"], kinds={"born": "date"})


def test_missing_dates_are_imputed_or_stay_missing():
    column = pa.array([*DAYS[:30], *[None] * 30], pa.date32())
    imputed = masked(column, missing="impute").table["x"]
    kept = masked(column, missing="category").table["x"]
    assert kept.null_count >= 27
    assert imputed.type == kept.type == pa.date32()


def test_dates_have_a_hierarchy_ready():
    tree = tk.Hierarchy.from_dates(["1985-11-09", "1985-10-01", "1986-01-01"])
    assert tree.levels["1985-11-09"] == ("1985-11", "1985-Q4", "1985", "*")
    assert tree.at(["1985-10-01"], 2).tolist() == ["1985-Q4"]
    table = pa.table({"x": pa.array(DAYS, pa.date32())})
    release = tk.release.recode(table, quasi=["x"], level={"x": 3}, keep_order=True)
    assert release.table["x"].to_pylist() == [str(day.year) for day in DAYS]
    with pytest.raises(ValueError, match="1 values that are no dates"):
        tk.Hierarchy.from_dates(["1985-11-09", "never"])


def test_free_text_is_refused_with_advice():
    notes = pa.array([f"saw patient {i} on a rainy day" for i in range(60)])
    with pytest.raises(tk.release.InputError, match=r"60 different texts.*free text.*drop it"):
        masked(notes)
    assert masked(notes, kinds={"x": "nominal"}).audit["achieved"]["k"] >= 3


def test_thousands_of_categories_are_masked():
    rng = np.random.default_rng(1)
    codes = pa.array([f"Z{code:05}" for code in rng.integers(0, 5_000, 20_000)])
    release = masked(pa.table({"x": codes}), k=5, effort="fast")
    assert release.audit["achieved"]["k"] >= 5
