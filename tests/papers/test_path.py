"""The path paper: its edge costs, its shortest path, its claims about blocks."""

from fractions import Fraction

import numpy as np
import oracle
import pytest
from strategies import make

import tokumei as tk


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_edge_costs_6_and_8_are_the_sums_of_squares(k):
    X = make("normal", 24, 3, seed=k)
    by_sums = oracle.edge_costs(X, k)
    assert oracle.edge_costs_in_turn(X, k) == by_sums
    assert len(by_sums) <= k * (len(X) + 1)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_dijkstra_and_the_cut_find_the_same_length(k):
    X = make("normal", 40, 2, seed=k)
    length = oracle.dijkstra(oracle.edge_costs(X, k), len(X))
    order = np.arange(len(X))
    assert length == oracle.least_cut(X, order, k)
    labels = tk.cut(X, order, k)
    assert abs(oracle.exact_sse(X, labels) - length) <= length * Fraction(1, 10**12)


def test_the_farthest_record_may_be_in_an_inner_block():
    # With 16 blocks an axis (8, 8) is in no outer one, and yet the farthest from the mean.
    X = np.array([[10.0, 0], [-10, 0], [0, 10], [0, -10], [8, 8], [-0.1, -0.1], [-8, -8.0]])
    assert tk.grid_order(X, blocks_per_axis=16)[0] == oracle.path_start(X) == 4


def blocks_touched(X, c1):
    """How many blocks a search looks into, on average, along the FlexDice path."""
    blocks, links = oracle.flexdice_graph(X, c1, 0, 1)
    neighbours = {b: set() for b in range(len(blocks))}
    for low, high, _ in links:
        neighbours[low].add(high)
        neighbours[high].add(low)
    block_of = {row: b for b, block in enumerate(blocks) for row in block.rows}
    left = [len(block.rows) for block in blocks]
    touched = []
    for row in tk.flexdice_order(X, c1=c1)[:-1]:
        left[block_of[row]] -= 1
        level = seen = {block_of[row]}
        while level and not any(left[b] for b in level):
            level = set().union(*(neighbours[b] for b in level)) - seen
            seen = seen | level
        touched.append(len(seen))
    return np.mean(touched)


def test_a_search_touches_few_blocks_whatever_the_size():
    small, large = (blocks_touched(make("normal", n, 2, seed=1), 8) for n in (500, 4_000))
    assert large < 1.6 * small
    assert large < 8


def test_the_paper_s_choice_of_c1_is_known_by_name():
    X = make("normal", 400, 3, seed=2)
    for k, c2 in ((4, 2), (4, None), (9, 3)):
        c1 = 3 * k * (c2 or 1)
        expected = tk.cut(X, tk.flexdice_order(X, c1=c1, c2=c2), k)
        found = tk.partition(X, k, method="flexdice", c1="paper", c2=c2)
        np.testing.assert_array_equal(found, expected)
