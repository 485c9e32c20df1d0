"""Two tables in, what was lost out, for a person to read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from tokumei import _check
from tokumei.distances.categories import Discrete, Ordinal
from tokumei.distances.distance import Distance
from tokumei.distances.numeric import Euclidean
from tokumei.loss.distance.amounts import amount
from tokumei.loss.report.comparison import AttributeLoss, Comparison
from tokumei.loss.report.measures import (
    OF_CATEGORIES,
    OF_NUMBERS,
    TOTALS,
    Amounts,
    Attributes,
    CategoricalPair,
    Measure,
    NumericPair,
)
from tokumei.loss.report.pictures import Bars, Histogram, bars, histogram
from tokumei.loss.tables.direct import ranks
from tokumei.values.columns import numbers, shared
from tokumei.values.tables import NUMBER, kinds_of, label, of_columns, records, same_rows, table


def compare(
    original: Any,
    masked: Any,
    *,
    kinds: Mapping[Any, str] | None = None,
    orders: Mapping[Any, Sequence[Any]] | None = None,
    distances: Mapping[Any, Distance] | None = None,
    max_order: int = 2,
    smallest: int = 10,
) -> Comparison:
    """Compare a table with what is published of it: losses by attribute and in total.

    Every attribute has its ILD. Numbers are compared also by the share of their squared deviations
    that was lost, IL1s, and changes of mean and variance; categories by how many changed (and how
    far, where an order is given), the loss of entropy, and the association of before with after.
    The totals are the ILD of all attributes together, the SSE/SST of the standardized numbers,
    IL1s, changes of correlations and eigenvalues, and CTBIL of the categories.

    Parameters
    ----------
    original, masked : table of n records
        Mappings of columns, dataframes, or arrays of two dimensions. The same row stands for the
        same record. Columns that only `original` has are reported as not published.
    kinds : mapping, optional
        ``{column: "number" or "category"}`` where the values do not tell. A column is one of
        numbers where its values are numbers before and after.
    orders : mapping, optional
        ``{column: [lowest, ..., highest]}`` for categories with an order.
    distances : mapping, optional
        ``{column: Distance}`` for the ILD of columns. Without one numbers are as far apart as they
        differ, categories as many steps as their order says, or all equally where they have none.
    max_order : int
        CTBIL counts the combinations of up to so many categorical columns.
    smallest : int
        Plots show no count from 1 to ``smallest - 1``.

    Returns
    -------
    Comparison
        Frozen; with ``to_text``, ``to_html``, ``to_json`` and ``plot``. It holds no value of a
        record.

    Examples
    --------
    >>> import tokumei as tk
    >>> before = {"age": [20, 30, 50, 60], "job": ["farm", "farm", "shop", "shop"]}
    >>> after = {"age": [25, 25, 55, 55], "job": ["farm", "farm", "shop", "farm"]}
    >>> lost = tk.loss.compare(before, after)
    >>> lost["age"].losses["sse_share"]
    0.1
    >>> lost["job"].losses["changed"]
    0.25
    >>> lost.totals["ctbil"]
    2.0
    """
    before, after = table(original, "original"), table(masked, "masked")
    strangers = len(after.keys() - before.keys())
    if strangers:
        msg = f"masked has {strangers} columns that original does not have"
        raise ValueError(msg)
    same_rows(before, after)
    max_order = _check.at_least(max_order, 1, "max_order")
    smallest = _check.at_least(smallest, 1, "smallest")
    published = {key: one for key, one in before.items() if key in after}
    kind_of = kinds_of(published, kinds, after)
    order_of = of_columns(orders, published, "orders")
    distance_of = of_columns(distances, published, "distances")

    run = _check.run()
    pairs: dict[Any, NumericPair | CategoricalPair] = {}
    made = []
    picture: Histogram | Bars | None
    for key, one in published.items():
        if kind_of[key] == NUMBER:
            distance = distance_of.get(key, Euclidean())
            pairs[key], picture = _numbers(one, after[key], key, distance, smallest, run)
        else:
            order = order_of.get(key)
            distance = distance_of.get(key, Discrete() if order is None else Ordinal(order))
            pairs[key], picture = _categories(one, after[key], key, order, distance, smallest, run)
        measures = OF_NUMBERS if kind_of[key] == NUMBER else OF_CATEGORIES
        losses = _losses(measures, pairs[key])
        made.append(AttributeLoss(str(key), kind_of[key], losses, picture))
    everything = Attributes(
        [pair for pair in pairs.values() if isinstance(pair, NumericPair)],
        [pair for pair in pairs.values() if isinstance(pair, CategoricalPair)],
        max_order,
        run,
    )
    return Comparison(
        records=records(before),
        attributes=tuple(made),
        totals=_losses(TOTALS, everything),
        absent=tuple(str(key) for key in before if key not in after),
        smallest=smallest,
    )


def _numbers(
    original: Any, masked: Any, key: Any, distance: Distance, smallest: int, run: _check.Run
) -> tuple[NumericPair, Histogram | None]:
    before, after = numbers(original, label("original", key)), numbers(masked, label("masked", key))
    pair = NumericPair(before, after, _amounts(before, after, key, distance, run))
    return pair, histogram(before, after, smallest)


def _categories(
    original: Any,
    masked: Any,
    key: Any,
    order: Sequence[Any] | None,
    distance: Distance,
    smallest: int,
    run: _check.Run,
) -> tuple[CategoricalPair, Bars | None]:
    names = [label("original", key), label("masked", key)]
    (before, after), known = shared([original, masked], names)
    picture = bars(before, after, known, smallest)
    rank = None if order is None else ranks(known, order, [before, after])
    amounts = _amounts(original, masked, key, distance, run)
    return CategoricalPair(before, after, known, amounts, rank, len(order or ())), picture


def _amounts(original: Any, masked: Any, key: Any, distance: Distance, run: _check.Run) -> Amounts:
    _check.instance(distance, Distance, f"distances: column {key!r}")
    before = distance.prepare(original, label("original", key))
    after = distance.prepare(masked, label("masked", key))
    return Amounts(amount(before, 2.0, "auto", run), amount(after, 2.0, "auto", run))


def _losses(measures: Sequence[Measure], compared: Any) -> dict[str, float | None]:
    """The value of each measure; None for an infinite one, whose scale was zero."""
    values = {measure.key: measure.of(compared) for measure in measures}
    return {
        key: value if value is not None and math.isfinite(value) else None
        for key, value in values.items()
    }
