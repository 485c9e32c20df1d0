"""Microaggregation as an estimator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._kernels import group as _kernels
from tokumei.estimators.fitted_table import FittedTable
from tokumei.estimators.transformer import Transformer
from tokumei.microaggregation.mixed import is_mixed, standardized
from tokumei.microaggregation.options import OF_METHOD, Cost, Effort, Kind, Method, Rest
from tokumei.microaggregation.partition import PartitionTask, partition_of, task
from tokumei.microaggregation.publish.aggregate import HOW, aggregate_of, checked_weights
from tokumei.microaggregation.publish.in_kind import in_kind, with_row_labels
from tokumei.microaggregation.publish.mixed_table import aggregate_mixed, some_rows
from tokumei.microaggregation.standardize import standardize_of
from tokumei.values import features

OF_RECORDS = ("record_weights", "strata", "sensitive", "households")


class Microaggregator(Transformer):
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
        What `transform` does with another table than the one that was fitted, which it masks as
        `fit_transform` did. A new row has no group of k others, so it is refused; "nearest" gives
        it the values of the nearest published centre, in tables of numbers.
    n_threads : int, optional
        Number of threads; all that the process may use by default.
    callback : callable, optional
        Called now and then with the share of the partition done, 0 to 1.

    Attributes
    ----------
    labels_ : ndarray of int64, shape (n,)
        The group of each fitted record.
    centers_ : ndarray of shape (groups, d), or a table like X
        The published values of each group; a table where there are categories.
    n_features_in_ : int
        Number of attributes.
    feature_names_in_ : ndarray of str
        Their names, where all have one that is a text. `transform` asks for the same in this order.

    Notes
    -----
    The estimator holds what is published and one keyed hash of the table, by which `transform`
    knows it again; no record is kept.

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

    _takes: ClassVar[dict[str, bool]] = {"categorical": True}

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

    def fit(
        self,
        X: ArrayLike,
        y: object = None,
        *,
        record_weights: ArrayLike | None = None,
        strata: ArrayLike | None = None,
        sensitive: ArrayLike | None = None,
        households: ArrayLike | None = None,
    ) -> Microaggregator:
        """Form the groups of these records; see `tokumei.partition` for what is one a record."""
        given = (record_weights, strata, sensitive, households)
        self._fit_masked(X, dict(zip(OF_RECORDS, given, strict=True)))
        return self

    def fit_transform(self, X: ArrayLike, y: object = None, **of_records: Any) -> Any:
        """Form the groups as `fit` does and return the masked records, in the kind that came."""
        unknown = sorted(set(of_records) - set(OF_RECORDS))
        if unknown:
            msg = f"fit_transform takes no {', '.join(unknown)}"
            raise TypeError(msg)
        X, given_back = _check.collected(X)
        return given_back(self._fit_masked(X, of_records))

    def _fit_masked(self, X: Any, units: dict[str, Any]) -> Any:
        _check.one_of(self.new_rows, ("refuse", "nearest"), "new_rows")
        _check.one_of(self.how, HOW, "how")
        run = _check.run(self.n_threads, self.callback)
        table = self._admit(
            _check.collected(X)[0], fitting=True, least_rows=1 if self.k == 1 else 2
        )
        mixed = self.categorical is not None or is_mixed(table)
        masked = (self._fit_mixed if mixed else self._fit_numbers)(table, units, run)
        self._table = FittedTable(table)
        return masked

    def _fit_numbers(self, X: Any, units: dict[str, Any], run: _check.Run) -> Any:
        given = features.as_numbers(X)
        x = _check.table(given, largest=None) if self.standardize else None
        grouping = self._grouping(
            given if x is None else standardize_of(x, run.silent()), units, run
        )
        x = grouping.numbers if x is None else x
        self.labels_ = partition_of(grouping)
        groups = int(self.labels_.max()) + 1
        weights = units.get("record_weights")
        if weights is not None:
            weights = checked_weights(weights, self.labels_, self.how)
        masked = aggregate_of(x, self.labels_, groups, self.how, weights, run.silent())
        self.centers_ = masked[self._first()]
        deviation = x.std(axis=0) if self.standardize else np.ones(x.shape[1])
        self._unit: _check.Floats | None = np.where(deviation > 0, deviation, 1.0)
        return in_kind(X, masked)

    def _fit_mixed(self, X: Any, units: dict[str, Any], run: _check.Run) -> Any:
        silent = run.silent()
        seen = standardized(X, self.categorical, silent) if self.standardize else X
        self.labels_ = partition_of(self._grouping(seen, units, run))
        weights = units.get("record_weights")
        masked = aggregate_mixed(X, self.categorical, self.labels_, self.how, weights, silent)
        self.centers_ = some_rows(masked, self._first())
        self._unit = None
        return masked

    def _grouping(self, X: Any, units: dict[str, Any], run: _check.Run) -> PartitionTask:
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

    def transform(self, X: ArrayLike) -> Any:
        """Mask the fitted records as `fit_transform` did, and new rows as `new_rows` says."""
        self._check_fitted()
        X, given_back = _check.collected(X)
        table = self._admit(X, fitting=False)
        return given_back(self._masked(table))

    def _masked(self, table: Any) -> Any:
        # What cannot be read is said first: nobody is to look for another reason.
        numbers = None if self._unit is None else _check.table(features.as_numbers(table))
        if self._table.is_same(table):
            if numbers is None:
                return with_row_labels(some_rows(self.centers_, self.labels_), table)
            return in_kind(table, self.centers_[self.labels_])
        if self.new_rows == "refuse":
            msg = (
                "a new row has no group of k others to hide in; use fit_transform on all rows, "
                "or new_rows='nearest' to give new rows the nearest published centre"
            )
            raise ValueError(msg)
        if numbers is None or self._unit is None:
            msg = (
                "new rows with categories are refused: new_rows='nearest' is for tables of numbers"
            )
            raise ValueError(msg)
        run = _check.run(self.n_threads, self.callback)
        nearest = nearest_centres(numbers / self._unit, self.centers_ / self._unit, run)
        return in_kind(table, np.asarray(self.centers_[nearest], dtype=np.float64))


def nearest_centres(x: _check.Floats, centers: _check.Floats, run: _check.Run) -> _check.Labels:
    """The nearest centre of each row, the lowest of equals."""
    nearest = np.empty(len(x), dtype=np.int64)
    _kernels.nearest_centres(np.asfortranarray(centers), np.asfortranarray(x), nearest, run)
    return nearest
