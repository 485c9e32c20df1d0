"""Distances between single values: those of the definitions."""

import itertools
import math

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei.distances import (
    Callable,
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

PARENTS = {"b": "a", "c": "a", "d": "b", "e": "b", "f": "c", "g": "f"}
EDGES = {("a", "b"): 1.5, ("b", "c"): 2.0, ("a", "c"): 4.0, ("c", "d"): 0.25}
# Few letters, so that strings share some; characters of two, three and four bytes; a lone
# surrogate, which no encoding but ours takes.
texts = st.text(alphabet="abé漢😀\ud800", max_size=12)
numbers = st.floats(-1e6, 1e6) | st.sampled_from([0.0, 1.0, 1e9, 1e9 + 1])


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=5), st.floats(1, 50))
def test_minkowski_is_the_p_distance(pairs, p):
    a, b = zip(*pairs, strict=True)
    for q in (p, 1.0, 2.0, 3.0, math.inf):
        assert math.isclose(Minkowski(q).between(a, b), oracle.minkowski(a, b, q), rel_tol=1e-13)
    assert math.isclose(Euclidean().between(a, b), math.dist(a, b), rel_tol=1e-15)


@given(texts, texts)
def test_string_distances_are_those_of_their_tables(a, b):
    assert Levenshtein().between(a, b) == oracle.levenshtein(a, b)
    assert DamerauLevenshtein().between(a, b) == oracle.damerau_levenshtein(a, b)
    longer = max(len(a), len(b), 1)
    assert Levenshtein(normalized=True).between(a, b) == oracle.levenshtein(a, b) / longer
    assert (
        DamerauLevenshtein(normalized=True).between(a, b)
        == oracle.damerau_levenshtein(a, b) / longer
    )
    same = min(len(a), len(b))
    assert Hamming().between(a[:same], b[:same]) == oracle.hamming(a[:same], b[:same])


@given(st.integers(0, 2**32 - 1), st.sampled_from(["ab", "acgt", "abcé漢😀"]), st.integers(0, 150))
@settings(max_examples=40)
def test_string_distances_are_those_of_rapidfuzz(seed, alphabet, longest):
    peers = pytest.importorskip("rapidfuzz.distance")
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list(alphabet), n)) for n in rng.integers(0, longest + 1, 40)]
    for ours, theirs in (
        (Levenshtein(), peers.Levenshtein.distance),
        (DamerauLevenshtein(), peers.DamerauLevenshtein.distance),
    ):
        expected = sum(theirs(a, b) ** 2 for a in words for b in words)
        assert tk.loss.information(words, ours) == expected


@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 129, 300])
def test_long_strings_have_distances_too(length):
    rng = np.random.default_rng(length)
    a, b = ("".join(rng.choice(list("acgt"), size=n)) for n in (length, length - 3))
    assert Levenshtein().between(a, b) == oracle.levenshtein(a, b)
    assert DamerauLevenshtein().between(a, b) == oracle.damerau_levenshtein(a, b)


def test_swaps_may_have_letters_between_them():
    assert DamerauLevenshtein().between("ca", "abc") == 2
    assert Levenshtein().between("ca", "abc") == 3


def test_nodes_of_a_tree_are_as_far_apart_as_the_path_is_long():
    distance = Tree(PARENTS)
    for a, b in itertools.product("abcdefg", repeat=2):
        assert distance.between(a, b) == oracle.tree(PARENTS)(a, b)


def test_the_root_of_a_tree_may_be_named_by_none():
    assert Tree({**PARENTS, "a": None}).between("d", "g") == Tree(PARENTS).between("d", "g") == 5
    assert Tree({"only": None}).between("only", "only") == 0


def test_categories_of_an_order_are_steps_apart():
    bands = [f"{age}s" for age in range(0, 100, 10)]
    distance = Ordinal(bands)
    assert distance.between("30s", "50s") == 0.2
    for a, b in itertools.product(bands, repeat=2):
        assert distance.between(a, b) == oracle.ordinal(bands)(a, b)


@pytest.mark.parametrize("as_matrix", [False, True])
def test_a_graph_gives_the_distances_it_was_given(as_matrix):
    weights = {("a", "b"): 1, ("c", "b"): 2.5, ("a", "c"): 9}
    expected = oracle.graph(weights)
    if as_matrix:
        matrix = [[expected(a, b) for b in "abc"] for a in "abc"]
        distance = Graph(matrix, nodes="abc")
    else:
        distance = Graph({**weights, ("b", "a"): 1.0})
    for a, b in itertools.product("abc", repeat=2):
        assert distance.between(a, b) == expected(a, b)


@pytest.mark.parametrize("as_matrix", [False, True])
def test_a_graph_finds_shortest_paths(as_matrix):
    expected = oracle.shortest_paths(EDGES)
    if as_matrix:
        matrix = np.full((4, 4), np.inf)
        for (a, b), w in EDGES.items():
            matrix["abcd".index(a), "abcd".index(b)] = w
        distance = Graph(matrix, nodes=list("abcd"), shortest_paths=True)
    else:
        distance = Graph(EDGES, shortest_paths=True)
    for a, b in itertools.product("abcd", repeat=2):
        assert math.isclose(distance.between(a, b), expected(a, b))


def test_a_product_adds_weighted_squares():
    distance = Product(Euclidean(), Tree(PARENTS), Levenshtein(), weights=[2, 0.5, 3])
    expected = oracle.product(
        [lambda a, b: abs(a - b), oracle.tree(PARENTS), oracle.levenshtein], [2, 0.5, 3]
    )
    a, b = (1.5, "d", "kitten"), (-2, "g", "sitting")
    assert math.isclose(distance.between(a, b), expected(a, b), rel_tol=1e-15)


def test_a_part_of_a_product_may_have_several_columns():
    distance = Product(Euclidean(), Discrete(), weights=[1, 1])
    table = {"where": [[0.0, 0.0], [3.0, 4.0]], "what": ["x", "y"]}
    assert math.isclose(tk.loss.information(table, distance), 2 * (25 + 1))


def test_your_own_function_is_called_once_a_pair():
    calls = []

    def apart(a, b):
        calls.append({a, b})
        return abs(a - b) ** 0.5

    assert Callable(apart).between(1, 5) == 2
    calls.clear()
    assert tk.loss.information([1, 5, 5, 10], Callable(apart)) == 2 * (2 * 4 + 9 + 2 * 5)
    assert len(calls) == len({frozenset(call) for call in calls}) == 3


def test_distances_are_values():
    assert Minkowski(3) == Minkowski(3) != Minkowski(4)
    assert Levenshtein() == Levenshtein(normalized=False)
    assert Product(Euclidean(), Discrete()) == Product(Euclidean(), Discrete())
    assert Ordinal(["a", "b"]) == Ordinal(("a", "b"))
    assert Tree(PARENTS) == Tree(dict(reversed(PARENTS.items())))
    with pytest.raises(AttributeError):
        Minkowski(3).p = 4
