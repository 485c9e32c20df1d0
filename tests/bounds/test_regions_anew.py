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
        assert loss < last
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

    assert anew(X, start, one_group) == []


def test_regions_have_some_groups_each_and_begin_in_three_ways():
    X = make("normal", 400, 2, seed=5)
    labels = tk.mdav(X, K)
    asked = []

    def noted(rows, begin, part):
        same = len(np.unique(labels[rows] * 400 + begin)) == len(np.unique(labels[rows]))
        asked.append((len(np.unique(labels[rows])), np.bincount(begin).min() >= K, same))
        return np.zeros(len(rows), dtype=np.int64)  # worse

    anew(X, labels, noted)
    sizes, whole, as_they_are = map(np.array, zip(*asked, strict=True))
    for size in regions_anew.SIZES:
        assert (sizes == size).sum() == regions_anew.REGIONS
    assert whole.all()
    assert as_they_are[::3].all()
    assert not as_they_are[1::3].any()


def test_middles_are_drawn_by_the_root_of_what_groups_cost():
    X = np.array([[0.0], [0.0], [0.0], [10.0], [12.0], [14.0], [40.0], [44.0], [48.0]])
    labels = np.repeat([0, 1, 2], 3)
    rng = np.random.default_rng(3)
    means = regions_anew._means(X, labels)
    drawn = [regions_anew._middle(X, labels, means, rng) for _ in range(3_000)]
    shares = np.bincount(drawn, minlength=3) / len(drawn)
    # Costs are 0, 8 and 32.
    assert shares[0] == 0.0
    assert abs(shares[2] - 2 / 3) < 5 * np.sqrt(2 / 9 / len(drawn))


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
    found = regions_anew._means(np.asfortranarray(X), labels)
    np.testing.assert_allclose(found, means)
    near = regions_anew._nearest(found, labels[11])
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
