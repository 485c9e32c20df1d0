"""What is asked of the groups: how they are formed, and how long they are refined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, get_args

import numpy as np
from numpy.typing import ArrayLike

from tokumei._check.kinds import Callback
from tokumei._check.options import Options, at_least, choice, option, optional, positive
from tokumei._check.running import seed
from tokumei._check.scalars import flag, gamma, number, one_of

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
Rest = Literal["record", "mean"]
# Options of single methods, and whose they are.
OF_METHOD = {
    "gamma": "vmdav",
    "rest": "vmdav",
    "c1": "flexdice",
    "c2": "flexdice",
    "axes": "flexdice",
    "blocks_per_axis": "grid",
    "bits": "hilbert",
    "by_column": "column",
    "strict": "mondrian",
}


class PartitioningBeside(TypedDict, total=False):
    """The options of `partition` beside the method."""

    categorical: Sequence[Any] | None
    effort: Effort | float
    cost: Cost
    random_state: int | np.random.Generator | None
    time_limit: float | None
    gamma: float | Literal["auto"] | None
    rest: Rest | None
    c1: int | Literal["paper"] | None
    c2: int | None
    axes: int | None
    blocks_per_axis: int | Sequence[int] | None
    bits: int | None
    by_column: int | None
    strict: bool | None
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


class Partitioning(PartitioningBeside, total=False):
    """The options of `partition`, for functions that hand them on."""

    method: Method


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


def gamma_or_auto(value: Any, name: str) -> float | str:
    """How readily V-MDAV extends a group."""
    found = gamma(value, name)
    return "auto" if found is None else found


def records_or_paper(value: Any, name: str) -> int | str:
    """The most records of a FlexDice block."""
    return one_of(value, ("paper",), name) if isinstance(value, str) else at_least(1)(value, name)


def one_or_each(value: Any, name: str) -> int | tuple[int, ...]:
    """A whole number of at least 1, or one for each attribute."""
    if isinstance(value, Sequence | np.ndarray) and not isinstance(value, str):
        return tuple(at_least(1)(each, name) for each in value)
    return int(at_least(1)(value, name))


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
    gamma: float | Literal["auto"] | None = option(
        None,
        rule=optional(gamma_or_auto),
        help="vmdav: how readily groups are extended, or auto.",
    )
    rest: Rest | None = option(
        None,
        rule=optional(choice(*get_args(Rest))),
        help="vmdav: what the last records go by, record or mean.",
    )
    c1: int | Literal["paper"] | None = option(
        None,
        rule=optional(records_or_paper),
        help="flexdice: the most records of a block; paper is d k C2.",
    )
    c2: int | None = option(
        None,
        rule=optional(at_least(0)),
        help="flexdice: the most blocks that a lighter one becomes.",
    )
    axes: int | None = option(
        None,
        rule=optional(at_least(1)),
        help="flexdice: how many axes are halved at a time.",
    )
    blocks_per_axis: int | Sequence[int] | None = option(
        None,
        rule=optional(one_or_each),
        help="grid: blocks on every axis, or on each.",
    )
    bits: int | None = option(
        None,
        rule=optional(at_least(1)),
        help="hilbert: halvings of each axis.",
    )
    by_column: int | None = option(
        None,
        rule=optional(at_least(0)),
        help="column: the attribute to sort by, from 0.",
    )
    strict: bool | None = option(
        None,
        rule=optional(flag),
        help="mondrian: equal values stay together.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, method in OF_METHOD.items():
            if getattr(self, name) is not None and self.method != method:
                msg = f"{name} goes with method={method!r}, got {self.method!r}"
                raise ValueError(msg)

    def of_method(self) -> dict[str, Any]:
        """What is asked of the method itself."""
        asked = {name: getattr(self, name) for name in OF_METHOD}
        return {name: value for name, value in asked.items() if value is not None}
