"""What two normal attributes behind noise allow at best: bounds, and laws that reach them."""

import mixture_joint as script
import numpy as np
import pytest

import tokumei as tk
from tokumei.reconstruct.cells.transitions import product


@pytest.fixture(autouse=True)
def half_as_many_cells(monkeypatch):
    monkeypatch.setattr(script, "CELLS", 21)
    monkeypatch.setattr(script, "TRUTH", np.array([10.0, 10.0, 3.0, 3.0, script.CORRELATION]))
    monkeypatch.setattr(script, "SAMPLES", 60)


def test_without_noise_no_estimator_errs_less_than_the_correlation_of_the_sample(monkeypatch):
    open_channel = tk.noise.randomized_response(30.0, lower=0, upper=script.CELLS - 1, integer=True)
    monkeypatch.setattr(script, "channel_of", lambda _: open_channel)
    of_a_sample = (1.0 - script.CORRELATION**2) / np.sqrt(script.RECORDS)
    deviation, normal, every = script.least_errors("open")
    # Rounding to whole numbers adds a twelfth to variances of 9.
    assert normal == pytest.approx(of_a_sample, rel=0.05)
    assert every == pytest.approx(of_a_sample, rel=0.05)
    assert deviation == pytest.approx(script.TRUTH[2] / np.sqrt(2 * script.RECORDS), rel=0.05)


def test_behind_noise_it_costs_not_to_know_the_law():
    _, normal, every = script.least_errors("laplace")
    assert 0.06 < normal < 0.07 < every < 0.1


@pytest.mark.parametrize("mechanism", ["laplace", "square-wave"])
def test_the_likeliest_law_of_what_is_expected_is_the_true_one(mechanism):
    laws = script.Laws(mechanism, np.full((1, 2), 10.0))
    truth = script.cells_of(script.TRUTH)
    laws.counts = script.RECORDS * product([laws.one, laws.one], truth, forward=True)
    start = np.array([9.5, 10.5, 3.5, 2.5, 0.5])
    best = laws.best(start, 0.0)
    np.testing.assert_allclose(best, script.TRUTH, atol=0.02)
    assert laws.best(start, 2.0)[4] < best[4]
    middle = laws.median(best, np.random.default_rng(0))
    assert tk.reconstruct.l1_accuracy(middle, truth) > 92
    assert middle.sum() == pytest.approx(1.0)


def test_fives_are_means_of_five_draws_each():
    np.testing.assert_allclose(script.fives(np.arange(12.0)), [2.0, 7.0])
