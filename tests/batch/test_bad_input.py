"""What cannot be used is said in one sentence, with the file, before anything is published."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import mask, people

import tokumei as tk
from tokumei.batch import folders

CANARY = 8_675_309.25


def refused(folder, tmp_path, **more):
    with pytest.raises(tk.release.InputError) as caught:
        mask(folder, tmp_path / "out", **more)
    text = str(caught.value)
    assert str(CANARY) not in text
    assert "\n" not in text
    assert [p.name for p in tmp_path.iterdir()] == [folder.name]
    return text


def test_one_bad_row_in_the_last_file_is_said_with_its_row_group(source, tmp_path, small):
    bad = people(200).to_pydict()
    bad["income"][150], bad["income"][10] = np.nan, CANARY
    pq.write_table(pa.table(bad), source / "z.parquet", row_group_size=100)
    text = refused(source, tmp_path)
    assert text.startswith("z.parquet, row group 1: column 'income' has 1 missing value")


def test_of_a_piece_of_several_row_groups_the_one_is_named(source, tmp_path, small, monkeypatch):
    monkeypatch.setattr(folders, "LEAST_PIECES", 1)
    bad = people(200).to_pydict()
    bad["income"][150] = np.nan
    pq.write_table(pa.table(bad), source / "z.parquet", row_group_size=40)
    assert refused(source, tmp_path).startswith("z.parquet, row group 3: column 'income' has 1")


def test_another_type_is_said_with_file_and_column(source, tmp_path, small):
    drifted = people(50)
    drifted = drifted.set_column(0, "age", drifted["age"].cast(pa.float64()))
    pq.write_table(drifted, source / "z.parquet")
    assert (
        refused(source, tmp_path) == "column 'age' is double in z.parquet and int64 in f0.parquet"
    )


@pytest.mark.parametrize("change", ["less", "more"])
def test_other_columns_are_said_with_the_file(source, tmp_path, small, change):
    other = people(50)
    other = (
        other.drop_columns("ward") if change == "less" else other.append_column("x", other["age"])
    )
    pq.write_table(other, source / "z.parquet")
    column = {"less": "no column 'ward', which f0", "more": "a column 'x', which f0"}[change]
    assert refused(source, tmp_path).startswith(f"z.parquet has {column}.parquet has")


def test_files_that_are_no_data_are_named(source, tmp_path, small):
    (source / "notes.txt").write_text(str(CANARY))
    assert refused(source, tmp_path).startswith("notes.txt: a data set is of files that end in")


def test_an_empty_file_is_named_and_one_without_rows_is_fine(source, tmp_path, small):
    pq.write_table(people(50).slice(0, 0), source / "y.parquet")
    (source / "z.parquet").touch()
    assert refused(source, tmp_path) == "z.parquet is empty"
    (source / "z.parquet").unlink()
    assert mask(source, tmp_path / "out").audit["achieved"]["rows"] == 3000


@pytest.mark.parametrize("where", ["footer", "middle"])
def test_a_damaged_file_is_named(source, tmp_path, small, where):
    path = source / "f2.parquet"
    content = bytearray(path.read_bytes())
    middle = slice(100, 400) if where == "middle" else slice(len(content) - 60, len(content))
    content[middle] = b"x" * len(content[middle])
    path.write_bytes(content)
    assert refused(source, tmp_path).startswith("cannot read f2.parquet")


def test_a_folder_without_data_or_without_rows_is_refused(tmp_path, small):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "_SUCCESS").touch()
    assert "holds no data" in refused(tmp_path / "in", tmp_path)
    pq.write_table(people(5).slice(0, 0), tmp_path / "in" / "a.parquet")
    assert refused(tmp_path / "in", tmp_path) == "the data set has no rows"


def test_a_column_without_a_role_is_refused_with_its_audit(source, tmp_path, small):
    with pytest.raises(tk.release.Refused, match="column 'ward' has none"):
        mask(source, tmp_path / "out", other=())
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in", "out.refused.json"]


def test_targets_that_hold_something_else_are_left_alone(source, tmp_path, small):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(tk.release.InputError, match="holds something else"):
        mask(source, tmp_path / "out")
    with pytest.raises(tk.release.InputError, match="must be apart"):
        mask(source, source / "out")
    assert (tmp_path / "out" / "mine.txt").read_text() == "mine"


def test_too_little_disk_is_noticed_before_anything_is_written(
    source, tmp_path, small, monkeypatch
):
    from tokumei.batch import room

    class Full:
        free = 0

    monkeypatch.setattr(room.shutil, "disk_usage", lambda path: Full)
    monkeypatch.setattr(room, "BESIDE", 1000.0)
    assert "of disk are needed" in refused(source, tmp_path)


@pytest.mark.parametrize(
    ("end", "sentence"), [("kill -11 $$", "damaged"), ("kill -9 $$", "memory")]
)
def test_a_file_that_breaks_its_decoder_ends_a_child_and_is_named(
    source, tmp_path, small, monkeypatch, end, sentence
):
    from tokumei.release.io import reading

    real = reading.subprocess.Popen

    def breaks(command, **how):
        """The child that is at the second of its files dies there."""
        asked = json.loads(command[-1])
        if asked["format"] != "sound" or len(asked["sources"]) < 2:
            return real(command, **how)
        Path(asked["target"]).write_text("1")
        return real(["sh", "-c", f"kill {end} $$"], **how)

    monkeypatch.setattr(reading.subprocess, "Popen", breaks)
    message = refused(source, tmp_path, n_threads=1)
    assert "f1.parquet" in message
    assert sentence in message


def test_a_file_that_grows_beyond_the_memory_is_named(tmp_path, small, monkeypatch):
    from tokumei.batch import soundness

    bomb = pa.table({name: np.zeros(20_000_000) for name in ("age", "income")})
    (tmp_path / "in").mkdir()
    pq.write_table(bomb, tmp_path / "in" / "bomb.parquet", row_group_size=len(bomb))
    assert (tmp_path / "in" / "bomb.parquet").stat().st_size < 1 << 20
    monkeypatch.setattr(soundness, "MEMORY", 500 << 20)
    with pytest.raises(tk.release.InputError, match=r"not enough memory to read bomb.parquet"):
        mask(tmp_path / "in", tmp_path / "out", quasi=["age", "income"], other=())
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


def test_what_was_looked_through_is_not_again_unless_it_has_changed(tmp_path, source, small):
    from tokumei import _check
    from tokumei.batch import soundness
    from tokumei.batch.stage import Stage
    from tokumei.batch.storage import Disk

    (tmp_path / "stage").mkdir()
    stage, run, seen = Stage(tmp_path / "stage"), _check.run(1), []
    real = soundness.reading.told_by_child
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            soundness.reading, "told_by_child", lambda *args: seen.append(1) or real(*args)
        )
        for _ in range(2):
            soundness.look(stage, Disk(source), [], run)
        assert len(seen) == 1
        pq.write_table(people(50), source / "f9.parquet")
        soundness.look(stage, Disk(source), [], run)
    assert len(seen) == 2
