"""Numbers into categories: bins, and one category for all that is very high or very low."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.recode import merging
from tokumei.recode.names import labels
from tokumei.recode.recoding import Recoding, recoding_of
from tokumei.recode.share import counted, least_count
from tokumei.values.columns import numbers
from tokumei.values.names import Naming


def bins(
    values: Any, edges: ArrayLike, *, share: float | None = None, label: Naming | None = None
) -> Recoding:
    """Replace numbers by the bins they fall in; rare bins can be merged with their neighbours.

    Parameters
    ----------
    values : sequence of numbers, shape (n,)
        One number a record.
    edges : array_like or int
        Increasing borders of the bins, each bin holding its lower border, the last one both; or the
        number of bins of equal width from the smallest value to the largest.
    share : float, optional
        Bins with a smaller share of the records are merged with the smaller of their neighbours,
        see `by_share`.
    label : callable, optional
        What a bin is called: a function of the pair of its borders. By default "10 to 20".

    Returns
    -------
    Recoding
        Its mapping is from each bin (a pair of borders) to its label; `apply` is for bins, so use
        the same edges for other values.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.recode.bins([17, 25, 29, 41, 90], [0, 20, 40, 60, 100]).counts
    {'0 to 20': 1, '20 to 40': 2, '40 to 60': 1, '60 to 100': 1}
    >>> tk.recode.bins([17, 25, 29, 41, 90], [0, 20, 40, 60, 100], share=0.4).counts
    {'0 to 40': 3, '40 to 100': 2}
    """
    return binned(values, edges, share=share, label=label)


def binned(
    values: Any,
    edges: ArrayLike,
    *,
    times: _check.Labels | None = None,
    share: float | None = None,
    label: Naming | None = None,
) -> Recoding:
    """The same of numbers each of which stands so many times, where that is said."""
    x = numbers(values, "values")
    borders = _borders(x, edges)
    outside = int(((x < borders[0]) | (x > borders[-1])).sum())
    if outside:
        msg = f"edges must span all values; {outside} of {len(x)} are outside"
        raise ValueError(msg)
    bins = len(borders) - 1
    codes = np.minimum(np.searchsorted(borders, x, side="right") - 1, bins - 1)
    counts = counted(codes, bins, times)
    records = len(x) if times is None else int(times.sum())
    least = 0 if share is None else least_count(share, records)
    merged = merging.neighbours(counts, least)
    pairs = list(zip(borders[:-1].tolist(), borders[1:].tolist(), strict=True))
    first = np.unique(merged, return_index=True)[1]
    last = np.append(first[1:], bins) - 1
    spans = [(pairs[i][0], pairs[j][1]) for i, j in zip(first, last, strict=True)]
    name = _span if label is None else label
    return recoding_of(
        pairs, codes, merged, labels([[span] for span in map(name, spans)], _span, as_text=False)
    )


def _borders(x: _check.Floats, edges: ArrayLike) -> _check.Floats:
    if isinstance(edges, int | np.integer) and not isinstance(edges, bool):
        count = _check.at_least(int(edges), 1, "edges")
        return np.linspace(x.min(), x.max(), count + 1)
    borders = _check.column(edges, "edges")
    if len(borders) < 2 or not (np.diff(borders) > 0).all():
        msg = "edges must be at least two increasing numbers"
        raise ValueError(msg)
    return borders


def _span(borders: Any) -> str:
    return f"{borders[0]:g} to {borders[1]:g}"


def top_code(
    values: Any,
    *,
    limit: float | None = None,
    share: float | None = None,
    label: Hashable | None = None,
) -> Recoding:
    """Replace all numbers from a limit upwards by one category.

    Parameters
    ----------
    values : sequence of numbers, shape (n,)
        One number a record.
    limit : float, optional
        The lowest number that is replaced.
    share : float, optional
        Instead of a limit: at least this share of the records is replaced, as few numbers as
        possible.
    label : hashable, optional
        What they become; by default "90 or more". The other numbers stay as they are.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.recode.top_code([17, 25, 91, 97], limit=90).values
    array([17.0, 25.0, '90 or more', '90 or more'], dtype=object)
    >>> tk.recode.top_code([17, 25, 91, 97], share=0.5, label=91).counts
    {17.0: 1, 25.0: 1, 91: 2}
    """
    return _end_coded(values, limit, share, label, top=True)


def bottom_code(
    values: Any,
    *,
    limit: float | None = None,
    share: float | None = None,
    label: Hashable | None = None,
) -> Recoding:
    """Replace all numbers up to a limit by one category.

    Parameters
    ----------
    values : sequence of numbers, shape (n,)
        One number a record.
    limit : float, optional
        The highest number that is replaced.
    share : float, optional
        Instead of a limit: at least this share of the records is replaced, as few numbers as
        possible.
    label : hashable, optional
        What they become; by default "20 or less". The other numbers stay as they are.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.recode.bottom_code([17, 25, 91, 97], limit=20).values
    array(['20 or less', 25.0, 91.0, 97.0], dtype=object)
    """
    return _end_coded(values, limit, share, label, top=False)


def _end_coded(
    values: Any, limit: float | None, share: float | None, label: Hashable | None, *, top: bool
) -> Recoding:
    x = numbers(values, "values")
    if (limit is None) == (share is None):
        msg = "either a limit or a share must be given"
        raise ValueError(msg)
    distinct, codes = np.unique(x, return_inverse=True)
    if share is not None:
        # The outermost numbers that together hold the share.
        inward = np.bincount(codes)[:: -1 if top else 1].cumsum()
        place = int(np.searchsorted(inward, least_count(share, len(x))))
        limit = float(distinct[:: -1 if top else 1][place])
    limit = _check.number(limit, "limit")  # type: ignore[arg-type]
    beyond = distinct >= limit if top else distinct <= limit
    if label is None:
        label = f"{limit:g} or more" if top else f"{limit:g} or less"
    names = [label if out else value for value, out in zip(distinct.tolist(), beyond, strict=True)]
    first = np.where(beyond, np.argmax(beyond), np.arange(len(distinct)))
    new, merged = np.unique(first, return_inverse=True)
    return recoding_of(
        distinct.tolist(), codes, merged, labels([[names[i]] for i in new], str, as_text=False)
    )
