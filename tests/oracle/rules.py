"""What groups must show besides k records, and what they cost when squares are not asked for."""

from __future__ import annotations

import numpy as np

from .mixed import Mixed, corners


def far_from_table(sensitive, rows, ordered: bool) -> float:
    """Distance of the distribution among some rows from that among all."""
    values = np.unique(sensitive)
    here = np.array([(sensitive[rows] == value).mean() for value in values])
    table = np.array([(sensitive == value).mean() for value in values])
    if not ordered:
        return float(np.abs(here - table).sum() / 2)
    return float(np.abs(np.cumsum(here - table)).sum() / max(1, len(values) - 1))


def assert_rules(
    rows,
    *,
    sensitive=None,
    l_diversity=1,
    t_closeness=1.0,
    t_kind="equal",
    households=None,
    min_households=1,
) -> None:
    """Fails where these rows may not be a group."""
    if sensitive is not None:
        assert len(set(sensitive[rows])) >= l_diversity
        assert far_from_table(sensitive, rows, t_kind == "ordered") <= t_closeness + 1e-9
    if households is not None:
        assert len(set(households[rows])) >= min_households


def weighted_squares(X, labels, weights) -> float:
    """Weighted squared distances to the groups' weighted means."""
    cost = 0.0
    if isinstance(X, Mixed):
        for points, weight in corners(X):
            cost += weight * weighted_squares(points, labels, weights)
        X = X.numbers
    for group in set(labels):
        rows = labels == group
        mean = np.average(X[rows], axis=0, weights=weights[rows])
        cost += float((weights[rows, None] * (X[rows] - mean) ** 2).sum())
    return cost


def absolute_deviations(X, labels) -> float:
    """Absolute differences from the groups' medians."""
    if isinstance(X, Mixed):
        numbers = absolute_deviations(X.numbers, labels)
        of_codes = (w**0.5 * absolute_deviations(points, labels) for points, w in corners(X))
        return numbers + sum(of_codes)
    return sum(
        float(np.abs(X[labels == group] - np.median(X[labels == group], axis=0)).sum())
        for group in set(labels)
    )
