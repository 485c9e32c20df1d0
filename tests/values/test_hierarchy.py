"""The one hierarchy: equal however it was made, and equal questions get equal answers."""

import csv

import numpy as np
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei import Hierarchy
from tokumei.microaggregation import represent
from tokumei.values.hierarchy import hierarchy_of

SECRET = "secret-value"


@st.composite
def forests(draw):
    """Parents of up to 12 nodes, of one root or of several."""
    names = [f"n{i}" for i in range(draw(st.integers(1, 12)))]
    parents = {}
    for i, name in enumerate(names):
        parents[name] = (
            draw(st.none() | st.sampled_from(names[i + 1 :])) if i + 1 < len(names) else None
        )
    return draw(st.permutations(list(parents.items()))), names


def rooted(parents):
    """A mapping with its top written out, as the oracles know it."""
    roots = [node for node, parent in parents.items() if parent is None]
    named = {node: parent for node, parent in parents.items() if parent is not None}
    return named if len(roots) == 1 else named | dict.fromkeys(roots, "*")


def ways_of_making(hierarchy, tmp_path):
    """The same hierarchy, made from all that it can be made from."""
    rows = [[value, *levels] for value, levels in hierarchy.levels.items()]
    yield Hierarchy.from_levels(hierarchy.levels)
    yield Hierarchy.from_levels(np.array(rows, dtype=object))
    for frame in (pd.DataFrame(rows), pl.DataFrame(rows, orient="row")):
        yield Hierarchy.from_levels(frame)
    yield Hierarchy.from_levels(
        pa.table({str(j): list(c) for j, c in enumerate(zip(*rows, strict=True))})
    )
    yield Hierarchy.from_parents(dict.fromkeys(hierarchy.values) | dict(hierarchy.parents))
    if hierarchy.height:
        for delimiter in ";,":
            with (tmp_path / "tree.csv").open("w", encoding="utf-8", newline="") as file:
                csv.writer(file, delimiter=delimiter).writerows(rows)
            yield Hierarchy.from_csv(tmp_path / "tree.csv")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("hierarchies")


@settings(max_examples=50)
@given(forests(), st.data())
def test_equal_questions_get_equal_answers_however_it_was_made(folder, forest, data):
    parents, names = dict(forest[0]), forest[1]
    first = Hierarchy.from_parents(parents)
    values = data.draw(st.lists(st.sampled_from(first.values), min_size=4, max_size=20))
    nodes = data.draw(st.lists(st.sampled_from(names), min_size=4, max_size=20))
    labels = np.arange(len(values)) % 2

    def answers(hierarchy):
        table = {"v": values}
        of_nodes = {"v": nodes[: len(values)] + values[len(nodes) :]}
        try:
            merged = tk.recode.by_share(nodes, 0.3, rule="parents", parent_of=hierarchy).mapping
        except ValueError as error:
            merged = str(error)
        found = tk.recode.full_domain(table, {"v": hierarchy}, 2)
        tree = tk.distances.Tree(hierarchy)
        masked = tk.release.mask(
            pa.table(of_nodes), k=2, quasi=["v"], trees={"v": hierarchy}, keep_order=True
        )
        return (
            merged,
            found.levels,
            found.table["v"].tolist(),
            found.cost,
            tk.loss.ncp(table, labels, hierarchies={"v": hierarchy}),
            tk.loss.ncp(table, masked=of_nodes, hierarchies={"v": hierarchy}),
            tk.loss.information(values, tree, power=1),
            tk.loss.information(nodes, tree, power=3),
            [tree.between(values[0], node) for node in nodes],
            represent(nodes, np.arange(len(nodes)) % 2, how="ancestor", tree=hierarchy).tolist(),
            masked.table["v"].to_pylist(),
        )

    expected = answers(first)
    for other in [parents, *ways_of_making(first, folder)]:
        if isinstance(other, Hierarchy):
            assert other == first
            assert (other.height, other.labels) == (first.height, first.labels)
            assert other.codes.tolist() == first.codes.tolist()
        assert answers(other) == expected


@given(forests(), st.data())
def test_answers_are_those_of_the_definitions(forest, data):
    parents, names = dict(forest[0]), forest[1]
    hierarchy, plain = Hierarchy.from_parents(parents), rooted(parents)
    nodes = sorted({*names, *plain.values()})
    a, b = (data.draw(st.sampled_from(nodes)) for _ in range(2))
    assert tk.distances.Tree(hierarchy).between(a, b) == oracle.tree(plain)(a, b)
    number = {node: place for place, node in enumerate(hierarchy.nodes)}
    assert sorted(number) == nodes
    if plain:
        assert hierarchy.shares[number[a]] == float(oracle.leaf_share(plain, a))
    way = oracle.ancestors(plain, a)[:-1]  # above the top it has None
    assert [hierarchy.nodes[node] for node in hierarchy.tree.way_up(number[a])] == way
    for value, levels in hierarchy.levels.items():
        up = oracle.ancestors(plain, value)[:-1]
        assert [value, *levels] == [value] * (hierarchy.height - len(up) + 1) + up
    members = data.draw(st.lists(st.sampled_from(names), min_size=1, max_size=5))
    others = [oracle.ancestors(plain, member)[:-1] for member in members]
    met = next(node for node in others[0] if all(node in other for other in others))
    assert set(represent(members, [0] * len(members), how="ancestor", tree=parents)) == {met}


def test_one_star_is_above_several_roots_written_out_or_not():
    implied = Hierarchy.from_parents({"a": "x", "b": "y"})
    assert implied.parents == {"a": "x", "x": "*", "b": "y", "y": "*"}
    for parents in (
        {"a": "x", "x": "*", "b": "y", "y": "*"},
        {"a": "x", "x": None, "b": "y", "y": "y"},
        {"a": "x", "x": "*", "b": "y", "*": None},
        {"a": "x", "x": float("nan"), "b": "y"},
    ):
        assert Hierarchy.from_parents(parents) == implied
    assert Hierarchy.from_levels({"a": ["x"], "b": ["y"]}) == implied
    assert Hierarchy.from_levels({"a": ["x", "*"], "b": ["y", "*"]}) == implied
    assert Hierarchy.from_nested({"x": ["a"], "y": ["b"]}) == implied
    assert Hierarchy.from_parents({"a": "x", "b": "x"}).parents == {"a": "x", "b": "x"}


def test_values_with_a_short_way_stay_themselves_for_longer():
    ages = {"young": {"teens": [17, 19], "twenties": [21, 25]}, "old": [60, 70]}
    hierarchy = Hierarchy.from_nested(ages)
    assert hierarchy.height == 3
    assert hierarchy.at([17, 60, 25], 1).tolist() == ["teens", 60, "twenties"]
    assert hierarchy.at([17, 60, 25], 2).tolist() == ["young", "old", "young"]
    assert hierarchy.at([17, 60, 25], 3).tolist() == ["*", "*", "*"]
    rows = {17: ["teens", "young"], 19: ["teens", "young"], 21: ["twenties", "young"]}
    rows |= {25: ["twenties", "young"], 60: ["old"], 70: ["old"]}
    assert Hierarchy.from_levels(rows) == hierarchy
    table = pd.DataFrame({0: list(rows), 1: [row[0] for row in rows.values()]})
    table[2] = [row[1] if len(row) > 1 else None for row in rows.values()]
    assert Hierarchy.from_levels(table) == hierarchy


def test_levels_that_were_given_stay_as_they_are():
    given_levels = {"a": ("a", "x", "*"), "b": ("x", "x", "*"), "c": ("*", "*", "*")}
    hierarchy = Hierarchy.from_levels(given_levels)
    assert hierarchy.levels == given_levels
    assert hierarchy.parents == {"a": "x", "b": "x", "x": "*", "c": "*"}


def test_a_label_of_two_parents_is_no_trouble_by_level_but_is_no_tree():
    hierarchy = Hierarchy.from_levels({"a": (1, 2, "*"), "b": (2, 1, "*")})
    assert hierarchy.at(["a", "b"], 1).tolist() == [1, 2]
    with pytest.raises(ValueError, match="gives 2 nodes another parent than before"):
        tk.distances.Tree(hierarchy)


def test_a_value_may_be_a_node_above_others():
    hierarchy = Hierarchy.from_levels({20: (20, "*"), 21: (20, "*"), 40: (40, "*")})
    assert hierarchy.parents == {20: "*", 21: 20, 40: "*"}
    assert tk.loss.ncp({"v": [20, 21]}, [0, 0], hierarchies={"v": hierarchy}) == 2 * (2 / 3)


def test_lists_without_names_are_named_by_their_values():
    assert Hierarchy.from_nested([["a", "b"], ["c"]]).at(["a", "c"], 1).tolist() == ["a/b", "c"]


def test_numbers_are_read_from_a_file_as_numbers(tmp_path):
    (tmp_path / "age.csv").write_text("17;teens\n21 ; twenties\n\n", encoding="utf-8")
    hierarchy = Hierarchy.from_csv(tmp_path / "age.csv", value=int)
    assert hierarchy.at([21, 17], 1).tolist() == ["twenties", "teens"]


def test_files_of_arx_are_read_as_they_are(tmp_path):
    rows = ["Private;Non-Government;*", "Federal-gov;Government;*", "Never-worked;Unemployed;*"]
    (tmp_path / "workclass.csv").write_text("\r\n".join(rows), encoding="utf-8-sig")
    hierarchy = Hierarchy.from_csv(tmp_path / "workclass.csv")
    assert [[value, *up] for value, up in hierarchy.levels.items()] == [r.split(";") for r in rows]
    assert hierarchy.labels[-1] == ("*",)
    assert hierarchy.height == 2


def test_what_is_a_hierarchy_already_is_taken_as_it_is():
    hierarchy = Hierarchy.from_parents({"a": "b"})
    assert hierarchy_of(hierarchy, "trees") is hierarchy
    assert hierarchy_of({"a": "b"}, "trees") == hierarchy
    assert hierarchy != {"a": "b"}
    assert tk.recode.Hierarchy is Hierarchy
    assert repr(hierarchy) == "<Hierarchy of 1 values, 1 levels>"


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Hierarchy.from_parents({}), ValueError, "parent_of is empty"),
        (lambda: Hierarchy.from_parents({None: SECRET}), ValueError, "parent_of is empty"),
        (lambda: Hierarchy.from_parents([SECRET]), TypeError, "map each value to its parent, got"),
        (
            lambda: Hierarchy.from_parents({SECRET: "b", "b": SECRET, "c": "d"}),
            ValueError,
            "parent_of has 2 values without a root: their parents go round in a circle",
        ),
        (
            lambda: Hierarchy.from_parents({"*": SECRET, "a": "b"}),
            ValueError,
            "2 roots, and '.', which is above all, is none of them",
        ),
        (lambda: Hierarchy.from_levels({}), ValueError, "levels is empty"),
        (lambda: Hierarchy.from_levels({SECRET: "ab"}), TypeError, "a sequence of levels; 1 of"),
        (
            lambda: Hierarchy.from_levels({"a": ["x", SECRET], "b": ["x", "q"]}),
            ValueError,
            "levels: 1 values of level 1 are parted again at level 2",
        ),
        (
            lambda: Hierarchy.from_levels({"a": ["x", SECRET], "b": ["x"], "c": ["x", "q"]}),
            ValueError,
            "levels gives 1 nodes another parent than before",
        ),
        (
            lambda: Hierarchy.from_levels(np.array([["a", SECRET], ["a", "x"]])),
            ValueError,
            "levels has 1 rows that give a value other levels than a row before",
        ),
        (lambda: Hierarchy.from_nested("text"), TypeError, "nested mappings and lists"),
        (lambda: Hierarchy.from_nested(["a", "a"]), ValueError, "names each value once"),
        (
            lambda: Hierarchy.from_levels({"a": "x"}.items()),
            TypeError,
            "levels must be a table",
        ),
    ],
)
def test_bad_hierarchies_are_refused(make, error, message):
    with pytest.raises(error, match=message) as caught:
        make()
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda one: one.at(["a", SECRET], 1), "values has 1 values that the hierarchy does not"),
        (lambda one: one.at(["a"], 4), "level must be between 0 and 1"),
        (lambda one: one.at([None], 1), "1 missing values"),
    ],
)
def test_bad_questions_are_refused(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call(Hierarchy.from_parents({"a": "b"}))
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a;x\na;y\n", "1 rows that give a value other levels"),
        ("a\nb\n", "tree.csv has no levels"),
        ("", "tree.csv has no levels"),
    ],
)
def test_bad_files_are_refused(tmp_path, text, message):
    (tmp_path / "tree.csv").write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        Hierarchy.from_csv(tmp_path / "tree.csv")
