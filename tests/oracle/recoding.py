"""Recoding by minimum share, one rescan of all counts a step."""

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
