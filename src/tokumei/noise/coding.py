"""An attribute's values as numbers: codes of categories, NaN for what is missing."""

from __future__ import annotations

from typing import Any

import numpy as np

from tokumei import _check
from tokumei.noise.attribute import Attribute
from tokumei.values.column import Column
from tokumei.values.columns import column


def coded(values: Any, attribute: Attribute, name: str) -> _check.Floats:
    """Numbers, or the codes of categories; NaN is missing, if that is allowed."""
    read = column(values, name)
    numbers = (
        _numbers(read, name) if attribute.categories is None else _codes(read, attribute, name)
    )
    missing = int(np.isnan(numbers).sum())
    if missing and attribute.missing == "refuse":
        msg = f"{name} has {missing} missing values; missing='category' takes them as a category"
        raise ValueError(msg)
    return numbers


def _numbers(values: Column, name: str) -> _check.Floats:
    if values.kind not in ("numeric", "boolean") and not values.missing.all():
        msg = f"{name} must be one attribute of numbers"
        raise ValueError(msg)
    infinite = int(np.isinf(values.numbers).sum())
    if infinite:
        msg = f"{name} has {infinite} infinite values"
        raise ValueError(msg)
    return values.numbers


def _codes(values: Column, attribute: Attribute, name: str) -> _check.Floats:
    places: dict[Any, float] = {
        value: place for place, value in enumerate(attribute.categories or ())
    }
    nowhere = -1.0
    known = [places.get(value, nowhere) for value in values.categories]
    coded = np.array([*known, np.nan])[values.codes]
    invalid = int((coded == nowhere).sum())
    if invalid:
        msg = f"{name} has {invalid} values that are none of its categories"
        raise ValueError(msg)
    return coded
