"""What to do about a release that was refused: the columns to take care of, tried before said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tokumei.privacy import KAnonymity
from tokumei.release.errors import named
from tokumei.release.gate.answers import Check
from tokumei.release.gate.found import proxy
from tokumei.release.gate.found.proxy import Round
from tokumei.release.gate.found.questions import Known, questions
from tokumei.release.io.frames import Frame
from tokumei.release.job import Job
from tokumei.release.sections import TOLD
from tokumei.risk.attacks.unmasked import links

SAMPLE = 40_000  # records in which classes of unmasked columns are counted


def added(
    checks: Sequence[Check],
    job: Job,
    known: Known,
    released: Frame,
    tried: Round | None,
) -> list[Check]:
    """The checks, those that failed with their cure."""
    cure = "ask for a larger k or coarser values"
    # What tells a masked column has to go in any case.
    out = [name for check in checks if check.name == TOLD for name in check.columns]
    left = known.without(out)
    if left.unmasked:
        out += proposal(job, left, released, tried)
    if out:
        others = "make it" if len(out) == 1 else "make them"
        cure = f"{named(out)}: {others} quasi, coarsen or drop {others.split()[1]}"
    failed = [not (check.passed or check.undecided) for check in checks]
    first = failed.index(True)  # a cure is that of all, and said once
    said = {first: f"{checks[first].detail}; {cure}"}
    return [
        replace(check, detail=said.get(number, check.detail), columns=tuple(out) or check.columns)
        if failed[number]
        else check
        for number, check in enumerate(checks)
    ]


def proposal(job: Job, known: Known, released: Frame, tried: Round | None) -> list[str]:
    """Unmasked columns without which nothing would have failed, the worst first; or all."""
    k = job.model(KAnonymity).k
    limit = 1.0 / k if job.gate.unmasked is None else job.gate.unmasked
    rows = np.random.default_rng(0).permutation(len(released))[:SAMPLE].tolist()
    columns = proxy.columns(released[rows, :], known.unmasked)
    out: list[str] = []
    left = list(known.unmasked)
    while left:
        classes = links({name: columns[name] for name in left})
        if classes <= limit * len(rows) and _fine(job, known.without(out), k, tried):
            break
        without = {
            name: links({other: columns[other] for other in left if other != name})
            if len(left) > 1
            else 0
            for name in left
        }
        worst = min(left, key=without.__getitem__)
        left.remove(worst)
        out.append(worst)
    return out


def _fine(job: Job, known: Known, k: int, tried: Round | None) -> bool:
    """Whether no attack on this proxy is above its threshold with these columns."""
    if tried is None:
        return True
    chance = np.random.default_rng(0)
    return all(
        question.ask(tried, chance).risk.value <= question.threshold
        for question in questions(known, k, job.gate)
    )
