"""A comparison gathers the measures that fit each attribute, and keeps every record to itself."""

import json
import math
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from builders.canaries import CANARY, people

import tokumei as tk


def test_each_attribute_has_the_measures_that_fit_it(compared):
    before, after = people()
    age, job = compared["age"], compared["job"]
    assert (age.kind, job.kind) == ("number", "category")
    assert age.losses["il1s"] == tk.loss.il1s({"x": before["age"]}, {"x": after["age"]})
    changes = tk.loss.moments({"x": before["age"]}, {"x": after["age"]})
    assert (age.losses["mean"], age.losses["variance"]) == (
        changes.means[0],
        changes.variances[0],
    )
    squares = np.sum((before["age"] - after["age"]) ** 2) / tk.loss.sst(before["age"][:, None])
    assert age.losses["sse_share"] == pytest.approx(squares, rel=1e-12)
    assert job.losses["changed"] == tk.loss.direct(before["job"], after["job"])
    assert job.losses["entropy"] == pytest.approx(tk.loss.entropy(before["job"], after["job"]))
    assert job.losses["cramers_v"] == pytest.approx(tk.loss.cramers_v(before["job"], after["job"]))
    assert job.losses["ordinal"] is None
    order = ["small", "middle", "large"]
    assert compared["size"].losses["ordinal"] == tk.loss.direct(
        before["size"], after["size"], order=order
    )


def test_each_attribute_has_the_ild_of_its_kind(compared):
    before, after = people()
    for name, distance in (
        ("age", tk.distances.Euclidean()),
        ("job", tk.distances.Discrete()),
        ("size", tk.distances.Ordinal(["small", "middle", "large"])),
    ):
        expected = tk.loss.ild(before[name], after[name], distance)
        assert compared[name].losses["ild"] == pytest.approx(expected, rel=1e-12)


def test_the_ild_of_a_column_has_the_distance_asked_for():
    before, after = people()
    tree = {"farm": "outside", "wood": "outside", CANARY: "outside", "outside": "all",
            "shop": "all", "school": "all"}  # fmt: skip
    distances = {
        "age": tk.distances.Callable(lambda a, b: abs(a - b) ** 0.5),
        "job": tk.distances.Tree(tree),
        "size": tk.distances.Levenshtein(normalized=True),
    }
    found = tk.loss.compare(before, after, distances=distances)
    for name, distance in distances.items():
        expected = tk.loss.ild(before[name], after[name], distance)
        assert found[name].losses["ild"] == pytest.approx(expected, rel=1e-12)


def test_the_total_ild_is_that_of_the_product():
    before, after = people()
    names = ["age", "pay", "job", "size"]
    parts = [tk.distances.Euclidean()] * 2 + [tk.distances.Discrete()] * 2
    expected = tk.loss.ild(
        {name: before[name] for name in names},
        {name: after[name] for name in names},
        tk.distances.Product(*parts),
    )
    assert tk.loss.compare(before, after).totals["ild"] == pytest.approx(expected, rel=1e-12)


def test_a_constant_attribute_has_no_part_in_the_total_ild():
    found = tk.loss.compare({"x": [1, 2, 3], "c": list("aaa")}, {"x": [2, 2, 2], "c": list("aab")})
    assert found["c"].losses["ild"] is None
    assert found.totals["ild"] == found["x"].losses["ild"] == 1.0


def test_group_means_lose_ilssdm_in_total_and_by_attribute():
    X, _ = np.random.default_rng(1).normal(size=(2, 60, 3)) * [1.0, 10.0, 1e-3] + 1e6
    Z = tk.standardize(X)
    labels = tk.partition(Z, 4)
    found = tk.loss.compare(X, tk.aggregate(X, labels))
    assert found.totals["sse_share"] == pytest.approx(tk.loss.ilssdm(Z, labels), rel=1e-9)
    for j in range(3):
        single = tk.loss.ilssdm(X[:, [j]], labels)
        assert found[j].losses["sse_share"] == pytest.approx(single, rel=1e-9)


def test_a_constant_attribute_does_not_dilute_the_total():
    X = np.random.default_rng(1).normal(size=(60, 2))
    X[:, 1] = 7.0
    labels = tk.partition(X, 4)
    found = tk.loss.compare(X, tk.aggregate(X, labels)).totals["sse_share"]
    assert found == pytest.approx(tk.loss.ilssdm(tk.standardize(X), labels), rel=1e-12)


def test_totals_are_those_of_the_tables(compared):
    before, after = people()
    numbers = [{key: side[key] for key in ("age", "pay")} for side in (before, after)]
    words = [{key: side[key] for key in ("job", "size")} for side in (before, after)]
    changes = tk.loss.moments(*numbers)
    assert compared.totals["il1s"] == tk.loss.il1s(*numbers)
    assert compared.totals["correlations"] == changes.correlations
    assert compared.totals["eigenvalues"] == changes.eigenvalues
    assert compared.totals["ctbil"] == tk.loss.ctbil(*words)
    assert compared.totals["ctbil_average"] == tk.loss.ctbil(*words, average=True)
    first = tk.loss.compare(*people(), max_order=1)
    assert first.totals["ctbil"] == tk.loss.ctbil(*words, max_order=1)


def test_an_unchanged_table_lost_nothing():
    before, _ = people()
    found = tk.loss.compare(before, before)
    for losses in (found.totals, *(one.losses for one in found.attributes)):
        kept = dict(losses)
        assert kept.pop("cramers_v", 1.0) == pytest.approx(1.0)
        assert set(kept.values()) <= {0.0, None}


def test_columns_that_are_not_published_are_named(compared):
    assert compared.absent == ("name",)
    assert "not published: name" in compared.to_text()
    assert [one.name for one in compared.attributes] == ["age", "pay", "job", "size"]


def test_numbers_that_became_bands_are_categories():
    found = tk.loss.compare({"age": [21, 25, 38, 33]}, {"age": ["20s", "20s", "30s", "30s"]})
    assert found["age"].kind == "category"
    assert found["age"].losses["entropy"] == 0.5
    told = tk.loss.compare({"zip": [1, 2]}, {"zip": [1, 1]}, kinds={"zip": "category"})
    assert told["zip"].kind == "category"


def test_what_has_no_scale_is_none_and_null():
    found = tk.loss.compare({"x": [1.0, 1.0], "c": ["a", "a"]}, {"x": [1.0, 2.0], "c": ["a", "b"]})
    assert found["x"].losses["sse_share"] is None
    assert found["c"].losses["entropy"] is None
    assert found.totals["sse_share"] is None
    assert json.loads(found.to_json())["attributes"][0]["losses"]["il1s"] is None


def test_a_result_cannot_be_changed(compared):
    with pytest.raises(AttributeError):
        compared.records = 3
    with pytest.raises(KeyError, match="no attribute 'magic'"):
        compared["magic"]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_dataframes_compare_like_their_columns(make, compared):
    before, after = people()
    found = tk.loss.compare(
        make(before), make(after), orders={"size": ["small", "middle", "large"]}
    )
    for one, other in zip(found.attributes, compared.attributes, strict=True):
        assert one.losses == pytest.approx(other.losses)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"smallest": 0}, ValueError, "smallest must be at least 1"),
        ({"smallest": 2.5}, TypeError, "smallest must be a whole number"),
        ({"max_order": 0}, ValueError, "max_order must be at least 1"),
        ({"orders": {"y": []}}, ValueError, "orders names 1 columns"),
        ({"orders": {"x": ["a"]}}, ValueError, "2 values that are not in the order given"),
        ({"distances": {"y": tk.distances.Discrete()}}, ValueError, "distances names 1 columns"),
        ({"distances": {"x": "tree"}}, TypeError, "must be of kind Distance, got str"),
        ({"distances": {"x": tk.distances.Tree({"a": "b"})}}, ValueError, "not in the tree"),
        ({"kinds": {"x": "magic"}}, ValueError, "'number' or 'category'"),
        ({"kinds": {"x": "number"}}, TypeError, "column 'x' must be numeric"),
    ],
    ids=str,
)
def test_bad_options_are_refused_without_telling_values(options, error, words):
    table = {"x": ["a", CANARY]}
    with pytest.raises(error, match=re.escape(words)) as caught:
        tk.loss.compare(table, table, **options)
    assert CANARY not in str(caught.value)


def test_a_column_that_was_never_there_is_refused():
    with pytest.raises(ValueError, match="1 columns that original does not have"):
        tk.loss.compare({"x": [1]}, {"x": [1], "y": [1]})
    with pytest.raises(ValueError, match=r"got 2 and 1|same number of records, got 2 and 1"):
        tk.loss.compare({"x": [1, 2]}, {"x": [1]})


def test_losses_of_numbers_stay_right_far_from_zero():
    rng = np.random.default_rng(4)
    x = rng.integers(0, 1000, 500).astype(float)
    y = x + rng.integers(-3, 4, 500)
    near = tk.loss.compare({"x": x}, {"x": y})["x"].losses
    far = tk.loss.compare({"x": x + 1e9}, {"x": y + 1e9})["x"].losses
    assert near == pytest.approx(far, rel=1e-12)
    assert all(math.isfinite(value) for value in near.values())
