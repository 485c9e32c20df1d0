"""Columns of any kind as coordinates: their distances are the distances between the values."""

import numpy as np
import pytest

from tokumei import _check
from tokumei.microaggregation import embed

RUN = _check.run(1)


def squared(coordinates):
    difference = coordinates[:, None, :] - coordinates[None, :, :]
    return (difference**2).sum(axis=2)


@pytest.mark.parametrize("categories", [2, 3, 7])
def test_different_nominal_categories_are_equally_far(categories):
    codes = np.array([*range(categories), 0, 0])
    far = squared(embed.nominal(codes, "refuse", RUN))
    different = codes[:, None] != codes[None, :]
    np.testing.assert_allclose(far[different], far[different][0], rtol=1e-12)
    assert (far[~different] == 0).all()


def test_squared_distances_in_a_tree_are_lengths_of_paths():
    # A root with two inner nodes, each with two leaves; edges are numbered by their lower node.
    above = [np.array(way, dtype=int) for way in ([0, 4], [1, 4], [2, 5], [3, 5], [4], [5], [])]
    codes = np.arange(7)
    far = squared(embed.tree(codes, above, "refuse"))
    edges = {(0, 1): 2, (0, 2): 4, (0, 4): 1, (0, 5): 3, (0, 6): 2, (4, 5): 2, (4, 6): 1}
    unit = far[4, 6]
    for (a, b), length in edges.items():
        assert far[a, b] == pytest.approx(length * unit)


@pytest.mark.parametrize("missing", ["impute", "category"])
def test_every_attribute_brings_total_variance_one(missing):
    rng = np.random.default_rng(1)
    values = rng.normal(size=50)
    values[:5] = np.nan
    codes = rng.integers(-1, 4, size=50)
    blocks = [
        embed.numbers(values, missing, RUN),
        embed.nominal(codes, missing, RUN),
        embed.tree(codes, [np.array([v]) for v in range(4)], missing),
    ]
    for block in blocks:
        assert block.var(axis=0).sum() == pytest.approx(1.0)


def test_missing_values_attract_one_another_only_as_a_category():
    values = np.array([np.nan, np.nan, -3.0, 0.0, 3.0])
    apart = squared(embed.numbers(values, "category", RUN))
    assert apart[0, 1] == 0
    assert apart[0, 3] > 0
    assert squared(embed.numbers(values, "impute", RUN))[0, 3] == 0
    codes = np.array([-1, -1, 0, 1, 2])
    assert squared(embed.nominal(codes, "category", RUN))[0, 2] == pytest.approx(
        squared(embed.nominal(codes, "category", RUN))[2, 3]
    )


def test_constant_and_empty_attributes_bring_nothing_and_the_table_keeps_a_column():
    assert embed.nominal(np.zeros(4, dtype=np.int64), "refuse", RUN).shape == (4, 0)
    assert embed.numbers(np.full(4, np.nan), "impute", RUN).shape == (4, 0)
    joined = embed.join([np.zeros((4, 0)), np.zeros((4, 0))], None)
    assert joined.shape == (4, 1)
    assert (joined == 0).all()


def test_too_many_categories_are_refused_with_advice():
    with pytest.raises(ValueError, match="600 categories, more than 512; recode it first"):
        embed.nominal(np.arange(600), "refuse", RUN)
