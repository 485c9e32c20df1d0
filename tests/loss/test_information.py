"""Information amount and loss by distance: published numbers, and the definitions."""

import itertools
import math
import re

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk
from tokumei.distances import (
    DamerauLevenshtein,
    Discrete,
    Euclidean,
    Graph,
    Hamming,
    Levenshtein,
    Minkowski,
    Ordinal,
    Product,
    Tree,
)

LEAVES = ["a11", "a12", "a21", "a22"]
SMALL_TREE = Tree({"a11": "a1", "a12": "a1", "a21": "a2", "a22": "a2", "a1": "a", "a2": "a"})
REGIONS = {
    "Nagano": "Koshinetsu", "Niigata": "Koshinetsu", "Tokyo": "Kanto", "Kanagawa": "Kanto",
    "Osaka": "Kansai", "Nara": "Kansai", "Fukuoka": "Kyushu", "Kumamoto": "Kyushu",
}  # fmt: skip
HALVES = {"Koshinetsu": "east", "Kanto": "east", "Kansai": "west", "Kyushu": "west"}
COUNTRY = Tree({**REGIONS, **HALVES, "east": "Japan", "west": "Japan"})
ROADS = {frozenset(("Kanto", "Kansai")): 4, frozenset(("Koshinetsu", "Kyushu")): 4,
         frozenset(("Kanto", "Kyushu")): 6}  # fmt: skip


def road(a, b):
    """The weight between two prefectures, or two regions."""
    a, b = REGIONS.get(a, a), REGIONS.get(b, b)
    return 1 if a == b else ROADS.get(frozenset((a, b)), 2)


PREFECTURES = list(REGIONS)
PREFECTURE_ROADS = Graph({(a, b): road(a, b) for a, b in itertools.combinations(PREFECTURES, 2)})
REGION_ROADS = Graph({(a, b): road(a, b) for a, b in itertools.combinations(HALVES, 2)})
ALL_ROADS = Graph(
    {(a, b): road(a, b) for a, b in itertools.combinations([*PREFECTURES, *HALVES], 2)}
)
RELEASED = [REGIONS[prefecture] for prefecture in PREFECTURES]


@pytest.mark.parametrize("method", ["auto", "pairs"])
@pytest.mark.parametrize(
    ("original", "masked", "distance", "power", "before", "after", "loss"),
    [
        ([1, 2, 3, 4], [1.5, 1.5, 3.5, 3.5], Euclidean(), 2, 40, 32, 0.2),
        (LEAVES, ["a1", "a1", "a2", "a2"], SMALL_TREE, 2, 144, 32, 7 / 9),
        (LEAVES, ["a"] * 4, SMALL_TREE, 2, 144, 0, 1),
        (PREFECTURES, RELEASED, Discrete(), 2, 56, 48, 1 / 7),
        (PREFECTURES, RELEASED, COUNTRY, 2, 1440, 576, 0.6),
        (PREFECTURES, RELEASED, ALL_ROADS, 2, 648, 640, 1 / 81),
        (PREFECTURES, RELEASED, COUNTRY, 1, 272, 160, 0.41176),
        (PREFECTURES, RELEASED, ALL_ROADS, 1, 168, 160, 0.04762),
    ],
)
def test_the_published_numbers(method, original, masked, distance, power, before, after, loss):
    ask = {"power": power, "method": method}
    assert tk.loss.information(original, distance, **ask) == before
    assert tk.loss.information(masked, distance, **ask) == after
    assert math.isclose(tk.loss.ild(original, masked, distance, **ask), loss, rel_tol=5e-5)
    assert tk.loss.ild(original, masked, distance, **ask) == (before - after) / before


def test_a_graph_of_the_regions_alone_gives_the_same():
    assert tk.loss.information(PREFECTURES, PREFECTURE_ROADS) == 648
    assert tk.loss.information(RELEASED, REGION_ROADS) == 640


@pytest.mark.parametrize("method", ["auto", "pairs"])
@pytest.mark.parametrize("weights", ["information", [1 / 40, 1 / 42]])
def test_the_published_product(weights, method):
    category = Graph({("a", "b"): 1, ("b", "c"): 1, ("a", "c"): 3})
    distance = Product(Euclidean(), category, weights=weights)
    original = [(1, "a"), (2, "a"), (3, "b"), (4, "c")]
    masked = [(1.5, "a"), (1.5, "a"), (3.5, "b"), (3.5, "b")]
    assert tk.loss.information([c for _, c in original], category) == 42
    before = tk.loss.information(original, distance, method=method)
    assert math.isclose(before, 2, rel_tol=1e-15)
    loss = tk.loss.ild(original, masked, distance, method=method)
    assert math.isclose(loss, 53 / 105, rel_tol=1e-15)
    if weights != "information":
        after = tk.loss.information(masked, distance, method=method)
        assert math.isclose(after, 104 / 105, rel_tol=1e-15)


@pytest.mark.parametrize(("n", "k"), [(2, 3), (5, 4), (10, 2)])
def test_the_discrete_loss_of_groups_of_k(n, k):
    original, masked = np.arange(n * k), np.arange(n * k) // k
    assert math.isclose(tk.loss.ild(original, masked, Discrete()), (k - 1) / (n * k - 1))


def close(value, expected):
    return math.isclose(value, expected, rel_tol=1e-12, abs_tol=0.0)


POWERS = (0.5, 1.0, 1.5, 2.0, 3.0)


@st.composite
def mixed(draw):
    """Records of all kinds with many ties, distances for them, and the plain distances."""
    words = st.sampled_from(["", "ab", "ba", "abc", "é漢", "acb", "xyzab"])
    nodes = st.sampled_from("abcdefg")
    parents = {"b": "a", "c": "a", "d": "b", "e": "b", "f": "c", "g": "f"}
    offset = draw(st.sampled_from([0.0, 1e9]))
    numbers = st.sampled_from([0.0, 0.5, 1.0, 7.25]).map(lambda x: x + offset)
    records = draw(
        st.lists(st.tuples(numbers, nodes, nodes, nodes, words, words), min_size=1, max_size=14)
    )
    distances = [
        Euclidean(), Discrete(), Ordinal(list("abcdefg")), Tree(parents),
        Levenshtein(normalized=True), DamerauLevenshtein(),
    ]  # fmt: skip
    plain = [
        lambda a, b: abs(a - b), oracle.discrete, oracle.ordinal("abcdefg"), oracle.tree(parents),
        oracle.normalized(oracle.levenshtein), oracle.damerau_levenshtein,
    ]  # fmt: skip
    return records, distances, plain


@given(mixed(), st.sampled_from(POWERS))
def test_columns_of_every_kind_are_summed_as_defined(case, power):
    records, distances, plain = case
    for column, distance, apart in zip(zip(*records, strict=True), distances, plain, strict=True):
        expected = oracle.information(column, apart, power)
        for method in ("auto", "pairs"):
            value = tk.loss.information(list(column), distance, power=power, method=method)
            assert close(value, expected)


@given(mixed(), st.sampled_from(POWERS))
def test_mixed_records_are_summed_as_defined(case, power):
    records, distances, plain = case
    weights = [0.5, 2, 1, 0.25, 3, 1]
    expected = oracle.information(records, oracle.product(plain, weights), power)
    for method in ("auto", "pairs"):
        distance = Product(*distances, weights=weights)
        assert close(tk.loss.information(records, distance, power=power, method=method), expected)


@given(mixed(), st.sampled_from(POWERS))
def test_weights_come_from_the_original_and_serve_both(case, power):
    records, distances, plain = case
    masked = records[: len(records) // 2] + [records[-1]] * (len(records) - len(records) // 2)
    amounts_of = [
        oracle.information(column, apart)
        for column, apart in zip(zip(*records, strict=True), plain, strict=True)
    ]
    if not any(amounts_of):
        return
    weights = [1 / value if value else 0 for value in amounts_of]
    expected = oracle.ild(records, masked, oracle.product(plain, weights), power)
    for method in ("auto", "pairs"):
        loss = tk.loss.ild(records, masked, Product(*distances), power=power, method=method)
        assert math.isclose(loss, expected, rel_tol=1e-11, abs_tol=1e-12)


def test_products_of_numbers_are_one_table():
    rng = np.random.default_rng(1)
    table = {"a": rng.normal(size=(40, 2)), "b": rng.normal(size=40)}
    distance = Product(Euclidean(), Minkowski(1), weights=[0.3, 2])
    for power in POWERS:
        quick = tk.loss.information(table, distance, power=power)
        assert close(quick, tk.loss.information(table, distance, power=power, method="pairs"))


@given(st.lists(st.text(alphabet="ab", min_size=6, max_size=6), min_size=1, max_size=30))
def test_hamming_is_summed_as_defined(values):
    for power, method in itertools.product((1, 2, 2.5), ("auto", "pairs")):
        value = tk.loss.information(values, Hamming(), power=power, method=method)
        assert close(value, oracle.information(values, oracle.hamming, power))


def test_shortest_paths_are_summed_as_defined():
    edges = {("a", "b"): 1.5, ("b", "c"): 2.0, ("a", "c"): 4.0, ("c", "d"): 0.25}
    values = list("abcdacab")
    for power, method in itertools.product(POWERS, ("auto", "pairs")):
        distance = Graph(edges, shortest_paths=True)
        value = tk.loss.information(values, distance, power=power, method=method)
        assert close(value, oracle.information(values, oracle.shortest_paths(edges), power))


def test_a_loss_may_be_negative():
    assert tk.loss.ild([1, 2, 3], [1, 2, 9], Euclidean()) < 0


def test_one_record_has_no_information():
    for distance, values in (
        (Euclidean(), [5.0]), (Minkowski(3), [[1.0, 2.0]]), (Discrete(), ["a"]),
        (Levenshtein(), ["a"]), (Product(Discrete()), [("a",)]),
    ):  # fmt: skip
        for method in ("auto", "pairs"):
            assert tk.loss.information(values, distance, method=method) == 0
        assert tk.loss.information(values, distance, estimate=True).value == 0


@pytest.mark.parametrize(
    ("values", "distance"),
    [
        ([1.1, 1.1, 1.1], Euclidean()),
        ([[1e9 + 0.1, 3]] * 5, Euclidean()),
        ([[1.0, 3]] * 5, Minkowski(3)),
        (["a", "a"], Discrete()),
        (["a", "a"], Levenshtein()),
        (["a", "a"], SMALL_TREE),
        ([(1, "a"), (1, "a")], Product(Euclidean(), Discrete())),
        ([(1, "a"), (1, "a")], Product(Euclidean(), Discrete(), weights=[1, 2])),
    ],
)
@pytest.mark.parametrize("more", [{}, {"method": "pairs"}, {"power": 1}, {"estimate": True}])
def test_values_that_are_all_equal_have_no_loss(values, distance, more):
    if distance is SMALL_TREE:
        values = ["a11", "a11"]
    with pytest.raises(ValueError, match=r"original .* no information"):
        tk.loss.ild(values, values, distance, **more)


def test_a_constant_column_counts_nothing():
    original, masked = [(1, "a"), (2, "a")], [(1, "a"), (2, "b")]
    assert tk.loss.ild(original, masked, Product(Euclidean(), Discrete())) == 0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: tk.loss.ild([1, 2], [1], Euclidean()), ValueError, "2 rows, masked has 1"),
        (lambda: tk.loss.ild([[1, 2]], [[1]], Euclidean()), ValueError, "2 columns, masked has 1"),
        (
            lambda: tk.loss.ild({"a": [[1, 2]]}, {"a": [[1]]}, Product(Euclidean())),
            ValueError,
            "2 columns, masked has 1",
        ),
        (lambda: tk.loss.ild(["a"], ["b"], Ordinal(["a"])), ValueError, "masked has 1 values that"),
        (lambda: tk.loss.information([1], Euclidean), TypeError, "Euclidean(...), got the class"),
        (lambda: tk.loss.information([1], "euclid"), TypeError, "of kind Distance, got str"),
        (lambda: tk.loss.information([1], Euclidean(), power=0), ValueError, "power must be above"),
        (
            lambda: tk.loss.information([1], Euclidean(), power=-1),
            ValueError,
            "power must be above",
        ),
        (lambda: tk.loss.information([1], Euclidean(), power=math.inf), ValueError, "power must"),
        (lambda: tk.loss.information([1], Euclidean(), power=math.nan), ValueError, "power must"),
        (lambda: tk.loss.information([1], Euclidean(), power="2"), TypeError, "must be a number"),
        (lambda: tk.loss.information([1], Euclidean(), method="x"), ValueError, "'auto', 'pairs'"),
        (
            lambda: tk.loss.information([0, 1e100], Minkowski(3), power=9),
            ValueError,
            "beyond the largest double",
        ),
        (
            lambda: tk.loss.information([1], Euclidean(), estimate=True, pairs=1),
            ValueError,
            "pairs must be 2 or more, got 1",
        ),
        (
            lambda: tk.loss.information([1], Euclidean(), estimate=True, confidence=1),
            ValueError,
            "confidence must be above 0 and below 1",
        ),
        (
            lambda: tk.loss.information([1], Euclidean(), estimate=True, random_state=-1),
            ValueError,
            "random_state must be 0 or more",
        ),
        (
            lambda: tk.loss.information([1], Euclidean(), estimate=True, random_state="x"),
            TypeError,
            "random_state must be a whole number",
        ),
    ],
)
def test_bad_arguments_are_refused(call, error, words):
    with pytest.raises(error, match=re.escape(words)):
        call()
