"""Orders of records: equal to the plain definitions, record by record, whatever the machine."""

import functools
import itertools

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import KINDS, make, tables

import tokumei as tk
from tokumei import microaggregation as ma
from tokumei.microaggregation.orders.grid import _balanced_counts

MANY_ATTRIBUTES = pytest.mark.parametrize("d", [1, 2, 3, 7, 8, 9, 17, 64])
EVERY_KIND = pytest.mark.parametrize("kind", KINDS)

ORDERS = {
    "grid": tk.grid_order,
    "grid of 4": lambda X, **more: tk.grid_order(X, blocks_per_axis=4, **more),
    "flexdice": tk.flexdice_order,
    "flexdice of 30": lambda X, **more: tk.flexdice_order(X, c1=30, **more),
    "flexdice, all axes": lambda X, **more: tk.flexdice_order(
        X, c1=100, c2=9, axes=X.shape[1], **more
    ),
    "hilbert": ma.hilbert_order,
    "principal": ma.principal_order,
}
EVERY_ORDER = pytest.mark.parametrize("order", list(ORDERS.values()), ids=list(ORDERS))


@functools.cache
def known(definition, kind, n, d, *arguments):
    """The plain answer, computed once for all instruction sets."""
    return definition(make(kind, n, d, seed=d), *arguments)


@st.composite
def tables_and_counts(draw):
    X = draw(tables())
    counts = st.integers(1, 6) | st.sampled_from([100, 2**30])
    return X, draw(st.lists(counts, min_size=X.shape[1], max_size=X.shape[1]))


@st.composite
def tables_and_rules(draw):
    X = draw(tables())
    return X, (
        draw(st.integers(1, 8) | st.just(len(X))),
        draw(st.integers(0, 6) | st.just(len(X))),
        draw(st.integers(1, X.shape[1])),
    )


def flexdice(X, rule, **more):
    c1, c2, axes = rule
    return tk.flexdice_order(X, c1=c1, c2=c2, axes=axes, **more)


def blocks(X, rule, **more):
    c1, c2, axes = rule
    return ma.flexdice_blocks(X, c1=c1, c2=c2, axes=axes, **more)


@given(tables_and_counts())
def test_the_grid_path_is_that_of_the_definition(case):
    X, counts = case
    np.testing.assert_array_equal(
        tk.grid_order(X, blocks_per_axis=counts), oracle.grid_order(X, counts)
    )


@EVERY_KIND
@MANY_ATTRIBUTES
def test_the_grid_path_is_that_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 200, d, seed=d)
    for counts in ((2,) * d, (1,) * (d - 1) + (7,)):
        np.testing.assert_array_equal(
            tk.grid_order(X, blocks_per_axis=counts), known(oracle.grid_order, kind, 200, d, counts)
        )


@EVERY_KIND
def test_a_grid_of_one_block_gives_the_plain_path(kind):
    X = make(kind, 900, 3, seed=2)
    np.testing.assert_array_equal(tk.grid_order(X, blocks_per_axis=1), oracle.nearest_point_next(X))


@EVERY_KIND
def test_blocks_that_are_chosen_are_as_many_as_records_in_the_block_of_one(kind):
    X = make(kind, 3_000, 3, seed=4)
    counts = _balanced_counts(X)
    np.testing.assert_array_equal(tk.grid_order(X), tk.grid_order(X, blocks_per_axis=counts))
    if kind in ("normal", "offset"):
        cells = [oracle.cells_of(X[:, j], counts[j]) for j in range(3)]
        sizes = np.unique(np.transpose(cells), axis=0, return_counts=True)[1]
        others = (sizes * (sizes - 1)).sum() / len(X)
        assert others / 2 < len(sizes) < 4 * others


def test_axes_of_little_spread_stay_whole_and_equal_ones_are_cut_from_the_lowest():
    X = np.random.default_rng(1).uniform(size=(2_000, 40))
    X[:2], X[:, 5:] = [[0.0] * 40, [1.0] * 40], X[:, 5:] / 100
    X[:2, 5:] = [[0.0] * 35, [0.01] * 35]
    counts = _balanced_counts(X)
    assert (counts[5:] == 1).all()
    assert counts[0] > 1
    assert (np.diff(counts) <= 0).all()


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


@given(tables(), st.sampled_from([1, 2, 3, 5, 16, 31]))
def test_the_hilbert_order_is_that_of_the_definition(X, bits):
    np.testing.assert_array_equal(ma.hilbert_order(X, bits=bits), oracle.hilbert_order(X, bits))


@EVERY_KIND
@MANY_ATTRIBUTES
def test_the_hilbert_order_is_that_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 300, d, seed=d)
    for bits in (1, 6, 31):
        np.testing.assert_array_equal(
            ma.hilbert_order(X, bits=bits), known(oracle.hilbert_order, kind, 300, d, bits)
        )


@pytest.mark.parametrize(
    ("d", "bits"), [(1, 7), (2, 1), (2, 4), (3, 1), (3, 3), (4, 2), (5, 2), (6, 1), (10, 1)]
)
def test_the_hilbert_curve_goes_from_each_cell_to_one_next_to_it(d, bits):
    cells = np.array(list(itertools.product(range(2**bits), repeat=d)))
    shuffled = np.random.default_rng(d).permutation(cells)
    curve = shuffled[ma.hilbert_order(shuffled, bits=bits)]
    assert (np.abs(np.diff(curve, axis=0)).sum(axis=1) == 1).all()
    # A coarser curve is the same one seen from farther away.
    coarse = curve[:: 2**d] // 2 if bits > 1 else curve
    assert (np.abs(np.diff(coarse, axis=0)).sum(axis=1) == 1).all()


def test_the_hilbert_curve_of_the_plane_is_the_classical_one():
    def classical(bits):
        if bits == 0:
            return [(0, 0)]
        inner, half = classical(bits - 1), 2 ** (bits - 1)
        return [
            *((y, x) for x, y in inner),
            *((x, y + half) for x, y in inner),
            *((x + half, y + half) for x, y in inner),
            *((2 * half - 1 - y, half - 1 - x) for x, y in inner),
        ]

    curve = classical(5)
    shuffled = np.random.default_rng(5).permutation(curve)
    np.testing.assert_array_equal(shuffled[ma.hilbert_order(shuffled, bits=5)], curve)


@given(tables(), st.data())
def test_the_column_order_is_that_of_the_definition(X, data):
    column = data.draw(st.integers(0, X.shape[1] - 1))
    np.testing.assert_array_equal(ma.column_order(X, column), oracle.column_order(X, column))


def test_the_column_order_is_stable_for_long_columns_and_both_zeros():
    values = np.random.default_rng(8).integers(-40, 40, size=20_000) / 7
    values[::3] *= -0.0
    np.testing.assert_array_equal(
        ma.column_order(values[:, None]), np.argsort(values, kind="stable")
    )


@given(tables())
def test_the_principal_order_is_that_of_the_definition(X):
    np.testing.assert_array_equal(ma.principal_order(X), oracle.principal_order(X))


@EVERY_KIND
@pytest.mark.parametrize("d", [1, 2, 5, 8, 9, 20])
def test_the_principal_order_is_that_of_the_definition_in_many_dimensions(kind, d, instructions):
    X = make(kind, 700, d, seed=d)
    np.testing.assert_array_equal(
        ma.principal_order(X), known(oracle.principal_order, kind, 700, d)
    )


@pytest.mark.parametrize("scale", [1e-310, 1e-160, 1.0, 1e137])
def test_the_principal_order_follows_the_longest_direction(scale):
    rng = np.random.default_rng(6)
    X = rng.normal(size=(500, 6)) * [1, 2, 30, 1, 3, 1] @ np.linalg.qr(rng.normal(size=(6, 6)))[0]
    axis = np.linalg.eigh(np.cov(X.T))[1][:, -1]
    projections = (X - X.mean(axis=0)) @ axis * np.sign(axis[np.abs(axis).argmax()])
    found = projections[ma.principal_order(X * scale)]
    assert (np.diff(found) > -1e-9).all()


@EVERY_ORDER
@given(X=tables())
@settings(max_examples=40)
def test_every_record_is_visited_once(order, X):
    np.testing.assert_array_equal(np.sort(order(X)), np.arange(len(X)))


@EVERY_ORDER
@EVERY_KIND
def test_orders_do_not_depend_on_threads_or_instructions(order, kind, instructions):
    # Several blocks of every loop that threads share.
    X = make(kind, 9_000, 5, seed=7)
    for n_threads in (1, 2, 3, 8):
        np.testing.assert_array_equal(order(X, n_threads=n_threads), reference(order, X, kind))


def reference(order, X, kind, _known={}):  # noqa: B006 - the first answer, computed once
    return _known.setdefault((order, kind), order(X, n_threads=1))


@pytest.mark.parametrize("n_threads", [1, 3])
def test_blocks_do_not_depend_on_threads(n_threads):
    X = make("skewed", 5_000, 4, seed=7)
    one, other = (ma.flexdice_blocks(X, c1=9, n_threads=n) for n in (2, n_threads))
    for field in ("lower", "upper", "block", "links"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))


@EVERY_ORDER
def test_equal_rows_are_visited_in_their_order(order):
    np.testing.assert_array_equal(order(np.full((300_000, 3), 2.5)), np.arange(300_000))


@pytest.mark.parametrize("name", ["grid", "grid of 4", "flexdice", "flexdice of 30"])
def test_copies_of_a_record_are_visited_together_the_lowest_row_first(name):
    rng = np.random.default_rng(9)
    points = rng.normal(size=(50, 4))
    which = rng.integers(0, 50, size=20_000)
    path = ORDERS[name](points[which])
    visits = np.flatnonzero(np.diff(which[path], prepend=-1))
    assert len(visits) == 50
    for run in np.split(path, visits[1:]):
        assert (np.diff(run) > 0).all()


@pytest.mark.parametrize("name", ["grid", "flexdice"])
def test_one_record_far_out_does_no_harm(name):
    X = make("normal", 4_000, 3, seed=1).copy()
    X[17] = 1e139
    path = ORDERS[name](X)
    assert path[0] == 17
    np.testing.assert_array_equal(np.sort(path), np.arange(4_000))


def test_values_next_to_each_other_among_doubles_are_parted():
    X = np.array([[1.0], [np.nextafter(1, 2)], [np.nextafter(1, 0)], [5e-324], [0.0]])
    np.testing.assert_array_equal(ma.flexdice_blocks(X, c1=1).sizes, [1, 1, 1, 1, 1])
    np.testing.assert_array_equal(flexdice(X, (1, 0, 1)), oracle.flexdice_order(X, 1, 0, 1))


@pytest.mark.parametrize(
    ("order", "n", "d"),
    [
        (tk.grid_order, 200_000, 8),
        (tk.flexdice_order, 300_000, 8),
        (ma.principal_order, 3_000, 250),
    ],
)
def test_a_callback_is_told_how_far_the_work_is_and_may_stop_it(order, n, d):
    X = make("normal", n, d, seed=1)
    told = []
    order(X, callback=told.append)
    assert told
    assert told == sorted(told)
    assert all(0 <= done <= 1 for done in told)

    class Enough(Exception):
        pass

    def stop(done):
        raise Enough

    with pytest.raises(Enough):
        order(X, callback=stop)


@EVERY_ORDER
def test_one_record_is_an_order_of_its_own(order):
    np.testing.assert_array_equal(order(np.array([[3.0, 4.0]])), [0])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda X: tk.grid_order(X, blocks_per_axis=0), ValueError, "1 other numbers"),
        (lambda X: tk.grid_order(X, blocks_per_axis=[2, 0]), ValueError, "1 other numbers"),
        (lambda X: tk.grid_order(X, blocks_per_axis=[2]), ValueError, "each of the 2 columns"),
        (lambda X: tk.grid_order(X, blocks_per_axis=2.0), TypeError, "float64"),
        (lambda X: tk.grid_order(X, blocks_per_axis=2**31), ValueError, "1 and 1073741824"),
        (lambda X: tk.flexdice_order(X, c1=0), ValueError, "c1 must be at least 1, got 0"),
        (lambda X: tk.flexdice_order(X, c2=-1), ValueError, "c2 must be at least 0, got -1"),
        (lambda X: tk.flexdice_order(X, c1=2.5), TypeError, "c1 must be a whole number"),
        (lambda X: tk.flexdice_order(X, axes=3), ValueError, "axes must be between 1 and 2, got 3"),
        (lambda X: ma.flexdice_blocks(X, axes=0), ValueError, "axes must be between 1 and 2"),
        (lambda X: ma.hilbert_order(X, bits=32), ValueError, "bits must be between 1 and 31"),
        (lambda X: ma.column_order(X, 2), ValueError, "column must be between 0 and 1, got 2"),
        (lambda X: ma.column_order(X, -1), ValueError, "column must be between 0 and 1, got -1"),
        (lambda X: tk.flexdice_order(X * np.nan), ValueError, "2 missing values"),
        (lambda X: ma.principal_order(X, n_threads=0), ValueError, "n_threads"),
    ],
)
def test_bad_arguments_are_refused(call, error, words):
    with pytest.raises(error, match=words):
        call(np.array([[1.0, 2.0], [3.0, 4.0]]))


@EVERY_ORDER
def test_the_callers_data_are_never_written_to(order):
    X = np.asfortranarray(make("normal", 500, 3, seed=1))
    before = X.copy()
    order(X)
    np.testing.assert_array_equal(X, before)


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
