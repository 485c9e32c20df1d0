"""The posterior of links in a large table: likelihoods scaled to sums of 1, and how far it is off.

Every record was released once and every released record is somebody's, so the posterior has rows
and columns of sum 1. Scaling the likelihoods to such sums (Sinkhorn & Knopp 1967) is the mean-field
approximation of the posterior. Its error is measured: permutations are drawn by exchanging what
pairs of released records belong to, each with its conditional probability, and the likeliest links
are compared with how often they occur.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats, Labels

ROUNDS, CLOSE = 2000, 1e-10
CHECKED, CHAINS, KEPT = 64, 8, 1000


def by_scaling(
    logs: Floats, counts: Labels, chance: np.random.Generator, kept: int = KEPT
) -> tuple[Floats, float]:
    """P(a record of this kind (rows) was released as this (columns)), and its measured error.

    Chains keep so many sweeps, after a fifth as many that are not kept.
    """
    posterior = scaled(logs, counts)
    top = np.argsort(posterior, axis=None)[::-1][:CHECKED]
    kinds, places = np.unravel_index(top, posterior.shape)
    held = _sampled(logs, counts, kinds, places, chance, kept)
    # Of a record of the kind: all of one kind are alike.
    means = held.mean(axis=0) / counts[kinds]
    errors = held.std(axis=0, ddof=1) / np.sqrt(CHAINS) / counts[kinds]
    off = np.abs(posterior[kinds, places] - means) + 2.0 * errors
    return posterior, float(off.max())


def scaled(logs: Floats, counts: Labels) -> Floats:
    """Likelihoods times factors of rows and columns, with columns of sum 1 over all records."""
    weights = np.exp(logs - logs.max(axis=1, keepdims=True))
    rows = np.ones(len(counts))
    for _ in range(ROUNDS):
        columns = 1.0 / np.einsum("k,kj->j", counts * rows, weights)
        sums = rows * np.einsum("kj,j->k", weights, columns)
        rows = rows / sums
        if np.abs(sums - 1.0).max() < CLOSE:
            break
    return np.asarray(rows[:, None] * weights * columns)


def _sampled(
    logs: Floats,
    counts: Labels,
    kinds: Labels,
    places: Labels,
    chance: np.random.Generator,
    kept: int,
) -> Floats:
    """How often each of some released records was of a kind, in several chains (rows)."""
    records = logs.shape[1]
    held = np.zeros((CHAINS, len(kinds)))
    half, burnt = records // 2, kept // 5
    for chain in range(CHAINS):
        kind = chance.permutation(np.repeat(np.arange(len(counts)), counts))
        for sweep in range(burnt + kept):
            order = chance.permutation(records)
            one, other = order[:half], order[half : 2 * half]
            a, b = kind[one], kind[other]
            gain = logs[a, other] + logs[b, one] - logs[a, one] - logs[b, other]
            swap = chance.random(half) * (1.0 + np.exp(np.minimum(-gain, 700.0))) < 1.0
            kind[one[swap]], kind[other[swap]] = b[swap], a[swap]
            if sweep >= burnt:
                held[chain] += kind[places] == kinds
    return held / kept
