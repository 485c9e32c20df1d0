"""Roles until the thresholds hold: a release by them is made, attacked, and thrown away.

Columns that adversaries needed, and that were to be released as they are, are masked if their
values repeat and dropped if not; those that were masked for it in vain are dropped, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tokumei.release import pipeline
from tokumei.release.assessment.profile import Profile
from tokumei.release.assessment.proposal import ALONE, Proposal
from tokumei.release.gate.answers import Check
from tokumei.release.gate.found import examine as found
from tokumei.release.io.frames import Frame
from tokumei.release.job import Job, gather
from tokumei.release.mask.step import Microaggregate
from tokumei.release.sections import Source

K = 5
LISTS = ("quasi", "identifier", "sensitive", "other", "drop")


def until(
    frame: Frame,
    how: Source,
    profiles: Sequence[Profile],
    proposed: Mapping[str, Proposal],
    target: float,
) -> tuple[dict[str, Proposal], str]:
    """Proposals under which no risk is above the target, and what is to be said of them."""
    roles, moved = dict(proposed), list[str]()
    repeats = {one.name: one.unique <= ALONE for one in profiles}
    while True:
        if not any(one.role == "quasi" for one in roles.values()):
            return roles, "risk target not tried: no column is proposed as a quasi-identifier"
        checks = _attacked(frame, _job(how, roles, target))
        failed = [check for check in checks if not (check.passed or check.undecided)]
        if not failed:
            some = any(check.undecided for check in checks)
            return roles, "risk target: too few records to decide" if some else "risk target: met"
        passed_on = [n for n in roles if roles[n].role in ("other", "weight")]
        blamed = {name for check in failed for name in check.columns}
        worst = [name for name in passed_on if name in blamed]
        for name in worst or moved:
            role = "quasi" if name in worst and repeats[name] else "drop"
            roles[name] = Proposal(role, f"people could be found by it: {failed[0].name}")
        if not (worst or moved):
            return roles, "risk target not met by roles alone: recode, or ask for a larger k"
        moved = [name for name in worst if repeats[name]]


def _job(how: Source, roles: Mapping[str, Proposal], target: float) -> Job:
    """A release by these roles, judged by this target."""
    asked: dict[str, Any] = {
        role: [name for name, one in roles.items() if one.role == role] for role in LISTS
    }
    for role in ("weight", "household"):
        named = [name for name, one in roles.items() if one.role == role]
        asked[role] = named[0] if named else None
        asked["drop"] += named[1:]
    kinds = {n: one.kind for n, one in roles.items() if one.kind and one.role == "quasi"}
    thresholds = dict.fromkeys(("singling_out", "linkability", "inference"), target)
    source = {"na": how.na, "decimal": how.decimal}
    made = {"k": K, "effort": "fast", "missing": "category", "kinds": kinds}
    return gather(Microaggregate, asked | thresholds | source | made)


def _attacked(frame: Frame, job: Job) -> list[Check]:
    """What adversaries come to in a release that nobody will see."""
    made = pipeline.make(job, frame, {})
    return found.examine(job, made.roles, made.read, made.released, pipeline.remade)
