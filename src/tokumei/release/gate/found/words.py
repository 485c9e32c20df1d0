"""Figures of attacks as a person reads them."""

from __future__ import annotations

from tokumei.release.errors import counted
from tokumei.risk.attacks.outcome import Attack


def percent(share: float) -> str:
    """A share in parts of a hundred."""
    return f"{100.0 * share:.3g} %"


def which(check: str, attack: Attack) -> str:
    """What an attack's name adds to that of its check: "3 columns: ", "income: "."""
    found = attack.name.removeprefix(check).strip(" ()").removeprefix("of ")
    return f"{found}: " if found else ""


def rates(attack: Attack) -> str:
    """How often an attack was right, and how often of others."""
    control = attack.control_rate
    told = f"attack {attack.attack_rate.value:.3f}"
    if control is not None:
        told += f", control {control.value:.3f}"
    told += f", {counted(attack.attempts, 'attempt')}"
    return told + (f" ({attack.note})" if attack.note else "")
