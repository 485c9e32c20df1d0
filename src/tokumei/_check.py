"""Every argument check of the array functions, and its message.

A check returns the argument in the one form the kernels take, or raises before any work is done:
``TypeError`` for a wrong kind, ``ValueError`` for a wrong value. A message names the argument, the
rule and counts; it never holds a value of the data.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tokumei import machine

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Callback = Callable[[float], object]

# Squares of differences of such values, summed over all cells of any table, stay finite.
LARGEST = 1e140


def table(values: ArrayLike, name: str = "X", *, largest: float | None = LARGEST) -> Floats:
    """A finite table: float64, column-major, at least one row and one column."""
    array = _numbers(values, name)
    if array.ndim != 2:
        hint = "; one attribute is a table of one column, X[:, None]" if array.ndim == 1 else ""
        msg = f"{name} must have two dimensions (rows and columns), got {array.ndim}{hint}"
        raise ValueError(msg)
    if 0 in array.shape:
        msg = f"{name} is empty: {array.shape[0]} rows, {array.shape[1]} columns"
        raise ValueError(msg)
    _finite(array, name, largest)
    return _column_major(array)


def _column_major(array: NDArray[Any]) -> Floats:
    if array.flags.f_contiguous or array.size < 2**16:
        return np.asfortranarray(array, dtype=np.float64)
    # A few thousand rows at a time stay in the cache while they are turned: ten times faster.
    table = np.empty(array.shape, order="F")
    for begin in range(0, len(array), 4096):
        table[begin : begin + 4096] = array[begin : begin + 4096]
    return table


def column(values: ArrayLike, name: str = "x", *, largest: float | None = None) -> Floats:
    """One finite attribute: float64, without gaps; a table of one column will do."""
    array = _numbers(values, name)
    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        msg = f"{name} must be one attribute, of shape (n,) or (n, 1), got shape {array.shape}"
        raise ValueError(msg)
    if not array.size:
        msg = f"{name} is empty"
        raise ValueError(msg)
    column = np.ascontiguousarray(array, dtype=np.float64)
    _finite(column[:, None], name, largest)
    return column


def _numbers(values: ArrayLike, name: str) -> NDArray[Any]:
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        masked = int(np.ma.getmaskarray(values).sum())
        msg = f"{name} has {masked} masked values; fill or drop them first"
        raise ValueError(msg)
    try:
        array = np.asarray(values)
    except ValueError:
        msg = f"{name} must be a table: its rows differ in length"
        raise ValueError(msg) from None
    if array.dtype.kind in "biuf":
        return array
    if array.dtype.kind == "O" and not any(isinstance(value, str | bytes) for value in array.flat):
        try:
            return array.astype(np.float64)
        except (TypeError, ValueError):
            pass
    msg = f"{name} must be numeric, got values of kind {array.dtype.name}"
    raise TypeError(msg)


def _finite(table: NDArray[Any], name: str, largest: float | None) -> None:
    # Two quick passes where all is well: NaN and infinity survive in a maximum or minimum.
    flat = table.ravel(order="K")
    limit = float(np.finfo(np.float64).max if largest is None else largest)
    if -limit <= float(flat.min()) and float(flat.max()) <= limit:
        return
    wrong = np.flatnonzero(~(np.abs(table.astype(np.float64)) <= limit).all(axis=0))
    column = table[:, wrong[0]]
    missing, infinite = int(np.isnan(column).sum()), int(np.isinf(column).sum())
    if missing:
        what = f"{missing} missing values (NaN)"
    elif infinite:
        what = f"{infinite} infinite values"
    else:
        what = f"values beyond {limit:g}, too large to be squared; standardize them first"
    more = f" ({wrong.size} columns are affected)" if wrong.size > 1 else ""
    msg = f"{name}: column {wrong[0]} has {what}{more}"
    raise ValueError(msg)


def group_size(k: int, rows: int) -> int:
    """The smallest group size allowed, a whole number from 1 to the number of rows."""
    k = whole(k, "k")
    if not 1 <= k <= rows:
        msg = f"k must be between 1 and the number of rows ({rows}), got {k}"
        raise ValueError(msg)
    return k


def whole(value: int, name: str) -> int:
    """A whole number; True and 2.0 are not."""
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        msg = f"{name} must be a whole number, got {type(value).__name__}"
        raise TypeError(msg)
    return int(value.__index__())


def between(value: int, least: int, most: int, name: str) -> int:
    """A whole number from `least` to `most`."""
    value = whole(value, name)
    if not least <= value <= most:
        msg = f"{name} must be between {least} and {most}, got {value}"
        raise ValueError(msg)
    return value


def per_axis(values: int | ArrayLike, columns: int, most: int, name: str) -> Labels:
    """One whole number from 1 to `most` for each column, or one for all of them."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        msg = f"{name} must be a whole number or one for each column, got {array.dtype.name}"
        raise TypeError(msg)
    if array.shape not in ((), (columns,)):
        msg = f"{name} must hold one number for each of the {columns} columns, got {array.shape}"
        raise ValueError(msg)
    wrong = int(((array < 1) | (array > most)).sum())
    if wrong:
        msg = f"{name} must be between 1 and {most}, got {wrong} other numbers"
        raise ValueError(msg)
    return np.ascontiguousarray(np.broadcast_to(array, columns), dtype=np.int64)


def gamma(value: float | str, name: str = "gamma") -> float | None:
    """A number of at least 0 that can be squared; None for the word "auto"."""
    if isinstance(value, str) and value == "auto":
        return None
    rule = f"{name} must be a number from 0 to {LARGEST:g}, or 'auto'"
    if isinstance(value, str):
        msg = f"{rule}, got {value!r}"
        raise ValueError(msg)
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        msg = f"{rule}, got {type(value).__name__}"
        raise TypeError(msg)
    number = float(value)
    if not 0.0 <= number <= LARGEST:
        msg = f"{rule}, got {number:g}"
        raise ValueError(msg)
    return number


def flag(value: bool, name: str) -> bool:
    """True or False; 1 and "yes" are not."""
    if not isinstance(value, bool | np.bool_):
        msg = f"{name} must be True or False, got {type(value).__name__}"
        raise TypeError(msg)
    return bool(value)


def labels(values: ArrayLike, rows: int, name: str = "labels") -> tuple[Labels, int]:
    """Group labels, one a row, as numbers 0.. without wide gaps; and one more than the largest."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        msg = f"{name} must be whole numbers, got values of kind {array.dtype.name}"
        raise TypeError(msg)
    if array.shape != (rows,):
        msg = f"{name} must hold one label for each of the {rows} rows, got shape {array.shape}"
        raise ValueError(msg)
    if int(array.min()) < 0:
        msg = f"{name} must not be negative, got {int((array < 0).sum())} negative labels"
        raise ValueError(msg)
    if int(array.max()) >= rows:
        array = np.unique(array, return_inverse=True)[1]
    return np.ascontiguousarray(array, dtype=np.int64), int(array.max()) + 1


def weights(values: ArrayLike, count: int, name: str) -> Floats:
    """Weights of records or attributes: finite, not negative, not all zero."""
    array = _numbers(values, name)
    if array.shape != (count,):
        msg = f"{name} must hold {count} numbers, got shape {array.shape}"
        raise ValueError(msg)
    weights = np.ascontiguousarray(array, dtype=np.float64)
    wrong = int((~np.isfinite(weights) | (weights < 0)).sum())
    if wrong:
        msg = f"{name} must be finite and not negative; {wrong} of {count} are not"
        raise ValueError(msg)
    if not weights.any():
        msg = f"{name} must not all be zero"
        raise ValueError(msg)
    return weights


def codes(values: ArrayLike, rows: int, name: str) -> tuple[Labels, int]:
    """Equal values as equal numbers 0.., in the order of their first row; and how many differ."""
    array = np.asarray(values)
    if array.shape != (rows,):
        msg = f"{name} must hold one value for each of the {rows} rows, got shape {array.shape}"
        raise ValueError(msg)
    items = array.tolist()
    missing = sum(value is None or value != value for value in items)
    if missing:
        msg = f"{name} has {missing} missing values"
        raise ValueError(msg)
    known: dict[Any, int] = {}
    numbers = [known.setdefault(value, len(known)) for value in items]
    return np.array(numbers, dtype=np.int64), len(known)


def ranked(
    values: NDArray[Any], order: Sequence[Any] | None, name: str
) -> tuple[NDArray[Any], Labels]:
    """The different values from lowest to highest, and the rank of each value among them."""
    if values.ndim != 1 or not len(values):
        msg = f"{name} must be one column that is not empty, got shape {values.shape}"
        raise ValueError(msg)
    numbers, count = codes(values, len(values), name)
    first = np.unique(numbers, return_index=True)[1]
    known = values[first]
    if order is None:
        try:
            rank = sorted(range(count), key=known.tolist().__getitem__)
        except TypeError:
            msg = f"{name} holds kinds of values that cannot be sorted together; give their order"
            raise TypeError(msg) from None
    else:
        place = {value: position for position, value in enumerate(order)}
        unknown = sum(value not in place for value in known.tolist())
        if unknown:
            msg = f"{name} holds {unknown} different values that are not in the order given"
            raise ValueError(msg)
        rank = sorted(range(count), key=lambda number: place[known.tolist()[number]])
    position = np.empty(count, dtype=np.int64)
    position[rank] = np.arange(count)
    return known[rank], position[numbers]


def groups_of(labels: Labels, k: int) -> None:
    """Groups that all have at least k records."""
    sizes = np.bincount(labels)
    small = int(((sizes > 0) & (sizes < k)).sum())
    if small:
        msg = f"labels must form groups of at least k = {k} records; {small} groups are smaller"
        raise ValueError(msg)


def number(value: float, name: str) -> float:
    """A finite number."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.number):
        msg = f"{name} must be a number, got {type(value).__name__}"
        raise TypeError(msg)
    if not np.isfinite(value):
        msg = f"{name} must be finite, got {value}"
        raise ValueError(msg)
    return float(value)


def seed(random_state: int | np.random.Generator | None) -> int:
    """A word of 64 bits for a search; the same one each time where nothing is asked for."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    value = whole(random_state, "random_state")
    if not 0 <= value < 2**64:
        msg = f"random_state must be between 0 and 2**64 - 1, got {value}"
        raise ValueError(msg)
    return value


def permutation(values: ArrayLike, rows: int, name: str = "order") -> Labels:
    """Every row 0 to rows - 1 once, in some order."""
    array = np.asarray(values)
    if array.dtype.kind not in "iu":
        msg = f"{name} must be whole numbers, got values of kind {array.dtype.name}"
        raise TypeError(msg)
    if array.shape != (rows,):
        msg = f"{name} must hold each of the {rows} rows once, got shape {array.shape}"
        raise ValueError(msg)
    if array.min() < 0 or array.max() >= rows:
        outside = int(((array < 0) | (array >= rows)).sum())
        msg = f"{name} must hold rows from 0 to {rows - 1}, got {outside} others"
        raise ValueError(msg)
    found = np.zeros(rows, dtype=bool)
    found[array] = True
    absent = rows - int(found.sum())
    if absent:
        msg = f"{name} must hold each of the {rows} rows once, got {absent} of them not at all"
        raise ValueError(msg)
    return np.ascontiguousarray(array, dtype=np.int64)


def one_of(value: str, choices: tuple[str, ...], name: str) -> str:
    """One of a few words."""
    if value not in choices:
        msg = f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}"
        raise ValueError(msg)
    return value


def threads(n_threads: int | None) -> int:
    """The number of threads: None for all the process may use (or TOKUMEI_NUM_THREADS)."""
    if n_threads is None:
        return machine.default_threads()
    n_threads = whole(n_threads, "n_threads")
    if n_threads == -1:
        return machine.default_threads()
    if not 1 <= n_threads <= machine.MOST_THREADS:
        msg = f"n_threads must be between 1 and {machine.MOST_THREADS}, -1 or None, got {n_threads}"
        raise ValueError(msg)
    return n_threads


def run(n_threads: int | None, callback: Callback | None) -> tuple[int, int, Callback | None]:
    """What every long kernel is told: threads, instruction set, whom to tell its progress."""
    if callback is not None and not callable(callback):
        msg = f"callback must be callable with the share done, got {type(callback).__name__}"
        raise TypeError(msg)
    return threads(n_threads), machine.level(os.environ), callback


def flags(values: ArrayLike, rows: int, name: str) -> NDArray[np.bool_]:
    """One truth value for each row."""
    array = np.asarray(values)
    if array.dtype.kind != "b":
        msg = f"{name} must be truth values, got values of kind {array.dtype.name}"
        raise TypeError(msg)
    if array.shape != (rows,):
        msg = f"{name} must hold one value for each of the {rows} rows, got shape {array.shape}"
        raise ValueError(msg)
    return array


def at_least(value: int, least: int, name: str) -> int:
    """A whole number that is not below a bound."""
    value = whole(value, name)
    if value < least:
        msg = f"{name} must be at least {least}, got {value}"
        raise ValueError(msg)
    return value


def probabilities(values: ArrayLike, name: str) -> Floats:
    """Numbers from 0 to 1 that sum to 1, within 1e-9."""
    array = _numbers(values, name).astype(np.float64)
    if not ((array >= 0.0).all() and abs(float(array.sum()) - 1.0) <= 1e-9):
        msg = f"{name} must hold probabilities that are not negative and sum to 1"
        raise ValueError(msg)
    return array


def instance(value: object, kind: type, name: str) -> None:
    """An object of that class; the class itself, without brackets, is a common slip."""
    if isinstance(value, kind):
        return
    if isinstance(value, type):
        msg = f"{name} must be made by a call: {value.__name__}(...), got the class"
    else:
        msg = f"{name} must be of kind {kind.__name__}, got {type(value).__name__}"
    raise TypeError(msg)


def positive(values: ArrayLike, count: int, name: str) -> Floats:
    """So many positive, finite numbers."""
    array = np.asarray(values)
    if array.dtype.kind not in "iuf":
        msg = f"{name} must be numbers, got values of kind {array.dtype.name}"
        raise TypeError(msg)
    if array.shape != (count,):
        msg = f"{name} must be {count} numbers, got shape {array.shape}"
        raise ValueError(msg)
    wrong = int((~(np.isfinite(array) & (array > 0))).sum())
    if wrong:
        msg = f"{name} must be positive and finite, {wrong} of {count} are not"
        raise ValueError(msg)
    return array.astype(np.float64)


def inside(value: float, lower: float, upper: float, name: str) -> float:
    """A number between two bounds, both excluded."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        msg = f"{name} must be a number, got {type(value).__name__}"
        raise TypeError(msg)
    if not lower < value < upper:
        msg = f"{name} must be above {lower:g} and below {upper:g}, got {value}"
        raise ValueError(msg)
    return float(value)


def generator(random_state: int | np.random.Generator | None) -> np.random.Generator:
    """A generator of random numbers: one that is given, or one from a seed or from entropy."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is not None and whole(random_state, "random_state") < 0:
        msg = f"random_state must be 0 or more, got {random_state}"
        raise ValueError(msg)
    return np.random.default_rng(random_state)
