"""Downcoding: a published set holds nothing that no member has, so its values can be given back.

The adversary has the release alone, and knows that the set of a class is the smallest one and how
many members the class has: each of its values is somebody's, and where there are as many values as
members each is exactly one person's (Cohen 2022; refinement by counting as in Chhillar et al.
2025). It claims of a value of the set that exactly one of the class has it. The control takes any
value that the column has, as one would who takes the set for no more than a bound. Where each set
is as large as its class the claims are certain. Intervals are attacked by their tight ends.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from tokumei._check import Labels
from tokumei.risk.attacks.outcome import Attack

KNOWS = "the release, and that sets are the smallest ones"


def members_of(text: str) -> list[str]:
    """The values of a set that is written as ``{a, b}``; of one value it is the value."""
    if text.startswith("{") and text.endswith("}"):
        return text[1:-1].split(", ")
    return [text]


def downcoding(
    classes: Labels, sets: Sequence[Sequence[str]], truth: Sequence[str], column: Hashable
) -> Attack:
    """Claim values of the set of each class; the set and the original value of each record."""
    values = {value: place for place, value in enumerate(sorted({v for s in sets for v in s}))}
    kinds = len(values) + 1  # the last is what no set holds
    codes = np.array([values.get(value, kinds - 1) for value in truth])
    counts = np.bincount(classes * kinds + codes, minlength=(int(classes.max()) + 1) * kinds)
    alone = counts.reshape(-1, kinds)[:, :-1] == 1
    _, first = np.unique(classes, return_index=True)
    tried = [number for number, row in enumerate(first) if len(sets[row]) > 1]
    certain = sum(int((classes == n).sum()) == len(sets[first[n]]) for n in tried)
    return Attack(
        f"downcoding of {column}",
        KNOWS,
        successes=sum(float(np.mean(alone[n, [values[v] for v in sets[first[n]]]])) for n in tried),
        attempts=len(tried),
        control_successes=float(alone[tried].mean(axis=1).sum()) if tried else 0.0,
        control_attempts=len(tried),
        note=f"certain in {certain} classes" if certain else "",
    )
