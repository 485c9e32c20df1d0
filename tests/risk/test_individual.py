"""Risk from survey weights, three adversaries' links, and what classes and columns tell."""

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf, quad

import tokumei as tk
from tokumei.risk.individual import expected_inverse

GROUPS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=2, max_size=40)


def test_the_example_of_franconi_is_sdcmicros(columns_of):
    table = {key: np.array(one, dtype=float) for key, one in columns_of("francdat.csv").items()}
    keys = ["Key1", "Key2", "Key3", "Key4"]
    found = tk.risk.individual(table, keys, weight="w")
    told = [0.01714, 0.02204, 0.02204, 0.17708, 0.01165, 0.29706, 0.40236, 0.01714]
    np.testing.assert_allclose(found.risk, told, atol=5e-6)
    assert tk.risk.class_sizes(table, keys).counts == {1: 4, 2: 2}
    assert found.expected == pytest.approx(found.risk.sum())


@pytest.mark.parametrize("size", [1, 2, 3, 7, 19, 20, 400])
@pytest.mark.parametrize("share", ["1e-6", "0.003", "0.3", "0.499", "0.5", "0.9", "1"])
def test_the_risk_is_the_expectation_of_the_inverse(size, share):
    with mp.workdps(30):
        p = mpf(share)

        def chance(u):
            return p * u ** (size - 1) / (p + (1 - p) * u)

        exact = float(quad(chance, [0, p / 2, 0.5, 1]))
    found = expected_inverse(np.array([size]), np.array([float(share)]))[0]
    assert found == pytest.approx(exact, rel=1e-11)


def test_a_household_is_recognised_by_any_of_its_members():
    table = {"age": [1, 2, 3, 3], "w": [9.0, 7.0, 5.0, 6.0], "home": ["a", "a", "b", None]}
    found = tk.risk.individual(table, ["age"], weight="w", household="home")
    both = 1 - (1 - found.risk[0]) * (1 - found.risk[1])
    np.testing.assert_allclose(found.household, [both, both, *found.risk[2:]], rtol=1e-14)
    assert found.household_expected == pytest.approx(found.household.sum())


def test_weights_of_one_make_a_census():
    table = {"age": [1, 1, 1, 2], "w": [1, 1, 1, 1]}
    found = tk.risk.individual(table, weight="w")
    np.testing.assert_allclose(found.risk, [1 / 3, 1 / 3, 1 / 3, 1], rtol=1e-15)


@pytest.mark.parametrize("weight", [0.0, -1.0])
def test_a_record_must_stand_for_someone(weight):
    with pytest.raises(ValueError, match="weight must be above 0 for every record, got 1 others"):
        tk.risk.individual({"age": [1, 2], "w": [3.0, weight]}, weight="w")


@given(GROUPS)
def test_three_adversaries_link_as_counting_says(rows):
    half = rows[: len(rows) // 2]
    table, everyone = ({"a": [r[0] for r in x], "b": [r[1] for r in x]} for x in (half, rows))
    found = tk.risk.reidentification(table, population=everyone, threshold=0.3)
    own, all_of = Counter(half), Counter(rows)
    assert found.prosecutor_highest == float(Fraction(1, min(own.values())))
    assert found.journalist_highest == max(1 / all_of[key] for key in own)
    links = sum(Fraction(1, all_of[row]) for row in half) / len(half)
    assert found.marketer == pytest.approx(float(links))
    risky = sum(1 / all_of[row] > 0.3 for row in half) / len(half)
    assert found.journalist_at_risk == pytest.approx(risky)


def test_a_population_must_hold_the_table():
    with pytest.raises(ValueError, match="population lacks people for 1 classes"):
        tk.risk.reidentification({"a": [1, 2]}, population={"a": [1, 1, 1]})


@given(GROUPS)
def test_what_classes_tell_is_what_looking_at_each_tells(rows):
    keys, ill = [row[0] for row in rows], [row[1] for row in rows]
    (found,) = tk.risk.homogeneity({"key": keys, "ill": ill}, ["key"], ["ill"])
    groups = {key: [row[1] for row in rows if row[0] == key] for key in keys}
    alike = [group for group in groups.values() if len(set(group)) == 1]
    assert found.homogeneous == sum(map(len, alike))
    assert found.homogeneous_shared == sum(len(group) for group in alike if len(group) > 1)
    assert found.l == min(len(set(group)) for group in groups.values())
    right = sum(Counter(group).most_common(1)[0][1] for group in groups.values())
    assert found.guessed == right / len(rows)
    assert found.baseline == Counter(ill).most_common(1)[0][1] / len(rows)
    entropies = [
        -sum(n / len(g) * np.log(n / len(g)) for n in Counter(g).values()) for g in groups.values()
    ]
    assert found.entropy_l == pytest.approx(np.exp(min(entropies)))
    whole = Counter(ill)
    far = [
        sum(abs(Counter(g)[v] / len(g) - whole[v] / len(ill)) for v in whole) / 2
        for g in groups.values()
    ]
    assert found.t == pytest.approx(max(far), abs=1e-12)


@given(GROUPS, st.sampled_from([0.5, 0.75]), st.sampled_from([0.05, 0.3]))
def test_dominance_is_that_of_the_sorted_members(rows, share, precision):
    table = {"key": [row[0] for row in rows], "x": [float(row[1] ** 3) for row in rows]}
    (found,) = tk.risk.dominance(table, ["key"], ["x"], share=share, precision=precision)
    dominated = told = classes = 0
    for key in set(table["key"]):
        first, *rest = sorted((x for k, x in zip(*table.values(), strict=True) if k == key))[::-1]
        total = first + sum(rest)
        classes += total > 0
        dominated += total > 0 and first / total > share
        told += total > 0 and sum(rest[1:]) < precision * first
    assert (found.classes, found.dominated, found.estimable) == (classes, dominated, told)


def test_columns_that_tell_are_named_and_others_are_not():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        grade = rng.integers(0, 16, 2000)
        table = {
            "grade": grade,
            "school": [f"s{one}" for one in grade],
            "price": rng.normal(size=2000),
            "town": rng.integers(0, 40, 2000),
            "rare": rng.integers(0, 900, 2000),
        }
        found = {one.column: one for one in tk.risk.columns(table, ["school"])}
        assert [name for name, one in found.items() if one.nearly_unique] == ["price"]
        assert [name for name, one in found.items() if one.determines] == ["grade"]
        assert found["grade"].determines == {"school": 1.0}


def test_an_assessment_holds_every_measure_and_no_value():
    rng = np.random.default_rng(1)
    table = {
        "age": rng.integers(18, 90, 500),
        "town": [f"secret{one}" for one in rng.integers(0, 9, 500)],
        "income": rng.lognormal(size=500),
        "w": rng.uniform(5, 50, 500),
        "home": rng.integers(0, 200, 500),
    }
    found = tk.risk.assess(
        table, quasi=["age", "town"], sensitive=["income"], weight="w", household="home",
        fraction=0.05,
    )  # fmt: skip
    assert found.classes == tk.risk.class_sizes(table, ["age", "town"])
    own = tk.risk.individual(table, ["age", "town"], weight="w", household="home")
    assert found.individual == own
    assert found.population == tk.risk.population_uniqueness(table, ["age", "town"], fraction=0.05)
    assert [one.column for one in found.columns if one.nearly_unique] == ["income", "w"]
    for title in ("Classes", "Survey", "Population", "Dominance"):
        assert f"{title}\n  " in str(found)
    assert "secret" not in str(found) + repr(found)
