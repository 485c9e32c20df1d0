"""A data set behind a URL is released as the same files in a folder are."""

import pickle
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import get_context

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders import storages
from builders.datasets import folder_of, mask, people
from builders.kinds_of_runs import WORK, csv_of, source_of

from tokumei.batch.storage import Storage, where_of
from tokumei.release.errors import InputError

pytestmark = pytest.mark.usefixtures("storages_forgotten")
KEY = {"storage_options": {"key": storages.KEY}}


def told(folder):
    """The bytes of every file of a release, and of its audit but for its source."""
    found = {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
    return found | {"audit": folder.with_name(f"{folder.name}.audit.json").read_bytes()}


def left(tmp_path):
    return sorted(path.name for path in tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["plain", "csv", "households", "recoded", "perturbed"])
def test_what_is_read_behind_a_url_is_released_as_from_a_folder(tmp_path, small, same_key, kind):
    source = source_of(kind, tmp_path / "in", 2000)
    WORK[kind](source, tmp_path / "out", n_threads=2)
    url = storages.put(source, "memory://bucket")
    WORK[kind](url, tmp_path / "url", n_threads=2)
    assert told(tmp_path / "url") == told(tmp_path / "out")
    assert not any("bucket" in path.read_text() for path in tmp_path.glob("*.json"))
    assert [name for name in left(tmp_path) if name.startswith(".")] == []


@pytest.mark.parametrize("form", ["parquet", "arrow", "csv.gz", "tsv"])
def test_partitions_and_kinds_of_files_are_those_of_a_folder(tmp_path, small, same_key, form):
    for year in (2020, 2021):
        folder = tmp_path / "in" / f"year={year}"
        folder.mkdir(parents=True)
        table = people(500, year)
        if form == "parquet":
            pq.write_table(table, folder / "f.parquet", row_group_size=200)
        elif form == "arrow":
            with pa.ipc.new_file(str(folder / "f.arrow"), table.schema) as file:
                file.write_table(table, max_chunksize=200)
        else:
            frame = table.to_pandas()
            frame.to_csv(folder / f"f.{form}", index=False, sep="\t" if form == "tsv" else ",")
    (tmp_path / "in" / "_SUCCESS").touch()
    asked = {"other": ["ward", "year"], "files": "parquet"}
    mask(tmp_path / "in", tmp_path / "out", **asked)
    mask(storages.put(tmp_path / "in", "memory://bucket") + "/", tmp_path / "url", **asked)
    assert told(tmp_path / "url") == told(tmp_path / "out")


class Processes:
    """Workers that share nothing with this process: each opens what it reads anew."""

    def __init__(self, pool):
        self.pool = pool

    def each(self, task, arguments):
        numbers = {self.pool.submit(task, *each): n for n, each in enumerate(arguments)}
        for done in as_completed(numbers):
            yield numbers[done], done.result()

    def aside(self, task, *arguments):
        return lambda: task(*arguments)


@pytest.mark.parametrize("kind", ["plain", "csv"])
@pytest.mark.parametrize("url", ["file://{0}/in", "dir://in::file://{0}"])
def test_processes_open_the_files_of_a_url_each_for_itself(
    tmp_path, small, same_key, monkeypatch, kind, url
):
    source = source_of(kind, tmp_path / "in", 1000)
    WORK[kind](source, tmp_path / "out", n_threads=1)

    @contextmanager
    def in_processes(threads, cluster=None):
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            yield Processes(pool)

    monkeypatch.setattr("tokumei.batch.dataset.workers", in_processes)
    WORK[kind](url.format(tmp_path), tmp_path / "url", n_threads=1)
    assert told(tmp_path / "url") == told(tmp_path / "out")


def test_a_run_goes_on_with_the_same_files_and_begins_anew_with_others(
    source, tmp_path, small, same_key, monkeypatch
):
    from tokumei.batch import plan, scatter

    url = storages.put(source, "memory://bucket")
    counted = []
    real = plan.counted
    monkeypatch.setattr(plan, "counted", lambda *args: counted.append(1) or real(*args))

    def stops(*args):
        raise KeyboardInterrupt

    def stopped():
        counted.clear()
        with monkeypatch.context() as patched:
            patched.setattr(scatter, "write_part", stops)
            with pytest.raises(KeyboardInterrupt):
                mask(url, tmp_path / "url", n_threads=1)
        return len(counted)

    assert stopped() > 0
    assert stopped() == 0
    pq.write_table(people(100, seed=9), source / "f1.parquet")
    storages.copy(source / "f1.parquet", f"{url}/f1.parquet")
    assert stopped() > 0
    counted.clear()
    mask(url, tmp_path / "url", n_threads=1)
    assert counted == []
    mask(source, tmp_path / "out", n_threads=1)
    assert told(tmp_path / "url") == told(tmp_path / "out")


@pytest.mark.parametrize(("kind", "times"), [("plain", 3), ("csv", 2)])
def test_files_are_fetched_once_for_a_child_and_once_a_pass(tmp_path, small, kind, times):
    """Of Parquet the end, at most 64 KiB, by each task too; of CSV just the first mebibyte."""
    table = people(40_000)
    if kind == "plain":
        folder_of(tmp_path / "in", table, group=5000)
    else:
        csv_of(tmp_path / "in", table)
    url = storages.put(tmp_path / "in", "tests://bucket", key=storages.KEY)
    mask(url, tmp_path / "out", n_threads=1, **KEY)
    held = sum(path.stat().st_size for path in (tmp_path / "in").iterdir())
    fetched = sum(storages.Locked.fetched)
    ends = sum(1 << 16 for size in storages.Locked.fetched if size == 1 << 16)
    assert 0.95 * times * held < fetched - ends < 1.05 * times * held


def test_a_place_in_a_storage_is_sent_by_its_url_alone(source):
    url = storages.put(source, "memory://bucket")
    where = where_of(url, {})
    with where.opened("f0.parquet") as file:
        assert file.read(4) == b"PAR1"
    sent = pickle.loads(pickle.dumps(where))
    assert sent == where
    assert isinstance(sent, Storage)
    assert vars(sent) == {"url": url, "options": {}}


def test_options_of_a_storage_come_from_a_file_too(source, tmp_path, small, same_key):
    url = storages.put(source, "tests://bucket", **KEY["storage_options"])
    (tmp_path / "key.toml").write_text(f'key = "{storages.KEY}"')
    mask(url, tmp_path / "out", storage_options=tmp_path / "key.toml")
    (tmp_path / "key.toml").write_text(f"key = {storages.KEY}")
    with pytest.raises(InputError, match=r"^the file of storage_options is no TOML$"):
        mask(url, tmp_path / "no", storage_options=str(tmp_path / "key.toml"))
    with pytest.raises(InputError, match=r"^cannot read the file of storage_options: No such file"):
        mask(url, tmp_path / "no", storage_options="nothing.toml")
