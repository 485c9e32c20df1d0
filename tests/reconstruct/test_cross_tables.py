"""Cross-tables behind noise: association is found where the records show it."""

import csv
import json
import tracemalloc

import numpy as np
import pytest
from strategies import perturbed

import tokumei as tk
from tokumei.reconstruct import l1_accuracy


def pair(n=30_000, seed=8):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 5, n)
    return np.stack([a, np.minimum(a + rng.integers(0, 2, n), 5)], axis=1).astype(float)


def pair_channels(epsilon=2.0):
    return [
        tk.noise.randomized_response(epsilon, lower=0, upper=4, integer=True),
        tk.noise.randomized_response(epsilon, lower=0, upper=5, integer=True),
    ]


def test_association_is_found_where_the_records_show_it():
    x, channels = pair(), pair_channels()
    y = np.stack(
        [
            perturbed(c, column, 7 + i)
            for i, (c, column) in enumerate(zip(channels, x.T, strict=True))
        ],
        axis=1,
    )
    found = tk.reconstruct.table(y, channels)
    truth = np.histogram2d(*x.T, [found.cells[0], found.cells[1]])[0] / len(x)
    assert found.converged
    assert l1_accuracy(found.probabilities, truth) > 90
    assert l1_accuracy(found.independent(), truth) < 60
    np.testing.assert_allclose(found.margin(1), found.probabilities.sum(axis=0))
    np.testing.assert_array_equal(found.margin(1, 0), found.probabilities.T)
    drawn = found.sample(20_000, 1)
    again = np.histogram2d(*drawn.T, [found.cells[0], found.cells[1]])[0]
    assert l1_accuracy(again, found.probabilities) > 95
    assert json.loads(found.to_json())["mechanisms"] == ["randomized-response"] * 2


def test_three_attributes_and_mixed_mechanisms_make_a_table():
    x = np.column_stack([pair(4000), np.random.default_rng(9).integers(0, 8, 4000)])
    channels = [
        *pair_channels(1.0),
        tk.noise.laplace(1.5, lower=0, upper=7, integer=True),
    ]
    y = np.stack(
        [
            perturbed(c, column, 7 + i)
            for i, (c, column) in enumerate(zip(channels, x.T, strict=True))
        ],
        axis=1,
    )
    found = tk.reconstruct.table(y, channels, cells=[None, None, 4], max_iter=50)
    assert found.probabilities.shape == (5, 6, 4)
    assert found.probabilities.sum() == pytest.approx(1.0, abs=1e-9)
    flat = tk.reconstruct.table(
        y, channels, cells=[None, None, 4], max_iter=1, start=np.ones((5, 6, 4))
    )
    assert flat.n_iter == 1


def test_categories_without_an_order_go_with_numbers_behind_other_noise():
    chance = np.random.default_rng(6)
    group = chance.integers(0, 4, 30_000)
    # Neither grows with the other: only who has a category has its middle.
    number = np.rint(np.array([15.0, 4.0, 12.0, 8.0])[group] + chance.normal(0, 1.5, 30_000))
    x = np.stack([group, np.clip(number, 0, 19)], axis=1).astype(float)
    channels = [
        tk.noise.randomized_response(2.5, lower=0, upper=3, integer=True),
        tk.noise.square_wave(2.5, lower=0, upper=19, integer=True),
    ]
    y = np.stack([perturbed(c, x[:, j], 3 + j) for j, c in enumerate(channels)], axis=1)
    found = tk.reconstruct.table(y, channels, nominal=[0])
    truth = np.histogram2d(*x.T, found.cells)[0] / len(x)
    accuracy = l1_accuracy(found.probabilities, truth)
    assert accuracy > 90 > 50 > l1_accuracy(found.independent(), truth)
    inside = (found.lower_band <= truth) & (truth <= found.upper_band)
    assert inside[truth > 1e-4].mean() > 0.75


def test_six_attributes_are_composed_of_their_pairs():
    chance = np.random.default_rng(4)
    common = chance.random(6000) < 0.5
    x = np.stack([np.where(chance.random(6000) < 0.85, common, ~common) for _ in range(6)], axis=1)
    channel = tk.noise.randomized_response(2.0, lower=0, upper=1, integer=True)
    y = np.stack([perturbed(channel, column, j) for j, column in enumerate(x.T.astype(float))], 1)
    found = tk.reconstruct.table(y, [channel] * 6, bands=False)
    truth = np.histogramdd(x.astype(float), [found.cells[0]] * 6)[0]
    assert found.probabilities.shape == (2,) * 6
    assert l1_accuracy(found.probabilities, truth) > 85
    assert l1_accuracy(found.independent(), truth) < 75


def test_a_table_of_too_many_cells_is_refused_before_memory_is_taken():
    channel = tk.noise.randomized_response(2.0, lower=0, upper=15, integer=True)
    y = np.zeros((50, 7))
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"the table would have 268435456 cells, more than"):
            tk.reconstruct.table(y, [channel] * 7)
        assert tracemalloc.get_traced_memory()[1] < 10e6
    finally:
        tracemalloc.stop()


def test_a_category_goes_with_a_number_behind_more_noise_than_em_from_independence_sees():
    chance = np.random.default_rng(5)
    group = chance.choice(4, 20_000, p=[0.1, 0.4, 0.3, 0.2])
    number = np.rint(np.array([12.0, 7.0, 10.0, 8.0])[group] + chance.normal(0, 2.5, 20_000))
    x = np.stack([group, np.clip(number, 0, 19)], axis=1).astype(float)
    channels = [
        tk.noise.randomized_response(1.2, lower=0, upper=3, integer=True),
        tk.noise.square_wave(1.2, lower=0, upper=19, integer=True),
    ]
    y = np.stack([perturbed(c, x[:, j], 3 + j) for j, c in enumerate(channels)], axis=1)
    found = tk.reconstruct.table(y, channels, nominal=[0], bands=False)
    truth = np.histogram2d(*x.T, found.cells)[0] / len(x)
    product = found.independent()
    before = tk.reconstruct.table(y, channels, nominal=[0], bands=False, start=product)
    accuracies = [l1_accuracy(one, truth) for one in (found.probabilities, product)]
    assert accuracies[0] > accuracies[1] + 4
    assert accuracies[0] > l1_accuracy(before.probabilities, truth) + 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"channels": 1}, "channels must hold one for each of the 2 columns"),
        ({"cells": [None]}, "cells must hold one for each of the 2 columns"),
        ({"start": np.zeros((5, 6))}, "start must be positive"),
        ({"start": np.ones((5, 5))}, "start must"),
        ({"max_iter": 0}, "max_iter must be at least 1"),
    ],
)
def test_wrong_tables_get_a_clear_answer(change, message):
    channels = pair_channels()
    y = pair(100)
    options = dict(change)
    if options.pop("channels", None):
        channels = channels[:1]
    with pytest.raises(ValueError, match=message):
        tk.reconstruct.table(y, channels, **options)


def test_adult_age_by_education_is_reconstructed(reference_path):
    with reference_path("adult.csv").open(encoding="utf-8", newline="") as lines:
        records = list(csv.DictReader(lines))
    x = np.array([[float(row["age"]), float(row["education-num"])] for row in records])
    cells = np.arange(16.5, 92, 5), np.arange(0.5, 17)
    truth = np.histogram2d(*x.T, cells)[0]
    bounds, shares = ((17, 90), (1, 16)), tk.noise.shares(len(x), 2, [1, 1])
    for laplace_noise, least in ((True, 71.0), (False, 90.0)):
        accuracies = []
        for seed in range(5):
            channels = []
            for (lower, upper), edges, share in zip(bounds, cells, shares, strict=True):
                known = {"lower": lower, "upper": upper, "integer": True}
                scale = tk.noise.pk_scale(lower, upper, len(x), 2, attributes=2)
                channels.append(
                    tk.noise.laplace(scale, **known)
                    if laplace_noise
                    else tk.noise.randomized_response(share, cells=edges, **known)
                )
            y = [perturbed(c, x[:, j], 2 * seed + j) for j, c in enumerate(channels)]
            found = tk.reconstruct.table(np.stack(y, axis=1), channels, cells=cells)
            accuracies.append(l1_accuracy(found.probabilities, truth))
        assert np.mean(accuracies) >= least
