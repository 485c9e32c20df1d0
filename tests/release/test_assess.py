"""An assessment says what is in a table, holds no cell of it, and ends in a job that runs."""

import gzip
import tomllib

import numpy as np
import pandas as pd
import pytest
from builders.csv_files import cells
from builders.people import ACCEPTED

import tokumei as tk
from tokumei.release.assessment.formats import format_of
from tokumei.release.assessment.words import hint_of

CANARY = "Qx7"


@pytest.fixture
def people():
    rng = np.random.default_rng(3)
    n = 400
    return pd.DataFrame(
        {
            "pid": [f"{CANARY}{i}" for i in range(n)],
            "mail": [f"{CANARY.lower()}{i}@example.org" for i in range(n)],
            "contact": [f"+49 30 {100000 + 7 * i}" for i in range(n)],
            "birth": [f"{1940 + i % 60}-0{1 + i % 9}-1{i % 9}" for i in range(n)],
            "age": rng.integers(18, 90, n).astype(str),
            "sex": rng.integers(1, 3, n),
            "zip": [f"0{code}" for code in rng.integers(1000, 1040, n)],
            "hhid": np.arange(n) // 3,
            "remarks": [f"{CANARY} came on day {i} and left" for i in range(n)],
            "diagnosis": rng.choice([f"{CANARY}a", f"{CANARY}b"], n),
            "grade": ["low", "high"] * (n // 2),
            "grade2": [1, 2] * (n // 2),
            "amount": np.round(rng.gamma(2, 900, n), 2),
            "year": [2024] * n,
            "level": np.repeat(["s", "m", "l", "s"], n // 4),
        }
    )


ROLES = {
    "pid": "identifier", "mail": "identifier", "contact": "identifier", "birth": "quasi",
    "age": "quasi", "sex": "quasi", "zip": "quasi", "hhid": "household", "remarks": "drop",
    "diagnosis": "sensitive", "amount": "quasi", "year": "other", "level": "other",
}  # fmt: skip


def test_every_column_gets_a_role_and_a_reason(people):
    found = tk.release.assess(people)
    assert {name: found.proposals[name].role for name in ROLES} == ROLES
    assert all(one.reason for one in found.proposals.values())
    assert found.proposals["zip"].kind == "nominal"
    assert found.proposals["sex"].kind == "nominal"
    assert found.proposals["age"].kind is None


def test_profiles_say_what_columns_hold(people):
    what = {one.name: one.what for one in tk.release.assess(people).profiles}
    assert what["birth"] == "dates by day"
    assert what["age"] == what["hhid"] == "whole numbers"
    assert what["amount"] == "numbers"
    assert what["zip"] == "codes of digits"
    assert what["remarks"] == "free text"
    assert what["grade"] == "categories"


def test_a_column_that_tells_another_is_to_be_dropped():
    rng = np.random.default_rng(0)
    school = rng.integers(0, 9, 300)
    table = pd.DataFrame({"education": [f"s{i}" for i in school], "num": school, "z": school % 3})
    found = tk.release.assess(table)
    assert {name: one.role for name, one in found.proposals.items()} == {
        "education": "quasi",
        "num": "drop",
        "z": "other",
    }


def test_no_cell_is_on_the_screen_in_the_job_or_in_json(people, tmp_path):
    found = tk.release.assess(people)
    for text in (str(found), found.job(None, None, None), str(found.to_dict()), repr(found)):
        assert CANARY.lower() not in text.lower()
        assert "2024" not in text


def test_it_fits_a_screen(people):
    lines = str(tk.release.assess(people)).splitlines()
    assert len(lines) < 45
    assert max(map(len, lines)) <= 100


def test_the_risk_is_that_of_the_columns_proposed(people):
    found = tk.release.assess(people)
    assert found.risk.classes == tk.risk.class_sizes(people[found.of("quasi")])


def test_words_for_missing_cells_are_found_and_doubtful_ones_asked_for():
    table = pd.DataFrame(
        {"age": ["30", "NA", "?", "41"] * 20, "size": [1, 2, 3, -9] * 20, "job": list("ab?N") * 20}
    )
    profiles = {one.name: one for one in tk.release.assess(table).profiles}
    assert profiles["age"].words == {"NA": 20, "?": 20}
    assert profiles["job"].words == {"?": 20}
    assert profiles["size"].words == {}
    assert profiles["size"].doubtful == ("-9",)


def job_of(folder, content, name="in.csv", **options):
    source, job = folder / name, folder / "job.toml"
    source.write_bytes(content)
    found = tk.release.assess(source, **options)
    accepted = "\n".join(f"{check!r} = {reason!r}" for check, reason in ACCEPTED.items())
    text = found.job(job, source, folder / "out.csv") + f"\n[gate.accept_risk]\n{accepted}\n"
    job.write_text(text, encoding="utf-8")
    return job


def test_the_job_runs_as_it_is(people, tmp_path):
    job = job_of(tmp_path, people.to_csv(index=False).encode())
    assert tk.release.run(job).audit["verdict"] == "released"
    assert "schema" in tomllib.loads(job.read_text())


def test_the_job_of_a_difficult_file_gives_a_release(tmp_path):
    city = ["K\xf6ln", "Bonn", "NA"]
    rows = "".join(
        f"A{i};{1940 + i % 50}-03-0{1 + i % 9};{i % 37},{i % 10};{city[i % 3]}\n"
        for i in range(300)
    )
    content = gzip.compress(f"pid;birth;size;city\n{rows}".encode("latin-1"))
    job = job_of(tmp_path, content, "in.csv.gz")
    done = tk.release.run(job)
    assert done.audit["verdict"] == "released"
    written = cells(tmp_path / "out.csv", ";")
    assert written[0] == ["birth", "size", "city"]
    assert {row[2] for row in written[1:]} <= {"K\xf6ln", "Bonn", ""}
    assert all(len(row[0]) == 4 for row in written[1:])


def test_a_file_without_header_is_assessed_and_it_is_said(tmp_path):
    (tmp_path / "in.csv").write_text("30,x\n31,y\n32,x\n")
    found = tk.release.assess(tmp_path / "in.csv")
    assert [one.name for one in found.profiles] == ["column_1", "column_2"]
    assert "looks like data" in str(found)
    assert "header = false" in found.job(None, None, None)


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Geburtsdatum", "quasi"), ("dateOfBirth", "quasi"), ("DOB", "quasi"),
        ("age_group", "quasi"),
        ("Familienstand", "quasi"), ("code_postal", "quasi"), ("PLZ", "quasi"), ("sexo", "quasi"),
        ("firstName", "identifier"), ("customer_id", "identifier"), ("E-Mail", "identifier"),
        ("patientID", "identifier"), ("Telefonnummer", "identifier"), ("hhid", "household"),
        ("sampling_weight", "weight"), ("Einkommen", "sensitive"), ("ICD10", "sensitive"),
        ("capital-gain", None), ("image", None), ("average", None), ("x", None), ("teller", None),
    ],
)  # fmt: skip
def test_names_of_columns_point_to_roles(name, role):
    hint = hint_of(name)
    assert (hint.role if hint else None) == role


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a.b@c.org", "e-mail addresses"),
        ("DE89 3704 0044 0532 0130 00", "bank accounts"),
        ("+49 30 901820", "telephone numbers"),
        ("192.168.0.17", "addresses of machines"),
        ("078-05-1120", "social security numbers"),
        ("https://x.org/a", "links"),
        ("12.5", None),
        ("2024-01-31", None),
        ("nurse", None),
    ],
)
def test_formats_that_name_a_person_are_known(text, what):
    assert format_of([text] * 10) == what


def test_roles_are_proposed_until_no_risk_is_above_the_target():
    rng = np.random.default_rng(5)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 90, 1200),
            "sex": rng.choice(["f", "m"], 1200),
            "steps": rng.integers(0, 500, 1200),
            "level": rng.choice(list("abcdefgh"), 1200),
        }
    )
    roles = {"steps": "other", "level": "other"}
    before = tk.release.assess(table)
    assert {name: before.of("other").count(name) for name in roles} == dict.fromkeys(roles, 1)
    found = tk.release.assess(table, risk_target=0.1)
    assert "risk target: met" in found.remarks
    changed = [name for name in roles if found.proposals[name].role != "other"]
    assert changed
    assert all("people could be found by it" in found.proposals[name].reason for name in changed)
    lists = {role: found.of(role) for role in ("quasi", "other", "drop", "sensitive")}
    assert tk.release.mask(table, 5, effort="fast", **lists).audit["verdict"] == "released"
    with pytest.raises(tk.release.InputError, match="risk_target"):
        tk.release.assess(table, risk_target=2)


def test_a_target_that_roles_cannot_reach_is_said():
    table = pd.DataFrame({"note": ["x"] * 60, "level": ["a", "b"] * 30})
    found = tk.release.assess(table, risk_target=0.1)
    assert any("risk target not tried" in remark for remark in found.remarks)
