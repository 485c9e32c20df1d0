"""Tables of people in the files of a folder, in this layout or that."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from tokumei.release.sections import ACCEPTABLE

ACCEPTED = dict.fromkeys(ACCEPTABLE, "invented people, for a test")
QUASI = ["age", "income", "region"]


def people(rows, seed=0):
    """Numbers of both kinds, one with many ties, and a category."""
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(18, 90, rows),
            "income": np.round(rng.lognormal(10, 1, rows), 2),
            "region": pa.array(rng.choice(["n", "e", "s", "w"], rows, p=[0.6, 0.2, 0.1, 0.1])),
            "ward": pa.array(rng.choice(["a", "b", "c"], rows)),
        }
    )


def folder_of(folder, table, files=3, group=400, order=None):
    """The rows in so many files, as they stand or in another order."""
    folder.mkdir()
    if order is not None:
        table = table.take(pa.array(order))
    ends = np.linspace(0, len(table), files + 1).astype(int)
    for number in range(files):
        part = table.slice(ends[number], ends[number + 1] - ends[number])
        pq.write_table(part, folder / f"f{number}.parquet", row_group_size=group)
    return folder


def mask(source, target, **more):
    import tokumei as tk

    asked = {"k": 3, "quasi": QUASI, "other": ["ward"], "method": "flexdice"} | more
    asked.setdefault("accept_risk", ACCEPTED)
    return tk.release.mask_dataset(source, target, **asked)
