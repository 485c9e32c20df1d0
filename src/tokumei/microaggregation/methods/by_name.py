"""Every method by its name: an order and its cut, groups grown, groups refined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tokumei import _check
from tokumei.microaggregation.methods.cut import LARGEST_TO_CUT, cut_of
from tokumei.microaggregation.methods.kmember import kmember_of
from tokumei.microaggregation.methods.mdav import block_mdav_of, mdav_of, vmdav_of
from tokumei.microaggregation.methods.mondrian import mondrian_of
from tokumei.microaggregation.methods.univariate import univariate_of
from tokumei.microaggregation.orders.axes import (
    column_order_of,
    principal_order_of,
)
from tokumei.microaggregation.orders.flexdice import AXES, C2, flexdice_order_of
from tokumei.microaggregation.orders.grid import grid_order_of
from tokumei.microaggregation.orders.hilbert import hilbert_order_of
from tokumei.microaggregation.orders.npn import npn_order_of
from tokumei.microaggregation.records import Records, Table, coordinates, on_axes

# Checked records, the smallest group size and the run -> labels.
Method = Callable[[Any, int, _check.Run], _check.Labels]
Order = Callable[[Any, _check.Run], _check.Labels]

# Tables of more numbers begin with blocks: MDAV of the whole would take longer than the rest.
WHOLE = 2_500_000


def _flexdice(x: Table, k: int, run: _check.Run) -> _check.Labels:
    # Small groups want long stretches of nearest points, large ones tight blocks.
    n, c1 = len(x), 1024 if k <= 5 else 256 if k < 25 else 64
    order = flexdice_order_of(on_axes(x), (min(c1, n), min(C2, n), AXES), run.part(0.0, 0.8))
    return cut_of(x, order, k, run.part(0.8, 1.0))


def _path(order: Order) -> Method:
    """Cut an order of the records."""

    def method(x: Table, k: int, run: _check.Run) -> _check.Labels:
        return cut_of(x, order(x, run.part(0.0, 0.8)), k, run.part(0.8, 1.0))

    return method


def _along_axes(order: Order) -> Order:
    """An order for which an attribute of codes is one number."""
    return lambda x, run: order(on_axes(x), run)


PATHS: dict[str, Method] = {
    "npn": _path(npn_order_of),
    "grid": _path(_along_axes(grid_order_of)),
    "flexdice": _flexdice,
    "hilbert": _path(_along_axes(hilbert_order_of)),
    "principal": _path(_along_axes(principal_order_of)),
    "column": _path(_along_axes(column_order_of)),
}
METHODS: dict[str, Method] = {
    "mdav": mdav_of,
    "vmdav": vmdav_of,
    "block_mdav": block_mdav_of,
    "mondrian": mondrian_of,
    "kmember": kmember_of,
    **PATHS,
    "univariate": lambda x, k, run: univariate_of(x[:, 0], k, run),
}

# Those that know records of numbers and codes; others take points.
OF_RECORDS = frozenset({"mdav", "vmdav", "block_mdav", *PATHS})


def form(method: str, x: Table, k: int, run: _check.Run) -> _check.Labels:
    """The groups of a method by its name."""
    return METHODS[method](x if method in OF_RECORDS else coordinates(x), k, run)


def largest(method: str) -> float:
    """The largest magnitude that a method takes."""
    return LARGEST_TO_CUT if method in PATHS else _check.LARGEST


def choose_for(x: Table, k: int) -> str:
    """`choose` for a table of either kind; one attribute of codes has no optimum of its own."""
    n, d = x.shape
    return choose(n, max(d, 2) if isinstance(x, Records) else d, k)


def choose(n: int, d: int, k: int) -> str:
    """Name the method with which ``method="auto"`` begins.

    One attribute has an optimum of its own; small tables begin with MDAV, larger ones with MDAV in
    blocks. All but the optimum are refined afterwards, see `tokumei.refine`.

    Parameters
    ----------
    n, d : int
        Number of records and of attributes.
    k : int
        Smallest group size.

    Examples
    --------
    >>> from tokumei.microaggregation import choose
    >>> choose(1_000, 8, 5), choose(1_000_000, 8, 5), choose(1_000_000, 1, 5)
    ('mdav', 'block_mdav', 'univariate')
    """
    if d == 1:
        return "univariate"
    return "mdav" if n * max(d, 4) <= WHOLE or n <= 8 * k else "block_mdav"
