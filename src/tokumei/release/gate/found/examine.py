"""The gate's second half, whole: attacks on the release and on proxies become checks.

Attacks grow, proxy after proxy, until the interval of each risk is on one side of its threshold.
Where it never is, or where there are too few people to divide, the verdict is "undecided": neither
passed nor failed, and a person has to say why the release may go out. Of a job that promises no k,
recoding or noise, the same is asked of one proxy and reported: nothing was promised to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from tokumei.privacy import KAnonymity, LDiversity, TCloseness
from tokumei.release.gate.answers import Check
from tokumei.release.gate.found import beside, cures, proxy
from tokumei.release.gate.found.proxy import Remake, Round
from tokumei.release.gate.found.questions import (
    INFERENCE,
    LINKABILITY,
    SINGLING_OUT,
    Known,
    Question,
    questions,
)
from tokumei.release.gate.found.words import percent, rates, which
from tokumei.release.io.frames import Frame
from tokumei.release.job import Job
from tokumei.release.schema import Schema
from tokumei.release.sections import TOO_FEW
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.unmasked import NAME as UNMASKED
from tokumei.risk.attacks.unmasked import unmasked

BATCHES = 3  # of attacks on one proxy, before another is made
FEWEST = 50  # people in a proxy
REPORTED = " (reported)"  # and not judged


def examine(
    job: Job,
    roles: Schema,
    original: Frame,
    released: Frame,
    remake: Remake,
    links: Check | None = None,
) -> list[Check]:
    """Every check of a release; of one that promises no k-anonymity what is only reported.

    `links` are those through unmasked columns where they have been counted in more than is here.
    """
    model = job.model(KAnonymity)
    known = Known(
        tuple(roles.of(job.role)),
        (*roles.of("other"), *roles.of("weight")),
        tuple(roles.of("sensitive")),
    )
    if not known.all:
        return []
    tried: Iterable[Round] = ()
    if proxy.half_of(job, roles, original) >= max(FEWEST, 2 * model.k if model else 0):
        tried = proxy.rounds(job, roles, original, [*known.all, *known.secrets], remake)
    rounds = iter(tried)
    first = next(rounds, None)
    if model is None:
        return _reported(job, known, released, first)
    checks = [
        links or _unmasked(job, known, model.k, released),
        *_attacked(job, known, model.k, () if first is None else chain([first], rounds)),
        *([] if first is None else beside.of_proxy(job, known, first)),
        *beside.of_release(job, roles, known, original, released),
    ]
    # A cure is looked for by masking anew: not for what a person has accepted as it is.
    if any(not (check.passed or check.undecided or _reason(job, check)) for check in checks):
        checks = cures.added(checks, job, known, released, first)
    return [replace(check, reason=_reason(job, check)) for check in checks]


def _reason(job: Job, check: Check) -> str:
    """The reason that a person gave for releasing in spite of this check."""
    if check.passed:
        return check.reason
    accepted = job.gate.accept_risk
    return accepted.get(check.name) or (accepted.get(TOO_FEW, "") if check.undecided else "")


def _unmasked(job: Job, known: Known, k: int, released: Frame) -> Check:
    """Whether columns that were released as they are lead back to records."""
    if not known.unmasked:
        return Check(UNMASKED, True, "no column was released as it is")
    found = unmasked(proxy.columns(released, known.unmasked))
    worst = tuple(map(str, found.columns))
    return judged_links(job, k, found.successes / found.attempts, worst)


def judged_links(job: Job, k: int, share: float, worst: tuple[str, ...]) -> Check:
    """The verdict on so many right links through unmasked columns, the worst ones first."""
    limit = 1.0 / k if job.gate.unmasked is None else job.gate.unmasked
    detail = f"{percent(share)} of links right, at most {percent(limit)} allowed"
    figures = {"risk": share, "allowed": limit}
    failed = worst if share > limit else ()
    return Check(UNMASKED, share <= limit, detail, columns=failed, figures=figures)


def _reported(job: Job, known: Known, released: Frame, first: Round | None) -> list[Check]:
    """What adversaries come to where no k was asked for: nothing of it is judged."""
    checks = []
    if known.unmasked:
        found = unmasked(proxy.columns(released, known.unmasked))
        share = percent(found.successes / found.attempts)
        checks.append(Check(UNMASKED, True, f"{share} of links right"))
    if first is None:
        return [Check(f"attacks{REPORTED}", True, "too few records to attack")]
    chance = np.random.default_rng(0)
    for question in questions(known, None, job.gate):
        attack = question.ask(first, chance)
        detail = f"risk {attack.risk}; {rates(attack)}"
        checks.append(Check(attack.name, True, detail))
    checks += beside.of_proxy(job, known, first)
    return [replace(one, name=f"{one.name.removesuffix(REPORTED)}{REPORTED}") for one in checks]


def _attacked(job: Job, known: Known, k: int, tried: Iterable[Round]) -> list[Check]:
    """Singling out, linkability and inference, on proxies."""
    asked = questions(known, k, job.gate)
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
    detail = (
        f"{which(name, attack)}risk {attack.risk}, {worst.threshold:g} allowed; {rates(attack)}"
    )
    control = attack.control_rate
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
