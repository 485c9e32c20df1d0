"""Losses of means, variances, correlations and eigenvalues."""

import itertools
import math

import numpy as np
import oracle
import pytest
from hypothesis import given
from strategies import two_tables

import tokumei as tk


@given(two_tables())
def test_il1s_is_the_plain_mean(case):
    X, Y = case
    true = [oracle.scaled_distance(x, y) for x, y in zip(X.T, Y.T, strict=True)]
    assert tk.loss.il1s(X, Y) == pytest.approx(sum(true) / len(true), rel=1e-12)


@given(two_tables())
def test_changes_of_means_and_variances_are_the_exact_ones(case):
    X, Y = case
    found = tk.loss.moments(X, Y)
    for j, (x, y) in enumerate(zip(X.T, Y.T, strict=True)):
        (mean, variance), (new_mean, new_variance) = map(oracle.exact_moments, (x, y))
        if variance:
            assert found.means[j] == pytest.approx(
                float(new_mean - mean) / math.sqrt(variance), rel=1e-9, abs=1e-12
            )
            assert found.variances[j] == pytest.approx(
                float(new_variance / variance) - 1, rel=1e-9, abs=1e-12
            )
        else:
            assert found.means[j] in (0.0, math.inf, -math.inf)
            assert found.variances[j] == (math.inf if new_variance else 0.0)


@given(two_tables())
def test_changes_of_correlations_and_eigenvalues_are_the_plain_ones(case):
    X, Y = case
    varied = [j for j in range(X.shape[1]) if np.ptp(X[:, j]) > 0]
    found = tk.loss.moments(X, Y)
    if not varied:
        assert (found.covariances, found.correlations, found.eigenvalues) == (0, 0, 0)
        return
    before, after = oracle.correlations(X[:, varied]), oracle.correlations(Y[:, varied])
    pairs = list(itertools.combinations(range(len(varied)), 2))
    turned = [abs(after[pair] - before[pair]) for pair in pairs]
    assert found.correlations == pytest.approx(sum(turned) / max(len(pairs), 1), abs=1e-12)
    old, new = np.linalg.eigvalsh(before), np.linalg.eigvalsh(after)
    changes = [abs(a - b) / a for a, b in zip(old, new, strict=True) if a > 1e-10 * len(old)]
    assert found.eigenvalues == pytest.approx(sum(changes), rel=1e-6, abs=1e-6)


def test_covariances_are_counted_in_original_standard_deviations():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 3)) + 1e6
    Y = X + rng.normal(size=X.shape)
    unit = np.outer(X.std(axis=0), X.std(axis=0))
    moved = np.abs(np.cov(Y.T, bias=True) - np.cov(X.T, bias=True)) / unit
    expected = moved[np.triu_indices(3, 1)].mean()
    assert tk.loss.moments(X, Y).covariances == pytest.approx(expected, rel=1e-6)


def test_a_constant_attribute_that_changed_lost_without_measure():
    assert tk.loss.il1s([[1.0], [1.0]], [[1.0], [2.0]]) == math.inf
    assert tk.loss.il1s([[1.0], [1.0]], [[1.0], [1.0]]) == 0.0
    found = tk.loss.moments([[1.0], [1.0]], [[0.0], [0.0]])
    assert (found.means, found.variances, found.eigenvalues) == ((-math.inf,), (0.0,), 0.0)
