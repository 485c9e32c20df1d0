"""All cases, the table of what they returned, and the ways in which each is run."""

from __future__ import annotations

import json
import os
from itertools import product
from pathlib import Path
from typing import Any

from golden import groups, search
from golden.case import Case
from tokumei.machine import LEVEL_VARIABLE, THREADS_VARIABLE, config

CASES = [*groups.CASES, *search.CASES]
TABLE = Path(__file__).with_name("table.json")
# Every instruction set that this processor has, with one and two threads; the best one last.
RUNS = [
    {LEVEL_VARIABLE: level, THREADS_VARIABLE: threads}
    for level, threads in product(config()["instruction sets"].split(", "), "12")
]
# Why some public names have no case.
NOT_PINNED: dict[str, str] = {}


def ways(case: Case) -> list[dict[str, str]]:
    """How a case is run: what takes long runs once, unless tests are to be thorough."""
    thorough = os.environ.get("TOKUMEI_TEST_PROFILE") == "thorough"
    return RUNS[-1:] if case.slow and not thorough else RUNS


def read() -> dict[str, Any]:
    """What each expression returned."""
    table: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    return table


def write(table: dict[str, Any]) -> None:
    """One line a case, so that a difference shows the cases that changed."""
    lines = (f"{json.dumps(name)}: {json.dumps(result)}" for name, result in table.items())
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
