"""Blocks that came out too large are divided, whatever they hold, and nothing is lost."""

import numpy as np
import pyarrow as pa
import pytest
from builders.datasets import folder_of, mask
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.batch.divide import divided

MOST = 50


def parts_of(x, batches):
    tables = [pa.table(list(part.T), names=list("xy")) for part in np.array_split(x, batches)]
    read = lambda table: np.column_stack([np.asarray(c) for c in table.columns])  # noqa: E731
    found = divided(lambda: iter(tables), read, np.ones(2), len(x), MOST)
    return [read(table) for table in found]


def hard(seed, rows):
    """Numbers with heavy values, many equal records, both signs, both zeros."""
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(size=(rows, 2)), rng.integers(0, 3))
    x[rng.random(rows) < 0.4] = [0.0, -1.0]
    x[rng.random(rows) < 0.2, 0] = -0.0
    return x


@given(st.integers(0, 2**32 - 1), st.integers(1, 400), st.integers(1, 5))
def test_parts_are_small_or_of_equal_records_and_are_the_block_together(seed, rows, batches):
    x = hard(seed, rows)
    parts = parts_of(x, batches)
    for part in parts:
        assert len(part) <= MOST or (part == part[0]).all()
        assert len(part) < 2 * MOST
    together = np.concatenate(parts) + 0.0
    assert np.array_equal(together[np.lexsort(together.T)], x[np.lexsort(x.T)] + 0.0)


@given(st.integers(0, 2**32 - 1))
def test_parts_do_not_depend_on_the_layout(seed):
    x = hard(seed, 300)
    turned = np.random.default_rng(seed).permutation(x)
    told = [
        sorted(sorted(map(tuple, (part + 0.0).tolist())) for part in parts_of(each, batches))
        for each, batches in ((x, 2), (turned, 5))
    ]
    assert told[0] == told[1]


def test_equal_records_are_no_obstacle():
    parts = parts_of(np.tile([3.0, 4.0], (501, 1)), 3)
    assert sum(map(len, parts)) == 501
    assert max(map(len, parts)) < 2 * MOST


@pytest.mark.parametrize("heavy", [0.5, 0.97, 1.0])
def test_a_table_of_mostly_equal_records_is_masked(tmp_path, small, heavy, monkeypatch):
    rng = np.random.default_rng(0)
    rows = 4000
    zero = rng.random(rows) < heavy
    table = pa.table(
        {
            "income": np.where(zero, 0.0, rng.lognormal(10, 1, rows)),
            "age": np.where(zero, 40, rng.integers(18, 90, rows)),
        }
    )
    source = folder_of(tmp_path / "in", table)
    release = mask(source, tmp_path / "out", quasi=["income", "age"], other=())
    assert release.audit["achieved"]["k"] >= 3
    assert release.audit["achieved"]["rows"] == rows
    assert tk.release.verify(tmp_path / "out")["verdict"] == "released"
