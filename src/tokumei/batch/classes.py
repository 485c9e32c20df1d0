"""Classes of a whole release, however many: counted in buckets of those whose cells have one hash.

Records of one class lie in any file. Each file says its classes with their counts; those of one
bucket, of all files, are then added up. What is asked of classes is asked of the sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.batch import gate, hashes, interruption, scatter
from tokumei.batch.asked import Scattered
from tokumei.batch.stage import Stage
from tokumei.privacy import LDiversity, TCloseness
from tokumei.release.io.written import written_file

CLASSES, VALUE, RECORDS = "classes", "value of a class", "records"


def _place(part: int) -> str:
    return f"{CLASSES}/part-{part:05d}"


def _file(folder: Any, column: int, bucket: int) -> Any:
    return folder / f"column-{column:03d}-bucket-{bucket:05d}.arrow"


def columns_of(plan: Scattered) -> list[str]:
    """The sensitive columns whose values are counted in each class; "" of none."""
    names = [m.column for m in plan.asked.job.privacy if isinstance(m, LDiversity | TCloseness)]
    return list(dict.fromkeys(names)) or [""]


def of_part(stage: Stage, plan: Scattered, part: int) -> dict[str, Any]:
    """The classes of one file of the release, by their buckets."""
    return stage.once(_place(part), lambda: _of_part(stage, plan, part))


def _of_part(stage: Stage, plan: Scattered, part: int) -> None:
    path = stage.path / scatter.PARTS / f"{part:05d}" / scatter.name_of(plan, part)
    buckets, key = 2 * plan.parts, stage.key("classes")
    whole: dict[str, dict[str, int]] = {}
    with stage.whole_folder(_place(part)) as folder:
        for place, sensitive in enumerate(columns_of(plan)):
            interruption.go_on()
            found = _classes_in(plan, path, sensitive)
            if sensitive:
                values = found.group_by(VALUE).aggregate([(RECORDS, "sum")]).to_pydict()
                whole[sensitive] = dict(zip(values[VALUE], values[f"{RECORDS}_sum"], strict=True))
            quasi = found.select(plan.asked.quasi)
            bucket = (hashes.of_records(quasi, key) % np.uint64(buckets)).astype(np.int64)
            order = np.argsort(bucket, kind="stable")
            ends = np.concatenate([[0], np.cumsum(np.bincount(bucket, minlength=buckets))])
            sorted_ = found.take(pa.array(order))
            for one in np.flatnonzero(np.diff(ends)).tolist():
                rows = sorted_.slice(ends[one], ends[one + 1] - ends[one])
                with stage.new_table(_file(folder, place, one), found.schema) as file:
                    file.write_table(rows.combine_chunks())
        stage.write_facts(folder, {"buckets": buckets, "whole": whole})


def _classes_in(plan: Scattered, path: Path, sensitive: str) -> Any:
    """The classes of a file, as texts, with their records; by a sensitive value, where one is."""
    connection = gate.connected()
    asked = plan.asked
    names = asked.roles.released()
    cells = written_file(path, asked.layout, asked.roles).cells(connection)
    called = dict(zip(asked.quasi, asked.quasi, strict=True))
    called |= {VALUE: sensitive} if sensitive else {}
    wanted = [
        f"coalesce(CAST(c{names.index(name)} AS VARCHAR), '') AS x{place}"
        for place, name in enumerate(called.values())
    ]
    question = f"SELECT {', '.join(wanted)}, count(*) AS n FROM {cells} GROUP BY ALL"
    found = connection.sql(question).to_arrow_table()
    return found.rename_columns([*called, RECORDS])


def of_bucket(
    stage: Stage, plan: Scattered, bucket: int, whole: Mapping[str, Mapping[str, int]]
) -> dict[str, Any]:
    """What is asked of the classes of one bucket; `whole` counts the values of the table."""
    facts: dict[str, Any] = {"classes": 0, "least": 0, "reached": {}}
    for place, sensitive in enumerate(columns_of(plan)):
        interruption.go_on()
        tables = []
        for part in range(plan.parts):
            path = _file(stage.path / _place(part), place, bucket)
            if path.exists():
                tables.append(stage.open_table(path).read_all())
        if not tables:
            return facts
        quasi = plan.asked.quasi
        by = [*quasi, *([VALUE] if sensitive else [])]
        added = (
            pa.concat_tables(tables).group_by(by, use_threads=False).aggregate([(RECORDS, "sum")])
        )
        counts = added.column(f"{RECORDS}_sum").to_numpy().astype(np.int64)
        group = _numbered(added, quasi)
        sizes = np.bincount(group, counts).astype(np.int64)
        facts |= {"classes": len(sizes), "least": int(sizes.min())}
        if sensitive:
            values = whole[sensitive]
            place_of = {value: number for number, value in enumerate(values)}
            code = np.array([place_of[v] for v in added.column(VALUE).to_pylist()], dtype=np.int64)
            order = np.lexsort((code, group))
            pairs = group[order], code[order], counts[order]
            facts["reached"] |= _reached(plan, sensitive, pairs, np.array(list(values.values())))
    return facts


def _reached(plan: Scattered, name: str, pairs: Any, whole: Any) -> dict[str, float]:
    """What the worst class of a bucket comes to, by the number of each model of the column."""
    group, code, counts = pairs
    found = {}
    for number, model in enumerate(plan.asked.job.privacy):
        if isinstance(model, LDiversity) and model.column == name:
            of_each = model.of_counts(group, counts)
            worst = of_each.max() if model.kind == "recursive" else of_each.min()
        elif isinstance(model, TCloseness) and model.column == name:
            worst = model.of_counts(group, code, counts, whole).max()
        else:
            continue
        found[str(number)] = float(worst)
    return found


def _numbered(table: Any, names: Sequence[str]) -> Any:
    """A number for each class: no hash, so that no two are taken for one."""
    codes = np.zeros(len(table), dtype=np.int64)
    for name in names:
        one = table.column(name).combine_chunks().dictionary_encode().indices
        own = np.asarray(one.fill_null(-1)).astype(np.int64) + 1
        codes = np.unique(codes * (int(own.max()) + 1) + own, return_inverse=True)[1]
    return codes


def whole_of(plan: Scattered, found: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """How often each sensitive value is in all files, in the order of ranks."""
    counts: dict[str, Counter[str]] = {}
    for one in found:
        for name, of_part in one["whole"].items():
            counts.setdefault(name, Counter()).update(of_part)
    return {name: dict(sorted(each.items(), key=_rank)) for name, each in counts.items()}


def _rank(one: tuple[str, int]) -> tuple[float, str]:
    with suppress(ValueError):
        return float(one[0]), one[0]
    return float("inf"), one[0]


def together(
    plan: Scattered, found: Sequence[Mapping[str, Any]]
) -> tuple[int, int, dict[int, float]]:
    """The least class of all, how many there are, and the worst of each model by its number."""
    least = min((one["least"] for one in found if one["classes"]), default=0)
    reached: dict[int, float] = {}
    for number, model in enumerate(plan.asked.job.privacy):
        values = [one["reached"][str(number)] for one in found if str(number) in one["reached"]]
        if values:
            high = isinstance(model, TCloseness) or getattr(model, "kind", "") == "recursive"
            reached[number] = max(values) if high else min(values)
    return least, sum(one["classes"] for one in found), reached
