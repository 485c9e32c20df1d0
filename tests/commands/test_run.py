"""``tokumei run``: a plan before the work, a limit of time, and phases that have names."""

import json
import re

import pytest
from builders.commands import PEOPLE

from tokumei.release.phases import heard_by, phase


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.toml"
    path.write_text(
        f"source.path = '{PEOPLE}'\noutput.path = 'out.csv'\n"
        "schema.quasi = ['age', 'income']\nschema.identifier = ['person']\nschema.other = '*'\n"
        "[[steps]]\ndo = 'microaggregate'\nmethod = 'mdav'\n"
        "[[privacy]]\nmodel = 'k-anonymity'\nk = 5\n"
    )
    return path


def test_a_dry_run_says_what_would_be_done_and_writes_nothing(tokumei_, job, tmp_path):
    code, out, err = tokumei_("run", job, "--dry-run")
    assert (code, err) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert lines["quasi"] == "age, income"
    assert lines["identifier"] == "person"
    assert lines["step"] == 'microaggregate: method = "mdav"'
    assert lines["time"].startswith("about")
    assert [path.name for path in tmp_path.iterdir()] == ["job.toml"]


@pytest.mark.parametrize(
    "ask",
    [
        "mask --quasi age,income --identifier person --other * --accept-risk inference --reason x",
        "recode --quasi age,income --top income=50000 --identifier person --other *",
        "perturb -k 7 --column age:0:120:integer --drop *",
    ],
)
def test_every_release_can_be_planned(tokumei_, ask, tmp_path):
    command, *words = ask.split()
    code, out, err = tokumei_(command, PEOPLE, tmp_path / "out.csv", *words, "--dry-run")
    assert (code, err) == (0, "")
    assert re.search(r"^read +.*people\.csv: 1000 rows$", out, re.M)
    assert ("k = 5" in out) == (command == "mask")
    assert list(tmp_path.iterdir()) == []


def test_a_plan_can_be_read_by_programs(tokumei_, job):
    plan = json.loads(tokumei_("run", job, "--dry-run", "--json")[1])
    assert plan["rows"] == 1000
    assert plan["roles"]["age"] == "quasi"
    assert plan["seconds"] > 0


def test_a_limit_of_time_is_positive(tokumei_, job):
    code, _, err = tokumei_("run", job, "--time-limit", "-1", "--dry-run")
    assert code == 2
    assert "time_limit must be positive" in err


def test_a_method_that_does_not_end_in_time_leaves_nothing(tokumei_, tmp_path):
    # Long enough on any machine: a running kernel looks at the clock twenty times a second.
    rows = "".join(f"{i * 7919 % 200003},{i * 104729 % 200009}\n" for i in range(200_000))
    (tmp_path / "in.csv").write_text("a,b\n" + rows)
    ask = ["-k", 3, "--quasi", "a,b", "--method", "kmember", "--time-limit", "0.001"]
    code, _, err = tokumei_("mask", tmp_path / "in.csv", tmp_path / "out.csv", *ask)
    late = "method='kmember' has not ended within time_limit; method='auto' takes what it has"
    assert (code, err) == (2, f"tokumei: {late}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["in.csv"]


def test_phases_are_heard_in_their_order_and_timed():
    heard = []
    with heard_by(heard.append) as phases:
        for name in ("reading", "checking", "reading"):
            with phase(name):
                pass
    assert heard == ["reading", "checking", "reading"]
    assert set(phases.seconds) == set(phases.processor) == {"reading", "checking"}
    with phase("unheard"):
        assert "unheard" not in phases.seconds
