"""The command perturb: files, summaries and exit codes."""

import json
import re

import pandas as pd
import pyarrow.parquet as pq
import pytest
from builders.noisy_tables import FRAME

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.noise.NotPrivateWarning")


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    pd.DataFrame(FRAME).to_csv(path, index=False)
    return path


COLUMNS = ["--column", "age:17:90:integer", "--column", "income:0:200000", "--column", "sex:f|m"]


@pytest.mark.parametrize("ending", ["csv", "parquet", "arrow"])
def test_a_file_is_perturbed_and_summed_up(tokumei_, people, tmp_path, ending):
    target = tmp_path / f"out.{ending}"
    code, out, err = tokumei_(
        "perturb", people, target, "-k", 3, *COLUMNS, "--identifier", "name", "--share", "age=2",
        "--mechanism", "income=square-wave", "--cells", "income=40",
    )  # fmt: skip
    assert (code, err) == (0, "")
    assert "linkage     at most 1/3" in out
    assert "noise       private" in out
    assert re.search(r"^checks +(\d+) of \1 passed$", out, re.M)
    audit = json.loads((tmp_path / f"out.{ending}.audit.json").read_text())
    ages, incomes, sexes = (audit["achieved"]["columns"][n] for n in ("age", "income", "sex"))
    assert ages["epsilon"] == pytest.approx(2 * incomes["epsilon"], rel=0.01)
    assert (incomes["mechanism"], incomes["cells"]) == ("square-wave", 40)
    assert sexes["mechanism"] == "randomized-response"
    assert audit["job"]["roles"]["name"] == "identifier"
    if ending == "parquet":
        assert pq.read_table(target).column_names == ["age", "income", "sex"]
    if ending == "csv":
        assert target.read_text().splitlines()[0] == "age,income,sex"
        assert "n17" not in target.read_text()


def test_missing_cells_are_released_as_missing_now_and_then(tokumei_, tmp_path):
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("age,sex\n" + "30,f\n,\n41,m\n" * 60)
    columns = ["--column", "age:17:90:integer", "--column", "sex:f|m"]
    code, _, err = tokumei_("perturb", source, target, *columns)
    assert code == 2
    assert "column 'age' has 60 missing values" in err
    code, _, err = tokumei_("perturb", source, target, *columns, "--missing", "category")
    assert (code, err) == (0, "")
    cells = [line.split(",") for line in target.read_text().splitlines()[1:]]
    assert 0 < sum(not age for age, _ in cells) < 180
    assert 0 < sum(not sex for _, sex in cells) < 180


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--column", "age"], "column 'age' has no public bounds"),
        (["--column", "age:17"], "categories must be at least two"),
        (["--column", "age:a:b"], "a column is written as"),
        (["--column", "age:1:2:3"], "a column is written as"),
        (["--column", ":1:2"], "a column is written as"),
        (["--column", "age:90:17"], "column 'age': lower must be below upper"),
        (["--column", "agee:17:90"], "did you mean 'age'?"),
        (["--column", "age:17:90", "--column", "age:1:2"], "each column is named once"),
        (["--column", "age:20:30:integer"], "values outside the bounds 20 to 30"),
        (["--column", "income:0:200000:integer"], "must hold whole numbers"),
        (["--column", "sex:0:1"], "column 'sex' has 400 cells that are not numbers"),
        (["--column", "sex:f|x"], "values that are none of its categories"),
        (["--column", "age:17:90", "--mechanism", "gauss"], "mechanism must be one of"),
        (["--column", "age:17:90", "--mechanism", "b=laplace"], "mechanism names 'b'"),
        (["--column", "age:17:90", "--mechanism", "square-wave"], "cells must be given"),
        (["--column", "age:17:90", "--share", "age"], "share is written as name=word"),
        (["--column", "age:17:90", "--share", "age=big"], "share is written as name=number"),
        (["--column", "age:17:90", "-k", "400"], "below the number of records"),
        (["--column", "age:17:90", "-k", "1"], "k must be at least 2"),
        (["--column", "age:17:90", "--bounds", "mine"], "bounds must be one of"),
    ],
)
def test_wrong_usage_is_2_and_a_sentence(tokumei_, people, tmp_path, options, sentence):
    code, out, err = tokumei_("perturb", people, tmp_path / "o.csv", *options, "--drop", "*")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert sentence in err
    assert not (tmp_path / "o.csv").exists()


def test_a_refusal_is_3_and_leaves_the_target(tokumei_, people, tmp_path):
    target = tmp_path / "o.csv"
    target.write_text("an older release")
    code, out, err = tokumei_("perturb", people, target, *COLUMNS, "--json")
    assert code == 3
    assert json.loads(out)["verdict"] == "refused"
    assert "every column has a role: column 'name' has none" in err
    assert target.read_text() == "an older release"


def test_without_random_bytes_nothing_is_written(tokumei_, people, tmp_path, monkeypatch):
    from tokumei.noise import generator

    monkeypatch.setattr(generator.os, "urandom", lambda count: bytes(count))
    code, out, err = tokumei_("perturb", people, tmp_path / "o.csv", *COLUMNS, "--drop", "*")
    assert (code, out) == (2, "")
    assert "random bytes are not random" in err
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]
