"""Means of groups counted again by SQL, from their numbers as they were and their weights."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from tokumei.batch.blocks import Masked
from tokumei.batch.plan import Plan

ROUNDED = 1e-9  # by which sums of doubles in another order may differ


def unlike(connection: Any, plan: Plan, masked: Masked, names: list[str]) -> int:
    """How many groups do not publish the mean of their numbers, weighted, counted in SQL."""
    forms = {attribute.name: attribute.form for attribute in plan.attributes}
    wrong = 0
    columns = masked.was.column_names[2:]
    lent = ["g", "w", *(f"x{j}" for j in range(len(columns)))]
    connection.register("was", masked.was.rename_columns(lent))
    try:
        for j, name in enumerate(columns):
            x, y = f"x{j}", _as_number(masked.table.column(name).type, f"c{names.index(name)}")
            there = f"FILTER (WHERE NOT isnan({x}))"
            decimals = getattr(forms[name], "decimals", None)
            step = 0.0 if decimals is None else 0.5 * 10.0**-decimals
            mean = f"sum(w * {x}) {there} / sum(w) {there}"
            far = f"abs(m - y) > {step!r} + {ROUNDED!r} * greatest(abs(m), most, 1.0)"
            wrong += int(
                connection.execute(
                    f"SELECT count(*) FROM (SELECT {mean} AS m, min({y}) AS y, max({y}) AS z, "
                    f"max(abs({x})) {there} AS most FROM was POSITIONAL JOIN block GROUP BY g) "
                    f"WHERE y <> z OR {far}"
                ).fetchall()[0][0]
            )
    finally:
        connection.unregister("was")
    return wrong


def _as_number(kind: Any, column: str) -> str:
    """A published number in SQL; of truth values 1 and 0."""
    return (
        f"CAST(CAST({column} AS INTEGER) AS DOUBLE)"
        if pa.types.is_boolean(kind)
        else (f"CAST({column} AS DOUBLE)")
    )
