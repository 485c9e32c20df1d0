"""Estimated information: near the truth, as often as it says."""

import numpy as np
import pytest
from strategies import make

import tokumei as tk
from tokumei.distances import (
    DamerauLevenshtein,
    Euclidean,
    Graph,
    Levenshtein,
    Minkowski,
    Product,
    Tree,
)


def cases_to_estimate():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(3_000, 3))
    labels = tk.mdav(X, 20)
    words = ["".join(rng.choice(list("abc"), size=5)) for _ in range(3_000)]
    nodes = rng.integers(0, 30, size=3_000)
    table = {"x": X[:, 0], "word": words}
    masked = {"x": np.round(X[:, 0]), "word": [word[:3] for word in words]}
    edges = {(node, node // 2): 1 + node % 3 for node in range(1, 30)}
    return [
        (X, tk.aggregate(X, labels), Minkowski(1)),
        (words, [word[:2] for word in words], DamerauLevenshtein(normalized=True)),
        (nodes, nodes // 2, Tree({node: node // 2 for node in range(1, 30)})),
        (nodes, nodes // 2, Graph(edges, shortest_paths=True)),
        (table, masked, Product(Euclidean(), Levenshtein())),
        (table, masked, Product(Euclidean(), Levenshtein(), weights=[1, 2])),
    ]


@pytest.mark.parametrize("case", cases_to_estimate(), ids=lambda case: type(case[2]).__name__)
@pytest.mark.parametrize("power", [1, 2])
def test_estimates_hold_the_true_value_about_as_often_as_they_say(case, power):
    original, masked, distance = case
    truth = tk.loss.ild(original, masked, distance, power=power)
    ask = {"power": power, "estimate": True, "pairs": 3_000, "confidence": 0.9}
    held = 0
    for seed in range(20):
        found = tk.loss.ild(original, masked, distance, random_state=seed, **ask)
        held += found.lower <= truth <= found.upper
        assert abs(found.value - truth) < 6 * found.standard_error
        assert found.pairs == 3_000
    assert held >= 13


def test_estimated_amounts_are_near_the_true_ones():
    X = make("normal", 5_000, 4, seed=4)
    truth = tk.loss.information(X, Minkowski(1))
    found = tk.loss.information(X, Minkowski(1), estimate=True, random_state=1)
    assert found.lower < truth < found.upper
    assert found.upper - found.lower < 0.02 * truth
    narrow = tk.loss.information(X, Minkowski(1), estimate=True, random_state=1, confidence=0.5)
    assert narrow.value == found.value
    assert narrow.upper < found.upper


def test_estimates_follow_from_their_seed():
    X = make("normal", 500, 2, seed=4)

    def ask(seed):
        return tk.loss.information(X, Minkowski(3), estimate=True, random_state=seed)

    assert ask(5) == ask(5) != ask(6)
    assert ask(np.random.default_rng(5)) == ask(5)
