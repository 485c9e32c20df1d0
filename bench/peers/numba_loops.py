"""What an expert user writes: plain loops, compiled, on one thread. Needs numba.

The attributes lie one after the other and shrink as records get a group; distances are made in
short stretches that stay in the nearest cache. Floating point is left as it is written (no
fastmath), so that answers can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar, cast

import numba
import numpy as np

from bench.kernel import Labels
from bench.problems import Floats

Function = TypeVar("Function", bound=Callable[..., object])

STRETCH = 512


def compiled(function: Function) -> Function:
    return cast(Function, numba.njit(function))


@compiled
def squared_distances(columns: Floats, left: int, point: Floats, out: Floats) -> None:
    for begin in range(0, left, STRETCH):
        end = min(begin + STRETCH, left)
        for i in range(begin, end):
            out[i] = 0.0
        for j in range(columns.shape[0]):
            at = point[j]
            for i in range(begin, end):
                difference = columns[j, i] - at
                out[i] += difference * difference


@compiled
def farthest(distances: Floats, left: int) -> int:
    best = 0
    for i in range(1, left):
        if distances[i] > distances[best]:
            best = i
    return best


@compiled
def with_nearest(distances: Floats, left: int, place: int, members: Labels, reach: Floats) -> None:
    """Fills members with the record at `place` and its nearest, nearest first."""
    members[0] = place
    k = members.size
    reach[:] = math.inf
    for i in range(left):
        distance = distances[i]
        if distance < reach[k - 1] and i != place:
            at = k - 1
            while at > 1 and distance < reach[at - 1]:
                reach[at] = reach[at - 1]
                members[at] = members[at - 1]
                at -= 1
            reach[at] = distance
            members[at] = i


@compiled
def remove(columns: Floats, rows: Labels, left: int, members: Labels, totals: Floats) -> int:
    """Closes the gaps that a group leaves; returns how many records are left."""
    members.sort()
    for j in range(columns.shape[0]):
        for place in members:
            totals[j] -= columns[j, place]
    for gap in range(members.size):
        begin = members[gap] + 1
        end = members[gap + 1] if gap + 1 < members.size else left
        shift = gap + 1
        for j in range(columns.shape[0]):
            for i in range(begin, end):
                columns[j, i - shift] = columns[j, i]
        for i in range(begin, end):
            rows[i - shift] = rows[i]
    return left - members.size


@compiled
def mdav(columns: Floats, k: int, labels: Labels) -> None:
    """Writes labels; uses up `columns`, a copy of the attributes."""
    attributes, left = columns.shape
    rows = np.arange(left)
    distances = np.empty(left)
    members = np.empty(k, dtype=np.int64)
    reach = np.empty(k)
    totals = np.empty(attributes)
    for j in range(attributes):
        totals[j] = columns[j].sum()
    group = 0
    while left >= 2 * k:
        squared_distances(columns, left, totals / left, distances)
        place = farthest(distances, left)
        point = columns[:, place].copy()
        pair = left >= 3 * k
        for _ in range(2 if pair else 1):
            squared_distances(columns, left, columns[:, place].copy(), distances)
            with_nearest(distances, left, place, members, reach)
            for member in members:
                labels[rows[member]] = group
            group += 1
            left = remove(columns, rows, left, members, totals)
            if pair:
                squared_distances(columns, left, point, distances)
                place = farthest(distances, left)
    for i in range(left):
        labels[rows[i]] = group


@compiled
def group_means(x: Floats, labels: Labels, sizes: Labels, means: Floats) -> None:
    means[:] = 0.0
    for i in range(x.size):
        means[labels[i]] += x[i]
    for group in range(means.size):
        means[group] /= max(sizes[group], 1)


@compiled
def group_sizes(labels: Labels, groups: int) -> Labels:
    sizes = np.zeros(groups, dtype=np.int64)
    for label in labels:
        sizes[label] += 1
    return sizes


@compiled
def aggregate(X: Floats, labels: Labels, groups: int, out: Floats) -> None:
    sizes, means = group_sizes(labels, groups), np.empty(groups)
    for j in range(X.shape[1]):
        group_means(X[:, j], labels, sizes, means)
        for i in range(X.shape[0]):
            out[i, j] = means[labels[i]]


@compiled
def sse(X: Floats, labels: Labels, groups: int) -> float:
    sizes, means = group_sizes(labels, groups), np.empty(groups)
    total = 0.0
    for j in range(X.shape[1]):
        group_means(X[:, j], labels, sizes, means)
        for i in range(X.shape[0]):
            difference = X[i, j] - means[labels[i]]
            total += difference * difference
    return total


@compiled
def standardize(X: Floats, out: Floats) -> None:
    for j in range(X.shape[1]):
        mean = X[:, j].sum() / X.shape[0]
        squares = 0.0
        for i in range(X.shape[0]):
            difference = X[i, j] - mean
            squares += difference * difference
        deviation = math.sqrt(squares / X.shape[0])
        if deviation == 0.0:
            deviation = 1.0
        for i in range(X.shape[0]):
            out[i, j] = (X[i, j] - mean) / deviation
