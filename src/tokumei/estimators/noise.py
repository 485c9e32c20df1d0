"""Noise with a linkage bound as estimators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.estimators.estimator import Estimator


class _Noise(Estimator):
    """What the three share; each has the options of its mechanism beside these."""

    _mechanism: str

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

        x = _check.table(X, largest=None)
        rows, columns = x.shape
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
        self.n_features_in_ = columns
        self.n_rows_ = rows
        return self

    def fit_transform(self, X: ArrayLike, y: object = None) -> _check.Floats:
        """Perturb these records."""
        self.fit(X)
        return self.transform(X)

    def transform(self, X: ArrayLike) -> _check.Floats:
        """Perturb as many records as were fitted, or more; fewer would need more noise."""
        from tokumei.noise import table

        if not hasattr(self, "channels_"):
            msg = f"this {type(self).__name__} is not fitted yet; call fit_transform"
            raise ValueError(msg)
        x = _check.table(X, largest=None)
        if x.shape[1] != self.n_features_in_:
            msg = f"X has {x.shape[1]} columns, but {self.n_features_in_} were fitted"
            raise ValueError(msg)
        if len(x) < self.n_rows_:
            msg = (
                f"{len(x)} records need more noise than the {self.n_rows_} that were fitted: "
                "fit on the records that are released"
            )
            raise ValueError(msg)
        done = table.released(
            list(x.T),
            self._attributes,
            [[channel] for channel in self.channels_],
            called=[f"column {j}" for j in range(self.n_features_in_)],
            clip=_check.flag(self.clip, "clip"),
            keep_order=_check.flag(self.keep_order, "keep_order"),
            n_threads=self.n_threads,
            insecure_seed_for_tests=self.insecure_seed_for_tests,
        )
        self.report_ = done.report()
        return np.column_stack(done.columns)


def _for_each(values: ArrayLike, columns: int, name: str) -> list[float]:
    """One number for each column; one for all of them will do."""
    array = np.asarray(values)
    if array.dtype.kind not in "iuf" or array.shape not in ((), (columns,)):
        msg = f"{name} must be one number, or one for each of the {columns} columns"
        raise ValueError(msg)
    return [float(value) for value in np.broadcast_to(array, columns)]


class LaplaceNoise(_Noise):
    """Add Laplace noise that bounds linkage by 1/k, and shuffle the rows.

    Parameters
    ----------
    k : int
        The bound: no released row is linked to its record with probability above 1/k.
    lower, upper : float or sequence of float
        Public bounds of the attributes. Required, and never taken from the data.
    integer : bool
        The values are whole numbers.
    weights : sequence of float, optional
        How the budget is split over the attributes; equally by default.
    clip : bool
        Move values outside the bounds to the nearest bound; else they are refused.
    keep_order : bool
        Leave the rows in order. Linkage is then not bounded for those who know it.
    n_threads : int, optional
        Number of threads; all that the process may use by default.
    insecure_seed_for_tests : int, optional
        Draw from a seed, for tests: the result is not private.

    Attributes
    ----------
    channels_ : list
        The channel of each attribute, which a reconstruction needs.
    report_ : dict
        Mechanisms, epsilon, the k that is reached, and "private" or "not private".
    n_features_in_, n_rows_ : int
        Number of attributes and of records.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> ages = np.array([[17], [30], [41], [90]])
    >>> noise = tk.LaplaceNoise(k=2, lower=17, upper=90, integer=True)
    >>> noise.fit_transform(ages).shape
    (4, 1)
    >>> noise.report_["status"]
    'private'
    """

    _mechanism = "laplace"

    def __init__(
        self,
        k: int = 5,
        *,
        lower: Any = None,
        upper: Any = None,
        integer: bool = False,
        weights: ArrayLike | None = None,
        clip: bool = False,
        keep_order: bool = False,
        n_threads: int | None = None,
        insecure_seed_for_tests: int | None = None,
    ) -> None:
        self.k = k
        self.lower = lower
        self.upper = upper
        self.integer = integer
        self.weights = weights
        self.clip = clip
        self.keep_order = keep_order
        self.n_threads = n_threads
        self.insecure_seed_for_tests = insecure_seed_for_tests


class RandomizedResponseNoise(_Noise):
    """Replace values at random, so that linkage is bounded by 1/k, and shuffle the rows.

    Parameters
    ----------
    k, lower, upper, integer, weights, clip, keep_order, n_threads, insecure_seed_for_tests
        As for `LaplaceNoise`.
    cells : int or array_like, optional
        The number of cells between the bounds, or their edges; one a whole number by default.
    max_retention : float, optional
        The largest probability that the true cell comes out.

    Attributes
    ----------
    channels_, report_, n_features_in_, n_rows_
        As for `LaplaceNoise`.

    Examples
    --------
    >>> import tokumei as tk
    >>> noise = tk.RandomizedResponseNoise(k=2, lower=1, upper=16, integer=True)
    >>> released = noise.fit_transform([[1], [9], [9], [16]])
    >>> bool((1 <= released).all() and (released <= 16).all())
    True
    """

    _mechanism = "randomized-response"

    def __init__(
        self,
        k: int = 5,
        *,
        lower: Any = None,
        upper: Any = None,
        integer: bool = False,
        weights: ArrayLike | None = None,
        cells: Any = None,
        max_retention: float | None = None,
        clip: bool = False,
        keep_order: bool = False,
        n_threads: int | None = None,
        insecure_seed_for_tests: int | None = None,
    ) -> None:
        self.k = k
        self.lower = lower
        self.upper = upper
        self.integer = integer
        self.weights = weights
        self.cells = cells
        self.max_retention = max_retention
        self.clip = clip
        self.keep_order = keep_order
        self.n_threads = n_threads
        self.insecure_seed_for_tests = insecure_seed_for_tests

    def _own_options(self) -> dict[str, Any]:
        return {"cells": self.cells, "max_retention": self.max_retention}


class SquareWaveNoise(_Noise):
    """Replace values by others that are mostly near, so that linkage is bounded by 1/k; shuffle.

    Parameters
    ----------
    k, lower, upper, integer, weights, clip, keep_order, n_threads, insecure_seed_for_tests
        As for `LaplaceNoise`.
    cells : int or array_like, optional
        The number of cells between the bounds, or their edges; one a whole number by default.
    reach : int, optional
        How many cells at each side are near, see `tokumei.noise.square_wave`.

    Attributes
    ----------
    channels_, report_, n_features_in_, n_rows_
        As for `LaplaceNoise`.

    Examples
    --------
    >>> import tokumei as tk
    >>> noise = tk.SquareWaveNoise(k=2, lower=0, upper=10, cells=5)
    >>> noise.fit_transform([[0.5], [2.5], [9.5]]).shape
    (3, 1)
    """

    _mechanism = "square-wave"

    def __init__(
        self,
        k: int = 5,
        *,
        lower: Any = None,
        upper: Any = None,
        integer: bool = False,
        weights: ArrayLike | None = None,
        cells: Any = None,
        reach: int | None = None,
        clip: bool = False,
        keep_order: bool = False,
        n_threads: int | None = None,
        insecure_seed_for_tests: int | None = None,
    ) -> None:
        self.k = k
        self.lower = lower
        self.upper = upper
        self.integer = integer
        self.weights = weights
        self.cells = cells
        self.reach = reach
        self.clip = clip
        self.keep_order = keep_order
        self.n_threads = n_threads
        self.insecure_seed_for_tests = insecure_seed_for_tests

    def _own_options(self) -> dict[str, Any]:
        return {"cells": self.cells, "reach": self.reach}
