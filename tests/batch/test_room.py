"""Too little disk is said before the work starts, with all that lies there on the way."""

import gzip
from dataclasses import replace

import pyarrow.parquet as pq
import pytest
from builders.kinds_of_runs import WORK, csv_of, persons, source_of

import tokumei as tk
from tokumei import _check
from tokumei.batch import asked, dataset, delimited, room
from tokumei.batch.delimited import CsvFolder, Decoded
from tokumei.batch.stage import Stage
from tokumei.batch.storage import Disk
from tokumei.release.job import gather
from tokumei.release.mask.step import Microaggregate

SIZES = asked.Sizes(block=1 << 14, task=1 << 16, sample=1 << 12, bins=2)


@pytest.fixture
def smaller(monkeypatch, small):
    """Tasks that are small, and yet larger than what a file has beside its cells."""
    monkeypatch.setattr(
        dataset.How.__init__, "__defaults__", (False, None, SIZES, None, None, None, None)
    )


def job_on(source, **how):
    asked_for = {"k": 3, "quasi": ["age", "income"], "drop": "*"} | how
    job = gather(Microaggregate, asked_for, source=str(source), target="out")
    return replace(job, run=_check.run(1))


def taken(stage):
    return sum(each.stat().st_size for each in stage.path.rglob("*") if each.is_file())


@pytest.mark.parametrize("kind", [*WORK, "consumed"])
def test_no_more_lies_there_than_was_foreseen(kind, tmp_path, smaller, monkeypatch):
    foreseen, there = [], [0]
    check, write_facts = room._refuse, Stage.write_facts

    def watched(needed, *args):
        foreseen.append(needed)
        check(needed, *args)

    def weighed(self, folder, facts):
        there.append(taken(self))
        return write_facts(self, folder, facts)

    monkeypatch.setattr(room, "_refuse", watched)
    monkeypatch.setattr(Stage, "write_facts", weighed)
    more = {"consume": True} if kind == "consumed" else {}
    work = WORK["plain" if kind == "consumed" else kind]
    source = source_of(kind, tmp_path / "in", 120_000)
    work(source, tmp_path / "out", n_threads=1, **more)
    assert len(foreseen) == 1 + (kind == "csv")
    assert max(there) <= max(foreseen)
    assert max(foreseen) < 3 * max(there)  # and not so much more that a run is refused for nothing


@pytest.mark.parametrize("form", ["plain", "gzip", "left out"])
def test_what_decoding_takes_is_foreseen_by_the_first_records(form, tmp_path):
    source = csv_of(tmp_path / "in", persons(120_000))
    texts = sum(path.stat().st_size for path in source.iterdir())
    if form == "gzip":
        for path in list(source.iterdir()):
            path.with_suffix(".csv.gz").write_bytes(gzip.compress(path.read_bytes()))
            path.unlink()
    gone = ["income", "home"] if form == "left out" else []
    job = job_on(source, drop=gone, quasi=["age"], other="*")
    folder = CsvFolder.of(Disk(source))
    foreseen = room.decoding_of(folder, job)
    (tmp_path / "stage").mkdir()
    stage = Stage(tmp_path / "stage")
    found = [delimited.decode(stage, folder, at, job.source, gone) for at in range(4)]
    cells = sum(Decoded.of(stage, folder, found, 1 << 28).sizes())
    made = texts / 4 if form == "gzip" else 0  # a plain text lies there, of one file at a time
    assert foreseen == pytest.approx(cells + made, rel=0.1)


class Full:
    def __init__(self, free):
        self.free = free


@pytest.mark.parametrize("kind", ["csv", "households", "perturbed"])
def test_a_disk_that_holds_the_records_alone_is_too_small(kind, tmp_path, smaller, monkeypatch):
    source = source_of(kind, tmp_path / "in", 20_000)
    job = job_on(source)
    needed = room.decoding_of(CsvFolder.of(Disk(source)), job) if kind == "csv" else 0
    if not needed:
        records = sum(pq.read_table(path).nbytes for path in source.iterdir())
        needed = records * (3 if kind == "perturbed" else 4) // 7  # of the columns that are read
    begun = []
    monkeypatch.setattr(delimited.reading, "told_by_child", lambda *args: begun.append(args))
    monkeypatch.setattr("tokumei.batch.soundness.look", lambda *args: None)
    monkeypatch.setattr("tokumei.batch.buckets.write", lambda *args: begun.append(args))
    monkeypatch.setattr(room.shutil, "disk_usage", lambda path: Full(0.98 * needed))
    with pytest.raises(tk.release.InputError, match="of disk are needed beside the target"):
        WORK[kind](source, tmp_path / "out", n_threads=1)
    assert not begun
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_what_lies_there_at_most_is_that_of_the_worst_moment(at_once):
    held, made = [5.0, 1.0, 4.0, 2.0], [1.0, 6.0, 2.0, 2.0]
    worst, left, written = sum(held), [], 0.0
    for place in range(4):  # the last of so many has just been written, the first is there yet
        written += made[place]
        gone = sum(held[: max(place + 1 - at_once, 0)])
        left.append(sum(held) - gone + written)
    assert room.peak_of(held, made, at_once) == max(worst, *left)
    assert room.peak_of([0.0] * 4, made, at_once) == sum(made)


def test_files_that_are_consumed_make_room(tmp_path, smaller, monkeypatch):
    source = source_of("plain", tmp_path / "in", 20_000)
    size = sum(path.stat().st_size for path in source.iterdir())
    seen = []
    monkeypatch.setattr(room, "_refuse", lambda *args: seen.append(args))
    WORK["plain"](source, tmp_path / "out", n_threads=1, consume=True)
    assert seen[0][2] == size
