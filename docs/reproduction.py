"""Writes the page of reproductions from what the scripts of examples/papers found.

The documentation's build calls `write`; ``python docs/reproduction.py`` does the same by hand.
"""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

PAGE = Path(__file__).with_name("reproduction.md")
RESULTS = Path(__file__).parents[1] / "examples" / "papers" / "results"

HEAD = """# What is equal to the papers

Every number, table and figure that the five papers print, beside what the library finds: *equal*
as printed, or the reason why not. The page is written from the scripts' results; each script of
`examples/papers` fails when a cell that was equal no longer is.

| script | cells | equal |
|---|---|---|
"""


def write() -> Path:
    """The page from the results as they are."""
    results = {
        path.stem: json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))
    }
    text = HEAD
    for script, cells in results.items():
        text += f"| [`{script}.py`](#{_anchor(script)}) | {len(cells)} | {_equal(cells)} |\n"
    for script, cells in results.items():
        text += f"\n({_anchor(script)})=\n## `{script}.py`\n"
        for where, those in groupby(sorted(cells, key=_where), _where):
            table = list(those)
            text += (
                f"\n### {where[0].upper()}{where[1:]}: {_equal(table)} of {len(table)} equal\n\n"
            )
            text += "| | printed | found | |\n|---|---|---|---|\n"
            text += "".join(_row(cell) for cell in table)
    PAGE.write_text(text, encoding="utf-8")
    return PAGE


def _row(cell: dict[str, str]) -> str:
    verdict = "equal" if cell["printed"] == cell["ours"] else cell["reason"]
    words = (cell["cell"], cell["printed"], cell["ours"], verdict)
    return "| " + " | ".join(word.replace("|", "\\|") for word in words) + " |\n"


def _equal(cells: list[dict[str, str]]) -> int:
    return sum(cell["printed"] == cell["ours"] for cell in cells)


def _where(cell: dict[str, str]) -> str:
    return cell["where"]


def _anchor(script: str) -> str:
    return script.replace("_", "-")


if __name__ == "__main__":
    print(f"wrote {write()}")
