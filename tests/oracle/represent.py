"""What stands for a group."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .records import exact


def representative(values, labels, how, order=None):
    """One value a group for a column of any kind, written out plainly."""
    order = sorted(set(values)) if order is None else list(order)
    out = []
    for label in labels:
        group = sorted(
            (value for value, other in zip(values, labels, strict=True) if other == label),
            key=order.index,
        )
        if how == "mode":
            out.append(max(order, key=lambda v, g=group: (g.count(v), -order.index(v))))
        elif how == "median":
            out.append(group[(len(group) - 1) // 2])
        elif how == "interval":
            ends = f"[{group[0]}..{group[-1]}]" if group[0] != group[-1] else str(group[0])
            out.append(ends)
        else:
            names = [str(v) for v in order if v in group]
            out.append(names[0] if len(names) == 1 else "{" + ", ".join(names) + "}")
    return out


def medians(X, labels):
    """Every record replaced by the medians of its group."""
    out = np.empty(np.shape(X))
    for group in set(map(int, labels)):
        rows = np.flatnonzero(np.asarray(labels) == group)
        out[rows] = np.median(np.asarray(X)[rows], axis=0)
    return out


def weighted_means(X, labels, weights):
    """Every record replaced by the weighted mean of its group, rounded once."""
    out = np.empty(np.shape(X))
    for j, column in enumerate(exact(X)):
        for group in set(map(int, labels)):
            rows = np.flatnonzero(np.asarray(labels) == group)
            w = [Fraction(float(weights[row])) for row in rows]
            total = sum(v * column[row] for v, row in zip(w, rows, strict=True))
            out[rows, j] = float(total / sum(w))
    return out


def groups_of(labels):
    """The rows of each group."""
    return [[i for i, label in enumerate(labels) if label == group] for group in set(labels)]
