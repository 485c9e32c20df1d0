"""Results are those of the table, on every instruction set, with one thread and with two."""

from __future__ import annotations

import re
from inspect import ismodule

import pytest

import tokumei as tk
from golden.case import Case, agree
from golden.cases import CASES, NOT_PINNED, RUNS, read, ways

TABLE = read()
PUBLIC = [
    f"tk.{name}" if room is tk else f"tk.{room.__name__.removeprefix('tokumei.')}.{name}"
    for room in (
        tk,
        tk.microaggregation,
        tk.loss,
        tk.bounds,
        tk.distances,
        tk.recode,
        tk.noise,
        tk.reconstruct,
        tk.release,
        tk.risk,
        tk.sql,
    )
    for name in room.__all__
    if not ismodule(getattr(room, name))
]


def named(path: str) -> object:
    """What a dotted name stands for."""
    found: object = tk
    for name in path.split(".")[1:]:
        found = getattr(found, name)
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.expression)
def test_a_result_is_the_one_in_the_table(case: Case, monkeypatch):
    for environment in ways(case):
        for variable, value in environment.items():
            monkeypatch.setenv(variable, value)
        found = case.run()
        assert agree(TABLE[case.expression], found, case.within), environment


def test_the_table_holds_every_case_once_and_nothing_else():
    assert list(TABLE) == [case.expression for case in CASES]


def test_every_public_name_is_pinned_or_says_why_not():
    called = set(re.findall(r"\btk(?:\.\w+)+", " ".join(case.expression for case in CASES)))
    called |= {path.rpartition(".")[0] for path in called}  # a class that is made by its methods
    pinned = {id(named(path)) for path in called}
    missing = [path for path in PUBLIC if id(named(path)) not in pinned]
    assert sorted(missing) == sorted(" ".join(NOT_PINNED.values()).split())


def test_a_changed_bit_is_a_difference():
    assert agree({"a": [0.1, "0x1p+0"]}, {"a": [0.1 + 1e-12, "0x1p+0"]})
    assert not agree({"a": [0.1, "0x1p+0"]}, {"a": [0.1, "0x1.0000000000001p+0"]})
    assert not agree([1.0, 1e-3], [1.0, 1e-3 + 1e-8])
    assert not agree({"a": 1}, {"a": 1, "b": 2})


def test_two_instruction_sets_or_more_are_compared_where_the_processor_has_them():
    assert len({tuple(run.items()) for run in RUNS}) == len(RUNS) >= 2
