"""Groups of a data set keep to their strata, whichever blocks and tasks these fall to."""

from itertools import chain, pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import ACCEPTED, folder_of, mask

import tokumei as tk
from tokumei.batch import blocks, borders, route, strata
from tokumei.batch.asked import Sizes
from tokumei.batch.cuts import in_strata, tree_of

SHARES = [0.7, 0.25, 0.045, 0.005]


def people(rows, seed=0):
    """Every value once, so that a class is a group; one stratum of few records."""
    rng = np.random.default_rng(seed)
    towns = rng.choice(["a", "b", "c", "d"], rows, p=SHARES)
    towns[:6] = "d"
    return pa.table({"x": rng.normal(size=rows), "y": rng.normal(size=rows), "town": towns})


def masked(source, target, **more):
    asked = {"quasi": ["x", "y"], "other": ["town"], "strata": ["town"]} | more
    return mask(source, target, **asked)


def released(folder):
    return pa.concat_tables([pq.read_table(each) for each in sorted(folder.iterdir())])


def strata_of_classes(table):
    found = table.group_by(["x", "y"]).aggregate([("town", "count_distinct"), ([], "count_all")])
    return found["town_count_distinct"].to_pylist(), found["count_all"].to_pylist()


def test_no_class_holds_records_of_two_strata(tmp_path, small):
    source = folder_of(tmp_path / "in", people(3000))
    release = masked(source, tmp_path / "out", k=4)
    different, sizes = strata_of_classes(released(tmp_path / "out"))
    assert set(different) == {1}
    assert min(sizes) >= 4
    assert release.audit["achieved"]["blocks"] > 8
    (told,) = [c for c in release.audit["checks"] if c["check"] == "groups keep to their strata"]
    assert told["verdict"] == "passed"
    masked(source, tmp_path / "without", k=4, strata=[])
    assert max(strata_of_classes(released(tmp_path / "without"))[0]) > 1


def test_small_and_many_strata_are_masked_whole(tmp_path, small):
    rng = np.random.default_rng(1)
    table = pa.table({"x": rng.normal(size=1500), "y": rng.normal(size=1500)})
    table = table.append_column("town", pa.array(np.repeat(np.arange(300), 5)))
    table = table.take(pa.array(rng.permutation(1500)))
    masked(folder_of(tmp_path / "in", table), tmp_path / "out", k=3)
    different, sizes = strata_of_classes(released(tmp_path / "out"))
    assert set(different) == {1}
    assert set(sizes) == {5}


def test_one_block_a_stratum_gives_the_release_of_a_table_in_memory(
    tmp_path, unattacked, monkeypatch
):
    monkeypatch.setattr(borders, "SHARE", 0.0)  # in memory no group is formed again
    table = people(900, seed=4)
    asked = {"k": 3, "quasi": ["x", "y"], "other": ["town"], "strata": ["town"], "method": "mdav"}
    asked |= {"round": "none", "accept_risk": ACCEPTED}
    whole = tk.release.mask(table, **asked).table
    tk.release.mask_dataset(folder_of(tmp_path / "in", table), tmp_path / "out", **asked)

    def kept(found):
        x, y = (np.asarray(found[name]).round(9).tolist() for name in "xy")
        return sorted(zip(x, y, found["town"].to_pylist(), strict=True))

    assert kept(whole) == kept(released(tmp_path / "out"))


def test_records_do_not_depend_on_the_layout_or_on_workers(tmp_path, small, same_key, read):
    table = people(2000)
    masked(folder_of(tmp_path / "in", table), tmp_path / "out", n_threads=1)
    order = np.random.default_rng(2).permutation(2000)
    masked(folder_of(tmp_path / "in2", table, files=7, order=order), tmp_path / "out2", n_threads=3)
    assert read(tmp_path / "out") == read(tmp_path / "out2")


def test_a_group_that_crosses_strata_is_found(tmp_path, small, monkeypatch):
    real, calls = blocks.formed, []

    def across(plan, table, *more, across=False, **options):
        calls.append(across)
        return real(plan, table, *more, **options)

    monkeypatch.setattr(blocks, "formed", across)
    with pytest.raises(tk.release.Refused, match="groups keep to their strata"):
        masked(folder_of(tmp_path / "in", people(3000)), tmp_path / "out")
    assert any(calls)


def test_too_few_records_of_a_stratum_are_told_with_their_number(tmp_path, small):
    table = people(500).slice(0, 500)
    towns = ["z", *table["town"].to_pylist()[1:]]
    table = table.set_column(2, "town", pa.array(towns))
    with pytest.raises(tk.release.InputError, match="1 of 5 strata have fewer than k = 3 members"):
        masked(folder_of(tmp_path / "in", table), tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


@pytest.mark.parametrize(
    ("more", "match"),
    [
        ({"strata": ["land"]}, "no column 'land', named in strata"),
        ({"other": [], "identifier": ["town"]}, "'town', named in strata, is not released"),
    ],
)
def test_strata_that_cannot_be_used_are_told(tmp_path, small, more, match):
    with pytest.raises(tk.release.InputError, match=match):
        masked(folder_of(tmp_path / "in", people(300)), tmp_path / "out", **more)


def test_a_missing_stratum_is_told_with_its_piece(tmp_path, small):
    table = people(600)
    towns = [*table["town"].to_pylist()[:-1], None]
    table = table.set_column(2, "town", pa.array(towns))
    with pytest.raises(tk.release.InputError, match=r"f2.parquet.*'town' has 1 missing value"):
        masked(folder_of(tmp_path / "in", table), tmp_path / "out")


def test_codes_stand_for_the_values_of_their_records():
    table = pa.table({"a": ["x", "y", "x", "y"], "b": [1.0, -0.0, 1.0, 0.0]})
    codes, known = strata.codes_of(table, ["a", "b"])
    assert [known[code] for code in codes] == [("x", 1.0), ("y", 0.0), ("x", 1.0), ("y", 0.0)]
    counts = strata.counts_of(table, ["a", "b"])
    assert counts == {("x", 1.0): 2, ("y", 0.0): 2}
    numbers = strata.numbered(counts, 2)
    assert strata.numbers_of(table, ["a", "b"], numbers).tolist() == [0, 1, 0, 1]
    assert strata.crossing(np.array([0, 0, 1, 1]), np.array([0, 0, 0, 1])) == 1


def test_a_tree_of_strata_is_the_trees_of_each(tmp_path):
    from tokumei import _check

    rng, run = np.random.default_rng(3), _check.run(1)
    own = np.sort(rng.choice(5, 2000, p=[0.5, 0.3, 0.1, 0.06, 0.04]))
    x, ones = rng.normal(size=(2000, 2)), np.ones(2000, dtype=np.int64)
    totals = np.bincount(own)
    tree, stratum_of = in_strata(x, own, ones, np.ones(2), totals, 200)
    found = tree.blocks(np.asfortranarray(np.column_stack([own, x])), run)
    assert (stratum_of[found] == own).all()
    first = 0
    for stratum in range(5):
        rows = own == stratum
        single = tree_of(x[rows], ones[rows], np.ones(2), int(rows.sum()), 200)
        assert (found[rows] - first == single.blocks(np.asfortranarray(x[rows]), run)).all()
        first += len(single)
    assert first == len(tree) == len(stratum_of)


@pytest.mark.parametrize("seed", range(20))
def test_no_task_has_too_little_of_a_stratum(seed):
    class Plan:
        """What of a plan tasks are made of."""

    rng = np.random.default_rng(seed)
    plan = Plan()
    plan.asked = type("Asked", (), {"k": 3, "sizes": Sizes()})
    plan.members = 1
    plan.stratum_of = np.sort(rng.integers(0, 4, 30))
    plan.tree = range(30)
    ends = np.unique([0, *rng.integers(1, 30, 12), 30]).tolist()
    plan.shelves = list(pairwise(ends))
    sizes = rng.choice([0, 1, 2, 5, 20], 30)
    sizes[np.unique(plan.stratum_of, return_index=True)[1]] += 3
    tasks = list(route.tasks_of(plan, {b: int(n) for b, n in enumerate(sizes) if n}))
    assert list(chain(*tasks)) == list(range(len(plan.shelves)))
    for shelves in tasks:
        inside = slice(plan.shelves[shelves[0]][0], plan.shelves[shelves[-1]][1])
        rows = np.bincount(plan.stratum_of[inside], sizes[inside])
        assert all(n >= 3 for n in rows if n)
