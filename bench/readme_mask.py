"""What masking the README's example costs once everything is imported.

    python -m bench.readme_mask [RUNS]

CPU time of ``tk.release.mask`` of the thousand people of the examples, its gate included, in one
process: the first time, when what is imported late is imported as well, and the least of the
others. Ends with 1 where that is a second or more.
"""

from __future__ import annotations

import sys
import time

import pyarrow as pa
from pyarrow.csv import read_csv

import tokumei as tk
from bench.readme_command import PEOPLE

MOST = 1.0
RUNS = 6


def seconds(table: pa.Table) -> float:
    """CPU time of one masking with the roles of the README's command."""
    begin = time.process_time()
    tk.release.mask(
        table,
        k=5,
        identifier=["person"],
        quasi=["age", "region", "income"],
        kinds={"region": "nominal"},
        sensitive=["diagnosis"],
        drop=["children"],
    )
    return time.process_time() - begin


def main(asked: list[str]) -> int:
    """The first masking and the least of the others."""
    table = read_csv(PEOPLE)
    first, *others = (seconds(table) for _ in range(int(asked[0]) if asked else RUNS))
    print(f"first {first:.2f} CPU s, then {min(others):.2f} to {max(others):.2f}")
    return min(others) >= MOST


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
