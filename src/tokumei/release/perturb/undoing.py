"""What a released column went through, and the distributions of the true values behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei.noise import Channel, RandomizedResponse
from tokumei.reconstruct.automatic import distribution
from tokumei.reconstruct.categories import Categories, categories
from tokumei.reconstruct.cells.distribution import Distribution
from tokumei.reconstruct.missing import without_filled
from tokumei.release.errors import InputError, as_input_error, counted
from tokumei.release.io import frames
from tokumei.values.column import Column

Found = dict[str, Distribution | Categories]
MISSING = "(missing)"


@dataclass(frozen=True)
class Noise:
    """What a column went through: the channel of its values, and that of whether one is missing.

    `categories` are how many there are, 0 for numbers; `missing` whether one more is for none.
    """

    channel: Channel
    flag: RandomizedResponse | None = None
    categories: int = 0
    missing: bool = False

    def undone(
        self,
        table: Any,
        name: str,
        atoms: Sequence[float],
        cells: int | None,
        n_threads: int | None,
    ) -> Found:
        """The distributions behind a column of a table."""
        if isinstance(self.channel, RandomizedResponse) and self.categories:
            return {name: self._categories(table, name)}
        values = _released(table, name, may_miss=self.flag is not None)
        if self.flag is None:
            return {
                name: distribution(
                    values, self.channel, atoms=atoms, cells=cells, n_threads=n_threads
                )
            }
        gone = np.isnan(values)
        counts = np.array([(~gone).sum(), gone.sum()])
        flags = categories(counts, ("there", MISSING), self.flag)
        filled = flags.probabilities[1] * self.flag.far_probability * len(values) / counts[0]
        one = without_filled(
            values[~gone],
            self.channel,
            float(filled),
            atoms=atoms,
            cells=cells,
            n_threads=n_threads,
        )
        return {name: one, f"{name} is missing": flags}

    def _categories(self, table: Any, name: str) -> Categories:
        column = _cells(table, name)
        seen = np.bincount(column.codes[~column.missing], minlength=len(column.categories))
        absent = int(column.missing.sum())
        if absent and not self.missing:
            msg = f"column {name!r} has {counted(absent, 'cell')} without a category"
            raise InputError(msg)
        names = [str(each) for each in column.categories] + [MISSING] * self.missing
        counts = np.append(seen, absent) if self.missing else seen
        unseen = self.categories + self.missing - len(counts)
        if unseen < 0:
            msg = f"column {name!r} has {-unseen} categories more than its audit says"
            raise InputError(msg)
        counts = np.append(counts, np.zeros(unseen, dtype=np.int64))
        assert isinstance(self.channel, RandomizedResponse)
        return categories(counts, [*names, *["(not released)"] * unseen], self.channel)


def _cells(table: Any, name: str) -> Column:
    if name not in table.columns:
        msg = f"column {name!r} is not in the file"
        raise InputError(msg)
    with as_input_error(f"column {name!r} cannot be read"):
        return Column(frames.columns_of(table, [name]).columns[0])


def _released(table: Any, name: str, *, may_miss: bool) -> Any:
    """The released numbers of a column; NaN where one is released as missing."""
    column = _cells(table, name)
    with as_input_error(f"column {name!r} cannot be read"):
        values, invalid = column.asked_for_numbers()
    missing = 0 if may_miss else int(np.isnan(values).sum()) - invalid
    if invalid or missing:
        msg = f"column {name!r} has {counted(invalid + missing, 'cell')} without a number"
        raise InputError(msg)
    return values
