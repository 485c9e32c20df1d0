"""The mixture paper's synthetic experiment: the scales of its noise, and the winner of figure 2."""

import mixture_synthetic as script
import numpy as np
from certificate import read


def test_figure_2_has_a_winner_at_every_size():
    cells = [cell for cell in read("mixture_synthetic") if cell.where.endswith("figure 2")]
    assert len(cells) == len(script.PAPER_WINS) * len(script.WIDTHS)
    for rows, printed in script.PAPER_WINS.items():
        of_size = [cell for cell in cells if cell.cell.startswith(f"N = {rows},")]
        assert {cell.printed for cell in of_size} == {printed}
        assert all("L1 accuracy" in cell.reason for cell in of_size)


def test_scales_of_the_synthetic_experiment_are_those_of_its_draws():
    written = {cell.cell: cell for cell in read("mixture_synthetic")}
    for rows in (1_000, 10_000):
        draws = script.DRAWS[rows]
        scales = [
            script.pk_scale(script.draw(rows, np.random.default_rng(seed))) for seed in range(draws)
        ]
        reason = written[f"N = {rows}, a scale that draws give"].reason
        assert f"{min(scales):.2f} to {max(scales):.2f} in {draws}" in reason
        assert abs(np.mean(scales) - float(script.PAPER_SCALES[rows])) < 0.1
