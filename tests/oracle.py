"""The plain truth of every kernel: slow, obvious, believed by reading.

Tests lean on it, benchmarks race against it. It uses Python's exact arithmetic where the library
promises exactness: `math.fsum` is the correctly rounded sum, `Fraction` does not round at all.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np


def canonical(groups):
    """Labels of a list of groups (lists of rows), numbered in the order of their first record."""
    labels = np.empty(sum(map(len, groups)), dtype=np.int64)
    for number, group in enumerate(sorted(groups, key=min)):
        labels[group] = number
    return labels


def squared_distances(X, point):
    """|x_i - point|^2, summed from the first attribute to the last."""
    total = np.zeros(len(X))
    for j in range(X.shape[1]):
        difference = X[:, j] - point[j]
        total += difference * difference
    return total


def farthest(X, rows, point):
    """The row farthest from a point; the lowest of equals."""
    return rows[int(np.argmax(squared_distances(X[rows], point)))]


def with_nearest(X, rows, row, k):
    """A row and the k-1 others nearest to it; the lowest of equals first."""
    others = [other for other in rows if other != row]
    distances = squared_distances(X[others], X[row])
    order = np.lexsort((others, distances))[: k - 1]
    return [row, *(others[i] for i in order)]


def without(rows, group):
    gone = set(group)
    return [row for row in rows if row not in gone]


def mean(X, rows):
    return [math.fsum(X[rows, j]) / len(rows) for j in range(X.shape[1])]


def mdav(X, k):
    X = np.asarray(X, dtype=np.float64)
    rows, groups = list(range(len(X))), []

    def close(row):
        nonlocal rows
        groups.append(with_nearest(X, rows, row, k))
        rows = without(rows, groups[-1])

    while len(rows) >= 3 * k:
        r = farthest(X, rows, mean(X, rows))
        close(r)
        close(farthest(X, rows, X[r]))
    if len(rows) >= 2 * k:
        close(farthest(X, rows, mean(X, rows)))
    groups.append(rows)
    return canonical(groups)


def exact(X):
    """The table in rational numbers, as a list of columns."""
    return [[Fraction(float(value)) for value in column] for column in np.asarray(X).T]


def exact_sse(X, labels):
    """The sum of squares within groups, without rounding."""
    total = Fraction(0)
    for column in exact(X):
        for group in set(map(int, labels)):
            values = [x for x, label in zip(column, labels, strict=True) if label == group]
            middle = sum(values) / len(values)
            total += sum((x - middle) ** 2 for x in values)
    return total


def exact_sst(X):
    return exact_sse(X, np.zeros(len(X), dtype=np.int64))


def aggregate(X, labels):
    """Every record replaced by the mean of its group, rounded once."""
    out = np.empty(np.shape(X))
    for j, column in enumerate(exact(X)):
        for group in set(map(int, labels)):
            rows = np.flatnonzero(np.asarray(labels) == group)
            out[rows, j] = float(sum(column[row] for row in rows) / len(rows))
    return out


def standardize(X):
    """Mean 0, standard deviation 1; constant attributes become 0."""
    out = np.zeros(np.shape(X))
    for j, column in enumerate(exact(X)):
        middle = sum(column) / len(column)
        variance = sum((x - middle) ** 2 for x in column) / len(column)
        if variance:
            # isqrt of a wide integer: a square root to far more digits than a double has.
            digits = Fraction(math.isqrt(int(variance * 4**1200)), 2**1200)
            out[:, j] = [float((x - middle) / digits) for x in column]
    return out


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


def cm(classes, labels, suppressed=None):
    """Share of records that are suppressed or not of their group's majority class."""
    suppressed = suppressed if suppressed is not None else [False] * len(classes)
    penalties = sum(map(bool, suppressed))
    for rows in groups_of(labels):
        left = [classes[i] for i in rows if not suppressed[i]]
        if left:
            majority = min(set(left), key=lambda value: (-left.count(value), value))
            penalties += sum(value != majority for value in left)
    return Fraction(penalties, len(classes))


def dm(labels, k):
    sizes = [len(rows) for rows in groups_of(labels)]
    return sum(size**2 if size >= k else len(labels) * size for size in sizes)


def ancestors(parent_of, value):
    """A value and all above it, the lowest first; None stands above every root."""
    line = [value]
    while parent_of.get(line[-1], line[-1]) not in (None, line[-1]):
        line.append(parent_of[line[-1]])
    return [*line, None]


def leaf_share(parent_of, node):
    """The share of the leaves of a hierarchy that are below a node; 0 for a single one."""
    parents = {parent for child, parent in parent_of.items() if parent not in (None, child)}
    leaves = (set(parent_of) | parents) - parents
    below = sum(node in ancestors(parent_of, leaf) for leaf in leaves)
    return Fraction(below, len(leaves)) if below > 1 else Fraction(0)


def ncp_of_groups(column, labels, parent_of=None, numeric=False):
    """The penalty of one attribute: numbers, nominal categories, or a hierarchy."""
    total = Fraction(0)
    for rows in groups_of(labels):
        values = {column[i] for i in rows}
        if len(values) == 1:
            continue
        if numeric:
            width = Fraction(max(column)) - Fraction(min(column))
            penalty = (Fraction(max(values)) - Fraction(min(values))) / width
        elif parent_of is None:
            penalty = Fraction(len(values), len(set(column)))
        else:
            lines = [ancestors(parent_of, value) for value in values]
            common = next(node for node in lines[0] if all(node in line for line in lines))
            penalty = leaf_share(parent_of, common)
        total += len(rows) * penalty
    return total


def entropy(values):
    counts = [values.count(value) for value in set(values)]
    return math.fsum(c / len(values) * math.log(len(values) / c) for c in counts)


def direct(original, masked, order=None):
    if order is None:
        apart = [Fraction(a != b) for a, b in zip(original, masked, strict=True)]
    else:
        apart = [
            Fraction(abs(order.index(a) - order.index(b)), len(order))
            for a, b in zip(original, masked, strict=True)
        ]
    return sum(apart) / len(apart)


def ctbil(original, masked, max_order, recodings=None):
    """Sum of absolute differences of all tables of counts, and their number of cells.

    Both tables are lists of columns. Published records are spread over all combinations of members,
    each with its share of the original records of the merged category.
    """

    def spread(j, value):
        merged = (recodings or {}).get(j)
        if merged is None:
            return [(value, Fraction(1))]
        members = [old for old in original[j] if merged.get(old, old) == value]
        shares = [(old, Fraction(members.count(old), len(members))) for old in set(members)]
        return shares or [(value, Fraction(1))]

    total, cells = Fraction(0), 0
    for order in range(1, max_order + 1):
        for chosen in itertools.combinations(range(len(original)), order):
            before = Counter(zip(*(original[j] for j in chosen), strict=True))
            after = Counter()
            for record in zip(*(masked[j] for j in chosen), strict=True):
                parts = [spread(j, value) for j, value in zip(chosen, record, strict=True)]
                for cell in itertools.product(*parts):
                    after[tuple(value for value, _ in cell)] += math.prod(s for _, s in cell)
            for cell in before.keys() | after.keys():
                total += abs(before[cell] - after[cell])
                cells += 1
    return total, cells


def ebil(original, masked, transition):
    """Uncertainty of the original category given the published one, summed over the records."""
    total = 0.0
    for published in masked:
        joint = [original.count(old) * transition[old].get(published, 0.0) for old in set(original)]
        posterior = [chance / sum(joint) for chance in joint if chance > 0]
        total -= sum(p * math.log(p) for p in posterior)
    return total


def cramers_v(a, b):
    n, chi2 = len(a), Fraction(0)
    for value in set(a):
        for other in set(b):
            expected = Fraction(a.count(value) * b.count(other), n)
            observed = sum(x == value and y == other for x, y in zip(a, b, strict=True))
            chi2 += (observed - expected) ** 2 / expected
    least = min(len(set(a)), len(set(b)))
    return math.sqrt(chi2 / n / (least - 1)) if least > 1 else 0.0


def exact_moments(x):
    """Mean and variance (divisor n), without rounding."""
    x = [Fraction(float(value)) for value in x]
    middle = sum(x) / len(x)
    return middle, sum((value - middle) ** 2 for value in x) / len(x)


def scaled_distance(x, y):
    """Mean |x - y| over sqrt(2) standard deviations with divisor n - 1."""
    apart = sum(abs(Fraction(float(a)) - Fraction(float(b))) for a, b in zip(x, y, strict=True))
    if not apart:
        return 0.0
    _, variance = exact_moments(x)
    if not variance:
        return math.inf
    return float(apart / len(x)) / math.sqrt(2 * variance * len(x) / (len(x) - 1))


def correlations(X):
    Z = standardize(X)
    return Z.T @ Z / len(Z)
