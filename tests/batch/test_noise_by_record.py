"""Noise goes by what a record is: the same in every layout, of its own for each, and by a key."""

from collections import Counter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import folder_of

import tokumei as tk
from tokumei.batch import equals, perturbing
from tokumei.batch.hashes import derived
from tokumei.batch.stage import Stage
from tokumei.noise import Attribute

KNOWN = {
    "age": Attribute(17, 90, integer=True),
    "amount": Attribute(0, 100, mechanism="square-wave", cells=20),
    "job": Attribute(categories=("baker", "cook", "smith")),
}
NUMBERS = {name: Attribute(0, 1000, integer=True) for name in ("x", "y")}


def table_of(rows, seed=0):
    """Records many of which are equal."""
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "age": rng.integers(30, 40, rows),
            "amount": rng.integers(0, 4, rows) * 25.0,
            "job": rng.choice(["baker", "cook", "smith"], rows, p=[0.7, 0.2, 0.1]),
        }
    )


def perturb(source, target, known, **more):
    return tk.release.perturb_dataset(source, target, k=5, attributes=known, **more)


def written(folder):
    return [path.read_bytes() for path in sorted(folder.iterdir())]


LAYOUTS = {
    "turned": {"order": np.random.default_rng(5).permutation(3000)},
    "one": {"files": 1, "group": 5000},
    "many": {"files": 9, "group": 50, "order": np.random.default_rng(6).permutation(3000)},
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_noise_does_not_depend_on_files_or_workers(tmp_path, small, same_key, layout):
    table = table_of(3000)
    perturb(folder_of(tmp_path / "in", table), tmp_path / "out", KNOWN, n_threads=1)
    other = folder_of(tmp_path / "other", table, **LAYOUTS[layout])
    perturb(other, tmp_path / "out2", KNOWN, n_threads=3)
    assert written(tmp_path / "out") == written(tmp_path / "out2")


def test_neither_does_that_of_a_record_of_which_there_are_more_than_fit_a_task(
    tmp_path, small, same_key, monkeypatch
):
    seen = []
    read = equals.Equals.read
    monkeypatch.setattr(
        equals.Equals, "read", lambda self, *args: seen.append(self.pieces) or read(self, *args)
    )
    table = pa.table({"x": [500] * 2900 + [10] * 100, "y": [400] * 3000})
    perturb(folder_of(tmp_path / "in", table), tmp_path / "out", NUMBERS)
    other = folder_of(tmp_path / "other", table, **LAYOUTS["many"])
    perturb(other, tmp_path / "out2", NUMBERS)
    names = [piece.name for piece in seen[0]]
    assert len(names) > len(set(names))  # a bucket comes in parts
    assert written(tmp_path / "out") == written(tmp_path / "out2")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_neither_do_exchanges(tmp_path, small, same_key, layout):
    how = {"quasi": ["job"], "other": ["age", "amount"], "pram": {"job": 0.6}}
    table = table_of(3000)
    tk.release.recode_dataset(folder_of(tmp_path / "in", table), tmp_path / "out", **how)
    other = folder_of(tmp_path / "other", table, **LAYOUTS[layout])
    tk.release.recode_dataset(other, tmp_path / "out2", **how)
    assert written(tmp_path / "out") == written(tmp_path / "out2")


def test_all_records_come_through_as_often_as_they_were(tmp_path, small):
    table = table_of(3000)
    how = {"quasi": ["job"], "other": ["age", "amount"], "pram": {"job": 0.999999}}
    tk.release.recode_dataset(folder_of(tmp_path / "in", table), tmp_path / "out", **how)
    out = pa.concat_tables([pq.read_table(each) for each in (tmp_path / "out").iterdir()])
    was, becomes = (Counter(zip(*(c.to_pylist() for c in t.columns), strict=True)) for t in (
        table.select(["age", "amount"]), out.select(["age", "amount"])
    ))  # fmt: skip
    assert was == becomes


def alike(folder):
    """What an adversary sees of twins: of how many both have the same noise in both columns.

    Of a million pairs of values, records with noise of their own seldom share one.
    """
    table = pa.concat_tables([pq.read_table(each) for each in sorted(folder.iterdir())])
    counts = Counter(zip(table["x"].to_pylist(), table["y"].to_pylist(), strict=True))
    return sum(often - 1 for often in counts.values()) / len(table)


def by_record(values, attribute, channels, name, clip, next_key, run):
    """Planted: the noise of a value is that of all its equals."""
    known, codes = np.unique(values, return_inverse=True)
    return through(known, attribute, channels, name, clip, next_key, run)[codes]


through = perturbing.through


@pytest.mark.parametrize("planted", [False, True])
def test_equal_records_draw_noise_of_their_own(tmp_path, small, same_key, monkeypatch, planted):
    if planted:
        monkeypatch.setattr(perturbing, "through", by_record)
    rng = np.random.default_rng(0)
    records = rng.integers(0, 1000, (1000, 2))
    table = pa.table(dict(zip("xy", np.repeat(records, 3, axis=0).T, strict=True)))
    perturb(folder_of(tmp_path / "in", table), tmp_path / "out", NUMBERS)
    found = alike(tmp_path / "out")
    assert found > 0.5 if planted else found < 0.05


@pytest.mark.parametrize("planted", [False, True])
def test_the_parts_of_a_bucket_draw_noise_of_their_own(tmp_path, small, monkeypatch, planted):
    made = []
    real = perturbing.Perturbing.of_piece

    def kept(self, asked, table, stage, purpose):
        found = real(self, asked, table, stage, "piece 0" if planted else purpose)
        made.append(found[0]["x"].to_pylist())
        return found

    monkeypatch.setattr(perturbing.Perturbing, "of_piece", kept)
    table = pa.table({"x": [500] * 3000, "y": [400] * 3000})
    perturb(folder_of(tmp_path / "in", table), tmp_path / "out", NUMBERS)
    one, other = made[:2]
    same = np.mean(np.array(one) == np.array(other))
    assert same == 1 if planted else same < 0.2


@pytest.mark.parametrize("planted", [False, True])
def test_noise_cannot_be_drawn_again_without_the_key(tmp_path, small, monkeypatch, planted):
    """The adversary knows table, options and library, and draws with a key of his own."""
    if planted:
        monkeypatch.setattr(Stage, "key", lambda self, purpose: derived(bytes(32), purpose))
    source = folder_of(tmp_path / "in", table_of(3000))
    found = []
    for name in ("released", "guessed"):
        perturb(source, tmp_path / name, KNOWN | {"age": Attribute(0, 10_000, integer=True)})
        parts = [pq.read_table(each) for each in sorted((tmp_path / name).iterdir())]
        columns = pa.concat_tables(parts).columns
        found.append(Counter(zip(*(c.to_pylist() for c in columns), strict=True)))
    hit = sum((found[0] & found[1]).values()) / 3000
    assert hit == 1 if planted else hit < 0.3
