"""Pk-anonymity: a released row is linked to its record with probability 1/k at most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tokumei._check.options import Options, at_least, option


@dataclass(frozen=True)
class PkAnonymity(Options):
    """Linkage of any row succeeds with probability 1/k at most.

    Noise keeps it (`tokumei.noise`), no partition shows it: the bound is that of the channels.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.privacy.PkAnonymity(2).k
    2
    """

    k: int = option(5, rule=at_least(2), help="Linkage succeeds with at most 1 in K.")

    model: ClassVar[str] = "Pk-anonymity"
