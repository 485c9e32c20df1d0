"""Room on the disk: what a run takes at most, pass by pass, is said before it begins.

A pass takes away what it has read: decoded cells of a file, a bucket, a file of the source that is
consumed. What lies there at once goes by what has been written until then.
"""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

import pyarrow as pa

from tokumei.batch.asked import Scattered
from tokumei.batch.delimited import CsvFolder, Decoded
from tokumei.batch.pieces import Folder, Source
from tokumei.batch.plan import Plan
from tokumei.batch.rowwise import RowPlan
from tokumei.batch.source import left_out_of
from tokumei.batch.stage import Stage
from tokumei.batch.storage import Disk, Where
from tokumei.release.errors import InputError
from tokumei.release.io import decoder, plain_text
from tokumei.release.job import Job

BESIDE = 1.3  # of records' bytes: masked ones and files lie beside what is spilled for a while
COUNT = 8  # bytes in which a gathered record says how often it is there
OFFSET = 8  # bytes of a decoded cell beside its letters
LOOKED_AT = 1 << 20  # bytes of text by which the cells of a file are estimated


def check(plan: Scattered, stage: Stage, source: Source, job: Job, consume: bool) -> None:
    """Refuse to begin what the disk cannot hold."""
    needed = needed_of(plan, source, job.run.n_threads, consume)
    _refuse(needed, stage.path, sum(_consumed(source, stage.path)) if consume else 0)


def check_decoding(stage: Stage, folder: CsvFolder, job: Job) -> None:
    """The same of a folder of CSV, before it is decoded."""
    _refuse(decoding_of(folder, job), stage.path)


def needed_of(plan: Scattered, source: Source, threads: int, consume: bool) -> int:
    """The bytes that lie in the stage at most, and in files of the source that are consumed."""
    spilled = plan.rows * plan.row_bytes
    held = [0.0] * len(source.pieces)
    if isinstance(source, Decoded):
        held = [float(size) for size in source.sizes()]
    if consume:
        held = [one + more for one, more in zip(held, _consumed(source), strict=True)]
    rows = [piece.rows for piece in source.pieces]
    total = sum(rows)
    shares = [one / total for one in rows] if total else [1.0 / len(rows)] * len(rows)
    gathered = spilled + COUNT * plan.rows * isinstance(plan, RowPlan)
    if not gathers(plan):
        most = peak_of(held, [spilled * share for share in shares], threads + 1)
    else:
        assert isinstance(plan, Plan | RowPlan)
        into = [gathered * share for share in shares]
        even = [1.0 / plan.buckets] * plan.buckets
        later = [gathered * one for one in even], [spilled * one for one in even]
        most = max(peak_of(held, into, threads + 1), peak_of(*later, threads + 1))
    # Files lie beside the masked records of those that are not yet written.
    scattered = min(1.0 + 1.0 / plan.bins + threads / plan.parts, 2.0)
    return int(max(most, max(BESIDE, scattered) * spilled))


def gathers(plan: Scattered) -> bool:
    """Whether records are brought together before all else."""
    if isinstance(plan, RowPlan):
        return plan.change.draws
    return bool(plan.asked.household)


def peak_of(held: Sequence[float], made: Sequence[float], at_once: int) -> float:
    """What lies there at most where each that is held gives way to one that is made, so many at
    a time, in their order."""
    there = most = sum(held)
    for place, more in enumerate(made):
        there += more
        most = max(most, there)
        if place + 1 >= at_once:
            there -= held[place + 1 - at_once]
    return most


def decoding_of(folder: CsvFolder, job: Job) -> int:
    """The bytes that a folder of CSV takes while it is decoded, by the first records of files."""
    cells, texts = [0.0], [0.0]
    for name in folder.paths:
        with suppress(OSError, UnicodeError, pa.ArrowException, csv.Error):  # said when it is read
            letters, made = _foretold(folder.where, name, job)
            cells.append(letters)
            texts.append(made)
    at_once = sorted(texts)[-job.run.n_threads :]
    return int(sum(cells) + sum(at_once))


def _foretold(where: Where, name: str, job: Job) -> tuple[float, float]:
    """The bytes of the cells of a file that are kept, and of texts that lie beside them: those
    that are fetched, and a plain one that is made of them."""
    start, size = _start_of(where, name)
    anew = plain_text.needed(start, PurePosixPath(name), job.source.encoding)
    mark = plain_text.MARKS.get(start[:2], job.source.encoding)
    text = start.decode(mark or "utf-8", errors="replace")
    whole = text if len(start) >= size else text.rpartition("\n")[0]
    first = whole.partition("\n")[0]
    mark = job.source.delimiter or max(decoder.DELIMITERS, key=first.count)
    records = list(csv.reader(io.StringIO(whole, newline=""), delimiter=mark[:1]))
    if not records or not whole:
        return 0.0, 0.0
    gone = set(left_out_of(job))
    kept = [place for place, name in enumerate(records[0]) if name not in gone]
    letters = sum(
        len(row[place].encode()) + OFFSET for row in records for place in kept if place < len(row)
    )
    return size * letters / len(whole.encode()), float(size) * anew + where.fetched(name)


def _start_of(where: Where, name: str) -> tuple[bytes, float]:
    """The first bytes of a text, and about how many it has."""
    size = where.size(name)
    compression = plain_text.COMPRESSIONS.get(PurePosixPath(name).suffix.lower())
    if compression is None:
        with where.opened(name) as file:
            return file.read(LOOKED_AT), float(size)
    with where.opened(name) as raw, pa.CompressedInputStream(raw, compression) as stream:
        start = stream.read(LOOKED_AT)
        read = raw.tell()
    return start, len(start) * max(size / max(read, 1), 1.0)


def _consumed(source: Source, beside: Path | None = None) -> list[float]:
    """The bytes of files that are consumed, by the last piece of each; where they lie beside a
    folder, and so make room for it."""
    found = [0.0] * len(source.pieces)
    if not isinstance(source, Folder | Decoded) or not isinstance(source.where, Disk):
        return found
    last = {piece.name: place for place, piece in enumerate(source.pieces)}
    for name, place in last.items():
        with suppress(OSError):  # it has been consumed
            state = (source.where.path / name).stat()
            if beside is None or state.st_dev == beside.stat().st_dev:
                found[place] = float(state.st_size)
    return found


def _refuse(needed: int, folder: Path, made: float = 0.0) -> None:
    there = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
    free = shutil.disk_usage(folder).free + there + made
    if needed > free:
        msg = (
            f"{needed / 2**30:.1f} GiB of disk are needed beside the target, "
            f"and {free / 2**30:.1f} GiB are free"
        )
        raise InputError(msg)
