"""The simulation that says what credible bands hold: it can fail, and a case of it does not."""

import numpy as np
import pytest

pytest.importorskip("bench", reason="the benchmarks are not here")

from bench import band_coverage


def held(cells, accuracy, independent):
    columns = (cells, 0.9, accuracy, independent, 0.0, 0.5)
    return band_coverage.Held(*(np.array([value]) for value in columns))


@pytest.mark.parametrize(
    ("found", "fails"),
    [
        (held(0.9, 80.0, 70.0), False),
        (held(0.9, 69.8, 70.0), False),
        (held(0.9, 69.6, 70.0), True),
        (held(0.8, 80.0, 70.0), True),
        (held(0.99, 80.0, 70.0), True),
    ],
)
def test_bands_that_hold_too_little_or_too_much_fail_and_so_do_tables_below_their_margins(
    found, fails
):
    assert found.fails is fails
    assert ("FAILS" in str(found)) is fails


def test_a_draw_of_categories_in_no_order_is_found_and_held():
    case = band_coverage.cases()["categories, randomized-response"]
    found = band_coverage.held(case, 1)
    assert found.cells[0] > 0.7
    assert found.accuracies[0] > found.independent[0] + 30
    assert "correlations" not in str(found)


def test_thin_cells_are_counted_by_themselves():
    found = band_coverage.held(band_coverage.cases()["categories, stairs, square-wave"], 1)
    assert 0.0 <= found.thin[0] <= 1.0
    assert f"thin ones {found.thin[0]:.3f}" in str(found)


def test_what_has_no_order_is_said_of_the_attributes_that_have_none():
    kinds = {name: case.nominal for name, case in band_coverage.cases().items()}
    assert kinds["categories, stairs, square-wave"] == (0, 1)
    assert kinds["categories and a number, randomized-response"] == (0,)
    assert kinds["two normals, laplace"] == ()
    assert "categories, laplace" not in kinds
