"""Columns of numbers that hurt: offsets, heavy tails, ties, clusters far apart."""

import numpy as np


def values(kind, n, seed):
    """Columns that hurt: offsets, heavy tails, ties, clusters far apart."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    return {
        "normal": x,
        "offset 1e6": x + 1e6,
        "offset 1e8": x + 1e8,
        "seconds": 1.7e9 + rng.integers(0, 86_400, n),
        "parts of seconds": 1.7e9 + rng.uniform(0, 86_400, n),
        "lognormal": np.exp(3 * x),
        "cauchy": rng.standard_cauchy(n),
        "ties": rng.integers(0, 5, n).astype(float),
        "constant": np.full(n, x[0]),
        "clusters": np.where(rng.random(n) < 0.5, 1e-6 * x, 1e9 + x),
        "steps": 1e-9 * x + rng.integers(0, 3, n),
        "signed zeros": np.where(rng.random(n) < 0.5, -0.0, 0.0) * x,
    }[kind]


KINDS = (
    "normal",
    "offset 1e6",
    "offset 1e8",
    "seconds",
    "parts of seconds",
    "lognormal",
    "cauchy",
    "ties",
    "constant",
    "clusters",
    "steps",
    "signed zeros",
)
