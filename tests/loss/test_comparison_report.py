"""What a comparison shows: texts, pictures without a small bar, and no value of a record."""

import json
import pickle
import re
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from builders.canaries import CANARY, LARGEST, SMALLEST
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.loss.report.pictures import REST, bars, histogram


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
