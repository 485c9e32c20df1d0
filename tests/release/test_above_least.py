"""The audit can say how far the loss is at most above the least: proven, and rounded up."""

import json
import sys

import numpy as np
import oracle
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.release.audit import rounded_up
from tokumei.release.errors import InputError

ACCEPTED = {"too few records": "a test"}


def numbers(rows, seed=0):
    rng = np.random.default_rng(seed)
    return pa.table({name: rng.normal(size=rows).round(6) for name in "ab"})


def masked(table, bound, **options):
    quasi = [name for name in table.column_names if name != "rest"]
    return tk.release.mask(table, quasi=quasi, bound=bound, accept_risk=ACCEPTED, **options)


@pytest.mark.parametrize("method", ["auto", "columns", "rows", "neighbours"])
def test_the_audit_has_the_gap_of_the_bound_that_is_asked_for(method):
    table = numbers(120)
    x = tk.standardize(np.column_stack([table["a"], table["b"]]))
    labels = tk.partition(x, 3)
    release = masked(table, method, k=3)
    exact = 100 * tk.bounds.gap(x, labels, 3, method=method)
    public = release.audit["achieved"]["above_least_percent"]
    assert exact <= public <= 1.01 * exact + 1e-9
    assert public == float(f"{public:.3g}")


def test_without_asking_nothing_is_said_and_no_bound_is_looked_for(monkeypatch):
    def fail(*_):
        raise AssertionError

    module = sys.modules["tokumei.release.mask.above_least"]
    monkeypatch.setattr(module, "lower_bound_of", fail)
    assert "above_least_percent" not in masked(numbers(60), None, k=3).audit["achieved"]


@pytest.mark.parametrize("seed", range(3))
def test_what_it_says_is_true_of_the_optimum(seed):
    table = numbers(11, seed)
    x = tk.standardize(np.column_stack([table["a"], table["b"]]))
    release = masked(table, "rows", k=3, method="mdav")
    least = float(oracle.least_sse(oracle.group_costs(x, 3), 11))
    loss = tk.loss.sse(x, tk.mdav(x, 3))
    assert loss <= least * (1 + release.audit["achieved"]["above_least_percent"] / 100)


def test_a_loss_of_nothing_is_the_least():
    table = pa.table({"a": [1.0] * 8, "b": [2.0] * 8})
    release = masked(table, "columns", k=2)
    assert release.audit["achieved"]["above_least_percent"] == 0.0


def test_where_nothing_is_proven_the_audit_has_none():
    # Three of four records are equal: half the distances to the nearest are nothing.
    table = pa.table({"a": [1.0] * 12 + [5.0, 9.0, 30.0, 70.0], "b": [0.0] * 16})
    audit = masked(table, "neighbours", k=4).audit
    said = audit["achieved"]["above_least_percent"]
    assert said is None or said >= 0
    json.dumps(audit, allow_nan=False)


def test_categories_and_rules_have_a_gap_too():
    rng = np.random.default_rng(3)
    table = pa.table(
        {
            "a": rng.normal(size=150).round(6),
            "job": rng.choice(["x", "y", "z"], 150),
            "rest": rng.choice(["p", "q"], 150),
        }
    )
    options = {"k": 3, "sensitive": ["rest"], "effort": "fast"}
    plain = masked(table, "columns", **options).audit["achieved"]
    harder = masked(table, "columns", l_diversity=2, **options).audit["achieved"]
    assert 0 < plain["above_least_percent"] < 100
    assert harder["above_least_percent"] > plain["above_least_percent"]


def test_it_is_the_same_on_any_number_of_threads():
    one, two = (masked(numbers(150), "rows", k=3, n_threads=n).audit for n in (1, 2))
    assert one["achieved"]["above_least_percent"] == two["achieved"]["above_least_percent"]


@given(st.floats(0, 1e6))
def test_rounding_up_never_promises_more_and_stays_near(percent):
    up = rounded_up(percent)
    assert percent <= up <= percent * 1.01 + 1e-300


def test_another_word_is_refused():
    with pytest.raises(InputError, match="bound must be one of 'auto', 'columns'"):
        masked(numbers(20), "magic", k=3)
