"""Partitions recombined: shared groups stay, all others are searched, and all pairs meet."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import make

import tokumei as tk
from tokumei.microaggregation.search import recombination

X = make("normal", 300, 4, seed=3)
K = 3


def sse(labels):
    return tk.loss.sse(X, labels)


def refined(rows, begin, number):
    return tk.refine(X[rows], begin, K, effort=60.0, random_state=number)


def found(count):
    start = tk.mdav(X, K)
    return [tk.refine(X, start, K, effort=20.0, random_state=seed) for seed in range(count)]


def groups_of(labels):
    return {frozenset(np.flatnonzero(labels == one).tolist()) for one in np.unique(labels)}


@given(one=st.lists(st.integers(0, 4), min_size=12, max_size=12), seed=st.integers(0, 99))
def test_records_are_shared_whose_groups_are_the_same_sets(one, seed):
    one = np.unique(one, return_inverse=True)[1]
    other = one.copy()
    rng = np.random.default_rng(seed)
    other[rng.integers(0, 12, 3)] = rng.integers(0, 5, 3)
    other = rng.permutation(5)[np.unique(other, return_inverse=True)[1]]
    both = groups_of(one) & groups_of(other)
    wanted = [any(row in group for group in both) for row in range(12)]
    assert recombination._shared(one, other).tolist() == wanted


@pytest.mark.parametrize("count", [2, 4, 8, 12])
def test_each_meets_each_other_once_and_nobody_twice_in_a_round(count):
    rounds = list(recombination._rounds(count))
    for pairs in rounds:
        assert sorted(one for pair in pairs for one in pair) == list(range(count))
    met = [frozenset(pair) for pairs in rounds for pair in pairs]
    assert len(met) == len(set(met)) == count * (count - 1) // 2


def test_what_comes_of_a_pair_keeps_what_it_shares_and_costs_no_more():
    one, other = found(2)
    shared = groups_of(one) & groups_of(other)
    assert 0 < len(shared) < len(groups_of(one))
    (labels,) = recombination.recombined([one, other], K, sse, refined)
    assert shared <= groups_of(labels)
    assert np.bincount(labels).min() >= K
    assert sse(labels) < min(sse(one), sse(other))


def test_the_better_of_a_tournament_is_better_than_all_that_began():
    members = found(6)
    begun = [each.copy() for each in members]
    come = list(recombination.recombined(members, K, sse, refined))
    assert min(map(sse, come)) < min(map(sse, begun))
    assert sum(map(sse, members)) < sum(map(sse, begun))
    again = list(recombination.recombined(begun, K, sse, refined))
    assert all((one == other).all() for one, other in zip(come, again, strict=True))


def test_partitions_that_agree_are_not_searched():
    labels = tk.mdav(X, K)
    relabelled = labels.max() - labels

    def never(*arguments):
        raise AssertionError

    assert list(recombination.recombined([labels, relabelled], K, sse, never)) == []
