"""Two correlated attributes behind noise: what `tk.reconstruct.table` finds, and what can be found.

Two normal variables of correlation .8 in 41 x 41 cells, 30,000 records, linkage bounded by 1/2. The
last column is a limit: the accuracy of an estimator that knows both variables to be normal and
attains the Cramer-Rao bound of their five parameters.

    python examples/papers/mixture_joint.py [--draws 5]

Ends with 1 where a square wave or randomised response falls below 92 by more than draws explain, or
the table below the product of its margins.
"""

from __future__ import annotations

import argparse
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=5, help="draws of records and noise")
    draws = parser.parse_args().draws
    wrong = 0
    print(f"{'':22} {'table':>14} {'margins':>9} {'correlation':>14} {'attainable':>14}")
    for mechanism in MECHANISMS:
        rows = []
        for number in range(draws):
            x = records(np.random.default_rng(number))
            channel = channel_of(mechanism)
            y = np.stack([channel.perturb(column) for column in x.T], axis=1)
            found = tk.reconstruct.table(y, [channel, channel], bands=False)
            true = histogram(x)
            rows.append(
                [
                    tk.reconstruct.l1_accuracy(found.probabilities, true),
                    tk.reconstruct.l1_accuracy(found.independent(), true),
                    found.correlations[0, 1],
                ]
            )
        mean, spread = np.mean(rows, axis=0), np.std(rows, axis=0)
        best, around, error = attainable(mechanism, x, np.random.default_rng(0))
        print(
            f"{mechanism:22} {mean[0]:7.1f} +- {spread[0]:3.1f} {mean[1]:9.1f} "
            f"{mean[2]:7.3f} +- {spread[2]:.3f} {best:7.1f} +- {around:3.1f}  "
            f"(correlation +- {error:.3f})"
        )
        least = 0.0 if mechanism == "laplace" else 92.0 - 2.0 * around / np.sqrt(draws)
        wrong += bool(mean[0] < max(mean[1] - 0.3, least))
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
