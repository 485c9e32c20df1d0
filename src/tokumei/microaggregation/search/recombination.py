"""Partitions recombined: what two good ones disagree about is searched again.

A group that both found stays, and the records of all others are searched from the better of the
two: so many perturbations a record as in a whole table, of a table that is a part of it. What comes
out takes the worse one's place where it is better than both. This is for partitions what crossovers
that keep common edges are for tours (Whitley, 2009).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from tokumei import _check

# The groups of some records anew, from those they are in, by the number of the try.
Searched = Callable[[_check.Labels, _check.Labels, int], _check.Labels]


def recombined(
    members: list[_check.Labels], k: int, sse: Callable[[_check.Labels], float], searched: Searched
) -> Iterator[_check.Labels]:
    """The partitions that come of pairs of members, as they come; every two members meet once.

    In each round of a tournament each meets another, the worse of which is replaced.
    """
    losses = [sse(each) for each in members]
    tries = 0
    for pairs in _rounds(len(members)):
        for one, other in pairs:
            better, worse = (one, other) if losses[one] <= losses[other] else (other, one)
            rows = np.flatnonzero(~_shared(members[better], members[worse]))
            if len(rows) < 2 * k:
                continue
            labels = members[better].copy()
            begin = np.unique(labels[rows], return_inverse=True)[1]
            labels[rows] = searched(rows, begin, tries) + len(labels)
            tries += 1
            labels = np.unique(labels, return_inverse=True)[1].astype(np.int64)
            loss = sse(labels)
            if loss < losses[better]:
                members[worse], losses[worse] = labels, loss
            yield labels


def _rounds(count: int) -> Iterator[list[tuple[int, int]]]:
    """Pairs such that each of an even number meets each other one in one of the rounds."""
    others = list(range(1, count))
    for turn in range(count - 1):
        order = [0, *others[turn:], *others[:turn]]
        yield [(order[place], order[-1 - place]) for place in range(count // 2)]


def _shared(one: _check.Labels, other: _check.Labels) -> NDArray[np.bool_]:
    """Whether a record is in the same group in both."""
    _, pair, often = np.unique(
        one * (int(other.max()) + 1) + other, return_inverse=True, return_counts=True
    )
    common = often[pair]
    same = (common == np.bincount(one)[one]) & (common == np.bincount(other)[other])
    return np.asarray(same, dtype=bool)
