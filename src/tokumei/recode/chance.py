"""Categories drawn with given chances from the operating system's randomness.

Draws are 64-bit words of the operating system, compared with whole-number borders: a probability is
held as a number of 2^-64 parts, so no draw depends on how a float was rounded. If the operating
system has no randomness to give, its error is passed on; nothing takes its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tokumei import _check

WORDS = 2**64
Words = Callable[[int], NDArray[np.uint64]]
# Records drawn at a time: the words and what is made of them stay in the cache.
BLOCK = 1 << 16


def borders(probabilities: _check.Floats) -> NDArray[np.uint64]:
    """For each row of probabilities the words below which each category but the last is drawn.

    Rows are scaled to sum to exactly one; rounding goes to the last category that can be drawn.
    """
    rows = np.empty((len(probabilities), probabilities.shape[1]), dtype=object)
    for i, row in enumerate(probabilities):
        exact = [Fraction(float(p)) for p in row]
        whole, total = sum(exact), Fraction(0)
        last = max(j for j, p in enumerate(exact) if p)
        for j, p in enumerate(exact):
            total += p
            rows[i, j] = WORDS if j >= last else int(total * WORDS / whole)
    # The last border is never reached and does not fit into a word.
    return np.minimum(rows, WORDS - 1).astype(np.uint64)


def fresh(count: int) -> NDArray[np.uint64]:
    """Words of the operating system."""
    return np.frombuffer(os.urandom(8 * count), dtype=np.uint64)


def draw(
    codes: _check.Labels, probabilities: _check.Floats, words_of: Words = fresh
) -> _check.Labels:
    """For each code a category, drawn with the probabilities of its row."""
    edges = borders(probabilities)
    possible = probabilities > 0
    last = possible.shape[1] - 1 - np.argmax(possible[:, ::-1], axis=1)
    drawn = np.empty(len(codes), dtype=np.int64)
    for begin in range(0, len(codes), BLOCK):
        part = codes[begin : begin + BLOCK]
        words = words_of(len(part))
        found = np.zeros(len(part), dtype=np.int64)
        for code in np.unique(part):
            mine = part == code
            found[mine] = np.searchsorted(edges[code, : last[code]], words[mine], side="right")
        drawn[begin : begin + BLOCK] = found
    return drawn
