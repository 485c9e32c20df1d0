"""The mixture paper's synthetic experiment: the scales of its noise, and the winner of figure 2."""

import re

import mixture_synthetic as script
import numpy as np
import pytest
from certificate import read


def test_figure_2_has_a_winner_at_every_size():
    cells = [cell for cell in read("mixture_synthetic") if cell.where.endswith("figure 2")]
    assert len(cells) == len(script.PAPER_WINS) * len(script.WIDTHS)
    for rows, printed in script.PAPER_WINS.items():
        of_size = [cell for cell in cells if cell.cell.startswith(f"N = {rows},")]
        assert {cell.printed for cell in of_size} == {printed}
        assert all("L1 accuracy" in cell.reason for cell in of_size)


def test_no_verdict_on_figure_2_is_one_that_other_draws_could_turn():
    for cell in read("mixture_synthetic"):
        if not cell.where.endswith("figure 2"):
            continue
        ahead, error, draws = re.search(
            r"ahead by (-?[\d.]+) with a standard error of ([\d.]+), in \d+ of (\d+) draws",
            cell.reason,
        ).groups()
        assert int(draws) >= 20
        assert (cell.ours == "either") is (abs(float(ahead)) <= 2.0 * float(error))
        if cell.ours != "either":
            assert cell.ours == ("proposal" if float(ahead) > 0.0 else "IBT")


@pytest.mark.parametrize(
    ("ours", "nearer"), [(81.0, "proposal"), (79.0, "IBT"), (80.05, "either"), (79.95, "either")]
)
def test_a_verdict_is_one_beyond_two_standard_errors(ours, nearer):
    spread = np.array([-0.3, 0.1, 0.0, 0.2])
    found, reason = script.verdict(ours + spread, np.full(4, 80.0))
    assert found == nearer
    assert f"ahead by {ours - 80.0:.1f} with a standard error of 0.1" in reason


def test_scales_of_the_synthetic_experiment_are_those_of_its_draws():
    written = {cell.cell: cell for cell in read("mixture_synthetic")}
    for rows in (1_000, 10_000, 100_000):
        draws = script.DRAWS
        scales = [
            script.pk_scale(script.draw(rows, np.random.default_rng(seed))) for seed in range(draws)
        ]
        reason = written[f"N = {rows}, a scale that draws give"].reason
        assert f"{min(scales):.2f} to {max(scales):.2f} in {draws}" in reason
        assert abs(np.mean(scales) - float(script.PAPER_SCALES[rows])) < 0.1
