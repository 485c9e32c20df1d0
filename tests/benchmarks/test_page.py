"""The page of a run says all that the run found, and how to find it again."""

from __future__ import annotations

import math
import re
import sys

import numpy as np
import pytest

pytest.importorskip("bench", reason="the benchmarks are not here")

from builders.races import MACHINE, SHORT, TINY

from bench import command, growth, page, report
from bench.kernel import loss_of_groups
from bench.kernels import KERNELS
from bench.measure import Timing
from bench.peers import PEERS, Peer, Role, one_group, pure_python
from bench.race import Status, race

TRUTH = Peer("pure Python", Role.TRUTH, pure_python)
CURVES = {"straight": [(1_000, 0.001), (10_000, 0.01)], "steep": [(1_000, 0.001), (10_000, 0.1)]}


def rival(function):
    module = type(sys)("rival")
    module.available = lambda: True
    module.mdav = function
    return Peer("rival", Role.RIVAL, module)


def page_of(*peers, names=("mdav", "cut"), curves=None, drawn=False):
    found = tuple(race(KERNELS[name], TINY, MACHINE, SHORT, peers) for name in names)
    run = report.Run("today", {"tokumei": "1"}, MACHINE, tuple(peers), found)
    return page.markdown(page.Page(run, ("--report", "--quick"), curves or {}, 7.0), drawn)


def tables(text):
    """Rows of cells of every table."""
    blocks = re.findall(r"(?:^\|.*\|\n?)+", text, flags=re.MULTILINE)
    return [[line.strip("|").split("|") for line in block.splitlines()] for block in blocks]


def test_every_kernel_has_a_section_its_limit_and_its_command():
    text = page_of(TRUTH)
    for name in ("mdav", "cut"):
        (section,) = re.findall(rf"^## `{name}`\n(.*?)(?=^## |\Z)", text, flags=re.M | re.S)
        assert f"`python -m bench {name} --quick`" in section
        assert "The limit: " in section
        assert len(tables(section)) == 1
    assert "`python -m bench --report --quick`" in text


def test_a_command_on_the_page_is_one_that_runs():
    for words in re.findall(r"`python -m bench ([^`]*)`", page_of(TRUTH)):
        asked = command.arguments(words.split())
        assert set(asked.kernels) <= set(KERNELS)


def test_the_rows_of_a_table_are_as_long_as_its_head():
    for head, line, *rows in tables(page_of(TRUTH, curves=CURVES)):
        assert rows
        assert {len(row) for row in rows} == {len(head)} == {len(line)}


def test_every_kernels_limit_is_a_sentence():
    for kernel in KERNELS.values():
        sentence = page.meaning(kernel)
        assert sentence.endswith(".")
        assert len(sentence) > 20


def test_a_rival_needs_not_agree_and_its_loss_is_told():
    peer = rival(lambda X, k: one_group.mdav(X, k))
    found = race(KERNELS["mdav"], TINY, MACHINE, SHORT, (peer,))
    (result,) = found.results
    assert result.status is Status.MEASURED
    assert found.best_peer is None
    assert result.loss == pytest.approx(1.0 / found.score)
    assert f"(loss {report.times(result.loss)})" in report.cells(found)[7]


def test_a_rival_whose_groups_are_too_small_gets_no_ratio():
    peer = rival(lambda X, k: np.arange(len(X)))
    (result,) = race(KERNELS["mdav"], TINY, MACHINE, SHORT, (peer,)).results
    assert result.status is Status.DIFFERS
    assert result.ratio is None
    assert "smaller than k" in result.note


@pytest.mark.parametrize("peer", [p for p in PEERS if p.role is Role.RIVAL], ids=lambda p: p.name)
@pytest.mark.parametrize("k", [2, 7])
def test_groups_of_every_rival_have_k_records(peer, k):
    if not peer.available():
        pytest.skip("not installed")
    values = np.random.default_rng(0).normal(size=(60, 3))
    for name in KERNELS:
        if peer.answers(name):
            assert not math.isnan(loss_of_groups(peer.answer(name)(values, k), values, k))


def test_absent_peers_are_named_on_the_page():
    nobody = rival(one_group.mdav)
    nobody.module.available = lambda: False
    assert "- rival: absent, not installed" in page_of(nobody)


def test_a_power_of_n_is_the_slope_of_the_last_step():
    assert growth.power(CURVES["straight"]) == pytest.approx(1.0)
    assert growth.power(CURVES["steep"]) == pytest.approx(2.0)
    text = page_of(TRUTH, curves=CURVES, drawn=True)
    assert "| straight | 10,000 | 10 ms | 1 us | 1.00 |" in text
    assert "| steep | 10,000 | 100 ms | 10 us | 2.00 |" in text
    assert "(_static/growth.svg)" in text


def test_a_series_ends_before_a_call_that_would_take_too_long(monkeypatch):
    times = iter([0.5, 1.0, 10.0])
    monkeypatch.setattr(growth, "best", lambda *_: (None, Timing(next(times), 0.0, 1)))
    assert growth.series("any", [10, 20, 200], lambda _: None, 5.0) == [(10, 0.5), (20, 1.0)]


def test_the_page_and_its_figure_are_written(tmp_path):
    pytest.importorskip("matplotlib")
    run = report.Run("today", {}, MACHINE, (TRUTH,))
    page.write(page.Page(run, ("--report",), CURVES, 7.0), tmp_path / "page.md")
    assert "![CPU time" in (tmp_path / "page.md").read_text()
    assert "straight" in (tmp_path / "_static" / "growth.svg").read_text()


def test_growth_alone_is_no_report(capsys):
    with pytest.raises(SystemExit, match="2"):
        command.arguments(["--growth", "3"])
    assert "--report" in capsys.readouterr().err
