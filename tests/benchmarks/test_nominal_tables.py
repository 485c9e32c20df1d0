"""The comparison of where tables of categories begin: it can fail, and a case of it gains."""

import numpy as np
import pytest

pytest.importorskip("bench", reason="the benchmarks are not here")

from bench import joint_table, nominal_tables


@pytest.mark.parametrize(("below", "fails"), [(0.2, False), (0.4, True), (-5.0, False)])
def test_tables_below_the_product_of_their_margins_fail(below, fails):
    accuracies = np.array([[70.0 - below, 69.0, 70.0, 95.0]] * 3)
    found = nominal_tables.Compared(accuracies, np.full((3, 3), 0.1), np.ones((3, 2)))
    assert found.fails is fails
    assert ("FAILS" in str(found)) is fails
    np.testing.assert_allclose(found.gains, 1.0 - below)


def test_a_number_moved_by_categories_is_found_from_scores_and_less_from_independence():
    case = nominal_tables.cases()["a number moved by 5 categories, square wave"]
    found = nominal_tables.compared(case, 2, 2)
    assert found.gains.mean() > 3.0
    assert (found.accuracies[:, 0] > found.accuracies[:, 2] + 2.0).all()


def test_cramers_v_is_that_of_the_definition():
    table = np.array([[0.3, 0.1], [0.1, 0.5]])
    phi = (0.3 * 0.5 - 0.1 * 0.1) / np.sqrt(0.4 * 0.6 * 0.4 * 0.6)
    assert nominal_tables.association(table) == pytest.approx(phi)
    assert nominal_tables.association(np.outer([0.2, 0.8], [0.5, 0.5])) == pytest.approx(0.0)


def test_so_few_cells_hold_so_much_of_a_table():
    table = np.array([[0.7, 0.2], [0.1, 0.0]])
    assert joint_table.holding(table, 0.65) == 0.25
    assert joint_table.holding(table, 0.9 - 1e-9) == 0.5
    assert joint_table.holding(table, 0.95) == 0.75
