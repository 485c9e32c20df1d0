"""How frequent categories were before randomised response exchanged them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from tokumei._check import Floats, Labels
from tokumei.noise.randomized_response import RandomizedResponse

COVERAGE = 0.9
WITHIN = 1.6448536269514722  # standard deviations on both sides of a normal
LEVEL = 0.001  # how seldom even shares are taken for others


@dataclass(frozen=True)
class Categories:
    """The shares of categories among the true values, and bands in which they lie.

    Attributes
    ----------
    names : tuple
        The categories; "(others)" are those of which the release has none.
    probabilities, lower_band, upper_band : ndarray of shape (m,)
        The most likely shares, and between what each lies with probability `coverage`.
    records : int
        How many values were released.
    mechanism, method : str
        The channel, and how its exchanges were undone.
    says_nothing : bool
        Whether so many records under this noise say nothing beside what the categories are: even
        shares would give what was released, by a test of chi-squared at a level of 0.001.
    """

    names: tuple[Any, ...]
    probabilities: Floats
    lower_band: Floats
    upper_band: Floats
    records: int
    mechanism: str
    says_nothing: bool
    method: str = "likelihood of exchanged categories"
    coverage: float = COVERAGE

    def to_dict(self) -> dict[str, Any]:
        """Everything, in plain dictionaries and lists."""
        return {
            "mechanism": self.mechanism,
            "method": self.method,
            "records": self.records,
            "coverage": self.coverage,
            "categories": list(self.names),
            "probabilities": self.probabilities.tolist(),
            "lower_band": self.lower_band.tolist(),
            "upper_band": self.upper_band.tolist(),
        }

    def plot(self, *, axes: Any, title: str = "") -> Any:
        """Draw the shares as bars, with their bands, on axes of matplotlib."""
        below, above = self.probabilities - self.lower_band, self.upper_band - self.probabilities
        places = np.arange(len(self.names))
        axes.barh(places, self.probabilities, xerr=np.stack([below, above]), color="tab:blue")
        axes.set_yticks(places, [str(name) for name in self.names])
        axes.set_xlabel("share of the true values")
        axes.set_title(title)
        return axes.figure


def categories(counts: Labels, names: Sequence[Any], channel: RandomizedResponse) -> Categories:
    """The true shares of so many released categories; all of the channel's are counted.

    The likelihood is highest where shares are those that the inverse of the channel gives. Where
    some of these are below 0 they are 0, and what is released of the others is in proportion to
    what was seen of them.
    """
    n = int(counts.sum())
    near, far = channel.near_probability, channel.far_probability
    shares = counts / n
    probabilities = np.zeros(len(counts))
    kept = np.ones(len(counts), dtype=bool)
    while True:
        scaled = shares * (1.0 - far * (~kept).sum()) / shares[kept].sum()
        found = (scaled - far) / (near - far)
        if (found[kept] >= 0.0).all():
            probabilities[kept] = found[kept]
            break
        kept &= found > 0.0
    spread = WITHIN * np.sqrt(shares * (1.0 - shares) / n) / (near - far)
    middle = (shares - far) / (near - far)
    return Categories(
        names=tuple(names),
        probabilities=probabilities / probabilities.sum(),
        lower_band=np.clip(np.minimum(middle - spread, probabilities), 0.0, 1.0),
        upper_band=np.clip(np.maximum(middle + spread, probabilities), 0.0, 1.0),
        records=n,
        mechanism=channel.mechanism,
        says_nothing=_are_even(counts),
    )


def _are_even(counts: Labels) -> bool:
    """Whether even shares give such counts: randomised response keeps what is even.

    The level is so low since shares that differ from even ones by chance alone are drawn apart by
    what undoes the noise, farther from the truth than even ones are.
    """
    expected = counts.sum() / len(counts)
    far = float(((counts - expected) ** 2).sum() / expected)
    freedom, normal = len(counts) - 1, NormalDist().inv_cdf(1.0 - LEVEL)
    # The quantile of chi-squared after Wilson and Hilferty (1931).
    part = 2.0 / (9.0 * max(freedom, 1))
    return bool(far <= freedom * (1.0 - part + normal * part**0.5) ** 3)
