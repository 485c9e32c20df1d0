"""What was lost: the measures beside ILD."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

from .records import standardize
from .represent import groups_of


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
