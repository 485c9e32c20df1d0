"""What is known of an attribute before its data are seen, and how it is to be perturbed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.noise.budget import scale_of
from tokumei.noise.channel import OwnChannel
from tokumei.noise.laplace import laplace
from tokumei.noise.randomized_response import randomized_response
from tokumei.noise.square_wave import square_wave

MECHANISMS = ("laplace", "randomized-response", "square-wave")


@dataclass(frozen=True)
class Attribute:
    """One attribute of a table that is to be perturbed.

    Parameters
    ----------
    lower, upper : float, optional
        Public bounds. Left out only with `categories`, or where bounds are to be taken from the
        data and the guarantee given up.
    integer : bool
        The values are whole numbers.
    categories : sequence, optional
        All values that are possible, known without looking at the data; instead of bounds. In
        their order, where the mechanism is the square wave.
    mechanism : {"laplace", "randomized-response", "square-wave"}, optional
        "laplace" by default, "randomized-response" for categories.
    weight : float
        The attribute's part of the budget, beside the weights of the others.
    cells : int or array_like, optional
        For randomised response and the square wave: how many cells, or their edges.
    max_retention : float, optional
        For randomised response: the largest probability that the true cell comes out.
    reach : int, optional
        For the square wave: how many cells at each side are near.
    missing : {"refuse", "category"}
        Refuse missing values, or take them as a category. Whether a number is missing is then
        perturbed by itself, with a part of the budget of its own; a number that is missing and
        comes out as if it were not is the middle of the bounds, with noise.
    missing_weight : float
        That part of the budget.

    Examples
    --------
    >>> import tokumei as tk
    >>> age = tk.noise.Attribute(17, 90, integer=True, weight=2)
    >>> sex = tk.noise.Attribute(categories=["Female", "Male"])
    >>> sex.mechanism
    'randomized-response'
    """

    lower: float | None = None
    upper: float | None = None
    integer: bool = False
    categories: Sequence[Any] | None = None
    mechanism: str = ""
    weight: float = 1.0
    cells: Any = None
    max_retention: float | None = None
    reach: int | None = None
    missing: str = "refuse"
    missing_weight: float = 1.0

    def __post_init__(self) -> None:
        default = "laplace" if self.categories is None else "randomized-response"
        object.__setattr__(self, "mechanism", self.mechanism or default)
        _check.one_of(self.mechanism, MECHANISMS, "mechanism")
        _check.one_of(self.missing, ("refuse", "category"), "missing")
        _check.above_zero(self.weight, "weight")
        _check.above_zero(self.missing_weight, "missing_weight")
        _check.flag(self.integer, "integer")
        if (self.lower is None) != (self.upper is None):
            msg = "lower and upper are given together, or not at all"
            raise ValueError(msg)
        if self.lower is not None and self.upper is not None:
            _check.bounds(self.lower, self.upper, integer=self.integer)
        if self.categories is not None:
            self._check_categories(self.categories)
        for name, of in (
            ("cells", MECHANISMS[1:]),
            ("max_retention", MECHANISMS[1:2]),
            ("reach", MECHANISMS[2:]),
        ):
            if getattr(self, name) is not None and self.mechanism not in of:
                msg = f"{name} is an option of {' and '.join(of)}, not of {self.mechanism}"
                raise ValueError(msg)

    def _check_categories(self, categories: Sequence[Any]) -> None:
        if isinstance(categories, str) or self.lower is not None or self.cells is not None:
            msg = "categories are a list of values, and are given without bounds and cells"
            raise ValueError(msg)
        if self.mechanism == "laplace":
            msg = "categories cannot have Laplace noise; use randomized-response or square-wave"
            raise ValueError(msg)
        if len(set(categories)) < max(2, len(categories)):
            msg = "categories must be at least two different values, each named once"
            raise ValueError(msg)

    @property
    def bounded(self) -> bool:
        """Whether it is known which values are possible."""
        return self.lower is not None or self.categories is not None

    @property
    def flags_missing(self) -> bool:
        """Whether missingness is perturbed by itself; categories just get one more."""
        return self.missing == "category" and self.categories is None

    @property
    def weights(self) -> list[float]:
        """The parts of the budget that it takes."""
        return [self.weight, self.missing_weight] if self.flags_missing else [self.weight]

    def bounded_by(self, values: _check.Floats) -> Attribute:
        """The same with the bounds of these values."""
        present = values[~np.isnan(values)]
        if not len(present):
            msg = "there are no values to take bounds from"
            raise ValueError(msg)
        if (present == present[0]).all():
            msg = "all values are equal: bounds cannot be taken from them"
            raise ValueError(msg)
        broken = int((present != np.rint(present)).sum()) if self.integer else 0
        if broken:
            msg = f"values must be whole numbers; {broken} of {len(present)} are not"
            raise ValueError(msg)
        return replace(self, lower=float(present.min()), upper=float(present.max()))

    def channels(self, epsilons: Sequence[float]) -> list[OwnChannel]:
        """The channel of the values, and that of missingness where it has one."""
        lower, upper, integer = self.lower, self.upper, self.integer
        if self.categories is not None:
            count = len(self.categories) + (self.missing == "category")
            lower, upper, integer = 0.0, count - 1.0, True
        if lower is None or upper is None:
            msg = "the attribute has no bounds"
            raise ValueError(msg)
        made: OwnChannel
        epsilon = float(epsilons[0])
        if self.mechanism == "laplace":
            scale = scale_of(lower, upper, epsilon)
            made = laplace(scale, lower=lower, upper=upper, integer=integer)
        elif self.mechanism == "square-wave":
            made = square_wave(
                epsilon,
                lower=lower,
                upper=upper,
                integer=integer,
                cells=self.cells,
                reach=self.reach,
            )
        else:
            made = randomized_response(
                epsilon,
                lower=lower,
                upper=upper,
                integer=integer,
                cells=self.cells,
                max_retention=self.max_retention,
            )
        if not self.flags_missing:
            return [made]
        flag = randomized_response(float(epsilons[1]), lower=0, upper=1, integer=True)
        return [made, flag]
