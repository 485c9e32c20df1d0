"""The command: which kernels, how much effort, where to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bench import limits, problems, report
from bench.kernel import Case
from bench.kernels import KERNELS
from bench.measure import Effort
from bench.peers import PEERS
from bench.race import race
from tokumei.machine import config

FULL = Effort(repeats=5, repeating=15.0, affordable=60.0)
QUICK = Effort(repeats=3, repeating=1.0, affordable=2.0)
RESULTS = Path(__file__).parent / "results"


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
        "--peers", metavar="NAME,...", help=f"{', '.join(p.name for p in PEERS)}; all by default"
    )
    parser.add_argument("--seconds", type=float, help="no call that would take longer (CPU time)")
    parser.add_argument(
        "--out", type=Path, default=RESULTS, metavar="DIR", help="where ratios.json and .md go"
    )
    asked = parser.parse_args(argv)
    asked.kernels = asked.kernels or list(KERNELS)
    names = [peer.name for peer in PEERS]
    asked.peers = asked.peers.split(",") if asked.peers else names
    for wrong in set(asked.kernels) - set(KERNELS):
        parser.error(f"no kernel {wrong!r}; there are {', '.join(KERNELS)}")
    for wrong in set(asked.peers) - set(names):
        parser.error(f"no peer {wrong!r}; there are {', '.join(names)}")
    if asked.rows is not None and asked.rows < 1:
        parser.error("--rows must be at least 1")
    return asked


def smaller(case: Case, rows: int | None) -> Case:
    """The case with no more rows than that, nor a k above them."""
    if rows is None:
        return case
    rows = min(rows, case.rows or rows)
    return replace(case, rows=rows, k=case.k and min(case.k, rows))


def main(argv: Sequence[str] | None = None) -> int:
    asked = arguments(argv)
    effort = QUICK if asked.quick else FULL
    if asked.seconds is not None:
        effort = replace(effort, affordable=asked.seconds)
    peers = tuple(peer for peer in PEERS if peer.name in asked.peers)
    machine = limits.measure(0.1 if asked.quick else 0.3)
    comparisons, skipped = [], []
    for name in asked.kernels:
        kernel = KERNELS[name]
        for case in kernel.quick if asked.quick else kernel.cases:
            here = smaller(case, asked.rows)
            print(f"{name}: {here} ...", file=sys.stderr)
            try:
                comparisons.append(race(kernel, here, machine, effort, peers))
            except problems.Absent as reason:
                skipped.append(f"{name}, {case.problem}: skipped, {reason}")
    run = report.Run(
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        config=config(),
        machine=machine,
        peers=peers,
        comparisons=tuple(comparisons),
        skipped=tuple(skipped),
    )
    report.show(run)
    for path in report.write(run, asked.out):
        print(path, file=sys.stderr)
    return 0
