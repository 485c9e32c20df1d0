"""What an expert user writes: plain loops, compiled, on one thread. Needs numba.

The attributes lie one after the other and four are read at a time; a record that gets a group is
replaced by the last one, so that loops stay dense, and row numbers settle ties. Floating point is
left as it is written (no fastmath), so that answers can be compared.
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


def compiled(function: Function) -> Function:
    return cast(Function, numba.njit(function))


@compiled
def squared_distances(columns: Floats, left: int, point: Floats, out: Floats) -> None:
    out[:left] = 0.0
    attributes = columns.shape[0]
    j = 0
    while j + 4 <= attributes:
        a, b, c, d = columns[j], columns[j + 1], columns[j + 2], columns[j + 3]
        at_a, at_b, at_c, at_d = point[j], point[j + 1], point[j + 2], point[j + 3]
        for i in range(left):
            by_a, by_b, by_c, by_d = a[i] - at_a, b[i] - at_b, c[i] - at_c, d[i] - at_d
            out[i] = (((out[i] + by_a * by_a) + by_b * by_b) + by_c * by_c) + by_d * by_d
        j += 4
    while j < attributes:
        a, at_a = columns[j], point[j]
        for i in range(left):
            by_a = a[i] - at_a
            out[i] += by_a * by_a
        j += 1


@compiled
def farthest(distances: Floats, rows: Labels, left: int) -> int:
    best = 0
    reach = distances[0]
    for i in range(1, left):
        distance = distances[i]
        if distance >= reach and (distance > reach or rows[i] < rows[best]):
            best, reach = i, distance
    return best


@compiled
def nearest(distances: Floats, rows: Labels, left: int) -> int:
    best = 0
    reach = math.inf
    for i in range(left):
        distance = distances[i]
        if distance <= reach and (distance < reach or rows[i] < rows[best]):
            best, reach = i, distance
    return best


@compiled
def with_nearest(
    distances: Floats, rows: Labels, left: int, place: int, members: Labels, reach: Floats
) -> None:
    """Fills members with the record at `place` and its nearest, nearest first."""
    members[0] = place
    last = members.size - 1
    if last == 0:
        return
    reach[:] = math.inf
    for i in range(left):
        distance = distances[i]
        if distance <= reach[last] and i != place:
            at = last
            if distance == reach[at] and rows[i] > rows[members[at]]:
                continue
            while at > 1 and (
                distance < reach[at - 1]
                or (distance == reach[at - 1] and rows[i] < rows[members[at - 1]])
            ):
                reach[at] = reach[at - 1]
                members[at] = members[at - 1]
                at -= 1
            reach[at] = distance
            members[at] = i


@compiled
def remove(
    columns: Floats, distances: Floats, rows: Labels, left: int, members: Labels, totals: Floats
) -> int:
    """Puts the last records in the places of a group; returns how many are left."""
    members.sort()
    for place in members[::-1]:
        left -= 1
        for j in range(columns.shape[0]):
            totals[j] -= columns[j, place]
            columns[j, place] = columns[j, left]
        distances[place] = distances[left]
        rows[place] = rows[left]
    return left


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
        groups = 2 if left >= 3 * k else 1
        squared_distances(columns, left, totals / left, distances)
        for _ in range(groups):
            # First r, far from the mean; then s, far from r: the distances to r are still there.
            place = farthest(distances, rows, left)
            squared_distances(columns, left, columns[:, place].copy(), distances)
            with_nearest(distances, rows, left, place, members, reach)
            for member in members:
                labels[rows[member]] = group
            group += 1
            left = remove(columns, distances, rows, left, members, totals)
    for i in range(left):
        labels[rows[i]] = group


@compiled
def npn_order(columns: Floats, order: Labels) -> None:
    """Writes the path to the nearest point next; uses up `columns`, a copy of the attributes."""
    attributes, left = columns.shape
    rows = np.arange(left)
    distances = np.empty(left)
    point = np.empty(attributes)
    for j in range(attributes):
        point[j] = columns[j].sum() / left
    squared_distances(columns, left, point, distances)
    place = farthest(distances, rows, left)
    for step in range(order.size):
        order[step] = rows[place]
        left -= 1
        for j in range(attributes):
            point[j] = columns[j, place]
            columns[j, place] = columns[j, left]
        rows[place] = rows[left]
        squared_distances(columns, left, point, distances)
        place = nearest(distances, rows, left)


@compiled
def sums_along(X: Floats, way: Labels, sums: Floats, squares: Floats) -> None:
    """Sums of the attributes, and of their squares, over the first records of an order: `sums` has
    a row for each number of records."""
    for i in range(way.size):
        total = 0.0
        for j in range(X.shape[1]):
            x = X[way[i], j]
            sums[i + 1, j] = sums[i, j] + x
            total += x * x
        squares[i + 1] = squares[i] + total


@compiled
def cut_few(sums: Floats, squares: Floats, k: int, shortest: Floats, before: Labels) -> None:
    """The best cut of ordered records: the shortest path over segments of k..2k-1. For small k.

    Their costs are differences of sums over everything before: good enough for tables whose mean
    is 0, and fastest.
    """
    for end in range(k, shortest.size):
        for start in range(max(0, end - 2 * k + 1), end - k + 1):
            of_sum = 0.0
            for j in range(sums.shape[1]):
                total = sums[end, j] - sums[start, j]
                of_sum += total * total
            cost = (squares[end] - squares[start]) - of_sum / (end - start)
            if shortest[start] + cost <= shortest[end]:
                shortest[end], before[end] = shortest[start] + cost, start


@compiled
def cut_many(columns: Floats, squares: Floats, k: int, shortest: Floats, before: Labels) -> None:
    """The same for large k, many starts side by side: `columns` are the sums, turned."""
    of_sums = np.empty(k)
    for end in range(k, shortest.size):
        first = max(0, end - 2 * k + 1)
        starts = end - k + 1 - first
        of_sums[:starts] = 0.0
        for j in range(columns.shape[0]):
            here, at = columns[j, first:], columns[j, end]
            for i in range(starts):
                total = at - here[i]
                of_sums[i] += total * total
        for i in range(starts):
            cost = (squares[end] - squares[first + i]) - of_sums[i] / (end - first - i)
            if shortest[first + i] + cost <= shortest[end]:
                shortest[end], before[end] = shortest[first + i] + cost, first + i


@compiled
def cut_column(x: Floats, k: int, shortest: Floats, before: Labels) -> None:
    """The best cut of sorted values. Groups are far narrower than the whole, so that sums over
    everything before would not do: each segment grows backwards from the value it ends with."""
    for end in range(k, shortest.size):
        last = x[end - 1]
        total, squares = 0.0, 0.0
        for length in range(1, min(2 * k - 1, end) + 1):
            y = x[end - length] - last
            total += y
            squares += y * y
            if length >= k:
                whole = shortest[end - length] + (squares - total * total / length)
                if whole < shortest[end]:
                    shortest[end], before[end] = whole, end - length


@compiled
def label_path(before: Labels, way: Labels, labels: Labels) -> None:
    end, group = way.size, 0
    while end > 0:
        for place in range(before[end], end):
            labels[way[place]] = group
        end, group = before[end], group + 1


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
