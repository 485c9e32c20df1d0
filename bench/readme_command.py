"""What the first command of the README costs, gate included, beside loading its libraries.

    python -m bench.readme_command [RUNS]

CPU time of whole processes, children too: of ``tokumei mask`` on the thousand people of the
examples, of the dry run of the same line, and of a Python that imports numpy, Arrow, DuckDB,
narwhals and typer and does nothing. Runs alternate, since clocks drift. Measure an
installed tokumei: an editable one looks at its build at each start. Ends with 1 where the command
costs more than `MOST` times the libraries.
"""

from __future__ import annotations

import resource
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

PEOPLE = Path(__file__).parents[1] / "examples" / "people.csv"
MASK = "from tokumei.cli import main; main()"
LIBRARIES = "import numpy, pyarrow.compute, pyarrow.parquet, duckdb, narwhals, typer"
ROLES = (
    "-k 5 --identifier person --quasi age,region,income --nominal region --sensitive diagnosis "
    "--drop children --quiet"
)
MOST = 5.0


def seconds(program: str, *arguments: str) -> float:
    """CPU time of a Python process and of those that it waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-c", program, *arguments], check=True, stdout=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def main(asked: list[str]) -> int:
    """Each program so many times, by turns; least and greatest, and the ratio of medians."""
    taken: dict[str, list[float]] = {"libraries": [], "dry run": [], "mask": []}
    with tempfile.TemporaryDirectory() as folder:
        line = ["mask", str(PEOPLE), str(Path(folder) / "released.csv"), *shlex.split(ROLES)]
        for _ in range(int(asked[0]) if asked else 8):
            taken["libraries"].append(seconds(LIBRARIES))
            taken["dry run"].append(seconds(MASK, *line, "--dry-run"))
            taken["mask"].append(seconds(MASK, *line))
    for name, times in taken.items():
        ratio = median(times) / median(taken["libraries"])
        print(f"{name:10} {min(times):6.2f} to {max(times):.2f} CPU s, {ratio:.1f} times libraries")
    return median(taken["mask"]) > MOST * median(taken["libraries"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
