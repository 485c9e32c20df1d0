"""The column pool: groups met so far and what they cost."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from tokumei import _check


class ColumnPool:
    """Different groups of k to 2k-1 records, one a row of `groups`, filled up with -1."""

    def __init__(self, x: _check.Floats, k: int) -> None:
        # One more record, which -1 refers to.
        self._records = np.vstack([x - x.mean(axis=0), np.zeros((1, x.shape[1]))])
        self.groups: _check.Labels = np.empty((0, 2 * k - 1), dtype=np.int64)
        self.costs: _check.Floats = np.empty(0)
        self._known: set[bytes] = set()

    def __len__(self) -> int:
        return len(self.groups)

    def add(self, groups: _check.Labels) -> int:
        """Add those that are new; return how many were."""
        new = []
        for number, row in enumerate(np.ascontiguousarray(groups)):
            name = row.tobytes()
            if name not in self._known:
                self._known.add(name)
                new.append(number)
        self.groups = np.vstack([self.groups, groups[new]])
        self.costs = np.concatenate([self.costs, self._cost(groups[new])])
        return len(new)

    def add_partition(self, labels: _check.Labels) -> None:
        """Add the groups of a partition; none may have more than 2k-1 records."""
        order = np.argsort(labels, kind="stable")
        sizes = np.bincount(labels)
        place = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        groups = np.full((len(sizes), self.groups.shape[1]), -1, dtype=np.int64)
        groups[labels[order], place] = order
        self.add(groups)

    def membership(self) -> Any:
        """Records by groups: 1 where a record is in a group."""
        from scipy.sparse import csc_array

        present = self.groups >= 0
        ends = np.concatenate([[0], np.cumsum(present.sum(axis=1))])
        held = self.groups[present]
        shape = (len(self._records) - 1, len(self))
        return csc_array((np.ones(len(held)), held, ends), shape=shape)

    def reduced_costs(self, duals: _check.Floats) -> _check.Floats:
        """What each group costs less the dual values of its records."""
        reduced: _check.Floats = self.costs - np.append(duals, 0.0)[self.groups].sum(axis=1)
        return reduced

    def ranks(self, reduced: _check.Floats) -> _check.Labels:
        """The place of each group among the groups of one of its records, from 0 for the one of
        least reduced cost: where it is lowest.

        Costs of skewed data differ by powers of ten; this order knows no scale.
        """
        group, place = np.nonzero(self.groups >= 0)
        record = self.groups[group, place]
        order = np.lexsort((group, reduced[group], record))
        first = np.searchsorted(record[order], np.arange(len(self._records)))
        ranks = np.full(len(self), len(self), dtype=np.int64)
        np.minimum.at(ranks, group[order], np.arange(len(order)) - first[record[order]])
        return ranks

    def keep(self, which: Any) -> None:
        """Forget all others."""
        self.groups, self.costs = self.groups[which], self.costs[which]
        self._known = {row.tobytes() for row in self.groups}

    def copy(self) -> ColumnPool:
        """The same groups, to be kept or forgotten apart."""
        other = copy(self)
        other._known = set(self._known)
        return other

    def labels(self, chosen: Any) -> _check.Labels:
        """The partition that some groups make, numbered in the order of first records."""
        labels = np.empty(len(self._records) - 1, dtype=np.int64)
        groups = self.groups[chosen]
        for number, rows in enumerate(groups[np.argsort(groups[:, 0])]):
            labels[rows[rows >= 0]] = number
        return labels

    def _cost(self, groups: _check.Labels) -> _check.Floats:
        costs = np.empty(len(groups))
        for begin in range(0, len(groups), 4096):
            some = groups[begin : begin + 4096]
            present = (some >= 0)[:, :, None]
            records = self._records[some]
            means = records.sum(axis=1, keepdims=True) / present.sum(axis=1, keepdims=True)
            costs[begin : begin + 4096] = (((records - means) * present) ** 2).sum(axis=(1, 2))
        return costs
