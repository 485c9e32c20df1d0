"""The order of rows is refused where it is no chance, and not once in a thousand releases else."""

import numpy as np
import pytest

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
