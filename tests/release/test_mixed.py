"""Mixed tables: numbers and categories, weights, households, strata and missing values keep k."""

from collections import Counter

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from builders.people import ACCEPTED
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei.commands import options

CANARY = "canary-7"
JOBS = {"nurse": "care", "doctor": "care", "smith": "craft", "care": "work", "craft": "work"}
QUASI = ["age", "size", "colour", "job"]
KINDS = {
    "orders": {"size": ["small", "medium", "large"]},
    "trees": {"job": JOBS},
    "quasi": QUASI,
    "keep_order": True,
}


def people(n, seed=0, missing=0.0):
    """A table with an attribute of each kind, some cells missing."""
    rng = np.random.default_rng(seed)
    columns = {
        "age": rng.integers(18, 90, n).astype(float).tolist(),
        "size": rng.choice(["small", "medium", "large"], n).tolist(),
        "colour": rng.choice(["red", "green", "blue", "black"], n).tolist(),
        "job": rng.choice(["nurse", "doctor", "smith"], n).tolist(),
        "left": [f"{CANARY}-{i}" for i in range(n)],
    }
    for name in QUASI:
        for row in np.flatnonzero(rng.random(n) < missing):
            columns[name][row] = None
    return columns


def arrow(columns):
    """An Arrow table whose columns have types even where all is missing."""
    kinds = {"age": pa.float64()}
    return pa.table({c: pa.array(v, kinds.get(c, pa.string())) for c, v in columns.items()})


def classes(table, quasi=QUASI):
    """How many records share each combination of quasi-identifiers; missing is a value."""
    return Counter(zip(*(table[name].to_pylist() for name in quasi), strict=True))


@given(
    n=st.integers(4, 40),
    k=st.integers(2, 4),
    seed=st.integers(0, 999),
    missing=st.sampled_from([0.0, 0.1, 0.5, 0.9]),
    policy=st.sampled_from(["category", "impute"]),
)
@settings(max_examples=60)
def test_k_holds_in_mixed_tables_with_any_pattern_of_missing_cells(n, k, seed, missing, policy):
    table = arrow(people(n, seed, missing))
    release = tk.release.mask(
        table, k=k, other=["left"], accept_risk=ACCEPTED, missing=policy, **KINDS
    )
    assert min(classes(release.table).values()) >= k
    assert release.table.num_rows == n
    assert release.table["left"].to_pylist() == table["left"].to_pylist()


@pytest.mark.parametrize("policy", ["category", "impute"])
def test_a_column_in_which_all_is_missing_stays_missing(policy):
    columns = people(12) | {"age": [None] * 12, "colour": [None] * 12}
    release = tk.release.mask(
        arrow(columns), k=3, other=["left"], accept_risk=ACCEPTED, missing=policy, **KINDS
    )
    assert release.table["age"].to_pylist() == [None] * 12
    assert release.table["colour"].to_pylist() == [None] * 12
    assert min(classes(release.table).values()) >= 3


def test_missing_is_a_value_of_its_own_or_is_filled_from_the_group():
    # Of each group of three the first misses one age and the second two.
    ages = [30.0, None, 32.0, None, None, 60.0]
    table = pa.table({"age": ages, "x": [0.0, 0.0, 0.0, 9.0, 9.0, 9.0]})
    asked = {"k": 3, "quasi": ["age", "x"], "keep_order": True, "attribute_weights": {"x": 1e6}}
    filled = tk.release.mask(table, missing="impute", **asked).table["age"].to_pylist()
    assert filled == [31.0, 31.0, 31.0, 60.0, 60.0, 60.0]
    apart = tk.release.mask(table, missing="category", **asked).table["age"].to_pylist()
    assert apart == [31.0, 31.0, 31.0, None, None, None]


def test_missing_cells_are_refused_by_default_with_column_and_count():
    with pytest.raises(tk.release.InputError, match=r"column 'colour' has \d+ missing values"):
        tk.release.mask(arrow(people(20, missing=0.3)), k=3, other=["left"], **KINDS)


def test_each_kind_has_its_representative():
    table = pa.table(
        {
            "age": [20, 21, 25],
            "size": ["small", "large", "medium"],
            "colour": ["red", "blue", "red"],
            "job": ["nurse", "doctor", "doctor"],
        }
    )
    masked = tk.release.mask(table, k=3, **KINDS).table
    assert masked.slice(0, 1).to_pylist() == [
        {"age": 22.0, "size": "medium", "colour": "red", "job": "care"}
    ]
    asked = {"age": "interval", "size": "interval", "colour": "set", "job": "mode"}
    masked = tk.release.mask(table, k=3, represent=asked, **KINDS).table
    assert masked.slice(0, 1).to_pylist() == [
        {"age": "[20..25]", "size": "[small..large]", "colour": "{blue, red}", "job": "doctor"}
    ]


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "csv", "parquet"])
def test_mixed_tables_of_every_kind_are_masked_alike(tmp_path, kind):
    columns = people(60, seed=3)
    asked = {"k": 4, "other": ["left"], "accept_risk": ACCEPTED} | KINDS
    plain = tk.release.mask(pa.table(columns), **asked).table
    if kind in ("csv", "parquet"):
        source, target = tmp_path / f"in.{kind}", tmp_path / f"out.{kind}"
        write = pq.write_table if kind == "parquet" else pa.csv.write_csv
        write(pa.table(columns), source)
        tk.release.mask_file(source, target, **asked)
        masked = pq.read_table(target) if kind == "parquet" else pa.csv.read_csv(target)
    else:
        make = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": pa.table}[kind]
        native = tk.release.mask(make(columns), **asked).table
        masked = native if kind == "arrow" else pa.table({c: list(native[c]) for c in columns})
    for name in columns:
        assert masked[name].to_pylist() == plain[name].to_pylist()


def test_an_ordered_category_brings_its_order_along():
    sizes = pd.Categorical(["S", "L", "M"], categories=["S", "M", "L"], ordered=True)
    masked = tk.release.mask(pd.DataFrame({"size": sizes}), k=3, quasi=["size"]).table
    assert list(masked["size"]) == ["M", "M", "M"]


def test_truth_values_are_categories():
    masked = tk.release.mask(pa.table({"ill": [True, False, True]}), k=3, quasi=["ill"]).table
    assert masked["ill"].to_pylist() == [True, True, True]


def test_numbers_can_be_declared_categories():
    table = pa.table({"region": [7, 7, 9], "age": [1.0, 2.0, 3.0]})
    asked = {"k": 3, "quasi": ["region", "age"], "kinds": {"region": "nominal"}}
    assert tk.release.mask(table, **asked).table["region"].to_pylist() == [7, 7, 7]


def test_groups_are_formed_by_weight():
    rng = np.random.default_rng(3)
    age, pay = rng.normal(size=(2, 300))
    weight = rng.choice([0.1, 10.0], size=300)

    def loss(**options):
        table = pa.table({"age": age, "pay": pay, "w": weight})
        release = tk.release.mask(
            table,
            k=4,
            quasi=["age", "pay"],
            weight="w",
            accept_risk=ACCEPTED,
            keep_order=True,
            **options,
        )
        masked = np.column_stack([release.table["age"], release.table["pay"]])
        return float((weight[:, None] * (np.column_stack([age, pay]) - masked) ** 2).sum())

    assert loss() < 0.8 * loss(method="mdav")
    heavy, weight[0] = weight[0], 0.0  # then all count alike
    by_zero = loss()
    weight[0] = heavy
    assert loss() < by_zero


def test_weights_count_in_means():
    table = pa.table({"age": [10.0, 20.0], "w": [3.0, 1.0]})
    asked = {"weight": "w", "round": "none", "accept_risk": ACCEPTED}
    release = tk.release.mask(table, k=2, quasi=["age"], **asked)
    assert release.table["age"].to_pylist() == [12.5, 12.5]
    assert sorted(release.table["w"].to_pylist()) == [1.0, 3.0]


def test_k_counts_households_and_the_gate_counts_them_again():
    rng = np.random.default_rng(1)
    table = pa.table({"age": rng.normal(size=60), "home": (np.arange(60) // 3).tolist()})
    release = tk.release.mask(table, k=4, quasi=["age"], household="home")
    homes = {}
    for age, home in zip(*(release.table[c].to_pylist() for c in ("age", "home")), strict=True):
        homes.setdefault(age, set()).add(home)
    assert min(map(len, homes.values())) >= 4
    assert release.audit["achieved"]["k_households"] >= 4


def test_groups_keep_to_their_strata():
    rng = np.random.default_rng(1)
    columns = {"age": rng.normal(size=40), "sex": ["f", "m"] * 20, "area": ["n"] * 10 + ["s"] * 30}
    asked = {
        "quasi": ["age"],
        "other": ["sex", "area"],
        "strata": ["sex", "area"],
        "accept_risk": ACCEPTED,
    }
    release = tk.release.mask(pa.table(columns), k=5, **asked)
    strata = {}
    for row in release.table.to_pylist():
        strata.setdefault(row["age"], set()).add((row["sex"], row["area"]))
    assert all(len(found) == 1 for found in strata.values())


BAD = {
    "kind": ({"kinds": {"age": "magic"}}, "the kind of column 'age' must be one of"),
    "how": ({"represent": {"colour": "mean"}}, "is nominal: it is represented by mode or set"),
    "stranger": ({"represent": {"left": "mode"}}, "represent names 'left', which is not a quasi"),
    "policy": ({"missing": "magic"}, "missing must be one of 'refuse', 'category', 'impute'"),
    "stratum": ({"strata": ["magic"]}, "no column 'magic', named in strata"),
    "order": ({"orders": {"size": ["small"]}}, "values that are not in the order given"),
    "tree": ({"trees": {"job": {"nurse": "care"}}}, "values that the hierarchy does not know"),
    "circle": ({"trees": {"job": {"a": "b", "b": "a"}}}, "2 values without a root"),
    "no tree": ({"kinds": {"age": "tree"}}, "no tree is given"),
    "weight": (
        {"attribute_weights": {"age": -1.0}},
        "the weight of column 'age' must not be negative",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_wrong_options_get_a_sentence(case):
    wrong, words = BAD[case]
    asked = {"k": 3, "other": ["left"], "accept_risk": ACCEPTED} | KINDS | wrong
    with pytest.raises(tk.release.InputError, match=words) as caught:
        tk.release.mask(pa.table(people(20)), **asked)
    assert CANARY not in str(caught.value)


@pytest.mark.parametrize(
    ("column", "asked", "words"),
    [
        ([-1.0, 1.0, 2.0], {"weight": "w"}, "column 'w', the weight, has 1 negative value"),
        ([None, 1.0, 2.0], {"weight": "w"}, "column 'w', the weight, has 1 missing value"),
        ([0.0, 0.0, 0.0], {"weight": "w"}, "must not all be zero"),
        ([None, "a", "a"], {"household": "w"}, "column 'w' has 1 missing value"),
        (["a", "a", "a"], {"household": "w"}, "there are 1 in all"),
        (["a", "b", "a"], {"strata": ["w"], "other": ["w"]}, "1 of 2 strata have fewer than"),
    ],
)
def test_columns_that_cannot_weigh_or_bind_get_a_sentence(column, asked, words):
    table = pa.table({"age": [1.0, 2.0, 3.0], "w": column})
    with pytest.raises(tk.release.InputError, match=words):
        tk.release.mask(table, k=2, quasi=["age"], **asked)


def test_a_cell_that_looks_like_a_number_makes_a_column_numeric():
    for cells in (["1", "old", "young"], ["1,5", "2.5", "3,5"], ["1.000", "2 000", "n"]):
        table = pa.table({"age": cells})
        with pytest.raises(tk.release.InputError, match=r"column 'age' has . cells? that"):
            tk.release.mask(table, k=3, quasi=["age"])
        masked = tk.release.mask(table, k=3, quasi=["age"], kinds={"age": "nominal"}).table
        assert set(masked["age"].to_pylist()) == {min(cells)}


def test_options_of_the_command_are_read(tmp_path):
    path = tmp_path / "jobs.csv"
    path.write_text("nurse,care,work\ndoctor,care,work\nsmith,smith,work\n", encoding="utf-8")
    parents = {"nurse": "care", "care": "work", "doctor": "care", "smith": "work"}
    assert options.trees([f"job={path}"]) == {"job": tk.Hierarchy.from_parents(parents)}
    assert options.orders(["size=S<M < L"]) == {"size": ["S", "M", "L"]}
    assert options.pairs("represent", ["age=median"]) == {"age": "median"}
    with pytest.raises(tk.release.InputError, match="represent is written as name=word"):
        options.pairs("represent", ["age"])
    path.write_text("a,b\na,c\n", encoding="utf-8")
    with pytest.raises(tk.release.InputError, match="1 rows that give a value other levels"):
        options.tree(path)
    path.write_text("a\n", encoding="utf-8")
    with pytest.raises(tk.release.InputError, match="has no levels"):
        options.tree(path)
    with pytest.raises(tk.release.InputError, match=r"cannot read other\.csv"):
        options.tree(tmp_path / "other.csv")
