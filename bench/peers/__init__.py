"""Everyone who answers the same questions.

A peer is a module with `available()` and one function for each kernel it can compute: named as the
kernel, called with the kernel's arguments. Labels may be numbered in any way. A peer that cannot do
a size raises Declined before it starts. Preparing data counts, as a user has to do it; compiling
does not, as every peer is called on a small problem first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from importlib.metadata import version
from types import ModuleType
from typing import Any

from bench.peers import (
    anonypyx_package,
    k_means_constrained_package,
    lighthouse_package,
    microagg1d_package,
    microaggregation_package,
    numba_package,
    numpy_arrays,
    one_group,
    plain_mixture,
    pure_python,
    rapidfuzz_package,
    scipy_package,
    sklearn_package,
)


class Role(StrEnum):
    TRUTH = "truth"  # defines what is right
    FLOOR = "floor"  # does nothing, or something else, for its price: never compared
    PEER = "peer"  # must agree with the truth to be compared
    RIVAL = "rival"  # groups of at least k by other means: its loss stands beside its time

    @property
    def agreeing(self) -> bool:
        """Whether its answer has to be the truth's."""
        return self in (Role.TRUTH, Role.PEER)


@dataclass(frozen=True)
class Peer:
    name: str
    role: Role
    module: ModuleType
    package: str | None = None  # on the package index

    def available(self) -> bool:
        return bool(self.module.available())

    def answers(self, kernel: str) -> bool:
        return hasattr(self.module, kernel)

    def answer(self, kernel: str) -> Callable[..., Any]:
        function: Callable[..., Any] = getattr(self.module, kernel)
        return function

    def version(self) -> str | None:
        return version(self.package) if self.package and self.available() else None


TRUTH = Peer("pure Python", Role.TRUTH, pure_python)

PEERS = (
    TRUTH,
    Peer("one group", Role.FLOOR, one_group),
    Peer("numpy", Role.PEER, numpy_arrays, "numpy"),
    Peer("numba", Role.PEER, numba_package, "numba"),
    Peer("scipy", Role.PEER, scipy_package, "scipy"),
    Peer("scikit-learn", Role.PEER, sklearn_package, "scikit-learn"),
    Peer("rapidfuzz", Role.PEER, rapidfuzz_package, "rapidfuzz"),
    Peer("microaggregation", Role.PEER, microaggregation_package, "microaggregation"),
    Peer("microagg1d", Role.PEER, microagg1d_package, "microagg1d"),
    Peer("anonypyx", Role.PEER, anonypyx_package, "anonypyx"),
    Peer("k-means-constrained", Role.RIVAL, k_means_constrained_package, "k-means-constrained"),
    Peer("lighthouse", Role.RIVAL, lighthouse_package, "project-lighthouse-anonymize"),
    Peer("plain mixture", Role.FLOOR, plain_mixture, "scikit-learn"),
)
