"""Microaggregation as an estimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.microaggregation.mixed import is_mixed, standardized
from tokumei.microaggregation.options import OF_METHOD, Cost, Effort, Kind, Method, Rest
from tokumei.microaggregation.partition import PartitionTask, partition_of, task
from tokumei.microaggregation.publish.aggregate import HOW, aggregate_of, checked_weights
from tokumei.microaggregation.publish.mixed_table import aggregate_mixed, some_rows
from tokumei.microaggregation.standardize import standardize_of
from tokumei.values.estimator import Estimator
from tokumei.values.tables import split


class Units(TypedDict, total=False):
    """What `fit` is told of each record, see `tokumei.partition`."""

    record_weights: ArrayLike | None
    strata: ArrayLike | None
    sensitive: ArrayLike | None
    households: ArrayLike | None


class Microaggregator(Estimator):
    """Replace records by the means of groups of at least k.

    Parameters
    ----------
    k : int
        Smallest group size.
    method : str
        How groups are formed, see `tokumei.partition`.
    categorical : sequence, optional
        Columns that hold categories, see `tokumei.partition`. A table with such columns, or a
        dataframe with columns that hold no numbers, is masked as `tokumei.aggregate` does.
    effort, cost, random_state, time_limit
        How long groups are refined, for what, and which good answer is found: see
        `tokumei.partition`.
    gamma, rest, c1, c2, axes, blocks_per_axis, bits, by_column, strict
        Options of single methods, see `tokumei.partition`.
    attribute_weights, l_diversity, t_closeness, t_kind, min_households
        What counts how much, and what every group must show: see `tokumei.partition`. Sensitive
        values, households, strata and weights of records go to `fit`.
    how : {"mean", "median"}
        The representative, see `tokumei.aggregate`.
    standardize : bool
        Whether distances are taken on standardized attributes; means are of the values as they are.
    new_rows : {"refuse", "nearest"}
        What `transform` does with rows that were not fitted. A new row has no group of k others, so
        it is refused; "nearest" gives it the values of the nearest published centre, in tables of
        numbers.
    n_threads : int, optional
        Number of threads; all that the process may use by default.
    callback : callable, optional
        Called now and then with the share of the partition done, 0 to 1.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n,)
        The group of each fitted record.
    centers_ : ndarray of shape (groups, d), or a table like X
        The published values of each group.
    n_features_in_ : int
        Number of attributes.

    Examples
    --------
    >>> import tokumei as tk
    >>> masker = tk.Microaggregator(k=2)
    >>> masker.fit_transform([[1], [2], [10], [12]])
    array([[ 1.5],
           [ 1.5],
           [11. ],
           [11. ]])
    >>> masker.labels_
    array([0, 0, 1, 1])
    """

    def __init__(
        self,
        k: int = 5,
        *,
        method: Method = "auto",
        categorical: Sequence[Any] | None = None,
        effort: Effort | float = "balanced",
        cost: Cost = "squares",
        random_state: int | np.random.Generator | None = None,
        time_limit: float | None = None,
        gamma: float | Literal["auto"] | None = None,
        rest: Rest | None = None,
        c1: int | Literal["paper"] | None = None,
        c2: int | None = None,
        axes: int | None = None,
        blocks_per_axis: int | Sequence[int] | None = None,
        bits: int | None = None,
        by_column: int | None = None,
        strict: bool | None = None,
        attribute_weights: ArrayLike | None = None,
        l_diversity: int | None = None,
        t_closeness: float | None = None,
        t_kind: Kind = "equal",
        min_households: int | None = None,
        how: Literal["mean", "median"] = "mean",
        standardize: bool = False,
        new_rows: Literal["refuse", "nearest"] = "refuse",
        n_threads: int | None = None,
        callback: _check.Callback | None = None,
    ) -> None:
        self.k = k
        self.method = method
        self.categorical = categorical
        self.effort = effort
        self.cost = cost
        self.random_state = random_state
        self.time_limit = time_limit
        self.gamma = gamma
        self.rest = rest
        self.c1 = c1
        self.c2 = c2
        self.axes = axes
        self.blocks_per_axis = blocks_per_axis
        self.bits = bits
        self.by_column = by_column
        self.strict = strict
        self.attribute_weights = attribute_weights
        self.l_diversity = l_diversity
        self.t_closeness = t_closeness
        self.t_kind = t_kind
        self.min_households = min_households
        self.how = how
        self.standardize = standardize
        self.new_rows = new_rows
        self.n_threads = n_threads
        self.callback = callback

    def fit(self, X: ArrayLike, y: object = None, **units: Unpack[Units]) -> Microaggregator:
        """Form the groups of these records; strata, households and the like are one a record."""
        self._fit_masked(X, units)
        return self

    def fit_transform(self, X: ArrayLike, y: object = None, **units: Unpack[Units]) -> Any:
        """Form the groups and return the masked records."""
        return self._fit_masked(X, units)

    def _fit_masked(self, X: Any, units: Units) -> Any:
        _check.one_of(self.new_rows, ("refuse", "nearest"), "new_rows")
        _check.one_of(self.how, HOW, "how")
        run = _check.run(self.n_threads, self.callback)
        if self.categorical is not None or is_mixed(X):
            return self._fit_mixed(X, units, run)
        x = _check.table(X, largest=None) if self.standardize else None
        grouping = self._grouping(X if x is None else standardize_of(x, run.silent()), units, run)
        x = grouping.numbers if x is None else x
        self.labels_ = partition_of(grouping)
        groups = int(self.labels_.max()) + 1
        weights = units.get("record_weights")
        if weights is not None:
            weights = checked_weights(weights, self.labels_, self.how)
        masked = aggregate_of(x, self.labels_, groups, self.how, weights, run.silent())
        self.centers_ = masked[self._first()]
        self.n_features_in_ = x.shape[1]
        deviation = x.std(axis=0) if self.standardize else np.ones(x.shape[1])
        self._unit: _check.Floats | None = np.where(deviation > 0, deviation, 1.0)
        return masked

    def _fit_mixed(self, X: Any, units: Units, run: _check.Run) -> Any:
        silent = run.silent()
        seen = standardized(X, self.categorical, silent) if self.standardize else X
        self.labels_ = partition_of(self._grouping(seen, units, run))
        weights = units.get("record_weights")
        masked = aggregate_mixed(X, self.categorical, self.labels_, self.how, weights, silent)
        self.centers_ = some_rows(masked, self._first())
        self.n_features_in_ = len(split(X, "X"))
        self._unit = None
        return masked

    def _grouping(self, X: Any, units: Units, run: _check.Run) -> PartitionTask:
        return task(
            X,
            self.k,
            method=self.method,
            categorical=self.categorical,
            effort=self.effort,
            cost=self.cost,
            random_state=self.random_state,
            time_limit=self.time_limit,
            **{name: getattr(self, name) for name in OF_METHOD},
            attribute_weights=self.attribute_weights,
            l_diversity=self.l_diversity,
            t_closeness=self.t_closeness,
            t_kind=self.t_kind,
            min_households=self.min_households,
            **units,
            run=run,
        )

    def _first(self) -> _check.Labels:
        """The first record of each group."""
        return np.unique(self.labels_, return_index=True)[1]

    def transform(self, X: ArrayLike) -> _check.Floats:
        """Mask new rows as `new_rows` says; fitted rows are masked by `fit_transform`."""
        if not hasattr(self, "centers_"):
            msg = "this Microaggregator is not fitted yet; call fit_transform"
            raise ValueError(msg)
        if self.new_rows == "refuse":
            msg = (
                "a new row has no group of k others to hide in; use fit_transform on all rows, "
                "or new_rows='nearest' to give new rows the nearest published centre"
            )
            raise ValueError(msg)
        if self._unit is None:
            msg = (
                "new rows with categories are refused: new_rows='nearest' is for tables of numbers"
            )
            raise ValueError(msg)
        x = _check.table(X)
        if x.shape[1] != self.n_features_in_:
            msg = f"X has {x.shape[1]} columns, but {self.n_features_in_} were fitted"
            raise ValueError(msg)
        nearest = _nearest(x / self._unit, self.centers_ / self._unit)
        return np.asarray(self.centers_[nearest], dtype=np.float64)


def _nearest(x: _check.Floats, centers: _check.Floats, rows: int = 1024) -> _check.Labels:
    """The nearest centre of each row, the lowest of equals; some rows at a time."""
    parts = []
    for begin in range(0, len(x), rows):
        differences = x[begin : begin + rows, None, :] - centers[None, :, :]
        parts.append(np.einsum("ijk,ijk->ij", differences, differences).argmin(axis=1))
    return np.concatenate(parts)
