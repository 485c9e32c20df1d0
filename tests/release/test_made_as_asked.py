"""Faults put into the making of a release on purpose: the gate refuses each, and nothing else."""

import json
from dataclasses import replace

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from builders.made import FEW, KINDS, ROWS, failures, people, released

import tokumei as tk
from tokumei.release import pipeline
from tokumei.release.gate import hashes, records
from tokumei.release.io import frames
from tokumei.release.mask import decode, masking

RECORDS = "records are those that were made"
ORDER = "rows are in the order asked for"
HAPPENED = "masking happened"
K = "joint k of the quasi-identifiers"


def planted(monkeypatch, fault):
    """The fault, between the step that made the records and the table that is written."""
    real = frames.released
    monkeypatch.setattr(frames, "released", lambda f, *a, **kw: fault(real(f, *a, **kw)))


def put(frame, name, values):
    kind = frame[name].dtype
    return frame.with_columns(nw.new_series(name, values, dtype=kind, backend=frame.implementation))


def row_many_times(frame):
    first = np.minimum(np.arange(len(frame)), len(frame) - 200)
    return frame[first, :]


def one_row_twice(frame):
    return frame[[1, *range(1, len(frame))], :]


def permuted(name):
    def fault(frame):
        return put(frame, name, frame[name].to_list()[1:] + frame[name].to_list()[:1])

    return fault


def swapped_cells(name):
    def fault(frame):
        cells = frame[name].to_list()
        other = next(i for i, cell in enumerate(cells) if cell != cells[0])
        cells[0], cells[other] = cells[other], cells[0]
        return put(frame, name, cells)

    return fault


FAULTS = {
    "one row repeated two hundred times": row_many_times,
    "one row twice and another not": one_row_twice,
    "an untouched column permuted on its own": permuted("job"),
    "a sensitive column permuted on its own": permuted("ill"),
    "a masked column permuted on its own": permuted("income"),
    "two cells of one column exchanged": swapped_cells("note"),
    "a cell of an untouched column replaced": lambda frame: put(
        frame,
        "job",
        ["cook" if frame["job"][0] != "cook" else "smith", *frame["job"].to_list()[1:]],
    ),
    "a cell of an untouched column lost": lambda frame: put(
        frame, "note", [None, *frame["note"].to_list()[1:]]
    ),
}


@pytest.mark.parametrize("kind", FEW)
@pytest.mark.parametrize("fault", FAULTS)
def test_records_that_are_not_those_made_are_refused(monkeypatch, tmp_path, kind, fault):
    planted(monkeypatch, FAULTS[fault])
    assert RECORDS in failures(people(), kind, tmp_path)


def test_records_that_are_there_twice_do_not_cancel_each_other():
    one, other = (np.full((2, 2), word, np.uint64) for word in (2**63 + 5, 7))
    assert hashes.total(one) != hashes.total(other)
    assert hashes.total(np.vstack([one, other])) == hashes.total(np.vstack([other, one]))


@pytest.mark.parametrize("fault", ["job", "ill", "note"])
def test_the_refusal_names_the_column_that_moved(monkeypatch, tmp_path, fault):
    planted(monkeypatch, permuted(fault))
    found = failures(people(), "arrow", tmp_path)
    assert found == {RECORDS: f"column {fault!r} has cells in rows of other records"}


@pytest.mark.parametrize("kind", KINDS)
def test_identifiers_written_under_another_column_are_refused(monkeypatch, tmp_path, kind):
    real = decode.masked
    wrong = lambda frame, made: put(real(frame, made), "job", frame["name"].to_list())  # noqa: E731
    monkeypatch.setattr(decode, "masked", wrong)
    found = failures(people(), kind, tmp_path)
    assert found[RECORDS] == "column 'job' has cells that are not those made for it"


@pytest.mark.parametrize("kind", KINDS)
def test_a_masked_column_that_is_written_as_it_was_is_refused(monkeypatch, tmp_path, kind):
    real = decode.masked
    monkeypatch.setattr(decode, "masked", lambda frame, made: real(frame, {"age": made["age"]}))
    assert {RECORDS, K} <= set(failures(people(), kind, tmp_path))


def test_a_group_of_which_one_record_alone_is_masked_is_refused(monkeypatch, tmp_path):
    """Classes are large all the same: all that is masked is one cell in a thousand."""
    ages = {"age": [30, 40] * 500, "name": [f"Person{i}" for i in range(1000)]}
    real = masking.encode.quasi_identifiers

    def nearly_nothing(*given):
        (column,) = real(*given)
        publish = type(column).publish

        def one_cell(self, *rest):
            made = publish(self, *rest)
            cells = [made.cells[0].as_py(), *self.values[1:].tolist()]
            return replace(made, cells=pa.array(cells).cast(made.cells.type))

        monkeypatch.setattr(type(column), "publish", one_cell)
        return [column]

    roles = {"quasi": ["age"], "sensitive": [], "other": [], "strata": [], "method": "mdav"}
    assert failures(ages, "arrow", tmp_path, **roles) == {}
    monkeypatch.setattr(masking.encode, "quasi_identifiers", nearly_nothing)
    shifted = ages | {"age": [30 + i % 5 for i in range(1000)]}
    found = failures(shifted, "arrow", tmp_path, **roles)
    assert found[HAPPENED] == "column 'age' has fewer changed cells than the groups ask for"


@pytest.mark.parametrize("kind", KINDS)
def test_a_shuffle_that_did_nothing_is_refused(monkeypatch, tmp_path, kind):
    monkeypatch.setattr(frames, "shuffled", np.arange)
    found = failures(people(), kind, tmp_path)
    assert found == {ORDER: f"{ROWS} rows not moved, more than by chance"}


@pytest.mark.parametrize(
    "order",
    [
        lambda rows: np.arange(rows)[::-1],
        lambda rows: np.roll(np.arange(rows), 7),
        lambda rows: np.arange(rows) ^ 1,
        lambda rows: np.concatenate([np.arange(rows // 2, rows), np.arange(rows // 2)]),
    ],
    ids=["backwards", "from the seventh on", "pairs exchanged", "halves exchanged"],
)
def test_an_order_that_is_no_shuffle_is_refused(monkeypatch, tmp_path, order):
    monkeypatch.setattr(frames, "shuffled", order)
    assert list(failures(people(), "arrow", tmp_path)) == [ORDER]


@pytest.mark.parametrize("kind", KINDS)
def test_a_permutation_that_is_none_is_refused(monkeypatch, tmp_path, kind):
    real = frames.shuffled

    def drawn_with_replacement(rows):
        order = real(rows).copy()
        order[5] = order[6]
        return order

    monkeypatch.setattr(frames, "shuffled", drawn_with_replacement)
    assert set(failures(people(), kind, tmp_path)) >= {RECORDS}


@pytest.mark.parametrize("kind", KINDS)
def test_rows_that_move_where_their_order_was_to_be_kept_are_refused(monkeypatch, tmp_path, kind):
    planted(monkeypatch, lambda frame: frame[np.arange(len(frame))[::-1].copy(), :])
    assert ORDER in failures(people(), kind, tmp_path, keep_order=True)


def test_a_recoded_release_is_held_to_the_same(monkeypatch, tmp_path):
    asked = {"do": tk.release.recode, "share": {"age": 0.1}} | {
        "quasi": ["age"], "identifier": ["name"], "other": ["job", "note", "income", "ill"],
    }  # fmt: skip
    for kind in KINDS:
        assert failures(people(), kind, tmp_path, **asked) == {}
    with monkeypatch.context() as patch:
        patch.setattr(frames, "shuffled", np.arange)
        assert list(failures(people(), "arrow", tmp_path, **asked)) == [ORDER]
    planted(monkeypatch, permuted("age"))
    assert RECORDS in failures(people(), ".csv", tmp_path, **asked)


def test_a_perturbed_release_is_held_to_the_same(monkeypatch, tmp_path):
    age = tk.noise.Attribute(17, 91, integer=True)
    asked = {"do": tk.release.perturb, "attributes": {"age": age}, "drop": "*", "k": 2}
    for kind in KINDS:
        assert failures(people(), kind, tmp_path, **asked) == {}
    planted(monkeypatch, row_many_times)
    for kind in KINDS:
        assert RECORDS in failures(people(), kind, tmp_path, **asked)


def test_rows_stay_side_by_side_as_often_as_chance_has_it():
    rng = np.random.default_rng(11)
    known = np.sort(rng.integers(0, 2**63, 500).astype(np.uint64))
    rows = rng.permutation(500)
    found = [
        records._still_beside(known, rows, known[np.argsort(rows)][rng.permutation(500)])
        for _ in range(400)
    ]
    assert np.mean(found) == pytest.approx(records.NEIGHBOURS, abs=0.3)


def test_every_draft_is_judged_with_what_was_read(monkeypatch, tmp_path):
    seen = []
    real = pipeline.Attempt.passed

    def watched(self, *given):
        seen.append(self.origin)
        return real(self, *given)

    monkeypatch.setattr(pipeline.Attempt, "passed", watched)
    released(people(), "arrow", tmp_path)
    (origin,) = seen
    assert origin.read["name"].to_list() == people()["name"]
    assert set(origin.made) == {"age", "income"}


# The whole way: whatever goes wrong between masking and publishing is found in what was written.


def spoil_values(frame):
    apart = np.arange(len(frame), dtype=np.float64)
    return frame.with_columns(nw.new_series("age", apart, backend=frame.implementation))


SPOILERS = {
    "an identifier comes back": lambda frame: frame.with_columns(frame["job"].alias("name")),
    "rows are lost": lambda frame: frame.head(4),
    "values are not masked": spoil_values,
}


@pytest.mark.parametrize("ending", [".csv", ".parquet", ".arrow"])
@pytest.mark.parametrize("what", SPOILERS)
def test_a_spoiled_release_is_never_published(tmp_path, monkeypatch, ending, what):
    real = frames.released
    spoiled = SPOILERS[what]
    monkeypatch.setattr(frames, "released", lambda *a, **kw: spoiled(real(*a, **kw)))
    source, target = tmp_path / "in.csv", tmp_path / f"out{ending}"
    rows = [f"P{i},{20 + i},{i % 3},j{i}" for i in range(8)]
    source.write_text("\n".join(["name,age,income,job", *rows]) + "\n")
    target.write_bytes(b"an older release")
    roles = {"quasi": ["age", "income"], "identifier": ["name"], "other": ["job"]}
    with pytest.raises(tk.release.Refused) as caught:
        tk.release.mask_file(source, target, k=2, **roles)
    assert target.read_bytes() == b"an older release"
    audit = json.loads((tmp_path / f"out{ending}.refused.json").read_text())
    assert audit == caught.value.audit
    assert audit["verdict"] == "refused"
    assert audit["output"] is None
    assert "failed" in [check["verdict"] for check in audit["checks"]]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["in.csv", target.name, f"{target.name}.refused.json"]
    )


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("what", SPOILERS)
def test_a_spoiled_dataframe_is_never_returned(monkeypatch, kind, what):
    real = frames.released
    spoiled = SPOILERS[what]
    monkeypatch.setattr(frames, "released", lambda *a, **kw: spoiled(real(*a, **kw)))
    table = kind({"name": list("abcdefgh"), "age": list(range(8)), "job": list("abcdefgh")})
    with pytest.raises(tk.release.Refused):
        tk.release.mask(table, k=2, quasi=["age"], identifier=["name"], other="*")
