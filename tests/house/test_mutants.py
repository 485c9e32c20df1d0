"""The lists of mutants fit the code as it stands: each fault has its one place."""

import ast

import pytest
from mutants.mutant import REPOSITORY, mutants

ALL = mutants()


def test_there_are_mutants_enough():
    assert len(ALL) >= 150


@pytest.mark.parametrize("mutant", ALL, ids=lambda mutant: mutant.name)
def test_a_mutant_has_one_place_and_somebody_who_looks_for_it(mutant):
    changed = mutant.applied(mutant.path.read_text(encoding="utf-8"))
    assert mutant.replace != mutant.find
    assert mutant.tests or mutant.room
    assert all((REPOSITORY / "tests" / path).exists() for path in mutant.tests)
    if not mutant.room:
        ast.parse(changed)
