"""A run as a page of the documentation: a section a kernel, with what its limit means and the
command that repeats it; then how times grow.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from bench import growth
from bench.kernel import Kernel
from bench.kernels import KERNELS
from bench.race import Comparison
from bench.report import HEADINGS, Run, cells, heading, notes

FIGURE = "growth.svg"
OPENING = """# Every kernel, in one run

Each kernel beside the plain Python that its tests lean on, the fastest peer that gave the same
answer, everyone else who gave one, and the machine's limit, all measured in one run. A peer that is
too slow for the problem is measured on fewer records, and tokumei beside it. What the numbers mean,
and where they are less than they look: [benchmarks](benchmarks.md).
"""


@dataclass(frozen=True)
class Page:
    """What is told: a run, how times grow, and the words of the command that found it out."""

    run: Run
    words: tuple[str, ...]
    curves: dict[str, growth.Series] = field(default_factory=dict)
    limit: float = 0.0  # seconds a call of the curves might take


def write(told: Page, path: Path) -> None:
    """The page, and its figure in _static beside it."""
    drawn = bool(told.curves) and growth.draw(told.curves, path.parent / "_static" / FIGURE)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(markdown(told, drawn), encoding="utf-8")


def markdown(told: Page, drawn: bool) -> str:
    run, words = told.run, told.words
    parts = [OPENING, f"Made by `{command(words)}`:\n", *(f"- {line}" for line in heading(run))]
    for name, found in groupby(run.comparisons, key=lambda comparison: comparison.kernel):
        parts += ["", section(KERNELS[name], list(found), words)]
    if told.curves:
        parts += ["", growth_section(told.curves, told.limit, drawn)]
    remarks = [f"- {line}" for line in notes(run)]
    if remarks:
        parts += ["", "## Who is absent, differs or stopped early", "", *remarks]
    return "\n".join(parts) + "\n"


def command(words: Iterable[str]) -> str:
    return " ".join(["python -m bench", *words])


def meaning(kernel: Kernel) -> str:
    """What a kernel's limit counts: the first paragraph of what is said of the function."""
    return (inspect.getdoc(kernel.limit) or "").split("\n\n")[0].replace("\n", " ")


def section(kernel: Kernel, found: Sequence[Comparison], words: Sequence[str]) -> str:
    """A table of the kernel's cases; its name is in the title, so the first column falls away."""
    limit = meaning(kernel)
    flags = [word for word in ("--quick",) if word in words]
    lines = [
        f"## `{kernel.name}`",
        "",
        f"The limit: {limit[:1].lower()}{limit[1:]} Repeat: `{command([kernel.name, *flags])}`",
        "",
        *tabular(HEADINGS[1:], [cells(comparison)[1:] for comparison in found]),
    ]
    return "\n".join(lines)


def growth_section(curves: dict[str, growth.Series], limit: float, drawn: bool) -> str:
    lines = [
        "## Growth with the number of records",
        "",
        f"Normal data of {growth.COLUMNS} attributes, k = {growth.K}; CPU time of one thread. A",
        f"series ends before a call that would take longer than {limit:g} seconds. Repeat:",
        f"`{command(['growth', f'{limit:g}'])}`",
        "",
        *([f"![CPU time of every method over n](_static/{FIGURE})", ""] if drawn else []),
        *tabular(growth.HEADINGS, growth.rows_of(curves)),
    ]
    return "\n".join(lines)


def tabular(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(row) + " |" for row in lines]
