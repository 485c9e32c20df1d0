"""Post-randomisation (PRAM): categories replaced at random, by known chances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei import _check
from tokumei._check.options import share
from tokumei.recode.chance import draw
from tokumei.recode.share import in_label_order
from tokumei.values.columns import coded


@dataclass(frozen=True, eq=False)
class Transition:
    """The chances of each new category for each old one.

    Attributes
    ----------
    categories : tuple
        What the columns, and the first rows, stand for.
    matrix : ndarray of shape (r, m)
        ``matrix[i, j]`` is the probability that category i is published as category j. Categories
        without a row can only be published.
    """

    categories: tuple[Any, ...]
    matrix: _check.Floats


def retention(categories: Sequence[Any], probability: float) -> Transition:
    """A transition that keeps a category with some probability and else draws any of the others.

    Parameters
    ----------
    categories : sequence
        All categories, at least two.
    probability : float
        The probability that a category stays what it is, from 0 to 1.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.recode.retention(["yes", "no", "unknown"], 0.8).matrix.round(3).tolist()
    [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]]
    """
    names = _categories(categories)
    keep = _check.number(probability, "probability")
    if not 0.0 <= keep <= 1.0:
        msg = f"probability must be from 0 to 1, got {probability}"
        raise ValueError(msg)
    if len(names) < 2:
        msg = "categories must be at least two: one alone cannot be exchanged"
        raise ValueError(msg)
    matrix = np.full((len(names), len(names)), (1.0 - keep) / (len(names) - 1))
    np.fill_diagonal(matrix, keep)
    return Transition(names, matrix)


def invariant(
    values: Any, transition: Transition, *, alpha: float = 1.0, least_retention: float = 0.0
) -> Transition:
    """The transition after which every category is expected as often as it was before.

    With the frequencies of `values` as the prior, each published category is traced back by Bayes'
    rule; the two steps together keep the frequencies (two-stage PRAM of Gouweeleuw et al., 1998).
    A rare category loses nearly all its records on that way, whatever the transition keeps:
    `least_retention` holds some of them back.

    Parameters
    ----------
    values : sequence of shape (n,)
        The category of each record.
    transition : Transition
        Any transition that knows all these categories.
    alpha : float
        The share of records that are exchanged at all, from 0 to 1, as sdcMicro mixes: the others
        keep their category. That keeps the frequencies too.
    least_retention : float
        The smallest chance that a record keeps its category, whatever that is, from 0 to 1. Where
        two categories exchange records, they exchange as much less as either of them needs.

    Examples
    --------
    >>> import tokumei as tk
    >>> stays = tk.recode.retention(["a", "b"], 0.75)
    >>> tk.recode.invariant(["a", "a", "a", "b"], stays).matrix.round(3).tolist()
    [[0.8, 0.2], [0.6, 0.4]]
    >>> kept = tk.recode.invariant(["a", "a", "a", "b"], stays, least_retention=0.7)
    >>> kept.matrix.round(3).tolist()
    [[0.9, 0.1], [0.3, 0.7]]
    """
    _check.instance(transition, Transition, "transition")
    if transition.matrix.shape[0] != len(transition.categories):
        msg = "transition must have a row for each of its categories"
        raise ValueError(msg)
    alpha = share(alpha, "alpha")
    least_retention = share(least_retention, "least_retention")
    codes = _codes(values, transition)
    counts = np.bincount(codes, minlength=len(transition.categories))
    return invariant_for(counts, transition, alpha, least_retention)


def invariant_for(
    counts: _check.Labels, transition: Transition, alpha: float, least_retention: float
) -> Transition:
    """The same for categories that stand so often."""
    prior = counts / counts.sum()
    joint = prior[:, None] * transition.matrix
    reached = joint.sum(axis=0)
    back = np.divide(
        joint.T, reached[:, None], where=reached[:, None] > 0, out=np.zeros_like(joint)
    )
    matrix = transition.matrix @ back
    # A category that nobody has could lead to where nobody is: it stays itself.
    absent = prior == 0.0
    matrix[absent] = np.eye(len(prior))[absent]
    matrix /= matrix.sum(axis=1, keepdims=True)
    if alpha < 1.0:
        matrix = alpha * matrix + (1.0 - alpha) * np.eye(len(prior))
    if least_retention > 0.0:
        matrix = _held_back(matrix, least_retention)
    return Transition(transition.categories, matrix)


def _held_back(matrix: _check.Floats, least: float) -> _check.Floats:
    """The same with at least so much on the diagonal, for the same frequencies.

    As many records go from one category to another as come back. The smaller of two factors keeps
    that so, and takes from each row what is too much, or more.
    """
    leaving = 1.0 - np.diag(matrix)
    factors = np.minimum(1.0, (1.0 - least) / np.maximum(leaving, np.finfo(float).tiny))
    held = matrix * np.minimum.outer(factors, factors)
    np.fill_diagonal(held, 0.0)
    np.fill_diagonal(held, np.maximum(least, 1.0 - held.sum(axis=1)))
    return held


def pram(
    values: Any,
    transition: Transition | Mapping[Any, Mapping[Any, float]] | ArrayLike,
    *,
    categories: Sequence[Any] | None = None,
) -> NDArray[Any]:
    """Replace each category by one drawn with the chances of its row.

    The draws come from the operating system's randomness and cannot be repeated: whoever could
    repeat them could undo them.

    Parameters
    ----------
    values : sequence of shape (n,)
        The category of each record.
    transition : Transition, mapping or array_like
        The chances, from `retention`, `invariant`, as ``{old: {new: probability}}``, or as a square
        array with `categories`. Rows sum to 1.
    categories : sequence, optional
        What the rows and columns of an array stand for; by default the sorted values.

    Returns
    -------
    ndarray of object, shape (n,)
        The published category of each record.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.recode.pram(["a", "b"], {"a": {"b": 1.0}, "b": {"b": 1.0}})
    array(['b', 'b'], dtype=object)
    """
    given = _transition(values, transition, categories)
    codes = _codes(values, given)
    names = np.empty(len(given.categories), dtype=object)
    names[:] = given.categories
    published: NDArray[Any] = names[draw(codes, given.matrix)]
    return published


def _transition(values: Any, given: Any, categories: Sequence[Any] | None) -> Transition:
    if isinstance(given, Transition):
        return given
    if isinstance(given, Mapping):
        return _from_mapping(given)
    if categories is None:
        known = coded(values, "values")[1]
        categories = in_label_order(known, np.zeros(0, dtype=np.int64), None)[0]
    names = _categories(categories)
    matrix = _check.table(given, "transition")
    if matrix.shape != (len(names), len(names)):
        msg = (
            f"transition must have a row and a column for each of the {len(names)} categories, "
            f"got shape {matrix.shape}"
        )
        raise ValueError(msg)
    return Transition(names, _stochastic(matrix))


def _from_mapping(given: Mapping[Any, Mapping[Any, float]]) -> Transition:
    if not given or not all(isinstance(row, Mapping) for row in given.values()):
        msg = "transition must map old categories to mappings of new ones to probabilities"
        raise TypeError(msg)
    names = tuple(dict.fromkeys([*given, *(new for row in given.values() for new in row)]))
    place = {name: number for number, name in enumerate(names)}
    matrix = np.zeros((len(given), len(names)))
    for i, row in enumerate(given.values()):
        for new, probability in row.items():
            matrix[i, place[new]] = _check.number(probability, "transition")
    return Transition(names, _stochastic(matrix))


def _stochastic(matrix: _check.Floats) -> _check.Floats:
    wrong = int(((matrix < 0).any(axis=1) | (np.abs(matrix.sum(axis=1) - 1.0) > 1e-9)).sum())
    if wrong:
        msg = (
            f"transition must have rows of probabilities that sum to 1; {wrong} of "
            f"{len(matrix)} do not"
        )
        raise ValueError(msg)
    return matrix


def _categories(categories: Sequence[Any]) -> tuple[Any, ...]:
    names = tuple(categories)
    repeated = len(names) - len(set(names))
    if repeated:
        msg = f"categories names {repeated} categories twice"
        raise ValueError(msg)
    return names


def _codes(values: Any, transition: Transition) -> _check.Labels:
    codes, known = coded(values, "values")
    place = {
        name: number for number, name in enumerate(transition.categories[: len(transition.matrix)])
    }
    places = np.array([place.get(value, -1) for value in known], dtype=np.int64)
    lacking = int((places[codes] < 0).sum())
    if lacking:
        msg = f"transition has no row for {lacking} of {len(codes)} values"
        raise ValueError(msg)
    found: _check.Labels = places[codes]
    return found
