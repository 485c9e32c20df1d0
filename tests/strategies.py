"""Tables that are hard on a partition: ties, duplicates, constants, lines, tiny differences."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays


@st.composite
def tables(draw, most_rows=40, most_columns=5, least_rows=1):
    n = draw(st.integers(least_rows, most_rows))
    d = draw(st.integers(1, most_columns))
    kind = draw(st.sampled_from(["any", "grid", "few rows", "line", "constants", "far", "tiny"]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if kind == "any":
        values = st.floats(-1e9, 1e9, allow_nan=False)
        return draw(arrays.arrays(np.float64, (n, d), elements=values))
    if kind == "grid":
        return rng.integers(-2, 3, (n, d)).astype(np.float64)
    if kind == "few rows":
        return rng.normal(size=(3, d))[rng.integers(0, 3, n)]
    if kind == "line":
        return np.outer(rng.integers(0, 20, n), rng.integers(-3, 4, d)).astype(np.float64)
    table = rng.normal(size=(n, d))
    if kind == "constants":
        table[:, rng.random(d) < 0.5] = 7.0
    if kind == "far":
        table = table + 1e9
    if kind == "tiny":
        table = np.round(table) * 1.5e-162
    return table


@st.composite
def partition_problems(draw, most_rows=40, most_columns=5):
    """A table and a group size, borders of the sizes preferred."""
    X = draw(tables(most_rows, most_columns))
    n = len(X)
    k = draw(st.one_of(st.integers(1, n), st.integers(1, min(n, 5)), st.integers(2, 7)))
    at_border = draw(st.sampled_from([None, k, k + 1, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k]))
    if at_border is not None and at_border <= n:
        X = X[:at_border]
    return X, min(k, len(X))
