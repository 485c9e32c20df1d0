"""Survey weights of a data set: means are weighted, and weights are released as they are."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import ACCEPTED, folder_of

import tokumei as tk
from tokumei.batch import blocks, borders

ASKED = {"k": 3, "quasi": ["x", "y"], "weight": "w", "round": "none", "accept_risk": ACCEPTED}


def people(rows, seed=0):
    rng = np.random.default_rng(seed)
    weights = rng.integers(1, 50, rows).astype(np.float64)
    return pa.table({"x": rng.normal(size=rows), "y": rng.exponential(size=rows), "w": weights})


def released(folder):
    return pa.concat_tables([pq.read_table(each) for each in sorted(folder.iterdir())])


def masked(folder, table, name="out", files=3, **more):
    source = folder_of(folder / f"{name}-in", table, files=files)
    tk.release.mask_dataset(source, folder / name, **(ASKED | {"method": "flexdice"} | more))
    return released(folder / name)


def kept(table):
    columns = (np.asarray(table[name]).round(9).tolist() for name in ("x", "y", "w"))
    return sorted(zip(*columns, strict=True))


def test_weighted_totals_are_those_of_the_table(tmp_path, small):
    table = people(3000)
    found = masked(tmp_path, table)
    for name in ("x", "y"):
        was, becomes = (np.asarray(t[name]) @ np.asarray(t["w"]) for t in (table, found))
        assert np.isclose(was, becomes, rtol=1e-12, atol=1e-8)
    assert sorted(found["w"].to_pylist()) == sorted(table["w"].to_pylist())
    assert abs(np.asarray(found["x"]).mean() - np.asarray(table["x"]).mean()) > 1e-6


def test_one_block_gives_the_release_of_a_table_in_memory(tmp_path, unattacked, monkeypatch):
    monkeypatch.setattr(borders, "SHARE", 0.0)  # in memory no group is formed again
    table = people(300, seed=2)
    whole = tk.release.mask(table, **ASKED, method="mdav").table
    assert kept(whole) == kept(masked(tmp_path, table, method="mdav"))


def test_a_search_weighs_its_records(tmp_path, small, monkeypatch):
    real, given = blocks.task, []

    def seen(found, k, **options):
        given.append(options.get("record_weights"))
        return real(found, k, **options)

    monkeypatch.setattr(blocks, "task", seen)
    table = people(900)
    masked(tmp_path, table, method="auto", effort="fast")
    searched = np.concatenate([weights for weights in given if weights is not None])
    assert sorted(searched) == sorted(table["w"].to_pylist())


def test_records_do_not_depend_on_the_layout(tmp_path, small, same_key):
    table = people(1500)
    order = np.random.default_rng(2).permutation(1500)
    one, other = masked(tmp_path, table), masked(tmp_path, table.take(pa.array(order)), "turned")
    assert kept(one) == kept(other)


@pytest.mark.parametrize(
    ("weight", "match"),
    [(-1.0, r"f2.parquet.*'w', the weight, has 1 negative value"), (None, r"f2.parquet.*'w'")],
)
def test_a_weight_that_is_none_is_told_with_its_piece(tmp_path, small, weight, match):
    table = people(600)
    weights = pa.array([*table["w"].to_pylist()[:-1], weight])
    with pytest.raises(tk.release.InputError, match=match):
        masked(tmp_path, table.set_column(2, "w", weights))
    assert [p.name for p in tmp_path.iterdir()] == ["out-in"]


def test_a_group_without_weight_is_told(tmp_path, small):
    table = people(900).set_column(2, "w", pa.array(np.zeros(900)))
    with pytest.raises(tk.release.InputError, match=r"record_weights .* all .*zero"):
        masked(tmp_path, table)


def test_weights_that_were_swapped_are_found(tmp_path, small, monkeypatch):
    real = blocks.published

    def swapped(plan, block, rest=None):
        cells = block.table["w"].to_pylist()
        place = block.table.schema.get_field_index("w")
        turned = block.table.set_column(place, "w", pa.array([cells[0] + 1, *cells[1:]]))
        return real(plan, replace(block, table=turned), rest)

    monkeypatch.setattr(blocks, "published", swapped)
    with pytest.raises(tk.release.Refused, match="records are those that were made"):
        masked(tmp_path, people(900))


@pytest.mark.parametrize("more", [{}, {"round": "grid"}, {"missing": "impute"}])
def test_the_gate_counts_weighted_means_again(tmp_path, small, more):
    table = people(2000)
    if "missing" in more:
        holes = [None if n % 9 == 0 else v for n, v in enumerate(table["x"].to_pylist())]
        table = table.set_column(0, "x", pa.array(holes))
    if "round" in more:
        table = table.set_column(0, "x", pa.array(np.asarray(table["x"]).round(1)))
    masked(tmp_path, table, **more)
    audit = tk.release.verify(tmp_path / "out")
    (check,) = [c for c in audit["checks"] if c["check"] == "means are weighted"]
    assert check["verdict"] == "passed"


def test_means_without_weights_are_found(tmp_path, small, monkeypatch):
    def planted(plan, block, left=None):
        plain = replace(plan.asked, columns=replace(plan.asked.columns, weight=None))
        right, wrong = (real(replace(plan, asked=a), block, left) for a in (plan.asked, plain))
        return replace(wrong, was=right.was)

    real = blocks.published
    monkeypatch.setattr(blocks, "published", planted)
    with pytest.raises(tk.release.Refused, match="groups with another mean"):
        masked(tmp_path, people(2000))
