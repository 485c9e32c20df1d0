"""A run says how far it is, ends soon where it is told to, and goes on from there."""

import time
from threading import Event

import numpy as np
import pyarrow as pa
import pytest
from builders.commands import posix
from builders.datasets import folder_of, mask
from builders.killed_datasets import told

from tokumei.batch import interruption, scatter, stage, workers
from tokumei.microaggregation.methods.mdav import mdav_of
from tokumei.release.gate.found import examine
from tokumei.release.io import journal
from tokumei.release.phases import heard_by


def test_phases_are_named_and_the_share_of_the_work_grows_to_all(source, tmp_path, small):
    shares, names = [], []
    with heard_by(names.append):
        mask(source, tmp_path / "out", callback=shares.append)
    assert names == ["planning", "routing", "masking", "scattering", "checking", "attacking"]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 20
    assert 0 < shares[0] < 0.15


@posix
def test_who_is_interrupted_goes_on_to_the_same_release(source, tmp_path, small, same_key):
    mask(source, tmp_path / "whole")

    def interrupted(share):
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mask(source, tmp_path / "out", callback=interrupted)
    assert not (tmp_path / "out").exists()
    (left,) = tmp_path.glob(f"{journal.PREFIX}*")
    assert not list(left.rglob(".draft-*"))  # no thread is at work there any more
    mask(source, tmp_path / "out")
    assert told(tmp_path / "out") == told(tmp_path / "whole")
    assert not left.exists()


def test_a_kernel_is_left_soon_when_nobody_waits_for_it():
    begun, left = Event(), Event()

    def long_task():
        begun.set()
        x = np.asfortranarray(np.random.default_rng(0).normal(size=(400_000, 8)))
        try:
            mdav_of(x, 3, interruption.run())
        except interruption.Stopped:
            left.set()
            raise

    with workers.workers(1) as hands:
        hands.pool.submit(interruption.heeding, hands.stop, long_task)
        assert begun.wait(5)
        time.sleep(0.2)
        end = time.process_time()
    assert left.is_set()
    assert time.process_time() - end < 0.5


def test_attacks_are_left_when_nobody_waits_for_them(source, tmp_path, monkeypatch):
    def endless(job, roles, original, released, remake, links):
        while True:
            remake(job, original)

    def interrupted(share):
        if share > 0.5:
            raise KeyboardInterrupt

    monkeypatch.setattr(examine, "examine", endless)
    with pytest.raises(KeyboardInterrupt):
        mask(source, tmp_path / "out", callback=interrupted, n_threads=2)
    assert not (tmp_path / "out").exists()


def test_a_task_that_two_do_at_once_is_done_once(source, tmp_path, small, same_key, monkeypatch):
    mask(source, tmp_path / "one", n_threads=1)
    real = workers.Threads.each

    def twice(self, task, arguments):
        seen = set()
        for number, found in real(self, task, [each for each in arguments for _ in range(2)]):
            if number // 2 not in seen:
                seen.add(number // 2)
                yield number // 2, found

    monkeypatch.setattr(workers.Threads, "each", twice)
    mask(source, tmp_path / "two", n_threads=4)
    assert told(tmp_path / "two") == told(tmp_path / "one")


def test_a_task_that_died_half_way_is_done_again(source, tmp_path, small, same_key, monkeypatch):
    mask(source, tmp_path / "one", n_threads=1)
    real, died = stage.Stage.write_facts, []

    def dying(self, folder, facts):
        if len(died) < 3:
            died.append(folder)
            raise ConnectionError
        return real(self, folder, facts)

    def retried(self, task, arguments):
        for number, each in enumerate(arguments):
            while True:
                try:
                    yield number, task(*each)
                    break
                except ConnectionError:
                    continue

    monkeypatch.setattr(stage.Stage, "write_facts", dying)
    monkeypatch.setattr(workers.Threads, "each", retried)
    mask(source, tmp_path / "two")
    assert len(died) == 3
    assert told(tmp_path / "two") == told(tmp_path / "one")


@posix
def test_pieces_that_have_changed_begin_anew(tmp_path, rows, small, monkeypatch):
    real, keys = scatter.write_part, []

    def stopped(stage, *arguments):
        keys.append((stage.path / "key").read_bytes())
        raise KeyboardInterrupt

    def watched(stage, *arguments):
        keys.append((stage.path / "key").read_bytes())
        return real(stage, *arguments)

    def of(table):
        return lambda number: table.slice(1000 * number, 1000)

    changed = rows.set_column(0, "age", pa.array(np.asarray(rows["age"])[::-1].copy()))
    for table, write in ((rows, stopped), (rows, stopped), (changed, watched)):
        monkeypatch.setattr(scatter, "write_part", write)
        try:
            mask(of(table), tmp_path / "out", pieces=3, n_threads=1)
        except KeyboardInterrupt:
            assert table is rows
    assert len(list(dict.fromkeys(keys))) == 2  # the same rows go on under the key they had
    assert keys[0] != keys[-1]


def test_a_folder_of_one_file_says_the_row_group_of_a_bad_cell(tmp_path, rows, small):
    import tokumei as tk

    incomes = np.asarray(rows["income"]).copy()
    incomes[2999] = np.inf
    table = rows.set_column(1, "income", pa.array(incomes))
    source = folder_of(tmp_path / "in", table, files=1, group=500)
    with pytest.raises(tk.release.InputError, match=r"^f0.parquet, row group 5: column 'income'"):
        mask(source, tmp_path / "out")


def test_of_tasks_that_fail_the_first_is_told_of():
    second_failed = Event()

    def fails(number):
        if number == 0:
            assert second_failed.wait(10)
        second_failed.set()
        raise ValueError(number)

    hands = workers.Threads(2)
    try:
        with pytest.raises(ValueError, match=r"^0$"):
            list(hands.each(fails, [(0,), (1,), (2,)]))
    finally:
        hands.end()
