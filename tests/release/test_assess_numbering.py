"""Numbers that were given out are told from amounts, by themselves and in real tables."""

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.release.assessment.numbering import given_out

N = 1000
GIVEN_OUT = {
    "one after another": lambda rng: np.arange(N) + rng.integers(10**6),
    "the same, shuffled": lambda rng: rng.permutation(N) + 10_000,
    "some left out": lambda rng: np.cumsum(rng.geometric(0.05, N)),
    "more and more of them": lambda rng: np.rint(1e6 * np.sqrt(np.arange(N) / N)),
    "by year": lambda rng: np.concatenate([y * 10_000 + np.arange(200) for y in range(5)]),
    "drawn by chance": lambda rng: rng.integers(10**6, 10**7, N),
    "of places, groups and people": lambda rng: rng.integers(1, 900, N) * 10**6
    + rng.integers(1, 99, N) * 10**4
    + rng.integers(1, 9999, N),
}  # fmt: skip
AMOUNTS = {
    "incomes": lambda rng: np.rint(rng.lognormal(10, 1, N)),
    "incomes, sorted": lambda rng: np.sort(np.rint(rng.lognormal(10, 1, N))),
    "weights in grams": lambda rng: np.rint(rng.normal(75_000, 12_000, N)),
    "gains and losses": lambda rng: np.rint(1e4 * rng.standard_t(3, N)),
    "sums of halves": lambda rng: np.rint(1e6 * (rng.random(N) + rng.random(N))),
}


@pytest.mark.parametrize("kind", GIVEN_OUT)
def test_numbers_that_were_given_out_are_seen(kind):
    drawn = [given_out(GIVEN_OUT[kind](np.random.default_rng(seed))) for seed in range(20)]
    assert all(drawn)


@pytest.mark.parametrize("kind", AMOUNTS)
def test_amounts_are_not_taken_for_them(kind):
    drawn = [given_out(AMOUNTS[kind](np.random.default_rng(seed))) for seed in range(20)]
    assert not any(drawn)


def test_an_amount_is_proposed_as_a_number_and_a_running_number_as_an_identifier():
    rng = np.random.default_rng(3)
    table = pd.DataFrame(
        {
            "x": np.rint(rng.lognormal(12, 1, N)),
            "y": rng.permutation(N) + 70_000,
            "expend": rng.integers(10**6, 10**8, N),
        }
    )
    told = {one["name"]: one for one in tk.release.assess(table).to_dict()["columns"]}
    assert [told[name]["role"] for name in ("x", "y", "expend")] == ["quasi", "identifier", "quasi"]
    assert told["x"]["reason"].startswith("an exact amount, ")


@pytest.mark.parametrize("name", ["census.csv", "tarragona.csv", "eia.csv", "testdata.csv"])
def test_no_amount_of_a_real_table_is_proposed_as_an_identifier(reference_path, name):
    told = tk.release.assess(reference_path(name)).to_dict()["columns"]
    assert len(told) > 10
    assert [one["name"] for one in told if one["role"] == "identifier"] == []
