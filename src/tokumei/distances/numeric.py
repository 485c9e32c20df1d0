"""Distances of numbers and of vectors of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

from tokumei.distances.columns import read_numbers
from tokumei.distances.distance import Distance, PreparedNumbers


@dataclass(frozen=True)
class Euclidean(Distance):
    """The length of the straight line between two numbers or vectors.

    Takes a column of numbers, or a table of them, one row a record. Finite values only.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.distances.Euclidean().between([0, 0], [3, 4])
    5.0
    """

    def prepare(self, values: Any, name: str = "values") -> PreparedNumbers:
        """Check values and bring them into the form that is computed with."""
        return PreparedNumbers(read_numbers(values, name), 2.0)


@dataclass(frozen=True)
class Minkowski(Distance):
    """The p-distance, ``(sum_j |x_j - y_j|^p)^(1/p)``: Manhattan for 1, Chebyshev for infinity.

    Takes a column of numbers, or a table of them, one row a record. Finite values only.

    Parameters
    ----------
    p : float
        From 1 on; ``float("inf")`` or ``math.inf`` for the largest difference.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.distances.Minkowski(1).between([0, 0], [3, 4])
    7.0
    >>> tk.distances.Minkowski(float("inf")).between([0, 0], [3, 4])
    4.0
    """

    p: float

    def __post_init__(self) -> None:
        if isinstance(self.p, bool) or not isinstance(self.p, Real):
            msg = f"p must be a number, got {type(self.p).__name__}"
            raise TypeError(msg)
        if not self.p >= 1:
            msg = f"p must be 1 or more, got {self.p}"
            raise ValueError(msg)

    def prepare(self, values: Any, name: str = "values") -> PreparedNumbers:
        """Check values and bring them into the form that is computed with."""
        return PreparedNumbers(read_numbers(values, name), float(self.p))
