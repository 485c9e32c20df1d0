"""Groups chosen so that each record is in one of them: linear programs, solved by HiGHS."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei import _check
from tokumei.microaggregation.search.column_pool import ColumnPool


def require_scipy(what: str) -> None:
    """An error that says what to install, before any work is done."""
    try:
        import scipy.optimize
        import scipy.sparse  # noqa: F401
    except ImportError:
        msg = f"{what} needs scipy: pip install 'tokumei[bound]'"
        raise ImportError(msg) from None


def membership(pool: ColumnPool, rows: int) -> Any:
    """Records by groups: 1 where a record is in a group."""
    from scipy.sparse import csc_array

    present = pool.groups >= 0
    ends = np.concatenate([[0], np.cumsum(present.sum(axis=1))])
    held = pool.groups[present]
    return csc_array((np.ones(len(held)), held, ends), shape=(rows, len(pool)))


def _unit(pool: ColumnPool) -> float:
    """Solvers have absolute tolerances: they get costs in units of the mean of a record."""
    mean = float(pool.costs.sum()) / int(np.count_nonzero(pool.groups >= 0))
    return mean or 1.0


def restricted_master(
    pool: ColumnPool, low: _check.Floats, high: _check.Floats
) -> tuple[_check.Floats, float] | None:
    """Dual values in a box, of the largest sum at which no group of the pool has a negative reduced
    cost, and that sum.

    None if HiGHS gives up.
    """
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, hstack

    rows = len(low)
    unit = _unit(pool)
    # The sides of the box are columns, too: a record alone at its highest or lowest value.
    matrix = hstack([membership(pool, rows), eye_array(rows), -eye_array(rows)], format="csc")
    costs = np.concatenate([pool.costs, high, -low]) / unit
    done = linprog(costs, A_eq=matrix, b_eq=np.ones(rows), bounds=(0, None), method="highs-ds")
    if done.status != 0:
        return None
    return np.clip(unit * done.eqlin.marginals, low, high), unit * float(done.fun)


def set_partition(pool: ColumnPool, rows: int, nodes: int, seconds: float | None) -> Any:
    """The set-partitioning program: the groups of least cost that hold each record once, by their
    numbers; None if none are found."""
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
