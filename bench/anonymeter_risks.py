"""Do attacks say what Anonymeter's say? Adult released in two ways, both asked, intervals compared.

The package is asked by a Python of its own, which ``TOKUMEI_ANONYMETER`` names, as it needs an
older numpy. Both choose targets and predicates at random, so that figures differ by chance: they
agree where the intervals of 95 % of each rate and of the risk have something in common.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import tokumei as tk
from bench import harmless, problems
from tokumei.release.sections import ACCEPTABLE
from tokumei.risk.attacks.linkability import two_sides

PYTHON = "TOKUMEI_ANONYMETER"
ROWS, ATTEMPTS, COLUMNS = 5000, 1000, 4
# Numbers of few ties, and categories; fnlwgt alone would settle it.
PASSED = ["workclass", "education-num", "occupation", "relationship", "hours-per-week"]
NUMBERS = ["age", "education-num", "hours-per-week"]
SECRET = "income"
Table = dict[str, Any]


def agree() -> bool:
    """Whether all figures of all releases agree; they are printed side by side."""
    python = os.environ.get(PYTHON)
    if not python:
        msg = f"set {PYTHON} to a Python that has the package anonymeter"
        raise problems.Absent(msg)
    original, control, masked = adult()
    verdicts = []
    for name, release in (("a copy", original), ("masked", masked)):
        theirs = asked_apart(python, original, release, control)
        ours = asked_here(original, release, control)
        for attack, figures in theirs.items():
            for rate, other in figures.items():
                one = ours[attack][rate]
                common = max(one[1], other[1]) <= min(one[2], other[2])
                verdicts.append(common)
                print(
                    f"  {name:8} {attack:12} {rate:7} ours {shown(one)}  theirs {shown(other)}"
                    + ("" if common else "  APART"),
                    flush=True,
                )
    return all(verdicts)


def adult() -> tuple[Table, Table, Table]:
    """Records of Adult, as many others, and a release of the first, the known columns alone."""
    one = next(harmless.public())
    masked = one.asked["quasi"]
    names = [*masked, *PASSED, SECRET]
    rows = np.random.default_rng(0).permutation(one.table.num_rows)
    table = one.table.select(names)
    table = pa.table(
        {name: table[name] if name in NUMBERS else table[name].fill_null("?") for name in names}
    )
    original, control = table.take(rows[:ROWS]), table.take(rows[ROWS : 2 * ROWS])
    release = tk.release.mask(
        original,
        5,
        quasi=masked,
        sensitive=[SECRET],
        other="*",
        effort="fast",
        accept_risk=dict.fromkeys(ACCEPTABLE, "to be attacked here"),
    ).table
    return tuple(each.to_pydict() for each in (original, control, release))


def sides_of(original: Table, release: Table) -> tuple[list[str], list[str]]:
    """The split that `tk.risk.attack` makes of the known columns."""
    known = [name for name in original if name != SECRET]
    same = [name for name in known if sorted(original[name]) == sorted(release[name])]
    one, other = two_sides([name for name in known if name not in same], same)
    return [str(name) for name in one], [str(name) for name in other]


def asked_apart(python: str, original: Table, release: Table, control: Table) -> dict[str, Any]:
    """What the package says."""
    asked = {
        "known": [name for name in original if name != SECRET],
        "secret": SECRET,
        "numbers": NUMBERS,
        "sides": sides_of(original, release),
        "attempts": ATTEMPTS,
        "columns": COLUMNS,
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "asked.json").write_text(json.dumps(asked))
        for what, table in (("original", original), ("release", release), ("control", control)):
            with (folder / f"{what}.csv").open("w", newline="") as lines:
                writer = csv.writer(lines)
                writer.writerow(table)
                writer.writerows(zip(*table.values(), strict=True))
        script = Path(__file__).parent / "peers" / "anonymeter_apart.py"
        done = subprocess.run(
            [python, str(script), name], check=True, capture_output=True, text=True
        )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def asked_here(original: Table, release: Table, control: Table) -> dict[str, Any]:
    """What tokumei says."""
    found = tk.risk.attack(
        original,
        release,
        control=control,
        known=[name for name in original if name != SECRET],
        sensitive=[SECRET],
        attempts=ATTEMPTS,
        columns=COLUMNS,
    )
    names = {
        "singling out": f"singling out ({COLUMNS} columns)",
        "linkability": "linkability",
        "inference": f"inference of {SECRET}",
    }
    return {
        name: {
            rate: [one.value, one.lower, one.upper]
            for rate, one in (
                ("attack", found[ours].attack_rate),
                ("control", found[ours].control_rate),
                ("risk", found[ours].risk),
            )
            if one is not None
        }
        for name, ours in names.items()
    }


def shown(figures: list[float]) -> str:
    """A rate and its interval."""
    return f"{figures[0]:.3f} [{figures[1]:.3f}, {figures[2]:.3f}]"
