"""A folder of files becomes a checked folder; what comes out depends on the records alone."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import ACCEPTED, QUASI, folder_of, mask, people

import tokumei as tk


def parts(folder):
    return pa.concat_tables([pq.read_table(each) for each in sorted(folder.iterdir())])


def test_a_release_has_all_records_k_of_each_and_nothing_else(source, tmp_path, rows, small):
    release = mask(source, tmp_path / "out", k=4)
    released = parts(tmp_path / "out")
    assert released.column_names == rows.column_names
    assert [f.type for f in released.schema] == [f.type for f in rows.schema]
    classes = released.group_by(QUASI).aggregate([([], "count_all")])["count_all"]
    assert min(classes.to_pylist()) >= 4 == release.audit["job"]["privacy"][0]["k"]
    assert release.audit["achieved"]["k"] == min(classes.to_pylist())
    assert sorted(released["ward"].to_pylist()) == sorted(rows["ward"].to_pylist())
    assert release.audit["achieved"]["blocks"] > 8
    assert len(list((tmp_path / "out").iterdir())) > 2
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "in", "out", "out.audit.json", "out.private.json",
    ]  # fmt: skip
    assert tk.release.verify(tmp_path / "out")["verdict"] == "released"


def test_means_of_numbers_stay_those_of_the_table(source, tmp_path, rows, small):
    mask(source, tmp_path / "out", round="none")
    was, becomes = (np.asarray(t["income"]) for t in (rows, parts(tmp_path / "out")))
    assert np.isclose(becomes.mean(), was.mean(), rtol=1e-12)
    assert becomes.std() < was.std()


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("layout", ["turned", "one", "many"])
def test_records_do_not_depend_on_workers_or_on_the_layout(
    tmp_path, rows, small, same_key, read, layout, threads
):
    mask(folder_of(tmp_path / "in", rows, files=3), tmp_path / "out", n_threads=1)
    how = {
        "turned": {"order": np.random.default_rng(5).permutation(len(rows))},
        "one": {"files": 1, "group": 5000},
        "many": {"files": 9, "group": 50},
    }
    other = folder_of(tmp_path / "other", rows, **how[layout])
    mask(other, tmp_path / "out2", n_threads=threads)
    assert read(tmp_path / "out") == read(tmp_path / "out2")


def test_whose_group_a_tied_record_joins_does_not_depend_on_the_layout(
    tmp_path, small, same_key, read
):
    rng = np.random.default_rng(8)
    ages, ranks = rng.integers(0, 30, 1200), rng.integers(0, 12, 1200)
    table = pa.table({"age": ages, "rank": ranks, "name": [f"n{i}" for i in range(1200)]})
    asked = {"k": 3, "quasi": ["age", "rank"], "other": ["name"], "accept_risk": ACCEPTED}
    found = []
    for name, order in (("one", None), ("other", rng.permutation(1200))):
        source = folder_of(tmp_path / f"{name}-in", table, files=1, order=order)
        tk.release.mask_dataset(source, tmp_path / name, **asked)
        found.append(read(tmp_path / name))
    assert found[0] == found[1]


def test_another_key_changes_nothing_where_no_records_tie(tmp_path, small, read, monkeypatch):
    rng = np.random.default_rng(3)
    table = pa.table({"age": rng.normal(size=900), "income": rng.normal(size=900)})
    source = folder_of(tmp_path / "in", table)
    found = []
    for seed in range(4):
        key = np.random.default_rng(seed).integers(0, 1 << 32, 8, dtype=np.uint32)
        monkeypatch.setattr("tokumei.batch.stage.generator.key", lambda key=key: key)
        target = tmp_path / f"out{seed}"
        quasi = ["age", "income"]
        tk.release.mask_dataset(
            source, target, k=3, quasi=quasi, method="mdav", accept_risk=ACCEPTED
        )
        # The sample is whole, so that cuts are the same; sums of a group may end in another bit.
        found.append(np.unique(np.array(read(target)).round(9), axis=0).tolist())
    assert all(one == found[0] for one in found)


@pytest.mark.parametrize("kind", ["gaussians", "lognormal", "mixed"])
def test_blocks_lose_hardly_more_than_a_table_in_memory(kind):
    bench = pytest.importorskip("bench.dataset_loss", reason="the benchmarks are not here")
    memory, again, blocks, count = bench.compared(kind, 40_000, "flexdice", 5, block=10_000)
    assert count >= 4
    assert again < memory  # the dearest groups, formed again
    assert blocks <= 1.02 * memory
    assert blocks <= 1.03 * again  # wherever in the table these are


def test_a_callable_makes_the_pieces(tmp_path, rows, small, same_key, read):
    table = rows
    mask(folder_of(tmp_path / "in", table), tmp_path / "out")
    mask(lambda number: table.slice(1000 * number, 1000), tmp_path / "made", pieces=3)
    assert read(tmp_path / "made") == read(tmp_path / "out")


def test_partitions_in_names_of_folders_are_columns(tmp_path, rows, small):
    (tmp_path / "in").mkdir()
    for year in (2020, 2021):
        folder_of(tmp_path / "in" / f"year={year}", rows.slice(0, 600), files=2)
    mask(tmp_path / "in", tmp_path / "out", other=["ward", "year"])
    years = parts(tmp_path / "out")["year"].to_pylist()
    assert (years.count(2020), years.count(2021)) == (600, 600)


def test_consumed_files_are_gone_and_released(source, tmp_path, rows, small):
    mask(source, tmp_path / "out", consume=True)
    assert list(source.iterdir()) == []
    assert len(parts(tmp_path / "out")) == len(rows)


def test_a_release_takes_the_place_of_the_one_before(source, tmp_path, small):
    mask(source, tmp_path / "out")
    first = json.loads((tmp_path / "out.audit.json").read_text())
    mask(source, tmp_path / "out", k=7)
    second = tk.release.verify(tmp_path / "out")
    assert second["achieved"]["k"] >= 7
    assert first["output"] != second["output"]


def test_missing_cells_are_taken_as_they_are_in_memory(tmp_path, small):
    rng = np.random.default_rng(0)
    x = [None if rng.random() < 0.1 else float(v) for v in rng.normal(size=800)]
    c = [None if rng.random() < 0.1 else v for v in rng.choice(["a", "b"], 800).tolist()]
    table = pa.table({"x": x, "c": c, "y": rng.normal(size=800)})
    source = folder_of(tmp_path / "in", table)
    for missing in ("impute", "category"):
        release = tk.release.mask_dataset(
            source,
            tmp_path / missing,
            k=3,
            quasi=["x", "c", "y"],
            missing=missing,
            accept_risk=ACCEPTED,
        )
        assert release.audit["achieved"]["k"] >= 3
    with pytest.raises(tk.release.InputError, match="missing value"):
        tk.release.mask_dataset(source, tmp_path / "no", k=3, quasi=["x", "c", "y"])


@pytest.mark.parametrize("kind", ["ordinal", "tree"])
def test_ordered_categories_and_trees_are_masked(tmp_path, small, kind):
    rng = np.random.default_rng(0)
    table = pa.table({"c": rng.choice(["lo", "mid", "hi"], 900), "y": rng.normal(size=900)})
    how = {
        "ordinal": {"orders": {"c": ["lo", "mid", "hi"]}},
        "tree": {
            "trees": {"c": {"lo": "low", "mid": "some", "hi": "some", "low": "*", "some": "*"}}
        },
    }[kind]
    source = folder_of(tmp_path / "in", table)
    asked = {"k": 3, "quasi": ["c", "y"], "accept_risk": ACCEPTED} | how
    release = tk.release.mask_dataset(source, tmp_path / "out", **asked)
    assert release.audit["achieved"]["k"] >= 3
    assert len(parts(tmp_path / "out")) == 900


def test_adversaries_are_asked_about_what_is_released_as_it_is(tmp_path):
    table = people(400)
    telling = table.append_column("number", pa.array(np.arange(400)))
    source = folder_of(tmp_path / "in", telling)
    with pytest.raises(tk.release.Refused, match="linkage through unmasked columns"):
        tk.release.mask_dataset(
            source, tmp_path / "out", k=3, quasi=QUASI, other=["ward", "number"]
        )
    assert [p.name for p in sorted(tmp_path.iterdir())] == ["in", "out.refused.json"]
