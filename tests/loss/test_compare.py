"""A comparison gathers the measures, and keeps every record to itself."""

import json
import math
import pickle
import re
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.loss.report.pictures import REST, bars, histogram

CANARY = "canary-in-a-cell"
LARGEST = 987654.321
SMALLEST = -987654.321


def people(rows=400, seed=3):
    """A table with two canaries, one record each, and what is published of it."""
    rng = np.random.default_rng(seed)
    X = rng.normal([40, 3000], [10, 500], size=(rows, 2))
    X[7, 1], X[8, 1] = LARGEST, SMALLEST
    job = rng.choice(["farm", "wood", "shop", "school"], p=[0.1, 0.1, 0.4, 0.4], size=rows)
    job = job.astype(object)
    job[9] = CANARY
    size = rng.choice(["small", "middle", "large"], size=rows)
    masked = tk.microaggregate(X, 5)
    merged = np.where(np.isin(job, ["farm", "wood", CANARY]), "outside", job)
    before = {"name": np.arange(rows), "age": X[:, 0], "pay": X[:, 1], "job": job, "size": size}
    after = {"age": masked[:, 0], "pay": masked[:, 1], "job": merged, "size": np.sort(size)}
    return before, after


@pytest.fixture(scope="module")
def compared():
    return tk.loss.compare(*people(), orders={"size": ["small", "middle", "large"]})


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


def test_text_is_a_table_with_a_line_on_each_measure(compared):
    lines = str(compared).splitlines()
    assert lines[0].startswith("400 records, 4 attributes compared")
    widths = {len(line) for line in lines if line.startswith(("  age", "  pay", "  attribute "))}
    row = next(line.split() for line in lines if line.startswith("  age"))
    assert row == ["age", *(f"{loss:.4g}" for loss in compared["age"].losses.values())]
    assert len(widths) <= 2
    assert any("IL1s: mean absolute change" in line for line in lines)


def test_html_is_one_fragment_that_cannot_be_escaped_from():
    name = "<script>alert('x')</script>"
    found = tk.loss.compare({name: [1, 2], "gone": [1, 2]}, {name: [2, 2]})
    html = found.to_html()
    assert html == found._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
    for tag in ("section", "table", "tr", "td", "th", "ul", "li"):
        assert len(re.findall(rf"<{tag}[ >]", html)) == html.count(f"</{tag}>")
    assert not re.search(r"(src|href)=", html)


def test_json_says_what_the_result_holds(compared):
    read = json.loads(compared.to_json())
    assert read == compared.to_dict()
    assert read["records"] == 400
    assert read["attributes"][0]["losses"] == dict(compared["age"].losses)
    assert read["totals"] == dict(compared.totals)
    json.loads(compared.to_json(indent=None))


def test_no_form_of_the_result_holds_a_value_of_a_record(compared):
    for form in (
        compared.to_text(), compared.to_html(), compared.to_json(), repr(compared),
        pickle.dumps(compared).decode("latin1"),
    ):  # fmt: skip
        assert CANARY not in form
        assert "98765" not in form
    reread = pickle.loads(pickle.dumps(compared))
    assert reread == compared


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


# --- pictures -----------------------------------------------------------------------------------


def shown_counts(picture):
    return [*picture.before, *picture.after] if picture else []


@given(
    st.lists(st.sampled_from("aaaabbbccd"), min_size=1, max_size=60),
    st.integers(1, 12),
    st.integers(0, 2**32 - 1),
)
def test_no_bar_is_small_and_no_record_is_lost(values, smallest, seed):
    before = np.array(["abcd".index(value) for value in values])
    after = np.random.default_rng(seed).permutation(before)
    after[: len(after) // 3] = 0
    picture = bars(before, after, list("abcd"), smallest)
    if picture is None:
        assert len(values) < smallest
        return
    assert all(count == 0 or count >= smallest for count in shown_counts(picture))
    assert sum(picture.before) == sum(picture.after) == len(values)
    assert len(picture.labels) == len(set(picture.labels)) == len(picture.before)


@given(
    st.integers(1, 300),
    st.integers(1, 12),
    st.sampled_from([0, 1e9, -5]),
    st.sampled_from([-2, -0.5, 0, 0.5]),
    st.integers(0, 2**32 - 1),
)
def test_no_cell_of_a_histogram_is_small_and_no_record_is_lost(rows, smallest, offset, shift, seed):
    rng = np.random.default_rng(seed)
    before = np.exp(rng.normal(size=rows)) + offset
    after = before + rng.normal(size=rows) + shift
    picture = histogram(before, after, smallest)
    if picture is None:
        assert rows < 2 * smallest or rows == 1
        return
    assert all(count == 0 or count >= smallest for count in shown_counts(picture))
    assert sum(picture.before) == sum(picture.after) == rows
    assert len(picture.edges) == len(picture.before) + 1
    assert (np.diff(picture.edges) > 0).all()


def test_a_histogram_counts_what_lies_between_its_edges():
    rng = np.random.default_rng(2)
    before, after = np.round(rng.normal(size=(2, 10_000)) * 10)
    picture = histogram(before, after, 1)
    edges = np.array([-np.inf, *picture.edges[1:-1], np.inf])
    for x, counts in ((before, picture.before), (after, picture.after)):
        expected = [int(((x >= a) & (x < b)).sum()) for a, b in pairwise(edges)]
        assert list(counts) == expected


def test_edges_are_round_and_tell_no_extreme():
    x = np.concatenate([np.random.default_rng(1).normal(50, 10, 500), [LARGEST, SMALLEST]])
    picture = histogram(x, x, 5)
    step = np.diff(picture.edges).min()
    np.testing.assert_allclose(np.array(picture.edges) / step, np.round(picture.edges / step))
    assert 0 < picture.edges[0] < picture.edges[-1] < 100


def test_a_constant_attribute_has_no_histogram():
    assert histogram(np.full(100, LARGEST), np.full(100, LARGEST), 5) is None


def test_rare_categories_share_a_bar():
    before = np.repeat(np.arange(30), 20)
    picture = bars(before, before, [f"c{value}" for value in range(30)], 10)
    assert picture.labels[-1] == REST
    assert picture.before[-1] == 600 - sum(picture.before[:-1])
    few = np.repeat([0, 1, 2, 3], [100, 50, 12, 3])
    picture = bars(few, few, list("abcd"), 10)
    assert (picture.labels, picture.before) == (("a", "b", REST), (100, 50, 15))
    rare = np.array([0] * 50 + [1] * 3)
    assert bars(rare, rare, ["often", CANARY], 10).labels == (REST,)


def test_plots_show_both_sides_of_each_attribute_and_no_canary(compared, tmp_path):
    pytest.importorskip("matplotlib")
    figure = compared.plot()
    assert [axes.get_title() for axes in figure.axes] == ["age", "pay", "job", "size"]
    figure.savefig(tmp_path / "plot.svg")
    drawn = [text for axes in figure.axes for text in texts(axes)]
    assert "shop" in drawn
    assert not any(CANARY in text or "98765" in text for text in drawn)
    assert len(compared.plot("age").axes) == 1
    assert len(compared.plot(["age", "job"]).axes) == 2
    bar_counts = [patch.get_width() for patch in compared.plot("job").axes[0].patches]
    assert all(count == 0 or count >= compared.smallest for count in bar_counts)
    assert sum(bar_counts) == 2 * compared.records


def texts(axes):
    return [label.get_text() for label in [*axes.get_xticklabels(), *axes.get_yticklabels()]]


def test_a_plot_without_matplotlib_says_what_to_install(compared, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r"pip install tokumei\[report\]"):
        compared.plot()


def test_the_report_is_loaded_when_it_is_asked_for():
    code = (
        "import sys, tokumei as tk; before = 'tokumei.loss.report.compare' in sys.modules\n"
        "tk.loss.compare; print(before, 'compare' in dir(tk.loss))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        tk.loss.magic  # noqa: B018


def test_a_plot_without_counts_says_so():
    pytest.importorskip("matplotlib")
    figure = tk.loss.compare({"$x$": [1, 2]}, {"$x$": [1, 2]}).plot()
    assert "cells of 10 or more" in figure.axes[0].texts[0].get_text()
    figure.canvas.draw()


# --- bad input ----------------------------------------------------------------------------------


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
