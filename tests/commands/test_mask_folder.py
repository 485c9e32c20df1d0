"""``tokumei mask IN_DIR OUT_DIR``: folders are masked as files are."""

import json

import numpy as np
import pytest
from builders.datasets import folder_of, people

from tokumei import commands
from tokumei.release import Refused

ASK = ["--quasi", "age,income,region", "--other", "ward", "-k", "3", "--threads", "1"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    folder_of(tmp_path / "in", people(400))
    monkeypatch.setattr("tokumei.batch.verdict.attacks", lambda plan: [])
    return tmp_path


def test_a_folder_becomes_a_folder(folder, capsys):
    assert commands.run(["mask", str(folder / "in"), str(folder / "out"), *ASK]) == 0
    told = capsys.readouterr().out
    assert "400" in told
    assert "in blocks, k = 3" in told
    assert commands.run(["verify", str(folder / "out")]) == 0


def test_a_dry_run_says_what_it_would_cost_and_writes_nothing(folder, capsys):
    commands.run(["mask", str(folder / "in"), str(folder / "out"), *ASK, "--dry-run", "--json"])
    plan = json.loads(capsys.readouterr().out)
    assert plan["rows"] == 400
    assert plan["files"] == 3
    assert plan["disk_bytes"] > plan["spill_bytes"] > 400 * 8
    assert plan["seconds"] > 0
    commands.run(["mask", str(folder / "in"), str(folder / "out"), *ASK, "--dry-run"])
    assert "blocks" in capsys.readouterr().out
    assert [path.name for path in folder.iterdir()] == ["in"]


def test_consume_takes_the_files_of_the_source_away(folder):
    commands.run(["mask", str(folder / "in"), str(folder / "out"), *ASK, "--consume", "--quiet"])
    assert list((folder / "in").iterdir()) == []


def test_a_refusal_leaves_its_audit_alone(folder):
    short = [word if word != "ward" else "age" for word in ASK]
    with pytest.raises((Refused, ValueError)):
        commands.run(["mask", str(folder / "in"), str(folder / "out"), *short])
    assert not (folder / "out").exists()


QUASI = ["--quasi", "age,income"]
SHORT = ["-k", "3", "--threads", "1"]
JOBS = {
    "median": [*ASK, "--represent", "age=median"],
    "strata": [*ASK, "--strata", "ward"],
    "weight": ["--quasi", "age,region", "--weight", "income", "--other", "ward", *SHORT],
    "diversity": [*QUASI, "--sensitive", "ward", "--l-diversity", "2", "--other", "region", *SHORT],
}


@pytest.mark.parametrize("asked", JOBS.values(), ids=JOBS)
def test_a_saved_job_gives_the_same_release_under_the_same_key(folder, monkeypatch, asked):
    key = np.arange(8, dtype=np.uint32)
    monkeypatch.setattr("tokumei.batch.stage.generator.key", lambda: key.copy())
    out, job = folder / "out", str(folder / "job.toml")
    found = []
    for line in (
        ["mask", str(folder / "in"), str(out), *asked, "--save-job", job],
        ["run", job, "--threads", "1"],
    ):
        commands.run([*line, "--quiet"])
        released = {path.name: path.read_bytes() for path in sorted(out.iterdir())}
        audit = json.loads((folder / "out.audit.json").read_text())
        found.append((released, audit))
        for path in [*out.iterdir(), *folder.glob("out.*")]:
            path.unlink()
        out.rmdir()
    assert found[0] == found[1]
