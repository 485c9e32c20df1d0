"""The whole step from a table to groups, by the name of a method."""

from __future__ import annotations

import logging
from collections.abc import Callable

from numpy.typing import ArrayLike

from tokumei import _check
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
        "auto" picks by n, d and k; the logger ``tokumei`` says what it picked.
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
    """
    x = _check.table(X)
    k = _check.group_size(k, len(x))
    _check.one_of(method, ("auto", *METHODS), "method")
    if method == "auto":
        method = choose(*x.shape, k)
        _log.info("partition: method %s for %d rows, %d columns, k = %d", method, *x.shape, k)
    return METHODS[method](x, k, n_threads=n_threads, callback=callback)
