"""The checks of a data set whose records were changed one by one."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tokumei.batch import classes, verdict
from tokumei.batch.perturbing import Perturbing
from tokumei.batch.recoding import Recoding
from tokumei.batch.rowwise import RowPlan
from tokumei.noise.laplace import Laplace
from tokumei.privacy import PkAnonymity
from tokumei.release.errors import counted, named
from tokumei.release.gate import perturbed as noise
from tokumei.release.gate.answers import Check
from tokumei.release.gate.recoded import SHARES

Facts = Sequence[Mapping[str, Any]]


def checks(plan: RowPlan, altered: Facts, parts: Facts, of_classes: Facts) -> list[Check]:
    """Whether the release was made as asked."""
    found = verdict.of_files(plan, _together(altered), parts)
    if isinstance(plan.change, Perturbing):
        return found + list(_of_noise(plan, plan.change, parts))
    assert isinstance(plan.change, Recoding)
    return [*found, _shares(plan, plan.change, parts), *_models(plan, of_classes)]


def _together(altered: Facts) -> verdict.Made:
    """What was read and made of all pieces."""
    words = 1 << 64
    records = tuple(sum(int(one["records"][j]) for one in altered) % words for j in (0, 1))
    was, becomes = (sum(one[name] for one in altered) % words for name in ("was", "passed_on"))
    return verdict.Made(
        sum(one["rows"] for one in altered), (records[0], records[1]), was == becomes
    )


def _of_noise(plan: RowPlan, change: Perturbing, parts: Facts) -> Iterator[Check]:
    impossible = sum(part["impossible"] for part in parts)
    told = f"{counted(impossible, 'cell')} that the noise cannot have made"
    yield Check("released values can come out of the noise", impossible == 0, told)
    channels = [channel for its in change.channels.values() for channel in its]
    k = plan.asked.job.model(PkAnonymity).k
    yield Check("the budget holds", *noise.bound(channels, plan.rows, k))
    yield _noisy(plan, change, parts)
    yield Check("the noise is private", True, "the noise is private")


def _noisy(plan: RowPlan, change: Perturbing, parts: Facts) -> Check:
    """No column of numbers spreads too little for the noise that it has."""
    quiet, looked = [], 0
    names = plan.asked.roles.released()
    for name, (channel, *more) in change.channels.items():
        if not isinstance(channel, Laplace) or more or channel.scale < channel.lattice:
            continue
        looked += 1
        after = _variance(parts, f"c{names.index(name)}")
        before = plan.found.moments[name].deviation ** 2
        if noise.grew_too_little(plan.rows, before, after, channel):
            quiet.append(name)
    told = (
        f"{named(quiet)}: less noise than its channel makes"
        if quiet
        else (f"{counted(looked, 'column')} spread as much as the noise asks")
    )
    few = plan.rows < noise.ROWS_TO_TELL
    return Check("noise was added", few or not quiet, "too few records to tell" if few else told)


def _variance(parts: Facts, column: str) -> float:
    """The variance of a column in all files, from the means and variances of each."""
    rows, means, variances = np.array([part["means"][column][:3] for part in parts]).T
    mean = math.fsum(rows * means) / rows.sum()
    return math.fsum(rows * (variances + (means - mean) ** 2)) / float(rows.sum())


def _shares(plan: RowPlan, change: Recoding, parts: Facts) -> Check:
    """No category is rare: as it was written, or as it was before it was exchanged."""
    rare = columns = 0
    for name, share in plan.asked.step.share.items():
        if name not in plan.asked.quasi:
            continue
        columns += 1
        counts: Counter[str] = Counter()
        if name in change.chances:
            for value, often in plan.found.counts[name].items():
                counts[change.labels[name][value]] += often
        else:
            for part in parts:
                counts.update(part["categories"][name])
        records = [often for value, often in counts.items() if value is not None]
        least = Fraction(repr(share)) * sum(records)
        rare += sum(often < least for often in records) * (len(records) > 1)
    return Check(SHARES, rare == 0, f"{rare} rare in {counted(columns, 'column')}")


def _models(plan: RowPlan, of_classes: Facts) -> list[Check]:
    """k and every other model, counted in the classes of the whole release."""
    asked = plan.asked
    if not of_classes:
        return []
    least, count, reached = classes.together(plan, of_classes)
    found = []
    if asked.k:
        told = f"the smallest class has {counted(least, 'record')}, {asked.k} asked"
        detail = f"{told}; {count} classes counted over all files"
        name = "joint k of the quasi-identifiers"
        found.append(Check(name, least >= asked.k, detail, {"k": least, "classes": count}))
    return found + of_models(asked.job.privacy, reached)


def of_models(models: Sequence[Any], reached: Mapping[int, float]) -> list[Check]:
    """A check for each model that was counted."""
    found = []
    for number, worst in reached.items():
        model = models[number]
        kind = f"{model.kind} " if model.kind not in ("distinct", "equal") else ""
        name = f"{kind}{model.model} of {model.column}"
        asked_for = getattr(model, "t", None) or getattr(model, "l", 0)
        told = f"the worst class of the release has {worst:.4g}, {asked_for:g} asked"
        holds = bool(model.holds(worst))
        found.append(
            Check(name, holds, told, {name: float(f"{worst:.6g}")}, columns=(model.column,))
        )
    return found


def achieved(plan: RowPlan, altered: Facts) -> dict[str, Any]:
    """What was reached, as the audit says it."""
    if isinstance(plan.change, Perturbing):
        return plan.change.achieved(plan)
    assert isinstance(plan.change, Recoding)
    return plan.change.achieved(plan.asked, plan.rows, [one["more"] for one in altered])
