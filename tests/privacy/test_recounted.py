"""The gate recounts every model in what was written, and shows what nobody asked for."""

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from builders.people import ACCEPTED

import tokumei as tk

TREE = {
    "flu": "lung",
    "cold": "lung",
    "ulcer": "belly",
    "lung": "any",
    "belly": "any",
    "burn": "any",
}
ILLS = pa.table({
    "age": ["20-39"] * 4 + ["40-59"] * 4,
    "ill": ["flu", "flu", "cold", "cold", "ulcer", "ulcer", "burn", "burn"],
})  # fmt: skip
ASKED = {"k": 4, "quasi": ["age"], "sensitive": ["ill"], "accept_risk": ACCEPTED}
ASKED |= {"level": {"age": 0}}


def recoded(**asked):
    tree = {"age": dict.fromkeys(["20-39", "40-59"], "any")}
    return tk.release.recode(ILLS, **(ASKED | asked), trees=tree)


BROKEN = {
    "t-closeness": ({"t_closeness": 0.5}, {"t_closeness": 0.49}),
    "t-closeness of a tree": (
        {"t_closeness": 0.5, "t_kind": "hierarchical", "t_tree": TREE},
        {"t_closeness": 0.49, "t_kind": "hierarchical", "t_tree": TREE},
    ),
    "beta-likeness": ({"beta_likeness": 1.0}, {"beta_likeness": 0.9}),
    "enhanced beta-likeness": (
        {"beta_likeness": 1.0, "beta_kind": "enhanced"},
        {"beta_likeness": 0.9, "beta_kind": "enhanced"},
    ),
    "l-diversity": ({"l_diversity": 2}, {"l_diversity": 3}),
    "k-map": ({"k_map": 6}, {"k_map": 7}),
    "delta-presence": ({"presence": 0.67}, {"presence": 0.66}),
    "delta-presence from below": (
        {"presence": 1.0, "presence_least": 0.5},
        {"presence": 1.0, "presence_least": 0.51},
    ),
}
THOSE = {"age": ["20-39"] * 6 + ["40-59"] * 8 + ["60-79"]}


@pytest.mark.parametrize("source", ["table", "file"])
@pytest.mark.parametrize("model", BROKEN)
def test_a_release_that_breaks_an_asked_model_is_refused_whichever_it_is(tmp_path, model, source):
    kept, broken = BROKEN[model]
    population = pa.table(THOSE)
    if source == "file":
        pa.csv.write_csv(population, tmp_path / "population.csv")
        population = str(tmp_path / "population.csv")
    more = {"population": population} if "k_map" in kept or "presence" in kept else {}
    assert recoded(**kept, **more).audit["verdict"] == "released"
    with pytest.raises(tk.release.Refused, match="not kept"):
        recoded(**broken, **more)


def test_a_population_that_is_coded_otherwise_is_refused():
    other = pa.table({"age": ["20 to 39", "40 to 59"] * 50})
    with pytest.raises(tk.release.Refused, match="2 classes are not in the population"):
        recoded(k_map=1, population=other)
    with pytest.raises(tk.release.Refused, match="could not run"):
        recoded(k_map=1, population=pa.table({"years": [1]}))
    with pytest.raises(tk.release.InputError, match="population goes with k_map"):
        recoded(population=other)
    with pytest.raises(tk.release.InputError, match="population must be a table or the name"):
        recoded(k_map=1)


def test_every_sensitive_column_is_counted_though_nothing_is_asked():
    table = ILLS.append_column("pay", pa.array([1, 2, 3, 4, 5, 5, 5, 5]))
    roles = {"quasi": ["age"], "sensitive": ["ill", "pay"], "accept_risk": ACCEPTED}
    found = tk.release.mask(table, 4, **roles).audit["achieved"]
    assert found["distinct l of ill"] == 2
    assert found["entropy l of ill"] == 2.0
    assert found["t of ill"] == 0.5
    assert found["homogeneous share of ill"] == 0.0
    assert found["distinct l of pay"] == 1
    assert found["homogeneous share of pay"] == 0.5
    assert "l of ill, missing as wildcard" not in str(found)


def test_a_missing_sensitive_cell_counts_as_is_said_and_both_are_told():
    ills = ["flu", None, None, None, "burn", "flu", "burn", "flu"]
    table = ILLS.set_column(1, "ill", pa.array(ills))
    asked = ASKED | {"l_diversity": 2}
    asked |= {"trees": {"age": dict.fromkeys(["20-39", "40-59"], "any")}}
    found = tk.release.recode(table, **asked).audit["achieved"]
    assert found["distinct l of ill"] == 2
    assert found["distinct l of ill, missing as wildcard"] == 1
    with pytest.raises(tk.release.Refused, match="l-diversity of column 'ill' is not kept: 1"):
        tk.release.recode(table, **asked, missing_counts_as="wildcard")


def test_what_is_asked_of_sensitive_columns_is_asked_of_each():
    rng = np.random.default_rng(5)
    table = pa.table({
        "age": rng.integers(20, 80, 400),
        "ill": rng.choice(["flu", "cold", "burn"], 400, p=[0.8, 0.15, 0.05]),
        "pay": rng.choice([10, 20, 30], 400, p=[0.7, 0.2, 0.1]),
    })  # fmt: skip
    roles = {"quasi": ["age"], "sensitive": ["ill", "pay"], "accept_risk": ACCEPTED}
    plain = tk.release.mask(table, 5, **roles).audit["achieved"]
    assert min(plain["distinct l of ill"], plain["distinct l of pay"]) < 2
    found = tk.release.mask(table, 5, **roles, l_diversity=2, t_closeness=0.4).audit
    assert [model["model"] for model in found["job"]["privacy"]] == [
        "k-anonymity", "l-diversity", "l-diversity", "t-closeness", "t-closeness",
    ]  # fmt: skip
    for name in ("ill", "pay"):
        assert found["achieved"][f"l-diversity of {name}"] >= 2
        assert found["achieved"][f"t-closeness of {name}"] <= 0.4


def test_a_release_that_breaks_a_model_of_one_sensitive_column_of_two_is_refused():
    table = ILLS.append_column("pay", pa.array([1, 2, 3, 4, 5, 5, 5, 5]))
    tree = {"age": dict.fromkeys(["20-39", "40-59"], "any")}
    asked = ASKED | {"sensitive": ["ill", "pay"], "trees": tree}
    with pytest.raises(tk.release.Refused, match="l-diversity of column 'pay' is not kept: 1"):
        tk.release.recode(table, **asked, l_diversity=2)


@pytest.mark.parametrize("seed", range(3))
def test_a_hierarchical_t_is_judged_whatever_the_search_made(seed):
    rng = np.random.default_rng(seed)
    ages, ills = rng.integers(20, 80, 300), rng.choice(["flu", "cold", "ulcer", "burn"], 300)
    table = pa.table({"age": ages, "ill": ills})
    asked = {"quasi": ["age"], "sensitive": ["ill"], "accept_risk": ACCEPTED, "t_tree": TREE}
    asked |= {"t_kind": "hierarchical"}
    found = tk.release.mask(table, 5, **asked, t_closeness=1.0).audit["achieved"]
    reached = found["t-closeness of ill"]
    with pytest.raises(tk.release.Refused, match="t-closeness of column 'ill' is not kept"):
        tk.release.mask(table, 5, **asked, t_closeness=reached / 2)
