"""The whole step from a table to groups, by the name of a method."""

from __future__ import annotations

import logging

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.microaggregation import units
from tokumei.microaggregation.methods import METHODS, choose, share_of
from tokumei.microaggregation.refine import refine

_log = logging.getLogger("tokumei")


def partition(
    X: ArrayLike,
    k: int,
    *,
    method: str = "auto",
    effort: str | float = "balanced",
    random_state: int | np.random.Generator | None = None,
    attribute_weights: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    households: ArrayLike | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """Partition records into groups of at least k.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record, on a common scale (see `standardize`).
    k : int
        Smallest group size, from 1 to n.
    method : str
        How groups are formed. "auto" begins with the method that `microaggregation.choose` names by
        n, d and k (the logger ``tokumei`` says which) and refines its groups. Others give their own
        groups as they are: "mdav", "vmdav", "block_mdav" (MDAV inside blocks of neighbours),
        "mondrian", "kmember"; the best cut of a path, "npn", "grid", "flexdice", "hilbert",
        "principal", "column"; or "univariate", the optimum for one attribute.
    effort : {"fast", "balanced", "best", "optimal"} or float
        How long "auto" refines, see `refine`.
    random_state : int or Generator, optional
        Which of many good answers "auto" finds; the same one each time by default.
    attribute_weights : array_like of shape (d,), optional
        How much each attribute counts in squared distances; 0 leaves it out. "mondrian" and
        "kmember" ask only for shares of ranges, which other weights do not change.
    strata : array_like of shape (n,), optional
        Any values; groups never hold records of two strata. Each stratum needs k records.
    households : array_like of shape (n,), optional
        Any values; members of one household stay together, and k counts households.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes no label.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1.

    Returns
    -------
    ndarray of int64, shape (n,)
        The group of each record; groups are numbered from 0 in the order of their first record.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.partition([[1], [2], [10], [11]], k=2)
    array([0, 0, 1, 1])

    Groups that keep to their stratum:

    >>> tk.partition([[1], [2], [10], [11]], k=2, strata=["a", "b", "b", "a"])
    array([0, 1, 1, 0])
    """
    x = _check.table(X)
    n, d = x.shape
    k = _check.group_size(k, n)
    _check.one_of(method, ("auto", *METHODS), "method")
    stratum = None if strata is None else _check.codes(strata, n, "strata")
    household = None if households is None else _check.codes(households, n, "households")
    if attribute_weights is not None:
        weights = _check.weights(attribute_weights, d, "attribute_weights")
        x = np.asfortranarray(x * np.sqrt(weights))

    def form(x: _check.Floats, k: int, callback: _check.Callback | None) -> _check.Labels:
        if method != "auto":
            return METHODS[method](x, k, n_threads=n_threads, callback=callback)
        return _auto(x, k, effort, random_state, n_threads, callback)

    if household is not None:
        return units.by_household(form, x, k, household, stratum, callback)
    if stratum is not None:
        return units.within_strata(form, x, k, stratum, callback)
    return form(x, k, callback)


def _auto(
    x: _check.Floats,
    k: int,
    effort: str | float,
    random_state: int | np.random.Generator | None,
    n_threads: int | None,
    callback: _check.Callback | None,
) -> _check.Labels:
    n, d = x.shape
    start = choose(n, d, k)
    _log.info("partition: %s for %d rows, %d columns, k = %d", start, n, d, k)
    if start == "univariate":
        return METHODS[start](x, k, n_threads=n_threads, callback=callback)
    labels = METHODS[start](x, k, n_threads=n_threads, callback=share_of(callback, 0.0, 0.2))
    return refine(
        x,
        labels,
        k,
        effort=effort,
        random_state=random_state,
        n_threads=n_threads,
        callback=share_of(callback, 0.2, 1.0),
    )
