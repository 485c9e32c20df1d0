"""Columns of any kind as coordinates, so that every method of numbers serves them too.

Squared Euclidean distances between the coordinates are the squared product distance of the columns:
each attribute brings total variance 1 (times its weight), whatever its kind.

- A number is itself, standardized.
- A nominal category v is the corner v of a simplex: any two different categories are equally far.
- An ordinal category is its rank, standardized.
- A node of a tree is the set of the edges above it: the squared distance of two nodes is the number
  of edges on the path between them.

Missing values (NaN, or a negative code) take the mean's place ("impute": attracting nobody) or are
a category of their own ("category": they attract one another).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tokumei import _check
from tokumei.microaggregation.standardize import standardize_of

# A nominal attribute takes as many coordinates as it has categories.
MOST_CATEGORIES = 512


def numbers(values: _check.Floats, missing: str, run: _check.Run) -> _check.Floats:
    """Coordinates of a numeric or ordinal attribute, NaN being missing."""
    absent = np.isnan(values)
    if absent.all():
        return np.zeros((len(values), 0))
    if not absent.any():
        return standardize_of(values[:, None], run)
    present = standardize_of(values[~absent][:, None], run)[:, 0]
    coordinates = np.zeros((len(values), 1))
    coordinates[~absent, 0] = present
    if missing == "category":
        unknown = standardize_of(absent[:, None].astype(float), run)
        coordinates = np.column_stack([coordinates, unknown])
    return unit_variance(coordinates)


def nominal(codes: _check.Labels, missing: str, run: _check.Run) -> _check.Floats:
    """Coordinates of a nominal attribute, negative codes being missing."""
    absent = codes < 0
    if absent.any() and missing == "category":
        codes = np.where(absent, codes.max() + 1, codes)
        absent = codes < 0
    used, codes = np.unique(codes, return_inverse=True)
    if absent.any():
        used, codes = used[1:], codes - 1
    if len(used) < 2:
        return np.zeros((len(codes), 0))
    if len(used) > MOST_CATEGORIES:
        msg = (
            f"a nominal attribute has {len(used)} categories, more than {MOST_CATEGORIES}; "
            "recode it first, or give it an order or a tree"
        )
        raise ValueError(msg)
    if len(used) == 2 and not absent.any():
        return standardize_of(codes[:, None].astype(float), run)
    corners = np.zeros((len(codes), len(used)))
    rows = np.flatnonzero(~absent)
    corners[rows, codes[rows]] = 1.0
    return unit_variance(corners)


def tree(codes: _check.Labels, above: Sequence[_check.Labels], missing: str) -> _check.Floats:
    """Coordinates of a tree attribute; ``above[v]`` are the edges on the way from v to the root."""
    absent = codes < 0
    edges = 1 + max((int(path.max()) for path in above if len(path)), default=-1)
    own = 1 if absent.any() and missing == "category" else 0
    ways = np.zeros((len(above) + 1, edges + own))
    for node, path in enumerate(above):
        ways[node, path] = 1.0
    if own:
        ways[-1, -1] = 1.0
    coordinates = ways[codes]
    if absent.any() and not own:
        coordinates[absent] = coordinates[~absent].mean(axis=0) if not absent.all() else 0.0
    varying = coordinates.min(axis=0) != coordinates.max(axis=0)
    return unit_variance(coordinates[:, varying])


def unit_variance(coordinates: _check.Floats) -> _check.Floats:
    """The coordinates on the scale on which their variances sum to 1."""
    total = float(coordinates.var(axis=0).sum())
    return coordinates / np.sqrt(total) if total > 0 else coordinates


def join(blocks: Sequence[_check.Floats], weights: _check.Floats | None) -> _check.Floats:
    """The coordinates of all attributes side by side, each times the root of its weight."""
    scales = np.ones(len(blocks)) if weights is None else np.sqrt(weights)
    rows = len(blocks[0])
    parts = [block * scale for block, scale in zip(blocks, scales, strict=True) if block.shape[1]]
    # Attributes that do not vary leave no coordinate; a table needs one all the same.
    return np.asfortranarray(np.hstack(parts) if parts else np.zeros((rows, 1)))
