"""What a question of the gate gets back: a verdict, a sentence, and what was counted."""

from __future__ import annotations

from dataclasses import dataclass, field

Answer = tuple[bool, str, dict[str, float]]


@dataclass(frozen=True)
class Check:
    """A question, its verdict, and what was counted on the way.

    A check that is `undecided` has not passed. With a `reason` a person takes it upon them;
    `columns` are those that made it fail. `measured` is what was achieved; `figures` are those of
    the check itself.
    """

    name: str
    passed: bool
    detail: str
    measured: dict[str, float] = field(default_factory=dict)
    undecided: bool = False
    reason: str = ""
    columns: tuple[str, ...] = ()
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """passed, accepted, undecided or failed."""
        if self.passed:
            return "passed"
        return "accepted" if self.reason else "undecided" if self.undecided else "failed"
