"""The whole step from a table to groups, by the name of a method."""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.microaggregation import units
from tokumei.microaggregation.generalise import kmember, mondrian
from tokumei.microaggregation.groups import mdav, vmdav

METHODS: dict[str, Callable[..., _check.Labels]] = {
    "mdav": mdav,
    "vmdav": vmdav,
    "mondrian": mondrian,
    "kmember": kmember,
}

_log = logging.getLogger("tokumei")


def choose(n: int, d: int, k: int) -> str:
    """Name the method that ``method="auto"`` stands for.

    Parameters
    ----------
    n, d : int
        Number of records and of attributes.
    k : int
        Smallest group size.

    Examples
    --------
    >>> from tokumei.microaggregation import choose
    >>> choose(1_000, 8, 5)
    'mdav'
    """
    return "mdav"


def partition(
    X: ArrayLike,
    k: int,
    *,
    method: str = "auto",
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
    method : {"auto", "mdav", "vmdav", "mondrian", "kmember"}
        How groups are formed: by the function of that name, its options as they are by default.
        "auto" picks by n, d and k; the logger ``tokumei`` says what.
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
        name = _chosen(len(x), x.shape[1], k) if method == "auto" else method
        return METHODS[name](x, k, n_threads=n_threads, callback=callback)

    if household is not None:
        return units.by_household(form, x, k, household, stratum, callback)
    if stratum is not None:
        return units.within_strata(form, x, k, stratum, callback)
    return form(x, k, callback)


def _chosen(n: int, d: int, k: int) -> str:
    method = choose(n, d, k)
    _log.info("partition: method %s for %d rows, %d columns, k = %d", method, n, d, k)
    return method
