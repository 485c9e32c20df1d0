"""Every group of a data set shows as many different sensitive values as were asked for."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import ACCEPTED, folder_of

import tokumei as tk
from tokumei.batch import blocks, borders, gate, plan
from tokumei.batch.asked import SIZES

ASKED = {"k": 3, "quasi": ["x", "y"], "sensitive": ["ill"], "l_diversity": 2, "effort": "fast"}
ASKED |= {"round": "none", "accept_risk": ACCEPTED}


def people(rows, seed=0):
    """Illness goes with x, so that neighbours have the same one."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=rows)
    ill = np.array(["flu", "cold", "gout"])[np.digitize(x + rng.normal(size=rows), [-1, 1.5])]
    return pa.table({"x": x, "y": rng.normal(size=rows), "ill": ill})


def released(folder):
    return pa.concat_tables([pq.read_table(each) for each in sorted(folder.iterdir())])


def masked(folder, table, name="out", files=3, **more):
    source = folder_of(folder / f"{name}-in", table, files=files)
    return tk.release.mask_dataset(source, folder / name, **(ASKED | more))


def least_shown(table):
    found = table.group_by(["x", "y"]).aggregate([("ill", "count_distinct"), ([], "count_all")])
    return min(found["ill_count_distinct"].to_pylist()), min(found["count_all"].to_pylist())


@pytest.mark.parametrize("least", [2, 3])
def test_every_class_shows_so_many_values(tmp_path, small, least):
    table = people(2500)
    release = masked(tmp_path, table, l_diversity=least)
    found = released(tmp_path / "out")
    shown, size = least_shown(found)
    assert shown >= least
    assert size >= 3
    assert sorted(found["ill"].to_pylist()) == sorted(table["ill"].to_pylist())
    (told,) = (
        c for c in release.audit["checks"] if c["check"] == "sensitive values in every class"
    )
    assert told["verdict"] == "passed"
    assert release.audit["achieved"]["l-diversity of ill"] == shown
    masked(tmp_path, table, "without", l_diversity=None)
    assert least_shown(released(tmp_path / "without"))[0] == 1


def test_one_block_gives_the_release_of_a_table_in_memory(tmp_path, unattacked, monkeypatch):
    monkeypatch.setattr(borders, "SHARE", 0.0)  # in memory no group is formed again
    # Rows in the order that a block puts them in: where a search has choices, it is the same one.
    monkeypatch.setattr(
        blocks.hashes,
        "of_records",
        lambda table, key: np.arange(len(table), dtype=np.uint64) * ("x" in table.column_names),
    )
    table = people(300, seed=2)
    masked(tmp_path, table, files=1)
    found = []
    for one in (tk.release.mask(table, **ASKED).table, released(tmp_path / "out")):
        x, y = (np.asarray(one[name]).round(9).tolist() for name in "xy")
        found.append(sorted(zip(x, y, one["ill"].to_pylist(), strict=True)))
    assert found[0] == found[1]


def test_blocks_of_one_value_go_with_the_next(tmp_path, small, monkeypatch):
    monkeypatch.setattr(plan, "LEAST_TASKS", 2)  # several blocks in each
    rng = np.random.default_rng(4)
    x = np.sort(rng.normal(size=2000))
    ill = np.where(np.arange(2000) // 250 % 2, "flu", "cold")
    table = pa.table({"x": x, "y": np.zeros(2000), "ill": ill})
    masked(tmp_path, table)
    shown, _ = least_shown(released(tmp_path / "out"))
    assert shown == 2


def test_a_task_of_one_value_is_refused(tmp_path, small):
    x = np.sort(np.random.default_rng(4).normal(size=2000))
    ill = np.where(np.arange(2000) < 1600, "flu", "cold")
    table = pa.table({"x": x, "y": np.zeros(2000), "ill": ill})
    with pytest.raises(tk.release.InputError, match="blocks of neighbours, some of which"):
        masked(tmp_path, table)


def test_a_class_of_one_value_is_found(tmp_path, small, monkeypatch):
    monkeypatch.setattr(blocks, "_sensitive", lambda plan, table: None)
    with pytest.raises(tk.release.Refused, match="sensitive values in every class"):
        masked(tmp_path, people(2500))


def test_one_class_of_all_blocks_is_found(tmp_path, small, monkeypatch):
    real, calls = gate.of_block, []

    def counted(asked, block, *keys):
        calls.append(1)
        if len(calls) == 3:
            same = pa.array(["flu"] * len(block.table))
            place = block.table.schema.get_field_index("ill")
            alike = replace(block, table=block.table.set_column(place, "ill", same))
            return replace(real(asked, block, *keys), diverse=real(asked, alike, *keys).diverse)
        return real(asked, block, *keys)

    monkeypatch.setattr(gate, "of_block", counted)
    with pytest.raises(tk.release.Refused, match="sensitive values in every class"):
        masked(tmp_path, people(2500))
    assert len(calls) > 3


@pytest.mark.parametrize(
    ("more", "match"),
    [({"l_diversity": 4}, "different values"), ({"method": "flexdice"}, "method='auto'")],
)
def test_what_cannot_be_shown_is_told(tmp_path, small, more, match):
    with pytest.raises(tk.release.InputError, match=match):
        masked(tmp_path, people(600), **more)


def test_a_missing_value_is_told_with_its_piece(tmp_path, small):
    table = people(600)
    ill = pa.array([*table["ill"].to_pylist()[:-1], None])
    with pytest.raises(tk.release.InputError, match=r"f2.parquet.*'ill' has 1 missing value"):
        masked(tmp_path, table.set_column(2, "ill", ill))


def test_a_large_table_is_searched_quickly(monkeypatch):
    monkeypatch.setattr(plan, "MOST_SEARCHED", 100)
    from tokumei.batch.asking import asked_of
    from tokumei.release.job import gather
    from tokumei.release.mask.step import Microaggregate

    asked = {"k": 3, "quasi": ["x", "y"], "sensitive": ["ill"]}
    job = gather(Microaggregate, asked | {"l_diversity": 2}, source="in", target="out")
    found = plan._with_method(asked_of(job, ["x", "y", "ill"], SIZES), 1000)
    assert (found.step.method, found.step.effort) == ("auto", "fast")
    job = gather(Microaggregate, asked, source="in", target="out")
    found = plan._with_method(asked_of(job, ["x", "y", "ill"], SIZES), 1000)
    assert found.step.method == "flexdice"
