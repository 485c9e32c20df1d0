"""A release that goes to a URL: its files, then its audit, whatever comes between."""

import hashlib
import json
import shutil
import signal
from multiprocessing import get_context

import fsspec
import pyarrow.parquet as pq
import pytest
from builders import storages
from builders.datasets import folder_of, mask, people
from builders.killed_datasets import prepared
from builders.kinds_of_runs import WORK, source_of

from tokumei.release.errors import InputError, Refused, Unfinished

pytestmark = pytest.mark.usefixtures("storages_forgotten")
KEY = {"storage_options": {"key": storages.KEY}}
URL = "tests://bucket/day/out"


@pytest.fixture
def to_url(tmp_path):
    (tmp_path / "made").mkdir()
    return {"staging": tmp_path / "made", "n_threads": 1} | KEY


def released(target):
    """The files of a release on the disk, and its audit, as a storage names them."""
    found = {f"/{path.name}": path.read_bytes() for path in target.iterdir()}
    return found | {".audit.json": target.with_name("out.audit.json").read_bytes()}


def there(url=URL, **options):
    return storages.held(url, **(options or KEY["storage_options"]))


def left(folder):
    return sorted(path.name for path in folder.iterdir())


def is_marked(found):
    """Whether an audit is there; then all files that it tells of are, and no other."""
    if ".audit.json" not in found:
        return False
    hashes = {
        name[1:]: hashlib.sha256(content).hexdigest()
        for name, content in found.items()
        if name.startswith("/")
    }
    together = hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()
    assert json.loads(found[".audit.json"])["output"]["sha256"] == together
    return True


@pytest.mark.parametrize("kind", ["plain", "csv", "perturbed"])
def test_a_release_at_a_url_is_that_of_a_folder(tmp_path, small, same_key, to_url, kind):
    source = source_of(kind, tmp_path / "in", 2000)
    WORK[kind](source, tmp_path / "out", n_threads=1)
    release = WORK[kind](source, URL, **to_url)
    assert release.table == URL
    assert there() == released(tmp_path / "out")
    assert is_marked(there())
    assert left(tmp_path / "made") == ["out.private.json"]
    assert (tmp_path / "made" / "out.private.json").stat().st_mode & 0o077 == 0
    assert not any(storages.KEY.encode() in content for content in there().values())


@pytest.fixture
def few(tmp_path):
    """Records that come into few files."""
    return folder_of(tmp_path / "in", people(1400), files=2)


def test_an_upload_that_fails_at_any_request_is_gone_on_with(
    tmp_path, few, small, same_key, to_url
):
    """Whatever it fails at, no audit is there before all files are; the next call ends it."""
    mask(few, URL, **to_url)
    whole, asked = there(), len(storages.Locked.asked)
    assert len(whole) >= 3
    kept = 0
    for moment in range(1, asked + 1):
        storages.forget()
        (tmp_path / "made" / "out.private.json").unlink()
        storages.Locked.fails_at, storages.Locked.error = moment, PermissionError
        with pytest.raises(
            InputError, match=r"^cannot (read|write|upload) \S+: [A-Z][a-z/ ]+$"
        ) as why:
            mask(few, URL, **to_url)
        assert storages.KEY not in str(why.value)
        found = there()
        assert not is_marked(found)
        if isinstance(why.value, Unfinished):
            assert len(left(tmp_path / "made")) >= 1
            kept += 1
        else:
            assert left(tmp_path / "made") == []
            assert found == {}
        mask(few, URL, **to_url)
        assert there() == whole
        assert left(tmp_path / "made") == ["out.private.json"]
    assert kept > asked / 2


def to_deadly(folder, at=None):
    (folder / "made").mkdir(exist_ok=True)
    (folder / "there").mkdir(exist_ok=True)
    return f"deadly://{folder}/there/out", {
        "staging": folder / "made", "storage_options": {"at": at}, "n_threads": 1,
    }  # fmt: skip


def dies(folder, at):
    """In a process of its own: upload, and die at a file."""
    prepared(folder / f"{at}")
    url, how = to_deadly(folder, at)
    mask(folder / "in", url, **how)


def test_an_upload_that_is_killed_at_any_file_is_gone_on_with(tmp_path, few, small, same_key):
    url, how = to_deadly(tmp_path)
    mask(few, url, **how)
    whole = there(url)
    for at in range(1, len(whole) + 1):
        shutil.rmtree(tmp_path / "there")
        (tmp_path / f"{at}").mkdir()
        process = get_context("spawn").Process(target=dies, args=(tmp_path, at))
        process.start()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        found = there(url)
        assert len(found) == at
        if at < len(whole):
            assert not is_marked(found)
        mask(few, url, **how)
        assert there(url) == whole
        assert left(tmp_path / "made") == ["out.private.json"]


def test_other_records_take_the_place_of_those_that_were_half_uploaded(
    tmp_path, source, small, same_key, to_url
):
    storages.Locked.fails_at = 20
    with pytest.raises(Unfinished):
        mask(source, URL, **to_url)
    assert there()
    pq.write_table(people(100, seed=9), source / "f1.parquet")
    mask(source, URL, **to_url)
    mask(source, tmp_path / "out", n_threads=1)
    assert there() == released(tmp_path / "out")
    assert left(tmp_path / "made") == ["out.private.json"]


def test_what_is_spoilt_on_the_way_is_not_marked_as_whole(source, tmp_path, small, to_url):
    storages.Locked.spoils = True
    with pytest.raises(
        Unfinished, match=r"^cannot upload part-\S+: what is read back is something"
    ):
        mask(source, URL, **to_url)
    assert not is_marked(there())
    storages.Locked.spoils = False
    mask(source, URL, **to_url)
    assert is_marked(there())


@pytest.mark.parametrize("name", ["/mine.txt", "/deep/part-0.parquet", ".audit.json"])
def test_a_url_that_holds_something_is_left_alone(source, tmp_path, small, to_url, name):
    system, root = fsspec.url_to_fs(URL, key=storages.KEY)
    system.pipe_file(f"{root}{name}", b"mine")
    with pytest.raises(InputError, match=r"^cannot write out: (it holds|an audit lies)"):
        mask(source, URL, **to_url)
    assert there() == {name: b"mine"}
    assert left(tmp_path / "made") == []


def test_what_somebody_puts_there_meanwhile_is_left_alone(source, tmp_path, small, to_url):
    storages.Locked.fails_at = 20
    with pytest.raises(Unfinished):
        mask(source, URL, **to_url)
    system, root = fsspec.url_to_fs(URL, key=storages.KEY)
    system.pipe_file(f"{root}/mine.txt", b"mine")
    for _ in range(2):
        with pytest.raises(Unfinished, match=r"^cannot write out: it holds something else"):
            mask(source, URL, **to_url)
    assert there()["/mine.txt"] == b"mine"
    system.rm_file(f"{root}/mine.txt")
    mask(source, URL, **to_url)
    assert is_marked(there())


@pytest.mark.parametrize("name", ["/part-00000.parquet", ".audit.json"])
def test_whom_another_has_forestalled_overwrites_nothing(source, small, to_url, monkeypatch, name):
    from tokumei.batch import verdict

    system, root = fsspec.url_to_fs(URL, key=storages.KEY)
    with monkeypatch.context() as patched:
        patched.setattr(
            verdict, "attacks", lambda plan: system.pipe_file(f"{root}{name}", b"theirs") or []
        )
        with pytest.raises(Unfinished, match=r"^cannot write out: (it holds|an audit lies)"):
            mask(source, URL, **to_url)
    assert there() == {name: b"theirs"}
    system.rm_file(f"{root}{name}")
    mask(source, URL, **to_url)
    assert is_marked(there())


def test_what_is_refused_is_not_uploaded(source, tmp_path, small, to_url):
    with pytest.raises(Refused, match="column 'ward' has none"):
        mask(source, URL, other=(), **to_url)
    assert there() == {}
    assert left(tmp_path / "made") == ["out.refused.json"]


@pytest.mark.parametrize(
    ("target", "more", "sentence"),
    [
        (URL, {}, "a release to a URL is made in a folder before: say in which by staging"),
        ("out", {"staging": "made"}, "staging is for a release that goes to a URL"),
        ("out", KEY, "storage_options are those of URLs, and neither source nor target is one"),
        (URL, {"staging": "nowhere"} | KEY, "cannot write in the folder of out: No such file"),
    ],
)
def test_where_a_release_is_made_is_said_for_urls_alone(
    source, tmp_path, small, monkeypatch, target, more, sentence
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=sentence):
        mask(source, target, **more)
    assert left(tmp_path) == ["in"]
    assert there() == {}


def test_source_and_target_are_apart_in_a_storage_too(source, tmp_path, small, to_url):
    url = storages.put(source, "tests://bucket", key=storages.KEY)
    for target in (f"{url}/out", url):
        with pytest.raises(InputError, match="neither URL inside the other"):
            mask(url, target, **to_url)
    mask(url, f"{url}-out", **to_url)
    assert is_marked(there(f"{url}-out"))


def test_a_storage_gives_a_folder_its_name_file_by_file(monkeypatch):
    """Why a release is not put under another name and renamed: half of it would be seen."""
    system = fsspec.filesystem("tests", key=storages.KEY)
    for number in range(3):
        system.pipe_file(f"/draft/{number}", b"records")
    seen, real = [], system.cp_file

    def copied(*args, **how):
        seen.append(len(system.find("/out")))
        real(*args, **how)

    monkeypatch.setattr(system, "cp_file", copied)
    system.mv("/draft", "/out", recursive=True)
    assert {1, 2} <= set(seen)
    assert len(system.find("/out")) == 3
