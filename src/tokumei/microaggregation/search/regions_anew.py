"""Regions from nothing: some groups and what lies between them, searched as if never grouped.

A long search ends in a state that no few moves better, and what two such states share may be wrong
in both. The records of one group and those nearest to it are few enough for a short search to reach
what is lowest there from many beginnings, and a better one for them is a better one for all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tokumei import _check

# The groups of some records, from those they are in.
Searched = Callable[[_check.Labels, _check.Labels, _check.Run], _check.Labels]
# What groups of some records cost.
Cost = Callable[[_check.Labels, _check.Labels], float]
# What is told of each partition on the way.
Met = Callable[[_check.Labels], object]

# Groups of a region: wide ones move what many groups share, narrow ones are searched best. A
# quarter of them, around its middle, are the middle of no other. Tables of fewer are no regions.
SIZES = (80, 40, 20)


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
    """Tells of the partition after each region; it never costs more than the one before.

    A region is searched from slices across a random direction and from the groups it has, by turns.
    """
    turn = 0
    for size, part in zip(SIZES, run.parts(len(SIZES)), strict=True):
        done = np.full(len(labels), size > labels.max())
        for record in rng.permutation(len(labels)).tolist():
            if done[record]:
                continue
            share = float(done.mean())
            part.tell(share)
            near = _nearest(points, labels, record)
            done |= np.isin(labels, near[: size // 4])
            rows = np.flatnonzero(np.isin(labels, near[:size]))
            now = np.unique(labels[rows], return_inverse=True)[1].astype(np.int64)
            turn += 1
            begin = now if turn % 2 else _slices(points[rows], k, rng)
            found = searched(rows, begin, part.part(share, share))
            if cost(rows, found) < cost(rows, now):
                labels = labels.copy()
                labels[rows] = found + len(labels)
                labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
            met(labels)


def _nearest(points: _check.Floats, labels: _check.Labels, record: int) -> _check.Labels:
    """The groups by the distance of their means from that of a record's group, itself the first."""
    sizes = np.bincount(labels)
    means = np.stack([np.bincount(labels, column) / sizes for column in points.T], axis=1)
    apart = ((means - means[labels[record]]) ** 2).sum(axis=1)
    apart[labels[record]] = -1.0
    return np.argsort(apart, kind="stable")


def _slices(points: _check.Floats, k: int, rng: np.random.Generator) -> _check.Labels:
    """Groups of k, the last of up to 2k-1, one behind the other in a random direction."""
    order = np.argsort(points @ rng.normal(size=points.shape[1]), kind="stable")
    labels = np.empty(len(points), dtype=np.int64)
    labels[order] = np.minimum(np.arange(len(points)) // k, len(points) // k - 1)
    return labels
