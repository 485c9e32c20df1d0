"""What the second half asks beside the three risks: of the release as it is, and of one proxy.

Some of it is judged; what is only reported says so in its name, and passes.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from tokumei._check import Labels
from tokumei.privacy import KAnonymity
from tokumei.release.errors import named
from tokumei.release.gate.answers import Check
from tokumei.release.gate.found import proxy
from tokumei.release.gate.found.proxy import Round
from tokumei.release.gate.found.questions import COLUMNS, PREDICATES, TARGETS, Known
from tokumei.release.gate.found.words import percent, rates
from tokumei.release.io.frames import Frame
from tokumei.release.job import Job
from tokumei.release.schema import Schema
from tokumei.release.sections import ROW_ORDER, THROUGH_MASKED, TOLD, WEIGHT
from tokumei.risk.attacks import row_order
from tokumei.risk.attacks.distance_linkage import distance_linkage
from tokumei.risk.attacks.homogeneity import homogeneity
from tokumei.risk.attacks.records import Records, comparable
from tokumei.risk.attacks.singling_out import singling_out
from tokumei.risk.classes import classes_of, known_codes
from tokumei.risk.columns import agreement

NO_CHANCE = 6.0  # standard deviations
DOMINATED = 0.75  # of the weights of a class
TELLS = 0.95  # how much likelier records agree in what a column tells, 0 to 1
SENSITIVE = "singling out with sensitive columns (reported)"


def of_release(
    job: Job, roles: Schema, known: Known, original: Frame, released: Frame
) -> list[Check]:
    """What is asked of the release itself, without a proxy."""
    return [
        *_row_order(job, known, original, released),
        *_one_weight(job, roles, known, released),
        *_homogeneous(known, released),
    ]


def of_proxy(job: Job, known: Known, tried: Round) -> list[Check]:
    """What is asked of one proxy, once: there it is known whose each record is."""
    chance = np.random.default_rng(0)
    checks = []
    model = job.model(KAnonymity)
    if known.masked and not job.steps[-1].shuffles:
        members, masked = (each.only(known.masked) for each in (tried.members, tried.proxy))
        rows = np.arange(len(members))
        found = distance_linkage(members, masked, rows, attacks=TARGETS, chance=chance)
        share = found.successes / found.attempts
        limit = "reported" if model is None else f"at most {percent(1.0 / model.k)} allowed"
        passed = model is None or found.attack_rate.lower <= 1.0 / model.k
        detail = f"{percent(share)} of links to the nearest record right, {limit}"
        checks.append(Check(THROUGH_MASKED, passed, detail))
        if known.unmasked:
            checks.append(_told(known, tried))
    if known.secrets:
        everything = [*known.all, *known.secrets]
        found = singling_out(
            *(each.only(everything) for each in (tried.members, tried.proxy, tried.strangers)),
            columns=COLUMNS,
            attacks=PREDICATES,
            chance=chance,
        )
        checks.append(Check(SENSITIVE, True, f"risk {found.risk}; {rates(found)}"))
    return checks


def _told(known: Known, tried: Round) -> Check:
    """Whether a column that was released as it is tells what a masked one was, which it hides."""
    both = (tried.members, tried.proxy)
    was, becomes = ({name: _codes(part, name) for name in known.all} for part in both)
    hidden = [name for name in known.masked if agreement(becomes[name], was[name]) < TELLS]
    tells = {
        name: [masked for masked in hidden if agreement(was[name], was[masked]) >= TELLS]
        for name in known.unmasked
    }
    telling = tuple(name for name, told in tells.items() if told)
    told = list(dict.fromkeys(masked for name in telling for masked in tells[name]))
    verb, were = "tell" if len(telling) > 1 else "tells", "were" if len(told) > 1 else "was"
    detail = f"{named(telling)} {verb} what {named(told)} {were}" if telling else "none is told"
    return Check(TOLD, not telling, detail, columns=telling)


def _codes(records: Records, name: str) -> Labels:
    """The cells of a column by numbers from 0."""
    found: Labels = np.unique(records.cells[name], return_inverse=True)[1]
    return found


def _row_order(job: Job, known: Known, original: Frame, released: Frame) -> list[Check]:
    """Whether records are nearer to those at their place than chance makes them."""
    if job.output.keep_order:
        return [Check(ROW_ORDER, True, "kept, as it was asked for")]
    chance = np.random.default_rng(0)
    rows = row_order.sampled(len(original), chance)
    places = [rows, len(released) - 1 - rows, chance.integers(len(released), size=len(rows))]
    parts = [original[rows.tolist(), :], *(released[place.tolist(), :] for place in places)]
    names = known.all
    targets, *here, anywhere = comparable([proxy.columns(each, names) for each in parts], names)
    found = row_order.compared(targets, here, anywhere)
    beyond = (found.successes - 0.5 * found.attempts) / (0.5 * sqrt(found.attempts))
    share = percent(found.successes / found.attempts)
    detail = f"{share} of records are nearer to the one at their place than to any, half by chance"
    return [Check(ROW_ORDER, beyond <= NO_CHANCE, detail)]


def _one_weight(job: Job, roles: Schema, known: Known, released: Frame) -> list[Check]:
    """Whether one member's weight makes the mean of its class its own value."""
    weights = roles.of("weight")
    if not (weights and known.masked):
        return []
    table = proxy.columns(released, [*known.masked, *weights])
    classes = classes_of({name: table[name] for name in known.masked})
    amounts = np.abs(np.nan_to_num(table[weights[0]].numbers))
    largest = np.zeros(len(classes.sizes))
    np.maximum.at(largest, classes.labels, amounts)
    sums = np.bincount(classes.labels, amounts)
    dominated = float((largest > DOMINATED * sums).sum() / len(sums))
    allowed = job.gate.singling_out
    detail = (
        f"in {percent(dominated)} of classes one weight is more than {percent(DOMINATED)} of all, "
        f"at most {percent(allowed)} allowed"
    )
    return [Check(WEIGHT, dominated <= allowed, detail, columns=tuple(weights))]


def _homogeneous(known: Known, released: Frame) -> list[Check]:
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
