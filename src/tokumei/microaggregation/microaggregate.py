"""From a table to the masked one, in one call."""

from __future__ import annotations

from typing import Any, Literal, Unpack, get_args

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.microaggregation.methods.univariate import univariate_of
from tokumei.microaggregation.mixed import is_mixed
from tokumei.microaggregation.options import Cost, Method, PartitioningBeside
from tokumei.microaggregation.partition import partition_of, task
from tokumei.microaggregation.publish.aggregate import HOW, aggregate_of, checked_weights
from tokumei.microaggregation.publish.in_kind import in_kind
from tokumei.microaggregation.publish.mixed_table import aggregate_mixed


def microaggregate(
    X: ArrayLike,
    k: int,
    *,
    method: Method | Literal["individual"] = "auto",
    how: Literal["mean", "median"] = "mean",
    **options: Unpack[PartitioningBeside],
) -> Any:
    """Mask a table so that every published record is shared by at least k.

    It is ``aggregate(X, partition(X, k, **options), how=how)``, with the weights of the records
    where there are any. By individual ranking every column has its own best groups instead: far
    less is lost, and only each column alone, not the record, is shared by k.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record, on a common scale (see `standardize`); or numbers and categories,
        see ``categorical`` of `partition`, of which `aggregate` publishes the most frequent one.
    k : int
        Smallest group size, from 1 to n.
    method : str
        How groups are formed, see `partition`; or "individual", the optimum for each column alone,
        which takes no option but `cost`, `n_threads` and `callback`.
    how : {"mean", "median"}
        The representative, see `aggregate`.
    **options
        The options of `partition`.

    Returns
    -------
    ndarray of shape (n, d), or a table like X
        The masked table, rows in the order of `X`, of the kind that came in; see `aggregate`.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.microaggregate([[1], [2], [10], [12]], k=2)
    array([[ 1.5],
           [ 1.5],
           [11. ],
           [11. ]])
    >>> tk.microaggregate([[1, 9], [2, 0], [10, 1], [12, 8]], k=2, method="individual")
    array([[ 1.5,  8.5],
           [ 1.5,  0.5],
           [11. ,  0.5],
           [11. ,  8.5]])
    """
    run = _check.run(options.pop("n_threads", None), options.pop("callback", None))
    _check.one_of(how, HOW, "how")
    X, given_back = _check.collected(X)
    if method == "individual":
        return given_back(in_kind(X, _individual(X, k, how, dict(options), run)))
    asked = task(X, k, method=method, **options, run=run)
    labels = partition_of(asked)
    weights = options.get("record_weights")
    categorical = options.get("categorical")
    if categorical is not None or is_mixed(X):
        return given_back(aggregate_mixed(X, categorical, labels, how, weights, run.silent()))
    table = asked.numbers
    if weights is not None:
        weights = checked_weights(weights, labels, how)
    groups = int(labels.max()) + 1
    masked = aggregate_of(table, labels, groups, how, weights, run.silent())
    return given_back(in_kind(X, masked))


def _individual(
    X: ArrayLike, k: int, how: str, options: dict[str, Any], run: _check.Run
) -> _check.Floats:
    """Every column by the best groups of its own."""
    cost = _check.one_of(options.pop("cost", "squares"), get_args(Cost), "cost")
    if options:
        msg = f"{', '.join(sorted(options))} cannot be asked of method='individual'"
        raise ValueError(msg)
    x = _check.table(X)
    k = _check.group_size(k, len(x))
    out = np.empty_like(x)
    count = x.shape[1]
    for j in range(count):
        column = x[:, j : j + 1]
        labels = univariate_of(x[:, j], k, run.part(j / count, (j + 1) / count), cost)
        groups = int(labels.max()) + 1
        out[:, j] = aggregate_of(column, labels, groups, how, None, run.silent())[:, 0]
    return out
