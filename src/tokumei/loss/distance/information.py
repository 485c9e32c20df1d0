"""Information amount: how much there is to tell apart, for any kind of data."""

from __future__ import annotations

import math
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.distances.distance import Distance
from tokumei.loss.distance.amounts import (
    METHODS,
    amount,
    in_scale,
    of_parts,
    times_two_to_the,
    weigh_each_other,
    with_information_weights,
)
from tokumei.loss.distance.sampled_pairs import Estimate, draw, estimated_amount
from tokumei.loss.distance.weighted_records import counts_of


@overload
def information(
    values: Any,
    distance: Distance,
    *,
    power: float = ...,
    method: str = ...,
    estimate: Literal[False] = ...,
    pairs: int = ...,
    confidence: float = ...,
    random_state: int | np.random.Generator | None = ...,
    record_weights: ArrayLike | None = ...,
    n_threads: int | None = ...,
    callback: _check.Callback | None = ...,
) -> float: ...
@overload
def information(
    values: Any,
    distance: Distance,
    *,
    power: float = ...,
    method: str = ...,
    estimate: Literal[True],
    pairs: int = ...,
    confidence: float = ...,
    random_state: int | np.random.Generator | None = ...,
    record_weights: ArrayLike | None = ...,
    n_threads: int | None = ...,
    callback: _check.Callback | None = ...,
) -> Estimate: ...


def information(
    values: Any,
    distance: Distance,
    *,
    power: float = 2,
    method: str = "auto",
    estimate: bool = False,
    pairs: int = 100_000,
    confidence: float = 0.95,
    random_state: int | np.random.Generator | None = None,
    record_weights: ArrayLike | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> float | Estimate:
    """Information amount: the sum of ``d(x_i, x_j)^power`` over all ordered pairs of records.

    Parameters
    ----------
    values : array_like, column or table
        What the distance takes: a column, or a table for vectors and products.
    distance : tokumei.distances.Distance
        How far apart two values are.
    power : float
        Above 0.
    method : {"auto", "pairs"}
        "auto" takes the cheapest exact way: closed forms for the Euclidean, discrete, ordinal and
        tree distances, for numbers, and column by column for products (power 2); sorting for many
        Manhattan distances; otherwise pairs of distinct values with their counts. "pairs" compares
        every record with every other.
    estimate : bool
        Look at a sample of pairs instead of all.
    pairs, confidence, random_state
        Size of that sample, probability of the interval, and a seed or generator: the same seed
        gives the same estimate.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: a pair counts as the product of both.
        Not with `estimate`.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes no bit.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1.

    Returns
    -------
    float or Estimate
        The amount; with `estimate` its `value`, `standard_error`, `lower` and `upper`.

    Notes
    -----
    Of a `Product` with information weights the amount (power 2) is the number of columns that are
    not constant. Memory never grows with the square of the number of records.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.loss.information([1, 2, 3, 4], tk.distances.Euclidean())
    40.0
    >>> tk.loss.information(["Tokyo", "Nara", "Nara"], tk.distances.Discrete())
    4.0
    """
    _check.instance(distance, Distance, "distance")
    power = _check.inside(power, 0.0, math.inf, "power")
    _check.one_of(method, METHODS, "method")
    run = _check.run(n_threads, callback)
    (prepared,), exponent = in_scale(distance.prepare(values, "values"))
    unit = exponent * power
    counts = counts_of(record_weights, len(prepared), estimate)
    if estimate:
        sample = draw(len(prepared), pairs, confidence, random_state)
        return estimated_amount(prepared, power, sample, run).times_two_to_the(unit)
    if method == "auto" and power == 2.0 and weigh_each_other(prepared):
        return float((of_parts(prepared, run, counts) > 0.0).sum())
    found = amount(with_information_weights(prepared, run, counts), power, method, run, counts)
    return times_two_to_the(found, unit)
