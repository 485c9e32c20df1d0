"""Every method by its name: an order and its cut, groups grown, groups refined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from tokumei import _check
from tokumei.microaggregation.methods.cut import LARGEST_TO_CUT, cut_of
from tokumei.microaggregation.methods.kmember import kmember_of
from tokumei.microaggregation.methods.mdav import block_mdav_of, mdav_of
from tokumei.microaggregation.methods.mondrian import mondrian_of
from tokumei.microaggregation.methods.univariate import univariate_of
from tokumei.microaggregation.methods.vmdav import vmdav_of
from tokumei.microaggregation.orders.axes import (
    column_order_of,
    principal_order_of,
)
from tokumei.microaggregation.orders.flexdice import flexdice_order_of, rule_of
from tokumei.microaggregation.orders.grid import counts_of, grid_order_of
from tokumei.microaggregation.orders.hilbert import MOST_HILBERT_BITS, hilbert_order_of
from tokumei.microaggregation.orders.npn import npn_order_of
from tokumei.microaggregation.records import Records, Table, on_axes

# Checked records, the smallest group size, the run, options of the method -> labels.
Method = Callable[..., _check.Labels]
Order = Callable[..., _check.Labels]

# Tables of more numbers begin with blocks: MDAV of the whole would take longer than the rest.
WHOLE = 2_500_000
# Where there is no time for what is chosen.
QUICKEST = "principal"


def _vmdav(
    x: Table,
    k: int,
    run: _check.Run,
    gamma: float | Literal["auto"] = 1.0,
    rest: str = "record",
) -> _check.Labels:
    return vmdav_of(x, k, run, None if gamma == "auto" else gamma, rest)


def _flexdice(
    x: Table,
    k: int,
    run: _check.Run,
    c1: int | Literal["paper"] | None = None,
    c2: int | None = None,
    axes: int | None = None,
) -> _check.Labels:
    # Small groups want long stretches of nearest points, large ones tight blocks.
    most = 1024 if k <= 5 else 256 if k < 25 else 64
    if c1 is not None:
        most = x.shape[1] * k * max(c2 or 0, 1) if c1 == "paper" else c1
    points = on_axes(x)
    order = flexdice_order_of(points, rule_of(points, most, c2, axes), run.part(0.0, 0.8))
    return cut_of(x, order, k, run.part(0.8, 1.0))


def _grid(
    x: _check.Floats, run: _check.Run, blocks_per_axis: int | Sequence[int] | None = None
) -> _check.Labels:
    return grid_order_of(x, run, counts_of(x, blocks_per_axis))


def _hilbert(x: _check.Floats, run: _check.Run, bits: int | None = None) -> _check.Labels:
    if bits is not None:
        bits = _check.between(bits, 1, MOST_HILBERT_BITS, "bits")
    return hilbert_order_of(x, run, bits)


def _column(x: _check.Floats, run: _check.Run, by_column: int = 0) -> _check.Labels:
    return column_order_of(x, run, _check.between(by_column, 0, x.shape[1] - 1, "by_column"))


def _univariate(x: Table, k: int, run: _check.Run) -> _check.Labels:
    if isinstance(x, Records):
        msg = 'method="univariate" is for one attribute of numbers, and X holds categories'
        raise ValueError(msg)
    return univariate_of(x[:, 0], k, run)


def _path(order: Order) -> Method:
    """Cut an order of the records."""

    def method(x: Table, k: int, run: _check.Run, **asked: Any) -> _check.Labels:
        return cut_of(x, order(x, run.part(0.0, 0.8), **asked), k, run.part(0.8, 1.0))

    return method


def _along_axes(order: Order) -> Order:
    """An order for which an attribute of codes is one number."""
    return lambda x, run, **asked: order(on_axes(x), run, **asked)


PATHS: dict[str, Method] = {
    "npn": _path(npn_order_of),
    "grid": _path(_along_axes(_grid)),
    "flexdice": _flexdice,
    "hilbert": _path(_along_axes(_hilbert)),
    "principal": _path(_along_axes(principal_order_of)),
    "column": _path(_along_axes(_column)),
}
METHODS: dict[str, Method] = {
    "mdav": mdav_of,
    "vmdav": _vmdav,
    "block_mdav": block_mdav_of,
    "mondrian": mondrian_of,
    "kmember": kmember_of,
    **PATHS,
    "univariate": _univariate,
}


def form(method: str, x: Table, k: int, run: _check.Run, **asked: Any) -> _check.Labels:
    """The groups of a method by its name, with options of its own."""
    return METHODS[method](x, k, run, **asked)


def form_in_time(
    method: str, x: Table, k: int, run: _check.Run, end: _check.Deadline | None, **asked: Any
) -> _check.Labels:
    """The same, or an error where it has not ended by then: half a method is nobody's answer."""
    try:
        return form(method, x, k, run.until(end), **asked)
    except StopIteration:
        if end is None or not end.cut:  # it is the caller's
            raise
        msg = f"method={method!r} has not ended within time_limit; method='auto' takes what it has"
        raise TimeoutError(msg) from None


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
