"""Groups grown around records: MDAV, V-MDAV."""

from __future__ import annotations

import numpy as np

from .records import (
    canonical,
    farthest,
    farthest_from_mean,
    mean,
    nearest,
    squared_distances,
    table,
    with_nearest,
    without,
)


def mdav(X, k):
    X = table(X)
    rows, groups = list(range(len(X))), []

    def close(row):
        nonlocal rows
        groups.append(with_nearest(X, rows, row, k))
        rows = without(rows, groups[-1])

    while len(rows) >= 3 * k:
        r = farthest_from_mean(X, rows)
        close(r)
        close(farthest(X, rows, X[r]))
    if len(rows) >= 2 * k:
        close(farthest_from_mean(X, rows))
    groups.append(rows)
    return canonical(groups)


def nearest_to_group(X, rows, group):
    """The row nearest to any record of a group, and that distance squared; the lowest of equals."""
    distances = np.min([squared_distances(X[rows], X[member]) for member in group], axis=0)
    nearest = int(np.argmin(distances))
    return rows[nearest], distances[nearest]


def vmdav(X, k, gamma, rest="record"):
    X = table(X)
    rows, groups = list(range(len(X))), []
    everyone = list(rows)
    while len(rows) >= k:
        group = with_nearest(X, rows, farthest_from_mean(X, rows, everyone), k)
        rows = without(rows, group)
        while rows and len(group) < 2 * k - 1:
            e, d_in = nearest_to_group(X, rows, group)
            others = without(rows, [e])
            if others:
                d_out = squared_distances(X[others], X[e]).min()
                if not d_in < gamma * gamma * d_out:
                    break
            elif gamma == 0:
                break
            group.append(e)
            rows = others
        groups.append(group)
    groups.sort(key=min)
    if rest == "mean":
        means = [mean(X, group) for group in groups]
        homes = [
            int(np.argmin([squared_distances(X[[row]], middle)[0] for middle in means]))
            for row in rows
        ]
    else:
        group_of = {member: number for number, group in enumerate(groups) for member in group}
        homes = [group_of[nearest(X, group_of, X[row])] for row in rows]
    for row, home in zip(rows, homes, strict=True):
        groups[home].append(row)
    return canonical(groups)


def nearest_centres(X, centres):
    """The nearest centre of each record, the first of equals."""
    found = []
    for record in X:
        apart = np.zeros(len(centres))
        for j, value in enumerate(record):
            apart += (centres[:, j] - value) ** 2
        found.append(int(apart.argmin()))
    return found
