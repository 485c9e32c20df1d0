"""What a column lost is said in its own unit, and never by one number alone."""

import datetime

import numpy as np
import pyarrow as pa
import pytest
from builders.people import ACCEPTED

import tokumei as tk
from tokumei.privacy import KAnonymity
from tokumei.release.comparison.settings import Setting, recommended
from tokumei.release.io.frames import frame_of
from tokumei.release.job import Job
from tokumei.release.losses import losses_of, sentence_of
from tokumei.release.mask.step import Microaggregate
from tokumei.release.schema import Columns
from tokumei.values.calendar import middles


def lost(before, after):
    frames = [frame_of(pa.table({"x": one})) for one in (before, after)]
    return losses_of(*frames, ["x"], Columns())["x"]


def test_numbers_have_changes_in_their_unit():
    found = lost([1, 2, 3, 4], [2, 2, 3, 3])
    assert (found["changed"], found["mean_absolute_change"]) == (0.5, 0.5)
    assert found["correlation"] == pytest.approx(np.corrcoef([1, 2, 3, 4], [2, 2, 3, 3])[0, 1])
    assert found["ild"] == pytest.approx(1 - np.var([2, 2, 3, 3]) / np.var([1, 2, 3, 4]))


def test_the_information_loss_is_that_of_the_library():
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(2, 40)).tolist()
    assert lost(x, y)["ild"] == pytest.approx(tk.loss.ild(x, y, tk.distances.Euclidean()))
    a = rng.choice(list("abcd"), 40).tolist()
    b = ["a" if one == "b" else one for one in a]
    assert lost(a, b)["ild"] == pytest.approx(tk.loss.ild(a, b, tk.distances.Discrete()))


def test_categories_that_are_gone_are_counted():
    found = lost(["a", "b", "c", "a"], ["a", "a", "c", "a"])
    assert (found["changed"], found["categories"], found["categories_lost"]) == (0.25, 3, 1)
    assert "1 of 3 categories lost" in sentence_of(found)


def test_dates_change_by_days_also_where_periods_are_published():
    days = ["2001-03-01", "2001-03-31"]
    found = lost(days, ["2001-03", "2001-03"])
    assert found["mean_absolute_change"] == pytest.approx(15.0, abs=0.6)
    assert "days on average" in sentence_of(found)


@pytest.mark.parametrize(
    ("text", "middle"),
    [("2001", "2001-07-02T12:00"), ("2001-Q1", "2001-02-15"), ("2001-03-05", "2001-03-05")],
)
def test_periods_have_their_middle(text, middle):
    expected = np.datetime64(middle, "us").astype(np.int64)
    assert middles([text, "x"])[0] == expected
    assert np.isnan(middles([text, "x"])[1])


def test_a_missing_cell_that_stays_missing_did_not_change():
    assert lost([1, None, 3], [1, None, 3])["changed"] == 0.0
    assert lost([1, None, 3], [1, 2, 3])["changed"] == pytest.approx(1 / 3)


def test_the_audit_has_them_rounded():
    rng = np.random.default_rng(2)
    start, days = datetime.date(1950, 1, 1), rng.integers(0, 9999, 90).tolist()
    born = [start + datetime.timedelta(days=day) for day in days]
    jobs = rng.choice(list("abc"), 90)
    table = pa.table({"age": rng.gamma(3, 10, 90), "job": jobs, "born": born})
    asked = {"quasi": ["age", "job", "born"], "effort": "fast", "accept_risk": ACCEPTED}
    release = tk.release.mask(table, k=5, **asked)
    shown, kept = (one["achieved"]["losses"] for one in (release.audit, release.record))
    assert shown.keys() == {"age", "job", "born"}
    assert shown["age"]["ild"] == float(f"{kept['age']['ild']:.3g}")
    assert shown["born"]["unit"] == "days"


def settings(*points):
    return [Setting("mdav", k, loss, 0.0, 0.0, 0.0, k, {}) for k, loss in points]


def test_the_largest_k_within_a_loss_is_recommended_or_the_bend_of_the_map():
    found = settings((3, 1.0), (5, 1.5), (10, 9.0))
    assert recommended(found, 2.0)[0].k == 5
    assert recommended(found, 20.0)[0].k == 10
    assert "none loses" in recommended(found, 0.1)[1]
    assert recommended(found, None)[0].k == 5


def test_of_two_methods_the_one_that_loses_less_stands_for_its_k():
    found = [*settings((5, 3.0)), Setting("npn", 5, 2.0, 0.0, 0.0, 0.0, 5, {})]
    assert recommended(found, None)[0].method == "npn"


def test_settings_are_compared_and_drawn(tmp_path):
    rng = np.random.default_rng(2)
    table = pa.table({"age": rng.gamma(3, 10, 200), "pay": rng.gamma(3, 10, 200)})
    job = Job((Microaggregate(),), (KAnonymity(),), Columns(quasi=["age", "pay"]))
    found = tk.release.compare(job, table, k=[3, 10], methods=["mdav", "npn"])
    assert [(one.method, one.k) for one in found.settings] == [
        ("mdav", 3), ("mdav", 10), ("npn", 3), ("npn", 10)
    ]  # fmt: skip
    assert found.settings[0].loss < found.settings[1].loss
    assert all(one.smallest >= one.k for one in found.settings)
    assert f"k = {found.recommended.k}" in str(found)
    pytest.importorskip("matplotlib")
    found.plot(tmp_path / "map.svg")
    assert (tmp_path / "map.svg").read_text().startswith("<?xml")
