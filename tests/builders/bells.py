"""A bell of whole numbers, and the noise on it."""

import numpy as np

import tokumei as tk


def laplace(scale=4.0, lower=0, upper=40):
    return tk.noise.laplace(scale, lower=lower, upper=upper, integer=True)


def bell(n=6000, seed=1):
    return np.random.default_rng(seed).binomial(40, 0.5, n).astype(float)
