"""Scores of an attribute's cells, and how much of each the noise leaves.

Every table of two attributes is p q (1 + sum x_kl u_k v_l) with scores u and v of mean 0, variance
1 and no correlation among themselves: a correspondence analysis. Where cells have an order the
scores are Hermite polynomials of the normal score, and the copula of correlation r has x_kk = r^k;
where they have none, any scores are as good, and so that they change smoothly with the margin they
are columns of a reflection that takes one axis to the root of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats
from tokumei.reconstruct.cells.transitions import CellTransition
from tokumei.reconstruct.joint.copula import loadings

# Of an order so many polynomials, each expected to count this much less than the one before.
POLYNOMIALS, DECAY = 8, 0.7
_LEAST = 1e-12
# Categories beyond so many have no scores, and begin independent: the passes would take minutes.
MOST_CATEGORIES = 1000


def scored(margins: Floats, *, ordered: bool) -> Floats:
    """Scores times probabilities of cells (one margin or rows of them), the scores last.

    Those of an order shrink by `DECAY`, as what they are multiplied by is expected to.
    """
    shares = np.maximum(margins, _LEAST)
    shares = shares / shares.sum(axis=-1, keepdims=True)
    if ordered:
        terms = min(POLYNOMIALS, margins.shape[-1] - 1)
        return loadings(shares, terms)[..., 1:] * DECAY ** np.arange(terms)
    root = np.sqrt(shares)
    normal = root + np.eye(root.shape[-1])[0]
    weight = 2.0 / (normal * normal).sum(axis=-1)[..., None, None]
    mirror = weight * normal[..., :, None] * normal[..., None, :] - np.eye(root.shape[-1])
    return np.asarray(root[..., :, None] * mirror[..., 1:])


@dataclass(frozen=True)
class Side:
    """An attribute as the noise shows it: scores turned so that each is seen by itself.

    `strengths` (falling, 0 to 1) is how much of each is left; `released` takes a table of released
    shares to them, in units of its own error where nothing goes together; `cells` are scores times
    probabilities; `turned` makes them of those of another margin. `size` is how many scores there
    are, those of an order counted as little as they are expected to matter.
    """

    margin: Floats
    strengths: Floats
    released: Floats
    cells: Floats
    turned: Floats
    ordered: bool
    size: float

    def of(self, margins: Floats) -> Floats:
        """The same scores of other margins (rows), times their probabilities."""
        return np.asarray(scored(margins, ordered=self.ordered) @ self.turned)


def side_of(transition: CellTransition, margin: Floats, *, ordered: bool) -> Side:
    """The scores of a margin behind the noise. Costs the cube of the number of cells."""
    shares = np.maximum(margin, _LEAST)
    shares = shares / shares.sum()
    if not ordered and len(shares) > MOST_CATEGORIES:
        none = np.empty(0)
        return Side(shares, none, none, none, none, ordered, 0.0)
    scores = scored(shares, ordered=ordered)
    matrix = transition.matrix()
    root = np.sqrt(np.maximum(matrix @ shares, 1e-300))
    left, strengths, right = np.linalg.svd(matrix @ scores / root[:, None], full_matrices=False)
    count = scores.shape[1]
    size = float((DECAY ** (2 * np.arange(count))).sum()) if ordered else float(count)
    released = left / root[:, None]
    return Side(shares, strengths, released, scores @ right.T, right.T, ordered, size)
