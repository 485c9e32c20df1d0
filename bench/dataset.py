"""Data sets larger than memory, measured: time by phase, memory of all processes, disk.

    python -m bench.dataset run 1e7 --limit 4     # rows generated in pieces, masked, judged
    python -m bench.dataset loss 1e6              # loss beside the table in memory
    python -m bench.dataset growth 1e6 1e7 1e8    # cost a million rows as the table grows
    python -m bench.dataset balance 1e9           # blocks of a plan for skewed data, on paper
    python -m bench.dataset paper 4e6             # what more rows take on more machines, on paper
    python -m bench.dataset shares 1e7 --files    # tasks laid on free cores, and the dearest steps

Pieces are made as they are read, twice each; with --files they lie in a folder of Parquet files.
A child does the work; this process adds up the memory of the child and its own children several
times a second, ends it where it passes the limit, and looks at the disk.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from bench.dataset_problems import ATTRIBUTES, KINDS, drawn

PIECE = 1 << 22
MADE: list[float] = []  # seconds of the processor that pieces took to make, in this process
PAGE = os.sysconf("SC_PAGE_SIZE")
EVERY = 0.2  # seconds
GIB = 2**30


def piece_of(kind: str, rows: int, single: bool, piece: int, number: int) -> Any:
    """Piece `number` of a table of so many rows; what making it takes is no cost of masking."""
    begin = time.thread_time()
    table = drawn(kind, min(piece, rows - number * piece), number, single)
    MADE.append(time.thread_time() - begin)
    return table


def source_of(asked: argparse.Namespace, folder: str) -> tuple[Any, int | None]:
    """What is masked: a folder of files, or a function and how many pieces it makes."""
    rows = int(asked.rows[0])
    make = partial(piece_of, asked.kind, rows, asked.single, asked.piece)
    count = -(-rows // asked.piece)
    if not asked.files:
        return make, count
    import pyarrow.parquet as pq

    path = Path(folder) / "in"
    path.mkdir()
    for number in range(count):
        name = path / f"{number:05d}.parquet"
        pq.write_table(make(number), name, row_group_size=1 << 20, use_dictionary=False)
    MADE.clear()
    return path, None


def mask(asked: argparse.Namespace, source: Any, pieces: int | None, folder: str) -> Any:
    """The release that is measured."""
    import tokumei as tk

    return tk.release.mask_dataset(
        source,
        Path(folder) / "out",
        asked.k,
        quasi=[f"x{j}" for j in range(ATTRIBUTES)] if asked.kind != "mixed" else MIXED,
        method=asked.method,
        pieces=pieces,
        memory_limit=asked.limit,
        n_threads=asked.threads,
    )


def masked(asked: argparse.Namespace, folder: str, said: Any) -> None:
    """The work of the child: a release, and what its private record says of the phases."""
    source, pieces = source_of(asked, folder)
    others = busy()
    begin, processor = time.perf_counter(), spent()
    release = mask(asked, source, pieces, folder)
    cpu = spent() - processor
    said.put(
        {
            "wall": time.perf_counter() - begin,
            "cpu": cpu,
            "others": busy() - others - cpu,
            "made": sum(MADE),
            "run": release.record["run"],
            "achieved": {k: v for k, v in release.record["achieved"].items() if k in ACHIEVED},
            "audit": release.audit,
            "files": len(list(release.table.iterdir())),
            "bytes": size_of(release.table),
            "row_bytes": drawn(asked.kind, 1000, 0, asked.single).nbytes / 1000,
        }
    )


def parted(asked: argparse.Namespace, folder: str, said: Any) -> None:
    """The same, its tasks watched; once more in one thread, its steps too."""
    from bench.dataset_shares import watched

    source, pieces = source_of(asked, folder)
    found = watched(lambda: mask(asked, source, pieces, folder), asked.threads, profiled=False)
    one = argparse.Namespace(**{**vars(asked), "threads": 1})
    steps = watched(lambda: mask(one, source, pieces, folder), 1, profiled=True)["steps"]
    said.put(found | {"steps": steps})


def spent() -> float:
    """Seconds of the processor of this process, and of its children that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def busy() -> float:
    """Seconds that processors of this machine have been at work, whoever asked."""
    with suppress(OSError):
        times = [int(each) for each in Path("/proc/stat").read_text().split("\n")[0].split()[1:9]]
        return (sum(times) - times[3] - times[4]) / os.sysconf("SC_CLK_TCK")
    return 0.0


MIXED = ["x0", "x1", "x2", "region", "sex"]
ACHIEVED = ("rows", "k", "groups", "blocks", "loss_percent", "classes")


def size_of(folder: Path) -> int:
    """The bytes of all files, as far as they are still there."""
    total = 0
    # What vanishes while it is looked through, a whole folder too, is passed over.
    for place, _, names in os.walk(folder):
        for name in names:
            with suppress(OSError):
                total += (Path(place) / name).lstat().st_blocks * 512
    return total


def memory_of(pid: int) -> int:
    """The resident bytes of a process and of all that come of it."""
    total, waiting = 0, [pid]
    while waiting:
        one = waiting.pop()
        with suppress(OSError, ValueError, IndexError):
            statm = Path(f"/proc/{one}/statm").read_text().split()
            total += (int(statm[1]) - int(statm[2])) * PAGE  # without pages that files back
            for children in Path(f"/proc/{one}/task").glob("*/children"):
                waiting += map(int, children.read_text().split())
    return total


def measured(work: Callable[..., None], asked: argparse.Namespace) -> dict[str, Any]:
    """Peak memory and disk of the work, and what it says."""
    context = multiprocessing.get_context("spawn")
    said = context.Queue()
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix="tokumei-bench-") as folder:
        child = context.Process(target=work, args=(asked, folder, said))
        child.start()
        memory = disk = 0
        looked = 0.0
        while child.is_alive():
            memory = max(memory, memory_of(child.pid or 0))
            if memory > asked.limit * GIB:
                child.kill()
                msg = f"more than {asked.limit} GiB of memory"
                raise SystemExit(msg)
            if time.monotonic() - looked > 2.0:
                disk, looked = max(disk, size_of(Path(folder))), time.monotonic()
            if not said.empty():
                break
            time.sleep(EVERY)
        if said.empty() and child.exitcode:
            msg = f"the work ended with {child.exitcode}"
            raise SystemExit(msg)
        found: dict[str, Any] = said.get()
        child.join()
    return found | {"memory": memory, "disk": disk}


def run(asked: argparse.Namespace) -> None:
    """One size."""
    from bench import dataset_growth as kept

    found = measured(masked, asked)
    rows = asked.rows[0]
    print(f"{asked.kind}, {rows:,.0f} rows, {'float32' if asked.single else 'float64'}:", end=" ")
    print(", ".join(f"{name} {value:,.6g}" for name, value in found["achieved"].items()))
    print(f"  {'phase':<18}{'clock s':>10}{'CPU s':>10}{'CPU s per million rows':>26}")
    for name, seconds in found["run"]["seconds"].items():
        spent = found["run"]["processor"][name]
        print(f"  {name:<18}{seconds:>10.1f}{spent:>10.1f}{1e6 * spent / rows:>26.3f}")
    wall, cpu = found["wall"], found["cpu"]
    print(f"  {'all':<18}{wall:>10.1f}{cpu:>10.1f}{1e6 * cpu / rows:>26.3f}")
    beside = cpu - sum(found["run"]["processor"].values())
    print(f"  {'beside phases':<18}{'':>10}{beside:>10.1f}{1e6 * beside / rows:>26.3f}")
    own = 1e6 * (cpu - found["made"]) / rows
    print(f"  {'making the rows':<28}{found['made']:>10.1f}, without which {own:>14.3f}")
    print(f"  other work took {found['others']:.1f} CPU s meanwhile")
    print(f"  {rows / wall:,.0f} rows/s; peak memory {found['memory'] / GIB:.2f} GiB, ", end="")
    print(f"peak disk {found['disk'] / GIB:.2f} GiB, release {found['bytes'] / GIB:.2f} GiB")
    if asked.kept:
        kept.write(asked.kept, kept.read(asked.kept) | {int(rows): kept.of(rows, found)})
    if asked.audit:
        asked.audit.write_text(json.dumps(found["audit"], indent=2) + "\n", encoding="utf-8")


def growth(asked: argparse.Namespace) -> None:
    """The same for several sizes, a line each."""
    from bench import dataset_growth as kept

    sizes = kept.read(asked.kept)
    print(kept.HEADINGS)
    for rows in asked.rows:
        asked_for = argparse.Namespace(**{**vars(asked), "rows": [rows]})
        sizes[int(rows)] = kept.of(rows, measured(masked, asked_for))
        print(kept.line(sizes[int(rows)]), flush=True)
        if asked.kept:
            kept.write(asked.kept, sizes)
    if asked.plot:
        kept.draw(sizes, asked.plot)


def loss(asked: argparse.Namespace) -> None:
    """Loss in blocks beside the same method in memory, for three kinds of data."""
    from bench.dataset_loss import compared

    for kind in KINDS[1:]:
        memory, again, blocks, count = compared(kind, int(asked.rows[0]), asked.method, asked.k)
        print(f"{kind:<10} in memory {memory:.5f} %, ", end="")
        for name, lost in (("dearest groups again", again), (f"{count} blocks", blocks)):
            print(f"{name} {lost:.5f} % ({100.0 * (lost / memory - 1.0):+.2f} %)", end="  ")
        print(flush=True)


def balance(asked: argparse.Namespace) -> None:
    """How records of skewed data fall to the blocks that a plan expects to be equal."""
    from bench.dataset_balance import simulated

    for kind in KINDS:
        found = simulated(kind, int(asked.rows[0]))
        print(f"{kind:<10} " + ", ".join(f"{name} {value:,.4g}" for name, value in found.items()))


def paper(asked: argparse.Namespace) -> None:
    """What more machines would take, from what one takes."""
    from bench.dataset_paper import lines

    rows = asked.rows[0]
    found = measured(masked, asked)
    for line in lines(found, rows, asked.threads):
        print(line)


def shares(asked: argparse.Namespace) -> None:
    """Where the time of one size goes."""
    from bench.dataset_shares import lines

    for line in lines(measured(parted, asked), asked.rows[0], asked):
        print(line)


WORK = {
    "run": run,
    "loss": loss,
    "growth": growth,
    "balance": balance,
    "paper": paper,
    "shares": shares,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=[*WORK])
    parser.add_argument("rows", type=float, nargs="+")
    parser.add_argument("-k", type=int, default=5)
    parser.add_argument("--kind", choices=KINDS, default="normal")
    parser.add_argument("--method", default="flexdice")
    parser.add_argument("--single", action="store_true", help="float32 columns")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=float, default=4.0, help="GiB of memory")
    parser.add_argument("--piece", type=int, default=PIECE, help="rows that are made at once")
    parser.add_argument("--files", action="store_true", help="rows lie in files, made before")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--audit", type=Path, help="where the public audit is kept")
    parser.add_argument("--kept", type=Path, help="JSON of the sizes that were measured")
    parser.add_argument("--plot", type=Path, help="a drawing of how time grows")
    asked = parser.parse_args()
    WORK[asked.what](asked)


if __name__ == "__main__":
    main()
