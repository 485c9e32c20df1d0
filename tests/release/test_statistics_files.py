"""Files of Stata and SAS, as these programs write them: read, masked, released as other files.

pyreadstat writes no .sas7bdat; the transport format of SAS goes through the same reader.
"""

import pandas as pd
import pyarrow.parquet
import pytest
from builders.people import ACCEPTED

import tokumei as tk
from tokumei import commands
from tokumei.release.io.statistics_files import READERS

pyreadstat = pytest.importorskip("pyreadstat")

N = 12
CODES = [1, 2] * (N // 2)
TABLE = pd.DataFrame(
    {
        "age": [20.0 + row for row in range(N)],
        "income": [None if row == 4 else 1000.5 + 10 * row for row in range(N)],
        "town": [["north", "south"][row % 2] for row in range(N)],
        "seen": pd.to_datetime(["2020-01-05"] * N),
        "sex": CODES,
    }
)
LABELS = {"sex": {1: "female", 2: "male"}}
ROLES = {"quasi": ["age", "income"], "other": ["town", "seen"], "sensitive": ["sex"]}


def written(folder, ending):
    path = folder / f"in.{ending}"
    if ending == "dta":
        pyreadstat.write_dta(TABLE, path, variable_value_labels=LABELS)
    elif ending == "xpt":
        pyreadstat.write_xport(TABLE, path)
    elif ending == "sav":
        pyreadstat.write_sav(TABLE, path, variable_value_labels=LABELS)
    else:
        pyreadstat.write_por(TABLE.drop(columns="seen"), path)
    return path


@pytest.mark.parametrize("ending", ["dta", "xpt", "sav"])
def test_a_file_is_masked_into_parquet(ending, tmp_path):
    source, target = written(tmp_path, ending), tmp_path / "out.parquet"
    asked = {"missing": "impute", "keep_order": True, "accept_risk": ACCEPTED}
    tk.release.mask_file(source, target, k=3, **ROLES, **asked)
    found = pyarrow.parquet.read_table(target).to_pandas()
    assert list(found) == list(TABLE)
    assert found["age"].dtype.kind == "i"  # whole numbers are integers: there are no others
    assert found["town"].tolist() == TABLE["town"].tolist()
    said = ["female", "male"] if ending != "xpt" else [1, 2]  # transport files have no labels
    assert found["sex"].tolist() == said * (N // 2)
    assert (pd.to_datetime(found["seen"]) == TABLE["seen"]).all()
    assert found.groupby(["age", "income"]).size().min() >= 3
    assert abs(found["age"].mean() - TABLE["age"].mean()) < 1


@pytest.mark.parametrize("ending", ["dta", "xpt"])
def test_the_command_assesses_it_and_its_job_runs(ending, tmp_path, capsys):
    source = written(tmp_path, ending)
    commands.run(["assess", str(source), "--job", str(tmp_path / "job.toml")])
    assert "income" in capsys.readouterr().out
    commands.run(["run", str(tmp_path / "job.toml"), "--dry-run"])
    assert f"{N} rows" in capsys.readouterr().out


@pytest.mark.parametrize("ending", sorted({each.removeprefix(".") for each in READERS}))
def test_a_damaged_file_is_refused_in_a_sentence(ending, tmp_path):
    (tmp_path / f"in.{ending}").write_bytes(b"nothing of the kind" * 20)
    with pytest.raises(tk.release.InputError, match=rf"in\.{ending}"):
        tk.release.mask_file(tmp_path / f"in.{ending}", tmp_path / "out.csv", k=3, quasi=["age"])


@pytest.mark.parametrize("ending", ["dta", "xpt"])
def test_none_is_written(ending, tmp_path):
    source = written(tmp_path, ending)
    with pytest.raises(tk.release.InputError, match="out"):
        tk.release.mask_file(source, tmp_path / f"out.{ending}", k=3, **ROLES)
    assert not (tmp_path / f"out.{ending}").exists()
