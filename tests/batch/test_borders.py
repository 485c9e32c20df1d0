"""The dearest groups of a table, from costs that were counted block by block."""

import math
from collections import Counter

import numpy as np
import pytest

from tokumei.batch import borders


def costs_of(kind, groups=5000, seed=0):
    rng = np.random.default_rng(seed)
    return {
        "different": lambda: rng.lognormal(0, 2, groups),
        "tied": lambda: rng.integers(0, 4, groups).astype(np.float64),
        "nothing": lambda: np.zeros(groups),
        "one": lambda: np.ones(groups),
        "few": lambda: np.where(rng.random(groups) < 0.005, 3.0, 0.0),
    }[kind]()


KINDS = ("different", "tied", "nothing", "one", "few")


@pytest.mark.parametrize("kind", KINDS)
def test_the_dearest_are_those_of_a_sort_but_for_the_last_bin(kind):
    costs = costs_of(kind)
    left = borders.among(costs, borders.dear_of(borders.counted(costs)))
    wanted = min(math.ceil(borders.SHARE * len(costs)), int((costs > 0).sum()))
    assert len(left) == wanted
    assert (np.diff(left) > 0).all()
    least = np.sort(costs)[::-1][wanted - 1] if wanted else np.inf
    assert (costs[left] >= least * (1 - 1 / 256)).all()
    assert set(np.flatnonzero(costs > least * (1 + 1 / 256))) <= set(left.tolist())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_counts_of_blocks_in_any_order_add_up_to_those_of_the_table(kind, seed):
    costs = costs_of(kind)
    rng = np.random.default_rng(seed)
    blocks = np.array_split(costs[rng.permutation(len(costs))], 7)
    found: Counter = Counter()
    for block in rng.permutation(7):
        found.update(borders.counted(blocks[block]))
    assert found == borders.counted(costs)
    assert borders.dear_of(found) == borders.dear_of(borders.counted(costs))
    dear = borders.dear_of(found)
    taken = sum(len(borders.among(block, dear)) for block in blocks)
    wanted = min(math.ceil(borders.SHARE * len(costs)), int((costs > 0).sum()))
    assert wanted <= taken <= wanted + 7  # of the last bin each block rounds up


def test_no_groups_are_dear_where_none_are_to_be(monkeypatch):
    monkeypatch.setattr(borders, "SHARE", 0.0)
    costs = costs_of("different")
    assert not len(borders.among(costs, borders.dear_of(borders.counted(costs))))


@pytest.mark.parametrize("cost", [0.0, 5e-324, 1e-300, 1.0, 1e300, 1.7e308])
def test_a_bin_of_costs_holds_a_256th_of_them_or_less(cost):
    one, near = borders._bins(np.array([cost, cost * (1 + 2**-7)]))
    assert one >= 0
    assert near >= one
    assert near > one or cost < 1e-307
