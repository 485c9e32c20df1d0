"""Recoding by minimum share: the paper's example, the oracle's groups, readable labels."""

import numpy as np
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tokumei as tk

COUNTS = st.lists(st.integers(1, 12), min_size=1, max_size=14)
SHARES = st.sampled_from([0.01, 0.03, 0.07, 0.1, 0.2, 0.25, 0.5, 0.9])
RULES = ("smallest", "neighbours", "other")

INDUSTRY = {
    "agriculture": 5, "forestry": 2, "services": 30, "real estate": 13, "manufacturing": 50,
}  # fmt: skip


def column(counts):
    return [category for category, count in counts.items() for _ in range(count)]


def groups_of(recoding):
    found = {}
    for old, new in recoding.mapping.items():
        found.setdefault(new, []).append(old)
    return sorted(found.values())


def test_the_example_of_the_paper():
    recoding = tk.recode.by_share(column(INDUSTRY), 0.05, order=list(INDUSTRY))
    assert recoding.counts == {
        "agriculture/forestry": 7, "services": 30, "real estate": 13, "manufacturing": 50,
    }  # fmt: skip
    rows = ["agriculture", "forestry", "services", "real estate", "manufacturing"]
    assert recoding.apply(rows).tolist() == [
        "agriculture/forestry", "agriculture/forestry", "services", "real estate", "manufacturing",
    ]  # fmt: skip


@given(COUNTS, SHARES, st.sampled_from(RULES))
def test_groups_are_those_of_the_oracle(counts, share, rule):
    values = column(dict(enumerate(counts)))
    recoding = tk.recode.by_share(values, share, rule=rule)
    assert groups_of(recoding) == oracle.share_groups(counts, share, rule)


@given(st.data())
def test_groups_within_parents_are_those_of_the_oracle(data):
    counts = data.draw(COUNTS)
    leaves, inner = len(counts), data.draw(st.integers(1, 5))
    parent = {leaf: leaves + data.draw(st.integers(0, inner - 1)) for leaf in range(leaves)}
    used = sorted({*parent.values(), leaves})
    for node in used[1:]:
        parent[node] = data.draw(st.sampled_from([above for above in used if above < node]))
    share = data.draw(SHARES)
    recoding = tk.recode.by_share(
        column(dict(enumerate(counts))), share, rule="parents", parent_of=parent
    )
    assert groups_of(recoding) == oracle.share_groups_of_tree(counts, share, parent)


@given(COUNTS, SHARES, st.sampled_from(RULES))
def test_no_category_is_rare_unless_it_is_alone(counts, share, rule):
    recoding = tk.recode.by_share(column(dict(enumerate(counts))), share, rule=rule)
    assert sum(recoding.counts.values()) == sum(counts)
    smallest = min(recoding.counts.values())
    assert smallest >= round(share * sum(counts), 9) or len(recoding.counts) == 1
    assert list(recoding.values) == [recoding.mapping[v] for v in column(dict(enumerate(counts)))]


@given(COUNTS, SHARES, st.sampled_from(RULES), st.randoms(use_true_random=False))
def test_the_order_of_the_records_changes_nothing(counts, share, rule, random):
    values = column(dict(enumerate(counts)))
    shuffled = random.sample(values, len(values))
    one, two = (tk.recode.by_share(v, share, rule=rule) for v in (values, shuffled))
    assert one.mapping == two.mapping
    assert one.counts == two.counts


def test_a_count_of_exactly_the_share_is_enough():
    values = ["a"] * 7 + ["b"] * 93
    assert tk.recode.by_share(values, 0.07).counts == {"a": 7, "b": 93}


def test_labels_name_their_members_and_stay_short():
    few = tk.recode.by_share(list("aabbcd") + ["e"] * 14, 0.2, label=" + ")
    assert set(few.counts) == {"a + b + c + d", "e"}
    many = tk.recode.by_share([f"c{i:02}" for i in range(30)] + ["z"] * 30, 0.3)
    assert set(many.counts) == {"c00/c01/c02/c03/c04 and 25 more", "z"}
    own = tk.recode.by_share(list("aab"), 0.4, label=lambda members: f"{len(members)} kinds")
    assert set(own.counts) == {"2 kinds"}


def test_labels_that_are_in_use_are_refused_not_merged():
    with pytest.raises(ValueError, match="1 new labels are used already"):
        tk.recode.by_share(["a", "b"] + ["a/b"] * 8 + ["c"] * 8, 0.1)


def test_a_parent_names_what_holds_all_of_it():
    parent_of = {"Tokyo": "Kanto", "Chiba": "Kanto", "Osaka": "Kansai", "Nara": "Kansai",
                 "Kobe": "Kansai", "Kanto": "Japan", "Kansai": "Japan"}  # fmt: skip
    values = ["Tokyo"] * 3 + ["Chiba"] * 2 + ["Osaka"] * 9 + ["Nara", "Kobe"] * 3
    recoding = tk.recode.by_share(values, 0.25, rule="parents", parent_of=parent_of)
    assert recoding.counts == {"Kobe/Nara": 6, "Kanto": 5, "Osaka": 9}


def test_a_million_different_values_are_merged():
    values = np.arange(1_000_000)
    assert len(tk.recode.by_share(values, 0.001).counts) == 1
    runs = tk.recode.by_share(values, 0.001, rule="neighbours").counts
    assert min(runs.values()) >= 1000
    assert sum(runs.values()) == 1_000_000


@pytest.mark.parametrize(
    ("values", "share", "options", "error", "message"),
    [
        (["a"], -0.1, {}, ValueError, "share must be at least 0"),
        (["a"], 1, {}, ValueError, "below 1"),
        (["a"], True, {}, TypeError, "share must be a number"),
        (["a"], float("nan"), {}, ValueError, "share must be finite"),
        ([], 0.1, {}, ValueError, "values is empty"),
        (["a", None], 0.1, {}, ValueError, "values has 1 missing values"),
        ([1.0, float("nan")], 0.1, {}, ValueError, "values has 1 missing values"),
        (["a", 1], 0.1, {}, TypeError, "cannot be sorted together; give their order"),
        (["a", "b"], 0.1, {"order": ["a"]}, ValueError, "1 values that are not in the order"),
        (["a"], 0.1, {"order": ["a", "a"]}, ValueError, "order names 1 categories more than once"),
        (["a"], 0.1, {"rule": "magic"}, ValueError, "rule must be one of"),
        (["a"], 0.1, {"rule": "parents"}, ValueError, "parent_of belongs to rule='parents'"),
        (["a"], 0.1, {"parent_of": {"a": "b"}}, ValueError, "parent_of belongs to"),
        (["a"], 0.1, {"label": 3}, TypeError, "label must be a separator or a function"),
        ("text", 0.1, {}, TypeError, "values must be one column"),
    ],
)
def test_bad_input_is_refused_clearly(values, share, options, error, message):
    with pytest.raises(error, match=message):
        tk.recode.by_share(values, share, **options)


def test_unseen_categories_are_refused_with_counts_or_named():
    recoding = tk.recode.by_share(["a", "b"], 0.2)
    with pytest.raises(ValueError, match=r"holds 2 categories \(3 records\)") as caught:
        recoding.apply(["secret", "secret", "a", "other secret"])
    assert "secret" not in str(caught.value)
    assert recoding.apply(["secret", "a"], unseen="rest").tolist() == ["rest", "a"]


TABLE = {"job": ["farm", "wood", "shop", "shop"], "sex": ["f", "m", "f", "m"]}


def test_a_recoder_learns_from_one_table_and_serves_others():
    recoder = tk.ShareRecoder(0.3).fit(TABLE)
    assert recoder.recodings_["job"].counts == {"farm/wood": 2, "shop": 2}
    new = recoder.transform({"job": ["wood"], "sex": ["m"]})
    assert {name: column.tolist() for name, column in new.items()} == {
        "job": ["farm/wood"], "sex": ["m"],
    }  # fmt: skip


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_recoder_gives_back_the_same_kind_of_table(kind):
    made = tk.ShareRecoder(0.3, columns=["job"]).fit_transform(kind(TABLE))
    assert type(made) is type(kind(TABLE))
    assert list(made["job"].to_pylist() if kind is pa.table else made["job"]) == [
        "farm/wood", "farm/wood", "shop", "shop",
    ]  # fmt: skip


def test_a_recoder_works_on_an_array_and_in_a_pipeline():
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    X = np.array(list(zip(*TABLE.values(), strict=True)), dtype=object)
    hot = make_pipeline(tk.ShareRecoder(0.3), OneHotEncoder(sparse_output=False)).fit_transform(X)
    assert hot.tolist() == [[1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 1, 0], [0, 1, 0, 1]]


def test_a_recoder_takes_orders_and_parents():
    recoder = tk.ShareRecoder(
        0.5,
        orders={"sex": ["m", "f"]},
        parents={"job": {"farm": "field", "wood": "field", "field": "work", "shop": "work"}},
    ).fit(TABLE)
    assert set(recoder.recodings_["job"].counts) == {"field", "shop"}
    assert list(recoder.recodings_["sex"].counts) == ["m", "f"]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tk.ShareRecoder(0.3).transform(TABLE), "not fitted yet"),
        (lambda: tk.ShareRecoder(0.3, columns=["age"]).fit(TABLE), "1 columns that X does not"),
        (
            lambda: tk.ShareRecoder(0.3).fit(TABLE).transform({"job": ["farm"]}),
            "names seen at fit time, yet now missing",
        ),
        (
            lambda: tk.ShareRecoder(0.3).fit(TABLE).transform({"job": ["king"], "sex": ["f"]}),
            r"column 'job': values holds 1 categories \(1 records\)",
        ),
        (lambda: tk.ShareRecoder(2.0).fit(TABLE), "share must be at least 0 and below 1"),
    ],
)
def test_bad_use_of_a_recoder_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
