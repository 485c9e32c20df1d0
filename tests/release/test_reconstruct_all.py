"""Every column that perturb releases is reconstructed: numbers, missing cells and categories."""

import csv

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei import commands
from tokumei.noise import Attribute, randomized_response
from tokumei.reconstruct.categories import categories

RNG = np.random.default_rng(6)
N = 6000
AGES = np.clip(RNG.normal(30, 6, N), 0, 100).round()
GONE = RNG.random(N) < 0.4
JOBS = RNG.choice(list("abc"), N, p=[0.7, 0.25, 0.05]).astype(object)
JOBS[RNG.random(N) < 0.1] = None


@given(
    st.lists(st.integers(0, 40), min_size=2, max_size=6).filter(any),
    st.sampled_from([0.5, 1.0, 3.0]),
)
@settings(max_examples=40)
def test_no_shares_are_likelier(counts, epsilon):
    channel = randomized_response(epsilon, lower=0, upper=len(counts) - 1, integer=True)
    found = categories(np.array(counts), range(len(counts)), channel)
    assert found.probabilities.sum() == pytest.approx(1.0)
    assert (found.lower_band <= found.probabilities + 1e-12).all()
    assert (found.probabilities <= found.upper_band + 1e-12).all()
    chances = np.full((len(counts), len(counts)), channel.far_probability)
    np.fill_diagonal(chances, channel.near_probability)
    shares = np.full(len(counts), 1 / len(counts))
    for _ in range(3000):  # EM, which never falls
        shares = shares * (chances @ (counts / (chances @ shares))) / sum(counts)
    reached, least = (
        float(np.array(counts) @ np.log(chances @ p)) for p in (found.probabilities, shares)
    )
    assert reached >= least - 1e-9


def test_bands_hold_the_truth_nine_times_of_ten():
    rng, truth = np.random.default_rng(2), np.array([0.5, 0.3, 0.2])
    channel = randomized_response(1.0, lower=0, upper=2, integer=True)
    chances = np.full((3, 3), channel.far_probability)
    np.fill_diagonal(chances, channel.near_probability)
    inside = []
    for _ in range(400):
        found = categories(rng.multinomial(2000, chances @ truth), "abc", channel)
        inside += ((found.lower_band <= truth) & (truth <= found.upper_band)).tolist()
    assert 0.86 < np.mean(inside) < 0.94


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("released")
    table = pd.DataFrame({"age": np.where(GONE, np.nan, AGES), "job": JOBS})
    table.to_csv(folder / "in.csv", index=False)
    attributes = {
        "age": Attribute(0, 100, integer=True, missing="category"),
        "job": Attribute(categories=["a", "b", "c", "nobody"], missing="category"),
    }
    tk.release.perturb_file(folder / "in.csv", folder / "out.csv", 2, attributes=attributes)
    return folder


def test_what_is_missing_does_not_pull_the_others_to_the_middle(released):
    found = tk.release.reconstruct_file(released / "out.csv", released / "cells.csv")
    there = AGES[~GONE]
    # The middle is 50; of twelve releases each came to 0.3 to 4.3 more than the truth.
    assert found["age"].mean() == pytest.approx(there.mean(), abs=8.0)
    missing = found["age is missing"]
    assert missing.names == ("there", "(missing)")
    assert missing.lower_band[1] - 0.02 <= GONE.mean() <= missing.upper_band[1] + 0.02
    assert found["age"].probabilities.sum() == pytest.approx(1.0)
    assert not found["age"].says_nothing


def test_categories_have_their_shares(released):
    found = tk.release.reconstruct_file(released / "out.csv", released / "cells.csv")["job"]
    shares = dict(zip(found.names, found.probabilities, strict=True))
    assert set(shares) == {"a", "b", "c", "nobody", "(missing)"}
    for name in "abc":
        assert shares[name] == pytest.approx((name == JOBS).mean(), abs=0.06)
    with (released / "cells.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["column"] == "job"]
    assert [row["from"] for row in rows] == list(found.names)
    assert [float(row["probability"]) for row in rows] == found.probabilities.tolist()


def test_few_records_say_nothing_and_it_is_said(tmp_path, capsys):
    pd.DataFrame({"age": AGES[:60], "job": ["a", "b"] * 30}).to_csv(
        tmp_path / "in.csv", index=False
    )
    ask = ["--column", "age:0:100:integer", "--column", "job:a|b|c", "-k", "30", "--quiet"]
    commands.run(["perturb", str(tmp_path / "in.csv"), str(tmp_path / "out.csv"), *ask])
    commands.run(["reconstruct", str(tmp_path / "out.csv"), str(tmp_path / "cells.json")])
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("warning")]
    assert "60 records under this noise say nothing of age" in told[0]
    found = tk.release.reconstruct_file(tmp_path / "out.csv", tmp_path / "cells.json")
    assert found["age"].says_nothing
    lines = {name for name, one in found.items() if one.says_nothing}
    assert len(told) == len(lines)


def test_categories_in_an_order_need_their_order(tmp_path):
    pd.DataFrame({"size": list("sml") * 20}).to_csv(tmp_path / "in.csv", index=False)
    square = Attribute(categories=["s", "m", "l"], mechanism="square-wave")
    out = tmp_path / "out.csv"
    tk.release.perturb_file(tmp_path / "in.csv", out, 2, attributes={"size": square})
    with pytest.raises(tk.release.InputError, match="no column has bounds and noise"):
        tk.release.reconstruct_file(out, tmp_path / "cells.csv")
