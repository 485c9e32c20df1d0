"""How a call is to run: threads, instruction set, progress, chance."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace

import numpy as np

from tokumei import machine
from tokumei._check.kinds import Callback
from tokumei._check.scalars import number, whole


@dataclass(frozen=True, slots=True)
class Deadline:
    """When work must end, by the monotonic clock, and whether it was still under way then."""

    at: float
    # Shared by the parts of the work: where one of them is cut, the work is.
    _cut: list[bool] = field(default_factory=lambda: [False])

    @property
    def cut(self) -> bool:
        """Whether work has ended because of it."""
        return self._cut[0]

    def left(self) -> float:
        """Seconds that are left; less than none where it has passed."""
        return self.at - time.monotonic()

    def passed(self) -> bool:
        """Whether work must end now, which is remembered."""
        if self.left() > 0:
            return False
        self._cut[0] = True
        return True

    def part(self, share: float) -> Deadline:
        """For so much of the work that is left."""
        return replace(self, at=time.monotonic() + self.left() * share)


@dataclass(frozen=True, slots=True)
class Run:
    """How a call is run: made once by a public function and handed down to every kernel.

    It changes no bit of a result.
    """

    n_threads: int
    instruction_set: int
    callback: Callback | None = None

    def tell(self, share: float) -> None:
        """Say that so much of the work is done."""
        if self.callback is not None:
            self.callback(share)

    def part(self, begin: float, end: float) -> Run:
        """For one part of the work, from one share of the whole to another."""
        if self.callback is None:
            return self
        tell = self.callback
        return replace(self, callback=lambda done: tell(begin + (end - begin) * done))

    def parts(self, count: int) -> list[Run]:
        """For so many parts of the work, one after the other."""
        return [self.part(number / count, (number + 1) / count) for number in range(count)]

    def until(self, end: Deadline | None) -> Run:
        """For work that ends, by StopIteration, at a deadline."""
        if end is None:
            return self

        def tell(share: float) -> None:
            self.tell(share)
            if end.passed():
                raise StopIteration

        return replace(self, callback=tell)

    def silent(self) -> Run:
        """For work that is no part of what is told."""
        return replace(self, callback=None)


def run(n_threads: int | None = None, callback: Callback | None = None) -> Run:
    """The run that is asked for; the one place where the environment is read."""
    if callback is not None and not callable(callback):
        msg = f"callback must be callable with the share done, got {type(callback).__name__}"
        raise TypeError(msg)
    return Run(threads(n_threads), machine.level(os.environ), callback)


def threads(n_threads: int | None) -> int:
    """The number of threads: None for all the process may use (or TOKUMEI_NUM_THREADS)."""
    if n_threads is None or (n_threads := whole(n_threads, "n_threads")) == -1:
        return machine.default_threads(os.environ)
    if not 1 <= n_threads <= machine.MOST_THREADS:
        msg = f"n_threads must be between 1 and {machine.MOST_THREADS}, -1 or None, got {n_threads}"
        raise ValueError(msg)
    return n_threads


def deadline(time_limit: float | None) -> Deadline | None:
    """When work that may take so many seconds must end."""
    if time_limit is None:
        return None
    seconds = number(time_limit, "time_limit")
    if seconds <= 0:
        msg = f"time_limit must be positive, got {time_limit}"
        raise ValueError(msg)
    return Deadline(time.monotonic() + seconds)


def seed(random_state: int | np.random.Generator | None) -> int:
    """A word of 64 bits for a search; the same one each time where nothing is asked for."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    value = whole(random_state, "random_state")
    if not 0 <= value < 2**64:
        msg = f"random_state must be between 0 and 2**64 - 1, got {value}"
        raise ValueError(msg)
    return value


def generator(random_state: int | np.random.Generator | None) -> np.random.Generator:
    """A generator of random numbers: one that is given, or one from a seed or from entropy."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if random_state is not None and whole(random_state, "random_state") < 0:
        msg = f"random_state must be 0 or more, got {random_state}"
        raise ValueError(msg)
    return np.random.default_rng(random_state)
