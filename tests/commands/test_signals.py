"""Work ended half-way leaves nothing; progress is for terminals."""

import os
import signal
import subprocess
import time
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from builders.commands import command, environment, names, posix


@pytest.fixture(scope="module")
def long_work(tmp_path_factory):
    """A file that takes far longer to mask than the tests wait."""
    source = tmp_path_factory.mktemp("long") / "in.csv"
    x = np.random.default_rng(0).normal(size=(200_000, 4))
    pa.csv.write_csv(pa.table(list(x.T), names=list("abcd")), source)
    return source


def hear_signals():
    """Where the tests themselves run in the background, their children would ignore these."""
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


@contextmanager
def started(*arguments, stdout=None, stderr=None, text=False, **more):
    """The command in a process that is gone when the block is left."""
    child = subprocess.Popen(
        command(*arguments),
        stdout=stdout,
        stderr=stderr,
        text=text,
        env=environment(**more),
        preexec_fn=hear_signals,
    )
    with child:
        try:
            yield child
        finally:
            child.kill()


@posix
@pytest.mark.parametrize(
    ("number", "code", "sentence"),
    [
        (signal.SIGINT, 130, "tokumei: interrupted before the end\n"),
        (signal.SIGTERM, 143, "tokumei: ended by a signal\n"),
        (signal.SIGHUP, 129, "tokumei: ended by a signal\n"),
    ],
)
def test_signals_half_way_leave_nothing(tmp_path, long_work, number, code, sentence):
    (tmp_path / "o.csv").write_text("an older release")
    arguments = ("mask", long_work, tmp_path / "o.csv", "-k", 2, "--quasi", "a,b,c,d")
    with started(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        end = time.monotonic() + 60
        while names(tmp_path) == ["o.csv"] and time.monotonic() < end:
            time.sleep(0.02)
        staging = next(path for path in tmp_path.iterdir() if path.name.startswith(".tokumei-"))
        assert staging.stat().st_mode & 0o777 == 0o700
        time.sleep(0.5)
        child.send_signal(number)
        out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (code, "", sentence)
    assert names(tmp_path) == ["o.csv"]
    assert (tmp_path / "o.csv").read_text() == "an older release"


@posix
def test_a_terminal_shows_progress_and_a_file_does_not(tmp_path, long_work):
    import pty

    try:
        master, slave = pty.openpty()
    except OSError:
        pytest.skip("this machine lends no terminals")
    arguments = ("mask", long_work, tmp_path / "o.csv", "-k", 2, "--quasi", "a,b,c,d")
    with started(*arguments, stderr=slave, TERM="xterm", COLUMNS="80") as child:
        os.close(slave)
        seen = b""
        while b"reading" not in seen:
            seen += os.read(master, 4096)
        child.terminate()
        assert child.wait(60) == 143
    assert b"%" in seen
    assert seen.index(b"loading") < seen.index(b"reading")
    os.close(master)
    assert names(tmp_path) == []
