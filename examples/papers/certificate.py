"""What a paper prints beside what we compute, cell by cell.

A script of this folder makes a list of `Cell` and ends with `certify`. Every cell that differs from
the print carries the reason; a cell without one, or one that was equal in ``results/<script>.json``
and no longer is, makes the script fail. The documentation's table of reproductions is written from
these files (``docs/reproduction.py``).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from decimal import ROUND_DOWN, Decimal
from itertools import groupby
from pathlib import Path

RESULTS = Path(__file__).with_name("results")


@dataclass(frozen=True)
class Cell:
    """One printed number, ours in the same notation, and the reason if they differ."""

    where: str  # "table A.2"
    cell: str  # "k = 14, MDAV+MIL"
    printed: str
    ours: str
    reason: str = ""

    @property
    def equal(self) -> bool:
        return self.printed == self.ours


def as_printed(printed: str, value: float) -> str:
    """A number with as many decimals as the print has: rounded, or cut where the print is cut."""
    decimals = len(printed.partition(".")[2])
    rounded = f"{value:.{decimals}f}"
    exact = Decimal(float(value))
    cut = str(exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_DOWN))
    return cut if printed == cut else rounded


def add_options(parser: argparse.ArgumentParser) -> None:
    """The option that all scripts share."""
    parser.add_argument("--write", action="store_true", help="make the results the new ones")


def read(paper: str) -> list[Cell]:
    """The cells of a script's last written run."""
    path = RESULTS / f"{paper}.json"
    if not path.is_file():
        return []
    return [Cell(**row) for row in json.loads(path.read_text(encoding="utf-8"))]


def certify(paper: str, cells: Iterable[Cell], *, write: bool, part: bool = False) -> int:
    """Say what is equal; 1 if a cell has ceased to be, or differs without a reason.

    Of a run in part the other cells stay as they were written.
    """
    found = list(cells)
    known = {(cell.where, cell.cell): cell for cell in read(paper)}
    lost = [c for c in found if not c.equal and _was_equal(known.get((c.where, c.cell)))]
    silent = [c for c in found if not c.equal and not c.reason]
    print()
    for where, those in groupby(sorted(found, key=_table), _table):
        table = list(those)
        equal = sum(cell.equal for cell in table)
        print(f"{where}: {equal} of {len(table)} cells equal")
        for cell in table:
            if not cell.equal:
                print(f"    {cell.cell}: {cell.ours}, printed {cell.printed}: {cell.reason}")
    for cell in lost:
        print(f"NO LONGER EQUAL: {cell.where}, {cell.cell}: {cell.ours}, printed {cell.printed}")
    for cell in silent:
        print(f"WITHOUT A REASON: {cell.where}, {cell.cell}: {cell.ours}, printed {cell.printed}")
    if write:
        kept = {**(known if part else {}), **{(cell.where, cell.cell): cell for cell in found}}
        RESULTS.mkdir(exist_ok=True)
        rows = ",\n".join(json.dumps(asdict(cell), ensure_ascii=False) for cell in kept.values())
        (RESULTS / f"{paper}.json").write_text(f"[\n{rows}\n]\n", encoding="utf-8")
    return 1 if lost or silent else 0


def _table(cell: Cell) -> str:
    return cell.where


def _was_equal(cell: Cell | None) -> bool:
    return cell is not None and cell.equal
