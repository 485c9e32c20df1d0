"""The synthetic mixture of the paper."""

from __future__ import annotations

import numpy as np


def paper_data(rows, scale, seed=0):
    """The paper's synthetic mixture, with noise."""
    chance = np.random.default_rng(seed)
    member = chance.choice(4, rows, p=[0.1, 0.6, 0.2, 0.1])
    x = chance.normal(np.array([-1.0, 3, 5, 9])[member], np.sqrt([0.1, 0.2, 0.5, 0.01])[member])
    return x, x + chance.laplace(0, scale, rows)
