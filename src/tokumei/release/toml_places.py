"""Where in a TOML text an option stands: line and column, for messages.

Tables, arrays of tables and keys at the beginning of a line are found; what is written in another
way, such as an inline table, has the place of what it stands in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

HEADER = re.compile(r"\s*(\[\[?)([^\[\]]+)\]\]?\s*(#.*)?$")
KEY = re.compile(
    r"(\s*)((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*="
)
PART = re.compile(r"[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'")
Path_ = tuple[str | int, ...]


def place_of(text: str, path: Sequence[str | int]) -> tuple[int, int] | None:
    """The line and the column of an option, from 1; of what it stands in where it is not found."""
    places = _places(text)
    wanted = tuple(path)
    while wanted:
        if wanted in places:
            return places[wanted]
        wanted = wanted[:-1]
    return None


def _places(text: str) -> dict[Path_, tuple[int, int]]:
    places: dict[Path_, tuple[int, int]] = {}
    counts: dict[Path_, int] = {}
    inside: Path_ = ()
    open_brackets = 0
    for number, line in enumerate(text.splitlines(), start=1):
        bare = re.sub(r"\"[^\"]*\"|'[^']*'|#.*", "", line)
        header = HEADER.match(line) if not open_brackets else None
        if header:
            parts = _parts(header[2])
            if header[1] == "[[":
                at = counts.get(parts, -1) + 1
                counts[parts] = at
                places.setdefault(parts, (number, 1))
                inside = (*parts, at)
            else:
                inside = _within(parts, counts)
            places.setdefault(inside, (number, 1 + len(line) - len(line.lstrip())))
            continue
        key = KEY.match(line) if not open_brackets else None
        if key:
            path = inside
            for part in _parts(key[2]):
                path = (*path, part)
                places.setdefault(path, (number, 1 + len(key[1])))
        open_brackets = max(0, open_brackets + bare.count("[") - bare.count("]"))
    return places


def _parts(dotted: str) -> Path_:
    return tuple(part.strip("\"'") for part in PART.findall(dotted))


def _within(parts: Path_, counts: dict[Path_, int]) -> Path_:
    """A table below an array of tables belongs to the last of them."""
    inside: Path_ = ()
    for part in parts:
        inside = (*inside, part)
        if inside in counts:
            inside = (*inside, counts[inside])
    return inside
