"""Equal rows: many records of few values are no trap for any method, order or refinement.

Where a method looked at all equals of a record each time, these tables would take it hours.
"""

import numpy as np
import pytest

import tokumei as tk
from tokumei.microaggregation import hilbert_order, principal_order
from tokumei.microaggregation.methods.by_name import METHODS

ROWS = 100_000
ORDERS = {
    "npn": tk.npn_order,
    "grid": tk.grid_order,
    "flexdice": tk.flexdice_order,
    "hilbert": hilbert_order,
    "principal": principal_order,
}


def rows_of(values):
    """Records of so many distinct values, in no order."""
    rng = np.random.default_rng(values)
    return np.asfortranarray(rng.normal(size=(values, 4))[rng.integers(0, values, size=ROWS)])


@pytest.fixture(scope="module", params=[1, 10], ids=["one value", "ten values"])
def few(request):
    return rows_of(request.param)


@pytest.mark.parametrize("method", METHODS)
def test_groups_are_of_equals_but_for_a_few(few, method):
    X = few[:, :1] if method == "univariate" else few
    labels = tk.partition(X, 5, method=method)
    sizes = np.bincount(labels)
    assert sizes.min() >= 5
    # "column" keeps to one attribute, which tells the ten apart as well.
    first = np.unique(labels, return_index=True)[1]
    mixed = np.any(X[first][labels] != X, axis=1)
    assert np.unique(labels[mixed]).size <= 10


def test_automatic_gamma_ends_as_well(few):
    labels = tk.vmdav(few[:20_000], 5, gamma="auto")
    assert np.bincount(labels).min() >= 5


@pytest.mark.parametrize("order", ORDERS)
def test_a_path_visits_equals_one_after_the_other(few, order):
    way = ORDERS[order](few)
    changes = np.any(few[way[1:]] != few[way[:-1]], axis=1).sum()
    assert changes == len(np.unique(few, axis=0)) - 1


def test_refining_groups_equals_or_loses_no_more(few):
    labels = np.random.default_rng(0).permutation(np.arange(ROWS) // 5)
    refined = tk.refine(few, labels, 5, effort="fast")
    assert np.bincount(refined).min() >= 5
    assert tk.loss.sse(few, refined) <= tk.loss.sse(few, labels)
