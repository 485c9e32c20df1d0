"""Numbers some of which were missing: the distribution of those that were there.

Noise hides who has no number: some who have none are released with one, the middle of the bounds
through the channel. That part is known, and is taken away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tokumei._check import Floats
from tokumei.noise.channel import Channel
from tokumei.reconstruct.automatic import distribution
from tokumei.reconstruct.cells.distribution import Distribution


def without_filled(
    y: Floats, channel: Channel, filled: float, *, atoms: Sequence[float], **options: Any
) -> Distribution:
    """The distribution behind released numbers, a share of which, `filled`, stands for none."""
    middle = (channel.lower + channel.upper) / 2.0
    middle = float(np.floor(middle)) if channel.integer else middle
    if middle in atoms or filled <= 0.0:
        return distribution(y, channel, atoms=atoms, **options)
    found = distribution(y, channel, atoms=[*atoms, middle], **options)
    at = found.atoms.tolist().index(middle)
    taken = min(filled, float(found.atom_probabilities[at]))
    cell = int(np.clip(np.searchsorted(found.cells, middle, "right") - 1, 0, len(found.cells) - 2))

    def left(probabilities: Floats) -> Floats:
        rest = probabilities.copy()
        rest[cell] = max(0.0, rest[cell] - taken)
        return np.minimum(1.0, rest / (1.0 - taken))

    return replace(
        found,
        probabilities=left(found.probabilities),
        lower_band=left(found.lower_band),
        upper_band=left(found.upper_band),
        atoms=np.delete(found.atoms, at),
        atom_probabilities=np.delete(found.atom_probabilities, at) / (1.0 - taken),
        baselines={name: each for name, each in found.baselines.items() if "atom" not in name},
    )
