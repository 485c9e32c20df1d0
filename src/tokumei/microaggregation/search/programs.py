"""The programs of choosing groups so that each record is in one of them, solved by HiGHS."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei import _check
from tokumei.microaggregation.search.pool import Pool


def require_scipy(what: str) -> None:
    """An error that says what to install, before any work is done."""
    try:
        import scipy.optimize
        import scipy.sparse  # noqa: F401
    except ImportError:
        msg = f"{what} needs scipy: pip install 'tokumei[bound]'"
        raise ImportError(msg) from None


def membership(pool: Pool, rows: int) -> Any:
    """Records by groups: 1 where a record is in a group."""
    from scipy.sparse import csc_array

    there = pool.groups >= 0
    ends = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    held = pool.groups[there]
    return csc_array((np.ones(len(held)), held, ends), shape=(rows, len(pool)))


def _unit(pool: Pool) -> float:
    """Solvers have absolute tolerances: they get costs in units of the mean price."""
    mean = float(pool.costs.sum()) / int(np.count_nonzero(pool.groups >= 0))
    return mean or 1.0


def price_within(
    pool: Pool, low: _check.Floats, high: _check.Floats
) -> tuple[_check.Floats, float] | None:
    """Prices in a box that no group of the pool undercuts, of the largest sum, and that sum.

    None if HiGHS gives up.
    """
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, hstack

    rows = len(low)
    unit = _unit(pool)
    # A record may also be bought at its highest price, or sold at its lowest.
    matrix = hstack([membership(pool, rows), eye_array(rows), -eye_array(rows)], format="csc")
    costs = np.concatenate([pool.costs, high, -low]) / unit
    done = linprog(costs, A_eq=matrix, b_eq=np.ones(rows), bounds=(0, None), method="highs-ds")
    if done.status != 0:
        return None
    return np.clip(unit * done.eqlin.marginals, low, high), unit * float(done.fun)


def choose(pool: Pool, rows: int, nodes: int, seconds: float | None) -> Any:
    """The numbers of the groups of least cost that hold each record once; None if none is found."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    unit = _unit(pool)
    options: dict[str, Any] = {"node_limit": nodes, "mip_rel_gap": 1e-9}
    if seconds is not None:
        options["time_limit"] = seconds
    done = milp(
        pool.costs / unit,
        integrality=np.ones(len(pool)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(membership(pool, rows), 1, 1),
        options=options,
    )
    return None if done.x is None else np.flatnonzero(done.x > 0.5)
