"""Distributions behind noise: the automatic choice, its bands and what is asked of it."""

import csv
import json
import sys

import numpy as np
import pytest
from builders.bells import bell, laplace
from strategies import perturbed

import tokumei as tk
from tokumei.reconstruct import l1_accuracy

# Chains of draws take turns in Python: some hundred calls for each smoothness prior that counts.
CALLS = 5_000


@pytest.fixture(scope="module")
def smooth_one():
    x = bell()
    channel = laplace()
    return x, channel, tk.reconstruct.distribution(perturbed(channel, x), channel)


def truth_of(x, cells):
    return np.histogram(x, cells)[0] / len(x)


def test_a_bell_is_found_and_beats_what_is_trivial(smooth_one):
    x, _, found = smooth_one
    truth = truth_of(x, found.cells)
    ours = l1_accuracy(found.probabilities, truth)
    assert ours > 92
    assert ours > l1_accuracy(found.baselines["noisy"], truth) + 10
    assert found.probabilities.sum() == pytest.approx(1.0, abs=1e-9)
    assert found.mean() == pytest.approx(x.mean(), abs=0.5)
    assert found.std() == pytest.approx(x.std(), abs=0.8)
    assert (found.mechanism, found.records) == ("laplace", len(x))
    assert "mixtures" in found.method
    assert 1 < found.freedom < 12


def test_bands_hold_the_estimate_and_mostly_the_truth(smooth_one):
    x, _, found = smooth_one
    assert (found.lower_band <= found.probabilities).all()
    assert (found.probabilities <= found.upper_band).all()
    truth = truth_of(x, found.cells)
    inside = (found.lower_band <= truth) & (truth <= found.upper_band)
    assert inside[truth > 0.01].mean() > 0.5


def test_the_same_values_give_the_same_bits_for_any_threads():
    channel = laplace()
    y = perturbed(channel, bell(1500))
    one, three = (tk.reconstruct.distribution(y, channel, n_threads=n) for n in (1, 3))
    assert one.probabilities.tobytes() == three.probabilities.tobytes()
    assert one.upper_band.tobytes() == three.upper_band.tobytes()


@pytest.mark.parametrize("make", [tk.noise.randomized_response, tk.noise.square_wave])
@pytest.mark.parametrize("epsilon", [0.5, 4.0])
def test_channels_on_cells_are_reconstructed(make, epsilon):
    x = bell(20_000)
    channel = make(epsilon, lower=0, upper=40, integer=True)
    y = perturbed(channel, x)
    found = tk.reconstruct.distribution(y, channel)
    truth = truth_of(x, found.cells)
    assert l1_accuracy(found.probabilities, truth) > (60 if epsilon < 1 else 97)
    if epsilon < 1:  # where noise is wide, EM alone follows it
        alone = tk.reconstruct.iterative_bayes(y, channel, max_iter=3000, accelerate=True)
        assert l1_accuracy(found.probabilities, truth) > l1_accuracy(alone.probabilities, truth)


def test_other_cells_than_the_channels_own_are_possible():
    x = bell()
    channel = tk.noise.randomized_response(4.0, lower=0, upper=40, integer=True)
    found = tk.reconstruct.distribution(
        perturbed(channel, x), channel, cells=[-0.5, 14.5, 18.5, 22.5, 40.5]
    )
    assert l1_accuracy(found.probabilities, truth_of(x, found.cells)) > 95


def test_declared_atoms_are_found_beside_a_smooth_rest():
    rng = np.random.default_rng(2)
    x = np.where(rng.random(20_000) < 0.8, 0.0, np.rint(rng.gamma(3, 3000, 20_000)))
    x = np.minimum(x, 50_000.0)
    channel = laplace(6000.0, 0, 50_000)
    y = perturbed(channel, x)
    found = tk.reconstruct.distribution(y, channel, atoms=[0], cells=50)
    assert found.atom_probabilities[0] == pytest.approx((x == 0).mean(), abs=0.1)
    truth = truth_of(x, found.cells)
    accuracy = l1_accuracy(found.probabilities, truth)
    assert accuracy > l1_accuracy(found.baselines["all at the atom"], truth) + 3
    assert found.cdf([0.0])[0] >= found.atom_probabilities[0]
    assert found.quantile([0.3])[0] == 0.0
    assert (found.sample(500, 1) == 0).mean() > 0.6


def test_quantiles_are_the_inverse_of_the_distribution_function(smooth_one):
    _, _, found = smooth_one
    values = found.quantile([0.0, 0.1, 0.5, 0.9, 1.0])
    assert (values == values.round()).all()
    reached, before = found.cdf(values), found.cdf(values - 1)
    wanted = np.array([0.0, 0.1, 0.5, 0.9, 1.0])
    assert (reached >= wanted - 1e-9).all()
    assert (before[1:-1] < wanted[1:-1]).all()
    np.testing.assert_array_equal(found.cdf([-1, 40, 99]).round(9), [0, 1, 1])
    with pytest.raises(ValueError, match="probabilities from 0 to 1"):
        found.quantile([1.5])


def test_samples_come_from_the_cells(smooth_one):
    _, _, found = smooth_one
    drawn = found.sample(20_000, 3)
    assert ((drawn >= 0) & (drawn <= 40) & (drawn == drawn.round())).all()
    assert l1_accuracy(truth_of(drawn, found.cells), found.probabilities) > 97


def test_json_holds_cells_and_nothing_of_the_records(smooth_one):
    _, _, found = smooth_one
    stored = json.loads(found.to_json())
    assert stored["probabilities"] == found.probabilities.tolist()
    assert set(stored["baselines"]) == {"single normal"}
    assert not any(np.size(value) > 42 for value in stored.values())


def test_plots_show_released_reconstructed_and_true(smooth_one):
    pytest.importorskip("matplotlib")
    x, _, found = smooth_one
    figure = found.plot(truth_of(x, found.cells), title="bell")
    axes = figure.axes[0]
    labels = axes.get_legend_handles_labels()[1]
    assert labels == ["released, clamped to the bounds", "90% band", "reconstructed", "true"]
    assert axes.get_title() == "bell"
    assert found.plot(axes=axes) is figure


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"atoms": [41]}, "atoms has 1 of 1 values outside the bounds"),
        ({"atoms": [1, 1]}, "atoms must differ"),
        ({"atoms": [0.5]}, "atoms must hold whole numbers"),
        ({"cells": [5, 4]}, "cells must be edges that increase"),
        ({"lower": 9, "upper": 3}, "lower must be below upper"),
        ({"lower": np.inf}, "lower must be finite"),
    ],
)
def test_wrong_arguments_get_a_clear_answer(options, message):
    with pytest.raises(ValueError, match=message):
        tk.reconstruct.distribution([1.0, 2.0, 3.0], laplace(), **options)


def test_constant_values_and_a_single_one_are_reconstructed():
    for y in ([7.0] * 30, [3.0]):
        found = tk.reconstruct.smooth(y, laplace(), orders=[2])
        assert found.probabilities.sum() == pytest.approx(1.0)
    with pytest.raises(ValueError, match="orders must name"):
        tk.reconstruct.smooth([3.0], laplace(), orders=[])
    with pytest.raises(ValueError, match="orders must be between 1 and 3"):
        tk.reconstruct.smooth([3.0], laplace(), orders=[4])


def test_accuracy_is_the_share_in_the_right_cell():
    assert l1_accuracy([1, 0], [0, 1]) == 0.0
    assert l1_accuracy([[2, 2], [0, 4]], [[0.25, 0.25], [0, 0.5]]) == 100.0
    with pytest.raises(ValueError, match="same cells"):
        l1_accuracy([1, 0], [1, 0, 0])


@pytest.mark.parametrize(
    ("name", "laplace_at_least", "exchanged_at_least", "atoms", "cells"),
    [
        ("age", 94.5, 98.0, (), None),
        ("education-num", 86.5, 99.5, (), None),
        ("capital-gain", 93.5, 98.0, (0, 99_999), 100),
    ],
)
def test_adult_is_reconstructed(
    reference_path, name, laplace_at_least, exchanged_at_least, atoms, cells
):
    with reference_path("adult.csv").open(encoding="utf-8", newline="") as lines:
        x = np.array([float(row[name]) for row in csv.DictReader(lines)])
    bounds = {"age": (17, 90), "education-num": (1, 16), "capital-gain": (0, 99_999)}[name]
    known = {"lower": bounds[0], "upper": bounds[1], "integer": True}
    noisy = tk.noise.laplace(tk.noise.pk_scale(*bounds, len(x), 2), **known)
    wave = tk.noise.square_wave(tk.noise.budget(len(x), 2) / 2, cells=cells, **known)
    for channel, least, given in (
        (noisy, laplace_at_least, atoms),
        (wave, exchanged_at_least, ()),
    ):
        accuracies = []
        for seed in range(5):
            y = perturbed(channel, x, seed)
            found = tk.reconstruct.distribution(y, channel, atoms=given, cells=cells)
            accuracies.append(l1_accuracy(found.probabilities, truth_of(x, found.cells)))
        assert np.mean(accuracies) >= least


@pytest.mark.parametrize("name", ["laplace", "square_wave", "randomized_response"])
def test_one_call_makes_few_python_calls(name):
    options = {"lower": 0, "upper": 40, "integer": True}
    channel = getattr(tk.noise, name)(4.0, **options)
    y = perturbed(channel, bell(2000))
    tk.reconstruct.distribution(y, channel)  # what is imported once is not counted
    calls = 0

    def count(_frame, event, _argument):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        tk.reconstruct.distribution(y, channel)
    finally:
        sys.setprofile(None)
    assert 0 < calls < CALLS


SEEN: dict[str, object] = {}


def test_bits_do_not_depend_on_instructions(instructions):
    assert instructions
    for channel in (laplace(), tk.noise.laplace(4.0, lower=0, upper=40)):
        y = perturbed(channel, bell(900))
        found = tk.reconstruct.distribution(y, channel)
        bits = (found.probabilities.tobytes(), found.lower_band.tobytes(), found.loglik)
        assert SEEN.setdefault(repr(channel), bits) == bits
