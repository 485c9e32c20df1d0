"""What adversaries try on a proxy, and how the gate judges what they come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tokumei.release.gate.found.proxy import Round
from tokumei.release.sections import Gate
from tokumei.risk.attacks.inference import inference
from tokumei.risk.attacks.linkability import linkability, two_sides
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.singling_out import singling_out

SINGLING_OUT, LINKABILITY, INFERENCE = "singling out", "linkability", "inference"
PREDICATES, TARGETS, COLUMNS = 500, 2000, 4


@dataclass(frozen=True)
class Known:
    """The columns of a release by what others may know of them."""

    masked: tuple[str, ...]
    unmasked: tuple[str, ...]
    secrets: tuple[str, ...]

    @property
    def all(self) -> list[str]:
        """All that others may know."""
        return [*self.masked, *self.unmasked]

    def without(self, names: Sequence[str]) -> Known:
        """The same where some unmasked columns are not released."""
        left = tuple(name for name in self.unmasked if name not in names)
        return Known(self.masked, left, self.secrets)


@dataclass(frozen=True)
class Question:
    """An attack, the check that it decides, and the residual that is still fine."""

    check: str
    threshold: float
    ask: Callable[[Round, np.random.Generator], Attack]

    def open(self, found: Attack) -> bool:
        """Whether the interval decides nothing yet."""
        risk = found.risk
        return risk.lower <= self.threshold < risk.upper


def questions(known: Known, k: int | None, gate: Gate) -> list[Question]:
    """What is asked of a release with these columns, of which k were promised to be equal."""

    def single(columns: int) -> Callable[[Round, np.random.Generator], Attack]:
        def ask(of: Round, chance: np.random.Generator) -> Attack:
            members, proxy, strangers = (
                each.only(known.all) for each in (of.members, of.proxy, of.strangers)
            )
            return singling_out(
                members, proxy, strangers, columns=columns, attacks=PREDICATES, chance=chance
            )

        return ask

    def link(of: Round, chance: np.random.Generator) -> Attack:
        sides = two_sides(known.masked, known.unmasked)
        return linkability(
            of.members, of.proxy, of.strangers, sides, attacks=TARGETS, chance=chance
        )

    def infer(secret: str) -> Callable[[Round, np.random.Generator], Attack]:
        def ask(of: Round, chance: np.random.Generator) -> Attack:
            return inference(
                of.members,
                of.proxy,
                of.strangers,
                known.all,
                secret,
                attacks=TARGETS,
                chance=chance,
                allowed=0.0 if k is None else 1.0 / k,
            )

        return ask

    several = min(COLUMNS, len(known.all))
    found = [
        Question(SINGLING_OUT, gate.singling_out, single(columns))
        for columns in dict.fromkeys((1, several))
    ]
    if len(known.all) > 1:
        found.append(Question(LINKABILITY, gate.linkability, link))
    return found + [Question(INFERENCE, gate.inference, infer(secret)) for secret in known.secrets]
