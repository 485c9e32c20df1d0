"""The gate's second half, whole: attacks on the release and on proxies become checks.

Attacks grow, proxy after proxy, until the interval of each risk is on one side of its threshold.
Where it never is, or where there are too few people to divide, the verdict is "undecided": neither
passed nor failed, and a person has to say why the release may go out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from tokumei.privacy import KAnonymity, LDiversity, TCloseness
from tokumei.release.errors import counted, named
from tokumei.release.gate.answers import Check
from tokumei.release.gate.found import cures, proxy
from tokumei.release.gate.found.proxy import Remake, Round
from tokumei.release.gate.found.questions import (
    INFERENCE,
    LINKABILITY,
    SINGLING_OUT,
    Known,
    Question,
    questions,
)
from tokumei.release.io.frames import Frame
from tokumei.release.job import Job
from tokumei.release.schema import Schema
from tokumei.release.sections import TOO_FEW
from tokumei.risk.attacks.homogeneity import homogeneity
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.unmasked import NAME as UNMASKED
from tokumei.risk.attacks.unmasked import unmasked
from tokumei.risk.classes import classes_of, known_codes

BATCHES = 3  # of attacks on one proxy, before another is made
FEWEST = 50  # people in a proxy


def examine(
    job: Job, roles: Schema, original: Frame, released: Frame, remake: Remake
) -> list[Check]:
    """Every check of a release that promises k-anonymity; of others none."""
    model = job.model(KAnonymity)
    if model is None:
        return []
    known = Known(
        tuple(roles.of("quasi")),
        (*roles.of("other"), *roles.of("weight")),
        tuple(roles.of("sensitive")),
    )
    checks = [
        _unmasked(job, known, model.k, released),
        *_attacked(job, roles, known, original, remake),
        *_told(roles, known, released),
    ]
    if any(not check.passed and not check.undecided for check in checks):
        checks = cures.added(checks, job, roles, known, original, released, remake)
    return [_accepted(job, check) for check in checks]


def _accepted(job: Job, check: Check) -> Check:
    """The check with the reason that a person gave for releasing in spite of it."""
    accepted = job.gate.accept_risk
    reason = accepted.get(check.name) or (check.undecided and accepted.get(TOO_FEW)) or ""
    return check if check.passed else replace(check, reason=reason)


def _unmasked(job: Job, known: Known, k: int, released: Frame) -> Check:
    """Whether columns that were released as they are lead back to records."""
    if not known.unmasked:
        return Check(UNMASKED, True, "no column was released as it is")
    limit = 1.0 / k if job.gate.unmasked is None else job.gate.unmasked
    found = unmasked(proxy.columns(released, known.unmasked))
    share = found.successes / found.attempts
    detail = f"{percent(share)} of links right, at most {percent(limit)} allowed"
    worst = tuple(map(str, found.columns))
    figures = {"risk": share, "allowed": limit}
    failed = worst if share > limit else ()
    return Check(UNMASKED, share <= limit, detail, columns=failed, figures=figures)


def _attacked(
    job: Job, roles: Schema, known: Known, original: Frame, remake: Remake
) -> list[Check]:
    """Singling out, linkability and inference, on proxies."""
    model = job.model(KAnonymity)
    asked = questions(known, model.k, job.gate)
    found: dict[int, Attack] = {}
    if proxy.half_of(job, roles, original) >= max(FEWEST, 2 * model.k):
        names = [*known.all, *known.secrets]
        tried = proxy.rounds(job, roles, original, names, remake)
        found = grown(asked, tried, np.random.default_rng(0))
    checks = []
    for name in (SINGLING_OUT, LINKABILITY, INFERENCE):
        mine = [number for number, one in enumerate(asked) if one.check == name]
        if not mine:
            checks.append(Check(name, True, NOTHING[name]))
        elif not all(number in found for number in mine):
            checks.append(_too_few(name, job, known))
        else:
            check = _judged(name, [(asked[number], found[number]) for number in mine])
            if check.undecided and name != INFERENCE and not known.unmasked:
                check = replace(check, passed=True, detail=f"{check.detail}; {BOUNDED}")
            checks.append(check)
    return checks


# What holds without an attack: a link to one of k equal records is right once in k.
BOUNDED = "all that others may know is masked, to joint k"
NOTHING = {
    SINGLING_OUT: "nothing that others may know is released",
    LINKABILITY: "others may know one column only",
    INFERENCE: "no sensitive column is released",
}


def grown(
    asked: Sequence[Question], tried: Iterable[Round], chance: np.random.Generator
) -> dict[int, Attack]:
    """What each question comes to, after as many proxies as it takes to decide."""
    found: dict[int, Attack] = {}
    for one in tried:
        for number, question in enumerate(asked):
            for _ in range(BATCHES):
                if number not in found:
                    found[number] = question.ask(one, chance)
                elif question.open(found[number]):
                    found[number] += question.ask(one, chance)
        if not any(question.open(found[number]) for number, question in enumerate(asked)):
            break
    return found


def _judged(name: str, found: Sequence[tuple[Question, Attack]]) -> Check:
    """The verdict of the worst of these attacks."""
    worst, attack = max(found, key=lambda one: (one[1].risk.lower, one[1].risk.value))
    failed = attack.risk.lower > worst.threshold
    undecided = not failed and any(question.open(one) for question, one in found)
    if undecided:
        worst, attack = next(one for one in found if one[0].open(one[1]))
    control = attack.control_rate
    detail = (
        f"{attack.name}: risk {attack.risk}, {worst.threshold:g} allowed; attack "
        f"{attack.attack_rate.value:.3f}, control {control.value if control else 0.0:.3f}, "
        f"{counted(attack.attempts, 'attempt')}"
    )
    if attack.note:
        detail += f" ({attack.note})"
    if undecided:
        detail = f"too few records to decide; {detail}"
    return Check(
        name,
        not failed and not undecided,
        detail,
        undecided=undecided,
        columns=tuple(map(str, attack.columns)) if failed else (),
        figures={
            "risk": attack.risk.value,
            "lower": attack.risk.lower,
            "upper": attack.risk.upper,
            "allowed": worst.threshold,
            "attack": attack.attack_rate.value,
            "control": control.value if control else 0.0,
            "attempts": attack.attempts,
        },
    )


def _too_few(name: str, job: Job, known: Known) -> Check:
    """What is known without an attack."""
    if name == INFERENCE:
        asked = {one.column for one in job.privacy if isinstance(one, LDiversity | TCloseness)}
        if set(known.secrets) <= asked:
            return Check(name, True, "too few records to attack; bounded by the models asked for")
    elif not known.unmasked:
        return Check(name, True, f"too few records to attack; {BOUNDED}")
    return Check(name, False, "too few records to decide", undecided=True)


def _told(roles: Schema, known: Known, released: Frame) -> list[Check]:
    """What classes tell of sensitive columns: reported, not judged."""
    if not known.secrets:
        return []
    table = proxy.columns(released, [*known.masked, *known.secrets])
    labels = classes_of({name: table[name] for name in known.masked}).labels
    told = []
    for name in known.secrets:
        found = homogeneity(labels, known_codes(table[name]) + 1, name)
        told.append(f"{percent(found.successes / found.attempts)} of {named([name])}")
    return [Check("homogeneous classes (reported)", True, f"known for certain: {', '.join(told)}")]


def percent(share: float) -> str:
    """A share as a person reads it."""
    return f"{100.0 * share:.3g} %"
