"""Regions from nothing: what lies around a group is searched whatever it was, kept if better."""

import numpy as np
import pytest
from strategies import make

import tokumei as tk
from tokumei import _check
from tokumei.microaggregation.search import regions_anew

K = 3


def run(callback=None):
    return _check.run(1, callback)


def anew(X, labels, searched, seed=1, callback=None):
    def cost(rows, groups):
        return tk.loss.sse(X[rows], groups)

    rng = np.random.default_rng(seed)
    points, met = np.asfortranarray(X), []
    regions_anew.anew(labels, K, points, cost, searched, met.append, rng, run(callback))
    return met


def refined(X):
    def searched(rows, begin, part):
        return tk.refine(X[rows], begin, K, effort=10.0, random_state=len(rows))

    return searched


def test_no_partition_on_the_way_costs_more_or_breaks_k():
    X = make("normal", 300, 4, seed=3)
    start = tk.mdav(X, K)
    last = tk.loss.sse(X, start)
    for labels in anew(X, start, refined(X)):
        loss = tk.loss.sse(X, labels)
        assert loss <= last * (1 + 1e-12)
        assert np.bincount(labels).min() >= K
        last = loss
    assert last < 0.95 * tk.loss.sse(X, start)


def test_what_a_long_search_left_is_found():
    """A search that was long ends above what regions from nothing reach."""
    X = make("mixture", 600, 4, seed=2)
    long = tk.refine(X, tk.mdav(X, K), K, effort=100.0)
    *_, labels = anew(X, long, refined(X))
    assert tk.loss.sse(X, labels) < tk.loss.sse(X, long)


def test_a_region_that_gets_worse_stays_as_it_was():
    X = make("normal", 120, 3, seed=4)
    start = tk.refine(X, tk.mdav(X, K), K)

    def one_group(rows, begin, part):
        return np.zeros(len(rows), dtype=np.int64)

    assert all((labels == start).all() for labels in anew(X, start, one_group))


def test_every_record_is_in_the_midst_of_a_region_of_each_size():
    X = make("normal", 400, 2, seed=5)
    labels = tk.mdav(X, K)
    asked = []

    def kept(rows, begin, part):
        asked.append(set(rows.tolist()))
        return begin

    anew(X, labels, kept)
    sizes = [np.unique(labels[list(rows)]).size for rows in asked]
    assert sorted(set(sizes), reverse=True) == list(regions_anew.SIZES)
    for size in regions_anew.SIZES:
        of_size = [rows for rows, groups in zip(asked, sizes, strict=True) if groups == size]
        assert set().union(*of_size) == set(range(400))
        assert len(of_size) < len(np.unique(labels))


@pytest.mark.parametrize("rows", [3, 4, 7, 10])
def test_slices_have_k_records_and_the_last_fewer_than_twice_as_many(rows):
    X = make("normal", rows, 3, seed=rows)
    sizes = np.bincount(regions_anew._slices(X, K, np.random.default_rng(0)))
    assert sizes[:-1].tolist() == [K] * (len(sizes) - 1)
    assert K <= sizes[-1] < 2 * K


def test_the_nearest_groups_are_those_of_the_nearest_means():
    X = make("normal", 60, 3, seed=7)
    labels = tk.mdav(X, K)
    means = np.stack([X[labels == group].mean(axis=0) for group in range(labels.max() + 1)])
    apart = ((means - means[labels[11]]) ** 2).sum(axis=1)
    near = regions_anew._nearest(np.asfortranarray(X), labels, 11)
    assert near[0] == labels[11]
    assert (np.diff(apart[near]) >= 0).all()


def test_regions_tell_how_far_they_are_and_can_be_repeated():
    X = make("normal", 200, 3, seed=8)
    start = tk.mdav(X, K)
    told = []
    one = anew(X, start, refined(X), callback=told.append)
    other = anew(X, start, refined(X))
    assert (one[-1] == other[-1]).all()
    assert told == sorted(told)
    assert 0.0 <= told[0] < told[-1] < 1.0


def test_a_callback_that_says_stop_is_heard():
    X = make("normal", 200, 3, seed=8)
    left = iter(range(5))
    with pytest.raises(StopIteration):
        anew(X, tk.mdav(X, K), refined(X), callback=lambda share: next(left) and None)


def test_a_table_of_few_groups_is_no_region():
    X = make("normal", 50, 3, seed=9)

    def never(*arguments):
        raise AssertionError

    assert anew(X, tk.mdav(X, K), never) == []
