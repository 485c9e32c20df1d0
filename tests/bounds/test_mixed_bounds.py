"""Lower bounds of tables with categories: never above the optimum, whatever the categories."""

import sys

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import mixed_tables

import tokumei as tk
from tokumei import _check
from tokumei.bounds.lower_bound import lower_bound_of
from tokumei.microaggregation import mixed, records

RUN = _check.run(1)
RNG = np.random.default_rng(5)
TABLE = {"x": RNG.normal(size=60), "town": RNG.integers(0, 20, 60), "y": RNG.normal(size=60)}
METHODS = ["columns", "neighbours"]


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=60)
@given(table=mixed_tables(4, 8, ("normal", "ties", "duplicates")), k=st.integers(1, 3))
def test_no_partition_of_a_mixed_table_is_below_the_bound(method, table, k):
    points = records.coordinates(table)
    total = tk.loss.sst(points)
    if total == 0.0:
        return
    least = float(oracle.least_sse(oracle.group_costs(points, k), len(points)))
    assert lower_bound_of(table, k, method, RUN).value <= least / total + 1e-12


@pytest.mark.parametrize("method", METHODS)
def test_the_bound_is_that_of_the_points(method):
    table = mixed.records_of(TABLE, ["town"], None)
    own = tk.lower_bound(TABLE, 3, categorical=["town"], method=method)
    assert own == pytest.approx(tk.lower_bound(records.coordinates(table), 3, method=method))


def test_rare_categories_beyond_those_counted_only_lower_the_bound(monkeypatch):
    every = tk.lower_bound(TABLE, 3, categorical=["town"])
    monkeypatch.setattr(sys.modules[lower_bound_of.__module__], "MOST_CORNERS", 5)
    assert 0.0 < tk.lower_bound(TABLE, 3, categorical=["town"]) < every


def test_a_gap_is_known_for_tables_with_categories():
    labels = tk.partition(TABLE, 3, categorical=["town"])
    bound = tk.lower_bound(TABLE, 3, categorical=["town"])
    table = mixed.records_of(TABLE, ["town"], None)
    loss = records.sse_of(table, labels, labels.max() + 1, RUN) / records.sst_of(table, RUN)
    assert tk.bounds.gap(TABLE, labels, 3, categorical=["town"]) == pytest.approx(loss / bound - 1)
