"""``tokumei assess``: one screen, a job file, and no second thoughts about what was edited."""

import json

from builders.commands import PEOPLE


def test_it_prints_a_screen_and_writes_a_job(tokumei_, tmp_path):
    job = tmp_path / "job.toml"
    code, out, err = tokumei_("assess", PEOPLE, "--job", job, "--target", tmp_path / "out.csv")
    assert (code, err) == (0, "")
    assert "age" in out
    assert len(out.splitlines()) < 30
    assert tokumei_("run", job, "--quiet")[0] in (0, 3)
    code, _, err = tokumei_("assess", PEOPLE, "--job", job)
    assert code == 2
    assert "job.toml exists" in err
    job.write_text("# edited")
    code, out, _ = tokumei_("assess", PEOPLE, "--job", job, "--force")
    assert code == 0
    assert out.splitlines()[-1].startswith(f"written   {job.resolve()}: ")
    assert "edited" not in job.read_text()


def test_json_has_every_column(tokumei_, tmp_path):
    code, out, _ = tokumei_("assess", PEOPLE, "--job", tmp_path / "job.toml", "--json")
    assert code == 0
    columns = json.loads(out)["columns"]
    assert [each["name"] for each in columns] == PEOPLE.read_text().split("\n")[0].split(",")
    assert all(each["role"] and each["reason"] for each in columns)
