"""Local suppression: the fewest cells, by trying all ways to suppress."""

from collections import Counter

import numpy as np
import oracle
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk


def columns_of(rows):
    return {f"c{j}": list(cells) for j, cells in enumerate(zip(*rows, strict=True))}


def published(found):
    return list(zip(*found.table.values(), strict=True))


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=2, max_size=6),
    st.integers(1, 3),
    st.sampled_from([(1.0, 1.0), (1.0, 2.5)]),
)
def test_no_suppression_costs_less(rows, k, weights):
    if k > len(rows):
        return
    names = dict(zip(("c0", "c1"), weights, strict=True))
    found = tk.recode.suppress_cells(columns_of(rows), k, weights=names)
    assert found.cost == pytest.approx(oracle.fewest_cells(rows, k, weights))
    assert found.bound == found.cost
    assert min(Counter(published(found)).values()) >= k


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=5, max_size=60), st.integers(2, 5))
def test_every_row_is_there_k_times_and_others_are_as_they_were(rows, k):
    found = tk.recode.suppress_cells(columns_of(rows), k)
    new = published(found)
    assert min(Counter(new).values()) >= k
    assert found.bound <= found.cost == found.cells.sum()
    for row, cells, gone in zip(rows, new, found.cells, strict=True):
        for value, cell, lost in zip(row, cells, gone, strict=True):
            assert cell == ("*" if lost else value)


def test_enough_alike_rows_lose_nothing():
    found = tk.recode.suppress_cells({"a": [1, 1, 2, 2], "b": list("xxyy")}, 2)
    assert (found.cost, found.bound, found.cells.any()) == (0.0, 0.0, False)


def test_columns_that_are_not_named_are_carried_along():
    data = pd.DataFrame({"a": list("ppq"), "id": [1, 2, 3]})
    found = tk.recode.suppress_cells(data, 2, columns=["a"], mark="?")
    assert found.table["id"].tolist() == [1, 2, 3]
    assert found.table["a"].tolist() == ["?", "?", "?"]
    assert isinstance(found.table, pd.DataFrame)


def test_a_missing_cell_can_be_the_mark():
    found = tk.recode.suppress_cells({"a": [1, 1, 2]}, 3, mark=None)
    assert found.table["a"].tolist() == [None] * 3


def test_a_real_table_keeps_k(reference_path):
    data = pd.read_csv(reference_path("testdata.csv"))
    names = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
    found = tk.recode.suppress_cells(data[names], 3)
    assert found.table.groupby(names, observed=True).size().min() >= 3
    assert 0 < found.bound <= found.cost


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"k": 4}, ValueError, "k must be between 1"),
        ({"columns": ["z"]}, ValueError, "columns must name columns"),
        ({"columns": []}, ValueError, "columns must name columns"),
        ({"columns": ["a", "a"]}, ValueError, "each once"),
        ({"weights": {"z": 1.0}}, ValueError, "weights names 1 columns"),
        ({"weights": {"a": -1.0}}, ValueError, "weights"),
        ({"mark": "p"}, ValueError, "holds the mark"),
        ({"data": {"a": [None, 1, 2]}}, ValueError, "1 missing values"),
    ],
)
def test_bad_options_are_refused(options, error, message):
    arguments = {"data": {"a": list("ppq")}, "k": 2, **options}
    with pytest.raises(error, match=message):
        tk.recode.suppress_cells(**arguments)


def test_an_interrupted_search_ends():
    def stop(_share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tk.recode.suppress_cells({"a": np.arange(4)}, 2, callback=stop)
