"""What an attack comes to: counts, from which rates and the risk follow."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from tokumei.risk.attacks.rates import Rate, raised, residual, wilson


@dataclass(frozen=True)
class Attack:
    """An attack and how often it was right.

    It holds counts and names of columns.

    Attributes
    ----------
    name, knows : str
        The attack, and what its adversary knows.
    successes, attempts : int
        Of attacks on people whose records were released.
    control_successes, control_attempts : float or None, int
        Of the same on people who are not in the release; None where the attack needs none.
    baseline_successes, baseline_attempts : int
        Of guesses without the release. They only say whether the attack was a strong one.
    allowed : float
        The probability of a right guess that was asked for in so many words, as 1/k.
    columns : tuple
        The columns that made it succeed, the worst first.
    note : str
        What should be known beside the figures.
    """

    name: str
    knows: str
    successes: float
    attempts: int
    control_successes: float | None = None
    control_attempts: int = 0
    baseline_successes: float = 0
    baseline_attempts: int = 0
    allowed: float = 0.0
    columns: tuple[Hashable, ...] = ()
    note: str = ""

    @property
    def attack_rate(self) -> Rate:
        """How often the attack was right."""
        return wilson(self.successes, self.attempts)

    @property
    def control_rate(self) -> Rate | None:
        """How often it was right of people who are not in the release."""
        if self.control_successes is None:
            return None
        return wilson(self.control_successes, self.control_attempts)

    @property
    def baseline_rate(self) -> Rate:
        """How often a guess was right."""
        return wilson(self.baseline_successes, self.baseline_attempts)

    @property
    def risk(self) -> Rate:
        """What the release adds: (attack - control) / (1 - control), or the attack rate itself."""
        control = self.control_rate
        if control is None and not self.allowed:
            return self.attack_rate
        base = Rate(0.0, 0.0, 0.0) if control is None else control
        return residual(self.attack_rate, raised(base, self.allowed))

    @property
    def strong(self) -> bool:
        """Whether it did better than guesses; of a weak attack nothing follows."""
        return self.attack_rate.lower > self.baseline_rate.upper

    def __add__(self, other: Attack) -> Attack:
        """Both together, as one attack of more attempts."""
        control = (
            None
            if self.control_successes is None or other.control_successes is None
            else self.control_successes + other.control_successes
        )
        return replace(
            self,
            successes=self.successes + other.successes,
            attempts=self.attempts + other.attempts,
            control_successes=control,
            control_attempts=self.control_attempts + other.control_attempts,
            baseline_successes=self.baseline_successes + other.baseline_successes,
            baseline_attempts=self.baseline_attempts + other.baseline_attempts,
            columns=tuple(dict.fromkeys(self.columns + other.columns)),
            note=self.note or other.note,
        )

    def __str__(self) -> str:
        if not self.attempts:
            return f"{self.name}: {self.note or 'nothing to attack'}"
        text = f"{self.name}: risk {self.risk}; attack {self.attack_rate.value:.3f}"
        if self.control_rate is not None:
            text += f", control {self.control_rate.value:.3f}"
        if self.baseline_attempts:
            text += f", guess {self.baseline_rate.value:.3f}"
        text += f", {self.attempts:,} attempts"
        blamed = ", ".join(map(str, self.columns)) if self.risk.lower > 0.0 else ""
        return text + (f"; by {blamed}" if blamed else "") + (f" ({self.note})" * bool(self.note))
