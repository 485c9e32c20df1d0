"""A slip of the pen in a user's program is found by a type checker, before any data are touched."""

import re
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np
import tokumei as tk

X = np.zeros((9, 2))
labels = tk.partition(X, 3, {partition})
again = tk.refine(X, labels, 3, {refine})
masked = tk.microaggregate(X, 3, {microaggregate})
masker = tk.Microaggregator(3, {estimator})
release = tk.release.mask({{}}, k=3, quasi=["a"], {mask})
verdict: str = release.audit[{verdict}]
"""
RIGHT = {
    "partition": 'method="mdav", effort="best"',
    "refine": 'effort=3.5, cost="absolute"',
    "microaggregate": 'method="npn", time_limit=2.0',
    "estimator": 'effort="fast"',
    "mask": 'effort="fast", missing="impute", kinds={"a": "nominal"}',
    "verdict": '"verdict"',
}
WRONG = {
    "partition": 'method="typo"',
    "refine": 'effort="bets"',
    "microaggregate": 'method="typo"',
    "estimator": 'effort="bets"',
    "mask": 'effort="bets", missing="imputed", kinds={"a": "nominl"}',
    "verdict": '"vredict"',
}


def complaints(tmp_path, words):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(**words))
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, program],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    return [int(line) for line in re.findall(r"program\.py:(\d+): error", done.stdout)], done.stdout


@pytest.mark.parametrize(("words", "lines"), [(RIGHT, set()), (WRONG, {6, 7, 8, 9, 10, 11})])
def test_a_word_that_is_no_choice_is_an_error_of_types(tmp_path, words, lines):
    pytest.importorskip("mypy")
    found, text = complaints(tmp_path, words)
    assert set(found) == lines, text
