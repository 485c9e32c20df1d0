"""Tables of numbers and categories through `partition`: what is taken, and what it means."""

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.microaggregation import records

CODES = np.random.default_rng(3).integers(0, 4, 40)
NUMBERS = tk.standardize(np.random.default_rng(4).normal(size=(40, 2)))
POINTS = records.coordinates(records.join([records.nominal(CODES, "refuse")], 40))[:, 1:]
COLUMNS = ["red", "green", "blue", "black"]


def frame():
    colours = [COLUMNS[code] for code in CODES]
    return pd.DataFrame({"x": NUMBERS[:, 0], "colour": colours, "y": NUMBERS[:, 1]})


def test_a_category_is_a_corner_of_a_simplex_of_variance_one():
    X = np.column_stack([NUMBERS, CODES])
    labels = tk.partition(X, 3, categorical=[2], method="mdav")
    np.testing.assert_array_equal(labels, tk.mdav(np.hstack([NUMBERS, POINTS]), 3))


def test_columns_of_a_dataframe_without_numbers_are_categories():
    X = np.column_stack([NUMBERS, CODES])
    expected = tk.partition(X, 3, categorical=[2], method="mdav")
    np.testing.assert_array_equal(tk.partition(frame(), 3, method="mdav"), expected)
    named = tk.partition(frame(), 3, categorical=["colour"], method="mdav")
    np.testing.assert_array_equal(named, expected)


def test_ordered_categories_are_ranks():
    sizes = pd.Categorical([COLUMNS[code] for code in CODES], categories=COLUMNS, ordered=True)
    ranks = tk.standardize(CODES[:, None].astype(float))
    np.testing.assert_array_equal(
        tk.partition(pd.DataFrame({"size": sizes, "x": NUMBERS[:, 0]}), 3, method="mdav"),
        tk.mdav(np.column_stack([ranks, NUMBERS[:, :1]]), 3),
    )


def test_weights_of_attributes_reach_categories():
    heavy = tk.partition(frame(), 3, attribute_weights=[0, 1, 0], method="mdav")
    np.testing.assert_array_equal(heavy, tk.mdav(POINTS, 3))


@pytest.mark.parametrize(
    ("categorical", "error", "message"),
    [
        ("colour", TypeError, "categorical must be a list of columns, got str"),
        (["size"], ValueError, "categorical names 1 columns that X does not have"),
        (["x"], TypeError, "X: column 'colour' must be numeric"),
    ],
)
def test_what_is_no_list_of_columns_is_refused(categorical, error, message):
    with pytest.raises(error, match=message):
        tk.partition(frame(), 3, categorical=categorical)


def test_missing_cells_are_refused_with_their_count():
    table = frame()
    table.loc[3, "colour"] = None
    with pytest.raises(ValueError, match="column 'colour' has 1 missing values"):
        tk.partition(table, 3)
