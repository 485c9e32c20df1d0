"""Two correlated attributes behind noise: what `tk.reconstruct.table` finds, and what can be found.

Two normal variables of correlation .8 in 41 x 41 cells, 30,000 records, linkage bounded by 1/2.
Beside the table, from the same records, stands the normal law whose five parameters are most
probable, an estimator that knows what the table has to find. The last column is what such an
estimator comes to at the Cramer-Rao bound of the five parameters.

    python examples/papers/mixture_joint.py [--draws 5] [--mechanism laplace]

Ends with 1 where a square wave or randomised response falls below 92 by more than draws explain, or
the table below the product of its margins.
"""

from __future__ import annotations

import argparse
import warnings
from statistics import NormalDist

import numpy as np

import tokumei as tk
from tokumei import _check
from tokumei.reconstruct.cells.support import support_of
from tokumei.reconstruct.cells.transitions import product, transition_of
from tokumei.reconstruct.joint.copula import copula, loadings

RECORDS, K, CELLS, CORRELATION = 30_000, 2, 41, 0.8
TRUTH = np.array([20.0, 20.0, 6.0, 6.0, CORRELATION])
STEPS = np.array([0.01, 0.01, 0.01, 0.01, 0.002])
MECHANISMS = ("laplace", "randomized-response", "square-wave")


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


def histogram(x: np.ndarray) -> np.ndarray:
    edges = np.arange(-0.5, CELLS)
    return np.histogram2d(*x.T, [edges, edges])[0] / len(x)


def cells_of(parameters: np.ndarray) -> np.ndarray:
    """The table of two normal variables: means, deviations, correlation."""
    edges = np.concatenate([[-1e3], np.arange(0.5, CELLS - 1), [1e3]])
    sides = [
        np.diff([NormalDist().cdf((edge - mean) / deviation) for edge in edges])
        for mean, deviation in zip(parameters[:2], parameters[2:4], strict=True)
    ]
    return copula(*[loadings(side) for side in sides], float(parameters[4]))


def attainable(mechanism: str, x: np.ndarray, chance: np.random.Generator) -> tuple[float, ...]:
    """Mean and spread of the accuracy at the Cramer-Rao bound; the bound of the correlation."""
    channel = channel_of(mechanism)
    transitions = [transition_of(channel, support_of(channel, None), _check.run(1))] * 2
    expected = product(transitions, cells_of(TRUTH), forward=True).reshape(-1)
    slopes = np.array(
        [
            (
                product(transitions, cells_of(TRUTH + move), forward=True)
                - product(transitions, cells_of(TRUTH - move), forward=True)
            ).reshape(-1)
            / (2.0 * move.sum())
            for move in np.diag(STEPS)
        ]
    )
    covariance = np.linalg.inv(RECORDS * (slopes / expected) @ slopes.T)
    found = chance.multivariate_normal(TRUTH, covariance, 100)
    found[:, 4] = np.minimum(found[:, 4], 0.98)
    true = histogram(x)
    accuracies = [tk.reconstruct.l1_accuracy(cells_of(one), true) for one in found]
    return float(np.mean(accuracies)), float(np.std(accuracies)), float(covariance[4, 4] ** 0.5)


def most_probable(mechanism: str, y: np.ndarray, start: np.ndarray) -> np.ndarray:
    """The five parameters by Fisher's scoring, 1 - r^2 their prior in artanh r, twice over."""
    channel = channel_of(mechanism)
    one = transition_of(channel, support_of(channel, None), _check.run(1))
    codes = np.stack([one.codes(column) for column in y.T])
    counts = np.zeros((one.outputs, one.outputs))
    np.add.at(counts, tuple(codes), 1.0)

    def expected(at: np.ndarray) -> np.ndarray:
        return product([one, one], cells_of(at), forward=True)

    def value(at: np.ndarray) -> float:
        prior = 2.0 * np.log(1.0 - at[4] ** 2)
        return float((counts * np.log(np.maximum(expected(at), 1e-300))).sum() + prior)

    at = start.copy()
    for _ in range(12):
        moves = np.diag(STEPS)
        slopes = np.array([expected(at + m) - expected(at - m) for m in moves])
        slopes = slopes.reshape(5, -1) / (2.0 * STEPS[:, None])
        seen = expected(at).reshape(-1)
        uphill = slopes @ (counts.reshape(-1) / seen)
        uphill[4] -= 4.0 * at[4] / (1.0 - at[4] ** 2)
        step = np.linalg.solve(RECORDS * (slopes / seen) @ slopes.T, uphill)
        best = value(at)
        shorter = [step * 0.5**halved for halved in range(8)]
        allowed = [at + s for s in shorter if abs(at[4] + s[4]) < 0.97 and (at + s)[2:4].min() > 1]
        ahead = next((new for new in allowed if value(new) > best), None)
        if ahead is None or value(ahead) - best < 1e-3:
            break
        at = ahead
    return at


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=5, help="draws of records and noise")
    parser.add_argument("--mechanism", choices=MECHANISMS, action="append", help="only these")
    words = parser.parse_args()
    draws, wrong = words.draws, 0
    head = f"{'':22} {'table':>14} {'margins':>9} {'correlation':>16} {'normal law':>14}"
    print(f"{head} {'attainable':>14}")
    for mechanism in words.mechanism or MECHANISMS:
        rows = []
        for number in range(draws):
            x = records(np.random.default_rng(number))
            channel = channel_of(mechanism)
            y = np.stack([seeded(channel, c, 1000 + 2 * number + j) for j, c in enumerate(x.T)], 1)
            found = tk.reconstruct.table(y, [channel, channel], bands=False)
            true = histogram(x)
            law = most_probable(mechanism, y, law_of(found))
            rows.append(
                [
                    tk.reconstruct.l1_accuracy(found.probabilities, true),
                    tk.reconstruct.l1_accuracy(found.independent(), true),
                    found.correlations[0, 1],
                    tk.reconstruct.l1_accuracy(cells_of(law), true),
                ]
            )
        mean, spread = np.mean(rows, axis=0), np.std(rows, axis=0)
        best, around, error = attainable(mechanism, x, np.random.default_rng(0))
        print(
            f"{mechanism:22} {mean[0]:7.1f} +- {spread[0]:3.1f} {mean[1]:9.1f} "
            f"{mean[2]:7.3f} +- {spread[2]:.3f} {mean[3]:7.1f} +- {spread[3]:3.1f} "
            f"{best:7.1f} +- {around:3.1f}  "
            f"(correlation +- {error:.3f})"
        )
        least = 0.0 if mechanism == "laplace" else 92.0 - 2.0 * around / np.sqrt(draws)
        wrong += bool(mean[0] < max(mean[1] - 0.3, least))
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
