"""Local suppression for more than k: every model holds in every class of what is left."""

import numpy as np
import oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk
from tokumei.recode.fulfil import fulfil
from tokumei.recode.questions import all_of, counted_like, of_model, of_population

p = tk.privacy
MODELS = [
    p.LDiversity("ill", 2),
    p.LDiversity("ill", 2, "entropy"),
    p.LDiversity("ill", 2, "recursive", 2.0),
    p.TCloseness("ill", 0.3),
    p.TCloseness("ill", 0.3, "ordered"),
    p.TCloseness("ill", 0.3, "hierarchical", {"u": "x", "v": "x", "w": "y", "x": "z", "y": "z"}),
    p.BetaLikeness("ill", 1.0),
    p.BetaLikeness("ill", 2.0, "enhanced"),
    p.MinHouseholds("ill", 2),
]
ROWS = st.lists(
    st.tuples(st.sampled_from("ab"), st.sampled_from("xyz"), st.sampled_from("uvw")),
    min_size=2,
    max_size=5,
)


def table_of(rows):
    first, second, ill = map(list, zip(*rows, strict=True))
    return {"one": first, "two": second, "ill": ill}


def classes(table):
    rows = list(zip(table["one"], table["two"], strict=True))
    return np.array([sorted(set(rows)).index(row) for row in rows])


def codes_of(model, ill):
    known = sorted(set(ill))
    found = np.array([known.index(each) for each in ill])
    return model.codes_of(known)[found] if isinstance(model, p.TCloseness) else found


@pytest.mark.parametrize("model", MODELS, ids=lambda one: f"{one.model} {getattr(one, 'kind', '')}")
@settings(max_examples=8, deadline=None)
@given(rows=ROWS, k=st.integers(1, 3))
def test_the_model_holds_and_k_too_or_it_cannot(model, rows, k):
    if k > len(rows):
        return
    table = table_of(rows)
    codes = codes_of(model, table["ill"])

    def enough(published):
        groups = np.unique(published, axis=0, return_inverse=True)[1].reshape(-1)
        return np.bincount(groups).min() >= k and model.holds(model.reached(groups, codes))

    cells = np.array([[ord(one), ord(two)] for one, two, _ in rows])
    least = oracle.fewest_cells_that(enough, cells)
    asked = {"columns": ["one", "two"], "models": [model]}
    if least is None:
        with pytest.raises(ValueError, match="not even the whole table does"):
            tk.recode.suppress_cells(table, k, **asked)
        return
    found = tk.recode.suppress_cells(table, k, **asked)
    groups = classes(found.table)
    assert np.bincount(groups).min() >= k
    assert model.holds(model.reached(groups, codes))
    assert found.cost >= least
    assert list(found.table["ill"]) == table["ill"]


def test_few_cells_are_seldom_many_more_than_the_fewest():
    rng = np.random.default_rng(3)
    spent = fewest = 0
    model = p.LDiversity("ill", 2)
    for _ in range(40):
        rows = [("ab"[a], "xyz"[b], "uvw"[c]) for a, b, c in rng.integers([2, 3, 3], size=(5, 3))]
        table, cells = table_of(rows), np.array([[ord(a), ord(b)] for a, b, _ in rows])
        codes = codes_of(model, table["ill"])

        def enough(published, codes=codes):
            groups = np.unique(published, axis=0, return_inverse=True)[1].reshape(-1)
            return np.bincount(groups).min() >= 2 and model.reached(groups, codes) >= 2

        least = oracle.fewest_cells_that(enough, cells)
        if least is not None:
            spent += tk.recode.suppress_cells(table, 2, columns=["one", "two"], models=[model]).cost
            fewest += least
    assert fewest <= spent <= 1.3 * fewest


def test_what_holds_loses_nothing_and_what_is_missing_is_like_what_was_suppressed():
    codes = np.array([[0, 0], [0, 0], [1, -1], [1, 0]])
    asked = all_of([of_model(p.KAnonymity(2))])
    gone = fulfil(codes, np.ones(2), asked, tk._check.run())
    assert gone.tolist() == [[False, False], [False, False], [False, False], [False, True]]
    assert not fulfil(codes[:2], np.ones(2), asked, tk._check.run()).any()


def test_cells_of_a_dear_column_stay():
    table = {"one": list("ab"), "two": list("xy"), "ill": list("uv")}
    table["one"] += list("ab")
    table["two"] += list("xx")
    table["ill"] += list("uv")
    asked = {"columns": ["one", "two"], "models": [p.LDiversity("ill", 2)]}
    dear = tk.recode.suppress_cells(table, 1, weights={"one": 9.0}, **asked)
    assert dear.cells.sum(axis=0)[1] >= dear.cells.sum(axis=0)[0]
    assert dear.cost == dear.cells.sum(axis=0) @ [9.0, 1.0]


@given(
    st.lists(st.tuples(*[st.integers(-1, 2)] * 2), min_size=1, max_size=6),
    st.lists(st.tuples(*[st.integers(-2, 2)] * 2), min_size=1, max_size=9),
)
def test_a_class_is_of_all_records_of_the_population_that_have_its_cells(cells, population):
    found = counted_like(np.array(cells), np.array(population))
    for row, count in zip(cells, found, strict=True):
        told = [(j, cell) for j, cell in enumerate(row) if cell >= 0]
        assert count == sum(all(one[j] == cell for j, cell in told) for one in population)


def test_a_population_is_asked_by_the_cells_that_are_left():
    codes = np.array([[0, 0], [0, 1], [1, 2]])
    population = np.array([[0, 0], [0, 1], [0, 1], [1, 0], [1, 1], [1, -2]])
    for model in (p.KMap(3, "people.csv"), p.DeltaPresence(0.5, 0.0, "people.csv")):
        gone = fulfil(codes, np.ones(2), of_population(model, population), tk._check.run())
        sizes = counted_like(np.where(gone, -1, codes), population)
        assert (sizes >= 3).all() if isinstance(model, p.KMap) else (sizes >= 2).all()
        assert gone.any()
        assert not gone.all()


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (p.KMap(3, "people.csv"), "a release counts it"),
        (p.LDiversity("age", 2), "does not have beside those that lose cells"),
        (p.LDiversity("one", 2), "does not have beside those that lose cells"),
    ],
)
def test_models_that_cannot_be_asked_get_a_sentence(model, sentence):
    table = table_of([("a", "x", "u"), ("a", "y", "v")])
    with pytest.raises((TypeError, ValueError), match=sentence):
        tk.recode.suppress_cells(table, 1, columns=["one", "two"], models=[model])
