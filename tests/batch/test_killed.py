"""A process that is killed leaves no half release, and the next one goes on to the same bytes."""

import os
import shutil
import threading
from pathlib import Path

import pytest
from builders.commands import posix
from builders.datasets import mask
from builders.killed import Killed, killed_at
from builders.killed_datasets import assert_nothing_is_half, killed, told

from tokumei.batch import route, scatter
from tokumei.release.io import journal

PHASES = {
    "routing": (route, "route"),
    "masking": (scatter, "mask_shelves"),
    "scattering": (scatter, "write_part"),
}


@posix
@pytest.mark.parametrize("phase", PHASES)
def test_a_rerun_goes_on_where_the_last_one_stopped(source, tmp_path, small, same_key, phase):
    mask(source, tmp_path / "whole", n_threads=1)
    with killed_at(3, *PHASES[phase]):
        mask(source, tmp_path / "out", n_threads=1)
    assert not (tmp_path / "out").exists()
    (left,) = tmp_path.glob(f"{journal.PREFIX}*")
    done = {path.parent: path.stat().st_mtime_ns for path in left.rglob("facts.json")}
    assert done
    mask(source, tmp_path / "out", n_threads=1)
    assert told(tmp_path / "out") == told(tmp_path / "whole")
    assert not left.exists()


@posix
def test_a_rerun_goes_on_where_the_last_one_was_to_publish(source, tmp_path, small, same_key):
    mask(source, tmp_path / "whole", n_threads=1)
    with killed_at(1, journal, "move"):
        mask(source, tmp_path / "out", n_threads=1)
    (left,) = tmp_path.glob(f"{journal.PREFIX}*")
    assert list(left.glob("text-*"))
    mask(source, tmp_path / "out", n_threads=1)
    assert told(tmp_path / "out") == told(tmp_path / "whole")
    assert not left.exists()


@posix
def test_a_rerun_goes_on_where_the_last_one_wrote_down_what_to_publish(
    source, tmp_path, small, same_key, monkeypatch
):
    mask(source, tmp_path / "whole", n_threads=1)
    real, draft = os.fsync, f"{journal.PREFIX}*/{journal.JOURNAL}-draft"

    def stopped(descriptor):
        if list(tmp_path.glob(draft)):
            raise Killed
        real(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", stopped)
        with pytest.raises(Killed):
            mask(source, tmp_path / "out", n_threads=1)
    assert list(tmp_path.glob(draft))
    mask(source, tmp_path / "out", n_threads=1)
    assert told(tmp_path / "out") == told(tmp_path / "whole")


@posix
def test_what_was_published_is_not_gone_on_with(source, tmp_path, small, same_key, monkeypatch):
    real = shutil.rmtree

    def stopped(path, *arguments, **options):
        if Path(path).parent != tmp_path:
            real(path, *arguments, **options)

    with monkeypatch.context() as patched:  # killed before it takes away what it worked in
        patched.setattr(shutil, "rmtree", stopped)
        mask(source, tmp_path / "out", n_threads=1)
    whole = told(tmp_path / "out")
    assert whole
    assert list(tmp_path.glob(f"{journal.PREFIX}*"))
    mask(source, tmp_path / "out", n_threads=1)
    assert told(tmp_path / "out") == whole
    assert not list(tmp_path.glob(f"{journal.PREFIX}*"))


@posix
def test_other_work_begins_anew(source, tmp_path, small, monkeypatch):
    real = scatter.write_part
    with killed_at(1, scatter, "write_part"):
        mask(source, tmp_path / "out", n_threads=1)
    (left,) = tmp_path.glob(f"{journal.PREFIX}*")
    key = (left / "key").read_bytes()
    assert (left / "key").stat().st_mode & 0o777 == 0o600
    assert left.stat().st_mode & 0o777 == 0o700
    keys = []

    def watched(stage, *arguments):
        keys.append((stage.path / "key").read_bytes())
        return real(stage, *arguments)

    monkeypatch.setattr(scatter, "write_part", watched)
    mask(source, tmp_path / "out", k=5, n_threads=1)
    assert key not in keys
    assert not list(tmp_path.glob(f"{journal.PREFIX}*"))


@posix
def test_a_folder_in_use_is_not_shared(source, tmp_path, small):
    import tokumei as tk

    folder, owner = journal.taken(tmp_path, "out")
    with pytest.raises(tk.release.InputError, match="cannot write in the folder of out"):
        mask(source, tmp_path / "out")
    assert folder.exists()
    os.close(owner)
    mask(source, tmp_path / "out")
    assert not folder.exists()


@posix
def test_a_lock_that_outlives_its_process_for_a_moment_is_waited_for(tmp_path):
    folder, owner = journal.taken(tmp_path, "out")
    later = threading.Timer(0.2, os.close, [owner])
    later.start()
    again, owner = journal.taken(tmp_path, "out")
    os.close(owner)
    assert again == folder


@posix
def test_processes_killed_at_random_moments_leave_no_half_release(tmp_path):
    thorough = os.environ.get("TOKUMEI_TEST_PROFILE") == "thorough"
    seen = killed(tmp_path, "200" if thorough else "6", *([] if thorough else ["plain"]))
    for of_kind in seen.values():
        assert_nothing_is_half(of_kind)
