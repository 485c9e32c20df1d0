"""Tables that are no dataframe yet are collected on the way in, and a release is given back as what
came; and names of columns that are numbers become texts.
"""

from __future__ import annotations

import sys
from typing import Any

from tokumei import _check
from tokumei.release.errors import InputError, as_input_error


def collected(table: Any) -> tuple[Any, _check.GiveBack]:
    """A table as a dataframe, and what makes of a dataframe the kind of table that it was."""
    with as_input_error("the table cannot be read"):
        found, given_back = _check.collected(table, "the table")
    return _named(found) if found is table else (found, given_back)


def _named(table: Any) -> tuple[Any, _check.GiveBack]:
    """A dataframe of pandas whose columns have numbers for names, with texts for them."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(table, pandas.DataFrame):
        return table, _as_it_is
    if isinstance(table.columns, pandas.MultiIndex):
        msg = "the table has column names of several levels; join them to one first"
        raise InputError(msg)
    was = {str(name): name for name in table.columns if type(name) is int}
    if not was or len(was) < len(table.columns):
        return table, _as_it_is
    return table.set_axis(list(was), axis=1), lambda made: made.rename(columns=was)


def _as_it_is(made: Any) -> Any:
    return made
