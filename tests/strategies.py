"""Tables that hurt: ties, duplicates, constants, offsets; and group sizes at the edge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from tokumei.noise import NotPrivateWarning

KINDS = ("normal", "ties", "duplicates", "constant", "collinear", "offset", "skewed")
# For searches that rule records out by bounds and in lower precision.
HARSH = ("lattice", "sphere", "outlier", "tiny", "large", "scales", "clusters", "heavy")


def make(kind: str, n: int, d: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    if kind == "ties":
        X = rng.integers(0, 3, size=(n, d)).astype(float)
    elif kind == "duplicates":
        X = X[rng.integers(0, max(1, n // 3), size=n)]
    elif kind == "constant":
        X[:, rng.integers(0, 2, size=d) == 0] = 7.25
    elif kind == "collinear":
        X = np.outer(X[:, 0], rng.integers(1, 4, size=d))
    elif kind == "offset":
        X = X + 1e9
    elif kind == "skewed":
        X = np.exp(3 * X)
    elif kind == "lattice":
        X = np.floor(2 * X)
    elif kind == "sphere":
        X = X / np.sqrt((X * X).sum(axis=1, keepdims=True))
    elif kind == "outlier":
        X[n // 2] = 1e12
    elif kind == "tiny":
        X = X * 1e-200
    elif kind == "large":
        X = X * 1e138
    elif kind == "scales":
        X = X * 10.0 ** (4 * np.arange(d) % 13)
    elif kind == "clusters":
        X = X * 1e-30 + rng.choice([0.0, 1.0, 1e10], size=(n, 1))
    elif kind == "heavy":
        X = X / rng.normal(size=(n, d))
    X.flags.writeable = False
    return X


@st.composite
def tables(draw, max_rows: int = 40, max_columns: int = 6, kinds=KINDS):
    """A read-only table of one of the kinds."""
    return make(
        draw(st.sampled_from(kinds)),
        draw(st.integers(1, max_rows)),
        draw(st.integers(1, max_columns)),
        draw(st.integers(0, 2**32 - 1)),
    )


@st.composite
def tables_and_k(draw, max_rows: int = 40, max_columns: int = 6, kinds=KINDS):
    """A table and a group size; the sizes at which a method changes its course come up often."""
    k = draw(st.integers(1, max(1, max_rows // 3)))
    rows = draw(
        st.sampled_from([k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k, max_rows])
        | st.integers(k, max_rows)
    )
    X = make(
        draw(st.sampled_from(kinds)),
        max(k, min(rows, max_rows)),
        draw(st.integers(1, max_columns)),
        draw(st.integers(0, 2**32 - 1)),
    )
    return X, k


@st.composite
def tables_and_labels(draw, max_rows: int = 40, max_columns: int = 5, kinds=KINDS):
    """A table and any labels at all."""
    X = draw(tables(max_rows, max_columns, kinds))
    labels = draw(
        st.lists(st.integers(0, len(X) - 1), min_size=len(X), max_size=len(X)).map(np.array)
    )
    return X, labels


def perturbed(channel, x, seed: int = 1) -> np.ndarray:
    """What a channel releases, the same in every run."""
    with pytest.warns(NotPrivateWarning):
        return channel.perturb(x, insecure_seed_for_tests=seed)
