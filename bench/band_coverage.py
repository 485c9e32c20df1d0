"""Do credible bands hold the truth? Populations whose cells are known, samples of them, noise.

Of every case the share of cells of a probability above 1e-4 that lie within their bands of nominal
.90, the share of the thinner ones that do, the share of correlations within theirs, and the L1
accuracy against the sample beside that of the product of the margins. The bands claim it of the
former cells, and of populations that their model can be; a cell is one of the population, not of
the sample. Most cells of "stairs" are empty. Where ../shared/data has Adult, the cells of its own
histograms are counted too, of which they claim nothing: ages are heaped.

    python -m bench.band_coverage [--draws 200] [--case "two normals, laplace"] [--equal]

With `--equal` the prior of a table gives staying at the start no more than each strength of leaving
it, instead of nine tenths: what that does to bands is why it has them.
Ends with 1 where bands hold less than .85 or more than .97 of the cells, or where a table is worse
than the product of its margins by more than 0.3.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import tokumei as tk
from bench.behind_noise import RECORDS, behind_noise
from tokumei.reconstruct.joint import shrinkage
from tokumei.reconstruct.joint.copula import copula, loadings

Floats = NDArray[np.float64]

K, LEAST = 2, 1e-4
LOW, HIGH, BELOW = 0.85, 0.97, 0.3
ADULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "adult.csv"


@dataclass(frozen=True)
class Case:
    """A population on cells 0, 1, ... of each attribute, and the channel of all of them.

    `population` is one of its kind; `drawn` makes another for each sample, if there is one. Of a
    census the population itself is perturbed, so many records, and no sample of it. What is not
    claimed is measured and does not fail.
    """

    population: Floats
    mechanism: str
    drawn: Callable[[np.random.Generator], Floats] | None = None
    census: int = 0
    claimed: bool = True
    nominal: tuple[int, ...] = ()


@dataclass(frozen=True)
class Held:
    """What bands came to: shares held, accuracies, errors of correlations (all by draw)."""

    cells: Floats
    correlations: Floats
    accuracies: Floats
    independent: Floats
    errors: Floats
    thin: Floats
    claimed: bool = True

    @property
    def fails(self) -> bool:
        worse = self.accuracies.mean() < self.independent.mean() - BELOW
        return bool(self.claimed and (not LOW <= self.cells.mean() <= HIGH or worse))

    def __str__(self) -> str:
        shown = f"cells {self.cells.mean():.3f}"
        if not np.isnan(self.thin).all():
            shown += f", thin ones {np.nanmean(self.thin):.3f}"
        shown += f", accuracy {_spread(self.accuracies, 1)}"
        if (self.independent != self.accuracies).any():
            shown += f", margins {_spread(self.independent, 1)}"
        if len(self.correlations):
            shown += (
                f", correlations {self.correlations.mean():.3f}, off by {_spread(self.errors, 3)}"
            )
        return shown + (" FAILS" if self.fails else "")


def bell(cells: int, mean: float, deviation: float) -> Floats:
    edges = np.concatenate([[-np.inf], np.arange(0.5, cells - 1), [np.inf]])
    law = NormalDist(mean, deviation)
    return np.diff([0.0 if e == -np.inf else 1.0 if e == np.inf else law.cdf(e) for e in edges])


def even(law: Callable[[Floats], Floats], cells: int = 41) -> Floats:
    weights = law((np.arange(cells) + 0.5) / cells)
    return np.asarray(weights / weights.sum())


def walk(chance: np.random.Generator, cells: int = 41) -> Floats:
    """Rough, as the log-density is: its steps, or the steps of its slopes, are normal."""
    steps = chance.normal(size=cells)
    if chance.random() < 0.5:
        return even(lambda _: np.exp(np.cumsum(0.25 * steps)), cells)
    return even(lambda _: np.exp(np.cumsum(np.cumsum(0.08 * steps))), cells)


def together(chance: np.random.Generator) -> Floats:
    """Two walks, independent or of any correlation of their normal scores, as often as not."""
    correlation = chance.uniform(-0.95, 0.95) if chance.random() < 0.5 else 0.0
    return copula(loadings(walk(chance)), loadings(walk(chance)), correlation)


def permuted(cells: int, share: float) -> Floats:
    """Most records of a category go to another of the second attribute, in no order."""
    margin = np.arange(1.0, cells + 1) / np.arange(1, cells + 1).sum()
    table = (1.0 - share) * np.outer(margin, margin)
    table[np.arange(cells), (5 * np.arange(cells) + 2) % cells] += share * margin
    return table


def stairs(cells: int) -> Floats:
    """The second category is the first one or the next, and nothing else."""
    table = np.zeros((cells, cells + 1))
    table[np.arange(cells), np.arange(cells)] = table[np.arange(cells), np.arange(1, cells + 1)] = 1
    return np.asarray(table / table.sum())


def moved(cells: int) -> Floats:
    """A number whose mean a category moves, and not in the order in which they are named."""
    rows = [bell(cells, cells * mean, cells / 7) for mean in (0.7, 0.3, 0.6, 0.45, 0.5)]
    return np.asarray(np.array([0.1, 0.3, 0.2, 0.25, 0.15])[:, None] * rows)


def cases() -> Mapping[str, Case]:
    """By name: shapes of one attribute, two attributes that go together or not."""
    one = loadings(bell(41, 20.0, 6.0))
    few = loadings(bell(12, 5.0, 2.5))
    skewed = loadings(even(lambda t: t**0.5 * np.exp(-t / 0.12), 12))
    shapes = {
        "a bell": bell(41, 20.0, 6.0),
        "skewed": even(lambda t: t**0.5 * np.exp(-t / 0.12)),
        "two groups": even(
            lambda t: (
                np.exp(-0.5 * ((t - 0.3) / 0.08) ** 2) + 0.6 * np.exp(-0.5 * ((t - 0.7) / 0.1) ** 2)
            )
        ),
        "two normals": copula(one, one, 0.8),
        "two normals, independent": copula(one, one, 0.0),
        "bell and skewed": copula(few, skewed, -0.6),
        "categories": permuted(8, 0.6),
        "categories, stairs": stairs(8),
        "categories and a number": moved(41),
    }
    mechanisms = ("laplace", "randomized-response", "square-wave")
    found = {
        f"{name}, {m}": Case(p, m, claimed=bool((p > 0.0).all()), nominal=unordered(name))
        for name, p in shapes.items()
        for m in mechanisms
    }
    rough = {f"walks, {m}": Case(walk(np.random.default_rng(0)), m, walk) for m in mechanisms}
    found = {n: one for n, one in found.items() if not one.nominal or one.mechanism != "laplace"}
    first = together(np.random.default_rng(0))
    rough |= {f"two walks, {m}": Case(first, m, together) for m in mechanisms}
    return rough | found | adult()


def unordered(name: str) -> tuple[int, ...]:
    """Which attributes have no order."""
    if not name.startswith("categories"):
        return ()
    return (0,) if "number" in name else (0, 1)


def adult() -> dict[str, Case]:
    """Age and education of Adult, if it is there."""
    if not ADULT.is_file():
        return {}
    with ADULT.open(encoding="utf-8", newline="") as lines:
        people = list(csv.DictReader(lines))
    found = {}
    for name, lowest in (("age", 17), ("education-num", 1)):
        counts = np.bincount([int(one[name]) - lowest for one in people])
        found[f"Adult's {name}, laplace"] = Case(
            counts / counts.sum(), "laplace", census=len(people), claimed=False
        )
    return found


def channel_of(case: Case, axis: int) -> tk.noise.Channel:
    axes = case.population.ndim
    known = tk.noise.Attribute(
        0, case.population.shape[axis] - 1, integer=True, mechanism=case.mechanism
    )
    records = case.census or RECORDS
    return known.channels([float(tk.noise.shares(records, K, [1.0] * axes)[0])])[0]


def held(case: Case, draws: int) -> Held:
    """What bands hold in so many draws of records and noise."""
    p = case.population
    channels = [channel_of(case, axis) for axis in range(p.ndim)]
    rows = []
    for number in range(draws):
        chance = np.random.default_rng(number)
        if case.drawn is not None:
            p = case.drawn(chance)
        sample, y = behind_noise(p, channels, case.census, chance, number)
        rows.append(_found(y, channels, p, sample.reshape(p.shape), p > LEAST, case.nominal))
    cells, correlations, accuracies, independent, errors, thin = np.array(rows).T
    if p.ndim == 1 or case.nominal:
        correlations = np.empty(0)
    return Held(cells, correlations, accuracies, independent, errors, thin, claimed=case.claimed)


def _found(
    y: list[Floats],
    channels: list[tk.noise.Channel],
    p: Floats,
    sample: NDArray[np.int64],
    counted: NDArray[np.bool_],
    nominal: tuple[int, ...],
) -> list[float]:
    if p.ndim == 1:
        one = tk.reconstruct.distribution(y[0], channels[0], n_threads=1)
        inside = (one.lower_band <= p) & (p <= one.upper_band)
        accuracy = tk.reconstruct.l1_accuracy(one.probabilities, sample)
        return [float(inside[counted].mean()), 0.0, accuracy, accuracy, 0.0, _thin(inside, counted)]
    table = tk.reconstruct.table(np.stack(y, axis=1), channels, nominal=nominal, n_threads=1)
    assert table.lower_band is not None
    assert table.upper_band is not None
    assert table.lower_correlations is not None
    assert table.upper_correlations is not None
    inside = (table.lower_band <= p) & (p <= table.upper_band)
    truth = _correlation(p)
    low, high = table.lower_correlations[0, 1], table.upper_correlations[0, 1]
    return [
        float(inside[counted].mean()),
        float(low <= truth <= high),
        tk.reconstruct.l1_accuracy(table.probabilities, sample),
        tk.reconstruct.l1_accuracy(table.independent(), sample),
        float(table.correlations[0, 1] - truth),
        _thin(inside, counted),
    ]


def _thin(inside: NDArray[np.bool_], counted: NDArray[np.bool_]) -> float:
    return float("nan") if counted.all() else float(inside[~counted].mean())


def _correlation(p: Floats) -> float:
    at = [np.arange(length, dtype=float) for length in p.shape]
    first, second = p.sum(axis=1), p.sum(axis=0)
    a, b = at[0] - first @ at[0], at[1] - second @ at[1]
    return float(a @ p @ b / np.sqrt((first @ a**2) * (second @ b**2)))


def _spread(values: Floats, digits: int) -> str:
    return f"{values.mean():.{digits}f} +- {values.std():.{digits}f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200, help="draws of records and noise")
    parser.add_argument("--case", action="append", help="only these, by name")
    parser.add_argument("--equal", action="store_true", help="a prior that stays no more than goes")
    words = parser.parse_args()
    wrong, staying = 0, shrinkage.STAYING
    if words.equal:
        staying = 1.0 / (1.0 + len(shrinkage.STRENGTHS))
    for name, case in cases().items():
        if words.case and name not in words.case:
            continue
        with mock.patch.object(shrinkage, "STAYING", staying):
            found = held(case, words.draws)
        print(f"{name}: {found}", flush=True)
        wrong += found.fails
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
