"""The order of rows is refused where it is no chance, and not once in a thousand releases else."""

import numpy as np
import pyarrow as pa
import pytest
from builders.datasets import folder_of, mask, people

from tokumei.batch import verdict


def seen(values):
    """What is seen of a file with one column of numbers."""
    known, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    centred = codes - codes.mean()
    square, rows = (centred**2).sum(), len(values)
    return {
        "rows": rows,
        "alike": int((values[1:] == values[:-1]).sum()),
        "alike_by_chance": float((counts * (counts - 1)).sum() / rows),
        "order": {
            "a": [abs((centred[1:] * centred[:-1]).sum()), square**2 / rows, (centred**2).max()]
        },
        "means": {"a": [rows, values.mean(), values.var(), known[0], known[-1]]},
    }


def passed(values, files):
    return verdict._order([seen(part) for part in np.array_split(values, files)]).passed


TABLES = {
    "normal": lambda rng: np.round(rng.normal(size=2000), 2),
    "three of a kind": lambda rng: (np.arange(2000) < 3).astype(float),
    "far out": lambda rng: rng.lognormal(0, 3, 2000),
}


@pytest.mark.parametrize("files", [2, 4, 40])
@pytest.mark.parametrize("kind", TABLES)
def test_no_shuffle_is_refused(kind, files):
    """Standard deviations alone refused up to 30 in ten thousand of these."""
    rng = np.random.default_rng(0)
    assert all(passed(rng.permutation(TABLES[kind](rng)), files) for _ in range(1000))


def test_equal_numbers_are_not_refused_for_what_rounding_makes_of_their_mean():
    rng = np.random.default_rng(0)
    for _ in range(200):
        number = rng.choice([0.1, 0.3, 1 / 3, 1e9 + 0.1])
        assert passed(np.full(rng.integers(100, 5000), number), rng.integers(2, 6))


@pytest.mark.parametrize("constant", [0.1, 1e9 + 0.1])
def test_a_constant_quasi_identifier_is_released(tmp_path, small, constant):
    table = people(1200).append_column("same", pa.array(np.full(1200, constant)))
    released = mask(
        folder_of(tmp_path / "in", table), tmp_path / "out", quasi=["age", "same"], drop="*"
    )
    assert released.audit["verdict"] == "released"


@pytest.mark.parametrize("files", [2, 4])
@pytest.mark.parametrize("kind", ["normal", "far out"])
def test_sorted_rows_are(kind, files):
    values = TABLES[kind](np.random.default_rng(0))
    assert not passed(np.sort(values), files)


def test_so_are_files_that_differ_though_rows_in_them_are_shuffled():
    rng = np.random.default_rng(0)
    values = np.sort(rng.normal(size=2000))
    assert not passed(
        np.concatenate([rng.permutation(half) for half in (values[::2], values[1::2] + 1)]), 2
    )
