"""What the three estimators of noise share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.estimators.transformer import Transformer
from tokumei.microaggregation.publish.in_kind import in_kind
from tokumei.values import features


class Perturber(Transformer):
    """Noise by one mechanism; each has the options of its mechanism beside these."""

    _mechanism: str
    _non_deterministic = True

    k: int
    lower: ArrayLike
    upper: ArrayLike
    integer: bool
    weights: ArrayLike | None
    clip: bool
    keep_order: bool
    n_threads: int | None
    insecure_seed_for_tests: int | None

    def _own_options(self) -> dict[str, Any]:
        return {}

    def fit(self, X: ArrayLike, y: object = None) -> Any:
        """Learn how many records and attributes there are: they decide the noise."""
        from tokumei import noise

        table = self._admit(_check.collected(X)[0], fitting=True, least_rows=2)
        rows, columns = _check.table(features.as_numbers(table), largest=None).shape
        if self.lower is None or self.upper is None:
            msg = "lower and upper must be public bounds; they are never taken from the data"
            raise ValueError(msg)
        lower = _for_each(self.lower, columns, "lower")
        upper = _for_each(self.upper, columns, "upper")
        weights = _for_each(1.0 if self.weights is None else self.weights, columns, "weights")
        self._attributes = [
            noise.Attribute(
                lower[j],
                upper[j],
                integer=self.integer,
                mechanism=self._mechanism,
                weight=weights[j],
                **self._own_options(),
            )
            for j in range(columns)
        ]
        planned = noise.plan(self._attributes, rows, self.k)
        self.channels_ = [channel for (channel,) in planned]
        self.n_rows_ = rows
        return self

    def fit_transform(self, X: ArrayLike, y: object = None) -> Any:
        """Perturb these records."""
        table, given_back = _check.collected(X)
        self.fit(table)
        return given_back(self.transform(table))

    def transform(self, X: ArrayLike) -> Any:
        """Perturb as many records as were fitted, or more; fewer would need more noise.

        It returns the kind of table that came in, without row labels: rows are shuffled.
        """
        from tokumei.noise.releasing import released

        self._check_fitted()
        X, given_back = _check.collected(X)
        table = self._admit(X, fitting=False)
        x = _check.table(features.as_numbers(table), largest=None)
        if len(x) < self.n_rows_:
            msg = (
                f"{len(x)} records need more noise than the {self.n_rows_} that were fitted: "
                "fit on the records that are released"
            )
            raise ValueError(msg)
        done = released(
            list(x.T),
            self._attributes,
            [[channel] for channel in self.channels_],
            called=[f"column {j}" for j in range(self.n_features_in_)],
            clip=_check.flag(self.clip, "clip"),
            keep_order=_check.flag(self.keep_order, "keep_order"),
            run=_check.run(self.n_threads),
            insecure_seed_for_tests=self.insecure_seed_for_tests,
        )
        self.report_ = done.report()
        made = in_kind(table, np.column_stack(done.columns), row_labels=False)
        return given_back(made)


def _for_each(values: ArrayLike, columns: int, name: str) -> list[float]:
    """One number for each column; one for all of them will do."""
    array = np.asarray(values)
    if array.dtype.kind not in "iuf" or array.shape not in ((), (columns,)):
        msg = f"{name} must be one number, or one for each of the {columns} columns"
        raise ValueError(msg)
    return [float(value) for value in np.broadcast_to(array, columns)]
