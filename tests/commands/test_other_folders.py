"""``recode``, ``perturb`` and ``run`` take folders as they take files; ``verify`` looks at them."""

import json
import tomllib

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from builders import storages
from builders.datasets import folder_of, people
from builders.kinds_of_runs import csv_of

import tokumei as tk
from tokumei import commands

ROWS = 400
RISK = ["--accept-risk", "too few records", "--reason", "invented people, for a test"]
WORDS = {
    "recode": [
        *("--quasi", "age,region", "--other", "ward", "--drop", "income"),
        *("--bins", "age=0<30<60<100", "--share", "region=0.05", "-k", "3", *RISK),
    ],
    "perturb": [
        *("-k", "5", "--column", "age:17:90:integer", "--column", "region:n|e|s|w"),
        *("--drop", "income,ward"),
    ],
}
STEPS = {
    "recode": """
[[steps]]
do = "recode"
bins = { age = [0, 30, 60, 100] }
share = { region = 0.05 }
[schema]
quasi = ["age", "region"]
other = ["ward"]
drop = ["income"]
""",
    "perturb": """
[[steps]]
do = "perturb"
attributes.age = { lower = 17, upper = 90, integer = true }
attributes.region = { categories = ["n", "e", "s", "w"] }
[[privacy]]
model = "Pk-anonymity"
k = 5
[schema]
drop = ["income", "ward"]
""",
}


@pytest.fixture(params=["parquet", "csv"])
def form(request, tmp_path):
    make = folder_of if request.param == "parquet" else csv_of
    make(tmp_path / "in", people(ROWS), files=3)
    return request.param


def words(name, folder, *more):
    return [name, str(folder / "in"), str(folder / "out"), *WORDS[name], "--threads", "1", *more]


def rows_of(folder, form):
    read = pq.read_table if form == "parquet" else pa.csv.read_csv
    return pa.concat_tables([read(each) for each in sorted(folder.iterdir())])


@pytest.mark.parametrize("name", WORDS)
def test_a_folder_becomes_a_folder_that_is_as_its_audit_says(form, name, tmp_path, capsys):
    assert commands.run(words(name, tmp_path)) == 0
    assert "400" in capsys.readouterr().out
    out = rows_of(tmp_path / "out", form)
    assert len(out) == ROWS
    assert "income" not in out.column_names
    assert commands.run(["verify", str(tmp_path / "out")]) == 0
    (part, *_) = sorted((tmp_path / "out").iterdir())
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    with pytest.raises(ValueError, match="is not the file that"):
        commands.run(["verify", str(tmp_path / "out")])


@pytest.mark.parametrize("name", WORDS)
def test_a_folder_behind_a_url_is_read_with_the_options_of_a_file(form, name, tmp_path, capsys):
    url = storages.put(tmp_path / "in", "tests://bucket", key=storages.KEY)
    (tmp_path / "keys.toml").write_text(f'key = "{storages.KEY}"')
    with_key = ["--storage-options", str(tmp_path / "keys.toml"), "--threads", "1"]
    job = tmp_path / "job.toml"
    asked = [name, url, str(tmp_path / "out"), *WORDS[name], *with_key]
    assert commands.run([*asked, "--save-job", str(job)]) == 0
    assert len(rows_of(tmp_path / "out", form)) == ROWS
    assert tomllib.loads(job.read_text())["source"]["path"] == url
    assert storages.KEY not in job.read_text() + capsys.readouterr().out
    assert commands.run(["run", str(job), *with_key, "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == ROWS
    assert commands.run(["run", str(job), *with_key]) == 0
    with pytest.raises(ValueError, match="Permission denied"):
        commands.run(["run", str(job)])
    job.write_text(job.read_text().replace(url, f"file://{tmp_path}/in"))
    tk.release.run(job)
    assert commands.run(["verify", str(tmp_path / "out")]) == 0


def test_a_release_goes_to_a_url_by_way_of_a_folder(form, tmp_path, capsys):
    storages.forget()
    (tmp_path / "keys.toml").write_text(f'key = "{storages.KEY}"')
    (tmp_path / "made").mkdir()
    more = ["--storage-options", str(tmp_path / "keys.toml"), "--staging", str(tmp_path / "made")]
    url, job = "tests://bucket/out", str(tmp_path / "job.toml")
    asked = ["recode", str(tmp_path / "in"), url, *WORDS["recode"], "--threads", "1", *more]
    assert commands.run([*asked, "--dry-run", "--json"]) == 0
    assert storages.held(url, key=storages.KEY) == {}
    capsys.readouterr()
    assert commands.run([*asked, "--save-job", job]) == 0
    assert f"{url} and out.audit.json" in capsys.readouterr().out
    first = storages.held(url, key=storages.KEY)
    assert ".audit.json" in first
    storages.forget()
    assert commands.run(["run", job, "--threads", "1", *more]) == 0
    assert storages.held(url, key=storages.KEY).keys() == first.keys()
    storages.forget()
    options = {"key": storages.KEY}
    tk.release.run(job, storage_options=options, staging=tmp_path / "made", n_threads=1)
    assert storages.held(url, key=storages.KEY).keys() == first.keys()
    assert [path.name for path in (tmp_path / "made").iterdir()] == ["out.private.json"]


@pytest.mark.parametrize("name", WORDS)
def test_a_job_whose_source_is_a_folder_is_run(form, name, tmp_path, capsys):
    places = '[source]\npath = "in"\n[output]\npath = "out"\n'
    (tmp_path / "job.toml").write_text(places + STEPS[name])
    job = ["run", str(tmp_path / "job.toml"), "--threads", "1"]
    assert commands.run([*job, "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == ROWS
    assert commands.run([*job, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "released"
    assert len(rows_of(tmp_path / "out", form)) == ROWS
    assert commands.run(["verify", str(tmp_path / "out")]) == 0


def test_a_job_of_a_file_has_no_options_of_a_folder(tmp_path):
    (tmp_path / "in.csv").write_text("age\n" + "30\n41\n" * 20)
    job = tmp_path / "job.toml"
    job.write_text(
        'source.path = "in.csv"\noutput.path = "out.csv"\nschema.quasi = ["age"]\n'
        '[[steps]]\ndo = "microaggregate"\n[[privacy]]\nmodel = "k-anonymity"\nk = 3\n'
    )
    with pytest.raises(tk.release.InputError, match="memory_limit, staging: of jobs whose source"):
        tk.release.run(job, memory_limit=1.0, staging=tmp_path)
    assert not (tmp_path / "out.csv").exists()
    tk.release.run(job)
    assert (tmp_path / "out.csv").exists()


@pytest.mark.parametrize("name", WORDS)
def test_a_dry_run_says_what_it_would_cost_and_writes_nothing(form, name, tmp_path, capsys):
    assert commands.run(words(name, tmp_path, "--dry-run", "--json")) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["rows"], plan["files"], plan["blocks"]) == (ROWS, 3, None)
    assert plan["disk_bytes"] > plan["spill_bytes"] > ROWS * 8
    assert 0 < plan["seconds"] < 60
    assert plan["memory_bytes"] > plan["disk_bytes"]
    assert commands.run(words(name, tmp_path, "--dry-run")) == 0
    told = capsys.readouterr().out
    assert "each record changes by itself" in told
    assert "GiB needed" in told
    assert [path.name for path in tmp_path.iterdir()] == ["in"]
