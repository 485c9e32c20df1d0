"""Kernels that grow groups or halve them: vmdav, kmember, mondrian."""

from __future__ import annotations

import math

import tokumei as tk
from bench.kernel import Case, Kernel, Labels, loss_of_groups, same_groups
from bench.kernels.groups import scanning, table_and_k
from bench.limits import Machine
from bench.problems import Floats


def vmdav(X: Floats, k: int) -> Labels:
    return tk.vmdav(X, k, n_threads=1)


def kmember(X: Floats, k: int) -> Labels:
    return tk.microaggregation.kmember(X, k, n_threads=1)


def mondrian(X: Floats, k: int) -> Labels:
    return tk.microaggregation.mondrian(X, k, n_threads=1)


def vmdav_limit(machine: Machine, X: Floats, k: int) -> float:
    """At least one scan of the remaining records for the members of a group, of 2k - 1 at most."""
    return scanning(machine, X, scans=len(X) / (2 * k - 1))


def kmember_limit(machine: Machine, X: Floats, _k: int) -> float:
    """One scan of the remaining records for every record that joins a group."""
    return scanning(machine, X, scans=float(len(X)))


def mondrian_limit(machine: Machine, X: Floats, k: int) -> float:
    """The table read once for every time that it is halved."""
    times = max(1, math.ceil(math.log2(max(1.0, len(X) / (2 * k - 1)))))
    return machine.passing(times * X.nbytes, X.nbytes)


VMDAV = Kernel(
    name="vmdav",
    arguments=table_and_k,
    answer=vmdav,
    same=same_groups,
    score=loss_of_groups,
    limit=vmdav_limit,
    cases=(
        Case("normal", 20_000, 8, k=5),
        Case("normal", 100_000, 8, k=5),
        Case("microdata", 20_000, 8, k=5),
        Case("adult", k=5),
    ),
    quick=(Case("normal", 4_000, 8, k=5),),
)

KMEMBER = Kernel(
    name="kmember",
    arguments=table_and_k,
    answer=kmember,
    same=same_groups,
    score=loss_of_groups,
    limit=kmember_limit,
    cases=(Case("normal", 20_000, 8, k=5), Case("normal", 20_000, 8, k=50), Case("adult", k=5)),
    quick=(Case("normal", 4_000, 8, k=5),),
)

MONDRIAN = Kernel(
    name="mondrian",
    arguments=table_and_k,
    answer=mondrian,
    same=same_groups,
    score=loss_of_groups,
    limit=mondrian_limit,
    cases=(Case("normal", 1_000_000, 8, k=5), Case("adult", k=5), Case("ties", 1_000_000, 8, k=5)),
    quick=(Case("normal", 20_000, 8, k=5),),
)
