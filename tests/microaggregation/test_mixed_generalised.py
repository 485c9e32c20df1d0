"""k-member and Mondrian on records of numbers and codes: equal to the plain definition."""

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import CATEGORIES, EVERY, mixed, mixed_tables_and_k, plain

from tokumei import _check
from tokumei.microaggregation.methods.kmember import kmember_of
from tokumei.microaggregation.methods.mondrian import mondrian_of


def run(n_threads=1):
    return _check.run(n_threads)


def truth(table):
    return oracle.Mixed(*plain(table))


@given(mixed_tables_and_k(kinds=EVERY))
def test_kmember_is_the_definition(case):
    table, k = case
    np.testing.assert_array_equal(kmember_of(table, k, run()), oracle.kmember(truth(table), k))


@given(mixed_tables_and_k(kinds=EVERY), st.booleans())
def test_mondrian_is_the_definition(case, strict):
    table, k = case
    found = mondrian_of(table, k, run(), strict)
    np.testing.assert_array_equal(found, oracle.mondrian(truth(table), k, strict))


@pytest.mark.parametrize("categories", CATEGORIES)
@pytest.mark.parametrize("kind", ["normal", "ties", "duplicates", "outlier"])
def test_tables_of_several_blocks_are_grouped_by_definition(kind, categories, instructions):
    table = mixed(kind, 700, 2, categories, seed=len(categories), missing=len(categories) % 2 == 1)
    np.testing.assert_array_equal(kmember_of(table, 35, run()), oracle.kmember(truth(table), 35))
    for strict in (True, False):
        np.testing.assert_array_equal(
            mondrian_of(table, 7, run(), strict), oracle.mondrian(truth(table), 7, strict)
        )


def test_labels_do_not_depend_on_threads():
    table = mixed("normal", 20_000, 3, [3, 20, 300], seed=2, missing=True)
    for method, k in ((kmember_of, 1000), (mondrian_of, 5)):
        np.testing.assert_array_equal(method(table, k, run(3)), method(table, k, run(1)))


def test_mondrian_never_tears_a_category_where_it_is_strict():
    table = mixed("constant", 400, 0, [12], seed=3)
    labels = mondrian_of(table, 20, run())
    for code in range(12):
        assert len(set(labels[table.codes[:, 0] == code])) <= 1


def test_the_most_frequent_categories_are_parted_from_the_rest():
    codes = np.repeat([5, 0, 1, 2], [6, 2, 2, 2])
    table = mixed("constant", 12, 0, [6], seed=0)
    table.codes[:, 0] = codes
    np.testing.assert_array_equal(mondrian_of(table, 4, run()), [0] * 6 + [1] * 6)
