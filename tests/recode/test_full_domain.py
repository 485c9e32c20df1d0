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
from tokumei.recode import Hierarchy

AGE = Hierarchy.from_nested({"young": {"teens": [17, 19], "twenties": [21, 25]}, "old": [60, 70]})
TOWN = Hierarchy.from_nested({"Kanto": ["Tokyo", "Chiba"], "Kansai": ["Osaka", "Kobe", "Nara"]})
SEX = Hierarchy({"f": ["*"], "m": ["*"]})
TREES = {"age": AGE, "town": TOWN, "sex": SEX}
VALUES = [list(tree.ways) for tree in TREES.values()]
ROWS = st.lists(st.tuples(*map(st.sampled_from, VALUES)), min_size=3, max_size=24)


def test_ways_of_different_lengths_end_at_the_top_together():
    assert AGE.height == 3
    assert AGE.at([17, 60, 25], 1).tolist() == ["teens", 60, "twenties"]
    assert AGE.at([17, 60, 25], 2).tolist() == ["young", "old", "young"]
    assert AGE.at([17, 60, 25], 3).tolist() == ["*", "*", "*"]


def test_the_same_tree_from_parents_lists_and_files(tmp_path):
    by_parents = Hierarchy.from_parents({"a": "ab", "b": "ab", "c": "cd", "d": "cd"})
    by_lists = Hierarchy.from_nested({"ab": ["a", "b"], "cd": ["c", "d"]})
    (tmp_path / "arx.csv").write_text("a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n", encoding="utf-8")
    (tmp_path / "own.csv").write_text('a,ab,*\nb,ab,*\n"c",cd,*\nd,cd,*', encoding="utf-8")
    from_arx = Hierarchy.from_csv(tmp_path / "arx.csv")
    from_own = Hierarchy.from_csv(tmp_path / "own.csv")
    assert by_parents.labels == by_lists.labels == from_arx.labels == from_own.labels


def test_lists_without_names_are_named_by_their_values():
    assert Hierarchy.from_nested([["a", "b"], ["c"]]).at(["a", "c"], 1).tolist() == ["a/b", "c"]


def test_numbers_are_read_from_a_file_as_numbers(tmp_path):
    (tmp_path / "age.csv").write_text("17;teens\n21;twenties\n", encoding="utf-8")
    tree = Hierarchy.from_csv(tmp_path / "age.csv", value=int)
    assert tree.at([21, 17], 1).tolist() == ["twenties", "teens"]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Hierarchy({}), TypeError, "ways must map"),
        (lambda: Hierarchy({"a": ["x"], "b": []}), ValueError, "of one length, got 0 to 1"),
        (lambda: Hierarchy({"a": ["x", "p"], "b": ["x", "q"]}), ValueError, "parted again"),
        (lambda: Hierarchy.from_parents({"a": "b", "b": "a"}), ValueError, "round in a circle"),
        (lambda: Hierarchy.from_nested("text"), TypeError, "nested mappings and lists"),
        (lambda: Hierarchy.from_nested(["a", "a"]), ValueError, "names each value once"),
        (lambda: AGE.at([17, 99], 1), ValueError, "1 values that the hierarchy does not know"),
        (lambda: AGE.at([17], 4), ValueError, "level must be between 0 and 3"),
        (lambda: AGE.at([None], 1), ValueError, "1 missing values"),
    ],
)
def test_bad_hierarchies_are_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_a_file_with_ragged_or_repeated_rows_is_refused(tmp_path):
    for text, message in [
        ("a;x\nb\n", "rows of one length"),
        ("a;x\na;x\n", "1 rows repeat one"),
        ("", "no rows"),
    ]:
        (tmp_path / "tree.csv").write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match=message):
            Hierarchy.from_csv(tmp_path / "tree.csv")


def certainty(j, level, value):
    tree = list(TREES.values())[j]
    codes = tree.codes[level]
    leaves = (codes == codes[list(tree.ways).index(value)]).sum()
    return leaves / len(codes) / len(TREES) if leaves > 1 else 0.0


@given(ROWS, st.integers(1, 3), st.sampled_from([0.0, 0.1, 0.34]))
def test_no_levels_cost_less_than_those_found(rows, k, suppress):
    ways = [{value: [value, *way] for value, way in tree.ways.items()} for tree in TREES.values()]
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
        tk.recode.full_domain(data, {"sex": Hierarchy({"f": ["f"], "m": ["m"]})}, 2)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"k": 0}, ValueError, "k must be between 1"),
        ({"k": 9}, ValueError, "k must be between 1"),
        ({"suppress": 1.0}, ValueError, "suppress must be at least 0 and below 1"),
        ({"suppress": -0.1}, ValueError, "suppress must be at least 0"),
        ({"hierarchies": {}}, TypeError, "hierarchies must map"),
        ({"hierarchies": {"job": SEX}}, ValueError, "1 columns that data does not have"),
        ({"hierarchies": {"sex": {"f": "*"}}}, TypeError, "must be of kind Hierarchy"),
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
