"""Background knowledge: who can rule out some secrets is left with one.

The adversary knows the class of a person, and of some of the secrets in it that they are not the
person's. Where a class has no more than that many others, the person's own is left. Counted for
every record in a class of two or more, at worst: the adversary rules out the right ones.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from tokumei._check import Labels
from tokumei.risk.attacks.outcome import Attack

KNOWS = "the class of a person, and one secret that is not its own"


def background_knowledge(
    labels: Labels, secrets: Labels, secret: Hashable, *, ruled_out: int = 1
) -> Attack:
    """Read secrets (codes from 0) off classes that have few."""
    sizes = np.bincount(labels)
    kinds = int(secrets.max()) + 1
    pairs = np.unique(labels * kinds + secrets)
    values = np.bincount(pairs // kinds, minlength=len(sizes))
    told = sizes[(values <= 1 + ruled_out) & (sizes > 1)].sum()
    return Attack(
        f"background knowledge of {secret}",
        KNOWS,
        successes=int(told),
        attempts=len(labels),
        note="at worst, in classes of two or more",
    )
