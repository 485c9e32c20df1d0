"""What a good numpy user writes: whole columns at a time, grouped records dropped now and then."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.kernel import Labels
from bench.kernels.distance_arguments import Mixed
from bench.kernels.reconstruct import PASSES
from bench.problems import Floats

COMPACTED = 16  # records are dropped when one in so many has a group


def available() -> bool:
    return True


def mdav(X: Floats, k: int) -> Labels:
    labels = np.full(len(X), -1)
    columns, rows = np.ascontiguousarray(X.T), np.arange(len(X))
    left, groups = len(X), 0
    totals = columns.sum(axis=1)
    gone: list[int] = []  # places whose records have a group, but still stand among the others

    def close(place: int) -> Floats:
        """Groups the record there and its nearest; returns the distances from it."""
        nonlocal left, groups, totals
        distances = _distances(columns, columns[:, place])
        distances[gone] = np.inf
        members = _with_nearest(place, distances, k)
        labels[rows[members]] = groups
        totals -= columns[:, members].sum(axis=1)
        gone.extend(members.tolist())
        left, groups = left - k, groups + 1
        return distances

    def farthest(distances: Floats) -> int:
        distances[gone] = -1.0
        return int(distances.argmax())

    while left >= 2 * k:
        pair = left >= 3 * k
        from_r = close(farthest(_distances(columns, totals / left)))
        if pair:
            close(farthest(from_r))
        if len(gone) > rows.size // COMPACTED:
            keep = labels[rows] < 0
            columns, rows = columns[:, keep], rows[keep]
            gone.clear()
    labels[labels < 0] = groups
    return labels


def _distances(columns: Floats, point: Floats) -> Floats:
    total: Floats = columns[0] - point[0]
    total *= total
    for column, at in zip(columns[1:], point[1:], strict=True):
        difference = column - at
        difference *= difference
        total += difference
    return total


def _with_nearest(place: int, distances: Floats, k: int) -> Labels:
    """The record itself and the k-1 nearest; of equals the first."""
    distances[place] = -1.0
    reach = np.partition(distances, k - 1)[k - 1]
    within = np.flatnonzero(distances <= reach)
    if within.size > k:
        within = within[np.argsort(distances[within], kind="stable")[:k]]
    return within


def aggregate(X: Floats, labels: Labels) -> Floats:
    sizes = np.bincount(labels)
    out = np.empty_like(X)
    for j in range(X.shape[1]):
        means = np.bincount(labels, weights=X[:, j]) / sizes
        out[:, j] = means[labels]
    return out


def sse(X: Floats, labels: Labels) -> float:
    sizes = np.bincount(labels)
    total = 0.0
    for column in X.T:
        means = np.bincount(labels, weights=column) / sizes
        rest = column - means[labels]
        total += float(rest @ rest)
    return total


def standardize(X: Floats) -> Floats:
    out: Floats = X - X.mean(axis=0)
    deviation = np.sqrt(np.square(out).mean(axis=0))
    out /= np.where(deviation > 0, deviation, 1.0)
    return out


def ild_euclidean(original: Floats, masked: Floats) -> float:
    return 1.0 - _squares(masked) / _squares(original)


def ild_discrete(original: Labels, masked: Labels) -> float:
    return 1.0 - _different(masked[:, 0]) / _different(original[:, 0])


def ild_mixed(original: Mixed, masked: Mixed) -> float:
    losses = []
    for name, before in original.columns.items():
        amount = _squares if original.is_number(name) else _different
        losses.append(1.0 - amount(masked.columns[name]) / amount(before))
    return sum(losses) / len(losses)


def _squares(values: Floats) -> float:
    return float(np.square(values - values.mean(axis=0)).sum())


def _different(values: NDArray[Any]) -> int:
    """Ordered pairs of records with different values."""
    counts = np.unique(values, return_counts=True)[1]
    return len(values) ** 2 - int(counts @ counts)


def bayes_passes(X: Floats, scale: float) -> Floats:
    """The matrix of the channel, and two products with it a pass."""
    cells = len(X) - 2
    away = np.subtract.outer(np.arange(cells + 1) - 0.5, np.arange(float(cells))) / scale
    below = np.where(away < 0.0, 0.5 * np.exp(-np.abs(away)), 1.0 - 0.5 * np.exp(-np.abs(away)))
    ends = np.zeros((1, cells)), np.ones((1, cells))
    matrix = np.diff(np.concatenate([ends[0], below, ends[1]]), axis=0)
    p: Floats = np.full(cells, 1.0 / cells)
    for _ in range(PASSES):
        p = p * (matrix.T @ (X[:, 0] / (matrix @ p))) / X.sum()
    return p
