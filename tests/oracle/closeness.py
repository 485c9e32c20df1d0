"""What models of sensitive values say, as the papers write it: slow, plain, one group at a time."""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import linprog


def earth_mover(p, q, far):
    """The least work that makes one distribution of another: a linear programme of all moves."""
    size = len(p)
    leaving = np.kron(np.eye(size), np.ones(size))
    coming = np.kron(np.ones(size), np.eye(size))
    found = linprog(
        np.asarray(far).reshape(-1),
        A_eq=np.vstack([leaving, coming]),
        b_eq=np.concatenate([p, q]),
        bounds=(0, None),
    )
    return found.fun


def tree_distance(one, other, parents, height):
    """How high the lowest node above both is, in units of the whole tree; 0 for the same value."""
    if one == other:
        return 0.0
    way, node = [one], one
    while node in parents:
        node = parents[node]
        way.append(node)
    node = other
    while node not in way:
        node = parents[node]
    return height(node) / height(way[-1])


def height_of(parents):
    def height(node):
        return max(
            (1 + height(child) for child, above in parents.items() if above == node), default=0
        )

    return height


def beta(groups, codes):
    """The largest relative gain of a value's share in a group, and if -ln p bounds them all."""
    gains, enhanced = [], True
    for value in set(codes):
        p = codes.count(value) / len(codes)
        for group in set(groups):
            members = [c for g, c in zip(groups, codes, strict=True) if g == group]
            gain = members.count(value) / len(members) / p - 1
            gains.append(gain)
            enhanced = enhanced and gain <= -math.log(p) + 1e-9
    return max(gains), enhanced
