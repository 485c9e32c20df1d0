"""The loss measures say what the plain truth says, for every kind of column."""

import itertools
import math
import re
from fractions import Fraction

import numpy as np
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import tables_and_labels

import tokumei as tk
from tokumei.loss.tables import counts

SECRET = "secret-value"

TREE = {
    "a11": "a1", "a12": "a1", "a21": "a2", "a22": "a2", "a23": "a2", "a1": "a", "a2": "a",
    "b1": "b", "a": None, "b": "b",
}  # fmt: skip
NODES = ["a11", "a12", "a21", "a22", "a23", "a1", "a2", "a", "b1", "b"]


def close(found, true):
    assert found == pytest.approx(float(true), rel=1e-12, abs=1e-12)


@st.composite
def category_columns(draw, count=2, most=30, categories="abcde"):
    """Several columns of one length with few categories each."""
    rows = draw(st.integers(1, most))
    column = st.lists(st.sampled_from(categories), min_size=rows, max_size=rows)
    return [draw(column) for _ in range(count)]


@st.composite
def nodes_and_labels(draw):
    rows = draw(st.integers(1, 20))
    nodes = draw(st.lists(st.sampled_from(NODES), min_size=rows, max_size=rows))
    return nodes, draw(st.lists(st.integers(0, rows - 1), min_size=rows, max_size=rows))


# --- groups -------------------------------------------------------------------------------------


def test_one_odd_record_in_three_of_four_groups_costs_three_twentieths():
    classes = ["o"] * 5 + (["o"] * 4 + ["t"]) + (["t"] * 4 + ["o"]) + (["o"] + ["t"] * 4)
    assert tk.loss.cm(classes, np.repeat([0, 1, 2, 3], 5)) == 3 / 20


@given(category_columns(1), st.data())
def test_cm_is_the_share_outside_the_majority_or_suppressed(columns, data):
    (classes,) = columns
    n = len(classes)
    labels = data.draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
    suppressed = data.draw(st.none() | st.lists(st.booleans(), min_size=n, max_size=n))
    true = oracle.cm(classes, labels, suppressed)
    assert tk.loss.cm(classes, labels, suppressed) == float(true)


def test_suppressed_records_cost_one_each_and_have_no_say():
    assert tk.loss.cm(["a", "b"], [0, 0], [True, True]) == 1.0
    assert tk.loss.cm(["a", "b", "b"], [0, 0, 0], [False, True, True]) == 2 / 3


@pytest.mark.parametrize(("sizes", "cost"), [((4, 4), 32), ((1, 3, 4), 33), ((8,), 64)])
def test_dm_of_the_worked_examples(sizes, cost):
    assert tk.loss.dm(np.repeat(np.arange(len(sizes)), sizes), 3) == cost


@given(tables_and_labels(), st.data())
def test_dm_is_the_plain_sum(case, data):
    _, labels = case
    k = data.draw(st.integers(1, len(labels)))
    found = tk.loss.dm(labels, k)
    assert found == oracle.dm(labels.tolist(), k)
    assert isinstance(found, int)


# --- ncp ----------------------------------------------------------------------------------------


@given(tables_and_labels())
def test_ncp_of_numbers_is_the_share_of_the_range(case):
    X, labels = case
    true = [oracle.ncp_of_groups(column, labels.tolist(), numeric=True) for column in X.T.tolist()]
    close(tk.loss.ncp(X, labels), sum(true))
    weights = np.arange(1.0, X.shape[1] + 1)
    weighted = sum(Fraction(w) * each for w, each in zip(weights, true, strict=True))
    close(tk.loss.ncp(X, labels, weights=weights), weighted)
    found = tk.loss.ncp(X, labels, weights=dict(enumerate(weights)), average=True)
    close(found, weighted / Fraction(weights.sum()) / len(X))
    assert 0 <= found <= 1


@given(nodes_and_labels())
def test_ncp_with_a_hierarchy_counts_leaves_below_the_common_ancestor(case):
    nodes, labels = case
    found = tk.loss.ncp({"v": nodes}, labels, hierarchies={"v": TREE})
    close(found, oracle.ncp_of_groups(nodes, labels, TREE))
    close(tk.loss.ncp({"v": nodes}, labels), oracle.ncp_of_groups(nodes, labels))


@given(nodes_and_labels(), st.data())
def test_ncp_of_published_nodes_counts_leaves_below_them(case, data):
    nodes, _ = case
    published = [data.draw(st.sampled_from(NODES)) for _ in nodes]
    true = sum(
        oracle.leaf_share(TREE, after)
        for before, after in zip(nodes, published, strict=True)
        if before != after
    )
    found = tk.loss.ncp({"v": nodes}, masked={"v": published}, hierarchies={"v": TREE})
    close(found, true)


@given(tables_and_labels(max_columns=1), st.booleans())
def test_ncp_of_groups_is_that_of_the_intervals_or_sets_they_publish(case, as_sets):
    X, labels = case
    x = X[:, 0]
    groups = [x[labels == label] for label in labels]
    numbers = [set(g.tolist()) if as_sets else (float(g.min()), float(g.max())) for g in groups]
    found = tk.loss.ncp({"x": x}, masked={"x": numbers})
    assert found == pytest.approx(tk.loss.ncp({"x": x}, labels), abs=1e-12)
    sets = [set(group.tolist()) for group in groups]
    found = tk.loss.ncp({"x": x}, masked={"x": sets}, kinds={"x": "category"})
    of_groups = tk.loss.ncp({"x": x}, labels, kinds={"x": "category"})
    assert found == pytest.approx(of_groups, abs=1e-12)


def test_ncp_takes_intervals_of_every_make_and_cuts_them_to_the_attribute():
    ages = {"age": [20, 30, 50, 60]}
    cells = [(10, 30), [25, 35], pd.Interval(50, 60), (55, math.inf)]
    close(tk.loss.ncp(ages, masked={"age": cells}), 10 / 40 + 10 / 40 + 10 / 40 + 5 / 40)
    close(tk.loss.ncp(ages, masked={"age": [20, 31, (40, 40), {50, 60}]}), 10 / 40)
    close(tk.loss.ncp(ages, masked={"age": [(0, 10), 30, (70, 99), (10, 99)]}), 1)
    assert tk.loss.ncp(ages, masked={"age": [99.0, 1.0, 2.0, 3.0]}) == 0.0
    frame = pl.DataFrame({"age": [[20, 30], [30, 50], [50, 50], [60, 60]]})
    close(tk.loss.ncp(ages, masked=frame), 10 / 40 + 20 / 40)


def test_ncp_of_a_constant_attribute_is_nothing():
    assert tk.loss.ncp([[1.0], [1.0]], [0, 0]) == 0.0
    assert tk.loss.ncp([[1.0], [1.0]], masked={0: [(0, 9), (0, 9)]}) == 0.0


def test_the_mapping_of_a_recoding_is_a_hierarchy():
    mapping = {"farm": "field", "wood": "field", "shop": "shop"}
    jobs = {"job": ["farm", "wood", "shop"]}
    published = {"job": ["field", "field", "shop"]}
    found = tk.loss.ncp(jobs, masked=published, hierarchies={"job": mapping})
    close(found, 4 / 3)
    # No common ancestor: all that is published is that it is a job.
    assert tk.loss.ncp(jobs, [0, 1, 0], hierarchies={"job": mapping}) == 2.0


def test_a_deep_hierarchy_is_no_trouble():
    chain = {level: level + 1 for level in range(5_000)} | {-1: 5_000}
    close(tk.loss.ncp({"v": [0, -1]}, [0, 0], hierarchies={"v": chain}), 2.0)


# --- entropy ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "n"), [(2, 1), (2, 2), (3, 5), (7, 4), (10, 100)])
def test_groups_of_k_among_nk_distinct_values_lose_log_k_of_log_nk(k, n):
    found = tk.loss.entropy(np.arange(n * k) * 1.5, np.repeat(np.arange(n), k))
    assert found == pytest.approx(math.log(k) / math.log(n * k), rel=1e-15)


@given(category_columns())
def test_entropy_is_the_plain_one(columns):
    before, after = columns
    there = oracle.entropy(before)
    if len(set(before)) == 1:
        with pytest.raises(ValueError, match="no information to lose"):
            tk.loss.entropy(before, after)
    else:
        close(tk.loss.entropy(before, after), (there - oracle.entropy(after)) / there)


@given(category_columns())
def test_ebil_of_counted_transitions_is_the_plain_one(columns):
    before, after = columns
    chances = {
        old: {
            new: sum(a == old and b == new for a, b in zip(before, after, strict=True))
            / before.count(old)
            for new in set(after)
        }
        for old in set(before)
    }
    true = oracle.ebil(before, after, chances)
    close(tk.loss.ebil(before, after), true)
    close(tk.loss.ebil(before, after, chances), true)


def test_ebil_of_a_recoding_is_the_entropy_within_what_was_merged():
    before = ["farm"] * 5 + ["wood"] * 2 + ["shop"] * 3
    after = ["field"] * 7 + ["shop"] * 3
    within = 7 * oracle.entropy(["farm"] * 5 + ["wood"] * 2)
    close(tk.loss.ebil(before, after), within)
    zero_one = {"farm": {"field": 1}, "wood": {"field": 1}, "shop": {"shop": 1}}
    close(tk.loss.ebil(before, after, zero_one), within)
    assert tk.loss.ebil(before, before) == 0.0


@given(category_columns(categories="abc"), st.integers(0, 2**32 - 1))
def test_ebil_of_a_given_matrix_is_bayes_rule(columns, seed):
    before, after = columns
    matrix = np.random.default_rng(seed).dirichlet(np.ones(3), size=3)
    chances = {
        old: dict(zip("abc", row, strict=True)) for old, row in zip("abc", matrix, strict=True)
    }
    true = oracle.ebil(before, after, chances)
    close(tk.loss.ebil(before, after, matrix, categories="abc"), true)
    close(tk.loss.ebil(before, after, chances), true)


# --- categories ---------------------------------------------------------------------------------


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


# --- numbers ------------------------------------------------------------------------------------


@st.composite
def two_tables(draw):
    X, _ = draw(tables_and_labels(max_rows=30, max_columns=4))
    seed = draw(st.integers(0, 2**32 - 1))
    noise = np.random.default_rng(seed).normal(size=X.shape) * draw(st.sampled_from([0, 0.1, 3]))
    return X, X + noise


@given(two_tables())
def test_il1s_is_the_plain_mean(case):
    X, Y = case
    true = [oracle.scaled_distance(x, y) for x, y in zip(X.T, Y.T, strict=True)]
    assert tk.loss.il1s(X, Y) == pytest.approx(sum(true) / len(true), rel=1e-12)


@given(two_tables())
def test_changes_of_means_and_variances_are_the_exact_ones(case):
    X, Y = case
    found = tk.loss.moments(X, Y)
    for j, (x, y) in enumerate(zip(X.T, Y.T, strict=True)):
        (mean, variance), (new_mean, new_variance) = map(oracle.exact_moments, (x, y))
        if variance:
            assert found.means[j] == pytest.approx(
                float(new_mean - mean) / math.sqrt(variance), rel=1e-9, abs=1e-12
            )
            assert found.variances[j] == pytest.approx(
                float(new_variance / variance) - 1, rel=1e-9, abs=1e-12
            )
        else:
            assert found.means[j] in (0.0, math.inf, -math.inf)
            assert found.variances[j] == (math.inf if new_variance else 0.0)


@given(two_tables())
def test_changes_of_correlations_and_eigenvalues_are_the_plain_ones(case):
    X, Y = case
    varied = [j for j in range(X.shape[1]) if np.ptp(X[:, j]) > 0]
    found = tk.loss.moments(X, Y)
    if not varied:
        assert (found.covariances, found.correlations, found.eigenvalues) == (0, 0, 0)
        return
    before, after = oracle.correlations(X[:, varied]), oracle.correlations(Y[:, varied])
    pairs = list(itertools.combinations(range(len(varied)), 2))
    turned = [abs(after[pair] - before[pair]) for pair in pairs]
    assert found.correlations == pytest.approx(sum(turned) / max(len(pairs), 1), abs=1e-12)
    old, new = np.linalg.eigvalsh(before), np.linalg.eigvalsh(after)
    changes = [abs(a - b) / a for a, b in zip(old, new, strict=True) if a > 1e-10 * len(old)]
    assert found.eigenvalues == pytest.approx(sum(changes), rel=1e-6, abs=1e-6)


def test_covariances_are_counted_in_original_standard_deviations():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3)) @ rng.normal(size=(3, 3)) + 1e6
    Y = X + rng.normal(size=X.shape)
    unit = np.outer(X.std(axis=0), X.std(axis=0))
    moved = np.abs(np.cov(Y.T, bias=True) - np.cov(X.T, bias=True)) / unit
    expected = moved[np.triu_indices(3, 1)].mean()
    assert tk.loss.moments(X, Y).covariances == pytest.approx(expected, rel=1e-6)


def test_a_constant_attribute_that_changed_lost_without_measure():
    assert tk.loss.il1s([[1.0], [1.0]], [[1.0], [2.0]]) == math.inf
    assert tk.loss.il1s([[1.0], [1.0]], [[1.0], [1.0]]) == 0.0
    found = tk.loss.moments([[1.0], [1.0]], [[0.0], [0.0]])
    assert (found.means, found.variances, found.eigenvalues) == ((-math.inf,), (0.0,), 0.0)


# --- every kind of column -----------------------------------------------------------------------

WORDS = ["b", "a", "b", "c", "a", "b"]
OTHER = ["b", "a", "a", "c", "a", "c"]
MAKERS = {
    "list": list,
    "tuple": tuple,
    "numpy text": np.array,
    "numpy objects": lambda values: np.array(values, dtype=object),
    "numpy strings": lambda values: np.array(values, dtype=np.dtypes.StringDType()),
    "pandas": pd.Series,
    "pandas objects": lambda values: pd.Series(values, dtype=object),
    "pandas categorical": lambda values: pd.Series(pd.Categorical(values, categories=list("dcba"))),
    "pandas index": pd.Index,
    "polars": pl.Series,
    "polars categorical": lambda values: pl.Series(values, dtype=pl.Categorical),
    "polars enum": lambda values: pl.Series(values, dtype=pl.Enum(list("dcba"))),
    "arrow": pa.array,
    "arrow chunks": lambda values: pa.chunked_array([values[:2], values[2:]]),
    "arrow dictionary": lambda values: pa.DictionaryArray.from_arrays(
        pa.array(["dcba".index(value) for value in values]), pa.array(list("dcba"))
    ),
    "arrow dictionary chunks": lambda values: pa.chunked_array(
        [pa.array(values[:2]).dictionary_encode(), pa.array(values[2:]).dictionary_encode()]
    ),
}


@pytest.mark.parametrize("after", MAKERS.values(), ids=MAKERS)
@pytest.mark.parametrize("before", MAKERS.values(), ids=MAKERS)
def test_columns_of_any_make_are_told_alike(before, after):
    before, after = before(WORDS), after(OTHER)
    assert tk.loss.direct(before, after) == 1 / 3
    close(tk.loss.entropy(before, after), tk.loss.entropy(WORDS, OTHER))
    close(tk.loss.ebil(before, after), tk.loss.ebil(WORDS, OTHER))
    close(tk.loss.cramers_v(before, after), oracle.cramers_v(WORDS, OTHER))
    close(tk.loss.ncp({"v": before}, [0, 0, 0, 1, 1, 1]), 3 * 2 / 3 + 3 * 1)
    assert tk.loss.cm(before, [0, 0, 0, 1, 1, 1]) == oracle.cm(WORDS, [0, 0, 0, 1, 1, 1])


NUMBERS = {
    "list": list,
    "int": np.array,
    "float32": lambda values: np.array(values, dtype=np.float32),
    "objects": lambda values: np.array(values, dtype=object),
    "pandas": pd.Series,
    "pandas nullable": lambda values: pd.Series(values, dtype="Int64"),
    "pandas arrow": lambda values: pd.Series(values, dtype="int64[pyarrow]"),
    "polars": pl.Series,
    "polars decimal": lambda values: pl.Series(values).cast(pl.Decimal(10, 2)),
    "arrow": pa.array,
    "arrow chunks": lambda values: pa.chunked_array([values[:1], values[1:]]),
}


@pytest.mark.parametrize("make", NUMBERS.values(), ids=NUMBERS)
def test_numbers_of_any_make_are_told_alike(make):
    x, y = [1, 2, 3, 4], [1, 1, 4, 4]
    tables = {"x": make(x)}, {"x": make(y)}
    assert tk.loss.il1s(*tables) == tk.loss.il1s(np.array(x)[:, None], np.array(y)[:, None])
    assert tk.loss.ncp(tables[0], [0, 0, 1, 1]) == pytest.approx(4 / 3)
    assert tk.loss.compare(*tables)["x"].kind == "number"
    assert tk.loss.direct(make(x), y) == 0.5
    assert tk.loss.direct(np.array(x, dtype=float), make(y)) == 0.5


@pytest.mark.parametrize(
    "make",
    [
        dict,
        pd.DataFrame,
        pl.DataFrame,
        pa.table,
        lambda columns: np.array(list(zip(*columns.values(), strict=True)), dtype=object),
        lambda columns: list(zip(*columns.values(), strict=True)),
        lambda columns: np.array(
            list(zip(*columns.values(), strict=True)), dtype=[("x", "i8"), ("w", "U9")]
        ),
    ],
    ids=["dict", "pandas", "polars", "arrow", "objects", "rows", "structured"],
)
def test_tables_of_any_make_are_told_alike(make):
    before = {"x": [1, 2, 3, 4, 5, 6], "w": WORDS}
    after = {"x": [1, 1, 3, 3, 5, 5], "w": OTHER}
    assert tk.loss.ctbil(make(before), make(after)) == tk.loss.ctbil(before, after)
    found = tk.loss.compare(make(before), make(after))
    assert [one.kind for one in found.attributes] == ["number", "category"]


def test_whole_numbers_beyond_float_precision_stay_apart():
    x = np.array([2**60, 2**60 + 1, 5])
    assert tk.loss.direct(x, x.astype(float)) == 1 / 3
    assert tk.loss.direct(x, np.array([2**60, 2**60, 5])) == 1 / 3
    assert tk.loss.direct(np.array([True, False]), np.array([1, 0])) == 0.0


# --- bad input ----------------------------------------------------------------------------------

two_columns = pytest.mark.parametrize(
    "call",
    [tk.loss.entropy, tk.loss.ebil, tk.loss.direct, tk.loss.cramers_v],
    ids=["entropy", "ebil", "direct", "cramers_v"],
)
two_tables_calls = pytest.mark.parametrize(
    "call",
    [
        tk.loss.il1s,
        tk.loss.compare,
        lambda x, y: tk.loss.ncp(x, masked=y),
    ],
    ids=["il1s", "compare", "ncp"],
)


def refused(error, words, call, *arguments, **options):
    with pytest.raises(error, match=re.escape(words)) as caught:
        call(*arguments, **options)
    assert SECRET not in str(caught.value)
    assert "123456" not in str(caught.value)


@two_columns
@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        ([SECRET, None], ValueError, "has 1 missing values"),
        ([123456.0, math.nan], ValueError, "has 1 missing values"),
        (np.array([123456.0, math.nan]), ValueError, "has 1 missing values"),
        (np.array(["1234-01-01", "NaT"], dtype="datetime64[D]"), ValueError, "has 1 missing"),
        (np.ma.masked_array([123456, 1], mask=[False, True]), ValueError, "has 1 missing values"),
        (pd.Series([SECRET, None]), ValueError, "has 1 missing values"),
        (pd.Series([SECRET, pd.NA], dtype=object), ValueError, "has 1 missing values"),
        (pd.Series([pd.Timestamp("1234-01-01"), pd.NaT]), ValueError, "has 1 missing values"),
        (pl.Series([SECRET, None]), ValueError, "has 1 missing values"),
        (pl.Series([123456.0, math.nan]), ValueError, "has 1 missing values"),
        (pa.array([SECRET, None]), ValueError, "has 1 missing values"),
        (pa.array([SECRET, None]).dictionary_encode(), ValueError, "has 1 missing values"),
        ([SECRET], ValueError, "of one length, got 2 and 1"),
        ([], ValueError, "empty"),
        (np.array([]), ValueError, "empty"),
        (SECRET, TypeError, "must be one column"),
        (7, TypeError, "must be one column"),
        (None, TypeError, "must be one column"),
        ({"a": 1, "b": 2}, TypeError, "must be one column"),
        (np.zeros((2, 2)), TypeError, "must be one column"),
        (pd.DataFrame({"x": [1, 2]}), TypeError, "must be one column"),
        ([[SECRET], [SECRET]], TypeError, "cannot be told apart"),
    ],
    ids=str,
)
def test_a_bad_column_is_refused_without_telling_its_values(call, bad, error, words):
    refused(error, words, call, ["a", "b"], bad)
    words = "got 1 and 2" if "2 and 1" in words else words
    refused(error, words, call, bad, ["a", "b"])


@two_tables_calls
@pytest.mark.parametrize(
    ("bad", "error", "words"),
    [
        ({"x": [1.0, math.nan]}, ValueError, "column 'x' has 1 missing values"),
        ({"x": [1.0, None]}, ValueError, "column 'x' has 1 missing values"),
        ({"x": [123456.0, math.inf]}, ValueError, "column 'x' has 1 infinite values"),
        ({"x": [123456.0, 1e200]}, ValueError, "column 'x' has values too large"),
        ({"x": [1, 123456 * 10**400]}, ValueError, "column 'x' has values too large"),
        ({"x": [1.0]}, ValueError, "the same number of records"),
        ({"x": []}, ValueError, "column 'x' is empty"),
        ({"x": [1.0, 2.0], "y": [1.0]}, ValueError, "different lengths, from 1 to 2"),
        ({"x": [1, 2], "y": [1, 2]}, ValueError, "column"),
        ({"y": [1.0, 2.0]}, ValueError, "column"),
        ({}, ValueError, "no columns"),
        (7, TypeError, "must be a table"),
        ([1.0, 2.0], TypeError, "must be a table"),
        ([[1.0], [1.0, 2.0]], ValueError, "rows differ in length"),
        (np.ma.masked_array([[1], [2]], mask=[[1], [0]]), ValueError, "column"),
        (pl.DataFrame({"x": [1, 2]}).lazy(), TypeError, "collect it first"),
        (pd.DataFrame([[1, 2], [1, 2]], columns=["x", "x"]), ValueError, "more than once"),
    ],
    ids=str,
)
def test_a_bad_table_is_refused_without_telling_its_values(call, bad, error, words):
    refused(error, words, call, {"x": [1.0, 2.0]}, bad)


def test_text_is_refused_where_numbers_are_needed():
    refused(TypeError, "column 'x' must be numeric", tk.loss.il1s, {"x": [SECRET]}, {"x": [SECRET]})
    refused(TypeError, "must be numeric", tk.loss.moments, {"x": [SECRET]}, {"x": [1]})
    refused(TypeError, "must be numeric", tk.loss.il1s, {"x": ["123456"]}, {"x": ["1"]})
    dates = {"x": np.array(["1234-05-06"], dtype="datetime64[D]")}
    refused(TypeError, "must be numeric", tk.loss.il1s, dates, dates)


@pytest.mark.parametrize(
    ("labels", "error", "words"),
    [
        ([0], ValueError, "one label for each of the 2 rows"),
        ([0, -1], ValueError, "1 negative labels"),
        ([0.0, 1.0], TypeError, "whole numbers"),
    ],
)
def test_bad_labels_are_refused(labels, error, words):
    refused(error, words, tk.loss.cm, [SECRET, SECRET], labels)
    refused(error, words, tk.loss.ncp, {"x": [SECRET, SECRET]}, labels)


@pytest.mark.parametrize(
    ("k", "error"), [(0, ValueError), (5, ValueError), (2.0, TypeError), (True, TypeError)]
)
def test_dm_refuses_a_bad_group_size(k, error):
    refused(error, "k must be", tk.loss.dm, [0, 0, 1, 1], k)


def test_dm_refuses_bad_labels():
    refused(ValueError, "labels is empty", tk.loss.dm, [], 1)
    refused(TypeError, "whole numbers", tk.loss.dm, [0.5, 1.5], 1)


def test_cm_refuses_bad_suppression():
    refused(ValueError, "each of the 2 rows", tk.loss.cm, ["a", "b"], [0, 0], [True])
    refused(TypeError, "truth values", tk.loss.cm, ["a", "b"], [0, 0], [0, 1])


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({}, ValueError, "either labels or masked"),
        ({"labels": [0, 0], "masked": {"x": [1, 2]}}, ValueError, "either labels or masked"),
        (
            {"weights": [-1.0]},
            ValueError,
            "weights must be finite and not negative; 1 of 1 are not",
        ),
        (
            {"weights": [math.nan]},
            ValueError,
            "weights must be finite and not negative; 1 of 1 are not",
        ),
        ({"weights": [0.0]}, ValueError, "weights must not all be zero"),
        ({"weights": [1.0, 1.0]}, ValueError, "weights must hold 1 numbers"),
        ({"weights": {"y": 1.0}}, ValueError, "weights names 1 columns"),
        ({"weights": {"x": "1"}}, TypeError, "weights must be numeric"),
        ({"kinds": {"x": "magic"}}, ValueError, "'number' or 'category'"),
        ({"kinds": ["number"]}, TypeError, "kinds must map names of columns"),
        ({"hierarchies": {"y": {}}}, ValueError, "hierarchies names 1 columns"),
        ({"hierarchies": {"x": {}}}, ValueError, "hierarchies: column 'x' is empty"),
        ({"hierarchies": {"x": 7}}, TypeError, "must be a Hierarchy or map each value"),
        ({"hierarchies": {"x": {1: 2}}}, ValueError, "1 values that the hierarchy does not know"),
        ({"hierarchies": {"x": {1: 2, 2: 1, 3: 4}}}, ValueError, "2 values without a root"),
        ({"masked": {"x": [(2, 1), 123456]}}, ValueError, "1 cells that are neither numbers"),
        ({"masked": {"x": [(1, 123456 * 10**400), 1]}}, ValueError, "1 cells that are neither"),
        ({"masked": {"x": [(1, math.nan), 1]}}, ValueError, "1 cells that are neither numbers"),
        ({"masked": {"x": [(1, 2, 3), "5"]}}, ValueError, "2 cells that are neither numbers"),
        ({"masked": {"x": [set(), SECRET]}}, ValueError, "2 cells that are neither numbers"),
        (
            {"masked": {"x": [{1, 123456}, 1]}, "kinds": {"x": "category"}},
            ValueError,
            "1 cells that are neither values of the original column nor",
        ),
        (
            {"masked": {"x": [SECRET, 1]}, "hierarchies": {"x": {1: 0, 2: 0, 123456: 0}}},
            ValueError,
            "1 values that the hierarchy does not know",
        ),
    ],
    ids=str,
)
def test_ncp_refuses_bad_options(options, error, words):
    if not {"labels", "masked"} & options.keys() and options:
        options = {"labels": [0, 0], **options}
    values = [1, 123456] if "does not know" in words and "masked" not in options else [1, 2]
    refused(error, words, tk.loss.ncp, {"x": values}, **options)


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
    ("transition", "categories", "error", "words"),
    [
        ([[1.0]], None, ValueError, "needs categories="),
        ([[1.0]], ["a", "b"], ValueError, "one row and one column"),
        ([[1.0, 0.0]] * 2, ["a", "a"], ValueError, "one row and one column"),
        ([[0.5, 0.6], [0, 1]], ["a", "b"], ValueError, "row 0 must hold probabilities"),
        ([[-0.5, 1.5], [0, 1]], ["a", "b"], ValueError, "row 0 must hold probabilities"),
        ([["x", "y"]] * 2, ["a", "b"], TypeError, "must be numeric"),
        ({"a": 1.0}, None, TypeError, "row 0 must map categories"),
        ({"a": {"a": 1.0}}, None, ValueError, "no row for 1 values of original"),
        ({"a": {"a": 1.0}, "b": {"a": 1.0}}, None, ValueError, "1 values that transition cannot"),
        ({"a": {}, "b": {}}, None, ValueError, "row 0 must hold probabilities"),
    ],
    ids=str,
)
def test_ebil_refuses_a_bad_transition(transition, categories, error, words):
    refused(error, words, tk.loss.ebil, ["a", "b"], ["a", "b"], transition, categories=categories)


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


def test_the_callers_data_are_never_written_to():
    x = np.arange(12.0).reshape(6, 2)
    x.flags.writeable = False
    labels = np.array([0, 0, 0, 1, 1, 1])
    labels.flags.writeable = False
    tk.loss.ncp(x, labels)
    tk.loss.moments(x, x[::-1])
    tk.loss.ctbil(x, x[::-1])
    tk.loss.compare(x, x[::-1])
    tk.loss.cm(x[:, 0], labels, labels == 0)
    tk.loss.dm(labels, 2)
    np.testing.assert_array_equal(x, np.arange(12.0).reshape(6, 2))
