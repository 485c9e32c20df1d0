"""Homogeneity: the class of a person has one secret, so it is the person's.

The adversary knows the masked columns of a target as they were released, so that it knows the
class. Of a class whose records all have the same secret it knows the target's for certain. Counted
for every record in a class of two or more; the guess beside it is the commonest secret of all.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from tokumei._check import Labels
from tokumei.risk.attacks.outcome import Attack

KNOWS = "the class of a person"


def homogeneity(labels: Labels, secrets: Labels, secret: Hashable) -> Attack:
    """Read secrets (codes from 0) off classes that have one only."""
    sizes = np.bincount(labels)
    of_one = np.empty(len(sizes), dtype=secrets.dtype)
    of_one[labels] = secrets  # that of any member
    more = np.bincount(labels[secrets != of_one[labels]], minlength=len(sizes))
    told = sizes[(more == 0) & (sizes > 1)].sum()
    return Attack(
        f"homogeneity of {secret}",
        KNOWS,
        successes=int(told),
        attempts=len(labels),
        baseline_successes=int(np.bincount(secrets).max()),
        baseline_attempts=len(labels),
        note="for certain, in classes of two or more",
    )
