"""``tokumei attack``: what adversaries come to, with roles from the audit and a control group."""

import json

import numpy as np
import pandas as pd


def people(tmp_path, name, seed):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 90, 300),
            "town": rng.choice(list("abcd"), 300),
            "ill": rng.choice(["no", "flu", "gout", "cold"], 300),
        }
    )
    table.to_csv(tmp_path / name, index=False)
    return tmp_path / name


def test_a_release_is_attacked_by_the_roles_of_its_audit(tokumei_, tmp_path):
    source, others = people(tmp_path, "in.csv", 0), people(tmp_path, "others.csv", 1)
    released = tmp_path / "out.csv"
    roles = ["--quasi", "age,town", "--sensitive", "ill", "--quiet"]
    assert tokumei_("mask", source, released, "-k", 5, *roles)[0] == 0
    code, out, err = tokumei_("attack", source, released, "--control", others)
    assert (code, err) == (0, "")
    for name in ("singling out (2 columns)", "linkability", "inference of ill", "row order",
                 "anonymity loss of ill"):  # fmt: skip
        assert any(line.startswith(name) for line in out.splitlines()), name
    assert "metadata and bytes: the file has nothing beside its cells" in out


def test_json_has_rates_with_intervals(tokumei_, tmp_path):
    source, others = people(tmp_path, "in.csv", 0), people(tmp_path, "others.csv", 1)
    asked = ["--known", "age,town", "--sensitive", "ill", "--attempts", "50", "--json"]
    code, out, _ = tokumei_("attack", source, source, "--control", others, *asked)
    assert code == 0
    found = {each["name"]: each for each in json.loads(out)}
    inference = found["inference of ill"]
    assert inference["risk"]["lower"] <= inference["risk"]["value"] <= inference["risk"]["upper"]
    assert inference["control"]["value"] < inference["attack"]["value"]
    assert found["anonymity loss"]["baseline"]


def test_columns_that_are_not_there_are_refused_in_one_sentence(tokumei_, tmp_path):
    source = people(tmp_path, "in.csv", 0)
    code, out, err = tokumei_("attack", source, source, "--known", "salary")
    assert (code, out) == (2, "")
    assert "does not have" in err


def test_roles_are_proposed_until_a_target_is_met(tokumei_, tmp_path):
    source, job = people(tmp_path, "in.csv", 0), tmp_path / "job.toml"
    code, out, err = tokumei_("assess", source, "--job", job, "--risk-target", "0.1")
    assert (code, err) == (0, "")
    assert "risk target" in out
    code, _, err = tokumei_("assess", source, "--job", tmp_path / "b.toml", "--risk-target", "7")
    assert code == 2
    assert "risk_target" in err
