"""Records of which few differ: labels are those of the definitions, which know of no equals."""

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import equal_records_and_k, mixed, plain

from tokumei import _check
from tokumei.microaggregation.methods.kmember import kmember_of
from tokumei.microaggregation.methods.mdav import mdav_of
from tokumei.microaggregation.methods.vmdav import vmdav_of
from tokumei.microaggregation.orders.npn import npn_order_of

RUN = _check.run(1)


def truth(table):
    return oracle.Mixed(*plain(table))


@given(equal_records_and_k())
def test_mdav_is_the_definition(case):
    table, k = case
    np.testing.assert_array_equal(mdav_of(table, k, RUN), oracle.mdav(truth(table), k))


@given(
    equal_records_and_k(),
    st.sampled_from([0.0, 0.2, 1.0, 3.0]),
    st.sampled_from(["record", "mean"]),
)
def test_vmdav_is_the_definition(case, gamma, rest):
    table, k = case
    found = vmdav_of(table, k, RUN, gamma, rest)
    np.testing.assert_array_equal(found, oracle.vmdav(truth(table), k, gamma, rest))


@given(equal_records_and_k())
def test_kmember_is_the_definition(case):
    table, k = case
    np.testing.assert_array_equal(kmember_of(table, k, RUN), oracle.kmember(truth(table), k))


@given(equal_records_and_k())
def test_the_nearest_point_path_is_the_definition(case):
    table, _ = case
    np.testing.assert_array_equal(npn_order_of(table, RUN), oracle.nearest_point_next(truth(table)))


@pytest.mark.parametrize("different", [1, 7, 300])
@pytest.mark.parametrize("k", [3, 40, 450])
def test_groups_larger_and_smaller_than_a_point_are_the_definitions(different, k, instructions):
    table = mixed("ties", different, 2, [2, 5, 40], seed=different, missing=True)
    table = table.of(np.random.default_rng(k).integers(0, different, 900))
    for n_threads in (1, 3):
        run = _check.run(n_threads)
        np.testing.assert_array_equal(mdav_of(table, k, run), truths(different, k, table)[0])
        np.testing.assert_array_equal(vmdav_of(table, k, run), truths(different, k, table)[1])


def truths(different, k, table, _known={}):  # noqa: B006 - the plain answers, computed once
    if (different, k) not in _known:
        plainly = truth(table)
        _known[different, k] = oracle.mdav(plainly, k), oracle.vmdav(plainly, k, 1.0)
    return _known[different, k]
