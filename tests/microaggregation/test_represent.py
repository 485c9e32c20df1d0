"""Representatives of groups, for numbers and for columns of any kind."""

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import tables_and_labels

import tokumei as tk
from tokumei.microaggregation import represent

HOWS = ("mode", "median", "interval", "set")


@st.composite
def columns_and_labels(draw):
    values = draw(
        st.lists(st.sampled_from(["ash", "oak", "elm", "fir"]), min_size=1, max_size=30)
        | st.lists(st.integers(-3, 3), min_size=1, max_size=30)
    )
    n = len(values)
    return values, draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))


@pytest.mark.parametrize("how", HOWS)
@given(case=columns_and_labels())
def test_representatives_are_those_of_the_definition(how, case):
    values, labels = case
    assert represent(values, labels, how=how).tolist() == oracle.representative(values, labels, how)


@given(case=columns_and_labels())
def test_all_records_of_a_group_are_published_alike(case):
    values, labels = case
    for how in HOWS:
        masked = represent(values, labels, how=how)
        for group in set(labels):
            assert len(set(masked[np.array(labels) == group].tolist())) == 1


def test_a_given_order_decides_middle_ends_and_ties():
    sizes = ["large", "small", "medium"]
    order = ["small", "medium", "large"]
    expected = {"median": "medium", "interval": "[small..large]", "mode": "small"}
    for how, value in expected.items():
        assert represent(sizes, [0, 0, 0], how=how, order=order).tolist() == [value] * 3


def test_a_value_outside_the_order_is_refused_without_naming_it():
    with pytest.raises(ValueError, match="1 values that are not in the order") as caught:
        represent(["secret", "b"], [0, 0], order=["b"])
    assert "secret" not in str(caught.value)


def test_values_that_cannot_be_sorted_need_an_order():
    mixed = np.array([1, "a"], dtype=object)
    with pytest.raises(TypeError, match="give their order"):
        represent(mixed, [0, 0])
    assert represent(mixed, [0, 0], order=["a", 1]).tolist() == ["a", "a"]


@given(tables_and_labels())
def test_medians_are_those_of_numpy(case):
    X, labels = case
    np.testing.assert_array_equal(tk.aggregate(X, labels, how="median"), oracle.medians(X, labels))


@given(tables_and_labels(), st.data())
def test_weighted_means_are_correctly_rounded_to_an_ulp(case, data):
    X, labels = case
    n = len(X)
    weights = data.draw(st.lists(st.floats(0.1, 1000), min_size=n, max_size=n))
    np.testing.assert_allclose(
        tk.aggregate(X, labels, record_weights=weights),
        oracle.weighted_means(X, labels, weights),
        rtol=3e-16,
        atol=1e-15 * np.abs(X).max(),
    )


def test_weighted_means_of_equal_values_are_that_value():
    masked = tk.aggregate(np.full((3, 1), 0.1), [0, 0, 0], record_weights=[0.3, 7.0, 1e-9])
    assert (masked == 0.1).all()


def test_weights_that_cannot_be_used_are_refused():
    with pytest.raises(ValueError, match="all zero in 1 groups"):
        tk.aggregate([[1], [2]], [0, 1], record_weights=[0, 1])
    with pytest.raises(ValueError, match="go with how='mean'"):
        tk.aggregate([[1], [2]], [0, 1], how="median", record_weights=[1, 1])
