"""The checks of a data set: the answers of all its pieces, put together and judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from tokumei.batch import interruption
from tokumei.batch.asked import Scattered
from tokumei.batch.gate import Facts
from tokumei.batch.plan import Plan
from tokumei.batch.sample import Sample
from tokumei.release import pipeline
from tokumei.release.errors import counted, named
from tokumei.release.gate import chance
from tokumei.release.gate.answers import Check
from tokumei.release.gate.found import examine
from tokumei.release.io import frames
from tokumei.release.job import Job, Step
from tokumei.release.sections import ROW_ORDER

ATTACKED = 80_000  # records that are drawn for attacks


def checks(
    plan: Plan,
    routed: Sequence[Mapping[str, Any]],
    facts: Facts,
    parts: Sequence[Mapping[str, Any]],
) -> list[Check]:
    """Whether the release was made as asked."""
    asked = plan.asked
    passed_on = sum(one["passed_on"] for one in routed) % (1 << 64)
    read = sum(one["rows"] for one in routed)
    made = Made(read, facts.records, passed_on == facts.passed_on)
    smallest = f"the smallest class has {counted(facts.least, 'record')}, {asked.k} asked"
    return [
        *of_files(plan, made, parts),
        Check(
            "joint k of the quasi-identifiers",
            facts.least >= asked.k,
            f"{smallest}; counted in each block, whose classes the release can only join",
            {"k": facts.least},
        ),
        Check(
            "masked values are finite",
            facts.unreadable == 0,
            f"{counted(facts.unreadable, 'record')} with a missing, infinite or unreadable value",
        ),
        _masked(plan, facts),
        *_weighted(plan, facts),
        *_strata(plan, facts),
        *_diversity(plan, facts),
        *_households(plan, facts),
    ]


@dataclass(frozen=True)
class Made:
    """What is known of all records before they were scattered."""

    rows: int  # that were read
    records: tuple[int, int]  # their hash, as they were to be written
    passed_on: bool  # whether cells that are not changed were as they had been read


def of_files(plan: Scattered, made: Made, parts: Sequence[Mapping[str, Any]]) -> list[Check]:
    """Whether files hold the records that were made, in columns as declared, and nothing else."""
    asked = plan.asked
    wanted = asked.roles.released()
    same = all(part["names"] == wanted for part in parts)
    left = [n for n in asked.roles.of("identifier") for part in parts if n in part["names"]]
    notes = sorted({note for part in parts for note in part["notes"]})
    read, out = made.rows, sum(part["rows"] for part in parts)
    records = tuple(sum(part["records"][j] for part in parts) % (1 << 64) for j in (0, 1))
    kept = records == made.records and made.passed_on
    told = "as they were made" if kept else "not those that were made"
    return [
        Check("every column has a role", same, "as declared" if same else "other columns"),
        Check("identifiers are gone", not left, named(left) if left else "none left"),
        Check("no index or metadata", not notes, ", ".join(notes) or "none"),
        Check(
            "as many rows out as in",
            read == out == plan.rows,
            f"{plan.rows} in, {out} out",
            {"rows": out},
        ),
        Check("records are those that were made", kept, f"{counted(out, 'record')}, {told}"),
        _order(parts),
    ]


def _order(parts: Sequence[Mapping[str, Any]]) -> Check:
    """What is seen of the order of rows: neighbours that are alike, files that differ."""
    alike = sum(part["alike"] for part in parts)
    expected = sum(part["alike_by_chance"] for part in parts)
    fine = not (
        chance.far(alike - expected, expected, 1.0)
        or any(chance.far(*seen) for part in parts for seen in part["order"].values())
        or any(_files_differ(parts, name) for name in parts[0]["means"])
    )
    detail = "as after a shuffle" if fine else "neighbours or files are alike more than by chance"
    return Check("rows are in the order asked for", fine, detail)


def _files_differ(parts: Sequence[Mapping[str, Any]], column: str) -> bool:
    """Whether the numbers of a file add up to more or less than those drawn by chance would.

    A sum of a sample without replacement is no wider than one with it (Hoeffding 1963).
    """
    found = np.array([each for each in (part["means"][column] for part in parts) if each[0]])
    if len(found) < 2 or found[:, 3].min() == found[:, 4].max():
        return False  # of equal numbers nothing is left but the rounding of means
    rows, means, variances, least, most = found.T
    there = rows.sum()
    mean = (rows * means).sum() / there
    variance = (rows * (variances + (means - mean) ** 2)).sum() / there
    largest = max(most.max() - mean, mean - least.min())
    sums, spreads = rows * np.abs(means - mean), rows * (1.0 - rows / there) * variance
    return any(chance.far(float(s), float(v), largest) for s, v in zip(sums, spreads, strict=True))


def _masked(plan: Plan, facts: Facts) -> Check:
    """Whether masking happened, to the extent that groups ask for."""
    few = [name for name, cells in facts.owed.items() if cells]
    shares = ", ".join(f"{100.0 * n / max(facts.rows, 1):.3g} %" for n in facts.changed.values())
    rows = max(facts.changed.values(), default=0)
    words = f"{named(few)}: fewer changed cells than the groups ask for"
    detail = words if few else f"of the cells of each column {shares} changed"
    return Check("masking happened", not few, detail, {"changed_rows": rows})


def _weighted(plan: Plan, facts: Facts) -> list[Check]:
    """Whether groups publish the weighted means of their records, where means are weighted."""
    if plan.asked.columns.weight is None:
        return []
    told = f"{counted(facts.weighted, 'group')} with another mean, counted again in SQL"
    return [Check("means are weighted", facts.weighted == 0, told)]


def _strata(plan: Plan, facts: Facts) -> list[Check]:
    """Whether groups keep to their strata, where they were asked to."""
    if not plan.asked.step.strata:
        return []
    told = f"{counted(facts.crossing, 'group')} of several strata, of {facts.groups}"
    return [Check("groups keep to their strata", facts.crossing == 0, told)]


def _diversity(plan: Plan, facts: Facts) -> list[Check]:
    """Whether every class shows as many different values of sensitive columns as asked."""
    asked = plan.asked.diversity
    if not asked:
        return []
    few = [name for name, least in asked.items() if facts.diverse.get(name, 0) < least]
    told = ", ".join(f"{facts.diverse.get(name, 0)} of {name!r}" for name in asked)
    figures: dict[str, float] = {
        f"l-diversity of {name}": facts.diverse.get(name, 0) for name in asked
    }
    detail = f"different values in the worst class, counted in each block: {told}"
    return [Check("sensitive values in every class", not few, detail, figures, columns=tuple(few))]


def _households(plan: Plan, facts: Facts) -> list[Check]:
    """Whether every class has as many households as asked."""
    name = plan.asked.household
    if not name:
        return []
    found, least = facts.diverse.get(name, 0), plan.asked.different[name]
    told = f"the smallest class has {counted(found, 'household')}, {least} asked"
    figures: dict[str, float] = {"k_households": found}
    detail = f"{told}; counted in each block"
    return [Check("joint k counted in households", found >= least, detail, figures)]


class Sampled(Scattered, Protocol):
    """The same, with records that a keyed hash drew."""

    @property
    def sample(self) -> Sample: ...

    @property
    def unmasked(self) -> Mapping[tuple[str, ...], Sample]: ...


def attacks(plan: Plan) -> list[Check]:
    """What adversaries find: on proxies of records that a keyed hash drew, and in counts."""
    step = replace(plan.asked.step, resolution=plan.resolutions)  # a sample may suggest others
    return attacked(plan, step, drawn(plan, ATTACKED))


def attacked(plan: Sampled, step: Step, records: Any) -> list[Check]:
    """The same of records at hand, with which the step is done."""
    asked = plan.asked
    job = _on_sample(plan, step)
    original = frames.frame_of(records)
    released = _remade(job, original)
    links = _links(plan)
    roles = replace(
        asked.roles, roles={n: r for n, r in asked.roles.roles.items() if n in asked.names}
    )
    found = examine.examine(job, roles, original, released, _remade, links)
    # The order of a sample says nothing; that of the files has been looked at.
    return [check for check in found if check.name != ROW_ORDER]


def _remade(job: Job, frame: frames.Frame) -> frames.Frame:
    """The same job on other records: what takes long in attacks is left between two of these."""
    interruption.go_on()
    return pipeline.remade(job, frame)


def drawn(plan: Plan, rows: int) -> Any:
    """Records of the sample; none of strata that so few of them cannot show groups of."""
    table = plan.sample.drawn(rows)
    if not plan.asked.step.strata:
        return table
    own = plan.strata_of(table)
    enough = np.bincount(own, minlength=len(plan.strata)) >= plan.asked.k
    return table.filter(pa.array(enough[own]))


def _on_sample(plan: Sampled, step: Step) -> Job:
    """The same job on records of which only what is released is there."""
    asked = plan.asked
    held: dict[str, Any] = {
        role: tuple(asked.roles.of(role)) for role in ("quasi", "sensitive", "other")
    }
    columns = replace(asked.columns, identifier=(), drop=(), **held)
    return replace(asked.job, steps=(step,), schema=columns, run=asked.job.run.silent())


def _links(plan: Sampled) -> Check | None:
    """Links through unmasked columns: how many different records these have in the whole table."""
    if not plan.unmasked or not plan.asked.k:  # without k nothing is judged
        return None
    joint, *single = plan.unmasked.items()
    share = min(joint[1].different() / plan.rows, 1.0)
    worst = sorted(single, key=lambda one: -one[1].different())
    names = tuple(names[0] for names, one in worst if one.different() > 1)
    return examine.judged_links(plan.asked.job, plan.asked.k, share, names)
