"""Full-domain generalisation: every vector of levels tried, every measure by its definition."""

import itertools
import math
from collections import Counter

import numpy as np


def least_full_domain(rows, ways, most_suppressed, fine, lost):
    """The cheapest levels of all, by trying all: (cost, levels), or None.

    ``ways[j][value]`` is what a value of attribute j becomes at levels 0, 1, ...; `fine` says
    whether a group, a list of places of records, may be published; `lost` is what remains lost.
    """
    found = []
    for levels in itertools.product(*(range(len(next(iter(way.values())))) for way in ways)):
        groups = groups_at(rows, ways, levels)
        kept = [group for group in groups if fine(group)]
        gone = [i for group in groups if not fine(group) for i in group]
        if len(gone) <= most_suppressed:
            found.append((lost(rows, ways, levels, kept, gone), levels))
    return min(found, key=lambda one: (round(one[0], 9), one[1]), default=None)


def groups_at(rows, ways, levels):
    groups = {}
    for i, row in enumerate(rows):
        new = tuple(ways[j][value][levels[j]] for j, value in enumerate(row))
        groups.setdefault(new, []).append(i)
    return list(groups.values())


def least_local(rows, ways, fine, price):
    """The least that groups of one table can cost when each is generalised anew, part by part."""

    def least(part, top):
        own = [rows[i] for i in part]
        best = None
        for levels in itertools.product(*(range(level + 1) for level in top)):
            groups = groups_at(own, ways, levels)
            if all(fine([part[i] for i in group]) for group in groups):
                cost = sum(price(j, levels[j], row[j]) for row in own for j in range(len(top)))
                if best is None or cost < best[0] - 1e-12:
                    best = (cost, levels, groups)
        cost, levels, groups = best
        if levels == top:
            return cost
        return sum(least([part[i] for i in group], levels) for group in groups)

    return least


def leaves(way, level, value):
    """How many values become what this one becomes."""
    return sum(other[level] == way[value][level] for other in way.values())


def attribute_losses(rows, ways, levels, kept, gone, price, of_suppressed):
    """What each attribute costs: the prices of kept values and of suppressed ones added up."""
    return [
        sum(price(j, levels[j], rows[i][j]) for group in kept for i in group)
        + sum(of_suppressed(price(j, levels[j], rows[i][j])) for i in gone)
        for j in range(len(levels))
    ]


def arithmetic(losses):
    return sum(losses) / len(losses)


def geometric(losses):
    return math.prod(1 + loss for loss in losses) ** (1 / len(losses)) - 1


def certainty(rows, ways, levels, kept, gone):
    def price(j, level, value):
        count = leaves(ways[j], level, value)
        return count / len(ways[j]) if count > 1 else 0.0

    each = attribute_losses(rows, ways, levels, kept, gone, price, lambda _: 1.0)
    return arithmetic(each) / len(rows)


def information(rows, ways, levels, kept, gone):
    def price(j, level, value):
        alone = sum(row[j] == value for row in rows)
        alike = sum(ways[j][row[j]][level] == ways[j][value][level] for row in rows)
        return 0.0 if alone == len(rows) else math.log(alike / alone) / math.log(len(rows) / alone)

    each = attribute_losses(rows, ways, levels, kept, gone, price, lambda _: 1.0)
    return arithmetic(each) / len(rows)


def precision(gs=0.5, monotonic=False, mean=arithmetic):
    def lost(rows, ways, levels, kept, gone):
        def price(j, level, value):
            return min(1, 2 - 2 * gs) * level / max(1, len(ways[j][value]) - 1)

        def of_suppressed(own):
            return own if monotonic else min(1, 2 * gs)

        each = attribute_losses(rows, ways, levels, kept, gone, price, of_suppressed)
        return mean([loss / len(rows) for loss in each])

    return lost


def loss(gs=0.5, mean=geometric):
    generalised, suppressed = min(1, 2 - 2 * gs), min(1, 2 * gs)

    def lost(rows, ways, levels, kept, gone):
        def share(j, value):
            return leaves(ways[j], levels[j], value) / len(ways[j])

        each = []
        for j in range(len(levels)):
            whole = sum(generalised * share(j, rows[i][j]) for group in kept for i in group)
            for i in gone:
                own = share(j, rows[i][j])
                whole += 1.0 if suppressed == 1 else own + suppressed * (1 - own)
            least = generalised * len(rows) / len(ways[j])
            width = len(rows) - least
            each.append(max(0.0, (whole - least) / width) if width else 0.0)
        return mean(each)

    return lost


def entropy(gs=0.5, monotonic=False):
    def lost(rows, ways, levels, kept, gone):
        bits = 0.0
        for j, level in enumerate(levels):
            alone = Counter(row[j] for row in rows)
            alike = Counter(ways[j][row[j]][level] for row in rows)
            for row in rows:
                own = alone[row[j]] / alike[ways[j][row[j]][level]]
                bits -= min(1, 2 - 2 * gs) * math.log2(own)
            left = Counter(ways[j][rows[i][j]][level] for i in gone)
            if not monotonic:
                bits -= min(1, 2 * gs) * sum(
                    count * math.log2(count / len(gone)) for count in left.values()
                )
        return bits

    return lost


def class_size(rows, ways, levels, kept, gone):
    return len(rows) / (len(kept) + (1 if gone else 0))


def discernibility(rows, ways, levels, kept, gone):
    return sum(len(group) ** 2 for group in kept) + len(rows) * len(gone)


def discernibility_of_all(rows, ways, levels, kept, gone):
    return sum(len(group) ** 2 for group in groups_at(rows, ways, levels))


LOST = {
    "certainty": certainty,
    "information": information,
    "precision": precision(),
    "precision, monotonic": precision(monotonic=True),
    "precision, gs 0.2": precision(0.2),
    "precision, geometric": precision(mean=geometric),
    "loss": loss(),
    "loss, arithmetic": loss(mean=arithmetic),
    "loss, gs 0": loss(0.0, arithmetic),
    "loss, gs 0.8": loss(0.8, arithmetic),
    "entropy": entropy(),
    "entropy, monotonic": entropy(monotonic=True),
    "entropy, gs 0.3": entropy(0.3),
    "class size": class_size,
    "discernibility": discernibility,
    "discernibility, monotonic": discernibility_of_all,
}


def fewest_cells(rows, k, weights):
    """The least weight of suppressed cells that leaves every published row k times."""
    masks = list(itertools.product([False, True], repeat=len(weights)))
    least = math.inf
    for chosen in itertools.product(masks, repeat=len(rows)):
        published = Counter(
            tuple("*" if gone else cell for cell, gone in zip(row, mask, strict=True)) + mask
            for row, mask in zip(rows, chosen, strict=True)
        )
        if min(published.values()) >= k:
            cost = sum(itertools.compress(weights * len(rows), itertools.chain(*chosen)))
            least = min(least, cost)
    return least


def area_between(codes, group):
    """The area between a group's distribution function over 0.. and that of all, 1 at most."""
    kinds = max(codes) + 1
    whole = np.bincount(codes, minlength=kinds) / len(codes)
    part = np.bincount([codes[i] for i in group], minlength=kinds) / len(group)
    return float(np.abs(np.cumsum(part - whole)).sum()) / max(1, kinds - 1)


def fewest_cells_that(enough, cells):
    """The least number of cells to suppress until `enough` says yes; None where it never does."""
    n, m = cells.shape
    best = None
    for choice in itertools.product((False, True), repeat=n * m):
        gone = np.array(choice).reshape(n, m)
        if (best is None or gone.sum() < best) and enough(np.where(gone, -1, cells)):
            best = int(gone.sum())
    return best
