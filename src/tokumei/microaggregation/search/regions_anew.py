"""Regions from nothing: some groups and what lies between them, searched as if never grouped.

A long search ends in a state that no few moves better, and what two such states share may be wrong
in both. The records of one group and those nearest to it are few enough for a short search to reach
what is lowest there from many beginnings, and a better one for them is a better one for all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tokumei import _check
from tokumei.microaggregation.methods.vmdav import vmdav_of

# The groups of some records, from those they are in.
Searched = Callable[[_check.Labels, _check.Labels, _check.Run], _check.Labels]
# What groups of some records cost.
Cost = Callable[[_check.Labels, _check.Labels], float]
# What is told of each partition on the way.
Met = Callable[[_check.Labels], object]

# Groups of a region: wide ones move what many groups share, narrow ones are searched best. Tables
# of fewer are no regions.
SIZES = (80, 40, 20)
# Regions of each size. Their middles are drawn by the root of what groups cost: where much is lost
# there is more to gain, but not only there.
REGIONS = 60
# V-MDAV begins with a gamma up to this.
MOST_GAMMA = 3.0


def anew(
    labels: _check.Labels,
    k: int,
    points: _check.Floats,
    cost: Cost,
    searched: Searched,
    met: Met,
    rng: np.random.Generator,
    run: _check.Run,
) -> None:
    """Tells of each partition that costs less than the one before.

    A region is searched from slices across a random direction, from groups of V-MDAV and from those
    it has, by turns.
    """
    for size, part in zip(SIZES, run.parts(len(SIZES)), strict=True):
        if size > labels.max():
            continue
        for turn in range(REGIONS):
            part.tell(turn / REGIONS)
            means = _means(points, labels)
            near = _nearest(means, _middle(points, labels, means, rng))
            rows = np.flatnonzero(np.isin(labels, near[:size]))
            now = np.unique(labels[rows], return_inverse=True)[1].astype(np.int64)
            begin = now if turn % 3 == 0 else _begin(points[rows], k, turn % 3 == 1, rng, run)
            found = searched(rows, begin, part.part(turn / REGIONS, (turn + 1) / REGIONS))
            if cost(rows, found) < cost(rows, now):
                labels = labels.copy()
                labels[rows] = found + len(labels)
                labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
                met(labels)


def _middle(
    points: _check.Floats, labels: _check.Labels, means: _check.Floats, rng: np.random.Generator
) -> int:
    """A group, drawn by the root of its cost."""
    costs = np.bincount(labels, ((points - means[labels]) ** 2).sum(axis=1))
    share = np.sqrt(costs) + 1e-300
    return int(rng.choice(len(share), p=share / share.sum()))


def _begin(
    points: _check.Floats, k: int, in_slices: bool, rng: np.random.Generator, run: _check.Run
) -> _check.Labels:
    """Groups from nothing."""
    if in_slices:
        return _slices(points, k, rng)
    return vmdav_of(np.asfortranarray(points), k, run.silent(), rng.uniform(0.0, MOST_GAMMA))


def _nearest(means: _check.Floats, group: int) -> _check.Labels:
    """The groups by the distance of their means from that of one, itself the first."""
    apart = ((means - means[group]) ** 2).sum(axis=1)
    apart[group] = -1.0
    return np.argsort(apart, kind="stable")


def _means(points: _check.Floats, labels: _check.Labels) -> _check.Floats:
    sizes = np.bincount(labels)
    return np.stack([np.bincount(labels, column) / sizes for column in points.T], axis=1)


def _slices(points: _check.Floats, k: int, rng: np.random.Generator) -> _check.Labels:
    """Groups of k, the last of up to 2k-1, one behind the other in a random direction."""
    order = np.argsort(points @ rng.normal(size=points.shape[1]), kind="stable")
    labels = np.empty(len(points), dtype=np.int64)
    labels[order] = np.minimum(np.arange(len(points)) // k, len(points) // k - 1)
    return labels
