"""Losses of tables of counts: direct, Cramer's V and ctbil."""

import itertools

import numpy as np
import oracle
import pytest
from assertions import SECRET, close, refused
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import category_columns

import tokumei as tk
from tokumei.loss.tables import counts


def test_thirties_and_fifties_among_ten_age_bands_are_a_fifth_apart():
    bands = [f"{decade}s" for decade in range(0, 100, 10)]
    assert tk.loss.direct(["30s"], ["50s"], order=bands) == 0.2


@given(category_columns())
def test_direct_comparison_is_the_plain_one(columns):
    before, after = columns
    assert tk.loss.direct(before, after) == float(oracle.direct(before, after))
    order = list("edxcba")
    true = oracle.direct(before, after, order)
    assert tk.loss.direct(before, after, order=order) == float(true)


@given(category_columns())
def test_cramers_v_is_the_plain_one(columns):
    a, b = columns
    close(tk.loss.cramers_v(a, b), oracle.cramers_v(a, b))


def test_independence_is_exactly_zero_and_a_relabelling_exactly_one():
    a = np.repeat(np.arange(7), 11 * 3)
    b = np.tile(np.repeat(np.arange(11), 3), 7)
    assert tk.loss.cramers_v(a, b) == 0.0
    assert tk.loss.cramers_v(a, [f"x{value}" for value in a]) == 1.0
    assert tk.loss.cramers_v(a, np.zeros(len(a))) == 0.0


@settings(max_examples=30)
@given(category_columns(3))
def test_the_matrix_holds_cramers_v_of_every_pair(columns):
    matrix = tk.loss.cramers_matrix(dict(zip("xyz", columns, strict=True)))
    for i, j in itertools.product(range(3), repeat=2):
        close(matrix[i, j], oracle.cramers_v(columns[i], columns[j]))


@given(category_columns(6), st.integers(1, 4))
def test_ctbil_is_the_sum_over_all_tables_of_counts(columns, max_order):
    original, masked = columns[:3], columns[3:]
    total, cells = oracle.ctbil(original, masked, min(max_order, 3))
    tables = [dict(zip("xyz", side, strict=True)) for side in (original, masked)]
    assert tk.loss.ctbil(*tables, max_order=max_order) == total
    assert tk.loss.ctbil(*tables, max_order=max_order, average=True) == float(total / cells)


@settings(max_examples=60)
@given(category_columns(3, most=15, categories="abcdef"), st.data())
def test_ctbil_spreads_merged_categories_over_their_members(columns, data):
    # Merged labels may be new or those of a member; whoever is not named stays what it is.
    targets = st.dictionaries(st.sampled_from("abc"), st.sampled_from(["A", "B", "a"]), min_size=1)
    mapping = data.draw(targets)
    mapping = {"a": "a", **mapping} if "a" in mapping.values() else mapping
    recodings = {0: mapping, 2: {"f": "F", "e": "F"}}
    masked = [
        [recodings.get(j, {}).get(value, value) for value in column]
        for j, column in enumerate(columns)
    ]
    # Another column is perturbed, and the records are shuffled and some lost.
    masked[1] = data.draw(st.permutations(masked[1]))
    kept = data.draw(st.integers(1, len(columns[0])))
    masked = [column[::-1][:kept] for column in masked]
    total, cells = oracle.ctbil(columns, masked, 3, recodings)
    before, after = dict(enumerate(columns)), dict(enumerate(masked))
    close(tk.loss.ctbil(before, after, max_order=3, recodings=recodings), total)
    found = tk.loss.ctbil(before, after, max_order=3, recodings=recodings, average=True)
    close(found, total / cells)


def test_spreading_a_recoding_loses_nothing_in_tables_of_one_column():
    rng = np.random.default_rng(3)
    x = rng.integers(0, 40, 10_000)
    recoding = {value: -1 - value // 7 for value in range(40)}
    masked = np.array([recoding[value] for value in x.tolist()])
    found = tk.loss.ctbil({"x": x}, {"x": masked}, recodings={"x": recoding})
    assert found == 0.0
    assert tk.loss.ctbil({"x": x}, {"x": masked}) == 20_000


def test_a_merged_category_without_members_in_the_original_is_a_cell_of_its_own():
    original, masked, recodings = [["x", "z"]], [["new", "z"]], {0: {"y": "new"}}
    total, cells = oracle.ctbil(original, masked, 1, recodings)
    tables = {0: original[0]}, {0: masked[0]}
    assert tk.loss.ctbil(*tables, recodings=recodings) == total == 2
    assert tk.loss.ctbil(*tables, recodings=recodings, average=True) == float(total / cells)


def test_more_combinations_than_whole_numbers_are_kept_apart():
    # Plain arithmetic on 64 bits would take rows 0 and 65,536 for the same combination.
    first = np.arange(2**17)
    other = first % 2**16
    keys, most = counts.combine([first, other, other, other], [2**17] + [2**16] * 3)
    assert len(counts.cells(keys, most)[0]) == 2**17


def test_combinations_are_counted_alike_in_place_and_sorted(monkeypatch):
    rng = np.random.default_rng(5)
    columns = {j: rng.integers(0, 50, 500) for j in range(4)}
    masked = {j: rng.permutation(column) for j, column in columns.items()}
    plain = tk.loss.ctbil(columns, masked, max_order=4), tk.loss.cramers_matrix(columns)
    monkeypatch.setattr(counts, "_DENSE", 0)
    monkeypatch.setattr(counts, "_MOST_KEYS", 60_000)  # makes keys wrap around into fewer
    assert tk.loss.ctbil(columns, masked, max_order=4) == plain[0]
    np.testing.assert_array_equal(tk.loss.cramers_matrix(columns), plain[1])


@pytest.mark.parametrize(
    ("order", "error", "words"),
    [
        (["a"], ValueError, "2 values that are not in the order given"),
        (["a", SECRET, SECRET], ValueError, "1 categories more than once"),
        (SECRET, TypeError, "order must be a sequence"),
        (7, TypeError, "order must be a sequence"),
    ],
)
def test_direct_refuses_a_bad_order(order, error, words):
    refused(error, words, tk.loss.direct, ["a", SECRET], ["a", SECRET], order=order)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"max_order": 0}, ValueError, "max_order must be at least 1"),
        ({"max_order": 1.5}, TypeError, "max_order must be a whole number"),
        ({"recodings": {"y": {}}}, ValueError, "recodings names 1 columns"),
        ({"recodings": {"x": []}}, TypeError, "must map old categories to new ones"),
        ({"recodings": {"x": {SECRET: "b"}}}, ValueError, "categories of 1 values that masked"),
        ({"recodings": {"x": {SECRET: []}}}, TypeError, "cannot be told apart"),
    ],
    ids=str,
)
def test_ctbil_refuses_bad_options(options, error, words):
    table = {"x": [SECRET, "a"]}
    refused(error, words, tk.loss.ctbil, table, table, **options)
