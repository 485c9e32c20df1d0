"""What a table of three attributes of a million records takes, on one core.

Three attributes of 30 whole numbers, 27,000 cells, behind the noise of k = 2. Two populations:
normal scores of correlation .6, which a table begins at, and two groups, in which attributes go
together in opposite ways, so that the table has to be moved and all its draws with it. Of other
numbers of attributes there are normal scores only.

    python -m bench.joint_table [--records 1000000] [--mechanism laplace] [--attributes 3]
        [--cells 30]

Prints the CPU seconds of `tk.reconstruct.table`, the most memory of the process until then, and the
L1 accuracy beside that of the product of the margins; and how few cells a sparse table could have:
those with a record, and those that hold .999 of the records and of the table found. Ends with 1
where a table takes a minute or more, or is less accurate than that product by more than 0.3.
"""

from __future__ import annotations

import argparse
import resource
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tokumei as tk

Floats = NDArray[np.float64]

K = 2
MECHANISMS = ("laplace", "randomized-response", "square-wave")
ALLOWED, BELOW, MOST = 60.0, 0.3, 0.999


def normal(chance: np.random.Generator, count: int, attributes: int) -> Floats:
    common = chance.standard_normal((count, 1))
    return np.asarray(0.6**0.5 * common + 0.4**0.5 * chance.standard_normal((count, attributes)))


def groups(chance: np.random.Generator, count: int, attributes: int) -> Floats:
    """In one half the first two go together, in the other all against the first."""
    common = 0.7 * chance.standard_normal((count, 1))
    ways = np.array([[1.0, 1.0, 0.0], [1.0, -1.0, -1.0]])[chance.integers(0, 2, count)]
    places = 0.8 * (ways[:, 2:] + 0.5)
    return np.asarray(common * ways + places + 0.4 * chance.standard_normal((count, attributes)))


POPULATIONS: dict[str, Callable[[np.random.Generator, int, int], Floats]] = {
    "normal": normal,
    "two groups": groups,
}


def released(x: Floats, cells: int, mechanism: str) -> tuple[Floats, list[tk.noise.Channel]]:
    known = tk.noise.Attribute(0, cells - 1, integer=True, mechanism=mechanism)
    attributes = x.shape[1]
    share = tk.noise.shares(len(x), K, [1.0] * attributes)[0]
    channels = known.channels([float(share)]) * attributes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # noise of a seed is not private, and need not be
        columns = [
            channel.perturb(column, insecure_seed_for_tests=axis)
            for axis, (channel, column) in enumerate(zip(channels, x.T, strict=True))
        ]
    return np.stack(columns, axis=1), channels


def histogram(x: Floats, cells: int) -> NDArray[np.int64]:
    shape = (cells,) * x.shape[1]
    at = np.ravel_multi_index(tuple(x.T.astype(np.int64)), shape)
    return np.bincount(at, minlength=int(np.prod(shape))).reshape(shape)


def holding(table: NDArray[Any], share: float) -> float:
    """The share of the cells that it takes to hold this share of a table."""
    below = np.cumsum(np.sort(table, axis=None)[::-1])
    return float(np.searchsorted(below, share * below[-1]) + 1) / table.size


def fails(name: str, x: Floats, cells: int, mechanism: str) -> bool:
    y, channels = released(x, cells, mechanism)
    begin = time.process_time()
    found = tk.reconstruct.table(y, channels, n_threads=1)
    spent = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0
    truth = histogram(x, cells)
    accuracy = tk.reconstruct.l1_accuracy(found.probabilities, truth)
    product = tk.reconstruct.l1_accuracy(found.independent(), truth)
    wrong = spent >= ALLOWED or accuracy < product - BELOW
    print(
        f"{name}, {mechanism}: {spent:.1f} s CPU, {peak:.0f} MB at most, {found.n_iter} passes, "
        f"accuracy {accuracy:.1f}, margins {product:.1f}, {truth.size} cells, "
        f"{100 * (truth > 0).mean():.0f} % with a record, {100 * holding(truth, MOST):.0f} % with "
        f"{MOST} of them, {100 * holding(found.probabilities, MOST):.0f} % with {MOST} of the table"
        + (" FAILS" if wrong else ""),
        flush=True,
    )
    return bool(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--mechanism", choices=MECHANISMS, action="append", help="only these")
    parser.add_argument("--attributes", type=int, default=3)
    parser.add_argument("--cells", type=int, default=30, help="of each attribute")
    words = parser.parse_args()
    top, wrong = words.cells - 1, 0
    for name, draw in POPULATIONS.items():
        if draw is groups and words.attributes != 3:
            continue
        z = draw(np.random.default_rng(0), words.records, words.attributes)
        x = np.clip(np.rint(0.5 * top + words.cells / 7.0 * z), 0, top)
        wrong += sum(fails(name, x, words.cells, each) for each in words.mechanism or MECHANISMS)
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
