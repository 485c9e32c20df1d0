"""Orders of the records."""

from __future__ import annotations

import math

import numpy as np

from .records import farthest_from_mean, mean, nearest, squared_distances, table


def path_start(X):
    """The row farthest from the mean of all."""
    return farthest_from_mean(table(X), list(range(len(X))))


def nearest_point_next(X):
    """The plain path: from the record farthest from the mean, always to the nearest unvisited."""
    X = table(X)
    path = [path_start(X)]
    unvisited = np.delete(np.arange(len(X)), path[0])
    while len(unvisited):
        here = int(np.argmin(squared_distances(X[unvisited], X[path[-1]])))
        path.append(int(unvisited[here]))
        unvisited = np.delete(unvisited, here)
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
    X = table(X)
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
    X = table(X)
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
    X = table(X)
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
    X = table(X)
    span = X.max(axis=0) - X.min(axis=0)
    place = (X - X.min(axis=0)) / np.where(span > 0, span, 1) * 2.0**bits
    return [[int(c) for c in row] for row in np.minimum(place, 2.0**bits - 1)]


def hilbert_order(X, bits):
    places = [place_on_hilbert_curve(cell, bits) for cell in hilbert_cells(X, bits)]
    return np.array(sorted(range(len(places)), key=lambda row: (places[row], row)))


def column_order(X, column):
    values = table(X)[:, column]
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
    X = table(X)
    deviations = X - mean(X, list(range(len(X))))
    largest = np.abs(deviations).max()
    if largest > 0:
        deviations *= 2.0 ** min(1000, 1 - math.frexp(largest)[1])
    projections = np.zeros(len(X))
    for j, component in enumerate(principal_axis(deviations)):
        projections += deviations[:, j] * component
    return np.array(sorted(range(len(X)), key=lambda row: (projections[row], row)))
