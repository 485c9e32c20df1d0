"""A case: an expression, what it returns written down, and whether two such notes agree."""

from __future__ import annotations

import hashlib
import json
import math
import warnings
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Any

import numpy as np

import tokumei as tk
from golden import data

NAMES = vars(data) | {"tk": tk, "np": np}
# Longer lists and mappings are pinned by their hash, or by so many of their numbers.
MOST = 40


@dataclass(frozen=True)
class Case:
    """An expression over `tk` and the tables of `data`.

    Its result is pinned bit by bit. Where it passes through libraries whose rounding differs
    between machines, ``near`` names them, and its floats are pinned ``within`` a share. Where it is
    the labels of a table, ``losses_of`` names the table, and their sum of squares is pinned, too.
    ``slow`` ones run once, not on every instruction set.
    """

    expression: str
    near: str = ""
    within: float = 1e-9
    losses_of: str = ""
    slow: bool = False

    def run(self) -> Any:
        """What the expression returns, as JSON can hold it."""
        with warnings.catch_warnings():
            # Noise from a seed says that it is not private.
            warnings.simplefilter("ignore", tk.noise.NotPrivateWarning)
            result = eval(self.expression, dict(NAMES))
        if not self.losses_of:
            return noted(result, exact=not self.near)
        sse = tk.loss.sse(NAMES[self.losses_of], result)
        return {"labels": noted(result), "groups": int(result.max()) + 1, "sse": noted(sse)}


def noted(value: Any, *, exact: bool = True) -> Any:
    """A result as JSON can hold it: floats by their bits, arrays by the hash of theirs."""

    def inside(part: Any) -> Any:
        return noted(part, exact=exact)

    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float | Fraction):
        return float(value).hex() if exact else float(value)
    if isinstance(value, np.generic):
        return inside(value.item())
    if isinstance(value, np.ndarray):
        return _array(value, exact)
    if hasattr(value, "to_pydict"):  # an Arrow table
        return inside(value.to_pydict())
    if isinstance(value, dict):
        named = {_key(key): inside(part) for key, part in value.items()}
        return named if len(named) <= MOST else f"mapping {len(named)} {_hash(named)}"
    if isinstance(value, list | tuple):
        parts = [inside(part) for part in value]
        if len(parts) <= MOST:
            return parts
        if not exact and all(isinstance(part, float) for part in parts):
            return _array(np.array(parts), exact)
        return f"list {len(parts)} {_hash(parts)}"
    if is_dataclass(value):
        public = [field.name for field in fields(value) if not field.name.startswith("_")]
        return {name: inside(getattr(value, name)) for name in public}
    learnt = [name for name in sorted(vars(value)) if name.endswith("_") and name[0] != "_"]
    if not learnt:
        msg = f"no way to write down a {type(value).__name__}"
        raise TypeError(msg)
    return {name: inside(getattr(value, name)) for name in learnt}


def _key(key: Any) -> str:
    return key if isinstance(key, str) else repr(noted(key))


def _hash(written: Any) -> str:
    return hashlib.sha256(json.dumps(written).encode()).hexdigest()


def _array(values: np.ndarray[Any, Any], exact: bool) -> Any:
    shape = "x".join(map(str, values.shape))
    kind = {"i": "<i8", "u": "<u8", "b": "<i8", "f": "<f8"}.get(values.dtype.kind)
    if kind is None:
        return f"text {shape} {_hash([noted(value) for value in values.reshape(-1).tolist()])}"
    if kind == "<f8" and not exact:
        every = max(1, -(-values.size // MOST))
        numbers = [float(value) for value in values.reshape(-1)[::every]]
        return {"shape": shape, "every": every, "numbers": numbers} if every > 1 else numbers
    rows = np.ascontiguousarray(values, dtype=kind)
    # Zero has two signs, and they are equal.
    rows = rows + 0.0 if kind == "<f8" else rows
    return f"{np.dtype(kind).name} {shape} {hashlib.sha256(rows.tobytes()).hexdigest()}"


def agree(pinned: Any, found: Any, within: float = 1e-9) -> bool:
    """Whether a result is the pinned one: numbers by a share of the largest beside them, all else
    exactly.
    """
    if isinstance(pinned, dict) and isinstance(found, dict):
        return pinned.keys() == found.keys() and all(
            agree(part, found[key], within) for key, part in pinned.items()
        )
    if isinstance(pinned, list) and isinstance(found, list):
        if len(pinned) != len(found):
            return False
        if pinned and all(isinstance(part, float) for part in [*pinned, *found]):
            room = within * max(map(abs, pinned))
            return all(_near(a, b, room) for a, b in zip(pinned, found, strict=True))
        return all(agree(a, b, within) for a, b in zip(pinned, found, strict=True))
    if isinstance(pinned, float) and isinstance(found, float):
        return _near(pinned, found, within * abs(pinned))
    return type(pinned) is type(found) and bool(pinned == found)


def _near(pinned: float, found: float, room: float) -> bool:
    return pinned == found or (math.isfinite(pinned) and abs(pinned - found) <= room)
