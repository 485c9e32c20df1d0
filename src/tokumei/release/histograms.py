"""How a column was spread before and after, told without small cells and without its ends.

For the private record and the report that is made of it, not for publication: shares of the
records in bins of numbers, or of their most frequent categories. Each bin holds `LEAST` records or
more on both sides, and the outer bins are open, so that nobody is seen in one and no extreme is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from tokumei._check import Floats
from tokumei.release.io.frames import Frame, columns_of
from tokumei.release.losses import counts_of, numbers_of
from tokumei.release.schema import Columns

LEAST = 10  # records in a bin
BINS = 20
ENDS = (0.02, 0.98)  # what lies outside falls in the open bins
BARS = 12  # of categories
SMALLEST, LARGEST = 1e-290, 1e290  # what can be drawn
REST = "all others"


def histograms_of(
    before: Frame, after: Frame, names: Sequence[str], columns: Columns
) -> dict[str, dict[str, Any]]:
    """For each column that has enough records its spread before and after."""
    found = {}
    for name in names:
        was, becomes = (columns_of(each, [name]).column(0) for each in (before, after))
        pair = numbers_of(was, becomes, name, columns)
        if pair is not None:
            kind, x, y = pair
            drawn = _of_numbers(x[np.isfinite(x)], y[np.isfinite(y)])
        else:
            kind = "category"
            drawn = _of_categories(*(counts_of(each) for each in (was, becomes)))
        if drawn:
            found[name] = {"kind": kind} | drawn
    return found


def _of_numbers(x: Floats, y: Floats) -> dict[str, Any]:
    """Inner edges, and shares of both sides; the first bin and the last are open."""
    if not len(x) or not len(y) or max(np.abs(x).max(), np.abs(y).max()) > LARGEST:
        return {}
    low, high = np.quantile(x, ENDS)
    step = _round_step((high - low) / (BINS - 2)) if high - low > SMALLEST else 1.0
    edges = np.arange(np.ceil(low / step), np.floor(high / step) + 1.0) * step
    counts = [
        np.bincount(np.searchsorted(edges, v, "right"), minlength=len(edges) + 1) for v in (x, y)
    ]
    kept, merged = _merged(edges, np.array(counts).T)
    if len(merged) < 2:
        return {}
    return {"edges": kept, "before": _shares(merged[:, 0]), "after": _shares(merged[:, 1])}


def _merged(edges: Floats, counts: Any) -> tuple[list[float], Any]:
    """Neighbouring bins in one until each has `LEAST` records on both sides."""
    kept: list[float] = []
    bins: list[Any] = []
    open_bin = np.zeros(2, dtype=np.int64)
    for number, count in enumerate(counts):
        open_bin = open_bin + count
        if open_bin.min() >= LEAST and number < len(edges):
            bins.append(open_bin)
            kept.append(float(edges[number]))
            open_bin = np.zeros(2, dtype=np.int64)
    if open_bin.min() < LEAST and bins:
        bins[-1] = bins[-1] + open_bin
        kept.pop()
    else:
        bins.append(open_bin)
    return kept, np.array(bins)


def _of_categories(was: Counter[str], becomes: Counter[str]) -> dict[str, Any]:
    often = [name for name, count in was.most_common(BARS) if min(count, becomes[name]) >= LEAST]
    rest = [sum(one.values()) - sum(one[name] for name in often) for one in (was, becomes)]
    # A rest of few would tell them: the rarest of those shown joins it.
    while often and any(rest) and min(rest) < LEAST:
        last = often.pop()
        rest = [count + one[last] for count, one in zip(rest, (was, becomes), strict=True)]
    if len(often) < 2:
        return {}
    bars = [[one[name] for name in often] for one in (was, becomes)]
    if any(rest):
        often, bars = [*often, REST], [[*bar, r] for bar, r in zip(bars, rest, strict=True)]
    return {"names": often, "before": _shares(bars[0]), "after": _shares(bars[1])}


def _shares(counts: Any) -> list[float]:
    """Counts as shares of all, to a thousandth."""
    return [float(f"{share:.3f}") for share in np.asarray(counts) / np.sum(counts)]


def _round_step(width: float) -> float:
    """The least of 1, 2 and 5 times a power of ten that is as wide."""
    power = 10.0 ** np.floor(np.log10(width))
    return float(next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= width))
