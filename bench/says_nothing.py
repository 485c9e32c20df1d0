"""Few records under much noise say nothing of numbers, and it is said: is that so?

Populations between 0 and 100 behind the Laplace noise of k = 2 and 5. Of an even one something
should hardly ever be said; and where something is said of another, what is reconstructed should be
nearer to the truth than an even spread is, by the mean distance of the distribution functions.

    python -m bench.says_nothing [DRAWS]

Prints in how many draws something was said, and in how many of those it was nearer. Ends with 1
where something is said of even populations in more than `FALSE` of all draws, or of another in a
tenth of its draws or more and is nearer in fewer than `NEARER` of these.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import NDArray

import tokumei as tk

Floats = NDArray[np.float64]

LOWER, UPPER = 0.0, 100.0
SIZES, KS = (100, 1000, 10_000), (2, 5)
FALSE, NEARER = 0.10, 0.75  # the bands that decide are of 90 %
TRUTH = 200_000  # values that stand for a population


def _two(rng: np.random.Generator, n: int) -> Floats:
    return rng.normal(np.where(rng.random(n) < 0.5, 25.0, 75.0), 6.0)


EVEN = "even"
POPULATIONS: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    EVEN: lambda rng, n: rng.uniform(LOWER, UPPER, n),
    "one hump": lambda rng, n: rng.normal(50.0, 10.0, n),
    "skewed": lambda rng, n: rng.gamma(2.0, 10.0, n),
    "two humps": _two,
}


def drawn(name: str, rng: np.random.Generator, n: int) -> Floats:
    """So many values of a population, within the bounds."""
    return np.clip(POPULATIONS[name](rng, n), LOWER, UPPER)


def asked(name: str, n: int, k: int, draws: int) -> tuple[int, int]:
    """In how many draws something was said, and in how many of those it was nearer."""
    channel = tk.noise.laplace(tk.noise.pk_scale(LOWER, UPPER, n, k), lower=LOWER, upper=UPPER)
    truth = drawn(name, np.random.default_rng(0), TRUTH)
    said = nearer = 0
    for draw in range(draws):
        released = channel.perturb(drawn(name, np.random.default_rng([draw, n, k]), n))
        found = tk.reconstruct.distribution(released, channel, lower=LOWER, upper=UPPER)
        if found.says_nothing:
            continue
        shares = np.cumsum(np.histogram(truth, bins=found.cells)[0]) / TRUTH
        even = np.cumsum(np.diff(found.cells)) / (UPPER - LOWER)
        said += 1
        apart = np.abs(np.cumsum(found.probabilities) - shares).mean()
        nearer += bool(apart < np.abs(even - shares).mean())
    return said, nearer


def main(given: list[str]) -> int:
    """Every population, size and k."""
    draws = int(given[0]) if given else 30
    false = wrong = 0
    for k, n, name in product(KS, SIZES, POPULATIONS):
        said, nearer = asked(name, n, k, draws)
        print(f"k {k}  {n:6,} records  {name:10} said in {said:3} of {draws}, nearer in {nearer}")
        if name == EVEN:
            false += said
        else:
            wrong += said >= draws / 10 and nearer < NEARER * said
    return int(wrong > 0 or false > FALSE * draws * len(KS) * len(SIZES))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
