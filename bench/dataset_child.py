"""What it costs to let a child decode pieces of a data set: processor and clock by million rows.

    python -m bench.dataset_child 4e6

A child reads row groups under a limit of memory and writes them as Arrow, which is mapped again; in
turns with reading them here. Files are in the page cache.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bench.dataset_problems import drawn
from tokumei.release.io import reading

TURNS = 5
GROUP = 1 << 17


def here(path: Path, folder: Path, groups: list[int]) -> Any:
    """The table, read by this process."""
    with pq.ParquetFile(path) as file:
        return file.read_row_groups(groups, use_threads=False)


def by_child(path: Path, folder: Path, groups: list[int]) -> Any:
    """The table, read by another."""
    target = folder / "cells"
    target.unlink(missing_ok=True)
    request = {"format": "parquet", "memory": 3 << 30, "groups": groups, "columns": None}
    reading.told_by_child(path, target, request)
    with pa.memory_map(str(target)) as file:
        return pa.ipc.open_stream(file).read_all()


def spent() -> float:
    """Seconds of the processor, of children too."""
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return sum(each.ru_utime + each.ru_stime for each in (own, children))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=float)
    rows = int(parser.parse_args().rows)
    with tempfile.TemporaryDirectory(prefix="tokumei-bench-") as place:
        path = Path(place) / "in.parquet"
        pq.write_table(drawn("normal", rows, 0), path, row_group_size=GROUP)
        groups = list(range(pq.read_metadata(path).num_row_groups))
        found: dict[str, list[tuple[float, float]]] = {"here": [], "by a child": []}
        for _ in range(TURNS):
            for name, read in (("here", here), ("by a child", by_child)):
                begin, processor = time.perf_counter(), spent()
                table = read(path, Path(place), groups)
                assert len(table) == rows
                found[name].append((time.perf_counter() - begin, spent() - processor))
        for name, turns in found.items():
            clock, cpu = (float(np.min([turn[j] for turn in turns])) for j in (0, 1))
            print(f"{name:<12} clock {1e6 * clock / rows:.3f} s, CPU {1e6 * cpu / rows:.3f} s")


if __name__ == "__main__":
    main()
