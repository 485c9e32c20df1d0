"""The columns of what an estimator is given: how many, by which names, and in which order.

The words are those of scikit-learn, whose users know them and whose tests look for them. A name of
a column is said, as everywhere; no value is.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from tokumei.values.tables import column_names, split

MOST_NAMES = 5


def admitted(X: Any, least_rows: int) -> tuple[Any, int]:
    """A table that may be looked at, and how many columns it has."""
    if hasattr(X, "toarray"):
        msg = "X is sparse, and sparse input is not supported; X.toarray() makes it dense"
        raise TypeError(msg)
    if isinstance(X, Mapping) or column_names(X) is not None:
        columns = split(X, "X")
        rows = len(next(iter(columns.values()))) if columns else 0
        _check_shape((rows, len(columns)), least_rows)
        return X, len(columns)
    table = X if isinstance(X, np.ma.MaskedArray | list | tuple) else np.asarray(X)
    if isinstance(table, list | tuple):
        width = len(table[0]) if len(table) and hasattr(table[0], "__len__") else 0
        shape: tuple[int, ...] = (len(table), width) if width else np.asarray(table).shape
    else:
        shape = table.shape
    _check_kind(table)
    _check_shape(shape, least_rows)
    return table, shape[1]


def as_numbers(table: Any) -> Any:
    """A table of which numbers are asked; objects that can never be one are said by their kind."""
    if isinstance(table, np.ndarray) and table.dtype.kind == "O":
        try:
            table.astype(np.float64)
        except TypeError as error:
            msg = f"X must be numeric: {error}"
            raise TypeError(msg) from None
        except ValueError:
            pass  # texts, of which nothing may be said but what is said of all
    return table


def _check_kind(table: Any) -> None:
    kind = getattr(table, "dtype", np.dtype(float)).kind
    if kind == "c":
        msg = "Complex data not supported: X must hold real numbers or categories"
        raise ValueError(msg)


def _check_shape(shape: tuple[int, ...], least_rows: int) -> None:
    if len(shape) != 2:
        msg = (
            f"X must have two dimensions (rows and columns), got {len(shape)}. Reshape your data: "
            "X.reshape(-1, 1) for one attribute, X.reshape(1, -1) for one record"
        )
        raise ValueError(msg)
    if 0 in shape:
        axis = "feature" if shape[0] else "sample"
        msg = f"X is empty: 0 {axis}(s) (shape={shape}) while a minimum of 1 is required."
        raise ValueError(msg)
    if shape[0] < least_rows:
        msg = f"X has n_samples = {shape[0]}, but {least_rows} records are needed"
        raise ValueError(msg)


def names_of(table: Any) -> Any:
    """The names of the columns as an array of texts; None where they have none."""
    names = list(table) if isinstance(table, Mapping) else column_names(table)
    if not names or not any(isinstance(name, str) for name in names):
        return None
    if not all(isinstance(name, str) for name in names):
        kinds = sorted({type(name).__name__ for name in names})
        msg = (
            "Feature names are only supported if all input features have string names, but your "
            f"input has {kinds} as feature name / column name types"
        )
        raise TypeError(msg)
    return np.array(names, dtype=object)


def check_names(estimator: Any, table: Any, *, fitting: bool) -> None:
    """Learn the names of the columns, or refuse others, and the same ones in another order."""
    names = names_of(table)
    if fitting:
        if names is not None:
            estimator.feature_names_in_ = names
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
        return
    fitted = getattr(estimator, "feature_names_in_", None)
    called = type(estimator).__name__
    if fitted is None or names is None:
        if fitted is not None:
            said = f"X does not have valid feature names, but {called} was fitted with them"
            said = said.replace("them", "feature names")
        elif names is not None:
            said = f"X has feature names, but {called} was fitted without feature names"
        else:
            return
        warnings.warn(said, UserWarning, stacklevel=4)
        return
    if len(fitted) == len(names) and (fitted == names).all():
        return
    raise ValueError(_difference(set(fitted), set(names)))


def _difference(fitted: set[str], names: set[str]) -> str:
    lines = ["The feature names should match those that were passed during fit."]
    if names - fitted:
        lines += ["Feature names unseen at fit time:", *_some(names - fitted)]
    if fitted - names:
        lines += ["Feature names seen at fit time, yet now missing:", *_some(fitted - names)]
    if names == fitted:
        lines.append("Feature names must be in the same order as they were in fit.")
    return "\n".join(lines) + "\n"


def _some(names: set[str]) -> list[str]:
    listed = [f"- {name}" for name in sorted(names)]
    return listed[:MOST_NAMES] + (["- ..."] if len(listed) > MOST_NAMES else [])


def named(estimator: Any, input_features: Any) -> Any:
    """The names of an estimator's columns: as fitted, as given, or x0, x1, ..."""
    fitted = getattr(estimator, "feature_names_in_", None)
    count = estimator.n_features_in_
    if input_features is None:
        made = [f"x{j}" for j in range(count)]
        return np.array(made, dtype=object) if fitted is None else fitted
    given = np.asarray(input_features, dtype=object)
    if fitted is not None and not np.array_equal(fitted, given):
        msg = "input_features is not equal to feature_names_in_"
        raise ValueError(msg)
    if len(given) != count:
        msg = f"input_features should have length equal to number of features ({count})"
        raise ValueError(msg)
    return given
