"""microaggregation: the best cut of an order, in C++; its sum of squares only, no groups."""

from __future__ import annotations

from importlib.util import find_spec

from bench.kernel import Labels
from bench.peers.declined import Declined
from bench.problems import Floats


def available() -> bool:
    spec = find_spec("microaggregation")
    return spec is not None and spec.origin is not None  # a folder of that name is no package


def cut(X: Floats, way: Labels, k: int) -> float:
    if len(X) < 2 * k:
        msg = "has no answer where all records are one group: fewer than 2k"
        raise Declined(msg)
    from microaggregation import calculate_sse_dynamic

    return float(calculate_sse_dynamic(X[way], k))
