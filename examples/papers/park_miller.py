"""The random numbers of the ILD thesis: the generator that macOS' ``rand()`` used to be.

s <- 16807 s mod (2^31 - 1) and u = s / (2^31 - 1) (S. K. Park, K. W. Miller, "Random number
generators: good ones are hard to find", Communications of the ACM 31, 1988). The seed 0, which
would stay 0, stands for 123459876.
"""

from __future__ import annotations

import numpy as np

MODULUS, MULTIPLIER = 2**31 - 1, 16_807
FOR_ZERO = 123_459_876
BLOCK = 4_096


def uniforms(count: int, seed: int) -> np.ndarray:
    """So many numbers between 0 and 1."""
    powers = np.empty(BLOCK, dtype=np.uint64)
    power = 1
    for i in range(BLOCK):
        power = power * MULTIPLIER % MODULUS
        powers[i] = power
    found = np.empty(count)
    state = seed or FOR_ZERO
    for begin in range(0, count, BLOCK):
        states = powers * np.uint64(state) % np.uint64(MODULUS)
        state = int(states[-1])
        found[begin : begin + BLOCK] = (states / MODULUS)[: count - begin]
    return found


def normals(count: int, seed: int) -> np.ndarray:
    """Nearly standard normal numbers: the mean of six uniform ones each, standardised."""
    means = uniforms(6 * count, seed).reshape(-1, 6).mean(axis=1)
    return (means - 0.5) / np.sqrt(1 / 72)
