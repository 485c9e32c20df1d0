"""The path paper: its edge costs, its shortest path, its claims about blocks."""

from fractions import Fraction

import numpy as np
import oracle
import path_figure5 as script
import pytest
from certificate import read
from strategies import make

import tokumei as tk


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_edge_costs_6_and_8_are_the_sums_of_squares(k):
    X = make("normal", 24, 3, seed=k)
    by_sums = oracle.edge_costs(X, k)
    assert oracle.edge_costs_in_turn(X, k) == by_sums
    assert sum(map(len, by_sums)) <= k * (len(X) + 1)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_dijkstra_and_the_cut_find_the_same_length(k):
    X = make("normal", 40, 2, seed=k)
    edges = oracle.edge_costs_in_turn(X, k)
    length = oracle.dijkstra(edges)
    assert length == oracle.in_order(edges)
    order = np.arange(len(X))
    assert length == oracle.least_cut(X, order, k)
    labels = tk.cut(X, order, k)
    assert abs(oracle.exact_sse(X, labels) - length) <= length * Fraction(1, 10**12)


def test_the_farthest_record_may_be_in_an_inner_block():
    # With 16 blocks an axis (8, 8) is in no outer one, and yet the farthest from the mean.
    X = np.array([[10.0, 0], [-10, 0], [0, 10], [0, -10], [8, 8], [-0.1, -0.1], [-8, -8.0]])
    assert tk.grid_order(X, blocks_per_axis=16)[0] == oracle.path_start(X) == 4


def test_a_search_touches_few_blocks_whatever_the_size():
    a_record = []
    for n in (500, 4_000):
        blocks, searches, levels, touched = script.searches(make("normal", n, 2, seed=1), 10)
        assert blocks > n / 10
        assert levels < 1.6 * searches
        a_record.append(touched / n)
    assert max(a_record) < 1.6 * min(a_record) < 3.2


def test_all_searches_cost_p_b_as_the_page_says():
    printed_as = {cell.cell: cell for cell in read("path_figure5") if "searches" in cell.where}
    assert printed_as["where it is p B"].equal
    assert printed_as["where it is p B^2"].ours == "p B"


def test_the_paper_s_choice_of_c1_is_known_by_name():
    X = make("normal", 400, 3, seed=2)
    for k, c2 in ((4, 2), (4, None), (9, 3)):
        c1 = 3 * k * (c2 or 1)
        expected = tk.cut(X, tk.flexdice_order(X, c1=c1, c2=c2), k)
        found = tk.partition(X, k, method="flexdice", c1="paper", c2=c2)
        np.testing.assert_array_equal(found, expected)
