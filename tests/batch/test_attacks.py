"""What the files of a release show beside their cells: nothing; and planted faults are found."""

import itertools
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import folder_of, mask, people

import tokumei as tk
from tokumei.batch import blocks, scatter
from tokumei.noise import generator
from tokumei.release.mask.quasi_identifiers import Published


def refused(source, tmp_path, match):
    with pytest.raises(tk.release.Refused, match=match):
        mask(source, tmp_path / "out")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in", "out.refused.json"]


def traced(tmp_path, rows=6000):
    """Where the records of a release stood in its sorted source, and their files."""
    table = people(rows).append_column("stood", pa.array(np.arange(rows)))
    order = np.argsort(np.asarray(table["income"]))
    source = folder_of(tmp_path / "in", table.take(pa.array(order)), files=3)
    mask(source, tmp_path / "out", other=["ward", "stood"])
    stood = {int(old): new for new, old in enumerate(order)}
    found = [
        pq.read_table(each)["stood"].to_pylist() for each in sorted((tmp_path / "out").iterdir())
    ]
    before = np.array([stood[old] for part in found for old in part])
    files = np.repeat(np.arange(len(found)), [len(part) for part in found])
    return before, files


def test_places_say_nothing_of_where_records_stood(tmp_path, small):
    before, files = traced(tmp_path)
    rows = len(before)
    assert sorted(before) == list(range(rows))
    assert files.max() >= 3
    place = np.arange(rows)
    assert abs(np.corrcoef(place, before)[0, 1]) < 5 / rows**0.5
    assert (np.abs(np.diff(before)) == 1).sum() < 16  # about 2 of them, by chance
    # Nor do files: the blocks of neighbours are spread over all of them as chance does it.
    table = np.zeros((files.max() + 1, 20))
    np.add.at(table, (files, before * 20 // rows), 1)
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / rows
    chi, free = ((table - expected) ** 2 / expected).sum(), (len(table) - 1) * 19
    assert abs(chi - free) < 5 * (2 * free) ** 0.5


def test_two_runs_stand_in_different_orders(source, tmp_path, small):
    mask(source, tmp_path / "one")
    mask(source, tmp_path / "other")
    one, other = (
        pq.read_table(tmp_path / name / "part-00000.parquet") for name in ("one", "other")
    )
    assert one != other


def test_an_order_that_was_left_is_found(source, tmp_path, small, monkeypatch):
    monkeypatch.setattr(generator, "order", lambda key, rows, run: np.arange(rows))
    refused(source, tmp_path, "rows are in the order asked for")


def test_blocks_that_went_to_files_of_their_own_are_found(source, tmp_path, small, monkeypatch):
    turn = itertools.count()

    def in_turn(key, rows, parts, run):
        return np.full(rows, next(turn) * parts // 10 % parts)

    monkeypatch.setattr(generator, "places", in_turn)
    refused(source, tmp_path, "rows are in the order asked for")


FAULTS = {
    "lost": (lambda t: t.slice(1), "as many rows out as in|records are those that were made"),
    "doubled": (lambda t: pa.concat_tables([t, t.slice(0, 1)]), "as many rows"),
    "swapped": (
        lambda t: t.set_column(3, "ward", pa.array(t["ward"].to_pylist()[::-1])),
        "records are those that were made",
    ),
    "changed": (
        lambda t: t.set_column(0, "age", pa.array([17, *t["age"].to_pylist()[1:]])),
        "records are those that were made",
    ),
    "noted": (lambda t: t.replace_schema_metadata({"pandas": "{}"}), "no index or metadata"),
    "renamed": (
        lambda t: t.rename_columns(["age", "income", "region", "x"]),
        "every column has a role",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_happens_to_records_in_the_last_file_is_found(
    source, tmp_path, small, monkeypatch, fault
):
    change, match = FAULTS[fault]
    real, calls = scatter.write, []

    def write(table, file, layout):
        calls.append(1)
        real(change(table) if len(calls) == 3 else table, file, layout)

    monkeypatch.setattr(scatter, "write", write)
    refused(source, tmp_path, match)


def test_a_group_that_is_too_small_is_found(source, tmp_path, small, monkeypatch):
    real = blocks.partition_of

    def torn(task):
        labels = real(task)
        labels[-1] = labels.max() + 1
        return labels

    monkeypatch.setattr(blocks, "partition_of", torn)
    refused(source, tmp_path, "joint k of the quasi-identifiers")


def test_one_group_of_all_that_is_too_small_is_found(source, tmp_path, small, monkeypatch):
    real, calls = blocks.partition_of, []

    def torn(task):
        labels = real(task)
        calls.append(1)
        if len(calls) == 4:
            labels[-1] = labels.max() + 1
        return labels

    monkeypatch.setattr(blocks, "partition_of", torn)
    refused(source, tmp_path, "joint k of the quasi-identifiers")


def test_a_cell_that_changed_before_it_was_counted_is_found(source, tmp_path, small, monkeypatch):
    real = blocks.published

    def changed(plan, block, rest=None):
        masked = real(plan, block, rest)
        if not len(masked.table):
            return masked
        wards = ["elsewhere", *masked.table["ward"].to_pylist()[1:]]
        place = masked.table.schema.get_field_index("ward")
        return replace(masked, table=masked.table.set_column(place, "ward", pa.array(wards)))

    monkeypatch.setattr(blocks, "published", changed)
    refused(source, tmp_path, "records are those that were made")


def test_a_column_that_was_left_as_it_was_is_found(source, tmp_path, small, monkeypatch):
    real = blocks.published

    def left(plan, block, rest=None):
        class Left:
            name = "region"

            def publish(self, groups, missing, run):
                return Published(cells=block.table["region"])

        quasi = [Left() if one.name == "region" else one for one in block.quasi]
        return real(plan, replace(block, quasi=quasi), rest)

    monkeypatch.setattr(blocks, "published", left)
    refused(source, tmp_path, "joint k of the quasi-identifiers.*masking happened")
