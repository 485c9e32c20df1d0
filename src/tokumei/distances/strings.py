"""Distances of strings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei._kernels import pairs as _kernels
from tokumei.distances.columns import Integers, read_distinct
from tokumei.distances.distance import Distance, PreparedCategories


class Kind(IntEnum):
    """The numbers that the kernels know the distances by."""

    hamming = 0
    levenshtein = 1
    damerau_levenshtein = 2


@dataclass(frozen=True, eq=False)
class Texts(PreparedCategories):
    """Distinct strings, one after the other as code points."""

    kind: Kind
    normalized: bool
    letters: NDArray[np.uint32]
    starts: Integers


def _prepare(
    distance: Distance, values: Any, name: str, kind: Kind, *, normalized: bool = False
) -> Texts:
    distinct = read_distinct(values, name, blank_is_missing=False)
    others = [n for n, value in enumerate(distinct.values) if not isinstance(value, str)]
    if others:
        count, row = distinct.rows_of(others)
        msg = f"{name} must hold strings, {count} values are not (first in row {row})"
        raise TypeError(msg)
    letters, starts = pack(distinct.values)

    def between(a: Integers, b: Integers, run: _check.Run) -> _check.Floats:
        out = np.empty(len(a))
        a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
        _kernels.string_distances(
            kind, letters, starts, distinct.counts, a, b, normalized, out, run.silent()
        )
        return out

    return Texts(distance, distinct, between, kind, normalized, letters, starts)


def pack(texts: list[str]) -> tuple[NDArray[np.uint32], Integers]:
    """Code points one after the other, and where each string starts (and the last one ends)."""
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    code = "".join(texts).encode("utf-32-le", "surrogatepass")
    # One letter more than there are: a column of empty strings has an address, too.
    return np.frombuffer(code + bytes(4), dtype="<u4").astype(np.uint32), starts


@dataclass(frozen=True)
class Hamming(Distance):
    """The number of positions at which two strings of one length differ.

    Takes a column of strings that all have the same number of characters.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.distances.Hamming().between("1011101", "1001001")
    2.0
    """

    def prepare(self, values: Any, name: str = "values") -> Texts:
        """Check values and bring them into the form that is computed with."""
        texts = _prepare(self, values, name, Kind.hamming)
        lengths = len(set(np.diff(texts.starts).tolist()))
        if lengths > 1:
            msg = f"{name} must hold strings of one length, got {lengths} different lengths"
            raise ValueError(msg)
        return texts


@dataclass(frozen=True)
class Levenshtein(Distance):
    """The fewest insertions, deletions and replacements of characters from one string to another.

    Takes a column of strings. A character is a Unicode code point.

    Parameters
    ----------
    normalized : bool
        Divide by the length of the longer string, so that no distance exceeds 1.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.distances.Levenshtein().between("kitten", "sitting")
    3.0
    >>> tk.distances.Levenshtein(normalized=True).between("abcd", "abXY")
    0.5
    """

    normalized: bool = False

    def prepare(self, values: Any, name: str = "values") -> Texts:
        """Check values and bring them into the form that is computed with."""
        return _prepare(self, values, name, Kind.levenshtein, normalized=self.normalized)


@dataclass(frozen=True)
class DamerauLevenshtein(Distance):
    """The Levenshtein distance where swapping two neighbouring characters is one step as well.

    Takes a column of strings. A character is a Unicode code point. Characters may be inserted
    between those that were swapped: this is the unrestricted distance, which satisfies the triangle
    inequality.

    Parameters
    ----------
    normalized : bool
        Divide by the length of the longer string, so that no distance exceeds 1.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.distances.DamerauLevenshtein().between("form", "from")
    1.0
    >>> tk.distances.DamerauLevenshtein().between("ca", "abc")
    2.0
    """

    normalized: bool = False

    def prepare(self, values: Any, name: str = "values") -> Texts:
        """Check values and bring them into the form that is computed with."""
        return _prepare(self, values, name, Kind.damerau_levenshtein, normalized=self.normalized)
