"""Several attributes generalised together, each to one level, until every group is large enough."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei.privacy import Model
from tokumei.recode.costs import Quasi
from tokumei.recode.demands import demands_of, least_records
from tokumei.recode.local import local_levels
from tokumei.recode.metrics import Metric, Penalty, metric_of
from tokumei.recode.rewrite import rewritten
from tokumei.recode.search import (
    FullDomainOptions,
    distinct,
    hierarchy_codes,
    search,
)
from tokumei.recode.share import most_count
from tokumei.values.hierarchy import Hierarchy, hierarchy_of
from tokumei.values.tables import label, records, table


@dataclass(frozen=True, eq=False)
class FullDomain:
    """The cheapest generalisation, and the table it makes.

    Attributes
    ----------
    levels : dict
        The level of each attribute; with local recoding the one that it began from.
    table : same kind as the original
        The records that are published, their attributes generalised.
    suppressed : ndarray of bool, shape (n,)
        Which of the original records are left out.
    cost : float
        What was lost, in the unit of the metric.
    bound : float
        No levels for all records alike cost less: equal to the cost of an optimum.
    tried : int
        How many vectors of levels were looked at.
    record_levels : ndarray of int64, shape (n, attributes), or None
        With local recoding the levels of each record.
    """

    levels: Mapping[Any, int]
    table: Any
    suppressed: NDArray[np.bool_]
    cost: float
    bound: float
    tried: int
    record_levels: NDArray[np.int64] | None = None

    @property
    def gap(self) -> float:
        """How far the cost may be above the least, as a share of it; 0 for an optimum."""
        return max(0.0, self.cost - self.bound) / self.cost if self.cost > 0 else 0.0


def full_domain(
    data: Any,
    hierarchies: Mapping[Any, Hierarchy | Mapping[Any, Any]],
    k: int,
    *,
    models: Iterable[Model] = (),
    suppress: float = 0.0,
    metric: str | Metric | Penalty = "certainty",
    weights: Mapping[Any, float] | None = None,
    local: bool = False,
    time_limit: float | None = None,
    callback: _check.Callback | None = None,
) -> FullDomain:
    """Generalise attributes to the levels that cost least and leave no group below k records.

    The search is exact: no other levels with the allowed suppression cost less. Ties go to the
    lower level of the attribute named first. Where it is cut short, by time or because the levels
    have more than ten million combinations, the result says how far it may be from that.

    Parameters
    ----------
    data : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    hierarchies : mapping
        ``{column: hierarchy}`` of the quasi-identifiers, each a `Hierarchy` or a mapping of nodes
        to parents; other columns are carried along.
    k : int
        Smallest number of records that share all generalised values.
    models : iterable of privacy models
        What else is asked of every group, such as ``tk.privacy.LDiversity("disease", 2)``.
    suppress : float
        Largest share of the records that may be left out, at least 0 and below 1.
    metric : str, measure or callable
        What is lost: "certainty" (a value's share of all values), "information" (the share of its
        information that is lost), "precision", "loss", "entropy", "class_size", "discernibility";
        one of `tk.recode.metrics` with its options; or a function of a hierarchy, a level and the
        number of records of each value that says what each costs, 0 to 1, and never falls from
        level to level.
    weights : mapping, optional
        ``{column: weight}``, 1 by default; metrics that count classes know none.
    local : bool
        Lower levels again group by group where that leaves groups large enough, and generalise
        suppressed records further instead of leaving them out. For metrics that add up.
    time_limit : float, optional
        Seconds after which the best levels found so far are taken.
    callback : callable, optional
        Called now and then; an exception in it ends the search.

    Returns
    -------
    FullDomain
        The levels, the table, and which records were suppressed.

    Examples
    --------
    >>> import tokumei as tk
    >>> age = tk.Hierarchy.from_nested({"young": [20, 25], "old": [60, 65]})
    >>> town = tk.Hierarchy.from_nested({"Kanto": ["Tokyo", "Chiba"], "Kansai": ["Kobe"]})
    >>> data = {"age": [20, 25, 60, 65], "town": ["Tokyo", "Tokyo", "Kobe", "Kobe"]}
    >>> found = tk.recode.full_domain(data, {"age": age, "town": town}, k=2)
    >>> found.levels
    {'age': 1, 'town': 0}
    >>> found.table["age"]
    array(['young', 'young', 'old', 'old'], dtype=object)
    """
    columns = table(data, "data")
    n = records(columns)
    models = tuple(models)
    run = _check.run(1, callback)
    run.tell(0.0)
    run = run.until(_check.deadline(time_limit))
    least = least_records(_check.group_size(k, n), models)
    most = most_count(suppress, n, "suppress")
    trees = _quasi(hierarchies, columns)
    names = list(trees)
    places = np.asfortranarray(
        np.stack(
            [tree.places(columns[name], label("data", name)) for name, tree in trees.items()],
            axis=1,
        )
    )
    quasi = Quasi(list(trees.values()), places, _weights(weights, names))
    costs = metric_of(metric).costs(quasi)
    if _check.flag(local, "local") and not costs.adds_up:
        msg = "local recoding needs a metric that adds up over records"
        raise ValueError(msg)
    values, counts, row_of = distinct(places)
    sizes, heights, codes = hierarchy_codes(quasi.trees)
    demands = demands_of(models, columns, row_of)
    options = FullDomainOptions(sizes, heights, codes, costs, demands, least, most)
    found = search(values, counts, options, run)
    if found is None:
        msg = "no levels reach the models, not even the highest ones with the suppression allowed"
        raise ValueError(msg)
    cost, gone, record_levels = found.cost, found.suppressed, None
    if local:
        row_levels, gone, cost = local_levels(values, counts, options, found, run)
        record_levels = row_levels[row_of]
    suppressed = gone[row_of]
    new = {
        name: _generalised(tree, places[:, j], found.levels[j], record_levels, j)
        for j, (name, tree) in enumerate(trees.items())
    }
    return FullDomain(
        levels=dict(zip(names, found.levels.tolist(), strict=True)),
        table=rewritten(data, new, ~suppressed),
        suppressed=suppressed,
        cost=cost,
        bound=found.bound,
        tried=found.tried,
        record_levels=record_levels,
    )


def _generalised(
    tree: Hierarchy, places: _check.Labels, level: int, record_levels: Any, j: int
) -> NDArray[Any]:
    """What the values of an attribute become, at one level or each record at its own."""
    new = np.empty(len(places), dtype=object)
    if record_levels is None:
        new[:] = _labels(tree, int(level))[tree.codes[level][places]]
        return new
    for each in range(tree.height + 1):
        here = record_levels[:, j] == each
        new[here] = _labels(tree, each)[tree.codes[each][places[here]]]
    return new


def _labels(tree: Hierarchy, level: int) -> NDArray[Any]:
    labels = np.empty(len(tree.labels[level]), dtype=object)
    labels[:] = tree.labels[level]
    return labels


def _quasi(
    hierarchies: Mapping[Any, Hierarchy | Mapping[Any, Any]], columns: Mapping[Any, Any]
) -> dict[Any, Hierarchy]:
    if not isinstance(hierarchies, Mapping) or not hierarchies:
        msg = "hierarchies must map names of columns to hierarchies"
        raise TypeError(msg)
    unknown = sum(name not in columns for name in hierarchies)
    if unknown:
        msg = f"hierarchies names {unknown} columns that data does not have"
        raise ValueError(msg)
    return {
        name: hierarchy_of(given, label("hierarchies", name)) for name, given in hierarchies.items()
    }


def _weights(weights: Mapping[Any, float] | None, names: list[Any]) -> _check.Floats:
    weights = {} if weights is None else weights
    unknown = sum(name not in names for name in weights)
    if unknown:
        msg = f"weights names {unknown} columns that have no hierarchy"
        raise ValueError(msg)
    return _check.weights([weights.get(name, 1.0) for name in names], len(names), "weights")
