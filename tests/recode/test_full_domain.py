"""The cheapest full-domain generalisation, and what may be lowered again locally."""

import numpy as np
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei import Hierarchy

AGE = Hierarchy.from_nested({"young": {"teens": [17, 19], "twenties": [21, 25]}, "old": [60, 70]})
TOWN = Hierarchy.from_nested({"Kanto": ["Tokyo", "Chiba"], "Kansai": ["Osaka", "Kobe", "Nara"]})
SEX = Hierarchy.from_levels({"f": ["*"], "m": ["*"]})
TREES = {"age": AGE, "town": TOWN, "sex": SEX}
VALUES = [list(tree.values) for tree in TREES.values()]
ROWS = st.lists(st.tuples(*map(st.sampled_from, VALUES)), min_size=3, max_size=24)


M = tk.recode.metrics
METRICS = {
    "certainty": "certainty",
    "information": "information",
    "precision": "precision",
    "precision, monotonic": M.Precision(monotonic=True),
    "precision, gs 0.2": M.Precision(gs_factor=0.2),
    "precision, geometric": M.Precision(mean="geometric"),
    "loss": "loss",
    "loss, arithmetic": M.Loss(mean="arithmetic"),
    "loss, gs 0": M.Loss(mean="arithmetic", gs_factor=0.0),
    "loss, gs 0.8": M.Loss(mean="arithmetic", gs_factor=0.8),
    "entropy": "entropy",
    "entropy, monotonic": M.NonUniformEntropy(monotonic=True),
    "entropy, gs 0.3": M.NonUniformEntropy(gs_factor=0.3),
    "class size": "class_size",
    "discernibility": "discernibility",
    "discernibility, monotonic": M.Discernibility(monotonic=True),
}
WAYS = [{value: [value, *way] for value, way in tree.levels.items()} for tree in TREES.values()]


def columns_of(rows):
    return dict(zip(TREES, map(list, zip(*rows, strict=True)), strict=True))


def published(found):
    return list(zip(*(found.table[name] for name in TREES), strict=True))


def test_every_measure_has_its_truth():
    assert METRICS.keys() == oracle.LOST.keys()


@pytest.mark.parametrize("name", METRICS)
@settings(max_examples=25)
@given(ROWS, st.integers(1, 3), st.sampled_from([0.0, 0.1, 0.34]))
def test_no_levels_cost_less_than_those_found(name, rows, k, suppress):
    most = int(suppress * len(rows) + 1e-9)
    best = oracle.least_full_domain(
        rows, WAYS, most, lambda group: len(group) >= k, oracle.LOST[name]
    )
    found = tk.recode.full_domain(
        columns_of(rows), TREES, k, suppress=suppress, metric=METRICS[name]
    )
    assert found.cost == pytest.approx(best[0], rel=1e-12, abs=1e-12)
    assert tuple(found.levels.values()) == best[1]
    assert found.gap == 0.0
    groups = published(found)
    assert all(groups.count(group) >= k for group in groups)
    assert len(groups) == len(rows) - found.suppressed.sum()


MODELS = {
    "l": tk.privacy.LDiversity("s", 2),
    "households": tk.privacy.MinHouseholds("s", 3),
    "t": tk.privacy.TCloseness("s", 0.3),
    "ordered t": tk.privacy.TCloseness("s", 0.25, "ordered"),
}


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=40)
@given(st.data(), ROWS, st.sampled_from([0.0, 0.2, 0.5]))
def test_every_model_holds_in_every_group_that_stays(name, data, rows, suppress):
    codes = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    codes = np.unique(codes, return_inverse=True)[1]
    model = MODELS[name]

    def fine(group):
        if len(group) < 2:
            return False
        if name == "ordered t":
            return model.holds(oracle.area_between(codes, group))
        if name == "t":
            whole = np.bincount(codes) / len(codes)
            part = np.bincount(codes[group], minlength=len(whole)) / len(group)
            return model.holds(np.abs(part - whole).sum() / 2)
        return model.holds(len(set(codes[group])))

    most = int(suppress * len(rows) + 1e-9)
    best = oracle.least_full_domain(rows, WAYS, most, fine, oracle.LOST["certainty"])
    table = {**columns_of(rows), "s": codes}
    asked = {"models": [model], "suppress": suppress}
    if best is None:
        with pytest.raises(ValueError, match="no levels reach the models"):
            tk.recode.full_domain(table, TREES, 2, **asked)
        return
    found = tk.recode.full_domain(table, TREES, 2, **asked)
    assert found.cost == pytest.approx(best[0], rel=1e-12, abs=1e-12)
    assert tuple(found.levels.values()) == best[1]
    kept = found.table["s"]
    if len(kept) and suppress == 0.0:
        groups = np.unique([str(one) for one in published(found)], return_inverse=True)[1]
        assert model.holds(model.reached(groups, kept))


@given(ROWS, st.integers(2, 4), st.sampled_from([0.0, 0.2, 0.5]))
def test_local_recoding_never_costs_more_and_keeps_k(rows, k, suppress):
    options = {"suppress": suppress, "metric": M.Loss(mean="arithmetic")}
    if k > len(rows):
        return
    whole = tk.recode.full_domain(columns_of(rows), TREES, k, **options)
    found = tk.recode.full_domain(columns_of(rows), TREES, k, local=True, **options)
    assert found.levels == whole.levels
    assert found.cost <= whole.cost + 1e-12
    assert not (found.suppressed & ~whole.suppressed).any()
    groups = published(found)
    assert all(groups.count(group) >= k for group in groups)
    kept = np.flatnonzero(~found.suppressed)
    for place, group in zip(kept, groups, strict=True):
        levels = found.record_levels[place]
        assert group == tuple(WAYS[j][rows[place][j]][level] for j, level in enumerate(levels))


@given(ROWS, st.integers(2, 4))
def test_local_recoding_costs_what_the_recursion_by_hand_costs(rows, k):
    if k > len(rows):
        return

    def price(j, level, value):
        return level / (len(WAYS[j][value]) - 1) / len(TREES) / len(rows)

    def fine(group):
        return len(group) >= k

    whole = tk.recode.full_domain(columns_of(rows), TREES, k, metric="precision")
    by_hand = oracle.least_local(rows, WAYS, fine, price)
    top = tuple(whole.levels.values())
    want = sum(by_hand(group, top) for group in oracle.groups_at(rows, WAYS, top))
    found = tk.recode.full_domain(columns_of(rows), TREES, k, metric="precision", local=True)
    assert found.cost == pytest.approx(want, rel=1e-9, abs=1e-12)


def test_local_recoding_keeps_every_model():
    chance = np.random.default_rng(5)
    rows = [
        tuple(values[i] for values, i in zip(VALUES, drawn, strict=True))
        for drawn in chance.integers(0, [len(values) for values in VALUES], (200, 3))
    ]
    table = {**columns_of(rows), "s": chance.integers(0, 4, 200)}
    models = [tk.privacy.LDiversity("s", 3), tk.privacy.TCloseness("s", 0.3, "ordered")]
    found = tk.recode.full_domain(table, TREES, 5, models=models, suppress=0.3, local=True)
    groups = np.unique([str(one) for one in published(found)], return_inverse=True)[1]
    kept = found.table["s"]
    assert np.bincount(groups).min() >= 5
    assert models[0].holds(models[0].reached(groups, kept))
    whole = np.bincount(table["s"]) / 200
    for group in range(groups.max() + 1):
        part = np.bincount(kept[groups == group], minlength=4) / (groups == group).sum()
        assert np.abs(np.cumsum(part - whole)).sum() / 3 <= 0.3 + 1e-9


def test_local_recoding_needs_costs_that_add_up():
    data = {"sex": ["f", "f", "m"]}
    with pytest.raises(ValueError, match="adds up over records"):
        tk.recode.full_domain(data, {"sex": SEX}, 2, metric="class_size", local=True)


@given(ROWS, st.integers(1, 3))
def test_a_search_out_of_time_says_how_far_it_may_be(rows, k):
    best = tk.recode.full_domain(columns_of(rows), TREES, k, suppress=0.2)
    found = tk.recode.full_domain(columns_of(rows), TREES, k, suppress=0.2, time_limit=1e-9)
    assert found.bound <= best.cost * (1 + 1e-12) <= found.cost * (1 + 1e-9) + 1e-12
    assert 0.0 <= found.gap <= 1.0


def test_a_lattice_of_a_billion_nodes_has_an_answer_and_a_bound():
    chance = np.random.default_rng(1)
    tree = Hierarchy.from_levels({a: [a // 2, a // 4, a // 8, "*"] for a in range(16)})
    data = {f"c{j}": chance.binomial(15, 0.5, 600) for j in range(14)}
    trees = dict.fromkeys(data, tree)
    found = tk.recode.full_domain(data, trees, 5, suppress=0.05, time_limit=2.0)
    groups = list(zip(*(found.table[name] for name in data), strict=True))
    assert min(map(groups.count, groups)) >= 5
    assert 0.0 < found.bound <= found.cost
    assert found.cost < 1.0


def test_groups_hold_different_sensitive_values():
    data = {"sex": ["f", "f", "m", "m"], "disease": ["flu", "flu", "flu", "gout"]}
    assert tk.recode.full_domain(data, {"sex": SEX}, 2).levels == {"sex": 0}
    diverse = [tk.privacy.LDiversity("disease", 2)]
    assert tk.recode.full_domain(data, {"sex": SEX}, 2, models=diverse).levels == {"sex": 1}


def test_the_largest_k_that_is_asked_for_holds():
    data = {"sex": ["f", "f", "m", "m"]}
    found = tk.recode.full_domain(data, {"sex": SEX}, 2, models=[tk.privacy.KAnonymity(3)])
    assert found.levels == {"sex": 1}


def test_a_dearer_attribute_is_kept():
    data = {"sex": ["f", "m"] * 2, "town": ["Tokyo", "Tokyo", "Nara", "Nara"]}
    trees = {"sex": SEX, "town": TOWN}
    keep_sex = tk.recode.full_domain(data, trees, 2, weights={"sex": 5.0})
    keep_town = tk.recode.full_domain(data, trees, 2, weights={"town": 5.0})
    assert (keep_sex.levels["sex"], keep_town.levels["town"]) == (0, 0)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_the_same_kind_of_table_comes_out(kind):
    data = kind({"sex": ["f", "m", "m"], "n": [1, 2, 3]})
    found = tk.recode.full_domain(data, {"sex": SEX}, 2, suppress=0.4)
    assert type(found.table) is type(data)
    assert found.suppressed.tolist() == [True, False, False]
    assert found.table.shape == (2, 2)


def test_what_cannot_be_reached_is_said():
    data = {"sex": ["f", "f", "m"]}
    with pytest.raises(ValueError, match="no levels reach the models"):
        tk.recode.full_domain(data, {"sex": SEX}, 2, models=[tk.privacy.LDiversity("sex", 3)])


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"k": 0}, ValueError, "k must be between 1"),
        ({"k": 9}, ValueError, "k must be between 1"),
        ({"suppress": 1.0}, ValueError, "suppress must be at least 0 and below 1"),
        ({"suppress": -0.1}, ValueError, "suppress must be at least 0"),
        ({"hierarchies": {}}, TypeError, "hierarchies must map"),
        ({"hierarchies": {"job": SEX}}, ValueError, "1 columns that data does not have"),
        ({"hierarchies": {"sex": ["f"]}}, TypeError, "'sex' must be a Hierarchy or map each"),
        ({"hierarchies": {"sex": {"f": "*"}}}, ValueError, "1 values that the hierarchy does not"),
        ({"metric": "magic"}, ValueError, "metric must be one of"),
        ({"metric": 3}, TypeError, "metric must be a name, a measure or a function"),
        ({"metric": lambda *_: np.array([0.5, 0.5]) - _[1]}, ValueError, "must not fall"),
        ({"local": 1}, TypeError, "local must be"),
        ({"time_limit": 0}, ValueError, "time_limit must be positive"),
        ({"models": [tk.privacy.PkAnonymity(2)]}, TypeError, "a PkAnonymity, which the search"),
        ({"weights": {"job": 1.0}}, ValueError, "1 columns that have no hierarchy"),
        ({"models": [tk.privacy.LDiversity("job", 2)]}, ValueError, "models names a column"),
    ],
)
def test_bad_options_are_refused(options, error, message):
    arguments = {"data": {"sex": ["f", "m"]}, "hierarchies": {"sex": SEX}, "k": 2, **options}
    with pytest.raises(error, match=message):
        tk.recode.full_domain(**arguments)


def test_an_interrupted_search_ends():
    def stop(_share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tk.recode.full_domain({"sex": ["f", "m"]}, {"sex": SEX}, 2, callback=stop)
