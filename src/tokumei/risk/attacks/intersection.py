"""Intersection: two releases of the same people each hide a secret, and both together tell it.

The adversary knows what others may know of a person, and has an earlier release that holds it, too.
In each it takes the class nearest to the person. Where the secrets of both classes have one in
common, it is the person's. Of people who are in neither release the same says what is by chance
(m-invariance, Xiao & Tao 2007, is what it takes to bar it).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence

import numpy as np

from tokumei.risk.attacks.linkability import chosen
from tokumei.risk.attacks.nearest import nearest_of
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records

KNOWS = "an earlier release, and the columns that others may know of a person"


def intersection(
    original: Records,
    release: Records,
    earlier: Records,
    control: Records | None,
    known: Sequence[Hashable],
    secret: Hashable,
    *,
    attacks: int,
    chance: np.random.Generator,
) -> Attack:
    """Infer the secret of people from what their classes in two releases have in common."""
    targets = chosen(original, attacks, chance)
    strangers = None if control is None else chosen(control, attacks, chance)
    both = (release, earlier)
    return Attack(
        f"intersection for {secret}",
        KNOWS,
        successes=_told(targets, both, known, secret),
        attempts=len(targets),
        control_successes=None if strangers is None else _told(strangers, both, known, secret),
        control_attempts=0 if strangers is None else len(strangers),
    )


def _told(
    targets: Records,
    releases: tuple[Records, Records],
    known: Sequence[Hashable],
    secret: Hashable,
) -> int:
    """How often one secret is in both classes, and it is the right one."""
    classes = [_secrets(targets, release, known, secret) for release in releases]
    truth = targets.cells[secret].tolist()
    return sum(one & other == {own} for one, other, own in zip(*classes, truth, strict=True))


def _secrets(
    targets: Records, release: Records, known: Sequence[Hashable], secret: Hashable
) -> list[set[float]]:
    """The secrets of the class nearest to each target."""
    labels, first = release.alike(known)
    inside: dict[int, set[float]] = defaultdict(set)
    for label, cell in zip(labels.tolist(), release.cells[secret].tolist(), strict=True):
        inside[label].add(cell)
    place = nearest_of(targets, release.rows(first), known)
    return [inside[label] for label in place.tolist()]
