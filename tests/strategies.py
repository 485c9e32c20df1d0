"""Tables that hurt: ties, duplicates, constants, offsets; and group sizes at the edge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from tokumei.microaggregation import records
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


@st.composite
def small_tables(draw, kinds=KINDS, most_rows=9, most_k=4):
    """A table of a few rows, and a k that leaves room for two groups."""
    k = draw(st.integers(2, most_k))
    rows = draw(st.integers(2 * k, max(most_rows, 2 * k)))
    columns = draw(st.integers(1, 4))
    return make(draw(st.sampled_from(kinds)), rows, columns, draw(st.integers(0, 2**32 - 1))), k


@st.composite
def starts(draw, max_rows=40):
    """A table, k, and any groups of at least k records, some of them large."""
    X, k = draw(tables_and_k(max_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sizes = []
    while (left := len(X) - sum(sizes)) > 0:
        size = left if left < 2 * k else int(rng.integers(k, left, endpoint=True))
        sizes.append(left if left - size < k else size)
    labels = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return X, labels, k


@st.composite
def category_columns(draw, count=2, most=30, categories="abcde"):
    """Several columns of one length with few categories each."""
    rows = draw(st.integers(1, most))
    column = st.lists(st.sampled_from(categories), min_size=rows, max_size=rows)
    return [draw(column) for _ in range(count)]


@st.composite
def two_tables(draw):
    X, _ = draw(tables_and_labels(max_rows=30, max_columns=4))
    seed = draw(st.integers(0, 2**32 - 1))
    noise = np.random.default_rng(seed).normal(size=X.shape) * draw(st.sampled_from([0, 0.1, 3]))
    return X, X + noise


def mixed(kind: str, n: int, d: int, categories: list[int], seed: int, missing: bool = False):
    """A table of numbers of one of the kinds, and columns of codes with at most so many categories.

    The first categories are the most frequent ones.
    """
    rng = np.random.default_rng(seed)
    attributes = [records.Embedded(make(kind, n, d, seed))] if d else []
    for count in categories:
        codes = np.minimum(rng.integers(0, count, n), rng.integers(0, count, n))
        codes[rng.random(n) < 0.2 * missing] = -1
        attributes.append(records.nominal(codes, "impute"))
    weights = rng.choice([1.0, 0.3, 2.0], len(attributes))
    found = records.join(attributes, n, weights)
    if isinstance(found, records.Records):
        return found
    return records.Records(found, np.empty((n, 0), dtype=np.int32, order="F"), np.empty(0))


def plain(table):
    """What a plain definition takes of such a table."""
    return table.numbers, table.codes, table.weights


@st.composite
def mixed_tables(draw, min_rows=1, max_rows=40, kinds=KINDS):
    """Numbers and codes: one category, all of them different, heavy ties, missing cells."""
    n = draw(st.integers(min_rows, max_rows))
    count = st.sampled_from([1, 2, 3, 10, 60, 10_000])
    return mixed(
        draw(st.sampled_from(kinds)),
        n,
        draw(st.integers(0, 4)),
        draw(st.lists(count, min_size=1, max_size=5)),
        draw(st.integers(0, 2**32 - 1)),
        draw(st.booleans()),
    )


@st.composite
def mixed_tables_and_k(draw, max_rows=40, kinds=KINDS):
    """Such a table and a group size, often one at which a method changes its course."""
    k = draw(st.integers(1, max(1, max_rows // 3)))
    rows = draw(st.sampled_from([k, 2 * k - 1, 2 * k, 3 * k - 1, 3 * k]) | st.integers(k, max_rows))
    rows = max(k, min(rows, max_rows))
    return draw(mixed_tables(rows, rows, kinds)), k


@st.composite
def equal_records_and_k(draw, max_rows=60):
    """Records of few different ones, up to one alone, and a group size up to all of them."""
    different = draw(st.integers(1, 12))
    table = draw(mixed_tables(different, different))
    n = draw(st.integers(different, max_rows))
    rows = np.random.default_rng(draw(st.integers(0, 2**32 - 1))).integers(0, different, n)
    return table.of(rows), draw(st.integers(1, min(n, 8)) | st.integers(1, n))


# Every kind of column, and the numbers of categories that larger tables have.
EVERY = KINDS + HARSH
CATEGORIES = [[2], [3, 20, 10_000], [5000, 2, 2, 7, 50]]
