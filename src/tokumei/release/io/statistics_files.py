"""Files of SPSS, Stata and SAS as tables of Arrow, through pyreadstat.

A column whose codes all have labels is one of categories: its labels are the cells, in the order
of the codes where the file calls it ordinal. Numbers that are all whole are integers, as these
programs have no others. Values that the file declares missing are missing.

Loaded by `decoder`, in the process that has a bound on its memory: imports nothing of tokumei.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}
EXACT = 2.0**53


def table_of(source: Path) -> Any:
    """The table of a file; ImportError where pyreadstat is not there."""
    import pyreadstat

    frame, about = getattr(pyreadstat, READERS[source.suffix.lower()])(str(source))
    columns = []
    for place, name in enumerate(about.column_names):
        cells = frame.iloc[:, place]
        labels = about.variable_value_labels.get(name) or {}
        measure = about.variable_measure.get(name, "unknown")
        columns.append(_column(cells, labels, ordered=measure == "ordinal"))
    return pa.table(columns, names=list(about.column_names))


def _column(cells: Any, labels: dict[Any, str], *, ordered: bool) -> Any:
    missing = np.asarray(cells.isna())
    if labels and set(cells[~missing]) <= set(labels):
        codes = sorted(labels) if ordered else list(labels)
        place = {code: number for number, code in enumerate(codes)}
        found = pa.array([place.get(cell) for cell in cells], pa.int32())
        names = pa.array([labels[code] for code in codes], pa.string())
        made = pa.DictionaryArray.from_arrays(found, names, ordered=ordered)
        return made if ordered else made.cast(pa.string())
    if cells.dtype.kind == "f":
        present = cells.to_numpy()[~missing]
        if len(present) and (np.rint(present) == present).all() and (abs(present) < EXACT).all():
            whole = np.where(missing, 0, cells.to_numpy()).astype(np.int64)
            return pa.array(whole, mask=missing)
    return pa.Array.from_pandas(cells)
