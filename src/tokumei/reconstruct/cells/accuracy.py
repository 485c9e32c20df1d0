"""How close a reconstruction comes to the truth, where the truth is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check


def l1_accuracy(probabilities: ArrayLike, truth: ArrayLike) -> float:
    """The share of the probability that is in the right cell, in per cent.

    It is ``100 * (1 - sum(abs(p - q)) / 2)``.

    Parameters
    ----------
    probabilities, truth : array_like
        Probabilities of the same cells, of any shape. Counts are divided by their sum.

    Returns
    -------
    float
        From 0 (no cell in common) to 100 (equal).

    Examples
    --------
    >>> import tokumei as tk
    >>> round(tk.reconstruct.l1_accuracy([0.5, 0.3, 0.2], [5, 4, 1]), 9)
    90.0
    """
    p, q = np.asarray(probabilities), np.asarray(truth)
    if p.shape != q.shape:
        msg = f"probabilities and truth must have the same cells, got {p.shape} and {q.shape}"
        raise ValueError(msg)
    p = _check.weights(p.ravel(), p.size, "probabilities")
    q = _check.weights(q.ravel(), q.size, "truth")
    return float(100.0 - 50.0 * np.abs(p / p.sum() - q / q.sum()).sum())
