"""Tables with attributes in no order behind noise: what the copula of scores brings.

Of every case, mean over draws of records and noise, the L1 accuracy and Cramer's V of
`tk.reconstruct.table`, beside the same table begun at the product of its margins, and that product.
"True" is the true distribution against the sample, which nothing can be expected to pass.

    python -m bench.nominal_tables [--draws 20] [--attributes 2] [--case "latent classes"]

`--attributes` says among how many the linkage bound is shared, of which two are looked at. Ends
with 1 where a table is less accurate than the product of its margins by more than 0.3.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tokumei as tk
from bench.band_coverage import bell, permuted, stairs
from bench.behind_noise import RECORDS, behind_noise
from tokumei.reconstruct.joint.copula import copula, loadings

Floats = NDArray[np.float64]

K, BELOW = 2, 0.3
ADULT = Path(__file__).resolve().parents[2] / "shared" / "data" / "adult.csv"
RESPONSE, WAVE, LAPLACE = "randomized-response", "square-wave", "laplace"


@dataclass(frozen=True)
class Case:
    """Two attributes: a population for each draw, their channels, and which have no order."""

    drawn: Callable[[np.random.Generator], Floats]
    mechanisms: tuple[str, str] = (RESPONSE, RESPONSE)
    nominal: tuple[int, ...] = (0, 1)
    census: int = 0


def classes(chance: np.random.Generator, count: int, shape: tuple[int, int]) -> Floats:
    """Latent classes, within which the attributes are independent."""
    weights = chance.dirichlet(np.full(count, 5.0))
    sides = [chance.dirichlet(np.full(length, 0.5), size=count) for length in shape]
    return np.asarray(np.einsum("c,ci,cj->ij", weights, *sides))


def shuffled(chance: np.random.Generator, correlation: float, cells: int) -> Floats:
    """Two normals whose categories have lost their order."""
    one = loadings(bell(cells, (cells - 1) / 2, cells / 5))
    table = copula(one, one, correlation)
    return np.asarray(table[chance.permutation(cells)][:, chance.permutation(cells)])


def shifts(chance: np.random.Generator, spread: float, shape: tuple[int, int]) -> Floats:
    """A normal number, moved by a category."""
    groups, cells = shape
    means = (cells - 1) / 2 + cells / 7 * spread * chance.standard_normal(groups)
    rows = [bell(cells, mean, cells / 7) for mean in means]
    return np.asarray(chance.dirichlet(np.full(groups, 3.0))[:, None] * rows)


def even(chance: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Independent."""
    return np.outer(*[chance.dirichlet(np.full(length, 2.0)) for length in shape])


def cases() -> Mapping[str, Case]:
    """By name."""
    found = {
        "two latent classes, 8 x 8": Case(lambda c: classes(c, 2, (8, 8))),
        "three latent classes, 12 x 10": Case(lambda c: classes(c, 3, (12, 10))),
        "two latent classes, 30 x 20": Case(lambda c: classes(c, 2, (30, 20))),
        "a bell of .8 in no order, 12 x 12": Case(lambda c: shuffled(c, 0.8, 12)),
        "a bell of .4 in no order, 12 x 12": Case(lambda c: shuffled(c, 0.4, 12)),
        "most go to one, 8 x 8": Case(lambda _: permuted(8, 0.6)),
        "stairs, 8 x 9": Case(lambda _: stairs(8)),
        "independent, 10 x 10": Case(lambda c: even(c, (10, 10))),
    }
    for name, mechanism in (("square wave", WAVE), ("Laplace", LAPLACE)):
        both = (RESPONSE, mechanism)
        found[f"a number moved by 5 categories, {name}"] = Case(
            lambda c: shifts(c, 1.0, (5, 41)), both, (0,)
        )
        found[f"a number moved a little by 8 categories, {name}"] = Case(
            lambda c: shifts(c, 0.3, (8, 41)), both, (0,)
        )
        found[f"a number and 6 categories, independent, {name}"] = Case(
            lambda c: shifts(c, 0.0, (6, 41)), both, (0,)
        )
    return found | adult()


def adult() -> dict[str, Case]:
    """Pairs of Adult, if it is there; its own histogram is the population."""
    if not ADULT.is_file():
        return {}
    with ADULT.open(encoding="utf-8", newline="") as lines:
        people = list(csv.DictReader(lines))
    pairs = (
        ("education", "occupation", RESPONSE, (0, 1)),
        ("marital-status", "sex", RESPONSE, (0, 1)),
        ("occupation", "education-num", WAVE, (0,)),
        ("occupation", "education-num", LAPLACE, (0,)),
        ("marital-status", "age", WAVE, (0,)),
        ("marital-status", "age", LAPLACE, (0,)),
    )
    found = {}
    for one, other, mechanism, nominal in pairs:
        sides = [[row[name] for row in people] for name in (one, other)]
        codes = [
            np.array(side).astype(int) - min(map(int, side))
            if side[0].isdigit()
            else np.unique(side, return_inverse=True)[1]
            for side in sides
        ]
        table = np.zeros([code.max() + 1 for code in codes])
        np.add.at(table, tuple(codes), 1.0 / len(people))
        name = f"Adult's {one} and {other}, {mechanism}"
        found[name] = Case(_always(table), (RESPONSE, mechanism), nominal, len(people))
    return found


def _always(table: Floats) -> Callable[[np.random.Generator], Floats]:
    return lambda _: table


def channels_of(case: Case, shape: tuple[int, ...], attributes: int) -> list[tk.noise.Channel]:
    share = float(tk.noise.shares(case.census or RECORDS, K, [1.0] * attributes)[0])
    return [
        tk.noise.Attribute(0, length - 1, integer=True, mechanism=mechanism).channels([share])[0]
        for length, mechanism in zip(shape, case.mechanisms, strict=True)
    ]


def released(
    case: Case, number: int, attributes: int
) -> tuple[Floats, Floats, Floats, list[tk.noise.Channel]]:
    """The population, the sample's histogram, what is released of it, and by which channels."""
    chance = np.random.default_rng(number)
    p = case.drawn(chance)
    channels = channels_of(case, p.shape, attributes)
    sample, y = behind_noise(p, channels, case.census, chance, number)
    return p, sample.reshape(p.shape) / sample.sum(), np.stack(y, axis=1), channels


def association(table: Floats) -> float:
    """Cramer's V."""
    expected = np.outer(table.sum(axis=1), table.sum(axis=0))
    there = expected > 0.0
    inertia = float(((table - expected)[there] ** 2 / expected[there]).sum())
    return float(np.sqrt(inertia / (min(table.shape) - 1)))


@dataclass(frozen=True)
class Compared:
    """By draw: accuracies and Cramer's V of tables, begun here and at independence."""

    accuracies: Floats
    associations: Floats
    seconds: Floats

    @property
    def gains(self) -> Floats:
        return np.asarray(self.accuracies[:, 0] - self.accuracies[:, 1])

    @property
    def fails(self) -> bool:
        return bool((self.accuracies[:, 0] - self.accuracies[:, 2]).mean() < -BELOW)

    def __str__(self) -> str:
        table, old, product, best = self.accuracies.mean(axis=0)
        v, old_v, true_v = self.associations.mean(axis=0)
        error = self.gains.std() / np.sqrt(max(len(self.gains) - 1, 1))
        shown = f"accuracy {table:.1f}, from independence {old:.1f} (gain {self.gains.mean():.2f} "
        shown += f"+- {error:.2f}), margins {product:.1f}, true {best:.1f}; V {v:.3f}, from "
        shown += f"independence {old_v:.3f}, true {true_v:.3f}; CPU ratio "
        shown += f"{self.seconds[:, 0].sum() / self.seconds[:, 1].sum():.2f}"
        return shown + (" FAILS" if self.fails else "")


def compared(case: Case, draws: int, attributes: int) -> Compared:
    accuracies, associations, seconds = [], [], []
    for number in range(draws):
        p, sample, y, channels = released(case, number, attributes)
        times = [time.process_time()]
        found = tk.reconstruct.table(y, channels, nominal=case.nominal, bands=False, n_threads=1)
        times.append(time.process_time())
        begin = np.maximum(found.independent(), 1e-15)
        old = tk.reconstruct.table(
            y, channels, nominal=case.nominal, start=begin, bands=False, n_threads=1
        )
        times.append(time.process_time())
        tables = found.probabilities, old.probabilities, found.independent(), p
        accuracies.append([tk.reconstruct.l1_accuracy(one, sample) for one in tables])
        associations.append([association(one) for one in (*tables[:2], sample)])
        seconds.append(np.diff(times))
    return Compared(*(np.array(each) for each in (accuracies, associations, seconds)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=20, help="draws of records and noise")
    parser.add_argument("--attributes", type=int, default=2, help="that share the bound")
    parser.add_argument("--case", action="append", help="only those that begin so")
    words = parser.parse_args()
    wrong = 0
    for name, case in cases().items():
        if words.case and not name.startswith(tuple(words.case)):
            continue
        found = compared(case, words.draws, words.attributes)
        print(f"{name}: {found}", flush=True)
        wrong += found.fails
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
