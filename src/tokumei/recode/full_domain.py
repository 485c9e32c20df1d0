"""Several attributes generalised together, each to one level, until every group is large enough."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei.recode.criteria import AtLeastRecords, AtLeastValues, Criterion
from tokumei.recode.lattice import Lattice, search
from tokumei.recode.penalties import PENALTIES, Penalty
from tokumei.recode.rewrite import rewritten
from tokumei.recode.share import most_count
from tokumei.values.columns import coded
from tokumei.values.hierarchy import Hierarchy, hierarchy_of
from tokumei.values.tables import label, records, table


@dataclass(frozen=True, eq=False)
class FullDomain:
    """The cheapest generalisation, and the table it makes.

    Attributes
    ----------
    levels : dict
        The level of each attribute.
    table : same kind as the original
        The records that are published, their attributes generalised.
    suppressed : ndarray of bool, shape (n,)
        Which of the original records are left out.
    cost : float
        The mean penalty of a record, 0 to 1; a suppressed record costs 1.
    tried : int
        How many vectors of levels were counted.
    """

    levels: Mapping[Any, int]
    table: Any
    suppressed: NDArray[np.bool_]
    cost: float
    tried: int


def full_domain(
    data: Any,
    hierarchies: Mapping[Any, Hierarchy | Mapping[Any, Any]],
    k: int,
    *,
    suppress: float = 0.0,
    penalty: str | Penalty = "certainty",
    weights: Mapping[Any, float] | None = None,
    sensitive: Any = None,
    l: int = 2,  # noqa: E741
    callback: _check.Callback | None = None,
) -> FullDomain:
    """Generalise attributes to the levels that cost least and leave no group below k records.

    The search is exact: no other levels with the allowed suppression cost less. Ties go to the
    lower level of the attribute named first.

    Parameters
    ----------
    data : table
        A mapping of columns, a dataframe, or an array of two dimensions.
    hierarchies : mapping
        ``{column: hierarchy}`` of the quasi-identifiers, each a `Hierarchy` or a mapping of nodes
        to parents; other columns are carried along.
    k : int
        Smallest number of records that share all generalised values.
    suppress : float
        Largest share of the records that may be left out, at least 0 and below 1.
    penalty : {"certainty", "information", "height"} or callable
        What a generalised value costs: its share of all values; the share of its information that
        is lost; the share of the levels climbed; or a function of a hierarchy, a level and the
        number of records of each value, that never falls from level to level.
    weights : mapping, optional
        ``{column: weight}``, 1 by default.
    sensitive : column name, optional
        Groups must also hold at least l different values of this column.
    l : int
        See `sensitive`.
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
    k = _check.group_size(k, n)
    trees = _quasi(hierarchies, columns)
    names = list(trees)
    if isinstance(penalty, str):
        penalty = PENALTIES[_check.one_of(penalty, tuple(PENALTIES), "penalty")]
    most = most_count(suppress, n, "suppress")
    share = _weights(weights, names)
    places = [tree.places(columns[name], label("data", name)) for name, tree in trees.items()]
    rows, row, counts = np.unique(
        np.stack(places, axis=1), axis=0, return_inverse=True, return_counts=True
    )
    row = row.reshape(-1)
    lattice = Lattice(
        codes=tuple(tree.codes[:, rows[:, j]] for j, tree in enumerate(trees.values())),
        costs=tuple(
            w * _costs(tree, places[j], penalty)[:, rows[:, j]]
            for j, (tree, w) in enumerate(zip(trees.values(), share, strict=True))
        ),
        counts=counts,
        criteria=_criteria(columns, counts, row, k, sensitive, l),
    )
    found = search(lattice, most, callback)
    if found is None:
        msg = (
            "no levels reach the criterion, not even the highest ones with the suppression allowed"
        )
        raise ValueError(msg)
    suppressed = found.suppressed[row]
    new = {
        name: tree.at(columns[name], level)
        for (name, tree), level in zip(trees.items(), found.levels, strict=True)
    }
    return FullDomain(
        levels=dict(zip(names, found.levels, strict=True)),
        table=rewritten(data, new, ~suppressed),
        suppressed=suppressed,
        cost=found.cost,
        tried=found.tried,
    )


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


def _weights(weights: Mapping[Any, float] | None, names: list[Any]) -> list[float]:
    weights = {} if weights is None else weights
    unknown = sum(name not in names for name in weights)
    if unknown:
        msg = f"weights names {unknown} columns that have no hierarchy"
        raise ValueError(msg)
    given = _check.weights([weights.get(name, 1.0) for name in names], len(names), "weights")
    return [float(weight) for weight in given / given.sum()]


def _costs(tree: Hierarchy, places: _check.Labels, penalty: Callable[..., Any]) -> _check.Floats:
    """The penalty of each value at each level; checked not to fall."""
    counts = np.bincount(places, minlength=len(tree.values))
    costs = np.array(
        [penalty(tree, level, counts) for level in range(tree.height + 1)], dtype=np.float64
    )
    if not (costs >= 0).all() or not (costs <= 1).all() or (np.diff(costs, axis=0) < 0).any():
        msg = "penalty must be from 0 to 1 and must not fall from one level to the next"
        raise ValueError(msg)
    return costs


def _criteria(
    columns: Mapping[Any, Any],
    counts: _check.Labels,
    row: _check.Labels,
    k: int,
    sensitive: Any,
    l: int,  # noqa: E741
) -> tuple[Criterion, ...]:
    enough = AtLeastRecords(counts, k)
    if sensitive is None:
        return (enough,)
    if sensitive not in columns:
        msg = "sensitive must name a column of data"
        raise ValueError(msg)
    code, _ = coded(columns[sensitive], label("data", sensitive))
    kinds = int(code.max()) + 1
    pairs = np.unique(row * kinds + code)
    return enough, AtLeastValues(pairs // kinds, pairs % kinds, _check.at_least(l, 1, "l"))
