"""Two tables in, what was lost out, for a person to read."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.distances.categories import Discrete, Ordinal
from tokumei.distances.distance import Distance
from tokumei.distances.numeric import Euclidean
from tokumei.loss.distance.amounts import amount
from tokumei.loss.distance.weighted_records import weighted_amount
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
from tokumei.loss.tables.counts import weighed
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
    record_weights: ArrayLike | None = None,
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
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: in every loss it counts as so many.
        Plots count the records themselves.

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

    weights = weighed(record_weights, records(before))
    run = _check.run()
    pairs: dict[Any, NumericPair | CategoricalPair] = {}
    made = []
    picture: Histogram | Bars | None
    for key, one in published.items():
        if kind_of[key] == NUMBER:
            distance = distance_of.get(key, Euclidean())
            x, y = numbers(one, label("original", key)), numbers(after[key], label("masked", key))
            amounts = _amounts(x, y, key, distance, weights, run)
            pairs[key] = NumericPair(x, y, amounts, weights)
            picture = histogram(x, y, smallest)
        else:
            order = order_of.get(key)
            distance = distance_of.get(key, Discrete() if order is None else Ordinal(order))
            a, b, known, rank = _codes(one, after[key], key, order)
            amounts = _amounts(one, after[key], key, distance, weights, run)
            of_order = len(order or ())
            pairs[key] = CategoricalPair(a, b, known, amounts, rank, of_order, weights)
            picture = bars(a, b, known, smallest)
        measures = OF_NUMBERS if kind_of[key] == NUMBER else OF_CATEGORIES
        losses = _losses(measures, pairs[key])
        made.append(AttributeLoss(str(key), kind_of[key], losses, picture))
    everything = Attributes(
        [pair for pair in pairs.values() if isinstance(pair, NumericPair)],
        [pair for pair in pairs.values() if isinstance(pair, CategoricalPair)],
        max_order,
        run,
        weights,
    )
    return Comparison(
        records=records(before),
        attributes=tuple(made),
        totals=_losses(TOTALS, everything),
        absent=tuple(str(key) for key in before if key not in after),
        smallest=smallest,
    )


def _codes(
    original: Any, masked: Any, key: Any, order: Sequence[Any] | None
) -> tuple[_check.Labels, _check.Labels, Sequence[Any], _check.Labels | None]:
    """The codes of a column before and after, their categories, and their ranks."""
    names = [label("original", key), label("masked", key)]
    (before, after), known = shared([original, masked], names)
    return before, after, known, None if order is None else ranks(known, order, [before, after])


def _amounts(
    original: Any,
    masked: Any,
    key: Any,
    distance: Distance,
    weights: _check.Floats | None,
    run: _check.Run,
) -> Amounts:
    _check.instance(distance, Distance, f"distances: column {key!r}")
    before = distance.prepare(original, label("original", key))
    after = distance.prepare(masked, label("masked", key))
    if weights is None:
        return Amounts(amount(before, 2.0, "auto", run), amount(after, 2.0, "auto", run))
    return Amounts(
        weighted_amount(before, 2.0, "auto", weights, run),
        weighted_amount(after, 2.0, "auto", weights, run),
    )


def _losses(measures: Sequence[Measure], compared: Any) -> dict[str, float | None]:
    """The value of each measure; None for an infinite one, whose scale was zero."""
    values = {measure.key: measure.of(compared) for measure in measures}
    return {
        key: value if value is not None and math.isfinite(value) else None
        for key, value in values.items()
    }
