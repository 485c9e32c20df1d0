"""What a good numpy user writes: whole columns at a time, records dropped once grouped."""

from __future__ import annotations

import numpy as np

from bench.kernel import Labels
from bench.problems import Floats


def available() -> bool:
    return True


def mdav(X: Floats, k: int) -> Labels:
    labels = np.zeros(len(X), dtype=np.int64)
    columns, rows = np.ascontiguousarray(X.T), np.arange(len(X))
    groups = 0

    def close(place: int, distances: Floats) -> None:
        nonlocal columns, rows, groups
        members = _with_nearest(place, distances, k)
        labels[rows[members]] = groups
        groups += 1
        keep = np.ones(rows.size, dtype=bool)
        keep[members] = False
        columns, rows = columns[:, keep], rows[keep]

    def far_from_mean() -> int:
        return int(_distances(columns, columns.mean(axis=1)).argmax())

    while rows.size >= 3 * k:
        r = far_from_mean()
        from_r = columns[:, r].copy()
        distances = _distances(columns, from_r)
        close(r, distances)
        s = int(_distances(columns, from_r).argmax())
        close(s, _distances(columns, columns[:, s]))
    if rows.size >= 2 * k:
        r = far_from_mean()
        close(r, _distances(columns, columns[:, r]))
    labels[rows] = groups
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
