"""Blocks by values: ties together, whatever the layout; a kernel as its plain truth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei import _check
from tokumei.batch.cuts import tree_of


def plain_blocks(tree, x):
    """Record after record, node after node."""
    found = []
    for record in x.tolist():
        node = 0
        while tree.axis[node] >= 0:
            below = record[tree.axis[node]] <= tree.cut[node]
            node = int(tree.below[node] if below else tree.above[node])
        found.append(int(tree.below[node]))
    return found


def of(x, target, counts=None):
    counts = np.ones(len(x), dtype=np.int64) if counts is None else counts
    scales = np.ones(x.shape[1])
    return tree_of(x, counts, scales, int(counts.sum()), target)


@given(st.integers(0, 2**32 - 1), st.integers(2, 300), st.integers(1, 4), st.integers(1, 40))
def test_blocks_are_those_of_the_plain_walk_and_hold_ties_together(seed, rows, axes, target):
    rng = np.random.default_rng(seed)
    x = np.asfortranarray(rng.integers(0, 12, (rows, axes)).astype(float))
    tree = of(x, target)
    blocks = tree.blocks(x, _check.run(1))
    assert blocks.tolist() == plain_blocks(tree, x)
    of_record = {}
    for record, block in zip(map(tuple, x.tolist()), blocks.tolist(), strict=True):
        assert of_record.setdefault(record, block) == block
    assert np.array_equal(np.bincount(blocks, minlength=len(tree)), tree.rows)


def test_blocks_of_different_records_have_the_size_that_is_asked():
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(10_000, 3)))
    rows = of(x, 500).rows
    assert rows.sum() == 10_000
    assert rows.max() <= 500
    assert rows.min() >= 250


def test_the_longest_axis_is_cut():
    x = np.asfortranarray(np.random.default_rng(0).normal(size=(1000, 2)) * [1.0, 9.0])
    assert set(of(x, 250).axis) == {-1, 1}


def test_of_axes_that_spread_alike_the_first_is_cut_whatever_the_order_of_records():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(900, 3))
    scales = 1 / x.std(axis=0)
    counts = np.ones(len(x), dtype=np.int64)
    for seed in range(30):
        turned = x[np.random.default_rng(seed).permutation(len(x))]
        assert tree_of(turned, counts, scales, len(x), 450).axis[0] == 0


def test_a_value_that_most_have_leaves_the_next_axis_to_be_cut():
    rng = np.random.default_rng(0)
    x = np.asfortranarray(
        np.column_stack([np.where(rng.random(2000) < 0.95, 0.0, 50.0), rng.random(2000)])
    )
    tree = of(x, 200)
    assert tree.rows.max() <= 300
    assert 1 in tree.axis


def test_identical_records_are_one_block():
    tree = of(np.zeros((500, 2), order="F"), 10)
    assert tree.rows.tolist() == [500]


def test_frequencies_count():
    x = np.asfortranarray(np.arange(10.0)[:, None])
    counts = np.array([100, 1, 1, 1, 1, 1, 1, 1, 1, 100])
    assert sorted(of(x, 110, counts).rows.tolist())[-1] <= 108


@pytest.mark.parametrize("spoilt", ["axis", "below", "above"])
def test_a_tree_that_leads_nowhere_is_refused(spoilt):
    tree = of(np.asfortranarray(np.arange(20.0)[:, None]), 5)
    broken = getattr(tree, spoilt).copy()
    broken[0] = len(tree.axis) + 3
    with pytest.raises(ValueError, match="leads nowhere"):
        type(tree)(**{**tree.__dict__, spoilt: broken}).blocks(
            np.zeros((1, 1), order="F"), _check.run(1)
        )
