"""Do intervals of population uniqueness hold the truth? Populations of Pitman's model, and samples.

The intervals claim 95 % where their model is right. Here it is, so that what is missing is theirs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import tokumei as tk

PEOPLE, FRACTION = 1500, 0.2
ALPHA, THETA = 0.5, 60.0


def population(rng: np.random.Generator) -> NDArray[np.int64]:
    """The class of each of the people, in the restaurant whose tables are Pitman's classes."""
    labels, sizes = [0], [1]
    for known in range(1, PEOPLE):
        if rng.random() < (THETA + ALPHA * len(sizes)) / (THETA + known):
            sizes.append(0)
            labels.append(len(sizes) - 1)
        else:
            while True:  # a class by its size less alpha: that of a person, which is kept or not
                label = labels[rng.integers(known)]
                if rng.random() < (sizes[label] - ALPHA) / sizes[label]:
                    break
            labels.append(label)
        sizes[labels[-1]] += 1
    return np.array(labels)


def covered(populations: int, draws: int) -> tuple[int, int]:
    """Of how many the interval holds the number of uniques, and of how many there is one."""
    inside = estimable = 0
    for seed in range(populations):
        rng = np.random.default_rng(seed)
        labels = population(rng)
        truth = int((np.bincount(labels) == 1).sum())
        sample = labels[rng.permutation(PEOPLE)[: int(FRACTION * PEOPLE)]]
        found = tk.risk.population_uniqueness({"class": sample}, fraction=FRACTION, samples=draws)
        one = next(each for each in found.estimates if each.model == "pitman")
        if one.low is not None and one.high is not None:
            estimable += 1
            inside += one.low <= truth <= one.high
    return inside, estimable


def covers() -> bool:
    """Whether at least 85 % of the intervals of 60 populations hold the truth."""
    inside, estimable = covered(60, 100)
    print(f"  {inside} of {estimable} intervals hold the truth, of 60 samples", flush=True)
    return estimable >= 50 and inside >= 0.85 * estimable
