"""One column recoded by the options that name it: level, bins, top, bottom, share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei._check import Labels
from tokumei.recode import bottom_code, top_code
from tokumei.recode.numeric import binned
from tokumei.recode.share import merged_by_share
from tokumei.release.errors import InputError
from tokumei.release.io import frames
from tokumei.release.kinds import fault_of, kind_of
from tokumei.release.recode.step import Recode
from tokumei.release.schema import Columns
from tokumei.values.column import Column
from tokumei.values.hierarchy import Hierarchy

RULES = {"tree": "parents", "numeric": "neighbours", "ordinal": "neighbours"}
NUMERIC = ("top", "bottom", "bins")


@dataclass(frozen=True)
class Recoded:
    """A column after recoding: its cells as text, its categories, and how many there were.

    `ordered` are categories that stand in their order; `in_tree` those that are nodes of the
    column's tree.
    """

    cells: list[str | None]
    categories: list[str]
    before: int
    ordered: bool = False
    in_tree: bool = False


def numeric(step: Recode) -> dict[str, Any]:
    return {each: getattr(step, each) for each in NUMERIC}


def recoded(
    name: str, column: Column, columns: Columns, step: Recode, times: Labels | None = None
) -> Recoded:
    """One column, by the options that name it; its missing cells stay missing.

    Each cell stands so many times, where that is said.
    """
    asked = [each for each, of in numeric(step).items() if name in of]
    if asked and (name in step.level or ("bins" in asked and len(asked) > 1)):
        msg = f"column {name!r} is recoded by a level, by bins, or by top and bottom; not by two"
        raise InputError(msg)
    dates = name in step.level and kind_of(name, column, columns) == "date"
    if not asked and name in step.level and name not in columns.trees and not dates:
        msg = f"column {name!r} is to be on a level of its tree, but no tree is given for it"
        raise InputError(msg)
    if ("top" in asked or "bottom" in asked) and name in step.share:
        msg = f"column {name!r}: a share goes alone, with a level or with bins"
        raise InputError(msg)
    try:
        if asked:
            return _of_numbers(name, column, step, times)
        return _of_categories(name, column, columns, step, times)
    except (TypeError, ValueError) as error:  # these messages are the library's own
        msg = f"column {name!r}: {error}"
        raise InputError(msg) from None


def _of_numbers(name: str, column: Column, step: Recode, times: Labels | None) -> Recoded:
    values = _numbers(name, column)
    present = ~np.isnan(values)
    x, before = values[present], len(np.unique(values[present]))
    if not len(x):
        return Recoded([None] * len(values), [], 0, ordered=True)
    if name in step.bins:
        often = None if times is None else times[present]
        found = binned(x, step.bins[name], share=step.share.get(name), times=often)
        return _made(found.values, present, list(found.counts), before, ordered=True)
    low, high = step.bottom.get(name), step.top.get(name)
    if low is not None and high is not None and low >= high:
        msg = f"bottom must be below top, got {low:g} and {high:g}"
        raise ValueError(msg)
    texts = np.array(_texts(column), dtype=object)[present]
    # Each number by one of its texts, as 7 and 7.0 are one number.
    distinct, first, code = np.unique(x, return_index=True, return_inverse=True)
    labels = texts[first]
    if low is not None:
        labels = np.where(distinct <= low, bottom_code(distinct, limit=low).values, labels)
    if high is not None:
        labels = np.where(distinct >= high, top_code(distinct, limit=high).values, labels)
    return _made(labels[code], present, list(dict.fromkeys(labels)), before, ordered=True)


def _of_categories(
    name: str, column: Column, columns: Columns, step: Recode, times: Labels | None
) -> Recoded:
    kind, tree = kind_of(name, column, columns), columns.trees.get(name)
    numbers = _numbers(name, column) if kind == "numeric" else None
    present = ~column.missing if numbers is None else ~np.isnan(numbers)
    if not present.any():
        return Recoded([None] * len(present), [], 0)
    before = len(np.unique(column.codes[present]))
    cells = _objects(column.categories)[column.codes[present]]
    level = step.level.get(name)
    if kind == "date" and level is not None:
        tree = Hierarchy.from_dates(column.categories, name="it")
    if tree is not None and level is not None:
        tree.places(cells, "it")
        cells = tree.at(cells, level)
    if name not in step.share:
        return _made(cells, present, list(dict.fromkeys(cells)), before, in_tree=True)
    rule = step.rule.get(name, RULES.get(kind, "smallest"))
    order: Sequence[Any] | None = None
    if numbers is not None:
        found = numbers[present]
        whole = bool((found == np.rint(found)).all())
        cells = _objects((found.astype(np.int64) if whole else found).tolist())
    elif kind == "ordinal":
        order = columns.orders.get(name, column.categories if column.kind == "ordered" else None)
    merged = merged_by_share(
        cells,
        step.share[name],
        times=None if times is None else times[present],
        rule=rule,
        order=order,
        parent_of=tree if rule == "parents" else None,
        other=step.other_label,
    )
    ordered = rule == "neighbours" and kind in ("numeric", "ordinal")
    return _made(merged.values, present, list(merged.counts), before, ordered=ordered)


def _made(
    values: Iterable[Any], present: Any, categories: list[Any], before: int, **about: bool
) -> Recoded:
    cells = _objects([None]).repeat(len(present))
    cells[present] = [str(value) for value in values]
    return Recoded(cells.tolist(), [str(each) for each in categories], before, **about)


def _numbers(name: str, column: Column) -> Any:
    values, invalid = column.asked_for_numbers()
    fault = fault_of(values, invalid, "keep")
    if fault:
        msg = f"column {name!r} has {fault}"
        raise InputError(msg)
    return values


def _texts(column: Column) -> list[Any]:
    cells: list[Any] = frames.without_dictionary(column.source).cast(pa.string()).to_pylist()
    return cells


def _objects(values: Sequence[Any]) -> Any:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
