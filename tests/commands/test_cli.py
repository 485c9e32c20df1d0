"""The command: exit codes, one sentence for each failure, and nothing left behind."""

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import tokumei
from tokumei import cli
from tokumei.release.mask import decode, masking

ROOT = Path(__file__).parents[2]
PEOPLE = ROOT / "examples" / "people.csv"
ROLES = ["--identifier", "person", "--quasi", "age,region,income", "--other", "*"]
CANARY = "7f3canary"

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals and limits")


@pytest.fixture
def tokumei_(capsys):
    """Run the command in this process: exit code, stdout, stderr."""

    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return end.value.code, captured.out, captured.err

    return run


def command(*arguments):
    """The command line of a process of its own."""
    return [sys.executable, "-c", "from tokumei.cli import main; main()", *map(str, arguments)]


def environment(**more):
    # An editable install builds at the first import; its words are not the command's.
    builds = os.pathsep.join(map(str, (ROOT / "build").glob("*")))
    return os.environ | {"SKBUILD_EDITABLE_SKIP": builds, "SKBUILD_EDITABLE_VERBOSE": "0"} | more


def process(*arguments, **options):
    return subprocess.run(
        command(*arguments),
        capture_output=not options.keys() & {"stdout", "stderr"},
        text=True,
        env=environment(),
        timeout=120,
        check=False,
        **options,
    )


def is_one_sentence(text):
    return re.fullmatch(r"tokumei: [^\n]+\n", text) is not None and "Traceback" not in text


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# Done.


def test_a_file_is_masked_and_summed_up_on_one_screen(tokumei_, tmp_path):
    target = tmp_path / "out.csv"
    code, out, err = tokumei_("mask", PEOPLE, target, "-k", 7, *ROLES)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) < 24
    assert re.search(r"^rows +1,000$", out, re.M)
    assert re.search(r"^quasi +age, region, income \(3\)$", out, re.M)
    assert re.search(r"^method +mdav, refined, k = 7$", out, re.M)
    assert re.search(r"^groups +1[0-9]{2}, smallest class [7-9]$", out, re.M)
    assert re.search(r"^checks +10 of 10 passed$", out, re.M)
    assert str(target) in out
    assert names(tmp_path) == ["out.csv", "out.csv.audit.json"]


def test_json_is_the_audit(tokumei_, tmp_path):
    target = tmp_path / "out.parquet"
    code, out, err = tokumei_("mask", PEOPLE, target, *ROLES, "--json")
    assert (code, err) == (0, "")
    audit = json.loads(out)
    assert audit == json.loads((tmp_path / "out.parquet.audit.json").read_text())
    assert audit["achieved"]["k"] == 5
    assert audit["output"]["sha256"] == _sha256(target)
    assert audit["input"]["sha256"] == _sha256(PEOPLE)
    assert pq.read_metadata(target).num_rows == 1000


def _sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_quiet_says_nothing(tokumei_, tmp_path):
    assert tokumei_("mask", PEOPLE, tmp_path / "o.csv", *ROLES, "--quiet") == (0, "", "")
    assert (tmp_path / "o.csv").exists()


def test_names_can_be_given_one_by_one_and_quoted(tokumei_, tmp_path):
    source = tmp_path / "in.csv"
    source.write_text('"last, first",age,x\nA,1,p\nB,2,q\n')
    code, _, err = tokumei_(
        "mask", source, tmp_path / "o.csv", "-k", 2, "--quasi", "age", "--other", "x",
        "--other", '"last, first"', "--keep-order", "--threads", 1, "--delimiter", ",",
        "--method", "mdav",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert (tmp_path / "o.csv").read_text() == '"last, first",age,x\nA,1.5,p\nB,1.5,q\n'


def test_version_config_and_help_are_shown(tokumei_):
    assert tokumei_("--version") == (0, f"tokumei {tokumei.__version__}\n", "")
    code, out, err = tokumei_("config")
    assert (code, err) == (0, "")
    assert "instruction sets" in out
    for arguments in (["--help"], ["mask", "--help"]):
        code, out, err = tokumei_(*arguments)
        assert (code, err) == (0, "")
        assert "mask" in out


def test_a_wrong_variable_of_the_environment_gets_a_sentence(tokumei_, tmp_path, monkeypatch):
    monkeypatch.setenv("TOKUMEI_NUM_THREADS", "many")
    for arguments in (["config"], ["mask", PEOPLE, tmp_path / "o.csv", *ROLES]):
        code, out, err = tokumei_(*arguments)
        assert (code, out) == (2, "")
        assert is_one_sentence(err)
        assert "TOKUMEI_NUM_THREADS must be between" in err


# Wrong usage.


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Missing command"),
        (["perish"], "No such command"),
        (["--loud"], "No such option"),
        (["mask"], "Missing argument 'IN'"),
        (["mask", PEOPLE], "Missing argument 'OUT'"),
        (["mask", PEOPLE, "{}/o.csv"], "name at least one quasi-identifier"),
        (["mask", PEOPLE, "{}/o.csv", "--quasi"], "--quasi"),
        (["mask", PEOPLE, "{}/o.csv", *ROLES, "-k", "2.5"], "-k"),
        (["mask", PEOPLE, "{}/o.csv", *ROLES, "-k", "many"], "-k"),
        (["mask", PEOPLE, "{}/o.csv", *ROLES, "-k", "0"], "k must be at least 2"),
        (["mask", PEOPLE, "{}/o.csv", *ROLES, "-k", "1001"], "number of rows (1000), got 1001"),
        (["mask", PEOPLE, "{}/o.csv", *ROLES, "--method", "best"], "method must be one of"),
        (["mask", PEOPLE, "{}/o.csv", *ROLES, "--threads", "0"], "n_threads must be between"),
        (["mask", PEOPLE, "{}/o.csv", *ROLES, "--delimiter", "::"], "one character"),
        (["mask", PEOPLE, "{}/o.xlsx", *ROLES], "o.xlsx: the name must end in one of .csv"),
        (["mask", PEOPLE, "{}/o.csv", "--quasi", "agee", "--other", "*"], "did you mean 'age'?"),
        (["mask", PEOPLE, "{}/o.csv", "--quasi", "", "--other", "*"], "at least one quasi"),
        (["mask", "{}/no.csv", "{}/o.csv", *ROLES], "cannot read no.csv: No such file"),
        (["mask", "{}", "{}/o.csv", *ROLES], "the name must end in one of"),
    ],
)
def test_wrong_usage_is_2_and_a_sentence(tokumei_, tmp_path, arguments, sentence):
    arguments = [str(argument).replace("{}", str(tmp_path)) for argument in arguments]
    code, out, err = tokumei_(*arguments)
    assert (code, out) == (2, "")
    assert is_one_sentence(err)
    assert sentence in err
    assert names(tmp_path) == []


# Files that cannot be used.


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
    assert "cannot write o.csv: File too large" in done.stderr
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


# Bad input never shows its cells.

BAD_INPUT = {
    "text": f"age,x\n1,a\n{CANARY},b\n".encode(),
    "missing": f"age,x\n1,{CANARY}\n,{CANARY}\n".encode(),
    "ragged": f"age,x\n1,a\n{CANARY}\n{CANARY},{CANARY},c\n".encode(),
    "not utf-8": f"age,x\n1,a\n2,{CANARY}\xe4\n".encode("latin-1"),
    "open quote": f'age,x\n1,a\n2,"{CANARY}\n3,b\n'.encode(),
    "header only": b"age,x\n",
    "empty": b"",
}


@pytest.mark.parametrize("kind", BAD_INPUT)
def test_bad_input_is_2_and_never_shows_a_cell(tokumei_, tmp_path, kind):
    (tmp_path / "in.csv").write_bytes(BAD_INPUT[kind])
    (tmp_path / "o.csv").write_text("an older release")
    code, out, err = tokumei_(
        "mask", tmp_path / "in.csv", tmp_path / "o.csv", "-k", 2, "--quasi", "age", "--other", "x"
    )
    assert (code, out) == (2, "")
    assert is_one_sentence(err)
    assert CANARY not in err
    assert (tmp_path / "o.csv").read_text() == "an older release"
    assert names(tmp_path) == ["in.csv", "o.csv"]


def test_no_cell_is_shown_by_types_that_cannot_be_used(tokumei_, tmp_path):
    table = pa.table({"age": [{"x": CANARY}] * 3, "raw": [CANARY.encode() + b"\xff"] * 3})
    pq.write_table(table, tmp_path / "in.parquet")
    for quasi, other, target in (("age", "raw", "o.csv"), ("raw", "age", "o.parquet")):
        code, out, err = tokumei_(
            "mask", tmp_path / "in.parquet", tmp_path / target, "-k", 2,
            "--quasi", quasi, "--other", other,
        )  # fmt: skip
        assert (code, out) == (2, "")
        assert is_one_sentence(err)
        assert CANARY not in err


def test_an_error_of_our_own_shows_its_kind_only(tokumei_, tmp_path, monkeypatch):
    def broken(*arguments, **options):
        raise ZeroDivisionError(CANARY)

    monkeypatch.setattr(masking, "partition", broken)
    code, out, err = tokumei_("mask", PEOPLE, tmp_path / "o.csv", *ROLES)
    assert (code, out) == (1, "")
    assert err == "tokumei: an error of tokumei itself (ZeroDivisionError)\n"
    assert names(tmp_path) == []


def test_too_little_memory_gets_a_sentence(tokumei_, tmp_path, monkeypatch):
    def broken(*arguments, **options):
        raise MemoryError

    monkeypatch.setattr(masking, "partition", broken)
    code, _, err = tokumei_("mask", PEOPLE, tmp_path / "o.csv", *ROLES)
    assert (code, err) == (2, "tokumei: not enough memory for this table\n")
    assert names(tmp_path) == []


# Refused.


def test_columns_without_a_role_are_3_and_named(tokumei_, tmp_path):
    code, out, err = tokumei_("mask", PEOPLE, tmp_path / "o.csv", "--quasi", "age,income")
    assert (code, out) == (3, "")
    assert is_one_sentence(err)
    assert "columns 'person', 'region', 'children', 'diagnosis' have none" in err
    assert "--other '*'" in err
    assert names(tmp_path) == ["o.csv.audit.json"]
    assert json.loads((tmp_path / "o.csv.audit.json").read_text())["verdict"] == "refused"


def test_a_failed_check_is_3_and_named_also_as_json(tokumei_, tmp_path, monkeypatch):
    real = decode.release
    monkeypatch.setattr(decode, "release", lambda *a, **options: real(*a, **options).head(999))
    (tmp_path / "o.csv").write_text("an older release")
    code, out, err = tokumei_("mask", PEOPLE, tmp_path / "o.csv", *ROLES, "--json")
    assert code == 3
    assert is_one_sentence(err)
    assert err.startswith("tokumei: refused, as many rows out as in: 1000 in, 999 out")
    assert json.loads(out)["verdict"] == "refused"
    assert json.loads(out) == json.loads((tmp_path / "o.csv.audit.json").read_text())
    assert (tmp_path / "o.csv").read_text() == "an older release"
    assert names(tmp_path) == ["o.csv", "o.csv.audit.json"]


# Ended half-way.


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
        while b"%" not in seen:
            seen += os.read(master, 4096)
        child.terminate()
        assert child.wait(60) == 143
    assert b"masking" in seen
    os.close(master)
    assert names(tmp_path) == []


# Without the optional packages.


@pytest.mark.parametrize(
    ("missing", "extra"),
    [("typer", "cli"), ("duckdb", "tables"), ("pyarrow", "tables"), ("narwhals", "tables")],
)
def test_a_missing_package_names_the_extra(tmp_path, missing, extra):
    block = f"import sys; sys.modules[{missing!r}] = None; "
    arguments = ["mask", PEOPLE, tmp_path / "o.csv", *ROLES]
    line = command(*arguments)
    line[2] = block + line[2]
    done = subprocess.run(line, capture_output=True, text=True, env=environment(), check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert is_one_sentence(done.stderr)
    assert missing in done.stderr
    assert f"pip install 'tokumei[{extra}]'" in done.stderr


def test_the_library_alone_needs_numpy_only():
    line = [
        sys.executable,
        "-c",
        "import sys\n"
        "for name in ('typer', 'rich', 'duckdb', 'pyarrow', 'narwhals', 'pandas', 'polars'):\n"
        "    sys.modules[name] = None\n"
        "import tokumei\n"
        "print(tokumei.mdav([[1], [2]], 2).tolist())\n"
        "try:\n    tokumei.release.mask(None, quasi=[])\n"
        "except ImportError as error:\n    print(error)\n",
    ]
    done = subprocess.run(line, capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.splitlines() == [
        "[0, 0]",
        "tokumei.release needs duckdb: pip install 'tokumei[tables]'",
    ]


def test_version_and_help_load_no_table_engine():
    line = command("--version")
    line[2] = (
        "import sys, atexit\n"
        "engines = {'pyarrow', 'duckdb', 'pandas'}\n"
        "atexit.register(lambda: print(sorted(sys.modules.keys() & engines)))\n" + line[2]
    )
    done = subprocess.run(line, capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.splitlines()[-1] == "[]"
