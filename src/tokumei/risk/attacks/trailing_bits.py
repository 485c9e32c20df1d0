"""Trailing bits of noise: the last bits of a sum of floats tell how large its first part was.

A float and noise that is a float have a sum whose last bit is worth at least half of the last bit
of the float (Mironov 2012; Haney et al. 2022). The adversary knows that a person has one of two
values, and the released one: where that is no multiple of what the larger of the two leaves, it was
the smaller, else it says the larger. By chance half of that is right. Noise on a fixed lattice has
the same last bits whatever it was added to. Whose record it is is known only to who made the
release.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from tokumei._check import Floats, Labels
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records

KNOWS = "two values of which a person has one"


def trailing_bits(
    original: Records,
    release: Records,
    rows: Labels,
    column: Hashable,
    *,
    attacks: int,
    chance: np.random.Generator,
) -> Attack:
    """Tell which of two values became each released number; `rows` are the originals."""
    truth, noisy = original.cells[column][rows], release.cells[column]
    other = original.cells[column][chance.permutation(len(original))[: len(rows)]]
    told = np.isfinite(truth) & np.isfinite(noisy) & np.isfinite(other)
    told &= grain(truth) != grain(other)
    own, other, noisy = (each[told][:attacks] for each in (truth, other, noisy))
    larger = np.maximum(grain(own), grain(other))
    says_larger = np.fmod(noisy, larger) == 0.0
    return Attack(
        f"trailing bits of {column}",
        KNOWS,
        successes=int((says_larger == (grain(own) == larger)).sum()),
        attempts=len(own),
        control_successes=0.5 * len(own),
        control_attempts=len(own),
        note="half of them by chance",
    )


def grain(values: Floats) -> Floats:
    """What a sum of each value and any float is a multiple of."""
    found: Floats = 0.5 * np.spacing(np.abs(values))
    return found
