"""Every method, definition and number of the five papers has a test; ``rows.txt`` says which.

A row is named in the papers' words and leads to a test of this suite by folder and name.
"""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
LINES = [
    line.strip()
    for line in Path(__file__).with_name("rows.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]
ROWS = dict(zip(LINES[::2], LINES[1::2], strict=True))


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_its_test(row):
    path, name = ROWS[row].split("::")
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
    found = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert name in found, f"{path} has no {name}"
    asserts = [n for n in ast.walk(found[name]) if isinstance(n, ast.Assert | ast.Call)]
    assert asserts


def test_rows_are_many_and_named_once():
    assert len(ROWS) == len(LINES) // 2 >= 70


def test_no_test_stands_for_more_than_two_rows():
    tests = list(ROWS.values())
    assert max(map(tests.count, tests)) <= 2
