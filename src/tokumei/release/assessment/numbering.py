"""Whether whole numbers were given out, as those of customers are, or measured, as amounts are.

Given out are numbers of which most follow one another, which rise or fall all through the file, or
which are spread evenly between the first and the last, as codes drawn by chance are: by the test of
Kolmogorov and Smirnov at a level of 0.001. Amounts crowd together and have a long tail.
"""

from __future__ import annotations

import numpy as np

from tokumei._check import Floats

FOLLOWING = 0.5  # of the numbers that are next to another
EVEN = 1.95  # quantile of the test's statistic, times the root of the count
TAILED = 0.5  # the statistic of amounts by which a file may have been sorted


def given_out(values: Floats) -> bool:
    """Whether nearly unique whole numbers, in the order of their rows, name records."""
    known = values[np.isfinite(values)]
    ordered = np.unique(known)
    if len(ordered) < 3:
        return True
    if (np.diff(ordered) == 1.0).mean() > FOLLOWING:
        return True
    evenly = np.linspace(ordered[0], ordered[-1], len(ordered))
    apart = float(np.abs(ordered - evenly).max() / (ordered[-1] - ordered[0]))
    if apart * np.sqrt(len(ordered)) < EVEN:
        return True
    steps = np.diff(known)
    return bool((steps > 0).all() or (steps < 0).all()) and apart < TAILED
