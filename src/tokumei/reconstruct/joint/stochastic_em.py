"""Stochastic approximation EM for normal mixtures under Laplace noise of scale 1.

Records are columns here (d x n), blocks of them at a time; variances of the noise stand beside.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats
from tokumei.reconstruct.joint.covariances import semidefinite
from tokumei.reconstruct.joint.gaussian_algebra import (
    factors,
    log_densities,
    shares,
    solved,
    solved_back,
)
from tokumei.reconstruct.joint.starts import spread_means

BLOCK = 4096
# The mean of the variance of normal noise that makes Laplace noise of scale 1.
MEAN_VARIANCE = 2.0
# Eigenvalues of a component's covariance, in squares of the noise's scale.
NARROWEST = 1e-6
# Steps with the mean variance before variances are drawn.
PLAIN_STEPS = 20
# Least eigenvalue of a component at the start.
LEAST_START = 0.05
# Of the memory of past statistics in the first third of the steps; later it fades as t^-3/4.
QUICK = 1.0 / 3.0
SCORED_DRAWS = 64
# Beginnings for each run, and what counts as standing still, in deviations of noisy records.
TRIED = 4
STILL = 0.05


@dataclass(frozen=True)
class NormalMixture:
    """Weights (K), means (K, d) and covariances (K, d, d)."""

    weights: Floats
    means: Floats
    covariances: Floats

    def log_joint(self, z: Floats, variances: Floats) -> tuple[Floats, Floats, Floats]:
        """Log weight times density of each component at each record, with normal noise of those
        variances; and the factors and whitened deviations that it took."""
        factor = factors(self.covariances, variances)
        white = solved(factor, z[:, None, :] - self.means.T[:, :, None])
        with np.errstate(divide="ignore"):
            logs = np.log(self.weights)[:, None] + log_densities(factor, white)
        return logs, factor, white

    def log_density(self, x: Floats) -> Floats:
        """Log density at rows of x, without noise."""
        none = np.zeros((x.shape[1], len(x)))
        logs, _, _ = self.log_joint(np.ascontiguousarray(x.T), none)
        return shares(logs)[1]


@dataclass(frozen=True)
class Statistics:
    """Sums over records of g, g E[x] and g E[x x'] for each component."""

    held: Floats
    first: Floats
    second: Floats

    def faded(self, other: Statistics, share: float) -> Statistics:
        """These, moved towards others by a share."""
        return Statistics(
            self.held + share * (other.held - self.held),
            self.first + share * (other.first - self.first),
            self.second + share * (other.second - self.second),
        )

    def mixture(self, before: NormalMixture) -> NormalMixture:
        """The M-step; a component that holds less than a thousandth of a record stays."""
        weights = self.held / self.held.sum()
        means, covariances = before.means.copy(), before.covariances.copy()
        for k in np.flatnonzero(self.held > 1e-3):
            means[k] = self.first[k] / self.held[k]
            covariance = self.second[k] / self.held[k] - np.outer(means[k], means[k])
            covariances[k] = semidefinite(covariance, NARROWEST)
        return NormalMixture(weights, means, covariances)


def expected(
    mixture: NormalMixture, z: Floats, variances: Floats, chance: np.random.Generator | None
) -> Statistics:
    """The E-step given the variances of the noise; with `chance`, these are then drawn anew."""
    count, width = mixture.means.shape
    total = Statistics(np.zeros(count), np.zeros((count, width)), np.zeros((count, width, width)))
    for begin in range(0, z.shape[1], BLOCK):
        part = slice(begin, begin + BLOCK)
        records, noise = z[:, part], variances[:, part]
        logs, factor, white = mixture.log_joint(records, noise)
        given, _ = shares(logs)
        ahead = solved_back(factor, white)
        means = mixture.means.T[:, :, None] + np.einsum("kij,jkn->ikn", mixture.covariances, ahead)
        total.held[:] += given.sum(axis=1)
        total.first[:] += np.einsum("kn,ikn->ki", given, means)
        total.second[:] += np.einsum("kn,ikn,jkn->kij", given, means, means)
        total.second[:] += given.sum(axis=1)[:, None, None] * mixture.covariances
        # Less S T^-1 S, the part of a covariance that the record takes away.
        columns = [
            solved(factor, np.repeat(mixture.covariances[:, :, j].T[:, :, None], len(given[0]), 2))
            for j in range(width)
        ]
        for i in range(width):
            for j in range(i, width):
                taken = np.einsum("kn,mkn,mkn->k", given, columns[i], columns[j])
                total.second[:, i, j] -= taken
                if i != j:
                    total.second[:, j, i] -= taken
        if chance is not None:
            variances[:, part] = _drawn(mixture, records, noise, given, factor, chance)
    return total


def _drawn(
    mixture: NormalMixture,
    z: Floats,
    noise: Floats,
    given: Floats,
    factor: Floats,
    chance: np.random.Generator,
) -> Floats:
    """Variances of the noise given the records: by way of a component and of the noise itself."""
    width, records = z.shape
    below = np.cumsum(given, axis=0) < chance.random(records)
    member = np.minimum(below.sum(axis=0), len(given) - 1)
    roots = np.linalg.cholesky(mixture.covariances)
    normal = chance.standard_normal((width, records))
    x = mixture.means[member].T + np.einsum("nij,jn->in", roots[member], normal)
    error = np.sqrt(noise) * chance.standard_normal((width, records))
    own = factor[:, :, member, np.arange(records)][:, :, None, :]
    rest = solved_back(own, solved(own, (z - x - error)[:, None, :]))[:, 0, :]
    drawn = np.maximum(np.abs(error + noise * rest), 1e-9)
    inverse = chance.wald(1.0 / drawn, 1.0)
    return np.clip(1.0 / np.maximum(inverse, 1e-12), 1e-12, 1e12)


def start(z: Floats, means: Floats, covariance: Floats) -> NormalMixture:
    """A mixture of the noisy records as they are, from given means; then with the noise's variance
    taken out of its components."""
    components = len(means)
    seen = covariance + MEAN_VARIANCE * np.eye(len(covariance))
    mixture = NormalMixture(
        np.full(components, 1.0 / components),
        means.copy(),
        np.repeat(seen[None] / components, components, axis=0),
    )
    none = np.full(z.shape, 1e-6)
    for _ in range(PLAIN_STEPS):
        mixture = expected(mixture, z, none, None).mixture(mixture)
    noise = MEAN_VARIANCE * np.eye(len(covariance))
    narrowed = [semidefinite(own - noise, LEAST_START) for own in mixture.covariances]
    return NormalMixture(mixture.weights, mixture.means, np.array(narrowed))


def run(
    z: Floats, mixture: NormalMixture, steps: int, chance: np.random.Generator
) -> tuple[NormalMixture, bool]:
    """A few steps with normal noise of the same variance, then draws, then their average; and
    whether means and weights stood still in the last tenth of the steps."""
    variances = np.full(z.shape, MEAN_VARIANCE)
    for _ in range(PLAIN_STEPS):
        mixture = expected(mixture, z, variances, None).mixture(mixture)
    memory = expected(mixture, z, variances, chance)
    quick, earlier = max(steps // 3, 1), mixture
    for step in range(steps):
        if step == steps - max(steps // 10, 1):
            earlier = mixture
        share = QUICK if step < quick else (step - quick + 1.0) ** -0.75
        memory = memory.faded(expected(mixture, z, variances, chance), min(share, QUICK))
        mixture = memory.mixture(mixture)
    spread = np.sqrt(np.einsum("kii->ki", mixture.covariances) + MEAN_VARIANCE)
    moved = np.abs(mixture.means - earlier.means) / spread
    changed = float(np.abs(mixture.weights - earlier.weights).max())
    return mixture, bool(max(float(moved.max()), changed) < STILL)


def component_logs(mixture: NormalMixture, z: Floats, seed: int) -> Floats:
    """Log density of noisy records (columns) under each component, the noise's variances averaged
    over draws that depend on the seed only."""
    chance = np.random.default_rng(seed)
    even = NormalMixture(np.ones(len(mixture.weights)), mixture.means, mixture.covariances)
    found = np.empty((len(mixture.weights), z.shape[1]))
    for begin in range(0, z.shape[1], BLOCK):
        records = z[:, begin : begin + BLOCK]
        # One draw from each of equally likely ranges of the exponential distribution.
        first = np.arange(SCORED_DRAWS)[:, None, None]
        ranks = chance.permuted(first + chance.random((SCORED_DRAWS, *records.shape)), axis=0)
        draws = np.maximum(-MEAN_VARIANCE * np.log1p(-ranks / SCORED_DRAWS), 1e-12)
        logs = np.array([even.log_joint(records, variances)[0] for variances in draws])
        top = logs.max(axis=0)
        mean = np.exp(logs - top).sum(axis=0) / SCORED_DRAWS
        found[:, begin : begin + BLOCK] = top + np.log(mean)
    return found


def loglik(mixture: NormalMixture, z: Floats, seed: int) -> float:
    """Log-likelihood of noisy records."""
    with np.errstate(divide="ignore"):
        logs = component_logs(mixture, z, seed) + np.log(mixture.weights)[:, None]
    return float(shares(logs)[1].sum())


def best_of(
    starts: int,
    z: Floats,
    components: int,
    covariance: Floats,
    steps: int,
    chance: np.random.Generator,
) -> tuple[NormalMixture, float, bool]:
    """The likeliest of several runs, its log-likelihood, and whether it came to rest.

    Of four times as many beginnings those run on that are likeliest if the noise were normal.
    """
    variances = np.full(z.shape, MEAN_VARIANCE)
    tried = []
    for _ in range(TRIED * starts if components > 1 else starts):
        begin = start(z, spread_means(np.ascontiguousarray(z.T), components, chance), covariance)
        for _step in range(PLAIN_STEPS):
            begin = expected(begin, z, variances, None).mixture(begin)
        tried.append((float(shares(begin.log_joint(z, variances)[0])[1].sum()), begin))
    tried.sort(key=lambda each: -each[0])
    found = [run(z, begin, steps, chance) for _, begin in tried[:starts]]
    seed = int(chance.integers(2**63))
    logliks = [loglik(mixture, z, seed) for mixture, _ in found]
    best = int(np.argmax(logliks))
    return found[best][0], logliks[best], found[best][1]
