"""One column, whatever it is made of: its kind, its numbers or categories, and what is missing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Floats, Labels
from tokumei._check.cached import cached_property
from tokumei.values import cells, notation
from tokumei.values.containers import MISSING, Cells, cells_of, distinct, listed, numbers_of_texts

LOOK_AT = 50  # texts that show whether a column may hold dates


class Column:
    """A column that was read: the same, whatever library it came from.

    What is asked for is computed once. The rules of what a cell says are in `tokumei.values.cells`.
    """

    def __init__(self, source: Any, *, blank_is_missing: bool = True) -> None:
        self.source = source
        self._blank_is_missing = blank_is_missing

    def __len__(self) -> int:
        return len(self.source)

    @cached_property
    def _cells(self) -> Cells:
        return cells_of(self.source, blank_is_missing=self._blank_is_missing)

    @property
    def kind(self) -> str:
        """One of "numeric", "boolean", "date", "ordered" and "nominal"; by its values."""
        return self._cells.kind

    @property
    def has_hash(self) -> bool:
        """Whether its values can be told apart."""
        return self._cells.codes is not None or self._cells.array is not None

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells are missing."""
        if not self.has_hash:
            return np.array([cells.is_missing(cell) for cell in listed(self.source)])
        if self._cells.array is None:
            return self.codes < 0
        absent = np.zeros(len(self), dtype=bool)
        if self._cells.array.dtype.kind in "fM":
            absent = np.isnan(self._cells.array)
        return absent if self._cells.absent is None else absent | self._cells.absent

    @cached_property
    def numbers(self) -> Floats:
        """The numbers, 1 and 0 for truth values, the microseconds since 1970 for dates; NaN where
        there is none.
        """
        array = self._cells.array
        if array is None:
            return np.full(len(self), np.nan)
        if array.dtype.kind == "M":
            array = array.astype("datetime64[us]").astype(np.int64)
        found = array.astype(np.float64, copy=False)
        if self.missing.any():
            found = np.where(self.missing, np.nan, found)
        return found

    @cached_property
    def _coded(self) -> tuple[Labels, tuple[Any, ...]]:
        codes, array = self._cells.codes, self._cells.array
        if codes is not None:
            return codes, self._cells.categories
        if array is None:
            msg = "values cannot be told apart (they have no hash)"
            raise TypeError(msg)
        present = ~self.missing
        codes = np.full(len(array), MISSING)
        codes[present], rows = distinct(array[present])
        values = array[present][rows]
        in_python = array.dtype.kind != "M" or np.datetime_data(array.dtype)[0] in ("D", "us")
        return codes, tuple(values.tolist() if in_python else values)

    @property
    def codes(self) -> Labels:
        """The number of each cell's category; -1 is missing."""
        return self._coded[0]

    @property
    def categories(self) -> tuple[Any, ...]:
        """The values that occur, in the order of their first rows; of an ordered column all that
        it knows, from the lowest to the highest.
        """
        return self._coded[1]

    @cached_property
    def _numbers_of_texts(self) -> Floats | None:
        return numbers_of_texts(self.source)

    def asked_for_numbers(self) -> tuple[Floats, int]:
        """The numbers, also those that texts say, NaN where there is none; and how many cells are
        something else.
        """
        if self._numbers_of_texts is not None:
            return self._numbers_of_texts, 0
        if self.kind in ("numeric", "boolean"):
            return self.numbers, 0
        return self._said(cells.number_in)

    def asked_for_dates(self) -> tuple[Floats, int]:
        """The dates in microseconds since 1970, also those that texts say; as for numbers."""
        if self.kind == "date":
            return self.numbers, 0
        dates, _ = self._dates_of_texts
        if not all(dates.values()):  # one that is none: each by itself, as ISO 8601
            dates = {each: cells.date_in(each) for each in self.categories}

        def microseconds(text: Any) -> float | None:
            found = dates[text]
            return None if found is None else float(cells.as_dates([found]).astype(np.int64)[0])

        return self._said(microseconds)

    @cached_property
    def _dates_of_texts(self) -> tuple[dict[Any, Any], str]:
        """The date that each category says, None for one that says none; and what is in doubt."""
        texts = self.categories if self.is_text() else ()
        # A look at some of them spares one at all of what are no dates.
        dates, doubt = notation.dates_in(texts[:LOOK_AT])
        if len(texts) > LOOK_AT and (doubt or None not in dates):
            dates, doubt = notation.dates_in(texts)
        return dict(zip(self.categories, dates, strict=False)) | dict.fromkeys(
            self.categories[len(dates) :]
        ), doubt

    def looks_like_dates(self) -> bool:
        """Whether it holds texts that are dates, all of them, or that may be in two ways."""
        if self._numbers_of_texts is not None:
            return False
        dates, doubt = self._dates_of_texts
        return bool(dates) and (bool(doubt) or all(dates.values()))

    @property
    def doubt_of_dates(self) -> str:
        """Why nobody can know which dates its texts say; "" where everybody can."""
        return self._dates_of_texts[1]

    def is_text(self) -> bool:
        """Whether it holds texts and nothing else."""
        if self._numbers_of_texts is not None:
            return True
        nominal = self.kind == "nominal" and self.has_hash
        return nominal and all(isinstance(one, str) for one in self.categories)

    def looks_like_numbers(self) -> bool:
        """Whether some text says a number, or seems to be meant as one."""
        if self._numbers_of_texts is not None:
            return True
        return any(map(cells.looks_like_a_number, self.categories))

    def _said(self, rule: Callable[[Any], float | None]) -> tuple[Floats, int]:
        if not self.has_hash:
            return self.numbers, int((~self.missing).sum())
        said = [rule(category) for category in self.categories]
        invalid = np.array([*(value is None for value in said), False], dtype=bool)
        values = np.array([*(np.nan if value is None else value for value in said), np.nan])
        return values[self.codes], int(invalid[self.codes].sum())
