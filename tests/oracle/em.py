"""EM for mixtures under Laplace noise as the formulas have it: every record by every cell.

Weights, means and deviations in units of the noise's scale; the last `atoms` have no width.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np


def normal_mass(low: float, high: float) -> float:
    """P(low < v < high) of a standard normal variable, small masses to all their digits."""
    if low > 0:
        low, high = -high, -low
    return 0.5 * (math.erfc(-high / math.sqrt(2)) - math.erfc(-low / math.sqrt(2)))


def normal_height(t: float) -> float:
    return math.exp(-t * t / 2) / math.sqrt(2 * math.pi)


def normal_cells(edges, mean, deviation):
    """How much of a normal variable lies in each cell."""
    t = [(edge - mean) / deviation for edge in edges]
    return np.array([normal_mass(*pair) for pair in pairwise(t)])


def bounded_step(y, counts, edges, mixture, atoms):
    """One step of EM for a mixture cut to the outermost edges, its values in the cells' middles.

    Draws that fall outside and are drawn again are part of the complete data.
    """
    weights, means, deviations = mixture
    free = len(weights) - atoms
    middles = (edges[1:] + edges[:-1]) / 2
    seen = np.clip(y, edges[0], edges[-1])
    noise = 0.5 * np.exp(-np.abs(seen[:, None] - middles))
    inside = [normal_cells(edges, *pair) for pair in zip(means, deviations, strict=True) if pair[1]]
    joint = [weights[k] * noise * cells / cells.sum() for k, cells in enumerate(inside)]
    atoms_noise = 0.5 * np.exp(-np.abs(seen[:, None] - means[free:]))
    joint += [share[:, None] for share in (weights[free:] * atoms_noise).T]
    density = sum(part.sum(axis=1) for part in joint)
    loglik = counts @ (np.log(density) - np.abs(y - seen))
    held = [counts @ (part.sum(axis=1) / density) for part in joint]
    new = [np.array(held) / sum(held), means.copy(), deviations.copy()]
    for k in range(free):
        t = (edges - means[k]) / deviations[k]
        heights = np.array([normal_height(value) for value in t])
        cells, all_of_it = inside[k], inside[k].sum()
        first = heights[:-1] - heights[1:]
        second = cells + t[:-1] * heights[:-1] - t[1:] * heights[1:]
        of_cell = counts @ (joint[k] / density[:, None]) / held[k]
        held_there = cells > 0.0  # cells whose mass underflows have no part in the sums
        of_cell, mass = of_cell[held_there], cells[held_there]
        shift = all_of_it * (of_cell @ (first[held_there] / mass)) - first.sum()
        square = all_of_it * (of_cell @ (second[held_there] / mass)) + 1.0 - second.sum()
        new[1][k] += deviations[k] * shift
        new[2][k] *= math.sqrt(square - shift * shift)
    return tuple(new), float(loglik)


def squarem(step, start, atoms, tol, most):
    """Steps of EM, extrapolated (Varadhan & Roland 2008, S3): mixture, log-likelihoods, steps."""
    free = len(start[0]) - atoms

    def vector(mixture):
        weights, means, deviations = mixture
        return np.concatenate([np.log(weights), means[:free], np.log(deviations[:free])])

    def mixture_at(vector):
        weights = np.exp(vector[: len(start[0])])
        means, logs = vector[len(weights) :].reshape(2, free)
        return (
            weights / weights.sum(),
            np.concatenate([means, start[1][free:]]),
            np.concatenate([np.exp(logs), start[2][free:]]),
        )

    here, longest, trace, steps = start, 1.0, [], 0
    while True:
        one, before = step(here)
        two, after = step(one)
        trace, steps = [*trace, before, after], steps + 2
        if after - before < tol or steps >= most:
            return one, trace, steps
        way = vector(one) - vector(here)
        bend = vector(two) - vector(one) - way
        length = min(max(1.0, np.linalg.norm(way) / np.linalg.norm(bend)), longest)
        reached, height = step(mixture_at(vector(here) + 2 * length * way + length**2 * bend))
        steps += 1
        if height >= after:
            trace.append(height)
            here, longest = reached, longest * 4 if length == longest else longest
        else:
            here, longest = two, max(1.0, longest / 4)


def clusters(y, counts, means):
    """k-means on a line by Lloyd's iterations: means, weights, sums of squares."""
    for _ in range(50):
        labels = np.searchsorted((means[1:] + means[:-1]) / 2, y)
        held = np.bincount(labels, counts, len(means))
        sums = np.bincount(labels, counts * y, len(means))
        moved = np.where(held > 0, sums / np.maximum(held, 1), means)
        if np.array_equal(moved, means):
            break
        means = np.sort(moved)
    squares = np.bincount(labels, counts * (y - means[labels]) ** 2, len(means))
    return means, np.bincount(labels, counts, len(means)), squares


def cut_mixture(edges, parameters):
    """Cells of a mixture cut to the outermost edges, from logits, means and log deviations."""
    k = (len(parameters) + 1) // 3
    weights = np.exp(np.append(parameters[: k - 1], 0.0))
    rows = zip(parameters[k - 1 : 2 * k - 1], np.exp(parameters[2 * k - 1 :]), strict=True)
    cells = np.array([normal_cells(edges, mean, deviation) for mean, deviation in rows])
    return weights / weights.sum() @ (cells / cells.sum(axis=1, keepdims=True))


def evidence_parts(edges, parameters, matrix, counts, prior):
    """Log-likelihood of counts, log determinant of the precision of parameters, and freedom."""
    expected = matrix @ cut_mixture(edges, parameters)
    slopes = [
        matrix @ (cut_mixture(edges, parameters + step) - cut_mixture(edges, parameters - step))
        for step in 1e-4 * np.eye(len(parameters))
    ]
    by_parameter = np.stack(slopes, axis=1) / 2e-4
    information = counts.sum() * (by_parameter.T / expected) @ by_parameter
    precision = information + np.diag(prior)
    freedom = np.trace(np.linalg.solve(precision, information))
    return counts @ np.log(expected), np.linalg.slogdet(precision)[1], freedom


def smooth_evidence(matrix, counts, theta, strength, order, strengths):
    """Laplace's approximation of the evidence of a smooth log-density, at its log-probabilities.

    Differences of that order have precision `strength`, the polynomials they leave open
    coefficients of deviation 3.
    """
    cells = len(theta)
    rough = np.diff(np.eye(cells), order, axis=0)
    x = np.vander(np.linspace(-1, 1, cells), order)
    free = np.linalg.qr(x)[0]
    prior = strength * rough.T @ rough + free @ free.T / (9.0 * cells)
    p = np.exp(theta - theta.max())
    p /= p.sum()
    expected = matrix @ p
    slopes = matrix * p - np.outer(expected, p)
    precision = counts.sum() * (slopes.T / expected) @ slopes + prior
    half_determinants = (np.linalg.slogdet(prior)[1] - np.linalg.slogdet(precision)[1]) / 2
    log_posterior = counts @ np.log(expected) - theta @ prior @ theta / 2
    return float(log_posterior + half_determinants - np.log(strengths))
