"""Cells say what the table says, to everyone who asks."""

import datetime
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from makes import TEXT

import tokumei as tk
from tokumei.values.cells import is_missing, number_in
from tokumei.values.column import Column
from tokumei.values.columns import coded, numbers, of_rows, ranked, shared

SECRET = "secret-value"
DAY = datetime.date(2024, 2, 29)
NOON = datetime.datetime(2024, 2, 29, 12, 0, 0, 250)

TEXTS = {
    "7": 7.0,
    "-1.50": -1.5,
    "+.5": 0.5,
    "5.": 5.0,
    "2e3": 2000.0,
    "2E-3": 0.002,
    " 12\t": 12.0,
    "": math.nan,
    "  ": math.nan,
    "nan": math.nan,
    "-NaN": math.nan,
    "inf": math.inf,
    "-Infinity": -math.inf,
    "1e999": math.inf,
}
NO_NUMBERS = [
    "1,5",
    "1 000",
    "1'000",
    "1_000",
    "0x1A",
    "1e",
    "e5",
    "--1",
    ".",
    "x",
    "nan(1)",
    "1.2.3",
    "\u0661",
    "½",
    "True",
    "2024-03-01",
]


@pytest.mark.parametrize("make", TEXT.values(), ids=TEXT)
@pytest.mark.parametrize("text", [*TEXTS, *NO_NUMBERS])
@pytest.mark.parametrize("other", ["5", "x"])
def test_texts_say_numbers_by_one_rule(make, text, other):
    column = Column(make([text, other, text]))
    found, invalid = column.asked_for_numbers()
    says = TEXTS.get(text, math.nan)
    expected = np.array([says, 5.0 if other == "5" else math.nan, says])
    assert np.array_equal(found, expected, equal_nan=True)
    assert invalid == 2 * (text in NO_NUMBERS) + (other == "x")
    assert column.missing[0] == (not text.strip())


@given(st.text(alphabet="0123456789+-.eE_ xnaif,", max_size=6))
def test_arrow_reads_the_numbers_that_the_rule_reads(text):
    by_rule = 0.0 if is_missing(text) else number_in(text)
    found, invalid = Column(pa.array([text, "1"])).asked_for_numbers()
    assert invalid == (by_rule is None)
    if by_rule is not None and not is_missing(text):
        assert np.array_equal(found[0], by_rule, equal_nan=True)


@pytest.mark.parametrize("make", TEXT.values(), ids=TEXT)
def test_texts_say_dates_only_where_dates_are_asked_for(make):
    column = Column(make(["2024-02-29", "1969-12-31T12:00", "2024-02-29T09:00+09:00", "", "29.2."]))
    assert column.kind == "nominal"
    found, invalid = column.asked_for_dates()
    day = 86_400_000_000
    assert found[:3].tolist() == [19782.0 * day, -0.5 * day, 19782.0 * day]
    assert np.isnan(found[3:]).all()
    assert invalid == 1
    assert column.asked_for_numbers()[1] == 4


@pytest.mark.parametrize(
    "cell",
    [
        None,
        math.nan,
        np.float32("nan"),
        np.datetime64("NaT"),
        pd.NaT,
        pd.NA,
        np.ma.masked,
        "",
        " \n",
        Decimal("NaN"),
        np.timedelta64("NaT"),
    ],
    ids=repr,
)
def test_what_is_missing_is_missing_beside_everything(cell):
    assert is_missing(cell)
    for others in ([1], [1.5], [True], ["x"], [DAY], [(1, 2)], [1, "x"], [[1]]):
        column = Column([*others, cell])
        assert column.missing.tolist() == [False] * len(others) + [True]
        assert column.kind == Column(others).kind
    assert Column([cell]).missing.all()


@pytest.mark.parametrize("cell", [0, 0.0, False, "nan", "None", "NA", "x", b"", (), DAY], ids=repr)
def test_what_is_there_is_not_missing(cell):
    assert not is_missing(cell)
    assert not Column([cell, cell]).missing.any()


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([1, 2.5, Fraction(1, 2)], "numeric"),
        ([10**400, 1], "numeric"),
        ([True, 2], "nominal"),
        ([1j, 2j], "nominal"),
        ([1, "1"], "nominal"),
        ([DAY, NOON], "date"),
        ([DAY, "2024-02-29"], "nominal"),
        ([datetime.time(12), datetime.time(13)], "nominal"),
        ([datetime.timedelta(1)], "nominal"),
        ([[1], [2]], "nominal"),
        ([None, None], "nominal"),
    ],
)
def test_a_column_is_what_all_its_values_are(cells, kind):
    assert Column(cells).kind == kind


def test_moments_finer_than_microseconds_are_not_confused():
    cells = np.array([1, 2, 1, "NaT"], dtype="datetime64[ns]")
    column = Column(cells)
    assert column.codes.tolist() == [0, 1, 0, -1]
    assert column.categories == tuple(cells[:2])


def test_a_column_that_was_read_is_not_read_again():
    class Counted(list):
        passes = 0

        def __iter__(self):
            Counted.passes += 1
            return super().__iter__()

    cells = Counted(["a", "b", "a"])
    tk.loss.compare({"x": cells}, {"x": ["a", "a", "a"]})
    assert Counted.passes == 1


def test_strings_are_compared_letter_by_letter_blanks_and_all():
    assert tk.distances.Levenshtein().between("", "abc") == 3.0
    assert tk.distances.Levenshtein().between(" ", "") == 1.0
    with pytest.raises(ValueError, match="1 missing values"):
        tk.loss.information(["a", None], tk.distances.Levenshtein())


@pytest.mark.parametrize("blank", ["", "  ", None])
@pytest.mark.parametrize(
    "call",
    [
        lambda cells: tk.recode.by_share(cells, 0.1),
        lambda cells: tk.loss.entropy(cells, cells),
        lambda cells: tk.loss.information(cells, tk.distances.Discrete()),
        lambda cells: tk.loss.ncp({"x": cells}, [0, 0, 0]),
        lambda cells: tk.microaggregation.represent(cells, [0, 0, 0]),
        lambda cells: tk.noise.perturb(
            [cells], [tk.noise.Attribute(categories=["a", SECRET])], k=2
        ),
        lambda cells: tk.partition([[1], [2], [3]], 1, strata=cells),
        lambda cells: tk.release.mask(pa.table({"x": cells}), k=2, quasi=["x"]),
    ],
)
def test_blanks_are_missing_to_everyone(call, blank):
    with pytest.raises(ValueError, match="1 missing value") as caught:
        call([SECRET, blank, "a"])
    assert SECRET not in str(caught.value)


def test_numbers_and_codes_are_refused_with_counts_and_no_value():
    for call, error, message in (
        (lambda: numbers([SECRET], "x"), TypeError, "x must be numeric"),
        (lambda: numbers([DAY], "x"), TypeError, "x must be numeric"),
        (lambda: numbers([1, None], "x"), ValueError, r"x has 1 missing values \(first in row 1\)"),
        (lambda: numbers([1.0, math.inf], "x"), ValueError, "x has 1 infinite values"),
        (lambda: numbers([10**400], "x"), ValueError, "x has values too large"),
        (lambda: coded([[SECRET]], "x"), TypeError, "x holds values that cannot be told apart"),
        (lambda: coded(SECRET, "x"), TypeError, "x must be one column"),
        (lambda: coded([], "x"), ValueError, "x is empty"),
        (lambda: of_rows([SECRET], 2, "x"), ValueError, "one value for each of the 2 rows, got 1"),
        (lambda: ranked([SECRET, 1], np.ones(2), None, "x"), TypeError, "cannot be sorted"),
        (lambda: ranked([SECRET], np.array([3]), ["a"], "x"), ValueError, "x has 3 values that"),
        (lambda: ranked([SECRET], np.array([3]), ["a", "a"], "x"), ValueError, "1 categories more"),
    ):
        with pytest.raises(error, match=message) as caught:
            call()
        assert SECRET not in str(caught.value)


def test_truth_values_are_numbers_where_numbers_are_asked_for():
    assert numbers([True, False], "x").tolist() == [1.0, 0.0]
    assert tk.loss.il1s({"x": [True, False]}, {"x": np.array([True, False])}) == 0.0


def test_columns_of_different_makes_share_their_codes():
    parts, known = shared(
        [[1, 2, 3], np.array([3.0, 1.0]), pl.Series([2]), pd.Series([2**60 + 1])], list("abcd")
    )
    assert [part.tolist() for part in parts] == [[0, 1, 2], [2, 0], [1], [3]]
    assert known == [1, 2, 3, 2**60 + 1]
