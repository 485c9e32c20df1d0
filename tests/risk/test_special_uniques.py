"""Classes and special uniques: the oracle's, sdcMicro's, and what must not change them."""

import math
from collections import Counter

import numpy as np
import oracle
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk

KEYS = ["age", "workclass", "education", "marital.status", "race", "sex"]


@pytest.fixture
def adult(columns_of):
    """The sample that sdcMicro looked at, age in its classes; each borders on the next below."""
    columns = columns_of("sdcmicro/adult_5000.csv")
    age = np.array(columns["age"], dtype=int)
    return columns | {"age": np.searchsorted([0, 25, 35, 45, 55, 65, 100], age)}


@st.composite
def rows(draw, missing=True):
    columns = draw(st.integers(1, 5))
    cells = [st.integers(0, draw(st.integers(0, 6))) for _ in range(columns)]
    if missing:
        cells = [st.one_of(st.none(), cell) for cell in cells]
    return draw(st.lists(st.tuples(*cells), min_size=1, max_size=40))


def columns_of_rows(rows):
    return {f"c{j}": list(column) for j, column in enumerate(zip(*rows, strict=True))}


@given(rows())
def test_classes_are_the_groups_of_equal_rows(rows):
    sizes = Counter(rows).values()
    found = tk.risk.class_sizes(columns_of_rows(rows))
    assert found.counts == Counter(sizes)
    assert (found.records, found.classes) == (len(rows), len(sizes))
    assert (found.smallest, found.uniques) == (min(sizes), Counter(sizes)[1])
    assert found.below(3) == sum(size for size in sizes if size < 3)


def test_classes_of_many_wide_columns_do_not_collide():
    rng = np.random.default_rng(1)
    table = rng.integers(0, 2000, size=(3000, 9))
    table = np.vstack([table, table[:700]])
    found = tk.risk.class_sizes(table)
    assert found.counts == {1: 2300, 2: 700}


@given(rows(), st.integers(1, 5))
def test_minimal_uniques_are_those_of_the_oracle(rows, largest):
    expected = oracle.minimal_uniques(rows, largest)
    found = tk.risk.special_uniques(columns_of_rows(rows), largest=largest)
    counts = np.zeros((len(rows), found.largest), dtype=int)
    for record, columns in expected:
        counts[record, len(columns) - 1] += 1
    np.testing.assert_array_equal(found.counts, counts)
    assert found.sizes == tuple(counts.sum(axis=0))
    assert found.special == len({record for record, _ in expected})


@given(rows(), st.integers(1, 5), st.sampled_from(["elliot", "sdcmicro"]))
def test_scores_add_up_what_each_minimal_unique_weighs(rows, largest, score):
    d = len(rows[0])
    largest = min(largest, d)

    def weight(size):
        if score == "elliot":
            return math.prod(d - i for i in range(size, min(largest, d - 1) + 1))
        factorials = math.factorial(size) * math.factorial(d - size) / math.factorial(d)
        return (2 ** (d - size) - 1) * factorials

    scores, parts = np.zeros(len(rows)), np.zeros(d)
    for record, columns in oracle.minimal_uniques(rows, largest):
        scores[record] += weight(len(columns))
        parts[list(columns)] += weight(len(columns))
    found = tk.risk.special_uniques(columns_of_rows(rows), largest=largest, score=score)
    np.testing.assert_allclose(found.scores, scores, rtol=1e-12)
    shares = parts / scores.sum() if scores.sum() else parts
    np.testing.assert_allclose(list(found.contributions.values()), shares, rtol=1e-12)


def test_scores_of_adult_are_those_of_sdcmicro(adult, columns_of):
    told = columns_of("sdcmicro/adult_5000_suda2.csv")
    found = tk.risk.special_uniques(adult, KEYS, largest=6, fraction=0.01)
    np.testing.assert_array_equal(found.scores, np.array(told["score"], dtype=float))
    # sdcMicro's sampling fraction is a float of 32 bits.
    np.testing.assert_allclose(found.disclosure, np.array(told["disScore"], float), rtol=1e-6)


def test_classes_of_adult_are_those_of_sdcmicro(adult, columns_of):
    told = columns_of("sdcmicro/adult_5000_fk.csv")
    found = tk.risk.class_sizes(adult, KEYS)
    records = Counter(map(int, told["fk"]))
    assert found.counts == {size: count // size for size, count in records.items()}


def test_order_and_names_of_columns_and_records_change_nothing():
    rng = np.random.default_rng(2)
    table = rng.integers(0, [3, 9, 40, 200], size=(500, 4))
    turned, order = table[:, ::-1], rng.permutation(500)
    found, other = tk.risk.special_uniques(table), tk.risk.special_uniques(turned[order])
    np.testing.assert_array_equal(found.scores[order], other.scores)
    assert list(found.contributions.values()) == list(other.contributions.values())[::-1]


def test_a_dataframe_of_texts_gives_what_its_codes_give():
    codes = np.random.default_rng(3).integers(0, 5, size=(200, 3))
    frame = pd.DataFrame(codes, columns=list("abc")).map("x{}".format)
    assert tk.risk.class_sizes(frame) == tk.risk.class_sizes(codes)
    found = tk.risk.special_uniques(frame)
    np.testing.assert_array_equal(found.counts, tk.risk.special_uniques(codes).counts)
    assert "x1" not in str(found) + repr(found)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"quasi": "age"}, "quasi must be a list"),
        ({"quasi": ["age", "age"]}, "each once"),
        ({"quasi": ["nobody"]}, "quasi names 1 columns that table does not have"),
        ({"largest": 0}, "largest must be at least 1"),
        ({"score": "best"}, "score must be one of"),
        ({"fraction": 1.0}, "fraction must be above 0 and below 1"),
    ],
)
def test_what_cannot_be_asked_is_refused(options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        tk.risk.special_uniques({"age": [1, 2, 3]}, **options)


def test_a_search_beyond_memory_is_refused_before_it_begins():
    table = np.random.default_rng(4).integers(0, 2, size=(1000, 60))
    with pytest.raises(ValueError, match="largest must be smaller for 60 columns"):
        tk.risk.special_uniques(table, largest=30)
