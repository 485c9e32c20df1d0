"""Linkability: two people with a part of the columns each find out that they speak of one person.

One adversary knows some columns of a target, another one others; both know the release. Each looks
for the released record that is nearest to the target in its columns, and they link what they know
where that is the same record. A record that m released ones equal, in the columns of both, is that
of any of m people, so it counts 1/m. Only what they link more often of people in the release than
of people who are not is a risk. Definitions of Anonymeter, with ties to the lowest row; there a
record counts once, however many equal it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from tokumei._check import Labels
from tokumei.risk.attacks.nearest import nearest
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records

KNOWS = "the release; one of them some columns of a person, the other one others"


def linkability(
    original: Records,
    release: Records,
    control: Records | None,
    sides: tuple[Sequence[Hashable], Sequence[Hashable]],
    *,
    attacks: int,
    chance: np.random.Generator,
) -> Attack:
    """Link two sets of columns of randomly chosen people."""
    targets = chosen(original, attacks, chance)
    strangers = None if control is None else chosen(control, attacks, chance)
    one, other = (chance.integers(len(release), size=len(targets)) for _ in sides)
    return Attack(
        "linkability",
        KNOWS,
        successes=_linked(targets, release, sides),
        attempts=len(targets),
        control_successes=None if strangers is None else _linked(strangers, release, sides),
        control_attempts=0 if strangers is None else len(strangers),
        baseline_successes=int((one == other).sum()),
        baseline_attempts=len(targets),
    )


def chosen(records: Records, attacks: int, chance: np.random.Generator) -> Records:
    """So many records at random, or all of fewer."""
    rows: Labels = chance.permutation(len(records))[:attacks]
    return records.rows(rows)


def _linked(
    targets: Records, release: Records, sides: tuple[Sequence[Hashable], Sequence[Hashable]]
) -> float:
    one, other = (nearest(targets, release, list(side)) for side in sides)
    classes, _ = release.alike([*sides[0], *sides[1]])
    equals = np.bincount(classes)[classes]
    return float((1.0 / equals[one[one == other]]).sum())


def two_sides(
    masked: Sequence[Hashable], unmasked: Sequence[Hashable]
) -> tuple[list[Hashable], list[Hashable]]:
    """A split of columns of which each side has masked and unmasked ones, if there are enough."""
    one = [*unmasked[0::2], *masked[1::2]]
    other = [*unmasked[1::2], *masked[0::2]]
    return one, other
