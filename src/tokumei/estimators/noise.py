"""Noise with a linkage bound as estimators."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from tokumei.estimators.perturber import Perturber


class LaplaceNoise(Perturber):
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


class RandomizedResponseNoise(Perturber):
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


class SquareWaveNoise(Perturber):
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
