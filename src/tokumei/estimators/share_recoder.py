"""Recoding by minimum share in scikit-learn's shape, for the columns of a table."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar

from tokumei import _check
from tokumei.estimators.transformer import Transformer
from tokumei.recode.recoding import Recoding
from tokumei.recode.rewrite import rewritten
from tokumei.recode.share import by_share
from tokumei.values.columns import refuse_not_finite
from tokumei.values.hierarchy import Hierarchy
from tokumei.values.names import Naming
from tokumei.values.tables import label, table


class ShareRecoder(Transformer):
    """Merge the rare categories of each column; learnt from one table, applied to others.

    Parameters
    ----------
    share : float
        Smallest share of the records, above 0 and below 1.
    rule, label, other
        What is merged with what, and what it is called: see `tokumei.recode.by_share`.
    columns : sequence, optional
        The columns to recode; all by default. The others are carried along.
    orders : mapping, optional
        ``{column: categories in order}``.
    parents : mapping, optional
        ``{column: hierarchy}``, each a `Hierarchy` or a mapping of nodes to parents: these columns
        are merged within parents.
    unseen : hashable, optional
        What categories become that were not there in `fit`; by default they are refused.

    Attributes
    ----------
    recodings_ : dict of Recoding
        The recoding of each column.

    Examples
    --------
    >>> import tokumei as tk
    >>> recoder = tk.ShareRecoder(share=0.3)
    >>> recoder.fit_transform({"job": ["farm", "wood", "shop", "shop"]})["job"]
    array(['farm/wood', 'farm/wood', 'shop', 'shop'], dtype=object)
    >>> recoder.transform({"job": ["wood"]})["job"]
    array(['farm/wood'], dtype=object)
    """

    _takes: ClassVar[dict[str, bool]] = {"categorical": True, "string": True}
    _keeps_dtype: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        share: float = 0.05,
        *,
        rule: str = "smallest",
        columns: Sequence[Any] | None = None,
        orders: Mapping[Any, Sequence[Any]] | None = None,
        parents: Mapping[Any, Hierarchy | Mapping[Any, Any]] | None = None,
        label: str | Naming | None = None,
        other: Hashable = "other",
        unseen: Hashable | None = None,
    ) -> None:
        self.share = share
        self.rule = rule
        self.columns = columns
        self.orders = orders
        self.parents = parents
        self.label = label
        self.other = other
        self.unseen = unseen

    def fit(self, X: Any, y: object = None) -> ShareRecoder:
        """Learn what is merged."""
        columns = table(self._admit(_check.collected(X)[0], fitting=True), "X")
        self.recodings_: dict[Any, Recoding] = {}
        for name in self._chosen(columns):
            tree = (self.parents or {}).get(name)
            refuse_not_finite(columns[name], label("X", name))
            self.recodings_[name] = by_share(
                columns[name],
                self.share,
                rule=self.rule if tree is None else "parents",
                order=(self.orders or {}).get(name),
                parent_of=tree,
                label=self.label,
                other=self.other,
            )
        return self

    def transform(self, X: Any) -> Any:
        """The table with its rare categories merged, of the same kind as it came."""
        self._check_fitted()
        X, given_back = _check.collected(X)
        data = self._admit(X, fitting=False)
        columns = table(data, "X")
        made = {}
        for name, recoding in self.recodings_.items():
            refuse_not_finite(columns[name], label("X", name))
            try:
                made[name] = recoding.apply(columns[name], unseen=self.unseen)
            except ValueError as error:
                msg = f"{label('X', name)}: {error}"
                raise ValueError(msg) from None
        return given_back(rewritten(data, made))

    def fit_transform(self, X: Any, y: object = None) -> Any:
        """Learn what is merged, and merge it."""
        data, given_back = _check.collected(X)
        return given_back(self.fit(data).transform(data))

    def _chosen(self, columns: Mapping[Any, Any]) -> list[Any]:
        named = [*(self.columns or ()), *(self.orders or ()), *(self.parents or ())]
        unknown = sum(name not in columns for name in named)
        if unknown:
            msg = f"columns, orders and parents name {unknown} columns that X does not have"
            raise ValueError(msg)
        return list(columns if self.columns is None else self.columns)
