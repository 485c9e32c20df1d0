"""A distance that is a function of the user's."""

from __future__ import annotations

from collections import abc
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.distances.columns import Integers, read_distinct
from tokumei.distances.distance import Distance, PreparedCategories


@dataclass(frozen=True)
class Callable(Distance):
    """A function of your own, called in Python for every pair of distinct values.

    Correct, but slow: a million calls take about as long as the function and a third of a second.
    Takes a column of values that can be hashed. The function is called once a pair, in either
    order, and never for equal values, whose distance is 0; that it is symmetric, and positive for
    different values, is up to you.

    Parameters
    ----------
    function : callable
        ``function(a, b)`` returns a finite number from 0 on.

    Examples
    --------
    >>> import tokumei as tk
    >>> rank = tk.distances.Callable(lambda a, b: abs(len(a) - len(b)))
    >>> tk.loss.information(["a", "bb", "bb", "dddd"], rank)
    38.0
    """

    function: abc.Callable[[Any, Any], float]

    def __post_init__(self) -> None:
        if not callable(self.function):
            msg = f"function must be callable with two values, got {type(self.function).__name__}"
            raise TypeError(msg)

    def prepare(self, values: Any, name: str = "values") -> PreparedCategories:
        """Check values and bring them into the form that is computed with."""
        distinct = read_distinct(values, name)

        def between(a: Integers, b: Integers, _: _check.Run) -> _check.Floats:
            known = distinct.values
            out = np.zeros(len(a))
            for k in np.flatnonzero(a != b):
                out[k] = self.function(known[a[k]], known[b[k]])
            wrong = int((~np.isfinite(out) | (out < 0)).sum())
            if wrong:
                msg = (
                    f"function must return finite numbers from 0 on, {wrong} of {len(out)} are not"
                )
                raise ValueError(msg)
            return out

        return PreparedCategories(self, distinct, between)
