"""The result of a recoding: which category became which."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei.values.columns import coded


@dataclass(frozen=True, eq=False)
class Recoding:
    """A mapping from old to new categories, and what it made of the values it was learnt from.

    It is a column of the new categories, too: a loss takes it as it is for what was published.

    Attributes
    ----------
    mapping : dict
        The new category of each old one, in label order.
    values : ndarray of object, shape (n,)
        The new category of each record.
    counts : dict
        The number of records of each new category.
    """

    mapping: Mapping[Any, Any]
    values: NDArray[Any]
    counts: Mapping[Any, int]

    def __repr__(self) -> str:
        return (
            f"<Recoding of {len(self.mapping)} categories into {len(self.counts)}, "
            f"{len(self.values)} records>"
        )

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.values, dtype=dtype, copy=copy)

    def apply(self, values: Any, *, unseen: Hashable | None = None) -> NDArray[Any]:
        """Recode other values; those that were never seen are refused, or become `unseen`.

        Parameters
        ----------
        values : sequence of shape (m,)
            Categories of the same kind.
        unseen : hashable, optional
            A label for categories that the mapping does not know, for example "other".

        Examples
        --------
        >>> import tokumei as tk
        >>> recoding = tk.recode.by_share(["a", "a", "b", "c"], 0.3)
        >>> recoding.apply(["c", "a"])
        array(['b/c', 'a'], dtype=object)
        >>> recoding.apply(["d", "a"], unseen="other")
        array(['other', 'a'], dtype=object)
        """
        codes, known = coded(values, "values")
        strangers = [value not in self.mapping for value in known]
        if unseen is None and any(strangers):
            count = int(np.isin(codes, np.flatnonzero(strangers)).sum())
            msg = (
                f"values holds {sum(strangers)} categories ({count} records) that the recoding "
                "does not know; name a label for them with unseen="
            )
            raise ValueError(msg)
        return _objects([self.mapping.get(value, unseen) for value in known])[codes]


def recoding_of(
    known: list[Any], codes: NDArray[np.int64], merged: NDArray[np.int64], labels: list[Any]
) -> Recoding:
    """The recoding of categories, each in one of the merged groups, the labels of which are known.

    `codes` numbers the categories of the records, `merged` the groups of the categories.
    """
    sizes = np.bincount(merged[codes], minlength=len(labels))
    return Recoding(
        mapping=dict(zip(known, _objects(labels)[merged].tolist(), strict=True)),
        values=_objects(labels)[merged[codes]],
        counts=dict(zip(labels, sizes.tolist(), strict=True)),
    )


def _objects(values: list[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
