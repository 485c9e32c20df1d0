"""The papers' examples by hand, number by number; and the page that is written from all results."""

import importlib.util
from pathlib import Path

import pytest
import worked_examples as script
from certificate import RESULTS, as_printed, read

import tokumei as tk

DOCS = Path(__file__).resolve().parents[2] / "docs"
CELLS = script.cells()


@pytest.mark.parametrize("where", dict.fromkeys(cell.where for cell in CELLS))
def test_every_worked_example_is_equal(where):
    assert [cell for cell in CELLS if cell.where == where and not cell.equal] == []


def test_figures_3_and_4_are_two_graphs_in_one_call():
    prefectures, regions = script.graphs()
    was, published = list(script.PREFECTURES), list(script.PREFECTURES.values())
    found = tk.loss.ild(was, published, prefectures, masked_distance=regions)
    assert found == pytest.approx(1 / 81)


def test_prints_are_met_rounded_or_cut():
    assert as_printed("0.778", 7 / 9) == "0.778"
    assert as_printed("0.14285", 1 / 7) == "0.14285"
    assert as_printed("-0.341", -0.3416) == "-0.341"
    assert as_printed("0.5", 0.7) == "0.7"
    assert as_printed("144", 144.0) == "144"


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_no_difference_is_without_a_reason(path):
    cells = read(path.stem)
    assert cells
    assert [cell for cell in cells if not cell.equal and not cell.reason] == []


def test_the_page_has_every_cell_of_every_script(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("reproduction", DOCS / "reproduction.py")
    page = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(page)
    monkeypatch.setattr(page, "PAGE", tmp_path / "reproduction.md")
    text = page.write().read_text(encoding="utf-8")
    for path in RESULTS.glob("*.json"):
        for cell in read(path.stem):
            verdict = "equal" if cell.equal else cell.reason
            assert f"| {cell.cell} | {cell.printed} | {cell.ours} | {verdict} |" in text
    assert "|  |" not in text
