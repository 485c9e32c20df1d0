"""Metadata and bytes: a file holds more than its cells, and some of that is of the original.

The adversary opens the file with a tool that shows all of it: the labels of rows, the least and the
largest value of each column, dictionaries with words that no cell has any more, what a writer
noted of the table. It looks there for words that it knows from the original (four letters or more,
or numbers of as many digits) and that no released cell holds. As often as the same words backwards
are there, it is by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from tokumei.risk.attacks.outcome import Attack

KNOWS = "the file, and words of the original"
SHORTEST, MOST = 4, 20_000


def left_behind(words: Iterable[str], released: Set[str], texts: Iterable[str]) -> Attack:
    """Look for words in texts that a file has beside its cells."""
    known = sorted({word for word in words if len(word) >= SHORTEST} - released)[:MOST]
    beside = "\n".join(texts)
    backwards = [word[::-1] for word in known]
    decoys = [word for word in backwards if word not in released]
    return Attack(
        "metadata and bytes",
        KNOWS,
        successes=sum(word in beside for word in known),
        attempts=len(known),
        control_successes=sum(word in beside for word in decoys),
        control_attempts=len(known),
        note="" if beside else "the file has nothing beside its cells",
    )
