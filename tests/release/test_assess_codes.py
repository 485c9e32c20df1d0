"""Numbers that are codes are proposed as categories; ages, counts and amounts are not."""

import numpy as np
import pyarrow as pa
import pytest

import tokumei as tk
from tokumei.release.assessment.formats import have_gaps

RNG = np.random.default_rng(4)
N = 600


def proposed(name, values):
    table = pa.table({name: values, "other": RNG.random(len(values))})
    return tk.release.assess(table).proposals[name]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("region", RNG.integers(1, 17, N)),  # by its name
        ("region", RNG.integers(1, 200, N)),  # of which there may be many
        ("sex", RNG.integers(1, 3, N)),
        ("age group", RNG.choice([1, 2, 9, 97], N)),  # by its gaps
    ],
)
def test_codes_are_categories(name, values):
    found = proposed(name, values)
    assert (found.role, found.kind) == ("quasi", "nominal")
    assert "by its name" in found.reason


@pytest.mark.parametrize(
    "values",
    [RNG.integers(18, 90, N), RNG.integers(18, 26, N), 5 * RNG.integers(4, 18, N)],
    ids=["years", "students", "fives"],
)
def test_ages_are_numbers(values):
    assert proposed("age", values).kind is None


def test_what_is_not_masked_gets_no_kind_but_a_word():
    found = proposed("thing", RNG.choice([11, 12, 25, 60], N))
    assert (found.role, found.kind) == ("other", None)
    assert "as in codes" in found.reason


@pytest.mark.parametrize(
    ("values", "gaps"),
    [
        ([1, 2], True),
        ([1, 2, 3, 4], False),
        ([10, 20, 30, 40], False),
        ([1, 2, 25, 36], True),
        ([1, 2, 3, 4, 97], True),
        ([7], False),
        (list(range(40)), False),
    ],
)
def test_gaps_are_those_between_few_numbers(values, gaps):
    assert have_gaps(np.repeat(np.array(values, dtype=float), 20)) is gaps
    assert not have_gaps(np.array(values, dtype=float))  # a sample has gaps anyway


@pytest.mark.parametrize(
    ("file", "codes", "numbers"),
    [
        ("free1.csv", {"REGION", "SEX", "MARSTAT"}, {"AGE"}),
        ("testdata.csv", {"sex", "relat", "urbrur"}, {"age"}),
    ],
)
def test_codes_of_survey_files_are_found(file, codes, numbers, reference_path):
    found = tk.release.assess(reference_path(file)).proposals
    assert {name for name in codes if found[name].kind == "nominal"} == codes
    assert not {name for name in numbers if found[name].kind}
