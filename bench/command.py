"""The command: which kernels, how much effort, where to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bench import growth, limits, page, problems, report
from bench.kernel import Case, Kernel
from bench.kernels import KERNELS
from bench.measure import Effort
from bench.peers import PEERS
from bench.race import race
from tokumei.machine import config

FULL = Effort(repeats=5, repeating=15.0, affordable=60.0)
QUICK = Effort(repeats=3, repeating=0.5, affordable=1.5)
RESULTS = Path(__file__).parent / "results"
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks-run.md"
# Seconds a call of a growth curve may take, unless told: with the first all methods get far.
GROWTH, QUICK_GROWTH = 300.0, 2.0


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="tokumei beside pure Python, its peers and the machine: ratios of one run.",
    )
    parser.add_argument(
        "kernels", nargs="*", metavar="kernel", help=f"{', '.join(KERNELS)}; all by default"
    )
    parser.add_argument("--quick", action="store_true", help="smaller problems, under a minute")
    parser.add_argument("--rows", type=int, help="no problem larger than this")
    parser.add_argument(
        "--problems", metavar="NAME,...", help=f"{', '.join(problems.NAMES)}; all by default"
    )
    parser.add_argument(
        "--peers", metavar="NAME,...", help=f"{', '.join(p.name for p in PEERS)}; all by default"
    )
    parser.add_argument("--seconds", type=float, help="no call that would take longer (CPU time)")
    parser.add_argument(
        "--out", type=Path, default=RESULTS, metavar="DIR", help="where ratios.json and .md go"
    )
    parser.add_argument(
        "--report",
        type=Path,
        nargs="?",
        const=PAGE,
        metavar="PAGE",
        help="write the page of the documentation, with growth curves",
    )
    parser.add_argument(
        "--growth",
        type=float,
        metavar="SECONDS",
        help=f"a call of a curve at most; {GROWTH:g}, or {QUICK_GROWTH:g} with --quick",
    )
    asked = parser.parse_args(argv)
    asked.kernels = asked.kernels or list(KERNELS)
    names = [peer.name for peer in PEERS]
    asked.peers = asked.peers.split(",") if asked.peers else names
    asked.problems = asked.problems.split(",") if asked.problems else list(problems.NAMES)
    for wrong in set(asked.kernels) - set(KERNELS):
        parser.error(f"no kernel {wrong!r}; there are {', '.join(KERNELS)}")
    for wrong in set(asked.peers) - set(names):
        parser.error(f"no peer {wrong!r}; there are {', '.join(names)}")
    for wrong in set(asked.problems) - set(problems.NAMES):
        parser.error(f"no problem {wrong!r}; there are {', '.join(problems.NAMES)}")
    if asked.growth is not None and asked.report is None:
        parser.error("--growth is for --report")
    if asked.rows is not None and asked.rows < 1:
        parser.error("--rows must be at least 1")
    return asked


def smaller(case: Case, rows: int | None) -> Case:
    """The case with no more rows than that, nor a k above them."""
    if rows is None:
        return case
    rows = min(rows, case.rows or rows)
    return replace(case, rows=rows, k=case.k and min(case.k, rows))


def cases(asked: argparse.Namespace) -> Iterator[tuple[Kernel, Case]]:
    """What is to be run, in order."""
    for name in asked.kernels:
        kernel = KERNELS[name]
        for case in kernel.quick if asked.quick else kernel.cases:
            if case.problem in asked.problems:
                yield kernel, smaller(case, asked.rows)


def main(argv: Sequence[str] | None = None) -> int:
    asked = arguments(argv)
    effort = QUICK if asked.quick else FULL
    if asked.seconds is not None:
        effort = replace(effort, affordable=asked.seconds)
    peers = tuple(peer for peer in PEERS if peer.name in asked.peers)
    run = report.Run(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        config=config(),
        machine=limits.measure(0.1 if asked.quick else 0.3),
        peers=peers,
    )
    for kernel, case in cases(asked):
        print(f"{kernel.name}: {case} ...", file=sys.stderr)
        try:
            found = race(kernel, case, run.machine, effort, peers)
            run = replace(run, comparisons=(*run.comparisons, found))
        except problems.Absent as reason:
            remark = f"{kernel.name}, {case.problem}: skipped, {reason}"
            run = replace(run, skipped=(*run.skipped, remark))
        # After every case: a run that is cut short leaves what it found.
        report.write(run, asked.out)
    report.show(run)
    print(f"written to {asked.out}", file=sys.stderr)
    if asked.report is not None:
        limit = asked.growth or (QUICK_GROWTH if asked.quick else GROWTH)
        curves = growth.methods(limit, asked.rows or growth.LARGEST)
        words = tuple(sys.argv[1:] if argv is None else argv)
        page.write(page.Page(run, words, curves, limit), asked.report)
        print(f"the page is {asked.report}", file=sys.stderr)
    return 0
