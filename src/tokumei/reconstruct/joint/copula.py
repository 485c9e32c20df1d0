"""The Gaussian copula on cells: two margins and one correlation make a table.

Mehler's series: with orthonormal Hermite polynomials h_k the normal density of correlation r is the
product of its margins times sum r^k h_k(a) h_k(b). Summed over cells this is a product of two small
matrices, one for each margin, and only the powers between them depend on r.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from tokumei._check import Floats

# The furthest correlation, and as many terms as it needs: the rest is below 3 % of a cell there,
# and below 1e-7 of it at 0.9.
FURTHEST, TERMS = 0.98, 160
_LEAST = 1e-15


def loadings(margins: Floats, terms: int = TERMS) -> Floats:
    """The mean of h_0, h_1, ... over each cell times its probability, the terms last.

    `margins` are probabilities of cells, one margin or rows of them.
    """
    shares = margins / margins.sum(axis=-1, keepdims=True)
    below = np.clip(np.cumsum(shares, axis=-1)[..., :-1], 1e-12, 1.0 - 1e-12)
    normal = NormalDist()
    at = np.array([normal.inv_cdf(share) for share in below.reshape(-1)]).reshape(below.shape)
    held = np.empty((*shares.shape, terms + 1))
    held[..., 0] = shares
    # h_k integrates to -phi h_(k - 1) / sqrt(k), which is nothing at both ends.
    before, now = np.zeros_like(at), np.exp(-0.5 * at**2) / np.sqrt(2.0 * np.pi)
    for k in range(1, terms + 1):
        held[..., k] = -np.diff(now, axis=-1, prepend=0.0, append=0.0) / np.sqrt(k)
        before, now = now, (at * now - np.sqrt(k - 1.0) * before) / np.sqrt(k)
    return held


def copula(first: Floats, second: Floats, correlation: float) -> Floats:
    """The table of two margins, given by their loadings, and a correlation of normal scores."""
    terms = 1
    if correlation != 0.0:
        terms = min(first.shape[1], 2 + int(np.log(1e-9) / np.log(abs(correlation))))
    powers = correlation ** np.arange(terms)
    table = np.maximum(np.einsum("ik,jk->ij", first[:, :terms] * powers, second[:, :terms]), _LEAST)
    return np.asarray(table / table.sum())
