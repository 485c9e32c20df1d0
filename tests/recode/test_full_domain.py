"""Hierarchies, numeric recoding, and the cheapest full-domain generalisation."""

import numpy as np
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei import Hierarchy

AGE = Hierarchy.from_nested({"young": {"teens": [17, 19], "twenties": [21, 25]}, "old": [60, 70]})
TOWN = Hierarchy.from_nested({"Kanto": ["Tokyo", "Chiba"], "Kansai": ["Osaka", "Kobe", "Nara"]})
SEX = Hierarchy.from_levels({"f": ["*"], "m": ["*"]})
TREES = {"age": AGE, "town": TOWN, "sex": SEX}
VALUES = [list(tree.values) for tree in TREES.values()]
ROWS = st.lists(st.tuples(*map(st.sampled_from, VALUES)), min_size=3, max_size=24)


def certainty(j, level, value):
    tree = list(TREES.values())[j]
    codes = tree.codes[level]
    leaves = (codes == codes[tree.values.index(value)]).sum()
    return leaves / len(codes) / len(TREES) if leaves > 1 else 0.0


@given(ROWS, st.integers(1, 3), st.sampled_from([0.0, 0.1, 0.34]))
def test_no_levels_cost_less_than_those_found(rows, k, suppress):
    ways = [{value: [value, *way] for value, way in tree.levels.items()} for tree in TREES.values()]
    data = dict(zip(TREES, map(list, zip(*rows, strict=True)), strict=True))
    best = oracle.least_full_domain(rows, ways, k, int(suppress * len(rows) + 1e-9), certainty)
    found = tk.recode.full_domain(data, TREES, k, suppress=suppress)
    assert found.cost == pytest.approx(best[0])
    assert tuple(found.levels.values()) == best[1]
    groups = list(zip(*(found.table[name] for name in TREES), strict=True))
    assert all(groups.count(group) >= k for group in groups)
    assert len(groups) == len(rows) - found.suppressed.sum()


@given(ROWS, st.sampled_from(["certainty", "information", "height"]))
def test_every_penalty_ends_with_groups_that_are_large_enough(rows, penalty):
    data = dict(zip(TREES, map(list, zip(*rows, strict=True)), strict=True))
    found = tk.recode.full_domain(data, TREES, 2, penalty=penalty)
    groups = list(zip(*(found.table[name] for name in TREES), strict=True))
    assert all(groups.count(group) >= 2 for group in groups)
    assert 0.0 <= found.cost <= 1.0


def test_groups_hold_different_sensitive_values():
    data = {"sex": ["f", "f", "m", "m"], "disease": ["flu", "flu", "flu", "gout"]}
    assert tk.recode.full_domain(data, {"sex": SEX}, 2).levels == {"sex": 0}
    found = tk.recode.full_domain(data, {"sex": SEX}, 2, sensitive="disease", l=2)
    assert found.levels == {"sex": 1}


def test_a_dearer_attribute_is_kept():
    data = {"sex": ["f", "m"] * 2, "town": ["Tokyo", "Tokyo", "Nara", "Nara"]}
    trees = {"sex": SEX, "town": TOWN}
    keep_sex = tk.recode.full_domain(data, trees, 2, weights={"sex": 5.0})
    keep_town = tk.recode.full_domain(data, trees, 2, weights={"town": 5.0})
    assert (keep_sex.levels["sex"], keep_town.levels["town"]) == (0, 0)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_same_kind_of_table_comes_out(kind):
    data = kind({"sex": ["f", "m", "m"], "n": [1, 2, 3]})
    found = tk.recode.full_domain(data, {"sex": SEX}, 2, suppress=0.4)
    assert type(found.table) is type(data)
    assert found.suppressed.tolist() == [True, False, False]
    assert found.table.shape == (2, 2)


def test_what_cannot_be_reached_is_said():
    data = {"sex": ["f", "f", "m"]}
    with pytest.raises(ValueError, match="no levels reach the criterion"):
        tk.recode.full_domain(data, {"sex": SEX}, 2, sensitive="sex", l=3)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"k": 0}, ValueError, "k must be between 1"),
        ({"k": 9}, ValueError, "k must be between 1"),
        ({"suppress": 1.0}, ValueError, "suppress must be at least 0 and below 1"),
        ({"suppress": -0.1}, ValueError, "suppress must be at least 0"),
        ({"hierarchies": {}}, TypeError, "hierarchies must map"),
        ({"hierarchies": {"job": SEX}}, ValueError, "1 columns that data does not have"),
        ({"hierarchies": {"sex": ["f"]}}, TypeError, "'sex' must be a Hierarchy or map each"),
        ({"hierarchies": {"sex": {"f": "*"}}}, ValueError, "1 values that the hierarchy does not"),
        ({"penalty": "magic"}, ValueError, "penalty must be one of"),
        ({"penalty": lambda *_: np.array([0.5, 0.5]) - _[1]}, ValueError, "must not fall"),
        ({"weights": {"job": 1.0}}, ValueError, "1 columns that have no hierarchy"),
        ({"sensitive": "job"}, ValueError, "sensitive must name a column"),
    ],
)
def test_bad_options_are_refused(options, error, message):
    arguments = {"data": {"sex": ["f", "m"]}, "hierarchies": {"sex": SEX}, "k": 2, **options}
    with pytest.raises(error, match=message):
        tk.recode.full_domain(**arguments)


def test_an_interrupted_search_ends():
    def stop(_share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tk.recode.full_domain({"sex": ["f", "m"]}, {"sex": SEX}, 2, callback=stop)


@given(st.lists(st.integers(0, 99), min_size=1, max_size=40), st.sampled_from([None, 0.1, 0.3]))
def test_bins_hold_their_numbers_and_are_not_rare(values, share):
    recoding = tk.recode.bins(values, [0, 10, 20, 50, 100], share=share)
    for value, name in zip(values, recoding.values, strict=True):
        low, high = map(float, name.split(" to "))
        assert low <= value < high or value == high == 100
    if share is not None and len(recoding.counts) > 1:
        assert min(recoding.counts.values()) >= round(share * len(values), 9)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=40), st.sampled_from([0.05, 0.3, 0.6]))
def test_an_end_holds_at_least_its_share_and_no_number_more(values, share):
    top = tk.recode.top_code(values, share=share, label="top")
    limit = min(v for v, new in top.mapping.items() if new == "top")
    assert sum(v >= limit for v in values) >= round(share * len(values), 9)
    assert sum(v > limit for v in values) < round(share * len(values), 9)
    bottom = tk.recode.bottom_code([-v for v in values], share=share, label="top")
    assert bottom.values.tolist() == [v if v == "top" else -v for v in top.values]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tk.recode.bins([1, 2], [0, 1]), "edges must span all values; 1 of 2"),
        (lambda: tk.recode.bins([1, 2], [3, 0]), "two increasing numbers"),
        (lambda: tk.recode.bins([1, 2], 0), "edges must be at least 1"),
        (lambda: tk.recode.top_code([1, 2]), "either a limit or a share"),
        (lambda: tk.recode.top_code([1, 2], limit=1, share=0.2), "either a limit or a share"),
        (lambda: tk.recode.top_code([1, float("nan")], limit=1), "1 missing values"),
        (lambda: tk.recode.bottom_code([], limit=1), "values"),
        (lambda: tk.recode.top_code([1], share=1.0), "share must be above 0 and below 1"),
    ],
)
def test_bad_numbers_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
