"""Entropy-based information loss: how uncertain published values leave the original ones.

Logarithms are natural; sums over distinct values are rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.loss.tables.counts import cells, combine, weighed
from tokumei.recode.pram import Transition
from tokumei.recode.recoding import Recoding
from tokumei.values.columns import coded, pair, shared


def ebil(
    original: Any,
    masked: Any,
    transition: Transition | Recoding | Mapping[Any, Any] | ArrayLike | None = None,
    *,
    categories: Sequence[Any] | None = None,
    record_weights: ArrayLike | None = None,
) -> float:
    """Entropy-based information loss: how uncertain the published values leave the original ones.

    For each record the entropy ``H(V | V' = j)`` of the original category V, given that j was
    published, is taken from Bayes' rule: the prior is the frequency of the categories in
    `original`, the likelihood the transition probability ``P(V' = j | V = i)``. The result is the
    sum over the records.

    Parameters
    ----------
    original, masked : sequence of shape (n,)
        The category of each record before and after, values of any kind.
    transition : Transition, Recoding, mapping or array_like, optional
        ``transition[i][j]`` is the probability of publishing j for i: what `recode.pram` was given,
        a recoding (0 or 1), a mapping of mappings, or a square array with `categories`. Without it
        the transition is counted: for a recoding that is 0 or 1, otherwise the share of the records
        of i that became j.
    categories : sequence, optional
        What the rows and the columns of an array stand for.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: it counts as so many.

    Returns
    -------
    float
        0 where every original category is certain; at most n times the entropy of `original`.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.ebil(["farm", "wood", "shop"], ["farm/wood", "farm/wood", "shop"])  # 2 log 2
    1.3862943611198906
    >>> tk.loss.ebil(["a", "b"], ["a", "a"], [[0.5, 0.5], [0.5, 0.5]], categories=["a", "b"])
    1.3862943611198906
    """
    original, masked = pair(original, masked)
    weights = weighed(record_weights, len(original))
    if transition is None:
        before, known = coded(original, "original")
        after, _ = coded(masked, "masked")
        cell, count = cells(*combine([after, before], [int(after.max()) + 1, len(known)]), weights)
        cell, count = cell[count > 0], count[count > 0]
        published = np.bincount(after, weights)[cell // len(known)]
        return math.fsum(count * np.log(published / count))
    (before, after), known = shared([original, masked], ["original", "masked"])
    old, new, chance = _transition(transition, categories, known, before)
    joint = np.bincount(before, weights, len(known))[old] * chance
    old, new, joint = old[joint > 0.0], new[joint > 0.0], joint[joint > 0.0]
    reached = np.bincount(new, weights=joint, minlength=len(known))
    records = np.bincount(after, weights, len(known))
    impossible = int(np.bincount(after, minlength=len(known))[reached == 0.0].sum())
    if impossible:
        msg = f"masked holds {impossible} values that transition cannot produce"
        raise ValueError(msg)
    posterior = joint / reached[new]
    return math.fsum(records[new] * posterior * -np.log(posterior))


def _transition(
    given: Transition | Recoding | Mapping[Any, Any] | ArrayLike,
    categories: Sequence[Any] | None,
    known: Sequence[Any],
    before: _check.Labels,
) -> tuple[_check.Labels, _check.Labels, _check.Floats]:
    """The transitions between known categories: from, to, probability; checked."""
    if isinstance(given, Transition):
        given = {
            old: dict(zip(given.categories, row, strict=True))
            for old, row in zip(given.categories, given.matrix.tolist(), strict=False)
        }
    elif isinstance(given, Recoding):
        given = {old: {new: 1.0} for old, new in given.mapping.items()}
    elif not isinstance(given, Mapping):
        given = _named(given, categories)
    code_of = {value: code for code, value in enumerate(known)}
    found = []
    missing = np.ones(len(known), dtype=bool)
    for row, (old, chances) in enumerate(given.items()):
        if not isinstance(chances, Mapping):
            msg = f"transition: row {row} must map categories to probabilities"
            raise TypeError(msg)
        _check.probabilities(list(chances.values()), f"transition: row {row}")
        if old in code_of:
            missing[code_of[old]] = False
            found += [
                (code_of[old], code_of[new], chance)
                for new, chance in chances.items()
                if new in code_of
            ]
    lacking = int(missing[before].sum())
    if lacking:
        msg = f"transition has no row for {lacking} values of original"
        raise ValueError(msg)
    entries = np.array(found, dtype=np.float64).reshape(-1, 3)
    return entries[:, 0].astype(np.int64), entries[:, 1].astype(np.int64), entries[:, 2]


def _named(matrix: ArrayLike, categories: Sequence[Any] | None) -> dict[Any, dict[Any, float]]:
    array = np.asarray(matrix)
    if array.dtype.kind not in "biuf":
        msg = f"transition must be numeric, got values of kind {array.dtype.name}"
        raise TypeError(msg)
    if categories is None:
        msg = "transition as an array needs categories=, the names of its rows and columns"
        raise ValueError(msg)
    size = len(set(categories))
    if size < len(categories) or array.shape != (size, size):
        msg = (
            "transition must have one row and one column for each of the "
            f"{len(categories)} categories, all different; got {size} different ones and "
            f"shape {array.shape}"
        )
        raise ValueError(msg)
    return {
        old: dict(zip(categories, row, strict=True))
        for old, row in zip(categories, array.tolist(), strict=True)
    }
