"""Files that cannot be read or written get a sentence, and nothing is left behind."""

import os
import subprocess
from pathlib import Path

import pytest
from builders.commands import PEOPLE, ROLES, is_one_sentence, names, posix, process

from tokumei import cli


@pytest.fixture
def tokumei_(capsys):
    """Run the command in this process: exit code, stdout, stderr."""

    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return end.value.code, captured.out, captured.err

    return run


def test_the_source_is_never_the_target(tokumei_, tmp_path):
    source = tmp_path / "in.csv"
    source.write_bytes(PEOPLE.read_bytes())
    os.link(source, tmp_path / "again.csv")
    (tmp_path / "link.csv").symlink_to(source)
    before = names(tmp_path)
    for target in (
        source,
        tmp_path / "again.csv",
        tmp_path / "link.csv",
        tmp_path / "." / "in.csv",
    ):
        code, _, err = tokumei_("mask", source, target, *ROLES)
        assert code == 2
        assert is_one_sentence(err)
        assert "source and target are the same file" in err
    assert source.read_bytes() == PEOPLE.read_bytes()
    assert names(tmp_path) == before


def test_places_that_cannot_be_written_get_a_sentence(tokumei_, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "o.csv.audit.json").mkdir()
    places = ["no/o.csv", "file/o.csv", "folder.csv", "o.csv"]
    for target in [*(tmp_path / place for place in places), Path("/proc/o.csv")]:
        code, out, err = tokumei_("mask", PEOPLE, target, *ROLES)
        assert (code, out) == (2, "")
        assert is_one_sentence(err)
        assert "cannot write" in err
    assert names(tmp_path) == ["file", "folder.csv", "o.csv.audit.json"]


@posix
def test_a_target_that_is_no_file_is_left_alone(tokumei_, tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    code, _, err = tokumei_("mask", PEOPLE, tmp_path / "pipe.csv", *ROLES)
    assert code == 2
    assert "no file" in err
    assert names(tmp_path) == ["pipe.csv"]


@posix
def test_a_full_disk_gets_a_sentence_and_leaves_nothing(tmp_path):
    import resource

    (tmp_path / "o.csv").write_text("an older release")
    done = process(
        "mask", PEOPLE, tmp_path / "o.csv", *ROLES,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert is_one_sentence(done.stderr)
    assert "cannot write" in done.stderr
    assert "File too large" in done.stderr
    assert (tmp_path / "o.csv").read_text() == "an older release"
    assert names(tmp_path) == ["o.csv"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_summary_that_cannot_be_written_gets_a_sentence(tmp_path):
    with Path("/dev/full").open("w") as full:
        done = process(
            "mask", PEOPLE, tmp_path / "o.csv", *ROLES, stdout=full, stderr=subprocess.PIPE
        )
    assert done.returncode == 2
    assert is_one_sentence(done.stderr)
    assert "cannot write to standard output" in done.stderr
