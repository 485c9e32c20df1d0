"""Every argument check of the array functions, and its message.

A check returns the argument in the one form the kernels take, or raises before any work is done:
``TypeError`` for a wrong kind, ``ValueError`` for a wrong value. A message names the argument, the
rule and counts; it never holds a value of the data.
"""

from tokumei._check.collecting import GiveBack, collected
from tokumei._check.kinds import LARGEST, Callback, Floats, Labels
from tokumei._check.noise import (
    above_zero,
    bounds,
    edges,
    population,
    transitions,
    within,
)
from tokumei._check.rows import (
    flags,
    groups_of,
    labels,
    per_axis,
    permutation,
    positive,
    probabilities,
    weights,
)
from tokumei._check.running import Deadline, Run, deadline, generator, run, seed, threads
from tokumei._check.scalars import (
    at_least,
    between,
    flag,
    gamma,
    group_size,
    inside,
    instance,
    number,
    one_of,
    share_or_none,
    whole,
)
from tokumei._check.tables import (
    column,
    column_major,
    exponent_of,
    in_scale,
    one_attribute,
    scaled_table,
    table,
    table_in_place,
)

__all__ = [
    "LARGEST",
    "Callback",
    "Deadline",
    "Floats",
    "GiveBack",
    "Labels",
    "Run",
    "above_zero",
    "at_least",
    "between",
    "bounds",
    "collected",
    "column",
    "column_major",
    "deadline",
    "edges",
    "exponent_of",
    "flag",
    "flags",
    "gamma",
    "generator",
    "group_size",
    "groups_of",
    "in_scale",
    "inside",
    "instance",
    "labels",
    "number",
    "one_attribute",
    "one_of",
    "per_axis",
    "permutation",
    "population",
    "positive",
    "probabilities",
    "run",
    "scaled_table",
    "seed",
    "share_or_none",
    "table",
    "table_in_place",
    "threads",
    "transitions",
    "weights",
    "whole",
    "within",
]
