"""What is advised is what does better."""

import numpy as np
import pytest
from strategies import perturbed

import tokumei as tk

Attribute = tk.noise.Attribute


def test_the_advised_channel_does_better_and_as_well_as_expected():
    schema = [Attribute(1, 16, integer=True)]
    advice = tk.reconstruct.advise(schema, n=20_000, k=2)
    (expected,) = advice.expected
    assert expected.mechanism != "laplace"
    assert expected.accuracy == max(expected.equal_split.values())
    chance = np.random.default_rng(1)
    x = np.clip(np.rint(chance.normal(9, 3, 20_000)), 1, 16)
    truth = np.bincount(x.astype(int), minlength=17)[1:]
    reached = {}
    for mechanism in expected.equal_split:
        epsilon = tk.noise.shares(20_000, 2, [1])
        channel = Attribute(1, 16, integer=True, mechanism=mechanism).channels(epsilon)[0]
        found = tk.reconstruct.smooth(perturbed(channel, x), channel)
        reached[mechanism] = tk.reconstruct.l1_accuracy(found.probabilities, truth)
    assert reached[expected.mechanism] > reached["laplace"]
    assert reached[expected.mechanism] == pytest.approx(expected.accuracy, abs=3)


def test_the_budget_goes_where_it_is_needed():
    # Two values need little of it, fifty a lot.
    schema = [Attribute(categories=["f", "m"]), Attribute(1, 50, integer=True)]
    advice = tk.reconstruct.advise(schema, n=5000, k=2, mechanisms=["randomized-response"])
    few, many = (one.weight for one in advice.attributes)
    assert few < 1.0 < many
    assert few + many == pytest.approx(2.0)
    values = [np.array(["f", "m"] * 50), np.arange(1, 51).repeat(2).astype(float)]
    assert tk.noise.perturb(values, advice.attributes, k=2).k >= 2


def test_advice_is_the_same_each_time_and_falls_with_k():
    schema = [Attribute(0, 10.0)]
    first = tk.reconstruct.advise(schema, n=3000, k=2, draws=1, mechanisms=["laplace"])
    assert first == tk.reconstruct.advise(schema, n=3000, k=2, draws=1, mechanisms=["laplace"])
    harder = tk.reconstruct.advise(schema, n=3000, k=200, draws=1, mechanisms=["laplace"])
    assert harder.expected[0].accuracy < first.expected[0].accuracy
    assert first.to_dict()["attributes"][0]["mechanism"] == "laplace"
    assert first.expected[0].lowest <= first.expected[0].accuracy


@pytest.mark.parametrize(
    ("schema", "options", "message"),
    [
        ([], {}, "schema must hold at least one attribute"),
        ([Attribute()], {}, "schema must hold attributes with bounds"),
        ([Attribute(0, 1)], {"mechanisms": []}, "mechanisms must name"),
        ([Attribute(0, 1)], {"mechanisms": ["normal"]}, "mechanisms must be one of"),
        ([Attribute(0, 1)], {"draws": 0}, "draws must be at least 1"),
    ],
)
def test_wrong_questions_get_a_clear_answer(schema, options, message):
    with pytest.raises(ValueError, match=message):
        tk.reconstruct.advise(schema, n=100, k=2, **options)
