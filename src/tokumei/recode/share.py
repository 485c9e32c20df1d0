"""Recoding by minimum share: rare categories are merged until none is rare."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.recode import merging
from tokumei.recode.names import always, labels, naming, spanned
from tokumei.recode.parents import merge_within_parents
from tokumei.recode.recoding import Recoding, recoding_of
from tokumei.values.columns import coded, ranked
from tokumei.values.hierarchy import Hierarchy, hierarchy_of
from tokumei.values.names import Naming, joined

RULES = ("smallest", "neighbours", "parents", "other")


def by_share(
    values: Any,
    share: float,
    *,
    rule: str = "smallest",
    order: Sequence[Any] | None = None,
    parent_of: Hierarchy | Mapping[Any, Any] | None = None,
    label: str | Naming | None = None,
    other: Hashable = "other",
) -> Recoding:
    """Merge categories until each holds at least a share of the records.

    A category is rare while its count is below ``share * n``, the share being read as the decimal
    that was written; a count of exactly that is enough. Merging also ends when one category is
    left.

    Parameters
    ----------
    values : sequence of shape (n,)
        The category of each record, values of any kind that can be hashed.
    share : float
        Smallest share of the records, below 1; 0 merges nothing.
    rule : {"smallest", "neighbours", "parents", "other"}
        What is merged with what. "smallest": all categories that share the smallest count, or
        the smallest with the second smallest, ties going to the first in label order.
        "neighbours": the smallest with the smaller of the two beside it, for categories that have
        an order. "parents": as "smallest", but within the lowest parent first, then
        within the next above. "other": all rare ones into one, which takes in the next smallest
        until it is not rare itself.
    order : sequence, optional
        All categories in label order; sorted by default.
    parent_of : Hierarchy or mapping, optional
        The parent of each category and of each parent but the root, for the rule "parents".
    label : str or callable, optional
        What new categories are called: a separator, or a function of the members in label order.
        By default "a/b", and "a to c" for neighbours; a group that is all of a parent has
        the parent's name. Categories that are not texts become texts if any are merged.
    other : hashable
        The label for the rule "other".

    Returns
    -------
    Recoding
        With `mapping`, `values` and `counts`.

    Examples
    --------
    The example of the recoding paper, one hundred records:

    >>> import tokumei as tk
    >>> industry = ["agriculture"] * 5 + ["forestry"] * 2 + ["manufacturing"] * 50
    >>> industry += ["real estate"] * 13 + ["services"] * 30
    >>> recoding = tk.recode.by_share(industry, 0.05)
    >>> recoding.mapping["forestry"]
    'agriculture/forestry'
    >>> recoding.counts
    {'agriculture/forestry': 7, 'manufacturing': 50, 'real estate': 13, 'services': 30}

    Categories with an order, and numbers, have neighbours:

    >>> tk.recode.by_share([1, 2, 2, 3, 7], 0.4, rule="neighbours").counts
    {'1 to 2': 3, '3 to 7': 2}
    """
    return merged_by_share(
        values, share, rule=rule, order=order, parent_of=parent_of, label=label, other=other
    )


def merged_by_share(
    values: Any,
    share: float,
    *,
    times: _check.Labels | None = None,
    rule: str = "smallest",
    order: Sequence[Any] | None = None,
    parent_of: Hierarchy | Mapping[Any, Any] | None = None,
    label: str | Naming | None = None,
    other: Hashable = "other",
) -> Recoding:
    """The same of values each of which stands so many times, where that is said."""
    codes, known = coded(values, "values")
    least = least_count(share, len(codes) if times is None else int(times.sum()))
    _check.one_of(rule, RULES, "rule")
    if (parent_of is not None) != (rule == "parents"):
        msg = "parent_of belongs to rule='parents', and that rule needs it"
        raise ValueError(msg)
    known, codes = in_label_order(known, codes, order)
    counts = counted(codes, len(known), times)
    if parent_of is not None:
        merged, names = merge_within_parents(
            known, counts, least, hierarchy_of(parent_of, "parent_of")
        )
        name = naming(label, joined("/"))
    else:
        merge = {
            "smallest": merging.smallest,
            "neighbours": merging.neighbours,
            "other": merging.into_other,
        }[rule]
        merged = merge(counts, least)
        names = members_of(known, merged)
        name = naming(label, {"neighbours": spanned, "other": always(other)}.get(rule, joined("/")))
    as_text = len(names) < len(known) and not all(isinstance(value, str) for value in known)
    return recoding_of(known, codes, merged, labels(names, name, as_text=as_text))


def counted(codes: _check.Labels, known: int, times: _check.Labels | None) -> _check.Labels:
    """How often each code stands; each of them so many times, where that is said."""
    found: _check.Labels = np.bincount(codes, times, known).astype(np.int64)
    return found


def least_count(share: float, records: int) -> int:
    """The smallest whole number that is not below a share of the records."""
    return math.ceil(_as_written(_check.share_or_none(share, "share")) * records)


def most_count(share: float, records: int, name: str) -> int:
    """The largest whole number that is not above a share of the records, which may be 0."""
    return math.floor(_as_written(_check.share_or_none(share, name)) * records)


def _as_written(share: float) -> Fraction:
    """0.07 is meant as seven hundredths, not as the binary fraction next to it."""
    return Fraction(repr(share))


def in_label_order(
    known: list[Any], codes: _check.Labels, order: Sequence[Any] | None
) -> tuple[list[Any], _check.Labels]:
    """Categories that occur, in the order given or else sorted, and codes that number them so."""
    counts = np.bincount(codes, minlength=len(known))
    places = ranked(known, counts, order, "values")[1]
    position = np.empty(len(known), dtype=np.int64)
    position[np.argsort(places)] = np.arange(len(known))
    return [known[code] for code in np.argsort(places)], position[codes]


def members_of(known: list[Any], merged: _check.Labels) -> list[list[Any]]:
    """The categories of each group, in label order."""
    groups: list[list[Any]] = [[] for _ in range(int(merged.max()) + 1)]
    for value, group in zip(known, merged.tolist(), strict=True):
        groups[group].append(value)
    return groups
