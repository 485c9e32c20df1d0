"""What a question of the gate gets back: a verdict, a sentence, and what was counted."""

from __future__ import annotations

from dataclasses import dataclass, field

Answer = tuple[bool, str, dict[str, float]]


@dataclass(frozen=True)
class Check:
    """A question, its verdict, and what was counted on the way."""

    name: str
    passed: bool
    detail: str
    measured: dict[str, float] = field(default_factory=dict)
