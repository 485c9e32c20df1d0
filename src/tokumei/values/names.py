"""What several values are called together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

Naming = Callable[[Sequence[Any]], Hashable]

# A label with more names than this counts the rest: it stays readable, whatever was merged.
MOST_NAMES = 6


def joined(separator: str) -> Naming:
    """Names like "farm/wood": the members in label order, many of them shortened."""

    def name(members: Sequence[Any]) -> str:
        shown = members if len(members) <= MOST_NAMES else members[: MOST_NAMES - 1]
        more = len(members) - len(shown)
        return separator.join(map(str, shown)) + (f" and {more} more" if more else "")

    return name
