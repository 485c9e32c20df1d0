"""Loss of the entropy of what is published.

Logarithms are natural. Entropies are sums over distinct values, rounded once: they do not depend on
the order of the records or of the values.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.loss.tables.counts import weighed
from tokumei.values.columns import coded, pair


def entropy(original: Any, masked: Any, *, record_weights: ArrayLike | None = None) -> float:
    """Entropy loss: the share of the Shannon entropy of the values that masking took away.

    It is ``(H(X) - H(Y)) / H(X)``, H being the entropy of the frequencies of the values. For nk
    distinct values that are replaced in n groups of k it is ``log(k) / log(n * k)``. It is negative
    where masking made values more various.

    Parameters
    ----------
    original, masked : sequence of shape (n,)
        The value of each record before and after, values of any kind.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.entropy(["a", "b", "c", "d"], ["ab", "ab", "cd", "cd"])
    0.5
    """
    original, masked = pair(original, masked)
    weights = weighed(record_weights, len(original))
    before = entropy_of(coded(original, "original")[0], weights)
    if before == 0.0:
        msg = "original has no information to lose: all its values are equal"
        raise ValueError(msg)
    return (before - entropy_of(coded(masked, "masked")[0], weights)) / before


def entropy_of(codes: _check.Labels, weights: _check.Floats | None = None) -> float:
    """Shannon entropy of the frequencies of codes."""
    if weights is not None:
        shares = np.bincount(codes, weights) / weights.sum()
        shares = shares[shares > 0.0]
        return math.fsum(-shares * np.log(shares))
    counts = np.bincount(codes)
    count, times = np.unique(counts[counts > 0], return_counts=True)
    return math.fsum(times * count / len(codes) * np.log(len(codes) / count))
