"""What is staged is encrypted by a key that is given: no planted value is in any of its bytes."""

import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.commands import process
from builders.datasets import ACCEPTED, folder_of
from builders.killed import killed_at

import tokumei as tk
from tokumei.batch import scatter, sealed
from tokumei.batch.stage import Stage
from tokumei.release.errors import InputError

KEY = bytes(range(32))
PLANTED = 7_310_586_421_337.25
TEXT = "planted-secret-text"


@pytest.fixture
def table():
    rng = np.random.default_rng(1)
    income = rng.normal(7e12, 1e12, 3000)
    income[17] = PLANTED
    words = rng.choice([f"word {n:02}" for n in range(30)], 3000).astype(object)
    words[17] = TEXT
    home = np.repeat(np.arange(1500), 2)
    return pa.table(
        {"age": rng.integers(18, 80, 3000), "income": income, "what": words, "home": home}
    )


def mask(source, target, key=KEY, **more):
    asked = {"k": 3, "quasi": ["age", "income", "what"], "household": "home"} | more
    asked |= {"kinds": {"what": "nominal"}, "n_threads": 1}
    return tk.release.mask_dataset(
        source, target, accept_risk=ACCEPTED, encryption_key=key, **asked
    )


@pytest.fixture
def looked_at(monkeypatch, tmp_path):
    """Every file that gets its name in the stage, and whether a planted value is in it.

    Files of the release are staged as they will be published, with the most frequent text of a
    group, which is the planted one where ties are broken so.
    """
    found = {"files": 0, "planted": []}

    def look(self, *args, **kwargs):
        staged = (p for p in self.path.rglob("*") if p.is_file())
        for path in (p for p in staged if not p.match("part-*.parquet")):
            data = path.read_bytes()
            found["files"] += 1
            planted = (TEXT.encode(), np.float64(PLANTED).tobytes(), str(PLANTED).encode())
            if any(each in data for each in planted):
                found["planted"].append(path.name)
        return once(self, *args, **kwargs)

    once = Stage.facts
    monkeypatch.setattr(Stage, "facts", look)
    return found


@pytest.mark.parametrize("key", [None, KEY])
def test_no_planted_value_is_in_any_byte_of_the_stage(tmp_path, table, small, looked_at, key):
    mask(folder_of(tmp_path / "in", table), tmp_path / "out", key=key)
    assert looked_at["files"] > 50
    # Without a key they are found: the test can fail.
    assert bool(looked_at["planted"]) == (key is None)


def test_nor_where_records_are_recoded(tmp_path, table, small, looked_at):
    tk.release.recode_dataset(
        folder_of(tmp_path / "in", table),
        tmp_path / "out",
        quasi=["age", "income", "what"],
        drop=["home"],
        share={"what": 0.01},
        rule={"what": "other"},
        bins={"income": [-1e14, 0, 7e12, 1e14]},
        n_threads=1,
        encryption_key=KEY,
    )
    assert looked_at["files"] > 10
    assert looked_at["planted"] == []


def test_the_release_is_that_of_a_run_without_a_key(tmp_path, table, small, same_key, read):
    source = folder_of(tmp_path / "in", table)
    mask(source, tmp_path / "open", key=None)
    mask(source, tmp_path / "sealed")
    assert read(tmp_path / "open") == read(tmp_path / "sealed")


@pytest.mark.parametrize("how", ["the same", "fresh", "another"])
def test_a_run_that_is_killed_ends_as_it_would_have_with_its_key_or_another(
    tmp_path, table, small, same_key, read, how
):
    source = folder_of(tmp_path / "in", table, files=6, group=100)
    first = "fresh" if how == "fresh" else KEY
    mask(source, tmp_path / "whole", key=first)
    for name in ("mask_shelves", "write_part"):
        with killed_at(3, scatter, name):
            mask(source, tmp_path / "out", key=first)
    assert [p.name for p in tmp_path.glob(".tokumei-*")]
    again = {"the same": KEY, "fresh": "fresh", "another": bytes(32)}[how]
    mask(source, tmp_path / "out", key=again)
    assert read(tmp_path / "out") == read(tmp_path / "whole")
    assert not list(tmp_path.glob(".tokumei-*"))


def test_keys_are_read_from_bytes_and_from_files(tmp_path):
    (tmp_path / "raw").write_bytes(KEY)
    (tmp_path / "hex").write_text(KEY.hex() + "\n")
    assert {sealed.key_of(each) for each in (KEY, tmp_path / "raw", str(tmp_path / "hex"))} == {KEY}
    assert sealed.key_of(None) is None
    assert sealed.key_of("fresh") != sealed.key_of("fresh")


@pytest.mark.parametrize("wrong", [b"short", bytes(33), b"z" * 64])
def test_what_is_no_key_is_said_and_not_told(tmp_path, table, wrong):
    with pytest.raises(InputError, match="32 bytes, or 64 hexadecimal digits") as found:
        mask(folder_of(tmp_path / "in", table), tmp_path / "out", key=wrong)
    assert "z" * 8 not in str(found.value)
    with pytest.raises(InputError, match="cannot read the file of encryption_key"):
        mask(tmp_path / "in", tmp_path / "out", key=tmp_path / "nothing")


def test_what_was_changed_or_put_elsewhere_is_not_opened(tmp_path):
    data = sealed.seal(KEY, b"a record", "here")
    assert sealed.unseal(KEY, data, "here") == b"a record"
    worse = data[:-1] + bytes([data[-1] ^ 1])
    for wrong, name in ((data, "there"), (worse, "here")):
        with pytest.raises(Exception, match=r"^$"):
            sealed.unseal(KEY, wrong, name)
    assert sealed.seal(KEY, b"a record", "here") != data


def test_batches_come_back_as_they_were(tmp_path):
    stage = Stage(tmp_path, KEY)
    table = pa.table({"x": [1, None, 3], "y": ["a", "b", None]})
    with stage.new_table(tmp_path / "t", table.schema) as file:
        for rows in (2, 0, 1):
            file.write_batch(
                table.slice(0, rows).combine_chunks().to_batches()[0]
                if rows
                else (pa.RecordBatch.from_pylist([], schema=table.schema))
            )
    reader = stage.open_table(tmp_path / "t")
    assert [reader.get_batch(n).num_rows for n in range(reader.num_record_batches)] == [2, 0, 1]
    assert reader.read_all().schema == table.schema
    assert repr(stage).find("secret") == -1


def test_csv_is_not_decoded_onto_the_disk_beside_a_key(tmp_path, small):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.csv").write_text("age\n1\n2\n3\n")
    with pytest.raises(InputError, match="write Parquet to have it encrypted"):
        tk.release.mask_dataset(
            tmp_path / "in", tmp_path / "out", k=2, quasi=["age"], encryption_key=KEY
        )
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


def test_the_command_takes_a_file_with_the_key(tmp_path, table, small):
    (tmp_path / "key").write_bytes(os.urandom(32))
    source = folder_of(tmp_path / "in", table)
    words = ["mask", str(source), str(tmp_path / "out"), "--quasi", "age,income", "--drop", "*"]
    words += ["--encryption-key", str(tmp_path / "key"), "--quiet"]
    words += ["--accept-risk", ",".join(ACCEPTED), "--reason", "a test"]
    done = process(*words)
    assert done.returncode == 0, done.stderr
    assert sum(pq.read_metadata(p).num_rows for p in (tmp_path / "out").iterdir()) == 3000
