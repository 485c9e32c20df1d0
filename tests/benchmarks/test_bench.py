"""The benchmarks keep their word: fixed problems, compared answers, ratios of equal work only."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("bench", reason="the benchmarks are not here")

from builders.races import MACHINE, SHORT, TINY

from bench import command, problems, report
from bench.kernel import Case, loss_of_groups, same_groups, sum_of_squares
from bench.kernels import KERNELS
from bench.kernels.groups import mdav_limit
from bench.limits import Memory
from bench.measure import Effort, best
from bench.peers import PEERS, TRUTH, Peer, Role, numpy_arrays, one_group
from bench.peers.declined import Declined
from bench.race import Status, race

ROOT = Path(__file__).resolve().parents[2]
HERE = [peer for peer in PEERS if peer.available()]


def table(name, rows=120, columns=3):
    try:
        return problems.table(name, rows, columns)
    except problems.Absent as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("name", problems.NAMES)
def test_a_problem_is_the_same_table_every_time(name):
    first, second = table(name), table(name)
    assert np.array_equal(first, second)
    assert first.shape == (120, 3)
    assert np.isfinite(first).all()


@pytest.mark.parametrize("name", problems.NAMES)
def test_a_table_is_column_major_and_safe_from_its_users(name):
    values = table(name)
    assert values.flags.f_contiguous
    assert not values.flags.writeable


@pytest.mark.parametrize("name", [name for name in problems.NAMES if name != "ties"])
def test_attributes_share_a_scale(name):
    values = table(name)
    assert np.abs(values.mean(axis=0)).max() < 1e-12
    deviation = values.std(axis=0)
    assert np.all((np.abs(deviation - 1) < 1e-12) | (deviation == 0))


def test_a_missing_file_is_said_to_be_missing(monkeypatch, tmp_path):
    monkeypatch.setenv(problems.FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(problems.Absent, match=r"census\.csv"):
        problems.table("census")


@pytest.mark.parametrize(
    "peer", [peer for peer in HERE if peer.answers("mdav")], ids=lambda peer: peer.name
)
@pytest.mark.parametrize("k", [1, 2, 7, 20])
def test_labels_of_every_adapter_satisfy_k(peer, k):
    if not peer.answers("mdav"):
        pytest.skip("forms no groups of several attributes")
    values = problems.table("normal", 60, 3)
    labels = peer.answer("mdav")(values, k)
    assert np.shape(labels) == (60,)
    sizes = np.unique(labels, return_counts=True)[1]
    assert sizes.min() >= k


@pytest.mark.parametrize("peer", HERE, ids=lambda peer: peer.name)
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=lambda kernel: kernel.name)
def test_every_competitor_gives_the_truths_answer(kernel, peer):
    if not peer.answers(kernel.name) or not peer.role.agreeing:
        pytest.skip("does not claim to")
    compared = 0
    for rows, k in ((8, 4), (9, 3), (60, 4), (120, 7)):
        arguments = kernel.arguments(table("microdata", rows), Case("microdata", k=k))
        truth = TRUTH.answer(kernel.name)(*arguments)
        assert kernel.agree(kernel.answer(*arguments), truth, *arguments)
        try:
            answer = peer.answer(kernel.name)(*arguments)
        except Declined:
            continue
        assert kernel.agree(answer, truth, *arguments)
        compared += 1
    assert compared >= 2


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=lambda kernel: kernel.name)
def test_a_wrong_answer_is_neither_same_nor_of_the_same_score(kernel):
    arguments = kernel.arguments(table("normal"), TINY)
    right = kernel.answer(*arguments)
    wrong = right * 1.001
    if isinstance(right, np.ndarray):
        wrong = right[np.random.default_rng(0).permutation(len(right))]
    assert not kernel.agree(wrong, right, *arguments)
    # Moved rows have the same sum, and a search may find other groups of lower loss.
    if kernel.name not in ("standardize", "refine"):
        assert kernel.score(wrong, *arguments) != pytest.approx(kernel.score(right, *arguments))


def test_a_search_that_raises_the_loss_has_no_score():
    kernel = KERNELS["refine"]
    X, labels, k = kernel.arguments(table("normal"), TINY)
    start = sum_of_squares(X, labels)
    assert kernel.score(start, X, labels, k) == 1.0
    assert math.isnan(kernel.score(1.001 * start, X, labels, k))


def test_groups_are_the_same_whatever_they_are_called():
    assert same_groups(np.array([7, 7, 2, 2]), np.array([0, 0, 1, 1]))
    assert not same_groups(np.array([0, 1, 0, 1]), np.array([0, 0, 1, 1]))


def test_groups_smaller_than_k_have_no_loss():
    values = table("normal", 4)
    assert math.isnan(loss_of_groups(np.array([0, 0, 0, 1]), values, 2))
    assert loss_of_groups(np.array([0, 0, 1, 1]), values, 2) < 1


def impostor(function, role=Role.PEER):
    module = type(sys)("impostor")
    module.available = lambda: True
    module.mdav = function
    return Peer("impostor", role, module)


def test_who_differs_gets_no_ratio():
    peer = impostor(one_group.mdav)
    found = race(KERNELS["mdav"], TINY, MACHINE, SHORT, (peer,))
    (result,) = found.results
    assert result.status is Status.DIFFERS
    assert result.ratio is None
    assert found.best_peer is None
    assert "impostor differs" in report.cells(found)[7]


def test_who_differs_on_large_problems_only_gets_no_ratio():
    def right_when_small(X, k):
        return numpy_arrays.mdav(X, k) if len(X) <= 300 else one_group.mdav(X, k)

    case = replace(TINY, rows=400)
    (result,) = race(KERNELS["mdav"], case, MACHINE, SHORT, (impostor(right_when_small),)).results
    assert result.status is Status.DIFFERS
    assert result.rows == 400
    assert result.ratio is None


def test_where_tokumei_differs_nothing_is_compared():
    kernel = replace(KERNELS["mdav"], answer=one_group.mdav)
    found = race(kernel, TINY, MACHINE, SHORT, HERE)
    assert found.status is Status.DIFFERS
    assert report.cells(found)[5:8] == ("differs", "differs", "differs")


def test_who_does_nothing_is_never_the_best_peer():
    peers = [peer for peer in HERE if peer.name in ("one group", "numpy")]
    found = race(KERNELS["mdav"], TINY, MACHINE, SHORT, peers)
    assert found.result("one group").ratio is not None
    assert found.best_peer.name == "numpy"


def test_who_declines_is_measured_where_it_still_can():
    def small_only(X, k):
        if len(X) > 300:
            msg = "too large"
            raise Declined(msg)
        return numpy_arrays.mdav(X, k)

    case = replace(TINY, rows=400)
    found = race(KERNELS["mdav"], case, MACHINE, SHORT, (impostor(small_only),))
    (result,) = found.results
    assert (result.rows, result.note) == (300, "too large")
    assert result.ratio > 0
    assert found.best_peer is None


def test_who_fails_does_not_end_the_run():
    def failing(X, k):
        msg = "broken"
        raise RuntimeError(msg)

    (result,) = race(KERNELS["mdav"], TINY, MACHINE, SHORT, (impostor(failing),)).results
    assert result.status is Status.FAILED
    assert "broken" in result.note


def test_who_is_too_slow_is_measured_on_fewer_rows():
    case = replace(TINY, rows=20_000)
    effort = replace(SHORT, affordable=0.02)
    (result,) = race(KERNELS["mdav"], case, MACHINE, effort, (TRUTH,)).results
    assert result.rows < 20_000
    assert "would take" in result.note
    assert result.ratio > 1


def test_absent_peers_are_named(monkeypatch):
    monkeypatch.setattr(numpy_arrays, "available", lambda: False)
    peers = tuple(peer for peer in PEERS if peer.name == "numpy")
    found = race(KERNELS["mdav"], TINY, MACHINE, SHORT, peers)
    run = report.Run("now", {}, MACHINE, peers, (found,), ())
    assert "numpy absent" in report.markdown(run)
    assert "numpy: absent, not installed" in report.notes(run)


def test_the_limit_of_mdav_is_three_scans_for_two_groups():
    values = problems.table("normal", 1_000, 8)
    reading = 3 * 1_000**2 / (4 * 5) * 64 / 1e9
    assert mdav_limit(replace(MACHINE, flops=1e15), values, 5) == pytest.approx(reading)
    near = Memory("near", 500 * 64, 4e9, "nothing")
    levels = replace(MACHINE, memories=(near, *MACHINE.memories), flops=1e15)
    # The last half of the records costs a quarter of the reading, and four times less from near.
    assert mdav_limit(levels, values, 5) == pytest.approx(reading * (3 / 4 + 1 / 16))


def test_best_keeps_the_answer_and_stops_at_the_effort():
    calls = []
    answer, timing = best(lambda: calls.append(1) or 7, Effort(3, 1.0, 1.0, shortest=0.0))
    assert answer == 7
    assert timing.repeats == len(calls) == 3
    calls.clear()
    best(lambda: calls.append(1), Effort(3, 0.0, 1.0, shortest=0.0))
    assert len(calls) == 1


def test_the_command_writes_ratios(tmp_path):
    environment = {**os.environ, "PYTHONPATH": "", problems.FOLDER_VARIABLE: str(tmp_path)}
    words = ["mdav", "--quick", "--rows", "80", "--problems", "normal,census"]
    words += ["--peers", "pure Python,one group,numpy"]
    done = subprocess.run(
        [sys.executable, "-m", "bench", *words, "--out", str(tmp_path / "new")],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    content = json.loads((tmp_path / "new" / "ratios.json").read_text())
    assert {found["problem"] for found in content["comparisons"]} == {"normal"}
    assert ["mdav, census: skipped" in line for line in content["skipped"]] == [True]
    for found in content["comparisons"]:
        assert found["rows"] == 80
        assert found["status"] == "measured"
        assert found["tokumei"]["cpu"] > 0
        assert found["pure_python"]["ratio"] > 0
        assert found["limit"]["share"] > 0
        assert {result["name"] for result in found["competitors"]} >= {"numpy", "one group"}
    text = (tmp_path / "new" / "ratios.md").read_text()
    assert text.count("\n| mdav |") == len(content["comparisons"])
    assert "| mdav |" in done.stdout


@pytest.mark.parametrize("words", ["nothing", "--peers nobody", "--problems none", "--rows 0"])
def test_wrong_words_are_refused(words, capsys):
    with pytest.raises(SystemExit, match="2"):
        command.arguments(words.split())
    assert capsys.readouterr().err


def test_asv_finds_every_kernel():
    names = " ".join(path.read_text() for path in (ROOT / "bench" / "benchmarks").glob("*.py"))
    assert all(f"def time_{name}(" in names for name in KERNELS)
