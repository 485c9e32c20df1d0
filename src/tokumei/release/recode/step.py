"""Recoding as a step of a job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from tokumei._check import inside, number
from tokumei._check.options import (
    Rule,
    at_least,
    by_column,
    choice,
    option,
    optional,
    positive,
    text,
)
from tokumei._check.options import share as from_0_to_1
from tokumei.privacy import (
    BetaLikeness,
    DeltaPresence,
    KAnonymity,
    KMap,
    LDiversity,
    MinHouseholds,
    TCloseness,
)
from tokumei.release.job import STEPS, Job, Step
from tokumei.release.schema import Columns, Schema
from tokumei.release.sections import FOUND, Output

if TYPE_CHECKING:
    from tokumei.release.io.frames import Frame
    from tokumei.release.recode.recoding import Draft

MergeRule = Literal["smallest", "neighbours", "parents", "other"]


def _share(value: Any, name: str) -> float:
    return inside(value, 0.0, 1.0, name)


def _borders(value: Any, name: str) -> tuple[float, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        msg = f"{name} must be a list of borders, got {type(value).__name__}"
        raise TypeError(msg)
    borders = tuple(number(each, name) for each in value)
    if len(borders) < 2 or any(one >= other for one, other in pairwise(borders)):
        msg = f"{name} must be at least two increasing numbers"
        raise ValueError(msg)
    return borders


def _each(rule: Rule, what: str, help: str) -> Any:
    return option({}, rule=by_column(rule, what), help=help)


@dataclass(frozen=True)
class Recode(Step):
    """Quasi-identifiers become coarser: column by column, as their options say.

    First levels, bins, top and bottom; then rare categories are merged; then categories are
    exchanged by chance; and then cells are suppressed.
    """

    share: Mapping[str, float] = _each(
        _share, "the share", "Smallest share of a column's records that a category is to have."
    )
    rule: Mapping[str, MergeRule] = _each(
        choice(*get_args(MergeRule)),
        "the rule",
        "What rare ones merge with: smallest, neighbours, parents, other.",
    )
    level: Mapping[str, int] = _each(
        at_least(0),
        "the level",
        "The level of a column's tree, or of its dates: 1 month, 2 quarter, 3 year.",
    )
    top: Mapping[str, float] = _each(
        number, "the top", "The lowest number of a column that becomes 'X or more'."
    )
    bottom: Mapping[str, float] = _each(
        number, "the bottom", "The highest number of a column that becomes 'X or less'."
    )
    bins: Mapping[str, Sequence[float]] = _each(
        _borders, "the bins", "Increasing borders of the bins that numbers of a column fall in."
    )
    other_label: str = option(
        "other", rule=text, help="What the rule other calls the rare ones together."
    )
    least_share: float | None = option(
        None,
        rule=optional(_share),
        help="The smallest share of all columns that share does not name.",
    )
    model_loss: float | None = option(
        None,
        rule=optional(from_0_to_1),
        help="In place of it: the largest by which models lose so much of recall, 0 to 1.",
    )
    pram: Mapping[str, float] = _each(
        from_0_to_1,
        "the chance",
        "Exchange categories by chance: P that one is kept in the first stage.",
    )
    pram_alpha: float = option(
        0.5,
        rule=from_0_to_1,
        help="The share of records that pram exchanges at all, as in sdcMicro.",
    )
    pram_least: float = option(
        0.0, rule=from_0_to_1, help="The least chance that pram keeps any category, however rare."
    )
    suppress: float | None = option(
        None,
        rule=optional(from_0_to_1),
        help="Suppress few cells until all models hold: at most this share of them.",
    )
    importance: Mapping[str, float] = _each(
        positive, "the importance", "What a suppressed cell of a column costs; 1 by default."
    )

    do: ClassVar[str] = "recode"
    columns: ClassVar[tuple[str, ...]] = tuple(each.name for each in fields(Columns))
    models: ClassVar[tuple[type[Any], ...]] = (
        KAnonymity,
        LDiversity,
        TCloseness,
        BetaLikeness,
        MinHouseholds,
        KMap,
        DeltaPresence,
    )
    gate: ClassVar[tuple[str, ...]] = ("missing", *FOUND)

    def random_numbers(self, output: Output) -> str:
        return "operating system" if self.pram else super().random_numbers(output)

    def draft(self, job: Job, roles: Schema, frame: Frame) -> Draft:
        from tokumei.release.recode import recoding  # what it needs is loaded when it is done

        return recoding.draft(job, self, roles, frame)


STEPS[Recode.do] = Recode
