"""Microaggregation as a step of a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from tokumei._check.options import by_column, choice, names, not_negative, option, optional
from tokumei.bounds.lower_bound import METHODS, Bound
from tokumei.microaggregation.options import Search
from tokumei.privacy import BetaLikeness, KAnonymity, LDiversity, MinHouseholds, TCloseness
from tokumei.release.job import STEPS, Job, Step
from tokumei.release.schema import Columns, Schema
from tokumei.release.sections import FOUND

if TYPE_CHECKING:
    from tokumei.release.io.frames import Frame
    from tokumei.release.mask.masking import Draft

Missing = Literal["refuse", "category", "impute"]
Rounding = Literal["grid", "none"]
Resolution = Literal["auto", "second", "minute", "hour", "day", "month", "quarter", "year"]
How = Literal["mean", "median", "mode", "interval", "set", "ancestor"]


@dataclass(frozen=True)
class Microaggregate(Search, Step):
    """Records come to share their quasi-identifiers, k or more of them."""

    represent: Mapping[str, How] = option(
        {},
        rule=by_column(choice(*get_args(How)), "the representative"),
        help="mean, median, mode, interval, set, ancestor.",
    )
    attribute_weights: Mapping[str, float] = option(
        {},
        rule=by_column(not_negative, "the weight"),
        help="How much a column counts in squared distances; 1 by default.",
    )
    strata: Sequence[str] = option((), rule=names, help="Columns whose values groups never cross.")
    missing: Missing = option(
        "refuse",
        rule=choice(*get_args(Missing)),
        help="Missing cells: refuse, category or impute.",
    )

    round: Rounding = option(
        "grid",
        rule=choice(*get_args(Rounding)),
        help="Means keep the decimals of their column (grid), or are published as they are (none).",
    )
    resolution: Mapping[str, Resolution] = option(
        {},
        rule=by_column(choice(*get_args(Resolution)), "the resolution"),
        help="Dates: day, month, quarter, year..; the coarsest that costs little by default.",
    )
    bound: Bound | None = option(
        None,
        rule=optional(choice(*METHODS)),
        help="How far the loss is at most above the least, proven by: auto, columns, rows..",
    )

    do: ClassVar[str] = "microaggregate"
    columns: ClassVar[tuple[str, ...]] = tuple(each.name for each in fields(Columns))
    models: ClassVar[tuple[type[Any], ...]] = (
        KAnonymity,
        LDiversity,
        TCloseness,
        BetaLikeness,
        MinHouseholds,
    )
    keeps: ClassVar[type[Any]] = KAnonymity
    gate: ClassVar[tuple[str, ...]] = ("missing", *FOUND)

    def draft(self, job: Job, roles: Schema, frame: Frame) -> Draft:
        from tokumei.release.mask import masking  # what it needs is loaded when it is done

        return masking.draft(job, self, roles, frame)


STEPS[Microaggregate.do] = Microaggregate
