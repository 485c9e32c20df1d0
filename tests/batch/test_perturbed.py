"""Data sets behind noise: channels by the count of all records, draws of their own by piece."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import folder_of

import tokumei as tk
from tokumei.batch import perturbing
from tokumei.noise import Attribute
from tokumei.release.errors import InputError

KNOWN = {
    "age": Attribute(17, 90, integer=True, weight=2.0),
    "amount": Attribute(0, 100, mechanism="square-wave", cells=20),
    "job": Attribute(categories=("baker", "cook", "smith")),
}


def table_of(rows, seed=0):
    rng = np.random.default_rng(seed)
    return pa.table(
        {
            "name": [f"planted-{n}" for n in range(rows)],
            "age": rng.integers(18, 90, rows),
            "amount": rng.uniform(0, 100, rows),
            "job": rng.choice(["baker", "cook", "smith"], rows, p=[0.7, 0.2, 0.1]),
        }
    )


@pytest.fixture
def table():
    return table_of(6000)


def perturb(source, target, **more):
    asked = {"k": 5, "attributes": KNOWN, "identifier": ["name"]} | more
    return tk.release.perturb_dataset(source, target, **asked)


def released(folder):
    return pa.concat_tables([pq.read_table(each) for each in sorted(folder.iterdir())])


def test_the_promise_and_the_channels_are_those_of_a_table_in_memory(tmp_path, table, small):
    release = perturb(folder_of(tmp_path / "in", table), tmp_path / "out")
    how = {"k": 5, "attributes": KNOWN, "identifier": ["name"]}
    in_memory = tk.release.perturb(table, **how)
    names = ("status", "k", "epsilon", "columns", "warnings")
    found, known = (r.audit["achieved"] for r in (release, in_memory))
    assert {n: found[n] for n in names} == {n: known[n] for n in names}
    out = released(tmp_path / "out")
    assert out.column_names == ["age", "amount", "job"]
    assert out.schema == in_memory.table.schema
    assert len(out) == len(table)
    assert tk.release.verify(tmp_path / "out")["verdict"] == "released"


def test_noise_has_the_distribution_that_it_is_said_to_have(tmp_path, table, small):
    release = perturb(folder_of(tmp_path / "in", table), tmp_path / "out")
    out = released(tmp_path / "out")
    scale = release.audit["achieved"]["columns"]["age"]["scale"]
    grew = np.var(out["age"].to_numpy()) - np.var(table["age"].to_numpy())
    assert grew == pytest.approx(2 * scale**2, rel=0.25)
    assert len(set(out["age"].to_numpy()) - set(range(18, 90))) > 10


def test_each_piece_and_column_has_draws_of_its_own(tmp_path, small):
    same = pa.table({"age": [40] * 3000, "old": [40] * 3000})
    known = {name: Attribute(17, 90, integer=True) for name in ("age", "old")}
    how = {"attributes": known, "identifier": []}
    perturb(folder_of(tmp_path / "in", same, files=2), tmp_path / "out", **how)
    out = released(tmp_path / "out")
    age, old = (np.asarray(out[name]) for name in ("age", "old"))
    assert abs(np.corrcoef(age, old)[0, 1]) < 0.1
    assert not np.array_equal(np.sort(age), np.sort(old))


def test_the_same_bytes_whatever_the_workers_under_one_key(tmp_path, table, small, same_key):
    perturb(folder_of(tmp_path / "in", table), tmp_path / "one", n_threads=1)
    perturb(tmp_path / "in", tmp_path / "two", n_threads=3)
    files = [[p.read_bytes() for p in sorted((tmp_path / n).iterdir())] for n in ("one", "two")]
    assert files[0] == files[1]


def test_another_run_draws_other_noise(tmp_path, table, small):
    perturb(folder_of(tmp_path / "in", table), tmp_path / "one")
    perturb(tmp_path / "in", tmp_path / "two")
    one, two = (np.sort(released(tmp_path / n)["age"].to_numpy()) for n in ("one", "two"))
    assert not np.array_equal(one, two)


def test_noise_that_was_not_added_is_refused(tmp_path, table, small, monkeypatch):
    def planted(values, attribute, channels, *args):
        return through(values, attribute, channels, *args) if attribute.categories else values

    through = perturbing.through
    monkeypatch.setattr(perturbing, "through", planted)
    with pytest.raises(tk.release.Refused) as found:
        perturb(folder_of(tmp_path / "in", table), tmp_path / "out")
    failed = {c["check"] for c in found.value.audit["checks"] if c["verdict"] == "failed"}
    assert {"noise was added", "released values can come out of the noise"} <= failed


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: t.set_column(1, "age", pa.array([99] + [20] * 5999)), "f0.parquet, row group 0"),
        (
            lambda t: t.set_column(3, "job", pa.array(["king"] + ["cook"] * 5999)),
            "none of its categ",
        ),
        (lambda t: t.set_column(1, "age", pa.array([None] + [20] * 5999)), "missing"),
    ],
)
def test_cells_that_cannot_be_are_placed_and_not_told(tmp_path, table, small, change, sentence):
    source = folder_of(tmp_path / "in", change(table))
    with pytest.raises(InputError, match=sentence) as found:
        perturb(source, tmp_path / "out")
    assert "99" not in str(found.value)
    assert "king" not in str(found.value)
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


def test_columns_without_bounds_or_without_a_role_are_refused(tmp_path, table, small):
    source = folder_of(tmp_path / "in", table)
    with pytest.raises(tk.release.Refused, match="'name' has none"):
        perturb(source, tmp_path / "out", identifier=[])
    with pytest.raises(InputError, match="has no public bounds"):
        perturb(source, tmp_path / "out", attributes=KNOWN | {"age": Attribute()})


def test_bounds_of_the_data_are_those_of_all_pieces_and_are_not_told(tmp_path, table, small):
    how = {"attributes": KNOWN | {"age": Attribute(integer=True)}, "bounds": "data", "k": 5}
    release = perturb(folder_of(tmp_path / "in", table), tmp_path / "out", **how)
    in_memory = tk.release.perturb(table, identifier=["name"], **how)
    names = ("status", "k", "epsilon", "columns", "warnings")
    found, known = (r.audit["achieved"] for r in (release, in_memory))
    assert {n: found[n] for n in names} == {n: known[n] for n in names}
    assert found["warnings"]
    assert found["columns"]["age"]["lower"] is None
    with pytest.raises(InputError, match="all values are equal"):
        perturb(
            folder_of(tmp_path / "same", pa.table({"age": [40] * 3000})), tmp_path / "no",
            attributes={"age": Attribute()}, bounds="data", identifier=[],
        )  # fmt: skip
