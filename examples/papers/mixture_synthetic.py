"""Reconstruction of a mixture of four normals from Laplace noise: the paper's synthetic experiment.

Hasegawa, Kikuchi, Ikarashi, Hamada and Chida draw N = 1e3 .. 1e6 values from a mixture (means -1,
3, 5, 9; weights .1, .6, .2, .1; variances .1, .2, .5, .01), add the Laplace noise that gives
Pk-anonymity with k = 2 for the range of the data, and fit mixtures of K = 2..6 components by
gradient EM. They give the noise's scales, and accuracies only as a figure: their method wins for
N <= 1e4 and loses to the iterative Bayesian technique for N >= 1e5.

Printed is the L1 accuracy 100 (1 - sum |p - q| / 2) against the sample's own histogram, in cells of
width 0.25 and 1, mean and standard deviation over draws: the paper's gradient EM at its rate of
1e-3 and exact EM for each K and for the K of the largest likelihood (the paper's rule) and of BIC,
the mean over K = 3..6, the iterative Bayesian technique with 300 passes on the same cells (its
cells are not in the paper), one single normal (which anyone can fit without any method), and the
noisy values as they are. Last, how far exact EM by the paper's rule is ahead of IBT: the mean over
draws with its standard error, and in how many draws. A verdict that draws could turn, the mean
within two standard errors of nothing, is "either".

    python examples/papers/mixture_synthetic.py [--rows 1000 10000 100000 1000000] [--draws N]
        [--verdicts] [--write]

With --verdicts only the two methods of the verdict are run.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

import numpy as np
from certificate import Cell, add_options, certify

import tokumei as tk

WEIGHTS, MEANS = np.array([0.1, 0.6, 0.2, 0.1]), np.array([-1.0, 3.0, 5.0, 9.0])
VARIANCES = np.array([0.1, 0.2, 0.5, 0.01])
COMPONENTS = range(2, 7)
RATE, PASSES = 1e-3, 300
PAPER_SCALES = {1_000: "3.18", 10_000: "2.45", 100_000: "2.03", 1_000_000: "1.75"}
# Of its figure 2 the paper says in words which method comes nearer.
PAPER_WINS = {1_000: "proposal", 10_000: "proposal", 100_000: "IBT", 1_000_000: "IBT"}
DRAWS = 20
WIDTHS = (0.25, 1.0)
OURS, THEIRS = "exact EM, K by L", f"IBT, {PASSES} passes"


def draw(rows: int, chance: np.random.Generator) -> np.ndarray:
    member = chance.choice(len(WEIGHTS), rows, p=WEIGHTS)
    return chance.normal(MEANS[member], np.sqrt(VARIANCES[member]))


def pk_scale(x: np.ndarray, k: int = 2) -> float:
    """The paper takes the range of the data; a release needs public bounds."""
    return 2.0 * float(np.ptp(x)) / np.log((len(x) - 1) / (k - 1))


def cells_of(x: np.ndarray, width: float) -> np.ndarray:
    first, last = np.floor(x.min() / width), np.ceil(x.max() / width)
    return np.arange(first, last + 1.5) * width


def accuracy(true: np.ndarray, found: np.ndarray) -> float:
    return float(100.0 * (1.0 - 0.5 * np.abs(true - found).sum()))


def fits(
    y: np.ndarray, scale: float, verdicts: bool
) -> dict[str, list[tk.reconstruct.LaplaceMixture]]:
    """By name the mixtures whose mean is an estimate; none where a method diverged."""
    mixture = tk.reconstruct.LaplaceMixture
    exact = {k: mixture(k, scale).fit(y) for k in COMPONENTS}
    found = {OURS: [max(exact.values(), key=lambda one: one.loglik_)]}
    if verdicts:
        return found
    found["one normal"] = [mixture(1, scale).fit(y)]
    for k, one in exact.items():
        found[f"exact EM, K = {k}"] = [one]
    least = min(exact.values(), key=lambda one: one.n_parameters * np.log(len(y)) - 2 * one.loglik_)
    found["exact EM, K by BIC"] = [least]
    early = tk.reconstruct.mixture_average(y, scale, cells=cells_of(y, 1.0)).mixtures
    found["mean of K = 3..6"] = list(early)
    for k in COMPONENTS:
        try:
            one = mixture(k, scale, method="gradient", rate=RATE).fit(y)
            found[f"gradient, K = {k}"] = [one]
        except ArithmeticError:
            found[f"gradient, K = {k}"] = []
    kept = [one for k in COMPONENTS for one in found[f"gradient, K = {k}"]]
    found["gradient, K by L"] = [max(kept, key=lambda one: one.loglik_)] if kept else []
    return found


def ibt(x: np.ndarray, y: np.ndarray, scale: float) -> list[float]:
    """Accuracies of the iterative Bayesian technique, on cells of each width."""
    found = []
    for width in WIDTHS:
        edges = cells_of(x, width)
        channel = tk.noise.laplace(scale, lower=edges[0], upper=edges[-1])
        made = tk.reconstruct.iterative_bayes(y, channel, max_iter=PASSES, cells=edges)
        found.append(accuracy(np.histogram(x, edges)[0] / len(x), made.probabilities))
    return found


def experiment(rows: int, draws: int, verdicts: bool) -> Iterator[Cell]:
    accuracies: dict[str, list[list[float]]] = {}
    scales, begin = [], time.process_time()
    for seed in range(draws):
        chance = np.random.default_rng(seed)
        x = draw(rows, chance)
        scale = pk_scale(x)
        scales.append(scale)
        y = x + chance.laplace(0.0, scale, rows)
        true = [np.histogram(x, cells_of(x, width))[0] / rows for width in WIDTHS]
        noisy = [np.histogram(y, cells_of(x, width))[0] / rows for width in WIDTHS]
        row = [accuracy(p, q) for p, q in zip(true, noisy, strict=True)]
        accuracies.setdefault("noisy values", []).append(row)
        accuracies.setdefault(THEIRS, []).append(ibt(x, y, scale))
        for name, mixtures in fits(y, scale, verdicts).items():
            row = [
                accuracy(
                    p, np.mean([one.probabilities(cells_of(x, width)) for one in mixtures], axis=0)
                )
                if mixtures
                else np.nan
                for p, width in zip(true, WIDTHS, strict=True)
            ]
            accuracies.setdefault(name, []).append(row)
    spent = time.process_time() - begin
    print(f"\nN = {rows:,}: scale {np.mean(scales):.2f} (paper {PAPER_SCALES.get(rows, '-')}), "
          f"{draws} draws, {spent:.1f} s CPU")  # fmt: skip
    print(f"  {'':22}" + "".join(f"cells of {width:<10}" for width in WIDTHS))
    for name, rows_of in accuracies.items():
        values = np.array(rows_of)
        diverged = int(np.isnan(values[:, 0]).sum())
        if diverged == len(values):
            print(f"  {name:22}diverged")
            continue
        means, spreads = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
        shown = "".join(f"{m:5.1f} ± {s:<11.1f}" for m, s in zip(means, spreads, strict=True))
        print(f"  {name:22}{shown}" + (f"({diverged} diverged)" if diverged else ""))
    ours, theirs = np.array(accuracies[OURS]), np.array(accuracies[THEIRS])
    for at, width in enumerate(WIDTHS):
        print(f"  cells of {width:g}: {verdict(ours[:, at], theirs[:, at])[1]}")
    if rows in PAPER_SCALES:
        yield from cells(rows, np.array(scales), ours, theirs)


def verdict(ours: np.ndarray, theirs: np.ndarray) -> tuple[str, str]:
    """Which is nearer, and why: "either" where other draws could turn it."""
    ahead = ours - theirs
    error = float(ahead.std(ddof=1) / np.sqrt(len(ahead))) if len(ahead) > 1 else np.inf
    nearer = "proposal" if ahead.mean() > 0.0 else "IBT"
    reason = (
        f"L1 accuracy {ours.mean():.1f} with exact EM, {theirs.mean():.1f} with IBT; EM is ahead "
        f"by {ahead.mean():.1f} with a standard error of {error:.1f}, in {(ahead > 0).sum()} of "
        f"{len(ahead)} draws"
    )
    return "either" if abs(ahead.mean()) <= 2.0 * error else nearer, reason


def cells(rows: int, scales: np.ndarray, ours: np.ndarray, theirs: np.ndarray) -> Iterator[Cell]:
    """The scale of the noise, and which of the two methods figure 2 shows to be nearer."""
    where, printed = "mixture paper, section 5.1", PAPER_SCALES[rows]
    reason = f"the range of one draw: {scales.min():.2f} to {scales.max():.2f} in {len(scales)}"
    inside = scales.min() - 0.005 <= float(printed) <= scales.max() + 0.005
    found = printed if inside else f"{scales.mean():.2f}"
    yield Cell(where, f"N = {rows}, a scale that draws give", printed, found, reason)
    for at, width in enumerate(WIDTHS):
        nearer, why = verdict(ours[:, at], theirs[:, at])
        reason = f"an image, and cells that are not said: {why}"
        cell = f"N = {rows}, cells of {width:g}: which is nearer"
        yield Cell("mixture paper, figure 2", cell, PAPER_WINS[rows], nearer, reason)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=list(PAPER_SCALES))
    parser.add_argument("--draws", type=int, default=DRAWS, help="of each number of rows")
    parser.add_argument("--verdicts", action="store_true", help="the two methods of figure 2 only")
    add_options(parser)
    words = parser.parse_args()
    if words.draws < 1 or min(words.rows) < 100:
        parser.error("at least one draw of at least 100 rows")
    found = [cell for rows in words.rows for cell in experiment(rows, words.draws, words.verdicts)]
    part = set(words.rows) < set(PAPER_SCALES)
    return certify("mixture_synthetic", found, write=words.write, part=part)


if __name__ == "__main__":
    sys.exit(main())
