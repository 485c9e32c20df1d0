"""What linkage came to in a perturbed release, beside what was promised: for the private record.

The promise holds for the worst table and the worst draw; this is for the table and the draw at
hand, against an adversary who knows all originals. It follows from the originals, and so it is
never published.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei._check import Floats
from tokumei.noise import Attribute, Perturbed
from tokumei.noise.coding import coded
from tokumei.risk.noise_attack import linkage

# Different originals x records, and records, up to which a release is held up no longer than some
# tenths of a second; beyond, `tk.risk.noise_attack` measures as long as it takes.
MOST_NUMBERS, MOST_RECORDS = 2**20, 4000
SWEEPS = 150


def measured(values: Sequence[Any], done: Perturbed) -> dict[str, Any] | None:
    """Largest and mean posterior of links; None where the table is too large for it.

    `values` are the originals as they came. None, too, where a column says by a cell of its own
    which numbers are missing: such a cell is no value that a channel has a density of.
    """
    if any(one.flags_missing for one in done.attributes) or done.rows > MOST_RECORDS:
        return None
    each = zip(values, done.columns, done.attributes, done.channels, strict=True)
    truth, noisy = [], []
    for original, released, attribute, channels in each:
        known = _numbers(original, attribute)
        truth.append(np.clip(known, channels[0].lower, channels[0].upper))
        noisy.append(_numbers(released, attribute))
    before, after = np.stack(truth, axis=1), np.stack(noisy, axis=1)
    if len(np.unique(before, axis=0)) * len(before) > MOST_NUMBERS:
        return None
    through = tuple(channels[0] for channels in done.channels)
    chance = np.random.default_rng(0)
    found = linkage(before, after, through, "everyone", "auto", None, chance, SWEEPS).to_dict()
    del found["correct"], found["records"]
    return found


def _numbers(values: Any, attribute: Attribute) -> Floats:
    """Numbers or the codes of categories; the last code is that of what is missing."""
    numbers = coded(values, attribute, "the column")
    if attribute.categories is not None:
        numbers = np.where(np.isnan(numbers), float(len(attribute.categories)), numbers)
    return np.asarray(numbers)
