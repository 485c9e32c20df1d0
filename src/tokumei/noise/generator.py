"""Keys for noise, from the operating system; and the doors to what is drawn with them.

Every call has a key of its own: none is kept, so a forked process or another thread cannot meet
the same one. Where the operating system gives no key, there is no noise and no release.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from tokumei import _check
from tokumei._kernels import noise as _kernels

Key = NDArray[np.uint32]


class NotPrivateWarning(UserWarning):
    """Noise was drawn from a seed: whoever knows the seed can take it off again."""


class GeneratorError(RuntimeError):
    """The operating system's source of random bytes failed; nothing was drawn."""


def key(insecure_seed_for_tests: int | None = None) -> Key:
    """A new key of 256 bits; the same one each time for a test's seed, with a warning."""
    if insecure_seed_for_tests is not None:
        seed = _check.whole(insecure_seed_for_tests, "insecure_seed_for_tests")
        if not 0 <= seed < 2**64:
            msg = "insecure_seed_for_tests must be between 0 and 2**64 - 1"
            raise ValueError(msg)
        warnings.warn(
            "noise drawn from a seed is not private", NotPrivateWarning, stacklevel=_caller()
        )
        return np.frombuffer(seed.to_bytes(32, "little"), dtype="<u4").astype(np.uint32)
    try:
        drawn = os.urandom(64)
    except Exception as error:
        msg = f"the operating system gives no random bytes ({type(error).__name__})"
        raise GeneratorError(msg) from None
    # A source that is stuck says the same twice; a sound one does so once in 2^256 calls.
    if len(drawn) != 64 or drawn[:32] == drawn[32:]:
        msg = "the operating system's random bytes are not random"
        raise GeneratorError(msg)
    return np.frombuffer(drawn[:32], dtype=np.uint32).copy()


@contextmanager
def _wiped(key: Key) -> Iterator[None]:
    """Leave nothing of a key, however its use ends."""
    try:
        yield
    finally:
        key[:] = 0


def _caller() -> int:
    """How far up the first frame outside tokumei is."""
    import sys

    frame, steps = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("tokumei"):
        frame, steps = frame.f_back, steps + 1
    return steps


def discrete_laplace(key: Key, rate: int, count: int, run: _check.Run) -> _check.Labels:
    """Whole numbers j with probability in proportion to exp(-|j| rate / 2**64), exactly."""
    out = np.empty(count, dtype=np.int64)
    with _wiped(key):
        _kernels.discrete_laplace(key, rate >> 64, rate & (2**64 - 1), out, run)
    return out


def scatter(
    key: Key,
    codes: _check.Labels,
    *,
    count: int,
    reach: int,
    near: int,
    run: _check.Run,
) -> _check.Labels:
    """Codes 0..count-1 over 0..count-1+2 reach: near ones with probability near / 2**64."""
    out = np.empty(len(codes), dtype=np.int64)
    with _wiped(key):
        _kernels.scatter(key, count, reach, near, codes, out, run)
    return out


def order(key: Key, rows: int, run: _check.Run) -> _check.Labels:
    """An order of the rows, each as likely as any other."""
    out = np.empty(rows, dtype=np.int64)
    with _wiped(key):
        _kernels.secure_order(key, out, run)
    return out


def places(key: Key, rows: int, parts: int, run: _check.Run) -> _check.Labels:
    """One of 0..parts-1 for each row, all equally likely and none knowing of the others."""
    out = np.empty(rows, dtype=np.int64)
    with _wiped(key):
        _kernels.secure_places(key, parts, out, run)
    return out
