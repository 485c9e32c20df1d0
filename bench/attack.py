"""``python -m bench attack``: every attack on releases of tokumei and of its peers, at one k.

Published as it comes out. sdcMicro's releases are files of the reference data; tokumei masks the
same 5,000 records of Adult by the same columns. The control group is the rest of Adult. anonypy and
anjana mask them by a Python of their own that has them, which ``TOKUMEI_PYTHON_PEERS`` names; peers
that are not there have no line. Sets are categories by themselves, so that links by distance know
little of releases that publish them.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

import tokumei as tk
from bench import problems
from tokumei.release.sections import ACCEPTABLE
from tokumei.risk.attacks.records import comparable
from tokumei.values import tables

K, SEED = 5, 0
KEYS = ["age", "workclass", "education", "marital.status", "race", "sex"]
NUMBERS = ["age", "fnlwgt", "education.num", "capital.gain", "capital.loss", "hours.per.week"]
SECRET = "income"
PEERS = {
    "sdcMicro, MDAV of numbers": ("adult_5000_mdav5.csv", NUMBERS),
    "sdcMicro, local suppression": ("adult_5000_suppressed5.csv", KEYS),
    "sdcMicro, PRAM": ("adult_5000_pram.csv", KEYS),
}
# Releases in which ages are in classes, each of which borders on the next below.
CLASSED = ("sdcMicro, local suppression", "sdcMicro, PRAM")
PYTHON = "TOKUMEI_PYTHON_PEERS"
AGES = [0, 25, 35, 45, 55, 65, 100]
Table = dict[str, list[str]]


def main() -> int:
    """Print the table of risks."""
    try:
        original, control = people()
    except (OSError, problems.Absent):
        print(f"the reference data are not here (set {problems.FOLDER_VARIABLE})", file=sys.stderr)
        return 2
    lines: dict[str, tk.risk.Attacked] = {}
    lost: dict[str, float] = {}
    for name, release, known in releases(original):
        before, others = original, control
        if name in CLASSED:
            before, others = classed(original), classed(control)
        lines[name] = tk.risk.attack(
            {column: before[column] for column in (*known, SECRET)},
            release,
            control=others,
            known=known,
            sensitive=[SECRET],
            attempts=1000,
            random_state=SEED,
        )
        lost[name] = distance(before, release, known)
        print(f"{name} ...", file=sys.stderr)
    attacks = list(dict.fromkeys(one.name for line in lines.values() for one in line.attacks))
    columns = [*attacks, "anonymity loss", "information lost"]
    print(f"| release | {' | '.join(columns)} |")
    print(f"|---|{'---|' * len(columns)}")
    for name, line in lines.items():
        risks = {one.name: one for one in line.attacks}
        cells = [shown(risks.get(attack)) for attack in attacks]
        cells += [f"{one.value:.2f} [{one.lower:.2f}, {one.upper:.2f}]" for one in line.losses]
        print(f"| {name} | {' | '.join(cells)} | {lost[name]:.2f} |")
    return 0


def distance(original: Table, release: Any, known: list[str]) -> float:
    """How far all tables of two columns are apart on average: the share of records that would have
    to be moved; numbers are compared by tenths, intervals by their middles.
    """
    columns = [*known, SECRET]
    both = (original, release)
    parts = [tables.table({name: part[name] for name in columns}, "table") for part in both]
    one, other = comparable(parts, columns)
    codes: dict[str, list[Any]] = {}
    for name in columns:
        cells = [one.cells[name], other.cells[name]]
        if one.numeric(name):
            ends = np.nanquantile(cells[0], np.arange(1, 10) / 10)
            cells = [np.where(np.isnan(each), -1, np.searchsorted(ends, each)) for each in cells]
        codes[name] = cells
    apart_by = []
    for a, b in combinations(columns, 2):
        pairs = [codes[a][part] * 100_000 + codes[b][part] for part in (0, 1)]
        kinds, places = np.unique(np.concatenate(pairs), return_inverse=True)
        shares = [
            np.bincount(each, minlength=len(kinds)) / len(each)
            for each in np.split(places, [len(pairs[0])])
        ]
        apart_by.append(0.5 * float(np.abs(shares[0] - shares[1]).sum()))
    return float(np.mean(apart_by))


def shown(attack: tk.risk.Attack | None) -> str:
    """A risk with its interval; nothing where there was nothing to attack."""
    if attack is None or not attack.attempts:
        return "-"
    risk = attack.risk
    return f"{risk.value:.2f} [{risk.lower:.2f}, {risk.upper:.2f}]"


def people() -> tuple[Table, Table]:
    """The sample of Adult, and records of Adult that are not in it."""
    sample, everybody = table("sdcmicro/adult_5000.csv"), table("adult.csv")
    everybody = {name.replace("-", "."): cells for name, cells in everybody.items()}
    inside = set(zip(*(sample[name] for name in sample), strict=True))
    outside = [
        row
        for row, record in enumerate(zip(*(everybody[name] for name in sample), strict=True))
        if record not in inside
    ]
    rows = np.random.default_rng(SEED).permutation(outside)[: len(sample["age"])]
    return sample, {name: [everybody[name][row] for row in rows] for name in sample}


def classed(people: Table) -> Table:
    """The same people, their ages in classes."""
    ages = np.searchsorted(AGES, np.array(people["age"], dtype=int))
    return people | {"age": [str(age) for age in ages]}


def table(name: str) -> Table:
    """A reference file as columns of text."""
    return read(problems.folder() / name)


def read(path: Path) -> Table:
    """A CSV file as columns of text."""
    with path.open(newline="") as lines:
        head, *rows = csv.reader(lines, skipinitialspace=True)
    return dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))


def apart(original: Table) -> Iterator[tuple[str, Table, list[str]]]:
    """Releases of packages that a Python of their own has."""
    if not os.environ.get(PYTHON):
        return
    asked = {"known": KEYS, "numbers": ["age"], "secret": SECRET, "k": K}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "asked.json").write_text(json.dumps(asked))
        with (folder / "original.csv").open("w", newline="") as lines:
            writer = csv.writer(lines)
            writer.writerow(original)
            writer.writerows(zip(*original.values(), strict=True))
        script = Path(__file__).parent / "peers" / "python_releases_apart.py"
        subprocess.run([os.environ[PYTHON], str(script), name], check=True, capture_output=True)
        for made in sorted(folder.glob("an*.csv")):
            yield made.stem, read(made), KEYS


def releases(original: Table) -> Iterator[tuple[str, Any, list[str]]]:
    """Releases by name, and what others may know of each."""
    import pyarrow as pa

    yield "the original", original, KEYS
    for name, (file, known) in PEERS.items():
        yield name, table(f"sdcmicro/{file}"), known
    yield from apart(original)
    everything = dict.fromkeys(ACCEPTABLE, "to be attacked here")
    for name, known in (("tokumei, the same numbers", NUMBERS), ("tokumei, the same keys", KEYS)):
        done = tk.release.mask(
            pa.table(original),
            K,
            quasi=known,
            sensitive=[SECRET],
            drop="*",
            accept_risk=everything,
        )
        yield name, done.table, known
