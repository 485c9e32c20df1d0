"""Recoding by minimum share, one rescan of all counts a step."""

import itertools
from fractions import Fraction


def share_groups(counts, share, rule="smallest"):
    """Groups of categories (numbered in label order), each a list, by their first category."""
    least = Fraction(str(share)) * sum(counts)
    groups = [[category] for category in range(len(counts))]

    def size(group):
        return sum(counts[category] for category in group)

    if rule == "other":
        rare = [group for group in groups if size(group) < least]
        rest = [group for group in groups if size(group) >= least]
        other = [category for group in rare for category in group]
        while other and size(other) < least and rest:
            taken = min(rest, key=lambda group: (size(group), group))
            rest.remove(taken)
            other += taken
        return sorted([*rest, sorted(other)] if other else rest)
    while len(groups) > 1 and min(map(size, groups)) < least:
        lowest = min(map(size, groups))
        if rule == "neighbours":
            place = next(i for i, group in enumerate(groups) if size(group) == lowest)
            beside = [i for i in (place - 1, place + 1) if 0 <= i < len(groups)]
            partner = min(beside, key=lambda i: (size(groups[i]), i))
            merged = [groups[place], groups[partner]]
        else:
            merged = [group for group in groups if size(group) == lowest]
            if len(merged) == 1:
                others = [group for group in groups if group not in merged]
                merged.append(min(others, key=lambda group: (size(group), min(group))))
        groups = [group for group in groups if group not in merged]
        groups = sorted([*groups, sorted(category for group in merged for category in group)])
    return groups


def share_groups_of_tree(counts, share, parent):
    """The same within parents: node -> its parent, categories being the nodes 0..len(counts)-1."""
    least = Fraction(str(share)) * sum(counts)
    nodes = sorted({*parent, *parent.values(), *range(len(counts))})

    def below(node):
        own = [[node]] if node < len(counts) else []
        groups = own + [
            group for child in nodes if parent.get(child) == node for group in below(child)
        ]
        total = sum(counts[category] for group in groups for category in group)
        if not groups or total == 0:
            return groups
        sizes = [sum(counts[category] for category in group) for group in groups]
        order = sorted(range(len(groups)), key=lambda i: min(groups[i]))
        merged = share_groups([sizes[i] for i in order], str(least / total), "smallest")
        return [sorted(c for place in group for c in groups[order[place]]) for group in merged]

    return sorted(group for node in nodes if node not in parent for group in below(node))


def least_full_domain(rows, ways, k, most_suppressed, cost):
    """The cheapest levels of all, by trying all: (cost, levels), or None.

    `ways[j]` gives for each value of attribute j what it is at levels 0, 1, ...; `cost(j, level,
    value)` is its price, all attributes together at most 1.
    """
    found = []
    for levels in itertools.product(*(range(len(next(iter(way.values())))) for way in ways)):
        new = [tuple(ways[j][v][levels[j]] for j, v in enumerate(row)) for row in rows]
        kept = [new.count(one) >= k for one in new]
        if len(rows) - sum(kept) <= most_suppressed:
            lost = sum(
                sum(cost(j, levels[j], v) for j, v in enumerate(row)) if keep else 1.0
                for row, keep in zip(rows, kept, strict=True)
            )
            found.append((lost / len(rows), levels))
    return min(found, key=lambda one: (round(one[0], 9), one[1]), default=None)
