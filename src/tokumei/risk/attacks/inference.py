"""Inference: what a person keeps to itself is read off the released record nearest to it.

The adversary knows some columns of a target and the release. It takes the secret of the nearest
released record for the target's. A number is right within 5 % of the guess, anything else where it
is the same. Only what is right more often of people in the release than of people who are not is a
risk: the rest is what the release says of the population. Definitions of Anonymeter, with ties to
the lowest row.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei.risk.attacks.linkability import chosen
from tokumei.risk.attacks.nearest import nearest
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import Records

KNOWS = "the release, and all columns of a person but the secret"
TOLERANCE = 0.05
MOST_CLASSES = 20  # a number with more values is guessed within the tolerance


def inference(
    original: Records,
    release: Records,
    control: Records | None,
    known: Sequence[Hashable],
    secret: Hashable,
    *,
    attacks: int,
    chance: np.random.Generator,
    allowed: float = 0.0,
) -> Attack:
    """Infer the secret of randomly chosen people from what is known of them."""
    targets = chosen(original, attacks, chance)
    strangers = None if control is None else chosen(control, attacks, chance)
    guesses = release.cells[secret][chance.integers(len(release), size=len(targets))]
    close = is_amount(original, secret)
    return Attack(
        f"inference of {secret}",
        KNOWS,
        successes=_inferred(targets, release, known, secret, close),
        attempts=len(targets),
        control_successes=None
        if strangers is None
        else _inferred(strangers, release, known, secret, close),
        control_attempts=0 if strangers is None else len(strangers),
        baseline_successes=int(right(guesses, targets.cells[secret], close).sum()),
        baseline_attempts=len(targets),
        allowed=allowed,
        columns=(),
    )


def _inferred(
    targets: Records, release: Records, known: Sequence[Hashable], secret: Hashable, close: bool
) -> int:
    guesses = release.cells[secret][nearest(targets, release, known)]
    return int(right(guesses, targets.cells[secret], close).sum())


def is_amount(records: Records, secret: Hashable) -> bool:
    """Whether a secret is a number of many values."""
    if not records.numeric(secret):
        return False
    cells = records.cells[secret]
    return len(np.unique(cells[np.isfinite(cells)])) > MOST_CLASSES


def right(guesses: NDArray[Any], truth: NDArray[Any], close: bool) -> NDArray[np.bool_]:
    """Which guesses are right; two missing cells are the same."""
    same: NDArray[np.bool_] = guesses == truth
    if guesses.dtype.kind == "f":
        same |= np.isnan(guesses) & np.isnan(truth)
        if close:
            same |= np.abs(guesses - truth) <= TOLERANCE * np.abs(guesses)
    return same
