"""Tables for data sets: what a piece holds depends on its number alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

ATTRIBUTES = 4
KINDS = ("normal", "gaussians", "lognormal", "mixed")


def drawn(kind: str, rows: int, piece: int = 0, single: bool = False) -> Any:
    """Rows of that kind: four numbers, or three and two categories where it is mixed."""
    fixed, chance = np.random.default_rng(1), np.random.default_rng([2, piece])
    x = chance.normal(size=(rows, ATTRIBUTES))
    if kind == "gaussians":
        centres = fixed.normal(size=(20, ATTRIBUTES)) * 3
        x = x + centres[chance.integers(0, len(centres), rows)]
    elif kind in ("lognormal", "mixed"):
        turn = np.eye(ATTRIBUTES) + 0.8 * fixed.normal(size=(ATTRIBUTES, ATTRIBUTES))
        x = np.exp(0.5 * x @ turn)
    columns: dict[str, Any] = {
        f"x{j}": x[:, j].astype(np.float32 if single else np.float64) for j in range(ATTRIBUTES)
    }
    if kind == "mixed":
        del columns["x3"]
        shares = np.array([0.4, 0.2, 0.1, 0.1, 0.1, 0.05, 0.05])
        columns["region"] = np.array(list("abcdefg"))[chance.choice(7, rows, p=shares)]
        columns["sex"] = np.where(chance.random(rows) < 0.5, "f", "m")
    return pa.table(columns)
