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


def nearest_to_group(X, rows, group):
    """The row nearest to any record of a group, and that distance squared; the lowest of equals."""
    distances = np.min([squared_distances(X[rows], X[member]) for member in group], axis=0)
    nearest = int(np.argmin(distances))
    return rows[nearest], distances[nearest]


def vmdav(X, k, gamma):
    X = np.asarray(X, dtype=np.float64)
    rows, groups = list(range(len(X))), []
    centre = mean(X, rows)
    while len(rows) >= k:
        group = with_nearest(X, rows, farthest(X, rows, centre), k)
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
    means = np.array([mean(X, group) for group in groups])
    homes = [int(np.argmin(squared_distances(means, X[row]))) for row in rows]
    for row, home in zip(rows, homes, strict=True):
        groups[home].append(row)
    return canonical(groups)


def unit_ranges(X):
    """Every attribute brought to 0..1; a constant one becomes 0."""
    X = np.asarray(X, dtype=np.float64)
    unit = np.zeros(X.shape)
    for j, column in enumerate(X.T):
        if column.min() < column.max():
            unit[:, j] = (column - column.min()) / (column.max() - column.min())
    return unit


def widths_with(U, group, rows):
    """For each of some rows, the sum of the ranges of a group once it holds that row too."""
    total = np.zeros(len(rows))
    for j in range(U.shape[1]):
        highest = np.maximum(U[group, j].max(), U[rows, j])
        lowest = np.minimum(U[group, j].min(), U[rows, j])
        total += highest - lowest
    return total


def absolute_distances(U, point):
    """sum_j |u_ij - point_j|, from the first attribute to the last."""
    total = np.zeros(len(U))
    for j in range(U.shape[1]):
        total += np.abs(U[:, j] - point[j])
    return total


def kmember(X, k):
    U = unit_ranges(X)
    rows, groups = list(range(len(U))), []
    before = mean(U, rows)
    while len(rows) >= k:
        seed = rows[int(np.argmax(absolute_distances(U[rows], before)))]
        group, before = [seed], U[seed]
        rows = without(rows, group)
        while len(group) < k:
            group.append(rows[int(np.argmin(widths_with(U, group, rows)))])
            rows = without(rows, group)
        groups.append(group)
    for row in rows:
        raised = [
            (len(group) + 1) * widths_with(U, group, [row])[0]
            - len(group) * widths_with(U, group, group[:1])[0]
            for group in groups
        ]
        home = min(range(len(groups)), key=lambda g: (raised[g], min(groups[g])))
        groups[home].append(row)
    return canonical(groups)


def mondrian(X, k, strict=True):
    X = np.asarray(X, dtype=np.float64)
    whole = np.ptp(X, axis=0)

    def width(rows, j):
        return np.ptp(X[rows, j]) / whole[j] if whole[j] > 0 else 0.0

    def first_half(rows, j):
        in_order = sorted(rows, key=lambda row: (X[row, j], row))
        if not strict:
            return in_order[: (len(rows) + 1) // 2]
        median = X[in_order[(len(rows) - 1) // 2], j]
        halves = [
            [row for row in rows if X[row, j] <= median],
            [row for row in rows if X[row, j] < median],
        ]
        return min(halves, key=lambda half: abs(2 * len(half) - len(rows)))

    def parts(rows):
        for j in sorted(range(X.shape[1]), key=lambda j: -width(rows, j)):
            down = first_half(rows, j)
            up = without(rows, down)
            if min(len(down), len(up)) >= k:
                return [*parts(down), *parts(up)]
        return [rows]

    return canonical(parts(list(range(len(X)))))


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


def path_start(X):
    """The row farthest from the mean of all."""
    rows = list(range(len(X)))
    return farthest(X, rows, mean(X, rows))


def nearest(X, rows, point):
    """The row nearest to a point; the lowest of equals."""
    rows = sorted(rows)
    return rows[int(np.argmin(squared_distances(X[rows], point)))]


def nearest_point_next(X):
    """The plain path: from the record farthest from the mean, always to the nearest unvisited."""
    X = np.asarray(X, dtype=np.float64)
    path, unvisited = [path_start(X)], set(range(len(X)))
    unvisited.remove(path[0])
    while unvisited:
        path.append(nearest(X, unvisited, X[path[-1]]))
        unvisited.remove(path[-1])
    return np.array(path)


def cells_of(column, count):
    """The blocks of values on an axis that is cut into `count` equal ones."""
    least, most = column.min(), column.max()
    with np.errstate(divide="ignore", over="ignore"):
        per_unit = np.float64(count) / (most - least)
    if not np.isfinite(per_unit):
        return np.zeros(len(column), dtype=np.int64)
    return np.minimum(count - 1, np.floor((column - least) * per_unit).astype(np.int64))


def grid_order(X, counts):
    """Nearest in the own block, else in the first ring of blocks around it that has any."""
    X = np.asarray(X, dtype=np.float64)
    n, d = X.shape
    cells = np.transpose([cells_of(X[:, j], counts[j]) for j in range(d)])
    path, unvisited = [path_start(X)], set(range(n))
    unvisited.remove(path[0])
    while unvisited:
        here = path[-1]
        rows = np.array(sorted(unvisited))
        rings = np.abs(cells[rows] - cells[here]).max(axis=1)
        path.append(nearest(X, rows[rings == rings.min()].tolist(), X[here]))
        unvisited.remove(path[-1])
    return np.array(path)


class Block:
    """A box, the rows in it, the family it belongs to (a list of blocks, or None)."""

    def __init__(self, rows, lower, upper, family=None):
        self.rows, self.lower, self.upper, self.family = rows, lower, upper, family

    def middle(self, j):
        middle = self.lower[j] + (self.upper[j] - self.lower[j]) / 2
        return middle if middle > self.lower[j] else self.upper[j]

    def children(self, X, axes):
        """Blocks by code; a code has for each halved axis whether it is the upper half."""
        found = {}
        for row in self.rows:
            code = tuple(bool(X[row, j] >= self.middle(j)) for j in axes)
            if code not in found:
                lower, upper = list(self.lower), list(self.upper)
                for j, high in zip(axes, code, strict=True):
                    (lower if high else upper)[j] = self.middle(j)
                found[code] = Block([], lower, upper, self.family)
            found[code].rows.append(row)
        return found


def flexdice_graph(X, c1, c2, axes):
    """FlexDice blocks by their lowest rows, and links (below, above, axis), layer by layer."""
    X = np.asarray(X, dtype=np.float64)
    d = X.shape[1]
    blocks = [Block(list(range(len(X))), list(X.min(axis=0)), list(X.max(axis=0)))]
    sides = [high - low for low, high in zip(blocks[0].lower, blocks[0].upper, strict=True)]
    links = set()
    stuck = set()

    def settle(block):
        """What the rules say of a new block: its family, and whether it may be halved."""
        if len(block.rows) <= c1:
            if block.family is None:
                block.family = []
            block.family.append(block)
            if c2 == 0:
                stuck.add(block)
        if (X[block.rows] == X[block.rows[0]]).all():
            stuck.add(block)

    settle(blocks[0])
    while True:
        longest = sorted(range(d), key=lambda j: (-sides[j], j))[:axes]
        halved = sorted(j for j in longest if sides[j] > 0)
        children = {b: b.children(X, halved) for b in blocks if b not in stuck}
        for block in list(children):
            if block.family is not None:
                others = [len(children.get(one, [one])) for one in block.family]
                if sum(others) > c2:
                    stuck.update(block.family)
        children = {b: made for b, made in children.items() if b not in stuck}
        if not children or not halved:
            break
        for j in halved:
            sides[j] /= 2
        links = links_of_the_next_layer(links, children, halved, d)
        blocks = [b for b in blocks if b not in children]
        for parent, made in children.items():
            if parent.family is not None:
                parent.family.remove(parent)
            for child in made.values():
                blocks.append(child)
                settle(child)
    blocks.sort(key=lambda block: block.rows[0])
    number = {block: i for i, block in enumerate(blocks)}
    return blocks, sorted((number[low], number[high], j) for low, high, j in links)


def links_of_the_next_layer(links, children, halved, d):
    def facing(parent, j, high):
        """The children on one side of an axis, by code; all of them if it was not halved."""
        side = halved.index(j) if j in halved else None
        return {
            code: child
            for code, child in children[parent].items()
            if side is None or code[side] == high
        }

    def flipped(code, j):
        return tuple(high != (axis == j) for axis, high in zip(halved, code, strict=True))

    def fullest(made):
        # The lowest code: the lower half on the highest axes.
        return min(made.items(), key=lambda item: (-len(item[1].rows), item[0][::-1]))[1]

    new = set()
    for low, high, j in links:
        if low not in children and high not in children:
            new.add((low, high, j))
        elif low not in children:
            if facing(high, j, False):
                new.add((low, fullest(facing(high, j, False)), j))
        elif high not in children:
            if facing(low, j, True):
                new.add((fullest(facing(low, j, True)), high, j))
        else:
            opposite = facing(high, j, False)
            for code, child in facing(low, j, True).items():
                if flipped(code, j) in opposite:
                    new.add((child, opposite[flipped(code, j)], j))
    for made in children.values():
        for code, child in made.items():
            for place, j in enumerate(halved):
                if not code[place] and flipped(code, j) in made:
                    new.add((child, made[flipped(code, j)], j))
    return new


def flexdice_order(X, c1, c2, axes):
    """Nearest in the own block, else in the first level of a breadth-first search that has any."""
    X = np.asarray(X, dtype=np.float64)
    blocks, links = flexdice_graph(X, c1, c2, axes)
    neighbours = {b: set() for b in range(len(blocks))}
    for low, high, _ in links:
        neighbours[low].add(high)
        neighbours[high].add(low)
    block_of = {row: b for b, block in enumerate(blocks) for row in block.rows}
    unvisited = {b: set(block.rows) for b, block in enumerate(blocks)}
    path = [path_start(X)]
    while True:
        here = path[-1]
        unvisited[block_of[here]].remove(here)
        if not any(unvisited.values()):
            return np.array(path)
        level, seen = {block_of[here]}, {block_of[here]}
        near = set().union(*(unvisited[b] for b in level))
        while not near and level:
            level = set().union(*(neighbours[b] for b in level)) - seen
            seen |= level
            near = set().union(*(unvisited[b] for b in level))
        path.append(nearest(X, near or set().union(*unvisited.values()), X[here]))


def place_on_hilbert_curve(cell, bits):
    """The number of a cell: 2^d halves in Gray order, in each a smaller curve, turned to fit.

    Where the half is the upper one of an axis the smaller curve is mirrored on the first axis, else
    the first axis changes places with this one; every second curve is walked backwards.
    """
    if bits == 0:
        return 0
    d, half = len(cell), 2 ** (bits - 1)
    upper = [c // half for c in cell]
    inside = [c % half for c in cell]
    number = bit = 0
    for high in upper:
        bit ^= high
        number = 2 * number + bit
    for j, high in enumerate(upper):
        if high:
            inside[0] = half - 1 - inside[0]
        else:
            inside[0], inside[j] = inside[j], inside[0]
    size = half**d
    place = place_on_hilbert_curve(inside, bits - 1)
    return number * size + (size - 1 - place if number % 2 else place)


def hilbert_cells(X, bits):
    """Each attribute scaled to its own range and cut into 2^bits cells."""
    X = np.asarray(X, dtype=np.float64)
    span = X.max(axis=0) - X.min(axis=0)
    place = (X - X.min(axis=0)) / np.where(span > 0, span, 1) * 2.0**bits
    return [[int(c) for c in row] for row in np.minimum(place, 2.0**bits - 1)]


def hilbert_order(X, bits):
    places = [place_on_hilbert_curve(cell, bits) for cell in hilbert_cells(X, bits)]
    return np.array(sorted(range(len(places)), key=lambda row: (places[row], row)))


def column_order(X, column):
    values = np.asarray(X, dtype=np.float64)[:, column]
    return np.array(sorted(range(len(values)), key=lambda row: (values[row], row)))


def dot_in_lanes(a, b):
    """The sum of products: within blocks of 256 in eight lanes, over blocks exactly."""
    sums = []
    for begin in range(0, len(a), 256):
        lanes = [0.0] * 8
        for i, product in enumerate((a[begin : begin + 256] * b[begin : begin + 256]).tolist()):
            lanes[i % 8] += product
        total = 0.0
        for lane in lanes:
            total += lane
        sums.append(total)
    return math.fsum(sums)


def principal_axis(deviations):
    """The eigenvector of the largest eigenvalue of D'D by Jacobi's rotations, row by row."""
    d = deviations.shape[1]
    columns = list(deviations.T)
    A = np.array([[dot_in_lanes(columns[min(i, j)], columns[max(i, j)]) for j in range(d)]
                  for i in range(d)])  # fmt: skip
    V = np.eye(d)
    trace = 0.0
    for j in range(d):
        trace += A[j, j]
    for _ in range(60):
        turned = False
        for p in range(d):
            for q in range(p + 1, d):
                if abs(A[p, q]) <= 2.0**-60 * trace:
                    continue
                turned = True
                half = (A[q, q] - A[p, p]) / 2
                length = math.sqrt(half * half + A[p, q] * A[p, q])
                tangent = A[p, q] / (half + length if half >= 0 else half - length)
                cosine = 1 / math.sqrt(tangent * tangent + 1)
                sine = tangent * cosine
                for M in (A.T, A, V):
                    M[p], M[q] = cosine * M[p] - sine * M[q], sine * M[p] + cosine * M[q]
                A[p, q] = A[q, p] = 0.0
        if not turned:
            break
    axis = V[int(np.argmax(np.diag(A)))]
    return -axis if axis[int(np.argmax(np.abs(axis)))] < 0 else axis


def principal_order(X):
    X = np.asarray(X, dtype=np.float64)
    deviations = X - mean(X, list(range(len(X))))
    largest = np.abs(deviations).max()
    if largest > 0:
        deviations *= 2.0 ** min(1000, 1 - math.frexp(largest)[1])
    projections = np.zeros(len(X))
    for j, component in enumerate(principal_axis(deviations)):
        projections += deviations[:, j] * component
    return np.array(sorted(range(len(X)), key=lambda row: (projections[row], row)))
