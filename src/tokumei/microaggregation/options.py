"""What is asked of the groups: how they are formed, and how long they are refined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, get_args

import numpy as np
from numpy.typing import ArrayLike

from tokumei._check.kinds import Callback
from tokumei._check.options import Options, choice, option, optional, positive
from tokumei._check.running import seed
from tokumei._check.scalars import number, one_of

Method = Literal[
    "auto",
    "mdav",
    "vmdav",
    "block_mdav",
    "mondrian",
    "kmember",
    "npn",
    "grid",
    "flexdice",
    "hilbert",
    "principal",
    "column",
    "univariate",
]
Effort = Literal["fast", "balanced", "best", "optimal"]
Cost = Literal["squares", "absolute"]
Kind = Literal["equal", "ordered"]


class Partitioning(TypedDict, total=False):
    """The options of `partition`, for functions that hand them on."""

    categorical: Sequence[Any] | None
    method: Method
    effort: Effort | float
    cost: Cost
    random_state: int | np.random.Generator | None
    time_limit: float | None
    attribute_weights: ArrayLike | None
    record_weights: ArrayLike | None
    strata: ArrayLike | None
    sensitive: ArrayLike | None
    l_diversity: int | None
    t_closeness: float | None
    t_kind: Kind
    households: ArrayLike | None
    min_households: int | None
    n_threads: int | None
    callback: Callback | None


def effort(value: Any, name: str) -> str | float:
    """A word, or a number of perturbations a record."""
    if isinstance(value, str):
        return one_of(value, get_args(Effort), name)
    perturbations = number(value, name)
    if not 0 <= perturbations <= 1e6:
        msg = f"{name} must be between 0 and 1000000 perturbations a record, got {value}"
        raise ValueError(msg)
    return perturbations


def random_state(value: Any, name: str) -> int:
    """The seed of a search; it decides which of many good answers is found."""
    return seed(value)


@dataclass(frozen=True)
class Search(Options):
    """How groups are formed and refined."""

    method: Method = option(
        "auto",
        rule=choice(*get_args(Method)),
        help="How groups are formed: auto or a method's name.",
    )
    effort: Effort | float = option(
        "balanced",
        rule=effort,
        help="How long auto refines: fast, balanced, best, optimal, a number.",
    )
    cost: Cost = option(
        "squares",
        rule=choice(*get_args(Cost)),
        help="What auto makes small: squares, or absolute deviations.",
    )
    random_state: int | None = option(
        None,
        rule=optional(random_state),
        help="Which of many good answers auto finds; the same one by default.",
    )
    time_limit: float | None = option(
        None,
        rule=optional(positive),
        help="Seconds after which auto takes the best found so far.",
    )
