"""Information amounts from a sample of pairs, for tables that are too long for all pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from tokumei import _check
from tokumei.distances.columns import Integers
from tokumei.distances.distance import Prepared
from tokumei.distances.product import PreparedRecords
from tokumei.loss.distance.amounts import one_over, times_two_to_the, weigh_each_other
from tokumei.loss.distance.double_sums import TILE


@dataclass(frozen=True)
class Estimate:
    """What a sample says about a value.

    Attributes
    ----------
    value : float
        The estimate.
    standard_error : float
        Its standard deviation over samples of this size.
    lower, upper : float
        Bounds that hold the true value with the probability `confidence`, by the normal
        approximation.
    confidence : float
        That probability.
    pairs : int
        Number of pairs in the sample.
    """

    value: float
    standard_error: float
    lower: float
    upper: float
    confidence: float
    pairs: int

    def times_two_to_the(self, exponent: float) -> Estimate:
        """The estimate of so many times the value."""
        told = ("value", "standard_error", "lower", "upper")
        scaled = {name: times_two_to_the(getattr(self, name), exponent) for name in told}
        return replace(self, **scaled)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Sample:
    """Pairs of different records, drawn with replacement, and what is asked of them."""

    i: Integers
    j: Integers
    records: int
    confidence: float

    def estimate(self, value: float, deviations: _check.Floats) -> Estimate:
        """An estimate whose error is the mean of so distributed deviations."""
        from statistics import NormalDist

        deviation = float(deviations.std(ddof=1)) if len(deviations) > 1 else 0.0
        error = deviation / math.sqrt(max(1, len(self.i)))
        reach = NormalDist().inv_cdf(0.5 + self.confidence / 2) * error
        lower, upper = value - reach, value + reach
        return Estimate(value, error, lower, upper, self.confidence, len(self.i))

    def distances(self, values: Prepared, run: _check.Run) -> _check.Floats:
        """The distance of each pair."""
        found = np.empty(len(self.i))
        for begin in range(0, len(found), TILE):
            piece = slice(begin, begin + TILE)
            found[piece] = values.apart(self.i[piece], self.j[piece], run)
            run.tell(min(1.0, (begin + TILE) / len(found)))
        return found


def draw(
    records: int,
    pairs: int,
    confidence: float,
    random_state: int | np.random.Generator | None,
) -> Sample:
    """Draw pairs of different records; one record alone has none."""
    if _check.whole(pairs, "pairs") < 2:
        msg = f"pairs must be 2 or more, got {pairs}"
        raise ValueError(msg)
    confidence = _check.inside(confidence, 0.0, 1.0, "confidence")
    generator = _check.generator(random_state)
    pairs = pairs if records > 1 else 0
    i = generator.integers(0, max(1, records), size=pairs)
    j = generator.integers(0, max(1, records - 1), size=pairs)
    return Sample(i, j + (j >= i), records, confidence)


def estimated_amount(values: Prepared, power: float, sample: Sample, run: _check.Run) -> Estimate:
    """The information amount, every pair of the sample standing for equally many."""
    values = with_sampled_weights(values, sample, run)
    all_pairs = float(sample.records) * (sample.records - 1)
    terms = all_pairs * sample.distances(values, run) ** power
    return sample.estimate(float(terms.mean()) if len(terms) else 0.0, terms)


def estimated_loss(
    original: Prepared, masked: Prepared, power: float, sample: Sample, run: _check.Run
) -> Estimate:
    """One less the ratio of the two amounts, from the same pairs of both."""
    original = with_sampled_weights(original, sample, run)
    if isinstance(original, PreparedRecords) and isinstance(masked, PreparedRecords):
        masked = replace(masked, weights=original.weights)
    before = sample.distances(original, run) ** power
    after = sample.distances(masked, run) ** power
    mean = float(before.mean()) if len(before) else 0.0
    if mean == 0.0:
        msg = f"original shows no information in {len(before)} sampled pairs: nothing to lose"
        raise ValueError(msg)
    ratio = float(after.mean()) / mean
    return sample.estimate(1.0 - ratio, (after - ratio * before) / mean)


def with_sampled_weights(values: Prepared, sample: Sample, run: _check.Run) -> Prepared:
    """Records whose columns count one over their amount as this sample shows it."""
    if not weigh_each_other(values):
        return values
    amounts = np.array([
        float(sample.records) * (sample.records - 1) * float(np.mean(d**2)) if len(d) else 0.0
        for d in (sample.distances(part, run) for part in values.parts)
    ])  # fmt: skip
    return replace(values, weights=one_over(amounts))
