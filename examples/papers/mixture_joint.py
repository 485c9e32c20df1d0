"""Two correlated attributes behind noise: what `tk.reconstruct.table` finds, and what can be found.

Two normal variables of correlation .8 in 41 x 41 cells, 30,000 records, linkage bounded by 1/2.
Beside the table, from the same records, stand estimators that know what the table has to find, a
normal law of five parameters: the most probable one, the likeliest one (which has no prior and so
hardly a bias), and the tables of laws as probable as the records make them, their median cell by
cell, which is the least wrong in the mean. Of the correlation alone also the moments tell: the
covariance is that of the released values, the variances are theirs less the noise's own.
Between them stand the table with every correlation equally likely beforehand, and copulas that are
told the margins or the correlation.

Below them is what no estimator without bias can do better, by the inverse of the Fisher
information: one that knows that the law is normal, and one that is to be right for every table.
Means of five draws are looked at, too: how many come to an accuracy of 90, and to a correlation
within .03 of the truth.

    python examples/papers/mixture_joint.py [--draws 5] [--mechanism laplace]

Ends with 1 where a square wave or randomised response falls below 92 by more than draws explain, or
the table below the product of its margins.
"""

from __future__ import annotations

import argparse
import warnings
from statistics import NormalDist
from unittest import mock

import numpy as np

import tokumei as tk
from tokumei import _check
from tokumei.reconstruct.cells.support import support_of
from tokumei.reconstruct.cells.transitions import CellTransition, product, transition_of
from tokumei.reconstruct.joint import association
from tokumei.reconstruct.joint.copula import copula, loadings
from tokumei.reconstruct.joint.evidence import correlations_of

RECORDS, K, CELLS, CORRELATION = 30_000, 2, 41, 0.8
TRUTH = np.array([20.0, 20.0, 6.0, 6.0, CORRELATION])
STEPS = np.array([0.01, 0.01, 0.01, 0.01, 0.002])
MECHANISMS = ("laplace", "randomized-response", "square-wave")
# Of the law's posterior: samples, and how much wider than its normal approximation they are drawn.
SAMPLES, WIDER, FURTHEST = 200, 1.2, 0.97
TOGETHER, ENOUGH, NEAR = 5, 90.0, 0.03
DEVIATIONS = "deviations"


def records(chance: np.random.Generator) -> np.ndarray:
    z = chance.standard_normal((RECORDS, 2))
    z[:, 1] = CORRELATION * z[:, 0] + np.sqrt(1.0 - CORRELATION**2) * z[:, 1]
    return np.clip(np.rint(20.0 + 6.0 * z), 0, CELLS - 1)


def seeded(channel: tk.noise.Channel, x: np.ndarray, seed: int) -> np.ndarray:
    """Noise that is the same in each run."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return channel.perturb(x, insecure_seed_for_tests=seed)


def law_of(found: tk.reconstruct.CrossTable) -> np.ndarray:
    """Means, deviations and correlation of a table: where the scoring begins."""
    sides = [one.mean() for one in found.margins], [one.std() for one in found.margins]
    return np.array([*sides[0], *sides[1], np.clip(found.correlations[0, 1], -0.95, 0.95)])


def channel_of(mechanism: str) -> tk.noise.Channel:
    attribute = tk.noise.Attribute(0, CELLS - 1, integer=True, mechanism=mechanism)
    return attribute.channels(tk.noise.shares(RECORDS, K, [1, 1])[:1])[0]


def transition(mechanism: str) -> CellTransition:
    channel = channel_of(mechanism)
    return transition_of(channel, support_of(channel, None), _check.run(1))


def histogram(x: np.ndarray) -> np.ndarray:
    edges = np.arange(-0.5, CELLS)
    return np.histogram2d(*x.T, [edges, edges])[0] / len(x)


def correlation_of(table: np.ndarray) -> float:
    return float(correlations_of(table, [np.arange(float(CELLS))] * 2)[0, 1])


def cells_of(parameters: np.ndarray) -> np.ndarray:
    """The table of two normal variables: means, deviations, correlation."""
    edges = np.concatenate([[-1e3], np.arange(0.5, CELLS - 1), [1e3]])
    sides = [
        np.diff([NormalDist().cdf((edge - mean) / deviation) for edge in edges])
        for mean, deviation in zip(parameters[:2], parameters[2:4], strict=True)
    ]
    return copula(*[loadings(side) for side in sides], float(parameters[4]))


def information(one: CellTransition, at: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Fisher's of a record on the five parameters; what is released, and its slopes over itself."""

    def expected(parameters: np.ndarray) -> np.ndarray:
        return product([one, one], cells_of(parameters), forward=True).reshape(-1)

    moves = np.diag(STEPS)
    slopes = np.array([expected(at + move) - expected(at - move) for move in moves])
    slopes = slopes / (2.0 * STEPS[:, None])
    seen = expected(at)
    return (slopes / seen) @ slopes.T, seen, slopes / seen


def least_errors(mechanism: str) -> tuple[float, float, float]:
    """Cramer-Rao bounds: of a deviation and the correlation of normal laws; of any table's."""
    one = transition(mechanism)
    normal = np.sqrt(np.diag(np.linalg.inv(RECORDS * information(one, TRUTH)[0])))
    p, at = cells_of(TRUTH), np.arange(float(CELLS))
    margin = p.sum(axis=1)
    score = (at - margin @ at) / np.sqrt(margin @ at**2 - (margin @ at) ** 2)
    r = float(score @ p @ score)
    # How the correlation changes with each cell; without bias it has to be seen through the noise.
    slope = np.outer(score, score) - 0.5 * r * np.add.outer(score**2, score**2)
    whole = np.kron(one.matrix(), one.matrix())
    seen = product([one, one], p, forward=True).reshape(-1, 1)
    triangle = np.linalg.qr(whole / np.sqrt(seen), mode="r")
    solved = np.linalg.solve(triangle.T, slope.reshape(-1))
    return float(normal[2]), float(normal[4]), float(np.sqrt(solved @ solved / RECORDS))


class Laws:
    """The normal laws that released records support."""

    def __init__(self, mechanism: str, y: np.ndarray) -> None:
        self.one = transition(mechanism)
        self.counts = np.zeros((self.one.outputs, self.one.outputs))
        np.add.at(self.counts, tuple(self.one.codes(column) for column in y.T), 1.0)

    def value(self, at: np.ndarray, power: float) -> float:
        """The log-likelihood and a prior, (1 - r^2)^power over artanh r."""
        expected = product([self.one, self.one], cells_of(at), forward=True)
        likely = float((self.counts * np.log(np.maximum(expected, 1e-300))).sum())
        return likely + power * float(np.log(1.0 - at[4] ** 2))

    def best(self, start: np.ndarray, power: float) -> np.ndarray:
        """The five parameters by Fisher's scoring."""
        at, best = start.copy(), self.value(start, power)
        for _ in range(20):
            fisher, _, relative = information(self.one, at)
            uphill = relative @ self.counts.reshape(-1)
            uphill[4] -= 2.0 * power * at[4] / (1.0 - at[4] ** 2)
            step = np.linalg.solve(RECORDS * fisher, uphill)
            tried = [at + step * 0.5**halved for halved in range(8)]
            allowed = [a for a in tried if abs(a[4]) < FURTHEST and a[2:4].min() > 1.0]
            values = ((a, self.value(a, power)) for a in allowed)
            ahead = next((each for each in values if each[1] > best), None)
            if ahead is None:
                break
            at, gain, best = ahead[0], ahead[1] - best, ahead[1]
            if gain < 1e-3:
                break
        return at

    def median(self, mode: np.ndarray, chance: np.random.Generator) -> np.ndarray:
        """The median, cell by cell, of the tables of laws, each correlation equally likely."""
        z = np.array([*mode[:2], *np.log(mode[2:4]), np.arctanh(mode[4])])
        change = np.array([1.0, 1.0, *mode[2:4], 1.0 - mode[4] ** 2])
        fisher = RECORDS * information(self.one, mode)[0] * np.outer(change, change)
        root = np.linalg.cholesky(np.linalg.inv(fisher))
        normal = chance.standard_normal((SAMPLES, 5))
        drawn = z + WIDER * normal @ root.T
        laws = np.column_stack([drawn[:, :2], np.exp(drawn[:, 2:4]), np.tanh(drawn[:, 4])])
        kept = np.abs(laws[:, 4]) < FURTHEST
        laws, normal = laws[kept], normal[kept]
        logs = np.array([self.value(law, 1.0) for law in laws]) + 0.5 * (normal**2).sum(axis=1)
        weights = np.exp(logs - logs.max())
        tables = np.array([cells_of(law).reshape(-1) for law in laws])
        order = tables.argsort(axis=0)
        below = np.cumsum(weights[order], axis=0) / weights.sum()
        middle = order[(below >= 0.5).argmax(axis=0), np.arange(tables.shape[1])]
        median = tables[middle, np.arange(tables.shape[1])].reshape(CELLS, CELLS)
        return median / median.sum()


def told_margins(laws: Laws) -> np.ndarray:
    """The copula of the true margins, with the correlation that the library finds for them."""
    sides = [cells_of(TRUTH).sum(axis=1 - axis) for axis in (0, 1)]
    known = [association.margin_of(laws.one, side, side[None, :]) for side in sides]
    found = association.association(laws.counts, known, np.random.default_rng(0))
    return copula(*[loadings(side) for side in sides], found.correlation)


def by_moments(channel: tk.noise.Laplace, y: np.ndarray) -> float:
    found = tk.reconstruct.covariance(y, channel.scale)
    return float(found[0, 1] / np.sqrt(found[0, 0] * found[1, 1]))


def draw(mechanism: str, number: int) -> dict[str, tuple[float, float]]:
    """Accuracy and correlation of each estimator."""
    x, channel = records(np.random.default_rng(number)), channel_of(mechanism)
    y = np.stack([seeded(channel, c, 1000 + 2 * number + j) for j, c in enumerate(x.T)], 1)
    found = tk.reconstruct.table(y, [channel, channel], bands=False)
    with mock.patch.object(association, "SHRINKING", association.EVEN):
        even = tk.reconstruct.table(y, [channel, channel], bands=False)
    plain = tk.reconstruct.table(y, [channel, channel], tol=1.0)
    sides = [loadings(margin.probabilities) for margin in found.margins]
    laws, true = Laws(mechanism, y), histogram(x)
    probable = laws.best(law_of(found), 2.0)
    tables = {
        "table": found.probabilities,
        "product of the margins": found.independent(),
        "EM from independence": plain.probabilities,
        "true distribution": cells_of(TRUTH),
        "table, even prior": even.probabilities,
        "copula, true margins": told_margins(laws),
        "copula, true correlation": copula(*sides, CORRELATION),
        "most probable law": cells_of(probable),
        "median of probable laws": laws.median(probable, np.random.default_rng(number)),
        "likeliest law": cells_of(laws.best(probable, 0.0)),
    }
    rows = {
        name: (tk.reconstruct.l1_accuracy(table, true), correlation_of(table))
        for name, table in tables.items()
    }
    if mechanism == "laplace":
        rows["moments"] = (np.nan, by_moments(channel, y))
    # No estimate of the table: the deviations of its margins, to set beside their bound.
    rows[DEVIATIONS] = (found.margins[0].std(), found.margins[1].std())
    return rows


def fives(values: np.ndarray) -> np.ndarray:
    """The means of the first five draws, the next five..."""
    whole = len(values) // TOGETHER * TOGETHER
    return values[:whole].reshape(-1, TOGETHER).mean(axis=1)


def show(mechanism: str, found: dict[str, np.ndarray]) -> None:
    truth, count = correlation_of(cells_of(TRUTH)), len(found["table"])
    print(f"\n{mechanism}, {count} draws; the correlation of the cells is {truth:.3f}")
    fifth = f"fives of {ENOUGH:.0f}"
    print(f"  {'':24} {'accuracy':>12} {'correlation':>15} {fifth:>12} {'within .03':>11}")
    deviations = found.pop(DEVIATIONS)
    for name, rows in found.items():
        accuracies, correlations = rows.T
        text = f"  {name:24} {accuracies.mean():6.1f} ± {accuracies.std():3.1f} "
        text += f"{correlations.mean():8.3f} ± {correlations.std():.3f} "
        good = (fives(accuracies) >= ENOUGH).mean() if count >= TOGETHER else np.nan
        near = (np.abs(fives(correlations) - truth) <= NEAR).mean() if count >= TOGETHER else np.nan
        text += f"{good:12.2f} {near:11.2f}"
        print(text + (f"   draws 0-4: {accuracies[:5].mean():.1f}, {correlations[:5].mean():.3f}"))
    deviation, normal, every = least_errors(mechanism)
    share = 2.0 * NormalDist().cdf(NEAR * np.sqrt(TOGETHER) / normal) - 1.0
    print(
        f"  without bias a correlation has an error of {normal:.3f} at least where the law is known"
        f"\n  to be normal (means of five within .03: {share:.2f}), of {every:.3f} for any table; "
        f"a deviation has\n  one of {deviation:.3f}, and those of the table's margins are off by "
        f"{np.sqrt(((deviations - TRUTH[2]) ** 2).mean()):.3f}",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=5, help="draws of records and noise")
    parser.add_argument("--mechanism", choices=MECHANISMS, action="append", help="only these")
    words = parser.parse_args()
    wrong = 0
    for mechanism in words.mechanism or MECHANISMS:
        rows = [draw(mechanism, number) for number in range(words.draws)]
        found = {name: np.array([row[name] for row in rows]) for name in rows[0]}
        show(mechanism, found)
        table, margins = found["table"][:, 0], found["product of the margins"][:, 0]
        least = 0.0 if mechanism == "laplace" else 92.0 - 2.0 * table.std() / np.sqrt(len(table))
        wrong += bool(table.mean() < max(margins.mean() - 0.3, least))
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
