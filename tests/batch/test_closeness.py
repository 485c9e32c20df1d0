"""t-closeness and entropy: groups are searched in blocks, classes counted over all files."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders.datasets import ACCEPTED, folder_of

import tokumei as tk
from tokumei.batch import blocks
from tokumei.batch.plan import Plan

ASKED = {"k": 4, "quasi": ["x", "y"], "sensitive": ["ill"], "accept_risk": ACCEPTED}


def table_of(rows, seed=0, tied=0.0):
    """Neighbours share illnesses where `tied` is above 0."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=rows)
    ill = rng.integers(0, 5, rows)
    near = rng.random(rows) < tied
    ill[near] = np.clip(np.floor(x[near] + 2.5), 0, 4)
    return pa.table({"x": x, "y": rng.normal(size=rows), "ill": ill})


def released(folder):
    return pa.concat_tables([pq.read_table(each) for each in sorted(folder.iterdir())])


def farthest(table):
    """The oracle: the largest total variation of a class from the table, in plain Python."""
    classes: dict = {}
    rows = list(zip(*(table[name].to_pylist() for name in ("x", "y", "ill")), strict=True))
    for x, y, ill in rows:
        classes.setdefault((x, y), []).append(ill)
    whole = {v: sum(r[2] == v for r in rows) / len(rows) for v in {r[2] for r in rows}}
    return max(
        sum(abs(own.count(v) / len(own) - share) for v, share in whole.items()) / 2
        for own in classes.values()
    )


@pytest.mark.parametrize("tied", [0.0, 0.15])
@pytest.mark.parametrize("t", [0.3, 0.45])
def test_no_class_of_the_release_is_further_than_t_from_the_table(tmp_path, small, t, tied):
    source = folder_of(tmp_path / "in", table_of(3000, tied=tied))
    release = tk.release.mask_dataset(source, tmp_path / "out", t_closeness=t, **ASKED)
    found = farthest(released(tmp_path / "out"))
    assert found <= t + 1e-12
    (check,) = [c for c in release.audit["checks"] if c["check"] == "t-closeness of ill"]
    assert f"has {found:.4g}," in check["detail"]
    assert release.audit["achieved"]["blocks"] > 4


def test_blocks_that_lie_too_far_are_refused_and_not_released(tmp_path, small):
    source = folder_of(tmp_path / "in", table_of(3000, tied=1.0))
    with pytest.raises(tk.release.InputError, match="too far from the table for t"):
        tk.release.mask_dataset(source, tmp_path / "out", t_closeness=0.2, **ASKED)
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


def test_groups_that_heed_only_their_block_are_found(tmp_path, small, monkeypatch):
    monkeypatch.setattr(blocks, "_sensitive", lambda plan, table: None)
    monkeypatch.setattr(Plan, "shows", lambda self, table: True)
    source = folder_of(tmp_path / "in", table_of(3000, tied=0.5))
    with pytest.raises(tk.release.Refused, match="t-closeness of ill: the worst class"):
        tk.release.mask_dataset(source, tmp_path / "out", t_closeness=0.3, **ASKED)
    assert not (tmp_path / "out").exists()


def test_entropy_is_counted_over_all_files(tmp_path, small):
    source = folder_of(tmp_path / "in", table_of(3000))
    how = ASKED | {"k": 20}
    release = tk.release.mask_dataset(
        source, tmp_path / "out", l_diversity=2, l_kind="entropy", **how
    )
    (check,) = [c for c in release.audit["checks"] if c["check"].startswith("entropy")]
    assert check["verdict"] == "passed"
    with pytest.raises(tk.release.Refused, match="the worst class of the release has"):
        tk.release.mask_dataset(source, tmp_path / "no", l_diversity=5, l_kind="entropy", **how)


def test_records_do_not_depend_on_files_or_workers(tmp_path, small, same_key):
    table = table_of(2000, tied=0.2)
    kept = []
    for name, how, threads in (
        ("a", {}, 1),
        ("b", {"files": 6, "order": np.random.default_rng(1).permutation(2000)}, 3),
    ):
        source = folder_of(tmp_path / f"{name}-in", table, **how)
        tk.release.mask_dataset(
            source, tmp_path / name, t_closeness=0.4, n_threads=threads, **ASKED
        )
        columns = (np.asarray(released(tmp_path / name)[c]).round(9) for c in ("x", "y", "ill"))
        kept.append(sorted(zip(*(c.tolist() for c in columns), strict=True)))
    assert kept[0] == kept[1]
