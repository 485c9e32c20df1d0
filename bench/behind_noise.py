"""Records of a population of cells, and what noise makes of their attributes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import tokumei as tk

Floats = NDArray[np.float64]
RECORDS = 30_000


def behind_noise(
    p: Floats,
    channels: Sequence[tk.noise.Channel],
    census: int | None,
    chance: np.random.Generator,
    number: int,
) -> tuple[NDArray[np.int64], list[Floats]]:
    """Records of a population, as counts of its cells, and their attributes as released."""
    sample = (
        np.rint(census * p.reshape(-1)).astype(np.int64)
        if census
        else chance.multinomial(RECORDS, p.reshape(-1))
    )
    at = np.unravel_index(np.repeat(np.arange(p.size), sample), p.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # noise of a seed is not private, and need not be
        y = [
            channel.perturb(column.astype(float), insecure_seed_for_tests=2 * number + axis)
            for axis, (channel, column) in enumerate(zip(channels, at, strict=True))
        ]
    return sample, y
