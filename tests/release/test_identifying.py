"""No released column tells whose a record is: by its identifier, or by what follows from it."""

import hashlib

import numpy as np
import pytest
from builders.made import FEW, ROWS, failures, people

TOLD = "no column tells an identifier"

TELLING = {
    "equals": lambda names: {"job": names},
    "equals under other letters": lambda names: {"job": [f" {name.upper()} " for name in names]},
    "equals in some rows": lambda names: {"job": [*names[:9], *["cook"] * (len(names) - 9)]},
    "holds": lambda names: {"note": [f"spoke with {name} today" for name in names]},
    "holds in one row": lambda names: {"note": [f"ask {names[0]}", *["none"] * (len(names) - 1)]},
    "is a digest of": lambda names: {
        "note": [hashlib.sha256(name.encode()).hexdigest() for name in names]
    },
    "stands in the order of": lambda names: {
        "note": [f"{sorted(names).index(name):04d}" for name in names]
    },
}


@pytest.mark.parametrize("kind", FEW)
@pytest.mark.parametrize("how", TELLING)
def test_a_column_that_tells_the_identifier_is_refused(tmp_path, kind, how):
    columns = people() | TELLING[how](people()["name"])
    found = failures(columns, kind, tmp_path)
    assert list(found) == [TOLD]
    assert any(verb in found[TOLD] for verb in ("equals", "holds", how))
    assert "identifier 'name'" in found[TOLD]


@pytest.mark.parametrize("kind", ["arrow", ".csv"])
def test_a_number_that_is_the_identifier_is_refused(tmp_path, kind):
    numbers = [int(n) for n in np.random.default_rng(1).permutation(90000)[:ROWS] + 10000]
    same = people() | {"name": numbers, "job": numbers}
    assert "equals" in failures(same, kind, tmp_path)[TOLD]
    moved = people() | {"name": numbers, "job": [5 + 3 * n for n in numbers]}
    assert "stands in the order of" in failures(moved, kind, tmp_path)[TOLD]
    inside = people() | {"name": numbers, "note": [f"case {n}, closed" for n in numbers]}
    assert "holds" in failures(inside, kind, tmp_path)[TOLD]


@pytest.mark.parametrize("kind", ["arrow", ".csv"])
def test_a_pseudonym_of_a_person_with_several_records_is_refused(tmp_path, kind):
    who = np.random.default_rng(3).integers(0, 60, ROWS)
    columns = people() | {
        "name": [f"Person{i}" for i in who],
        "note": [f"x{7 * i % 61}" for i in who],
    }
    assert "determines" in failures(columns, kind, tmp_path)[TOLD]


def test_a_household_may_be_that_of_a_shared_identifier(tmp_path):
    home = (np.arange(ROWS) // 3).tolist()
    columns = people() | {"name": [f"Street {7 * i % 83}" for i in home], "note": home}
    roles = {"household": "note", "other": ["job"]}
    assert failures(columns, "arrow", tmp_path, **roles) == {}


def test_different_numbers_do_not_stand_in_the_order_of_what_all_share(tmp_path):
    numbers = [float(n) for n in np.random.default_rng(4).permutation(ROWS)]
    columns = people() | {"name": ["The Clinic"] * ROWS, "note": numbers}
    assert TOLD not in failures(columns, "arrow", tmp_path)


@pytest.mark.parametrize("shape", [lambda n: [n, None], lambda n: {"a": n, "b": "x"}])
def test_lists_and_records_are_asked_too(tmp_path, shape):
    order = np.random.default_rng(5).permutation(ROWS)
    harmless = people() | {"note": [shape(int(n)) for n in order]}
    assert failures(harmless, ".parquet", tmp_path) == {}
    places = np.argsort(np.argsort(people()["name"]))
    telling = people() | {"note": [shape(1000 + int(n)) for n in places]}
    assert "stands in the order of" in failures(telling, ".parquet", tmp_path)[TOLD]


def test_identifiers_too_short_to_be_looked_for_in_texts_are_compared_whole(tmp_path):
    names = [f"{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(ROWS)]
    columns = people() | {"name": names, "job": [*names[:9], *["cook"] * (ROWS - 9)]}
    assert "equals" in failures(columns, "arrow", tmp_path)[TOLD]
