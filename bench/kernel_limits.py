"""What decision 22 says of single kernels, measured again: ratios by turns, with their spread.

    python -m bench.kernel_limits [--runs 5] [--large] [NAME ...]

Each line is a ratio of CPU times of one thread, the least and the greatest of so many runs; in a
run both sides take their turns and the best of three calls counts. "limit" is the share of what the
machine's steps allow (`bench.limits`): three for each attribute of a pair, or `POWER_STEPS` for one
that is raised to a power. Answers are compared first. `--large` adds a million rows: k-member and
V-MDAV with any gamma, seconds of all threads.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import tokumei as tk
from bench.kernel import Labels
from bench.kernels.distances import POWER_STEPS, pairs, pairs_of
from bench.limits import Machine
from bench.limits import measure as measured_machine
from bench.measure import one_thread
from bench.peers.plain_cpp import PlainLoops
from bench.problems import SEED, Floats, normal
from tokumei.microaggregation import kmember

Call = Callable[[], object]
Ratio = tuple[str, Call, Call]
POWERS = {"Manhattan": 1.0, "Chebyshev": np.inf, "p = 2.7": 2.7}


def table(rows: int, columns: int = 8) -> Floats:
    return normal(rows, columns, np.random.default_rng(SEED))


def best(call: Call, calls: int = 3) -> float:
    """CPU seconds of the fastest call."""
    spent = []
    for _ in range(calls):
        begin = time.process_time()
        call()
        spent.append(time.process_time() - begin)
    return min(spent)


def spread(numbers: list[float]) -> str:
    return f"{min(numbers):.3g} to {max(numbers):.3g}"


def scipy_pairs() -> Iterator[Ratio]:
    """Sums over pairs of 2,000 records beside scipy's."""
    from bench.peers import scipy_package

    X = table(2_000)
    ways: dict[str, Callable[[], float]] = {
        "Manhattan": lambda: scipy_package.pairs_manhattan(X),
        "Chebyshev": lambda: scipy_package.pairs_chebyshev(X),
        "p = 2.7": lambda: scipy_package.pairs_any_power(X),
    }
    for name, theirs in ways.items():
        ours = _pairs(X, POWERS[name])
        np.testing.assert_allclose(ours(), theirs(), rtol=1e-12)
        yield f"{name}, 2,000 rows: scipy / tokumei", theirs, ours


def _pairs(X: Floats, p: float) -> Callable[[], float]:
    return lambda: pairs(X, p)


def plain_loops() -> Iterator[Ratio]:
    """Plain loops at -O2 and numba beside the cut and MDAV."""
    from bench.peers import numba_package

    loops = PlainLoops()
    rows = np.ascontiguousarray(table(1_000_000))
    order = np.arange(len(rows))
    labels = tk.cut(rows, order, 5, n_threads=1)
    np.testing.assert_allclose(tk.loss.sse(rows, labels), loops.cut(rows, 5), rtol=1e-9)
    yield (
        "cut, a million rows one after the other, k = 5: plain loop / tokumei",
        lambda: loops.cut(rows, 5),
        lambda: tk.cut(rows, order, 5, n_threads=1),
    )
    some = np.ascontiguousarray(table(20_000))
    np.testing.assert_array_equal(_in_order(loops.mdav(some, 50)), tk.mdav(some, 50))
    yield (
        "MDAV, 20,000 rows, k = 50: plain loop / tokumei",
        lambda: loops.mdav(some, 50),
        lambda: tk.mdav(some, 50, n_threads=1),
    )
    many = np.asfortranarray(table(100_000))
    numba_package.mdav(many[:100], 5)
    yield (
        "MDAV, 100,000 rows, k = 5: numba / tokumei",
        lambda: numba_package.mdav(many, 5),
        lambda: tk.mdav(many, 5, n_threads=1),
    )


def _in_order(labels: Labels) -> Labels:
    """Groups numbered in the order of their first record."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    number: Labels = np.argsort(np.argsort(first))[inverse]
    return number


def narrow_t() -> Iterator[Ratio]:
    """A search whose groups must show a narrow t beside one that need not."""
    X = table(3_000)
    sensitive = np.random.default_rng(SEED).integers(5, size=len(X))
    for t in (0.05, 0.3):
        yield (
            f"search, 3,000 rows: with t = {t} / without",
            partial(tk.partition, X, 5, sensitive=sensitive, t_closeness=t, n_threads=1),
            lambda: tk.partition(X, 5, n_threads=1),
        )


RATIOS = {"pairs": scipy_pairs, "loops": plain_loops, "t": narrow_t}


def shares(runs: int) -> Iterator[str]:
    """How much of the machine's steps the sums over pairs reach."""
    for name, p in POWERS.items():
        for rows in (2_000, 8_000, 20_000):
            X = table(rows)
            found = [_share(measured_machine(0.05), X, p) for _ in range(runs)]
            yield f"{name}, {rows:,} rows: limit / tokumei: {spread(found)}"


def _share(machine: Machine, X: Floats, p: float) -> float:
    columns = X.shape[1]
    steps = 3 * columns if p in (1.0, np.inf) else POWER_STEPS * (columns + 1)
    return machine.stepping(steps * pairs_of(len(X))) / best(_pairs(X, p), 2)


def million() -> Iterator[str]:
    """What a million rows take where searches are long."""
    X = np.asfortranarray(table(1_000_000))
    calls: dict[str, Call] = {
        "k-member": lambda: kmember(X, 5),
        'V-MDAV, gamma="auto"': lambda: tk.vmdav(X, 5, gamma="auto"),
    }
    for name, call in calls.items():
        wall = time.perf_counter()
        cpu = best(call, 1)
        yield f"{name}, a million rows: {cpu:.1f} CPU s, {time.perf_counter() - wall:.1f} s"


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.kernel_limits", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(RATIOS)}, limits")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--large", action="store_true", help="a million rows too")
    asked = parser.parse_args(words)
    names = asked.names or [*RATIOS, "limits"]
    for name in RATIOS:
        if name not in names:
            continue
        for what, slow, fast in RATIOS[name]():
            found = [best(slow, 2) / best(fast) for _ in range(asked.runs)]
            print(f"{what}: {spread(found)}", flush=True)
    if "limits" in names:
        for line in shares(asked.runs):
            print(line, flush=True)
    if asked.large:
        for line in million():
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    one_thread()
    sys.exit(main())
