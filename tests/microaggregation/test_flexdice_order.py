"""FlexDice: blocks, links and path equal to their definitions."""

import itertools

import numpy as np
import oracle
import pytest
from builders.orders import EVERY_KIND, MANY_ATTRIBUTES, blocks, flexdice, known
from hypothesis import given
from hypothesis import strategies as st
from strategies import make, tables

import tokumei as tk
from tokumei import microaggregation as ma


@st.composite
def tables_and_rules(draw):
    X = draw(tables())
    return X, (
        draw(st.integers(1, 8) | st.just(len(X))),
        draw(st.integers(0, 6) | st.just(len(X))),
        draw(st.integers(1, X.shape[1])),
    )


@given(tables_and_rules())
def test_flexdice_blocks_are_those_of_the_definition(case):
    X, rule = case
    found = blocks(X, rule)
    expected, links = oracle.flexdice_graph(X, *rule)
    np.testing.assert_array_equal(found.lower, [block.lower for block in expected])
    np.testing.assert_array_equal(found.upper, [block.upper for block in expected])
    assert [np.flatnonzero(found.block == b).tolist() for b in range(len(expected))] == [
        block.rows for block in expected
    ]
    assert sorted(map(tuple, found.links.tolist())) == links


@given(tables_and_rules())
def test_the_flexdice_path_is_that_of_the_definition(case):
    X, rule = case
    np.testing.assert_array_equal(flexdice(X, rule), oracle.flexdice_order(X, *rule))


@EVERY_KIND
@MANY_ATTRIBUTES
def test_the_flexdice_path_is_that_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 200, d, seed=d)
    for rule in ((10, 0, 1), (20, 3, min(d, 3)), (40, 1, d)):
        np.testing.assert_array_equal(
            flexdice(X, rule), known(oracle.flexdice_order, kind, 200, d, *rule)
        )


@given(tables_and_rules())
def test_every_record_is_in_one_block_inside_its_box_and_no_block_is_empty(case):
    X, rule = case
    found = blocks(X, rule)
    assert (found.sizes >= 1).all()
    assert found.sizes.sum() == len(X)
    assert (found.lower[found.block] <= X).all()
    assert (found.upper[found.block] >= X).all()
    below_the_end = (found.upper[found.block] > X) | (found.upper[found.block] == X.max(axis=0))
    assert below_the_end.all()


@given(tables_and_rules())
def test_boxes_do_not_overlap(case):
    X, rule = case
    found = blocks(X, rule)
    for one, other in itertools.combinations(range(len(found.lower)), 2):
        apart = (found.upper[one] <= found.lower[other]) | (found.upper[other] <= found.lower[one])
        assert apart.any()


@given(tables_and_rules())
def test_links_join_touching_faces_at_most_one_on_each_side_of_each_axis(case):
    X, rule = case
    found = blocks(X, rule)
    for low, high, axis in found.links:
        assert found.upper[low, axis] == found.lower[high, axis]
        others = np.arange(X.shape[1]) != axis
        least = np.maximum(found.lower[low], found.lower[high])[others]
        most = np.minimum(found.upper[low], found.upper[high])[others]
        assert (least <= most).all()
    for end in (0, 1):
        sides = [(link[end], link[2]) for link in found.links.tolist()]
        assert len(sides) == len(set(sides))
    ends = np.bincount(found.links[:, :2].ravel(), minlength=len(found.lower))
    assert (ends <= 2 * X.shape[1]).all()


@given(tables_and_rules())
def test_only_identical_records_stay_together_in_more_than_c1(case):
    X, (c1, c2, axes) = case
    found = blocks(X, (c1, c2, axes))
    for block in np.flatnonzero(found.sizes > c1):
        together = X[found.block == block]
        assert (together == together[0]).all()


@given(tables(), st.integers(1, 8), st.integers(1, 6))
def test_a_light_block_becomes_at_most_c2_blocks(X, c1, c2):
    whole = blocks(X, (c1, 0, 1))
    parts = blocks(X, (c1, c2, 1))
    for block in range(len(whole.lower)):
        assert len(np.unique(parts.block[whole.block == block])) <= c2


def test_one_layer_of_all_axes_halves_each_of_them():
    X = np.array(list(itertools.product([0.0, 1.0, 2.0, 3.0], repeat=2)))
    found = ma.flexdice_blocks(X, c1=4, axes=2)
    np.testing.assert_array_equal(found.sizes, [4, 4, 4, 4])
    np.testing.assert_array_equal(found.lower, [[0, 0], [0, 1.5], [1.5, 0], [1.5, 1.5]])
    np.testing.assert_array_equal(found.links, [[0, 2, 0], [0, 1, 1], [1, 3, 0], [2, 3, 1]])


def test_gaps_in_the_data_do_not_end_the_path():
    # Four corners of a cube in six dimensions, of which no two share an edge: no faces touch.
    corners = np.zeros((4, 6))
    corners[1, :2], corners[2, 2:4], corners[3, 4:] = 10, 10, 10
    X = np.repeat(corners, 6, axis=0) + np.random.default_rng(3).normal(size=(24, 6)) / 100
    rule = (6, 0, 6)
    found = blocks(X, rule)
    assert len(found.lower) == 4
    assert len(found.links) == 0
    path = flexdice(X, rule)
    np.testing.assert_array_equal(path, oracle.flexdice_order(X, *rule))
    np.testing.assert_array_equal(np.sort(path), np.arange(24))


@pytest.mark.parametrize("n_threads", [1, 3])
def test_blocks_do_not_depend_on_threads(n_threads):
    X = make("skewed", 5_000, 4, seed=7)
    one, other = (ma.flexdice_blocks(X, c1=9, n_threads=n) for n in (2, n_threads))
    for field in ("lower", "upper", "block", "links"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))


def test_values_next_to_each_other_among_doubles_are_parted():
    X = np.array([[1.0], [np.nextafter(1, 2)], [np.nextafter(1, 0)], [5e-324], [0.0]])
    np.testing.assert_array_equal(ma.flexdice_blocks(X, c1=1).sizes, [1, 1, 1, 1, 1])
    np.testing.assert_array_equal(flexdice(X, (1, 0, 1)), oracle.flexdice_order(X, 1, 0, 1))


def test_a_drawing_shows_every_block_and_every_link():
    mpl = pytest.importorskip("matplotlib.collections")
    blocks = tk.microaggregation.flexdice_blocks(make("skewed", 500, 3, seed=1), c1=30)
    drawn = blocks.plot(attributes=(0, 2)).axes[0].collections
    boxes = [one for one in drawn if isinstance(one, mpl.PatchCollection)]
    lines = [one for one in drawn if isinstance(one, mpl.LineCollection)]
    assert len(boxes[0].get_paths()) == len(blocks.lower)
    assert len(lines[0].get_paths()) == len(blocks.links)


def test_a_drawing_on_an_attribute_that_is_not_there_is_refused():
    blocks = tk.microaggregation.flexdice_blocks([[0.0, 1.0], [2.0, 3.0]], c1=1)
    with pytest.raises(ValueError, match="attributes"):
        blocks.plot(attributes=(0, 2))
