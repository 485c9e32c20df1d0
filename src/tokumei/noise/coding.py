"""An attribute's values as numbers: codes of categories, NaN for what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei.noise.attribute import Attribute


def coded(values: ArrayLike, attribute: Attribute, name: str) -> _check.Floats:
    """Numbers, or the codes of categories; NaN is missing, if that is allowed."""
    if attribute.categories is None:
        numbers = _numbers(values, name)
    else:
        numbers = _codes(values, list(attribute.categories), name)
    missing = int(np.isnan(numbers).sum())
    if missing and attribute.missing == "refuse":
        msg = f"{name} has {missing} missing values; missing='category' takes them as a category"
        raise ValueError(msg)
    return numbers


def _numbers(values: ArrayLike, name: str) -> _check.Floats:
    array = np.asarray(values)
    if array.dtype.kind == "O":
        array = np.array([np.nan if cell is None else cell for cell in array.tolist()])
    if array.dtype.kind not in "biuf" or array.ndim != 1 or not array.size:
        msg = f"{name} must be one attribute of numbers that is not empty"
        raise ValueError(msg)
    numbers = array.astype(np.float64)
    infinite = int(np.isinf(numbers).sum())
    if infinite:
        msg = f"{name} has {infinite} infinite values"
        raise ValueError(msg)
    return numbers


def _codes(values: ArrayLike, categories: list[Any], name: str) -> _check.Floats:
    places: dict[Any, float] = {value: place for place, value in enumerate(categories)}
    cells = np.asarray(values, dtype=object)
    if cells.ndim != 1 or not cells.size:
        msg = f"{name} must be one attribute of categories that is not empty"
        raise ValueError(msg)
    nowhere = -1.0
    coded = np.array(
        [
            np.nan if cell is None or cell != cell else places.get(cell, nowhere)
            for cell in cells.tolist()
        ]
    )
    invalid = int((coded == nowhere).sum())
    if invalid:
        msg = f"{name} has {invalid} values that are none of its categories"
        raise ValueError(msg)
    return coded
