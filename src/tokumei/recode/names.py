"""What merged categories are called."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from tokumei.values.names import Naming, joined


def spanned(members: Sequence[Any]) -> str:
    """Names like "20 to 29": the first and the last of neighbours."""
    return f"{members[0]} to {members[-1]}"


def always(label: Hashable) -> Naming:
    """One name, whatever the members are."""
    return lambda _members: label


def naming(label: str | Naming | None, default: Naming) -> Naming:
    """The way to name that an option asks for."""
    if label is None:
        return default
    if isinstance(label, str):
        return joined(label)
    if not callable(label):
        msg = f"label must be a separator or a function of the members, got {type(label).__name__}"
        raise TypeError(msg)
    return label


def labels(groups: Sequence[Sequence[Any]], name: Naming, *, as_text: bool) -> list[Any]:
    """The label of each group of categories; one alone keeps its name, as text where asked.

    Two groups must not get one label: that would merge them as well.
    """
    made = [
        (str(members[0]) if as_text else members[0]) if len(members) == 1 else name(members)
        for members in groups
    ]
    double = len(made) - len(set(made))
    if double:
        msg = f"label must tell all categories apart; {double} new labels are used already"
        raise ValueError(msg)
    return made
