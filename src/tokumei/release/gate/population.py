"""Models that count a population: a table coded as the release is, asked in SQL.

Where missing cells count as wildcards, a class is of all records of the population that have its
other cells.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.privacy import DeltaPresence, KMap
from tokumei.privacy.population import Population
from tokumei.release.gate.answers import Answer
from tokumei.release.gate.candidate import Candidate, text_of
from tokumei.release.io import files, frames
from tokumei.release.io.lending import lendable
from tokumei.release.sections import Source


def of_population(candidate: Candidate) -> Answer:
    """Every class of the release is one of the population, with as many records as is asked."""
    models = [model for model in candidate.models if isinstance(model, KMap | DeltaPresence)]
    if not models:
        return True, "nothing is asked of it", {}
    found, measured, kept = [], {}, True
    for model in models:
        groups, codes = _classes(candidate, model.population)
        if candidate.missing == "wildcard":
            codes = _by_cells(candidate, len(candidate.quasi))
        reached = model.reached(groups, codes)
        holds = model.holds(reached)
        unknown = len(np.setdiff1d(groups, codes))
        kept = kept and holds and not unknown
        found.append(f"{model.model} is {'' if holds else 'not '}kept: {reached:.4g}")
        if unknown:
            found.append(f"{unknown} classes are not in the population: is it coded like this?")
        if math.isfinite(reached):
            measured[model.model] = reached
    return kept, "; ".join(found), measured


def _classes(candidate: Candidate, population: str | Population) -> tuple[Any, Any]:
    """The class of each record of the release, and that of each of the population, -1 for none."""
    names = candidate.schema.of("quasi")
    with TemporaryDirectory(dir=candidate.spill_near) as folder:
        if isinstance(population, Population):
            table = frames.columns_of(frames.frame_of(population.table), names)
        else:
            table = files.read(Path(population), Path(folder), Source())[0].select(names)
        cells = [lendable(column) for column in table.columns]
        lent = pa.table(cells, names=[f"p{place}" for place in range(len(names))])
        candidate.connection.register("lent_population", lent)
        _texts(candidate, "population", [f"p{j}" for j in range(len(names))], "lent_population")
        candidate.connection.unregister("lent_population")
    _texts(candidate, "own", candidate.quasi, candidate.cells)
    equal = " AND ".join(f"a.v{j} IS NOT DISTINCT FROM b.v{j}" for j in range(len(names)))
    candidate.ask(
        "CREATE OR REPLACE TEMP TABLE own_classes AS SELECT row_number() OVER () - 1 AS class, * "
        "FROM (SELECT *, count(*) AS n FROM own GROUP BY ALL)"
    )
    place, sizes = candidate.arrays("SELECT class, n FROM own_classes ORDER BY class")
    (codes,) = candidate.arrays(
        "SELECT coalesce(b.class, -1) AS class FROM population AS a "
        f"LEFT JOIN own_classes AS b ON {equal}"
    )
    return np.repeat(place, sizes), codes


def _by_cells(candidate: Candidate, columns: int) -> Any:
    """The class of each record of the population that has its cells; a missing one may be any."""
    equal = " AND ".join(f"(b.v{j} IS NULL OR a.v{j} = b.v{j})" for j in range(columns))
    holes = " OR ".join(f"v{j} IS NULL" for j in range(columns))
    found = candidate.arrays(
        "SELECT class FROM (SELECT b.class FROM population AS a JOIN (SELECT * FROM own_classes "
        f"WHERE {holes}) AS b ON {equal} UNION ALL SELECT b.class FROM population AS a JOIN "
        f"(SELECT * FROM own_classes WHERE NOT ({holes})) AS b "
        f"ON {' AND '.join(f'a.v{j} = b.v{j}' for j in range(columns))})"
    )[0]
    return np.asarray(found, dtype=np.int64)


def _texts(candidate: Candidate, table: str, columns: Sequence[str], source: str) -> None:
    """A table of cells as texts, v0, v1..., which compare whatever file they come from."""
    cells = ", ".join(f"{text_of(column)} AS v{j}" for j, column in enumerate(columns))
    candidate.ask(f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT {cells} FROM {source}")
