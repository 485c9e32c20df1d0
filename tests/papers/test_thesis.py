"""The ILD thesis, appendix A: its data made again, its tables cell by cell."""

import re

import mil_experiment as script
import mil_tables as thesis
import numpy as np
import pytest
from certificate import Cell, certify, read
from park_miller import uniforms

import tokumei as tk


def test_the_generator_is_the_one_that_park_and_miller_check_by_its_ten_thousandth_state():
    # S. K. Park, K. W. Miller, 1988: from 1 the generator comes to 1043618065 after 10,000 steps.
    assert round(uniforms(10_000, 1)[-1] * (2**31 - 1)) == 1_043_618_065
    np.testing.assert_array_equal(uniforms(5, 0), uniforms(5, 123_459_876))


def losses_as_printed(name, k):
    x = script.draw(name, 100 * max(1, len(thesis.DISTRIBUTIONS[name])), 1)
    found = []
    for method in script.METHODS.values():
        labels = method(x[:, None], k)
        found += [labels, tk.mil(x, labels, k)]
    return [f"{tk.loss.ilssdm(x[:, None], labels):.6f}" for labels in found]


@pytest.mark.parametrize("k", range(2, 16))
@pytest.mark.parametrize("name", thesis.LOSS_TABLES)
def test_tables_a2_to_a4_are_equal_but_for_one_digit(name, k):
    printed = thesis.grid(thesis.LOSSES[name])[k - 2]
    if (name, k) == ("DS1", 14):
        assert printed[1] == "0.006907"
        printed = [printed[0], "0.006807", *printed[2:]]
    assert losses_as_printed(name, k) == printed


@pytest.mark.parametrize("name", ["DS0", "DS12"])
@pytest.mark.parametrize("method", ["MDAV", "V-MDAV"])
def test_tables_a5_and_a6_are_equal(name, method):
    size = 100 * max(1, len(thesis.DISTRIBUTIONS[name]))
    found = script.cuts(script.cut_of(script.losses(script.draw(name, size, 1)), method))
    printed = thesis.grid(thesis.CUTS[method])[list(thesis.DISTRIBUTIONS).index(name)]
    assert [f"{value:.1f}" for value in found] == printed


@pytest.mark.parametrize("seed", range(3))
def test_tables_a7_and_a8_are_equal_for_a_thousand_records(seed):
    counts = script.count_tests(["DS0"], 1_000)
    for method, tests in counts.items():
        of_seed = tests[0, seed]
        assert f"{of_seed.mean():.2f}" == thesis.grid(thesis.TEST_MEANS[method])[seed][1]
        assert str(of_seed.max()) == thesis.grid(thesis.TEST_MAXIMA[method])[seed][1]


@pytest.mark.parametrize(("rest", "equal"), [("record", 42), ("mean", 27)])
def test_v_mdav_s_last_records_explain_the_tables_and_means_do_not(rest, equal):
    found = 0
    for name, components in thesis.DISTRIBUTIONS.items():
        if name not in thesis.LOSS_TABLES:
            continue
        x = script.draw(name, 100 * len(components), 1)[:, None]
        for k, printed in enumerate(thesis.grid(thesis.LOSSES[name]), 2):
            found += f"{tk.loss.ilssdm(x, tk.vmdav(x, k, rest=rest)):.6f}" == printed[2]
    assert found == equal


def test_all_cells_of_a2_to_a6_but_two_are_equal_in_the_last_written_run():
    cells = [
        c for c in read("mil_experiment") if c.where[-3:] in {"A.2", "A.3", "A.4", "A.5", "A.6"}
    ]
    assert len(cells) == 246
    assert sum(cell.equal for cell in cells) == 244


def test_means_and_maxima_of_a7_and_a8_are_equal_from_ten_thousand_records_on():
    cells = [
        cell
        for cell in read("mil_experiment")
        if cell.where in {"table A.7", "table A.8"} and int(cell.cell.split()[-1]) >= 10_000
    ]
    assert len(cells) == 24
    assert [cell for cell in cells if not cell.equal] == []


def test_a_cell_that_differs_without_a_reason_fails(capsys):
    assert certify("none", [Cell("t", "c", "1.0", "1.1")], write=False) == 1
    assert "WITHOUT A REASON" in capsys.readouterr().out
    assert certify("none", [Cell("t", "c", "1.0", "1.1", "measured")], write=False) == 0


def test_a_cell_that_was_equal_and_no_longer_is_fails(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("certificate.RESULTS", tmp_path)
    assert certify("some", [Cell("t", "c", "1.0", "1.0")], write=True) == 0
    assert certify("some", [Cell("t", "c", "1.0", "1.1", "measured")], write=False) == 1
    assert "NO LONGER EQUAL" in capsys.readouterr().out


def test_ways_to_split_enclose_the_printed_means_of_all_data_sets():
    cells = {cell.cell: cell for cell in read("mil_experiment") if cell.where == "table A.9"}
    for method in ("MDAV", "V-MDAV"):
        cell = cells[f"{method}, N = 100, mean"]
        least, most = map(float, re.findall(r"from ([0-9.]+) to ([0-9.]+)", cell.reason)[0])
        assert least <= float(cell.printed) <= most
        assert least <= float(cell.ours) <= most


@pytest.mark.parametrize("split", script.SPLITS)
def test_every_way_to_split_shares_records_evenly(split):
    for n, components in ((100, 3), (1_000, 3), (101, 2), (100, 2)):
        sizes = np.bincount(script.SPLITS[split](n, components), minlength=components)
        assert len(sizes) == components
        assert sizes.max() - sizes.min() <= n % components
        assert abs(sizes.sum() - n) < components
