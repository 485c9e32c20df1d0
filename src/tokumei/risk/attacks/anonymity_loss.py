"""The anonymity loss coefficient: what a release tells of its people beyond the best other guess.

An adversary says a person's secret where it is sure enough, so that it is right of a share of those
of whom it speaks (precision), who are a share of all (coverage). Both make one number, precision
weighed down for small coverage; the loss is how far the adversary gets from the best guess of a
person who is not in the release, on the way to 1 (Francis & Wagner 2024). Guesses beside it: the
same adversary and the same release, of people who are not in it; the nearest of people who are not
in the release; the commonest secret. The first of them is what keeps a harmless release from being
accused: whatever the release tells of everybody, it tells of them as well.

How sure to be is chosen on half of the targets, and counted on the other half. The interval is that
of targets drawn again.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import log10

import numpy as np

from tokumei._check import Floats
from tokumei.risk.attacks.inference import is_amount, right
from tokumei.risk.attacks.linkability import chosen
from tokumei.risk.attacks.nearest import nearest
from tokumei.risk.attacks.records import Records
from tokumei.risk.attacks.row_order import apart

LEAST_COVERAGE, WEIGHT = 1e-4, 3.0
DRAWS, STEPS = 200, 50  # of targets again, and shares of them to speak of


@dataclass(frozen=True)
class AnonymityLoss:
    """The coefficient of one secret, 0 (nothing lost) to 1, and what it is made of.

    It holds shares and the name of a column. It is reported, and judges nothing.
    """

    secret: Hashable
    value: float
    lower: float
    upper: float
    precision: float
    coverage: float
    baseline: str
    baseline_precision: float
    baseline_coverage: float

    def __str__(self) -> str:
        baseline = f"{self.baseline_precision:.3f} of {self.baseline_coverage:.3f}"
        return (
            f"anonymity loss of {self.secret}: {self.value:.3f} [{self.lower:.3f}, "
            f"{self.upper:.3f}]; right {self.precision:.3f} of {self.coverage:.3f}, "
            f"{self.baseline} {baseline}"
        )


def together(precision: float, coverage: float) -> float:
    """Precision weighed by coverage, as one number from 0 to 1."""
    if coverage <= LEAST_COVERAGE:
        return 0.0
    return float(precision * (1.0 - (log10(coverage) / log10(LEAST_COVERAGE)) ** WEIGHT))


@dataclass(frozen=True, eq=False)
class _Guesses:
    """Of each target how sure the adversary is, and whether its guess is right."""

    sure: Floats
    right: Floats

    def rows(self, rows: np.ndarray) -> _Guesses:
        return _Guesses(self.sure[rows], self.right[rows])

    def threshold(self) -> float:
        """How sure to be, so that precision and coverage together are best."""
        steps = np.quantile(self.sure, np.linspace(0.0, 1.0, STEPS), method="lower")
        return float(max(np.unique(steps), key=lambda least: together(*self.counted(float(least)))))

    def counted(self, least: float) -> tuple[float, float]:
        """Precision and coverage of one who speaks where it is at least so sure."""
        spoken = self.sure >= least
        return (float(self.right[spoken].mean()) if spoken.any() else 0.0), float(spoken.mean())


def anonymity_loss(
    original: Records,
    release: Records,
    control: Records,
    known: Sequence[Hashable],
    secret: Hashable,
    *,
    attacks: int,
    chance: np.random.Generator,
) -> AnonymityLoss:
    """The loss of one secret, measured on people of the release and of the control group."""
    close = is_amount(original, secret)
    targets, strangers = chosen(original, attacks, chance), chosen(control, attacks, chance)
    attack = _guessed(targets, release, known, secret, close)
    baselines = {
        "of others": _guessed(strangers, release, known, secret, close),
        "without the release": _guessed(targets, control, known, secret, close),
        "the commonest": _commonest(targets, control, secret, close),
    }
    reached, spoken = _split(attack)
    others = {name: _split(one) for name, one in baselines.items()}
    best = max(others, key=lambda name: together(*others[name][1].counted(others[name][0])))
    least, other = others[best]
    found, beside = spoken.counted(reached), other.counted(least)
    drawn = [
        _loss(_again(spoken, chance).counted(reached), _again(other, chance).counted(least))
        for _ in range(DRAWS)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975])
    value = _loss(found, beside)
    return AnonymityLoss(secret, value, float(low), float(high), *found, best, *beside)


def _guessed(
    targets: Records, store: Records, known: Sequence[Hashable], secret: Hashable, close: bool
) -> _Guesses:
    """The commonest secret of the class nearest to each target; surer where the class agrees."""
    labels, _ = store.alike(known)
    values, codes = np.unique(store.cells[secret], return_inverse=True, equal_nan=True)
    pairs, counts = np.unique(labels * len(values) + codes, return_counts=True)
    order = np.lexsort((-counts, pairs // len(values)))
    firsts = order[np.unique(pairs[order] // len(values), return_index=True)[1]]
    place = nearest(targets, store, known)
    said = values[(pairs[firsts] % len(values))[labels[place]]]
    agreed = (counts[firsts] / np.bincount(labels))[labels[place]]
    far = apart(targets.only(known), store.rows(place).only(known)) / (1.0 + len(known))
    hits = right(said, targets.cells[secret], close).astype(float)
    return _Guesses(agreed - far, hits)


def _commonest(targets: Records, others: Records, secret: Hashable, close: bool) -> _Guesses:
    values, counts = np.unique(others.cells[secret], return_counts=True, equal_nan=True)
    said = np.full(len(targets), values[counts.argmax()])
    return _Guesses(np.zeros(len(said)), right(said, targets.cells[secret], close).astype(float))


def _split(guesses: _Guesses) -> tuple[float, _Guesses]:
    """How sure to be, from every other target, and the rest of them."""
    rows = np.arange(len(guesses.sure))
    return guesses.rows(rows[::2]).threshold(), guesses.rows(rows[1::2])


def _again(guesses: _Guesses, chance: np.random.Generator) -> _Guesses:
    size = len(guesses.sure)
    return guesses.rows(chance.integers(size, size=size))


def _loss(attack: tuple[float, float], baseline: tuple[float, float]) -> float:
    """How far from the baseline on the way to 1; no less than nothing."""
    best = together(*baseline)
    return max((together(*attack) - best) / (1.0 - best), 0.0) if best < 1.0 else 0.0
