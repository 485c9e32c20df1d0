"""Individual and household risk of a survey: Benedetti and Franconi's model, summed exactly."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tokumei._check import Floats, Labels
from tokumei.risk.classes import Classes, chosen, classes_of, known_codes
from tokumei.values import columns as columns_of_values
from tokumei.values import tables
from tokumei.values.column import Column

# Terms of the series, enough for every class whose risk is summed by it.
TERMS = 80
FEW = 20


@dataclass(frozen=True)
class IndividualRisk:
    """The probability that a link to a record of a survey is right, estimated from the weights.

    It holds probabilities only, one a record.

    Attributes
    ----------
    records : int
        How many records there are.
    expected, mean, largest : float
        The number of right links that is expected where every record is linked, its share of the
        records (the global risk), and the largest risk of a record.
    household_expected, household_mean : float or None
        The same of records whose household is recognised by one of its members.
    risk : numpy.ndarray of shape (n,)
        The risk of each record.
    household : numpy.ndarray of shape (n,) or None
        For each record the probability that some member of its household is recognised.
    """

    records: int
    expected: float
    mean: float
    largest: float
    household_expected: float | None
    household_mean: float | None
    risk: Floats = field(repr=False, compare=False)
    household: Floats | None = field(repr=False, compare=False)

    def __str__(self) -> str:
        text = (
            f"{self.expected:,.2f} right links expected among {self.records:,} records "
            f"({self.mean:.3%}); the largest risk is {self.largest:.3f}"
        )
        if self.household_expected is None:
            return text
        return (
            f"{text}\n  through members of the household: {self.household_expected:,.2f} "
            f"({self.household_mean:.3%})"
        )


def individual(
    table: Any,
    quasi: Sequence[Hashable] | None = None,
    *,
    weight: Hashable,
    household: Hashable | None = None,
) -> IndividualRisk:
    """Estimate from survey weights how likely a link to each record is right.

    A class of f records whose weights sum to F stands for F people; with p = f / F, their number is
    taken as negative binomial, and the risk is the expectation of its inverse [1]_. It is summed to
    the last digit for every f, not approximated for f above 2.

    Parameters
    ----------
    table : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    quasi : sequence, optional
        The columns that others may know; by default all but those named below. A missing cell is a
        value of its own.
    weight : name
        The column of weights: how many people each record stands for, above 0.
    household : name, optional
        The column of households; a household is recognised where any of its members is.

    Returns
    -------
    IndividualRisk

    References
    ----------
    .. [1] L. Franconi, S. Polettini, Individual risk estimation in mu-Argus: a review, Privacy in
       Statistical Databases (2004).

    Examples
    --------
    >>> import tokumei as tk
    >>> survey = {"age": [31, 31, 47], "town": ["a", "a", "b"], "w": [50.0, 60.0, 45.5]}
    >>> tk.risk.individual(survey, weight="w").risk.round(5)
    array([0.01714, 0.01714, 0.08579])
    """
    columns = tables.table(table, "table")
    own = [weight] if household is None else [weight, household]
    named = chosen(columns, own, "weight and household")
    keys = [key for key in columns if key not in own] if quasi is None else quasi
    classes = classes_of(chosen(columns, keys))
    members = None if household is None else known_codes(named[household])
    return individual_of(classes, weights_of(named[weight]), members)


def individual_of(classes: Classes, weights: Floats, households: Labels | None) -> IndividualRisk:
    """The same of classes and weights that were read; records without a household stand alone."""
    population = np.bincount(classes.labels, weights)
    of_class = expected_inverse(classes.sizes, np.minimum(classes.sizes / population, 1.0))
    risk = of_class[classes.labels]
    of_household = None if households is None else household_risk(risk, households)
    expected = float(risk.sum())
    together = None if of_household is None else float(of_household.sum())
    return IndividualRisk(
        records=len(risk),
        expected=expected,
        mean=expected / len(risk),
        largest=float(risk.max()),
        household_expected=together,
        household_mean=None if together is None else together / len(risk),
        risk=risk,
        household=of_household,
    )


def weights_of(column: Column) -> Floats:
    """Survey weights, all above 0."""
    weights = columns_of_values.numbers(column, "weight")
    wrong = int((weights <= 0).sum())
    if wrong:
        msg = f"weight must be above 0 for every record, got {wrong} others"
        raise ValueError(msg)
    return weights


def expected_inverse(sizes: Labels, shares: Floats) -> Floats:
    """The expectation of 1 / F where F - f failures come before f successes of chance p.

    It is p times the integral of u**(f-1) / (p + q u) from 0 to 1. Where p is below 1/2 and f is
    small, the recurrence r(f+1) = p/q (1/f - r(f)) from r(1) = p/q log(1/p), which then shrinks
    errors; else the series p/f (1 + q/(f+1) (1 + 2q/(f+2) (1 + ...))), whose terms fall fast.
    """
    f, p = sizes.astype(np.float64), np.asarray(shares, dtype=np.float64)
    q = 1.0 - p
    found = np.ones_like(p)
    for term in range(TERMS, 0, -1):
        found = 1.0 + found * term * q / (f + term)
    found *= p / f
    few = np.flatnonzero((p < 0.5) & (f < FEW))
    if few.size:
        odds = p[few] / q[few]
        risk = -odds * np.log(p[few])
        for size in range(1, int(f[few].max())):
            risk = np.where(f[few] > size, odds * (1.0 / size - risk), risk)
        found[few] = risk
    return found


def household_risk(risk: Floats, households: Labels) -> Floats:
    """For each record the probability that one of its household or more are recognised."""
    together = households >= 0
    found = risk.copy()
    with np.errstate(divide="ignore"):  # a risk of 1
        unseen = np.bincount(households[together], np.log1p(-risk[together]))
    found[together] = -np.expm1(unseen[households[together]])
    return found
