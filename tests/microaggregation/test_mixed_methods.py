"""Methods on records of numbers and codes: equal to the plain definition, label by label."""

import numpy as np
import oracle
import pytest
from builders.refined import settled
from hypothesis import given
from hypothesis import strategies as st
from strategies import CATEGORIES, EVERY, mixed, mixed_tables, mixed_tables_and_k, plain

from tokumei import _check
from tokumei.microaggregation import records
from tokumei.microaggregation.methods.by_name import METHODS, form
from tokumei.microaggregation.methods.cut import cut_of
from tokumei.microaggregation.methods.mdav import block_mdav_of, mdav_of
from tokumei.microaggregation.methods.vmdav import vmdav_of
from tokumei.microaggregation.orders.npn import npn_order_of
from tokumei.microaggregation.search.search import SearchTask, search


def run(n_threads=1):
    return _check.run(n_threads)


def truth(table):
    return oracle.Mixed(*plain(table))


@given(mixed_tables_and_k(kinds=EVERY))
def test_mdav_is_the_definition(case):
    table, k = case
    np.testing.assert_array_equal(mdav_of(table, k, run()), oracle.mdav(truth(table), k))


@given(mixed_tables_and_k(kinds=EVERY), st.sampled_from([0.0, 0.2, 1.0, 3.0]))
def test_vmdav_is_the_definition(case, gamma):
    table, k = case
    found = vmdav_of(table, k, run(), gamma)
    np.testing.assert_array_equal(found, oracle.vmdav(truth(table), k, gamma))


@given(mixed_tables(kinds=EVERY))
def test_the_nearest_point_path_is_the_definition(table):
    np.testing.assert_array_equal(
        npn_order_of(table, run()), oracle.nearest_point_next(truth(table))
    )


@pytest.mark.parametrize("categories", CATEGORIES)
@pytest.mark.parametrize("kind", ["normal", "duplicates", "outlier"])
def test_tables_of_several_blocks_are_grouped_by_definition(kind, categories, instructions):
    table = mixed(kind, 560, 2, categories, seed=len(categories), missing=len(categories) % 2 == 1)
    np.testing.assert_array_equal(mdav_of(table, 7, run()), oracle.mdav(truth(table), 7))


@pytest.mark.parametrize("categories", CATEGORIES)
def test_ties_between_many_equal_records_go_to_the_lowest_row(categories):
    table = mixed("ties", 600, 1, [min(count, 3) for count in categories], seed=5)
    np.testing.assert_array_equal(mdav_of(table, 9, run()), oracle.mdav(truth(table), 9))
    np.testing.assert_array_equal(vmdav_of(table, 9, run()), oracle.vmdav(truth(table), 9, 1.0))


def test_labels_do_not_depend_on_threads():
    table = mixed("normal", 20_000, 3, [3, 20, 300], seed=2)
    for method in (mdav_of, block_mdav_of):
        np.testing.assert_array_equal(method(table, 40, run(3)), method(table, 40, run(1)))


def test_blocks_of_a_small_table_are_the_whole():
    table = mixed("normal", 600, 2, [4, 90], seed=3)
    np.testing.assert_array_equal(block_mdav_of(table, 4, run()), mdav_of(table, 4, run()))


def test_blocks_keep_categories_together():
    table = mixed("normal", 5000, 1, [3], seed=4)
    labels = block_mdav_of(table, 5, run())
    assert np.bincount(labels).min() >= 5
    lost = records.sse_of(table, labels, int(labels.max()) + 1, run())
    assert lost < 0.005 * records.sst_of(table, run())


@given(mixed_tables_and_k(max_rows=24, kinds=("normal", "ties")), st.integers(0, 99))
def test_a_cut_costs_the_least_there_is(case, seed):
    table, k = case
    order = np.random.default_rng(seed).permutation(len(table))
    labels = cut_of(table, order, k, run())
    assert np.bincount(labels).min() >= k
    least = float(oracle.least_cut(records.coordinates(table), order, k))
    scale = float(oracle.exact_sst(truth(table)))
    found = records.sse_of(table, labels, int(labels.max()) + 1, run())
    assert found == pytest.approx(least, rel=1e-10, abs=1e-12 * scale)


@pytest.mark.parametrize("method", sorted(METHODS.keys() - {"univariate"}))
def test_methods_take_more_categories_than_points_have_coordinates(method):
    table = mixed("normal", 2000, 2, [3, 2000], seed=6)
    labels = form(method, table, 4, run())
    assert np.bincount(labels).min() >= 4


@given(mixed_tables_and_k(), st.sampled_from(["fast", 3.0]), st.integers(0, 99))
def test_refined_groups_have_k_and_cost_no_more(case, effort, seed):
    table, k = case
    start = np.random.default_rng(seed).permutation(np.arange(len(table)) // k)
    start[start == len(table) // k] = 0
    task = SearchTask(effort, "squares", 2 * k - 1, seed=seed)
    labels = search(table, start, k, task, run(), None)
    sizes = np.bincount(labels)
    assert k <= sizes.min()
    assert sizes.max() <= 2 * k - 1
    before = records.sse_of(table, start, int(start.max()) + 1, run())
    scale = float(oracle.exact_sst(truth(table)))
    assert records.sse_of(table, labels, len(sizes), run()) <= before + 1e-12 * scale


@given(mixed_tables_and_k(max_rows=8, kinds=("normal", "ties")))
def test_no_single_change_betters_what_is_refined_until_it_stays(case):
    table, k = case
    points = records.coordinates(table)

    def cost(labels):
        return records.sse_of(points, labels, int(labels.max()) + 1, run())

    task = SearchTask("fast", "squares", 2 * k - 1)
    labels = settled(table, mdav_of(table, k, run()), k, task, cost)
    grain = 1e-9 * (1 + records.sst_of(points, run()))
    best = oracle.local_search(points, labels, k)
    assert cost(best) >= cost(labels) - grain


@pytest.mark.parametrize(("n", "k"), [(900, 3), (900, 20), (9000, 4)])
def test_refined_labels_do_not_depend_on_threads_or_instructions(n, k, instructions):
    table = mixed("normal", n, 3, [3, 20, 3000], seed=7, missing=True)
    start = block_mdav_of(table, k, run())
    task = SearchTask(1.0, "squares", 2 * k - 1, seed=1)
    labels = search(table, start, k, task, run(1), None)
    np.testing.assert_array_equal(search(table, start, k, task, run(3), None), labels)
    np.testing.assert_array_equal(labels, reference(n, k, table, start, task))


def reference(n, k, table, start, task, _known={}):  # noqa: B006 - the first answer, kept
    if (n, k) not in _known:
        _known[n, k] = search(table, start, k, task, run(1), None)
    return _known[n, k]


@pytest.mark.parametrize("k", [3, 12])
def test_codes_lose_no_more_than_the_same_records_as_points(k):
    table = mixed("normal", 300, 3, [4, 9, 60], seed=k)
    task = SearchTask(10.0, "squares", 2 * k - 1)
    losses = []
    for x in (table, records.coordinates(table)):
        labels = search(x, mdav_of(x, k, run()), k, task, run(), None)
        losses.append(records.sse_of(table, labels, int(labels.max()) + 1, run()))
    assert losses[0] <= 1.01 * losses[1]
