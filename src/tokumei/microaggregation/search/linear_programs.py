"""Groups chosen so that each record is in one of them: linear programs, solved by HiGHS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.microaggregation.search.column_pool import ColumnPool
from tokumei.microaggregation.search.subset_rows import NO_ROWS, SubsetRows


def require_scipy(what: str) -> None:
    """An error that says what to install, before any work is done."""
    try:
        import scipy.optimize
        import scipy.sparse  # noqa: F401
    except ImportError:
        msg = f"{what} needs scipy: pip install 'tokumei[bound]'"
        raise ImportError(msg) from None


def _unit(pool: ColumnPool) -> float:
    """Solvers have absolute tolerances: they get costs in units of the mean of a record."""
    mean = float(pool.costs.sum()) / int(np.count_nonzero(pool.groups >= 0))
    return mean or 1.0


@dataclass(frozen=True, eq=False)
class Solved:
    """Dual values of records, prices of subset rows, what they are worth together, and the shares
    of the groups of the pool."""

    duals: _check.Floats
    prices: _check.Floats
    value: float
    shares: _check.Floats


def restricted_master(
    pool: ColumnPool,
    low: _check.Floats,
    high: _check.Floats,
    subsets: SubsetRows = NO_ROWS,
    highest: _check.Floats = NO_ROWS.prices,
) -> Solved | None:
    """Dual values in a box, and prices of subset rows up to a highest one, of the largest sum of
    values less prices at which no group of the pool has a negative reduced cost.

    None if HiGHS gives up.
    """
    from scipy.optimize import linprog
    from scipy.sparse import csc_array, eye_array, hstack

    rows, sets = len(low), len(subsets)
    unit = _unit(pool)
    # The sides of the box are columns, too: a record alone at its highest or lowest value, a row
    # that is broken at its highest price.
    sides = [eye_array(rows), -eye_array(rows), csc_array((rows, sets))]
    matrix = hstack([pool.membership(), *sides], format="csc")
    costs = np.concatenate([pool.costs, high, -low, highest]) / unit
    limits: dict[str, Any] = {}
    if sets:
        parts = [subsets.held(pool), csc_array((sets, 2 * rows)), -eye_array(sets)]
        limits = {"A_ub": hstack(parts, format="csc"), "b_ub": np.ones(sets)}
    done = linprog(
        costs, A_eq=matrix, b_eq=np.ones(rows), bounds=(0, None), method="highs-ds", **limits
    )
    if done.status != 0:
        return None
    prices = np.clip(-unit * done.ineqlin.marginals, 0.0, highest) if sets else np.empty(0)
    duals = np.clip(unit * done.eqlin.marginals, low, high)
    return Solved(duals, prices, unit * float(done.fun), done.x[: len(pool)])


def set_partition(
    pool: ColumnPool,
    nodes: int,
    seconds: float | None,
    subsets: SubsetRows = NO_ROWS,
    records: _check.Labels | None = None,
) -> Any:
    """The set-partitioning program: the groups of least cost that hold each record once, by their
    numbers; None if none are found. Subset rows cut off nothing but fractions. If only some records
    are to be held, no group of the pool has others."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    unit = _unit(pool)
    options: dict[str, Any] = {"node_limit": nodes, "mip_rel_gap": 1e-9}
    if seconds is not None:
        options["time_limit"] = seconds
    membership = pool.membership()
    if records is not None:
        membership = membership[records]
    limits = [LinearConstraint(membership, 1, 1)]
    if len(subsets):
        held = subsets.held(pool)
        limits.append(LinearConstraint(held[held.sum(axis=1) > 1], -np.inf, 1))
    done = milp(
        pool.costs / unit,
        integrality=np.ones(len(pool)),
        bounds=Bounds(0, 1),
        constraints=limits,
        options=options,
    )
    return None if done.x is None else np.flatnonzero(done.x > 0.5)
