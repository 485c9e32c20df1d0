"""Public functions on tables of numbers and categories, by columns named and by dataframes."""

import numpy as np
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import mixed_tables

import tokumei as tk
from tokumei import microaggregation
from tokumei.microaggregation import records

RNG = np.random.default_rng(8)
NUMBERS = tk.standardize(RNG.normal(size=(60, 2)))
CODES = RNG.integers(0, 4, 60)
NAMES = np.array(["red", "green", "blue", "black"])
COLUMNS = {"x": NUMBERS[:, 0], "colour": NAMES[CODES], "y": NUMBERS[:, 1]}
ARRAY = np.column_stack([NUMBERS, CODES])
METHODS = ["mdav", "vmdav", "kmember", "mondrian"]


def frames():
    arrow = pa.table(COLUMNS)
    return {"pandas": pd.DataFrame(COLUMNS), "polars": pl.DataFrame(COLUMNS), "arrow": arrow}


@pytest.mark.parametrize("name", METHODS)
def test_methods_take_categories_by_number_by_name_and_by_themselves(name):
    method = getattr(microaggregation, name)
    labels = method(ARRAY, 4, categorical=[2])
    np.testing.assert_array_equal(tk.partition(ARRAY, 4, categorical=[2], method=name), labels)
    for frame in frames().values():
        if isinstance(frame, pd.DataFrame | pl.DataFrame):
            np.testing.assert_array_equal(method(frame, 4), method(COLUMNS, 4))
    named = method(COLUMNS, 4, categorical=["colour"])
    np.testing.assert_array_equal(method(COLUMNS, 4), named)


def test_paths_and_refinement_take_categories_too():
    order = tk.npn_order(COLUMNS)
    np.testing.assert_array_equal(np.sort(order), np.arange(60))
    np.testing.assert_array_equal(order, tk.npn_order(COLUMNS, categorical=["colour"]))
    start = tk.mdav(COLUMNS, 3)
    np.testing.assert_array_equal(tk.refine(COLUMNS, start, 3), tk.partition(COLUMNS, 3))
    within = tk.refine(COLUMNS, start % 1 + CODES, 3, strata=CODES, effort="fast")
    assert all(len(set(CODES[within == group])) == 1 for group in set(within))


def test_numbers_are_published_as_means_and_categories_as_the_most_frequent():
    labels = tk.mdav(COLUMNS, 4)
    masked = tk.aggregate(COLUMNS, labels)
    assert list(masked) == list(COLUMNS)
    np.testing.assert_array_equal(
        np.column_stack([masked["x"], masked["y"]]), tk.aggregate(NUMBERS, labels)
    )
    np.testing.assert_array_equal(
        masked["colour"], microaggregation.represent(COLUMNS["colour"], labels)
    )
    np.testing.assert_array_equal(
        masked["colour"], tk.microaggregate(COLUMNS, 4, method="mdav")["colour"]
    )


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_dataframes_come_back_as_they_came(kind):
    frame = frames()[kind]
    labels = tk.mdav(COLUMNS, 4)
    masked = tk.aggregate(frame, labels)
    assert type(masked) is type(frame)
    expected = tk.aggregate(COLUMNS, labels)
    for name, column in expected.items():
        assert np.asarray(masked[name]).tolist() == column.tolist()
    again = tk.microaggregate(frame, 4, method="mdav")
    assert np.asarray(again["colour"]).tolist() == expected["colour"].tolist()


def test_rows_and_kinds_of_a_pandas_frame_stay():
    frame = pd.DataFrame(COLUMNS, index=np.arange(60)[::-1])
    frame["size"] = pd.Categorical(NAMES[CODES], categories=NAMES, ordered=True)
    labels = np.arange(60) // 4
    masked = tk.aggregate(frame, labels)
    assert (masked.index == frame.index).all()
    assert masked.dtypes.tolist() == frame.dtypes.tolist()
    middle = np.sort(CODES.reshape(-1, 4), axis=1)[:, 1]
    np.testing.assert_array_equal(masked["size"].cat.codes, np.repeat(middle, 4))


def test_an_array_comes_back_as_an_array():
    labels = np.arange(60) // 4
    masked = tk.aggregate(ARRAY, labels, categorical=[2], how="median")
    np.testing.assert_array_equal(masked[:, :2], tk.aggregate(NUMBERS, labels, how="median"))
    np.testing.assert_array_equal(masked[:, 2], microaggregation.represent(CODES, labels))


def test_weights_reach_the_means():
    weights = RNG.uniform(1, 2, 60)
    masked = tk.aggregate(COLUMNS, CODES, record_weights=weights)
    expected = tk.aggregate(NUMBERS, CODES, record_weights=weights)
    np.testing.assert_array_equal(masked["x"], expected[:, 0])


def test_tables_near_zero_are_as_those_near_one():
    tiny = {**COLUMNS, "x": np.ldexp(NUMBERS[:, 0], -505), "y": np.ldexp(NUMBERS[:, 1], -505)}
    small = tk.partition(tiny, 4, attribute_weights=[1, 2.0**-1010, 1], method="mdav")
    np.testing.assert_array_equal(small, tk.mdav(COLUMNS, 4))
    alone = {"x": np.ldexp(NUMBERS[:, 0], -900), "colour": np.full(60, "red")}
    np.testing.assert_array_equal(tk.mdav(alone, 4), tk.mdav(NUMBERS[:, :1], 4))


def test_numbers_too_large_to_be_squared_are_refused():
    large = {**COLUMNS, "x": NUMBERS[:, 0] * 1e200}
    with pytest.raises(ValueError, match="too large to be squared"):
        tk.mdav(large, 4)
    with pytest.raises(ValueError, match="too large to be squared"):
        tk.partition({**COLUMNS, "x": NUMBERS[:, 0] * 1e135}, 4, method="npn")


def test_one_attribute_of_categories_has_no_optimum_of_its_own():
    with pytest.raises(ValueError, match=r"univariate.* is for one attribute of numbers"):
        tk.partition({"colour": COLUMNS["colour"]}, 4, method="univariate")


def test_households_stay_together_whatever_the_categories():
    n = 1200
    table = {"x": RNG.normal(size=n), "town": np.arange(n) % 700, "work": RNG.integers(0, 5, n)}
    households = np.arange(n) // 3
    labels = tk.partition(table, 3, categorical=["town", "work"], households=households, effort=1)
    assert (labels.reshape(-1, 3) == labels[::3, None]).all()
    assert np.bincount(labels[::3]).min() >= 3


def test_the_search_for_the_optimum_takes_any_number_of_categories():
    table = {"x": RNG.normal(size=600), "town": np.arange(600)}
    options = {"categorical": ["town"], "effort": "optimal", "time_limit": 0.1}
    assert np.bincount(tk.partition(table, 3, **options)).min() >= 3


@settings(max_examples=25)
@given(table=mixed_tables(4, 8, ("normal", "ties", "duplicates")), k=st.integers(2, 3))
def test_optimal_effort_reaches_the_optimum_of_small_mixed_tables(table, k):
    points = records.coordinates(table)
    labels = tk.partition(table, k, effort="optimal")
    least = float(oracle.least_sse(oracle.group_costs(points, k), len(points)))
    lost = tk.loss.sse(points, labels)
    assert np.bincount(labels).min() >= k
    assert lost <= least * (1 + 1e-9) + 1e-12 * tk.loss.sst(points)
