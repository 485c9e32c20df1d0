"""What is wrong with a data set behind a URL is one sentence, that of a folder, without its key."""

import logging
import sys
import traceback
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders import storages
from builders.datasets import folder_of, mask, people
from builders.kinds_of_runs import WORK, csv_of, persons

from tokumei.batch.storage import where_of
from tokumei.release.errors import InputError

pytestmark = pytest.mark.usefixtures("storages_forgotten")
KEY = {"storage_options": {"key": storages.KEY}}


def told(folder):
    """The bytes of every file of a release."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def left(tmp_path):
    return sorted(path.name for path in tmp_path.iterdir())


def _drifted(folder):
    pq.write_table(people(50).drop_columns("ward"), folder / "z.parquet")


def _bad_row(folder):
    bad = people(200).to_pydict()
    bad["income"][150] = np.nan
    pq.write_table(pa.table(bad), folder / "z.parquet", row_group_size=100)


def _damaged(folder):
    content = bytearray((folder / "f2.parquet").read_bytes())
    content[100:400] = b"x" * 300
    (folder / "f2.parquet").write_bytes(content)


def _no_footer(folder):
    (folder / "f2.parquet").write_bytes((folder / "f2.parquet").read_bytes()[:-40])


def _two_kinds(folder):
    (folder / "z.csv").write_text("age\n1\n")


def _none(folder):
    for path in folder.iterdir():
        path.unlink()
    (folder / "_SUCCESS").touch()


DAMAGES = [
    _drifted, _bad_row, _damaged, _no_footer, _two_kinds, _none,
    lambda folder: (folder / "z.parquet").touch(),
    lambda folder: (folder / "notes.txt").touch(),
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_cannot_be_used_is_said_with_the_sentence_of_a_folder(source, tmp_path, small, damage):
    damage(source)
    url = storages.put(tmp_path, "memory://bucket") + "/in"
    sentences = []
    for given in (source, url):
        with pytest.raises(InputError) as caught:
            mask(given, tmp_path / "out", n_threads=1)
        sentences.append(str(caught.value))
    assert sentences[0] == sentences[1]
    assert "\n" not in sentences[0]
    assert left(tmp_path) == ["in"]


@pytest.mark.parametrize(
    ("kind", "error", "why"),
    [
        ("plain", FileNotFoundError, "No such file or directory"),
        ("csv", PermissionError, "Permission denied"),
        ("plain", RuntimeError, "Input/output error"),
    ],
)
def test_a_storage_that_fails_at_any_moment_is_one_sentence(
    tmp_path, small, same_key, caplog, kind, error, why
):
    """It fails at the first thing that it is asked for, at the second, and so on to the last."""
    make = folder_of if kind == "plain" else csv_of
    source = make(tmp_path / "in", persons(120), files=2)
    url = storages.put(source, "tests://bucket", **KEY["storage_options"])
    storages.Locked.asked.clear()
    WORK[kind](url, tmp_path / "out", n_threads=1, **KEY)
    whole, asked = told(tmp_path / "out"), len(storages.Locked.asked)
    caplog.set_level(logging.DEBUG)
    storages.Locked.error, failed = error, 0
    for moment in range(1, asked + 1):
        storages.Locked.asked.clear()
        storages.Locked.fails_at = moment
        before, target = left(tmp_path), tmp_path / f"url{moment}"
        if failed_with(partial(WORK[kind], url, target, n_threads=1, **KEY), why):
            assert left(tmp_path) == before
            failed += 1
        else:  # it is only looked at to foresee the room on the disk
            assert told(target) == whole
    assert failed >= {"plain": asked, "csv": asked // 2}[kind]
    assert storages.KEY not in caplog.text


def failed_with(work, why):
    """Whether it failed, in one sentence that names what could not be read, and no key."""
    try:
        work()
    except InputError as caught:
        sentence, seen = str(caught), traceback.format_exc()
        place = storages.Locked.asked[storages.Locked.fails_at - 1].rpartition("/")[2]
        assert sentence.startswith(f"cannot read {place}"), sentence
        assert sentence.endswith(why)
        assert storages.KEY not in sentence + seen
        return True
    return False


def test_a_key_of_a_storage_is_written_nowhere(source, tmp_path, small, monkeypatch, caplog):
    from tokumei.batch import verdict

    caplog.set_level(logging.DEBUG)
    url = storages.put(source, "tests://bucket", **KEY["storage_options"])
    staged = []

    def look(plan):
        staged.extend(p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())
        return []

    monkeypatch.setattr(verdict, "attacks", look)
    mask(url, tmp_path / "out", **KEY)
    staged += [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(staged) > 10
    assert not any(storages.KEY.encode() in content for content in staged)
    assert storages.KEY not in caplog.text
    assert storages.KEY not in repr(where_of(url, KEY["storage_options"]))
    with pytest.raises(InputError, match=r"^cannot read number-\d+: Permission denied$") as caught:
        mask(url, tmp_path / "no", storage_options={"key": "another"})
    assert "another" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "more", "sentence"),
    [
        ("memory://in", {"consume": True}, "the files of a URL are not consumed; remove them"),
        ("memory://in", {"encryption_key": bytes(32)}, "the files of a URL are fetched onto the"),
        ("memory://in", {}, "cannot read in: No such file or directory"),
        ("ftp://me:secret@host/in", {}, "a URL must hold no password; it belongs in storage_op"),
        ("nowhere://in", {}, r"a URL of nowhere cannot be opened: fsspec does not know it, or not"),
        ("tests://in", {"storage_options": {"protocol": 1}}, "with these storage_options .ValueE"),
    ],
)
def test_what_is_not_done_to_a_url_is_said_before_anything_is_made(
    tmp_path, small, url, more, sentence
):
    with pytest.raises(InputError, match=sentence) as caught:
        mask(url, tmp_path / "out", **more)
    assert "secret" not in str(caught.value)
    assert left(tmp_path) == []


def test_what_is_not_installed_is_named(tmp_path, small, monkeypatch):
    from fsspec import core

    def lacks(*args, **options):
        msg = "Install s3fs to access S3"
        raise ImportError(msg)

    with monkeypatch.context() as patched:
        patched.setattr(core, "url_to_fs", lacks)
        with pytest.raises(InputError, match="URL of s3 cannot be opened: the package that fsspec"):
            mask("s3://bucket/in", tmp_path / "out")
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with pytest.raises(
        ModuleNotFoundError, match=r"a URL needs .*pip install 'tokumei\[storage\]'"
    ):
        mask("s3://bucket/in", tmp_path / "out")
