"""A run as a table for the terminal, as Markdown and as JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.limits import Machine
from bench.measure import seconds
from bench.peers import TRUTH, Peer, Role
from bench.race import Comparison, Result, Status

HEADINGS = (
    *("kernel", "problem", "rows x columns", "k", "tokumei"),
    *("/ pure Python", "/ best peer", "/ others", "machine limit"),
)


@dataclass(frozen=True)
class Run:
    """Everything one run found out."""

    made: str  # when, ISO 8601
    config: dict[str, str]
    machine: Machine
    peers: tuple[Peer, ...]
    comparisons: tuple[Comparison, ...] = ()
    skipped: tuple[str, ...] = ()  # cases whose data are not here


def times(ratio: float) -> str:
    """A ratio as people read it: 0.012x, 3.4x, 39x, 1,234x."""
    if ratio >= 10:
        return f"{ratio:,.0f}x"
    return f"{ratio:.2g}x"


def cell(result: Result, rows: int) -> str:
    """A competitor's ratio; or, in its place, why there is none."""
    if result.ratio is None:
        return str(result.status)
    smaller = f" at {result.rows:,} rows" if result.rows != rows else ""
    loss = f" (loss {times(result.loss)})" if result.loss is not None else ""
    return times(result.ratio) + smaller + loss


def cells(found: Comparison) -> tuple[str, ...]:
    truth, best = found.result(TRUTH.name), found.best_peer
    others = [r for r in found.results if r is not best and r.role is not Role.TRUTH]
    nothing = "differs" if found.status is Status.DIFFERS else "-"
    return (
        found.kernel,
        found.case.problem,
        f"{found.rows:,} x {found.columns}",
        str(found.case.k or "-"),
        seconds(found.tokumei.cpu),
        cell(truth, found.rows) if truth else nothing,
        f"{cell(best, found.rows)} {best.name}" if best else nothing,
        ", ".join(f"{other.name} {cell(other, found.rows)}" for other in others) or nothing,
        f"{seconds(found.limit)}, {found.limit_share:.0%} reached",
    )


def notes(run: Run) -> list[str]:
    """What the table cannot say: who is absent, who differs or stopped early, and why."""
    absent = [peer.name for peer in run.peers if not peer.available()]
    lines = [f"{name}: absent, not installed" for name in absent]
    for found in run.comparisons:
        where = f"{found.kernel}, {found.case.problem} {found.rows:,} x {found.columns}"
        where += f", k = {found.case.k}" if found.case.k else ""
        if found.status is Status.DIFFERS:
            lines.append(f"{where}: tokumei's answer is not the truth's; nothing is compared")
        lines += [
            f"{where}: {result.name} {_fate(result)}: {result.note}"
            for result in found.results
            if result.note and result.status is not Status.ABSENT
        ]
    return lines + list(run.skipped)


def _fate(result: Result) -> str:
    return "stopped early" if result.status is Status.MEASURED else str(result.status)


def heading(run: Run) -> list[str]:
    speeds = ", ".join(
        f"{memory.name} {memory.speed / 1e9:.0f} GB/s ({memory.measured_by})"
        for memory in run.machine.memories
    )
    flops = f"{run.machine.flops / 1e9:.0f} GFLOP/s ({run.machine.flops_measured_by})"
    versions = ", ".join(f"{p.name} {p.version()}" for p in run.peers if p.version())
    return [
        f"{run.made}; CPU time of one thread, best of repeats; {versions}",
        ", ".join(f"{name} {value}" for name, value in run.config.items() if name != "threads"),
        f"reading: {speeds}; counting: {flops}",
        "A ratio says how many times longer than tokumei; one group does nothing and is a floor; a "
        "loss is that of other groups of at least k, as a multiple of tokumei's.",
    ]


def markdown(run: Run) -> str:
    rows = [HEADINGS, ("---",) * len(HEADINGS), *(cells(found) for found in run.comparisons)]
    table = ["| " + " | ".join(row) + " |" for row in rows]
    remarks = [f"- {line}" for line in notes(run)]
    return "\n".join([*_paragraphs(heading(run)), *table, "", *remarks]).rstrip() + "\n"


def _paragraphs(lines: Iterable[str]) -> list[str]:
    return [part for line in lines for part in (line, "")]


def as_json(run: Run) -> str:
    content = {
        "made": run.made,
        "config": run.config,
        "machine": asdict(run.machine),
        "peers": {peer.name: _presence(peer) for peer in run.peers},
        "comparisons": [_comparison(found) for found in run.comparisons],
        "skipped": list(run.skipped),
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def _presence(peer: Peer) -> dict[str, Any]:
    return {"role": peer.role, "available": peer.available(), "version": peer.version()}


def _comparison(found: Comparison) -> dict[str, Any]:
    truth, best = found.result(TRUTH.name), found.best_peer
    return {
        "kernel": found.kernel,
        "problem": found.case.problem,
        "rows": found.rows,
        "columns": found.columns,
        "k": found.case.k,
        "status": found.status,
        "tokumei": asdict(found.tokumei),
        "score": _finite(found.score),
        "pure_python": _ratio(truth),
        "best_peer": _ratio(best),
        "limit": {"seconds": found.limit, "share": found.limit_share},
        "competitors": [_result(result) for result in found.results],
    }


def _ratio(result: Result | None) -> dict[str, Any] | None:
    if result is None:
        return None
    return {"name": result.name, "rows": result.rows, "ratio": result.ratio}


def _result(result: Result) -> dict[str, Any]:
    finite = {"score": _finite(result.score), "loss": _finite(result.loss)}
    return {**asdict(result), "ratio": result.ratio, **finite}


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def write(run: Run, folder: Path) -> None:
    """ratios.json and ratios.md in that folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ratios.json").write_text(as_json(run), encoding="utf-8")
    (folder / "ratios.md").write_text(markdown(run), encoding="utf-8")


def show(run: Run) -> None:
    """The table on the terminal, in colours where rich is installed."""
    if not find_spec("rich") or not sys.stdout.isatty():
        print(markdown(run))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(*HEADINGS)
    for found in run.comparisons:
        table.add_row(*cells(found))
    console = Console(highlight=False)
    for line in heading(run):
        console.print(line, markup=False)
    console.print(table)
    for line in notes(run):
        console.print(line, markup=False)
