"""Ctrl-C: a real signal ends every kernel long before its work is done.

The calls run in a program of their own, which sends itself SIGINT a moment after each is at work
and tells how it ended. Work is sized to take many times the moment; a kernel that looked for
signals only at its end would have reported nearly all its progress by then.
"""

import os
import signal
import subprocess
import sys
import threading
from functools import partial

import numpy as np
import pytest

import tokumei as tk
from tokumei.microaggregation import hilbert_order, mondrian, principal_order

# Seconds; kernels look for signals every 0.05. What tells nothing may first check its arguments.
MOMENT, LONGER = 0.02, 0.1


def uniform(n, d):
    return np.random.default_rng(1).random((d, n)).T


def groups(n, k):
    return np.random.default_rng(2).permutation(np.minimum(np.arange(n) // k, n // k - 1))


def partition(n, d, k, method):
    X = uniform(n, d)
    return lambda **run: tk.partition(X, k, method=method, effort=0.0, **run)


def order(function, n, d, **options):
    X = uniform(n, d)
    return lambda **run: function(X, **options, **run)


def univariate(n, k):
    x = uniform(n, 1)
    return lambda **run: tk.univariate(x, k, **run)


def cut(n, d, k):
    X, rows = uniform(n, d), np.arange(n)
    return lambda **run: tk.cut(X, rows, k, **run)


def refine(n, d, k):
    X, labels = uniform(n, d), groups(n, k)
    return lambda **run: tk.refine(X, labels, k, effort="best", **run)


def mil(n, k):
    x, labels = uniform(n, 1), groups(n, k)
    return lambda **run: tk.mil(x, labels, k)


def loss(function, n, d, k):
    X, labels = uniform(n, d), groups(n, k)
    return lambda **run: function(X, labels)


def ild(distance, n):
    X = uniform(n, 3)
    return lambda **run: tk.loss.information(X, distance, **run)


REPORTING = {
    "mdav": lambda: partition(400_000, 6, 3, "mdav"),
    "vmdav": lambda: partition(400_000, 6, 3, "vmdav"),
    "block_mdav": lambda: partition(600_000, 6, 3, "block_mdav"),
    "kmember": lambda: partition(100_000, 6, 3, "kmember"),
    "mondrian": lambda: order(mondrian, 2_000_000, 4, k=2),
    "npn": lambda: order(tk.npn_order, 400_000, 6),
    "grid": lambda: order(tk.grid_order, 500_000, 6),
    "flexdice": lambda: order(tk.flexdice_order, 800_000, 6),
    "hilbert": lambda: order(hilbert_order, 1_000_000, 32),
    "principal": lambda: order(principal_order, 60_000, 320),
    "cut": lambda: cut(1_000_000, 8, 2_000),
    "univariate": lambda: univariate(8_000_000, 5),
    "univariate of large groups": lambda: univariate(8_000_000, 500),
    "refine": lambda: refine(200_000, 4, 3),
    "refine of few records": lambda: refine(2_000, 4, 3),
    "pairs": lambda: ild(tk.distances.Minkowski(3), 40_000),
}
SILENT = {
    "mil": lambda: mil(8_000_000, 3),
    "sse": lambda: loss(tk.loss.sse, 4_000_000, 6, 3),
    "aggregate": lambda: loss(tk.aggregate, 4_000_000, 6, 3),
    "medians": lambda: loss(partial(tk.aggregate, how="median"), 3_000_000, 6, 3),
}


def interrupt(name):
    """How a call ends that is interrupted a moment after its first word, or its beginning."""
    reports = []
    moment = LONGER if name in SILENT else MOMENT
    timer = threading.Timer(moment, os.kill, (os.getpid(), signal.SIGINT))

    def tell(done):
        reports.append(done)
        if len(reports) == 1:
            timer.start()

    work = {**REPORTING, **SILENT}[name]()
    try:
        if name in SILENT:
            timer.start()
        work(n_threads=1, callback=tell)
        if timer.ident is not None:
            timer.join()
    except KeyboardInterrupt:
        return f"interrupted {max(reports, default=0.0)}"
    return "finished 1.0"


@pytest.fixture(scope="module")
def endings():
    names = [*REPORTING, *SILENT]
    program = subprocess.run(
        [sys.executable, __file__, *names], capture_output=True, text=True, timeout=300, check=False
    )
    assert program.returncode == 0, program.stderr
    return dict(zip(names, program.stdout.splitlines(), strict=True))


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("name", [*REPORTING, *SILENT])
def test_a_signal_ends_the_work_early(endings, name):
    how, share = endings[name].split()
    assert how == "interrupted"
    assert float(share) < 0.9


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in sys.argv[1:]:
        try:
            print(interrupt(name), flush=True)
        except KeyboardInterrupt:
            print("finished 1.0", flush=True)
