"""Local search written out plainly: moves and swaps between any two groups while they pay."""

from __future__ import annotations

import numpy as np


def local_search(X, labels, k: int):
    """Labels that no move of one record and no swap of two betters by more than rounding."""
    X, labels = np.array(X), np.array(labels)
    grain = 1e-12 * float(((X - X.mean(axis=0)) ** 2).sum())
    improved = True
    while improved:
        improved = False
        for x in range(len(X)):
            means, sizes = _means(X, labels), np.bincount(labels)[labels]
            away = ((X - X[x]) ** 2).sum(axis=1)
            pull = ((X - X[x]) * (means[x] - means)).sum(axis=1)
            swaps = -2 * pull - away * (1 / sizes[x] + 1 / sizes)
            joins = sizes / (sizes + 1) * ((X[x] - means) ** 2).sum(axis=1)
            moves = np.full(len(X), np.inf)
            if sizes[x] > k:
                leaves = sizes[x] / (sizes[x] - 1) * float(((X[x] - means[x]) ** 2).sum())
                moves = np.where(sizes < 2 * k - 1, joins - leaves, np.inf)
            elsewhere = labels != labels[x]
            changes = np.where(elsewhere, np.minimum(swaps, moves), np.inf)
            y = int(np.argmin(changes))
            if changes[y] >= -grain:
                continue
            if moves[y] <= swaps[y]:
                labels[x] = labels[y]
            else:
                labels[x], labels[y] = labels[y], labels[x]
            improved = True
    return labels


def _means(X, labels):
    """The mean of each record's group."""
    counts = np.maximum(np.bincount(labels), 1)
    sums = [np.bincount(labels, weights=column) for column in X.T]
    return np.column_stack([sum_ / counts for sum_ in sums])[labels]
