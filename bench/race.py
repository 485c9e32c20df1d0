"""One case: everyone answers, answers are compared, and only then the clock counts.

A competitor is first called on a small problem, where its answer must be the truth's (this also
lets it compile). It is then taken to the largest number of rows that it can afford, four times as
many at a step, and measured there beside tokumei at the same number of rows; at that size both must
reach the same score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Any

from bench import problems
from bench.kernel import Case, Kernel, close
from bench.limits import Machine
from bench.measure import Effort, Timing, best, seconds
from bench.peers import PEERS, TRUTH, Peer, Role
from bench.peers.declined import Declined

SMALL = 300
STEP = 4  # times as many rows


class Status(StrEnum):
    MEASURED = "measured"
    DIFFERS = "differs"
    ABSENT = "absent"
    DECLINED = "declined"
    FAILED = "failed"


@dataclass(frozen=True)
class Result:
    """One competitor at one case, beside tokumei at as many rows."""

    name: str
    role: Role
    status: Status
    rows: int
    note: str = ""
    timing: Timing | None = None
    tokumei: Timing | None = None
    score: float | None = None
    loss: float | None = None  # a rival's: how many times tokumei's

    @property
    def ratio(self) -> float | None:
        """How many times longer than tokumei it takes; nothing where answers differ."""
        if self.status is not Status.MEASURED or not self.timing or not self.tokumei:
            return None
        return self.timing.cpu / self.tokumei.cpu


@dataclass(frozen=True)
class Comparison:
    """One case: tokumei, everyone else and the machine."""

    kernel: str
    case: Case
    rows: int
    columns: int
    status: Status  # differs: tokumei's answer is not the truth's
    tokumei: Timing
    score: float
    limit: float
    results: tuple[Result, ...]

    @property
    def limit_share(self) -> float:
        """How much of the machine's limit tokumei reaches: 1 is all."""
        return self.limit / self.tokumei.cpu

    def result(self, name: str) -> Result | None:
        return next((result for result in self.results if result.name == name), None)

    @property
    def best_peer(self) -> Result | None:
        """The fastest that gave the right answer at the full size."""
        able = [
            result
            for result in self.results
            if result.role is Role.PEER and result.rows == self.rows and result.ratio is not None
        ]
        return min(able, key=lambda result: result.ratio or math.inf, default=None)


def race(
    kernel: Kernel, case: Case, machine: Machine, effort: Effort, peers: Iterable[Peer] = PEERS
) -> Comparison:
    """Run one case. Raises problems.Absent where its data are not here."""
    course = _Course(kernel, case, effort)
    timing, score = course.tokumei(course.rows)
    right = course.agrees(kernel.answer) and not math.isnan(score)
    arguments = course.arguments(course.rows)
    entered = [peer for peer in peers if peer.answers(kernel.name)] if right else []
    return Comparison(
        kernel=kernel.name,
        case=case,
        rows=course.rows,
        columns=arguments[0].shape[1],
        status=Status.MEASURED if right else Status.DIFFERS,
        tokumei=timing,
        score=score,
        limit=kernel.limit(machine, *arguments),
        results=tuple(course.run(peer) for peer in entered),
    )


class _Course:
    """What one case is run on, and tokumei's times there: made once, the same for everyone."""

    def __init__(self, kernel: Kernel, case: Case, effort: Effort) -> None:
        self.kernel, self.case, self.effort = kernel, case, effort
        self.rows = problems.rows_of(case.problem, case.rows)
        self.small = min(self.rows, max(SMALL, 3 * (case.k or 1)))
        self.arguments = cache(self._arguments)
        self.tokumei = cache(self._tokumei)
        self.truth = cache(lambda: TRUTH.answer(kernel.name)(*self.arguments(self.small)))

    def _arguments(self, rows: int) -> tuple[Any, ...]:
        table = problems.table(self.case.problem, rows, self.case.columns)
        return self.kernel.arguments(table, self.case)

    def _tokumei(self, rows: int) -> tuple[Timing, float]:
        answer, timing = self.clocked(self.kernel.answer, rows)
        return timing, self.kernel.score(answer, *self.arguments(rows))

    def clocked(
        self, function: Callable[..., Any], rows: int, effort: Effort | None = None
    ) -> tuple[Any, Timing]:
        arguments = self.arguments(rows)
        return best(lambda: function(*arguments), effort or self.effort)

    def agrees(self, function: Callable[..., Any]) -> bool:
        arguments = self.arguments(self.small)
        return self.kernel.agree(function(*arguments), self.truth(), *arguments)

    def run(self, peer: Peer) -> Result:
        if not peer.available():
            return Result(peer.name, peer.role, Status.ABSENT, self.rows, "not installed")
        try:
            return self._run(peer, peer.answer(self.kernel.name))
        except Declined as reason:
            return Result(peer.name, peer.role, Status.DECLINED, self.rows, str(reason))
        except Exception as error:  # whatever others raise is their result, not our end
            note = f"{type(error).__name__}: {error}"
            return Result(peer.name, peer.role, Status.FAILED, self.rows, note)

    def _run(self, peer: Peer, function: Callable[..., Any]) -> Result:
        if peer.role.agreeing and not self.agrees(function):
            note = f"not the truth's answer on {self.small:,} rows"
            return Result(peer.name, peer.role, Status.DIFFERS, self.rows, note)
        rows, answer, timing, note = self._climb(function)
        score = self.kernel.score(answer, *self.arguments(rows))
        tokumei, right_score = self.tokumei(rows)
        status, loss = Status.MEASURED, None
        if peer.role.agreeing and not close(score, right_score):
            status, note = Status.DIFFERS, f"score {score:.9g}, tokumei {right_score:.9g}"
        if peer.role is Role.RIVAL:
            loss = score / right_score
            if math.isnan(loss):
                status, note = Status.DIFFERS, "groups smaller than k"
        return Result(peer.name, peer.role, status, rows, note, timing, tokumei, score, loss)

    def _climb(self, function: Callable[..., Any]) -> tuple[int, Any, Timing, str]:
        """The most rows it can do within the effort, its answer and time, and why not more."""
        rows, note, growth = self.small, "", float(STEP**2)  # of time; quadratic until known
        answer, timing = self.clocked(function, rows)
        while rows < self.rows:
            # A last step below two is not worth stopping for.
            following = self.rows if self.rows < 2 * STEP * rows else STEP * rows
            steps = math.log(following / rows, STEP)
            expected = timing.cpu * growth**steps
            if expected > self.effort.affordable:
                note = f"{following:,} rows would take about {seconds(expected)}"
                break
            try:
                effort = self.effort if following == self.rows else replace(self.effort, repeats=1)
                answer, after = self.clocked(function, following, effort)
            except Declined as reason:
                note = str(reason)
                break
            growth = max(float(STEP), (after.cpu / timing.cpu) ** (1 / steps))
            rows, timing = following, after
        if note:
            answer, timing = self.clocked(function, rows)
        return rows, answer, timing, note
