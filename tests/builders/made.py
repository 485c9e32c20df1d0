"""Releases whose making can be spoiled: one table, every kind of table and file, what failed."""

import numpy as np
import polars as pl
import pyarrow as pa
from builders.people import ACCEPTED

import tokumei as tk
from tokumei.release.io import files

ROWS = 240
KINDS = ["pandas", "polars", "arrow", ".csv", ".parquet", ".feather"]
FEW = ["polars", ".csv"]


def people(rows=ROWS):
    rng = np.random.default_rng(7)
    return {
        "name": [f"Person{17 * i % 997:03d}" for i in range(rows)],
        "age": rng.integers(18, 90, rows).tolist(),
        "income": rng.normal(3000, 400, rows).round(2).tolist(),
        "job": rng.choice(["cook", "nurse", "smith", "clerk"], rows).tolist(),
        "note": [f"since {1980 + int(i)}" for i in rng.integers(0, 40, rows)],
        "ill": rng.choice(["yes", "no"], rows).tolist(),
    }


ROLES = {
    "quasi": ["age", "income"],
    "identifier": ["name"],
    "sensitive": ["ill"],
    "other": ["job", "note"],
}
# Whether people could be found in so small a table is asked elsewhere.
K = {"k": 3, "accept_risk": ACCEPTED}


def released(columns, kind, folder, *, do=tk.release.mask, **asked):
    """A release of these columns, as a dataframe or by way of files."""
    table = pa.table(columns)
    asked = ROLES | K | asked if do is tk.release.mask else asked
    if not kind.startswith("."):
        make = {"pandas": pa.Table.to_pandas, "polars": pl.from_arrow, "arrow": lambda t: t}[kind]
        return do(make(table), **asked)
    source, target = folder / f"in{kind}", folder / f"out{kind}"
    with source.open("wb") as file:
        files.write(table, file, files.layout_of(source))
    door = {tk.release.mask: tk.release.mask_file, tk.release.recode: tk.release.recode_file}.get(
        do, tk.release.perturb_file
    )
    return door(source, target, **asked)


def failures(*made, **asked):
    """The checks that failed, and what each says; nothing where the table was released."""
    try:
        released(*made, **asked)
    except tk.release.Refused as refusal:
        checks = refusal.audit["checks"]
        return {each["check"]: each["detail"] for each in checks if each["verdict"] == "failed"}
    return {}
