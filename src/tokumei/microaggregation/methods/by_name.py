"""Every method by its name: an order and its cut, groups grown, groups refined."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tokumei import _check
from tokumei._kernels import refine as _kernels
from tokumei.microaggregation.methods.cut import cut, univariate
from tokumei.microaggregation.methods.mdav import mdav, vmdav
from tokumei.microaggregation.methods.range_partitions import kmember, mondrian
from tokumei.microaggregation.orders.axes import column_order, hilbert_order, principal_order
from tokumei.microaggregation.orders.flexdice import flexdice_order
from tokumei.microaggregation.orders.grid import grid_order
from tokumei.microaggregation.orders.npn import npn_order

Method = Callable[..., _check.Labels]
Order = Callable[..., _check.Labels]

# Records a block of "block_mdav"; larger blocks lose less and take longer.
BLOCK = 1000
# Tables of more numbers begin with blocks: MDAV of the whole would take longer than the rest.
WHOLE = 2_500_000


def share_of(callback: _check.Callback | None, begin: float, end: float) -> _check.Callback | None:
    """A callback for one part of the work, from one share of the whole to another."""
    if callback is None:
        return None
    return lambda done: callback(begin + (end - begin) * done)


def path(order: Order) -> Method:
    """Cut an order of the records."""

    def method(
        x: _check.Floats,
        k: int,
        *,
        n_threads: int | None = None,
        callback: _check.Callback | None = None,
    ) -> _check.Labels:
        way = order(x, k, n_threads=n_threads, callback=share_of(callback, 0.0, 0.8))
        return cut(x, way, k, n_threads=n_threads, callback=share_of(callback, 0.8, 1.0))

    return method


def block_mdav(
    x: _check.Floats,
    k: int,
    *,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> _check.Labels:
    """MDAV inside blocks of about a thousand neighbouring records."""
    labels = np.empty(len(x), dtype=np.int64)
    _kernels.block_mdav(x, k, BLOCK, labels, *_check.run(n_threads, callback))
    return labels


def _flexdice(x: _check.Floats, k: int, **options: object) -> _check.Labels:
    # Small groups want long stretches of nearest points, large ones tight blocks.
    return flexdice_order(x, c1=1024 if k <= 5 else 256 if k < 25 else 64, **options)  # type: ignore[arg-type]


def _without_k(order: Order) -> Order:
    return lambda x, k, **options: order(x, **options)


METHODS: dict[str, Method] = {
    "mdav": mdav,
    "vmdav": vmdav,
    "block_mdav": block_mdav,
    "mondrian": mondrian,
    "kmember": kmember,
    "npn": path(_without_k(npn_order)),
    "grid": path(_without_k(grid_order)),
    "flexdice": path(_flexdice),
    "hilbert": path(_without_k(hilbert_order)),
    "principal": path(_without_k(principal_order)),
    "column": path(lambda x, k, **options: column_order(x)),
    "univariate": univariate,
}


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
