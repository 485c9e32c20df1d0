"""All cases, the table of what they returned, and the ways in which each is run."""

from __future__ import annotations

import json
import os
from itertools import product
from pathlib import Path
from typing import Any

from golden import (
    channels,
    groups,
    losses,
    publish,
    recoding,
    reconstruction,
    releases,
    risk,
    search,
)
from golden.case import Case
from tokumei.machine import LEVEL_VARIABLE, THREADS_VARIABLE, config

ROOMS = (groups, search, publish, losses, recoding, channels, reconstruction, releases, risk)
CASES = [case for room in ROOMS for case in room.CASES]
TABLE = Path(__file__).with_name("table.json")
# Every instruction set that this processor has, with one and two threads; the best one last.
RUNS = [
    {LEVEL_VARIABLE: level, THREADS_VARIABLE: threads}
    for level, threads in product(config()["instruction sets"].split(", "), "12")
]
# Public names that have no case, by the reason.
NOT_PINNED = {
    "it is what a pinned function returns": """
        tk.microaggregation.FlexDiceBlocks tk.microaggregation.MilResult tk.loss.AttributeLoss
        tk.loss.Comparison tk.loss.Estimate tk.loss.ModelLoss tk.loss.ModelRow tk.loss.Moments
        tk.loss.ShareForLoss tk.bounds.LowerBound tk.recode.FullDomain tk.recode.Recoding
        tk.recode.Suppression tk.recode.Transition
        tk.noise.Laplace tk.noise.RandomizedResponse tk.noise.SquareWave tk.noise.Perturbed
        tk.reconstruct.Advice tk.reconstruct.Categories tk.reconstruct.Expected
        tk.reconstruct.BayesCells tk.reconstruct.CellDensity tk.reconstruct.CrossTable
        tk.reconstruct.Distribution tk.release.Release tk.risk.Assessment
        tk.risk.Attack tk.risk.Attacked tk.risk.Rate tk.risk.ClassSizes
        tk.risk.ColumnRisk tk.risk.Dominance tk.risk.Homogeneity tk.risk.IndividualRisk
        tk.risk.ModelRisk
        tk.risk.NoiseAttack tk.risk.PopulationEstimate tk.risk.PopulationUniqueness
        tk.risk.Reidentification tk.risk.SpecialUniques""",
    "it is the form of others": "tk.distances.Distance tk.noise.Channel",
    "it is raised or warned": """
        tk.noise.GeneratorError tk.noise.NotPrivateWarning tk.release.InputError
        tk.release.Refused""",
    "it reads and writes files around a pinned function": """
        tk.release.mask_file tk.release.recode_file tk.release.reconstruct_file
        tk.release.run tk.release.verify""",
    "it is what is asked for": "tk.release.Job",
    "it speaks, and its words may be better said": """
        tk.release.assess tk.release.compare tk.release.report""",
    "its noise is the operating system's; noise.perturb is pinned": """
        tk.release.perturb tk.release.perturb_file""",
    "it says what machine this is": "tk.get_include tk.show_config",
    "it is a pinned function, of the rows of a relation": "tk.sql.microaggregate tk.sql.partition",
}


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
