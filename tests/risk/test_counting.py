"""For how many records predicates hold: as by asking every record, one predicate after another."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracle.risk import records_with

from tokumei.risk.attacks import counting
from tokumei.risk.attacks.records import Records

NUMBERS = st.sampled_from([-1.5, 0.0, 2.0, 3.0, math.nan])
HOWS = ["equal", "unequal", "above", "below", "missing"]


@st.composite
def asked(draw):
    rows = draw(st.integers(1, 12))
    cells = {
        "x": draw(st.lists(NUMBERS, min_size=rows, max_size=rows)),
        "y": draw(st.lists(NUMBERS, min_size=rows, max_size=rows)),
        "z": draw(st.lists(st.integers(-1, 2), min_size=rows, max_size=rows)),
    }
    width = draw(st.integers(1, 3))
    number = st.tuples(st.sampled_from("xy"), st.sampled_from(HOWS), st.sampled_from([0.0, 2.0]))
    category = st.tuples(
        st.just("z"), st.sampled_from(["equal", "unequal", "missing"]), st.sampled_from([0.0, 2.0])
    )
    predicate = st.lists(number | category, min_size=width, max_size=width).map(tuple)
    return cells, draw(st.lists(predicate, min_size=1, max_size=6))


def is_missing(cell):
    return math.isnan(cell) if isinstance(cell, float) else cell < 0


def counted(cells):
    arrays = {name: np.array(values) for name, values in cells.items()}
    return counting.Counted(Records(arrays, {"x": 1.0, "y": 1.0}))


@given(asked())
def test_predicates_hold_for_as_many_records_as_asking_each_says(given):
    cells, predicates = given
    truth = [records_with(cells, is_missing, one) for one in predicates]
    assert counted(cells).counts(predicates).tolist() == truth


@given(asked())
def test_counts_that_end_early_say_which_hold_for_one(given):
    cells, predicates = given
    whole = counted(cells).counts(predicates)
    before = counting.FIRST, counting.MOST
    counting.FIRST, counting.MOST = 2, 5  # as of many records
    try:
        early = counted(cells).counts(predicates, most=2)
        again = counted(cells).counts(predicates)
    finally:
        counting.FIRST, counting.MOST = before
    assert ((early == 1) == (whole == 1)).all()
    assert ((early == 0) == (whole == 0)).all()
    assert (again == whole).all()
