"""One reader: the same column is the same, whatever it is made of."""

import datetime
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from makes import ANY, DICTIONARY, chunks

from tokumei.values.column import Column
from tokumei.values.columns import coded

DAY, NEXT = datetime.date(2024, 2, 29), datetime.date(1969, 12, 31)
NOON = datetime.datetime(2024, 2, 29, 12, 0, 0, 250)
TOKYO = datetime.timezone(datetime.timedelta(hours=9))

# Kind, cells, and what else than ANY they may lie in.
COLUMNS = {
    "whole numbers": (
        "numeric",
        [3, 1, 3, -2],
        {
            "int64": np.array,
            "int8": lambda cells: np.array(cells, dtype=np.int8),
            "big endian": lambda cells: np.array(cells, dtype=">i4"),
            "floats": lambda cells: np.array(cells, dtype=np.float32),
            "strided": lambda cells: np.repeat(cells, 2)[::2],
            "range": lambda cells: cells,
            "pandas Int16": lambda cells: pd.Series(cells, dtype="Int16"),
            "pandas index": pd.Index,
            "pandas arrow": lambda cells: pd.Series(cells, dtype="int64[pyarrow]"),
            "numpy scalars": lambda cells: [np.int64(cell) for cell in cells],
        },
    ),
    "whole numbers with holes": (
        "numeric",
        [3, None, 3, -2],
        {
            "floats": lambda cells: np.array(cells, dtype=np.float64),
            "pandas Int64": lambda cells: pd.Series(cells, dtype="Int64"),
            "pandas arrow": lambda cells: pd.Series(cells, dtype="int64[pyarrow]"),
        },
    ),
    "numbers beyond float64": (
        "numeric",
        [2**60 + 1, 2**60 + 2, 2**60 + 1, 5],
        {"uint64": lambda cells: np.array(cells, dtype=np.uint64)},
    ),
    "numbers": (
        "numeric",
        [1.5, -0.0, 0.0, 2e3, math.inf],
        {
            "float64": np.array,
            "long": lambda cells: np.array(cells, dtype=np.longdouble),
            "pandas Float64": lambda cells: pd.Series(cells, dtype="Float64"),
        },
    ),
    "numbers with holes": (
        "numeric",
        [1.5, None, 2.5, 1.5],
        {
            "float64": lambda cells: np.array(cells, dtype=np.float64),
            "nan": lambda cells: [math.nan if cell is None else cell for cell in cells],
            "polars nan": lambda cells: pl.Series(cells).fill_null(math.nan),
            "pandas NA": lambda cells: [pd.NA if cell is None else cell for cell in cells],
            "pandas Float64": lambda cells: pd.Series(cells, dtype="Float64"),
            "pandas arrow": lambda cells: pd.Series(cells, dtype="double[pyarrow]"),
        },
    ),
    "decimals": (
        "numeric",
        [Decimal("1.50"), None, Decimal("-2.25"), Decimal("1.50")],
        {"without masked": lambda cells: cells},
    ),
    "truth values": ("boolean", [True, False, True], {"bool": np.array}),
    "truth values with holes": (
        "boolean",
        [True, None, False, True],
        {
            "pandas boolean": lambda cells: pd.Series(cells, dtype="boolean"),
            "pandas arrow": lambda cells: pd.Series(cells, dtype="bool[pyarrow]"),
        },
    ),
    "texts": (
        "nominal",
        ["b", "a", "b", "nan"],
        {"numpy": np.array, "pandas string": lambda cells: pd.Series(cells, dtype="string")}
        | DICTIONARY,
    ),
    "texts with holes": (
        "nominal",
        ["b", None, "b", "nan"],
        {
            "blanks": lambda cells: [cell or " \t" for cell in cells],
            "numpy": lambda cells: np.array([cell or "" for cell in cells]),
            "nan": lambda cells: [cell or math.nan for cell in cells],
            "pandas string": lambda cells: pd.Series(cells, dtype="string"),
            "polars categories": lambda cells: pl.Series(cells, dtype=pl.Categorical),
            "large": lambda cells: pa.array(cells, pa.large_string()),
            "view": lambda cells: pa.array(cells, pa.string_view()),
            "arrow blanks": lambda cells: chunks([cell or "  " for cell in cells]),
            "polars blanks": lambda cells: pl.Series([cell or "" for cell in cells]),
            "pandas blanks": lambda cells: pd.Series([cell or "" for cell in cells]),
            "blank categories": lambda cells: pd.Series(
                [cell or "" for cell in cells], dtype="category"
            ),
        }
        | DICTIONARY,
    ),
    "days": (
        "date",
        [DAY, NEXT, DAY],
        {
            "numpy": lambda cells: np.array(cells, dtype="datetime64[D]"),
            "scalars": lambda cells: [np.datetime64(cell) for cell in cells],
            "pandas arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.date32())),
            "arrow date64": lambda cells: pa.array(cells, pa.date64()),
        },
    ),
    "days with holes": (
        "date",
        [DAY, None, NEXT, DAY],
        {
            "numpy": lambda cells: np.array(cells, dtype="datetime64[D]"),
            "nat": lambda cells: [pd.NaT if cell is None else cell for cell in cells],
            "pandas arrow": lambda cells: pd.Series(cells, dtype=pd.ArrowDtype(pa.date32())),
        },
    ),
    "moments": (
        "date",
        [NOON, None, NOON, NOON.replace(year=1952)],
        {
            "numpy": lambda cells: np.array(cells, dtype="datetime64[us]"),
            "nanoseconds": lambda cells: np.array(cells, dtype="datetime64[ns]"),
            "pandas ns": lambda cells: pd.Series(cells, dtype="datetime64[ns]"),
            "arrow ns": lambda cells: pa.array(cells, pa.timestamp("ns")),
            "in Tokyo": lambda cells: [
                cell and cell.replace(tzinfo=datetime.UTC).astimezone(TOKYO) for cell in cells
            ],
            "pandas in Tokyo": lambda cells: (
                pd.Series(cells).dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo")
            ),
            "polars in Tokyo": lambda cells: (
                pl.Series(cells).dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo")
            ),
            "arrow in Tokyo": lambda cells: pa.array(cells, pa.timestamp("us", "Asia/Tokyo")),
        },
    ),
    "records": ("nominal", [(1, "a"), (2, "b"), (1, "a")], {}),
}
# What the containers of ANY cannot hold, or hold as something else.
NOT = {
    "whole numbers with holes": (),
    "decimals": ("masked",),
    "days": ("masked",),
    "days with holes": ("masked",),
    "moments": ("masked",),
    "records": ("pandas by rows", "polars", "arrow", "arrow chunks", "masked"),
}


def said(column):
    """All that a column says, in a form that can be compared."""
    return {
        "kind": column.kind,
        "missing": column.missing.tolist(),
        "codes": column.codes.tolist(),
        "categories": list(column.categories),
        "numbers": repr((column.numbers + 0.0).tolist()),
        "as numbers": repr([(column.asked_for_numbers()[0] + 0.0).tolist()]),
        "invalid": (column.asked_for_numbers()[1], column.asked_for_dates()[1]),
        "as dates": repr(column.asked_for_dates()[0].tolist()),
    }


@pytest.mark.parametrize(
    ("name", "make"),
    [
        pytest.param(name, make, id=f"{name}, {container}")
        for name, (_, _, more) in COLUMNS.items()
        for container, make in (ANY | more).items()
        if container not in NOT.get(name, ())
    ],
)
def test_the_same_column_is_the_same_in_every_container(name, make):
    kind, cells, _ = COLUMNS[name]
    known = list(dict.fromkeys(cell for cell in cells if cell is not None))
    column = Column(make(cells))
    assert column.kind == kind
    assert column.missing.tolist() == [cell is None for cell in cells]
    assert column.codes.tolist() == [-1 if cell is None else known.index(cell) for cell in cells]
    assert list(column.categories) == known
    assert said(column) == said(Column(cells))


@pytest.mark.parametrize(
    "make",
    {
        "pandas": lambda codes, known: pd.Series(
            pd.Categorical.from_codes(codes, known, ordered=True)
        ),
        "categorical": lambda codes, known: pd.Categorical.from_codes(codes, known, ordered=True),
        "polars": lambda codes, known: pl.Series(
            [None if code < 0 else known[code] for code in codes], dtype=pl.Enum(known)
        ),
        "arrow": lambda codes, known: pa.DictionaryArray.from_arrays(
            pa.array(codes, mask=np.array(codes) < 0), known, ordered=True
        ),
        "chunks": lambda codes, known: pa.chunked_array(
            [
                pa.DictionaryArray.from_arrays(
                    pa.array(part, mask=np.array(part) < 0), known, ordered=True
                )
                for part in (codes[:2], codes[2:])
            ]
        ),
    }.values(),
)
def test_categories_with_an_order_keep_it_and_all_of_it(make):
    codes, known = [2, 0, -1, 2], ["low", "middle", "high", "never"]
    column = Column(make(codes, known))
    assert column.kind == "ordered"
    assert column.codes.tolist() == codes
    assert column.categories == tuple(known)
    assert column.missing.tolist() == [False, False, True, False]
    assert np.isnan(column.numbers).all()
    assert coded(make([2, 0, 2], known), "x")[1] == ["low", "high"]


def test_spans_of_time_are_the_same_in_arrays_and_lists():
    spans = [datetime.timedelta(1), datetime.timedelta(hours=3), datetime.timedelta(1)]
    for make in (list, np.array, lambda x: np.array(x, dtype="m8[ns]"), pd.Series, pl.Series):
        assert said(Column(make(spans))) == said(Column(spans))
