"""The anonymity loss coefficient: a copy loses all, what tells of everybody alike loses nothing."""

import numpy as np
import pytest
from builders.adversaries import SEEDS, halves, of, shuffled

import tokumei as tk
from tokumei.risk.attacks.anonymity_loss import together

KNOWN = ["age", "wage", "town", "job"]


def loss(released, release, others):
    asked = {"known": KNOWN, "sensitive": ["ill"], "attempts": 300, "columns": 1}
    return tk.risk.attack(released, release, control=others, **asked).losses[0]


def telling(people):
    """Secrets that follow from the town, which everybody can know."""
    of_town = dict(zip("abcdefgh", "ppppqqqq", strict=True))
    return people | {"ill": np.array([of_town[town] for town in people["town"]])}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_copy_loses_and_what_is_true_of_everybody_does_not(seed):
    released, others = halves(seed)
    copied = loss(released, shuffled(released, seed), others)
    assert copied.lower > 0.8
    assert copied.precision > 0.9
    rows = np.random.default_rng(seed).permutation(300)
    unrelated = released | {"ill": np.asarray(released["ill"])[rows]}
    assert loss(released, unrelated, others).lower < 0.1
    known, strangers = telling(released), telling(others)
    everybody = of(known, np.random.default_rng(seed).integers(0, 300, 300))
    blurred = everybody | {"age": np.full(300, 40.0), "wage": np.full(300, 1.0)}
    assert loss(known, blurred, strangers).lower < 0.1


def test_precision_and_coverage_together():
    assert together(0.8, 1.0) == pytest.approx(0.8)
    assert together(0.8, 0.01) == pytest.approx(0.8 * (1 - 0.5**3))
    assert together(1.0, 1e-5) == 0.0


def test_without_a_control_group_no_loss_is_said():
    released, _ = halves(0)
    found = tk.risk.attack(released, released, known=KNOWN, sensitive=["ill"], attempts=50)
    assert found.losses == ()
