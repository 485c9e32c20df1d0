"""From a table to the masked one, in one call."""

from __future__ import annotations

from typing import Literal, Unpack

from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.microaggregation.options import Partitioning
from tokumei.microaggregation.partition import partition_of, task
from tokumei.microaggregation.publish.aggregate import HOW, aggregate_of, checked_weights


def microaggregate(
    X: ArrayLike,
    k: int,
    *,
    how: Literal["mean", "median"] = "mean",
    **options: Unpack[Partitioning],
) -> _check.Floats:
    """Mask a table so that every published record is shared by at least k.

    It is ``aggregate(X, partition(X, k, **options), how=how)``, with the weights of the records
    where there are any.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, one row a record, on a common scale (see `standardize`).
    k : int
        Smallest group size, from 1 to n.
    how : {"mean", "median"}
        The representative, see `aggregate`.
    **options
        The options of `partition`.

    Returns
    -------
    ndarray of shape (n, d)
        The masked table, rows in the order of `X`.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.microaggregate([[1], [2], [10], [12]], k=2)
    array([[ 1.5],
           [ 1.5],
           [11. ],
           [11. ]])
    """
    run = _check.run(options.pop("n_threads", None), options.pop("callback", None))
    _check.one_of(how, HOW, "how")
    asked = task(X, k, **options, run=run)
    table, labels = asked.numbers, partition_of(asked)
    weights = options.get("record_weights")
    if weights is not None:
        weights = checked_weights(weights, labels, how)
    groups = int(labels.max()) + 1
    return aggregate_of(table, labels, groups, how, weights, run.silent())
