"""What the papers find on the Adult data."""

import csv

import ild_adult as script
import numpy as np
import pytest
from certificate import read


@pytest.fixture(scope="module")
def adult(reference_path):
    return script.read(reference_path("adult.csv"))


@pytest.mark.parametrize(
    ("ties", "losses"),
    [
        ("order", [12.131, 5.173, 28.321]),
        ("first", [0.009, 5.430, 25.285]),
        ("common", [31.234, 24.707, 33.210]),
    ],
)
def test_losses_at_small_k_follow_from_the_mode_s_tie_rule(adult, ties, losses):
    found = [script.category_loss(*adult, k, ties) for k in (2, 3, 10)]
    assert [round(loss, 3) for loss in found] == losses
    assert (losses == sorted(losses)) == (ties == "first")


def test_the_order_by_both_loses_least(adult):
    found = script.measure(*adult, range(5, 7))
    for losses in found.values():
        assert (losses["C"].total < losses["A"].total).all()
        assert (losses["C"].total < losses["B"].total).all()
    finding = "C loses less than A and B, k from 3 to 200"
    cells = [cell for cell in read("ild_adult") if cell.cell == finding]
    assert len(cells) == 2
    assert all(cell.equal for cell in cells)


def test_the_mixture_paper_s_capital_gain_is_the_share_of_zeros(reference_path):
    with reference_path("adult.csv").open(encoding="utf-8", newline="") as lines:
        gains = np.array([float(record["capital-gain"]) for record in csv.DictReader(lines)])
    assert f"{100 * np.mean(gains == 0):.2f}" == "91.67"
