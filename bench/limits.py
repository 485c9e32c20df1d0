"""What this machine can do at most, on one core: how fast it reads memory and how fast it counts.

Reading: an array is reduced to one number, again and again, and the fastest of three ways counts:
the sum of a compiled loop (numba, reassociated so that it vectorises), numpy's maximum, BLAS's dot
product. The array is half of L2, a part of L3, or several times L3, so it is read from where its
size says. On an AVX-512 server core the compiled loop gave 268 / 121 / 45 GB/s for L2 / L3 / DRAM
where a STREAM-like program in C++ reads 276 / 112-125 / 42. Without numba L3 and DRAM come out the
same, but L2 at about half: calls from Python are too short for it, and a limit taken from it is too
kind.

Counting: multiply-adds of a compiled loop that stays in L1 (118 of 142 GFLOP/s there), or BLAS's
matrix product (65), whichever is more. A multiply-add counts twice and is one step: where bits are
promised and nothing may be fused, steps bound the time. A processor with units for additions alone
takes more steps than that.

A limit is a bound for the plain algorithm. A kernel that finds the same answer and reads less can
pass it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import cast

import numpy as np

from bench.problems import Floats

KIB = 1024
MIB = 1024 * KIB
CHAIN = 16  # multiply-adds between loading a value and storing it


@dataclass(frozen=True)
class Memory:
    """One level: data up to `capacity` bytes are read at `speed` bytes a second."""

    name: str
    capacity: int | None  # None: all there is
    speed: float
    measured_by: str

    def holds(self, size: float) -> bool:
        return self.capacity is None or size <= self.capacity


@dataclass(frozen=True)
class Machine:
    memories: tuple[Memory, ...]  # the nearest first, the last holds everything
    flops: float  # additions and multiplications a second
    flops_measured_by: str

    def passing(self, size: float, working_set: float) -> float:
        """Seconds to read or write `size` bytes of data that take up `working_set`."""
        memory = next(memory for memory in self.memories if memory.holds(working_set))
        return size / memory.speed

    def counting(self, operations: float) -> float:
        """Seconds for so many additions and multiplications, two at a step."""
        return operations / self.flops

    def stepping(self, operations: float) -> float:
        """Seconds for so many operations that cannot be fused, one at a step."""
        return 2 * operations / self.flops


def measure(seconds: float = 0.2) -> Machine:
    """Measure this machine; `seconds` for each of a dozen measurements."""
    second, third = cache_size(2, MIB), cache_size(3, 16 * MIB)
    sizes = (second // 2, max(2 * second, third // 4), min(4 * third, 256 * MIB))
    names, capacities = ("L2", "L3", "DRAM"), (second, third, None)
    memories = []
    for name, capacity, size in zip(names, capacities, sizes, strict=True):
        speed, way = reading(size, seconds)
        memories.append(Memory(name, capacity, speed, way))
    flops, way = computing(seconds)
    return Machine(tuple(memories), flops, way)


def cache_size(level: int, otherwise: int) -> int:
    """The size of a cache in bytes, as Linux tells it."""
    for index in Path("/sys/devices/system/cpu/cpu0/cache").glob("index*"):
        try:
            if int((index / "level").read_text()) == level:
                return int((index / "size").read_text().strip().removesuffix("K")) * KIB
        except (OSError, ValueError):
            continue
    return otherwise


def reading(size: int, seconds: float) -> tuple[float, str]:
    """The fastest way to read an array of that size: bytes a second, and its name."""
    values: Floats = np.random.default_rng(0).random(size // 8)
    # Short arrays are read several times a call: the call itself must not count.
    passes = max(1, 16 * MIB // size)
    again = np.broadcast_to(values, (passes, values.size))
    ways: dict[str, tuple[Callable[[], object], int]] = {
        "numpy maximum": (lambda: np.maximum.reduce(again, axis=1), passes),
        "BLAS dot": (lambda: values.dot(values), 1),
    }
    if find_spec("numba"):
        import numba

        total = cast(Callable[[Floats, int], float], numba.njit(_total, fastmath=True))
        ways["compiled sum"] = (lambda: total(values, passes), passes)
    return _fastest({way: (f, n * values.nbytes) for way, (f, n) in ways.items()}, seconds)


def computing(seconds: float) -> tuple[float, str]:
    """The fastest way to add and multiply: operations a second, and its name."""
    matrix: Floats = np.random.default_rng(0).random((256, 256))
    product = np.empty_like(matrix)
    ways: dict[str, tuple[Callable[[], object], int]] = {
        "BLAS matrix product": (lambda: np.dot(matrix, matrix, out=product), 2 * 256**3)
    }
    if find_spec("numba"):
        import numba

        compiled = numba.njit(_multiply_add, fastmath={"contract"})
        chains = cast(Callable[[Floats, Floats, int], None], compiled)
        values, passes = np.ones(1024), 100
        coefficients = np.array([0.5, 0.1])
        operations = 2 * CHAIN * values.size * passes
        ways["compiled multiply-adds"] = (lambda: chains(values, coefficients, passes), operations)
    return _fastest(ways, seconds)


def _total(values: Floats, passes: int) -> float:
    total = 0.0
    for _ in range(passes):
        for i in range(values.size):
            total += values[i]
    return total


def _multiply_add(values: Floats, coefficients: Floats, passes: int) -> None:
    for _ in range(passes):
        for i in range(values.size):
            value = values[i]
            for _ in range(CHAIN):
                value = value * coefficients[0] + coefficients[1]
            values[i] = value


def _fastest(
    ways: dict[str, tuple[Callable[[], object], int]], seconds: float
) -> tuple[float, str]:
    return max((amount / _shortest(call, seconds), way) for way, (call, amount) in ways.items())


def _shortest(call: Callable[[], object], seconds: float) -> float:
    """The shortest of many calls, in CPU seconds; batches are long beside the clock's reading."""
    call()
    calls, shortest, stop = 1, float("inf"), time.process_time() + seconds
    while shortest == float("inf") or time.process_time() < stop:
        begin = time.process_time()
        for _ in range(calls):
            call()
        spent = time.process_time() - begin
        if spent < 1e-3:
            calls *= 2
        else:
            shortest = min(shortest, spent / calls)
    return shortest
