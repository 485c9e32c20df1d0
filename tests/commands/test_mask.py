"""The command mask: what it prints, and one sentence for each failure."""

import hashlib
import json
import re

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from builders.commands import FEW, PEOPLE, ROLES, is_one_sentence, names

import tokumei
from tokumei import cli
from tokumei.release.io import frames
from tokumei.release.mask import masking

CANARY = "7f3canary"


@pytest.fixture
def tokumei_(capsys):
    """Run the command in this process: exit code, stdout, stderr."""

    def run(*arguments):
        with pytest.raises(SystemExit) as end:
            cli.main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return end.value.code, captured.out, captured.err

    return run


def test_a_file_is_masked_and_summed_up_on_one_screen(tokumei_, tmp_path):
    target = tmp_path / "out.csv"
    code, out, err = tokumei_("mask", PEOPLE, target, "-k", 7, *ROLES)
    assert (code, err) == (0, "")
    assert len(out.splitlines()) < 24
    assert re.search(r"^rows +1,000$", out, re.M)
    assert re.search(r"^quasi +age, region, income \(3\)$", out, re.M)
    assert re.search(r"^method +mdav, refined, k = 7$", out, re.M)
    assert re.search(r"^groups +1[0-9]{2}, smallest class [7-9]$", out, re.M)
    assert re.search(r"^checks +(\d+) of \1 passed$", out, re.M)
    assert str(target) in out
    assert names(tmp_path) == ["out.csv", "out.csv.audit.json", "out.csv.private.json"]


def test_json_is_the_audit(tokumei_, tmp_path):
    target = tmp_path / "out.parquet"
    code, out, err = tokumei_("mask", PEOPLE, target, *ROLES, "--json")
    assert (code, err) == (0, "")
    audit = json.loads(out)
    written = json.loads((tmp_path / "out.parquet.audit.json").read_text())
    assert len(written.pop("sha256")) == 64  # of the file, by which it is known to be whole
    assert audit == written
    assert audit["achieved"]["k"] == 5
    assert audit["output"]["sha256"] == _sha256(target)
    assert "sha256" not in audit["input"]
    record = json.loads((target.parent / f"{target.name}.private.json").read_text())
    assert record["input"]["sha256"] == _sha256(PEOPLE)
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
        "--method", "mdav", *FEW,
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert (tmp_path / "o.csv").read_text() == '"last, first",age,x\nA,2,p\nB,2,q\n'


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
        (["mask", "{}", "{}/o.csv", *ROLES], "must be apart: neither inside the other"),
    ],
)
def test_wrong_usage_is_2_and_a_sentence(tokumei_, tmp_path, arguments, sentence):
    arguments = [str(argument).replace("{}", str(tmp_path)) for argument in arguments]
    code, out, err = tokumei_(*arguments)
    assert (code, out) == (2, "")
    assert is_one_sentence(err)
    assert sentence in err
    assert names(tmp_path) == []


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

    monkeypatch.setattr(masking, "partition_of", broken)
    code, out, err = tokumei_("mask", PEOPLE, tmp_path / "o.csv", *ROLES)
    assert (code, out) == (1, "")
    assert err == "tokumei: an error of tokumei itself (ZeroDivisionError)\n"
    assert names(tmp_path) == []


def test_too_little_memory_gets_a_sentence(tokumei_, tmp_path, monkeypatch):
    def broken(*arguments, **options):
        raise MemoryError

    monkeypatch.setattr(masking, "partition_of", broken)
    code, _, err = tokumei_("mask", PEOPLE, tmp_path / "o.csv", *ROLES)
    assert (code, err) == (2, "tokumei: not enough memory for this table\n")
    assert names(tmp_path) == []


def test_columns_without_a_role_are_3_and_named(tokumei_, tmp_path):
    code, out, err = tokumei_("mask", PEOPLE, tmp_path / "o.csv", "--quasi", "age,income")
    assert (code, out) == (3, "")
    assert is_one_sentence(err)
    assert "columns 'person', 'region', 'children', 'diagnosis' have none" in err
    assert "--other '*'" in err
    assert names(tmp_path) == ["o.csv.refused.json"]
    assert json.loads((tmp_path / "o.csv.refused.json").read_text())["verdict"] == "refused"


def test_a_failed_check_is_3_and_named_also_as_json(tokumei_, tmp_path, monkeypatch):
    real = frames.released
    monkeypatch.setattr(frames, "released", lambda *a, **options: real(*a, **options).head(999))
    (tmp_path / "o.csv").write_text("an older release")
    code, out, err = tokumei_("mask", PEOPLE, tmp_path / "o.csv", *ROLES, "--json")
    assert code == 3
    assert is_one_sentence(err)
    assert err.startswith("tokumei: refused, as many rows out as in: 1000 in, 999 out")
    assert json.loads(out)["verdict"] == "refused"
    assert json.loads(out) == json.loads((tmp_path / "o.csv.refused.json").read_text())
    assert (tmp_path / "o.csv").read_text() == "an older release"
    assert names(tmp_path) == ["o.csv", "o.csv.refused.json"]


@pytest.mark.parametrize("reasons", [[], ["--reason", "a", "--reason", "b"]])
def test_each_accepted_check_has_its_reason(tokumei_, tmp_path, reasons):
    words = ["-k", "5", "--quasi", "age", "--accept-risk", "inference", *reasons]
    code, _, err = tokumei_("mask", PEOPLE, tmp_path / "out.csv", *words)
    said = "0 reasons" if not reasons else "2 reasons"
    assert code != 0
    assert f"1 accepted check and {said}: give one reason for each, or one for all" in err
    assert list(tmp_path.iterdir()) == []


def test_a_name_without_an_ending_that_is_not_there_is_said_to_be_missing(tokumei_, tmp_path):
    words = ["-k", "5", "--quasi", "age"]
    _, _, err = tokumei_("mask", tmp_path / "nowhere", tmp_path / "out", *words)
    assert err == "tokumei: cannot read nowhere: there is no file or folder of that name\n"
    (tmp_path / "here").write_text("age")
    _, _, err = tokumei_("mask", tmp_path / "here", tmp_path / "out.csv", *words)
    assert "here: the name must end in one of" in err
