"""Data sets recoded: labels as of a table in memory, classes counted over all files."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import ACCEPTED, folder_of

import tokumei as tk
from tokumei.batch import classes, recoding, rowwise
from tokumei.release.errors import InputError

QUASI = ["age", "income", "region", "job"]
TREE = {
    "nurse": "care",
    "doctor": "care",
    "cook": "food",
    "baker": "food",
    "care": "*",
    "food": "*",
}
HOW = {
    "quasi": QUASI,
    "other": ["ward"],
    "share": {"region": 0.1, "income": 0.2},
    "rule": {"region": "other"},
    "bins": {"income": [0, 20_000, 40_000, 1e9]},
    "top": {"age": 70},
    "bottom": {"age": 30},
    "level": {"job": 1},
    "trees": {"job": TREE},
}


def workers_of(rows, seed=0):
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(18, 90, rows),
            "income": np.round(rng.lognormal(10, 1, rows), 2),
            "region": rng.choice(["n", "e", "s", "w", "x"], rows, p=[0.6, 0.2, 0.1, 0.06, 0.04]),
            "job": rng.choice(["nurse", "doctor", "cook", "baker"], rows),
            "ward": rng.choice(["a", "b", "c"], rows),
        }
    )


@pytest.fixture
def table():
    return workers_of(3000)


def recode(source, target, **more):
    more = more | ({"accept_risk": ACCEPTED} if "k" in more else {})
    return tk.release.recode_dataset(source, target, **(HOW | more))


def records(table):
    return sorted(zip(*(column.to_pylist() for column in table.columns), strict=True))


def test_records_are_those_of_a_table_in_memory(tmp_path, table, small, read):
    release = recode(folder_of(tmp_path / "in", table), tmp_path / "out")
    in_memory = tk.release.recode(table, **HOW)
    assert read(tmp_path / "out") == records(in_memory.table)
    found, known = (r.audit["achieved"]["recoded"] for r in (release, in_memory))
    assert {n: one["categories"] for n, one in found.items()} == {
        n: one["categories"] for n, one in known.items()
    }
    assert tk.release.verify(tmp_path / "out")["verdict"] == "released"


def test_k_is_counted_over_all_files(tmp_path, table, small):
    how = {"quasi": ["region", "job"], "other": ["ward"], "drop": ["age", "income"]}
    how |= {"share": {"region": 0.1}, "level": {"job": 1}, "bins": {}, "top": {}, "bottom": {}}
    source = folder_of(tmp_path / "in", table)
    release = recode(source, tmp_path / "out", k=40, **how)
    parts = [pq.read_table(each) for each in (tmp_path / "out").iterdir()]
    assert len(parts) > 2
    every = pa.concat_tables(parts).group_by(["region", "job"]).aggregate([([], "count_all")])
    assert release.audit["achieved"]["k"] == min(every["count_all"].to_pylist())
    assert release.audit["achieved"]["classes"] == len(every)
    least = min(every["count_all"].to_pylist())
    with pytest.raises(tk.release.Refused, match=f"{least} records, {least + 1} asked"):
        recode(source, tmp_path / "no", k=least + 1, **how)
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    "more",
    [{"l_diversity": 2}, {"l_diversity": 2, "l_kind": "entropy"},
     {"l_diversity": 2, "l_kind": "recursive", "l_c": 5.0},
     {"t_closeness": 0.4}, {"t_closeness": 0.4, "t_kind": "ordered"}],
)  # fmt: skip
def test_models_are_counted_as_in_memory(tmp_path, table, small, more):
    ill = np.random.default_rng(5).integers(0, 9, len(table)) ** 2
    table = table.select(["region", "job"]).append_column("ill", pa.array(ill))
    how = {"quasi": ["region", "job"], "sensitive": ["ill"], "k": 3, "share": {"region": 0.1}}
    release = tk.release.recode_dataset(
        folder_of(tmp_path / "in", table), tmp_path / "out", accept_risk=ACCEPTED, **how, **more
    )
    in_memory = tk.release.recode(table, accept_risk=ACCEPTED, **how, **more)
    (mine,) = [c for c in release.audit["checks"] if c["check"].endswith("of ill")]
    worst = float(mine["detail"].split(" has ")[1].split(",")[0])
    what = {"l_diversity": "distinct l", "t_closeness": "t"}[next(iter(more))]
    if more.get("l_kind") == "entropy":
        what = "entropy l"
    if more.get("l_kind") != "recursive" and more.get("t_kind") != "ordered":
        assert worst == pytest.approx(in_memory.audit["achieved"][f"{what} of ill"], rel=1e-3)
    name = "t_closeness" if "t_closeness" in more else "l_diversity"
    strict = {name: 0.001 if name == "t_closeness" else 12}
    with pytest.raises(tk.release.Refused, match="the worst class of the release has"):
        tk.release.recode_dataset(
            tmp_path / "in", tmp_path / "no", accept_risk=ACCEPTED, **how, **(more | strict)
        )


@pytest.mark.parametrize("kind", ["equal", "ordered", "distinct", "entropy", "recursive"])
def test_counts_by_class_and_value_give_what_rows_give(kind):
    rng = np.random.default_rng(3)
    groups = np.sort(rng.integers(0, 40, 900))
    groups = np.unique(groups, return_inverse=True)[1]
    codes = rng.integers(0, 12, 900)
    pairs, counts = np.unique(groups * 12 + codes, return_counts=True)
    if kind in ("equal", "ordered"):
        model = tk.privacy.TCloseness("x", 0.5, kind=kind)
        found = model.of_counts(pairs // 12, pairs % 12, counts, np.bincount(codes))
    else:
        model = tk.privacy.LDiversity("x", 2, kind=kind)
        found = model.of_counts(pairs // 12, counts)
    assert np.allclose(found, model.of_groups(groups, codes), rtol=1e-12)


def test_exchanges_keep_frequencies_and_are_the_same_when_done_again(
    tmp_path, table, small, same_key
):
    how = {"pram": {"region": 0.6}, "pram_alpha": 1.0}
    recode(folder_of(tmp_path / "in", table), tmp_path / "one", n_threads=1, **how)
    release = recode(tmp_path / "in", tmp_path / "two", n_threads=3, **how)
    files = [[p.read_bytes() for p in sorted((tmp_path / n).iterdir())] for n in ("one", "two")]
    assert files[0] == files[1]
    done = release.audit["achieved"]["exchanged"]["region"]
    assert 0.05 < done["changed"] < 0.6
    was = tk.release.recode(table, **HOW).table.to_pandas()["region"]
    parts = pa.concat_tables([pq.read_table(p) for p in sorted((tmp_path / "two").iterdir())])
    now = parts.to_pandas()["region"]
    apart = (was.value_counts() - now.value_counts()).abs() / len(was)
    assert apart.max() < 0.03


@pytest.mark.parametrize("threads", [1, 3])
def test_records_do_not_depend_on_files_or_workers(tmp_path, table, small, read, threads):
    recode(folder_of(tmp_path / "in", table), tmp_path / "out", n_threads=1)
    order = np.random.default_rng(2).permutation(len(table))
    other = folder_of(tmp_path / "in2", table, files=7, group=90, order=order)
    recode(other, tmp_path / "out2", n_threads=threads)
    assert read(tmp_path / "out") == read(tmp_path / "out2")


def test_a_category_that_stays_rare_is_refused(tmp_path, table, small, monkeypatch):
    settled = recoding.Recoding.settled

    def planted(self, asked, found):
        done = settled(self, asked, found)
        labels = dict(done.labels) | {"region": {v: str(v) for v in done.labels["region"]}}
        return replace(done, labels=labels)

    monkeypatch.setattr(recoding.Recoding, "settled", planted)
    with pytest.raises(tk.release.Refused, match=r"(1|2) rare in 2 columns"):
        recode(folder_of(tmp_path / "in", table), tmp_path / "out")


def test_a_record_that_is_lost_is_refused(tmp_path, table, small, monkeypatch):
    write = rowwise.scatter.write_bins
    monkeypatch.setattr(
        rowwise.scatter, "write_bins",
        lambda stage, folder, plan, made, places: write(
            stage, folder, plan, made.slice(1), places[1:]
        ),
    )  # fmt: skip
    with pytest.raises(tk.release.Refused, match="as many rows out as in"):
        recode(folder_of(tmp_path / "in", table), tmp_path / "out")


def test_classes_of_one_hash_are_not_taken_for_one(tmp_path, table, small, monkeypatch):
    monkeypatch.setattr(
        classes.hashes, "of_records", lambda table, key: np.zeros(len(table), np.uint64)
    )
    how = {"quasi": ["job"], "drop": ["age", "income", "region"], "share": {}, "bins": {}}
    how |= {"top": {}, "bottom": {}, "rule": {}}
    release = recode(folder_of(tmp_path / "in", table), tmp_path / "out", k=5, **how)
    assert release.audit["achieved"]["classes"] == 2


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"suppress": 0.1, "k": 3}, "suppress cannot yet be asked of"),
        ({"bins": {"income": [0, 100]}}, r"f\d.parquet, row group 0: column 'income': edges must"),
        ({"level": {"ward": 1}}, "level names 'ward', which is not a quasi-identifier"),
        ({"k": 3, "beta_likeness": 1.0, "sensitive": ["ward"], "other": []}, "privacy models but"),
    ],
)
def test_what_cannot_be_done_is_said(tmp_path, table, small, more, sentence):
    from tokumei.release.job import gather
    from tokumei.release.recode.step import Recode

    source = folder_of(tmp_path / "in", table)
    job = gather(Recode, HOW | more, source=str(source), target=str(tmp_path / "out"))
    with pytest.raises(InputError, match=sentence):
        tk.release.run(job)
    assert [p.name for p in tmp_path.iterdir()] == ["in"]
