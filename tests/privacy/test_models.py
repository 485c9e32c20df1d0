"""Models count what a slow, plain reading of their definitions counts."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import closeness

import tokumei as tk

PEOPLE = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=30)


def groups_of(people):
    """The values of each group, and the arrays that a model takes."""
    by_group = {}
    for group, value in people:
        by_group.setdefault(group, []).append(value)
    return by_group.values(), *map(np.array, zip(*people, strict=True))


@given(PEOPLE)
def test_entropy_l_is_the_least_number_of_equally_frequent_values(people):
    by_group, groups, codes = groups_of(people)
    entropies = [
        -sum(n / len(values) * math.log(n / len(values)) for n in Counter(values).values())
        for values in by_group
    ]
    model = tk.privacy.LDiversity("x", 2, "entropy")
    found = model.reached(groups, codes)
    assert found == pytest.approx(math.exp(min(entropies)), rel=1e-12)
    assert model.holds(found) == (min(entropies) >= math.log(2) - 1e-9)


@given(PEOPLE, st.integers(1, 4))
def test_recursive_l_compares_the_most_frequent_value_with_the_tail(people, least):
    by_group, groups, codes = groups_of(people)
    needed = []
    for values in by_group:
        counts = sorted(Counter(values).values(), reverse=True)
        tail = sum(counts[least - 1 :])
        needed.append(counts[0] / tail if tail else math.inf)
    model = tk.privacy.LDiversity("x", least, "recursive", 1.5)
    found = model.reached(groups, codes)
    assert found == pytest.approx(max(needed))
    assert model.holds(found) == all(one < 1.5 for one in needed)


@given(PEOPLE)
def test_equally_frequent_values_are_as_diverse_by_entropy_as_by_number(people):
    _, groups, codes = groups_of(people)
    distinct = tk.privacy.LDiversity("x", 1).reached(groups, codes)
    assert tk.privacy.LDiversity("x", 1, "entropy").reached(groups, codes) <= distinct + 1e-9
    every = np.tile(np.arange(distinct), 3)
    same = np.zeros(len(every), dtype=np.int64)
    model = tk.privacy.LDiversity("x", int(distinct), "entropy")
    assert model.holds(model.reached(same, every))


@pytest.mark.parametrize(("kind", "c"), [("entropy", 1.0), ("recursive", 1.5)])
def test_a_release_that_breaks_the_kind_asked_for_is_refused(kind, c):
    import pyarrow as pa

    # Two values in each group of four, one of them three times: distinct 2, no more than that.
    table = pa.table({"age": [1, 1, 1, 1, 9, 9, 9, 9], "ill": list("aaabbbba")})
    roles = {"k": 4, "quasi": ["age"], "sensitive": ["ill"], "l_diversity": 2}
    assert tk.release.mask(table, **roles).audit["verdict"] == "released"
    with pytest.raises(tk.release.Refused, match="l-diversity of column 'ill' is not kept"):
        tk.release.mask(table, **roles, l_kind=kind, l_c=c)
    even = table.set_column(1, "ill", pa.array(list("aabbbbaa")))
    assert tk.release.mask(even, **roles, l_kind=kind, l_c=c).audit["verdict"] == "released"


TREE = {
    "flu": "lung",
    "cold": "lung",
    "ulcer": "belly",
    "lung": "any",
    "belly": "any",
    "burn": "any",
}
LEAVES = ["flu", "cold", "ulcer", "burn", "lung"]


@given(PEOPLE)
def test_hierarchical_t_is_the_earth_movers_distance_over_the_tree(people):
    by_group, groups, codes = groups_of(people)
    height = closeness.height_of(TREE)
    far = [[closeness.tree_distance(a, b, TREE, height) for b in LEAVES] for a in LEAVES]
    q = np.bincount(codes, minlength=5) / len(codes)
    by_hand = max(
        closeness.earth_mover(np.bincount(values, minlength=5) / len(values), q, far)
        for values in by_group
    )
    model = tk.privacy.TCloseness("x", 0.1, "hierarchical", TREE)
    nodes = model.codes_of(LEAVES)[codes]
    assert model.reached(groups, nodes) == pytest.approx(by_hand, abs=1e-9)


@given(PEOPLE)
def test_a_flat_tree_is_no_tree_and_a_missing_value_stands_beside_all(people):
    _, groups, codes = groups_of(people)
    flat = tk.privacy.TCloseness("x", 0.1, "hierarchical", dict.fromkeys("abcd", "any"))
    nodes = flat.codes_of([*"abcd", None])[codes]
    equal = tk.privacy.TCloseness("x", 0.1).reached(groups, codes)
    assert flat.reached(groups, nodes) == pytest.approx(equal, abs=1e-12)


def test_a_tree_goes_with_a_hierarchical_t_and_knows_its_values():
    with pytest.raises(ValueError, match="t_tree goes with t_kind='hierarchical'"):
        tk.privacy.TCloseness("x", 0.1, "hierarchical")
    with pytest.raises(ValueError, match="t_tree goes with"):
        tk.privacy.TCloseness("x", 0.1, "equal", TREE)
    with pytest.raises(ValueError, match="column 'x' has 1 values that the hierarchy"):
        tk.privacy.TCloseness("x", 0.1, "hierarchical", TREE).codes_of(["flu", "gout"])


@given(PEOPLE)
def test_beta_is_the_largest_gain_of_a_value(people):
    _, groups, codes = groups_of(people)
    gain, enhanced = closeness.beta(groups.tolist(), codes.tolist())
    basic = tk.privacy.BetaLikeness("x", 0.5)
    assert basic.reached(groups, codes) == pytest.approx(gain)
    assert basic.holds(basic.reached(groups, codes)) == (gain <= 0.5 + 1e-9)
    strict = tk.privacy.BetaLikeness("x", 100.0, "enhanced")
    assert strict.holds(strict.reached(groups, codes)) == enhanced


@given(st.lists(st.integers(0, 3), min_size=1), st.lists(st.integers(-1, 3), min_size=1))
def test_a_population_is_counted_class_by_class(groups, population):
    here, there = Counter(groups), Counter(population)
    k_map = tk.privacy.KMap(2, "population.csv")
    reached = k_map.reached(np.array(groups), np.array(population))
    assert reached == min(there[group] for group in here)
    assert k_map.holds(reached) == all(there[group] >= 2 for group in here)
    model = tk.privacy.DeltaPresence(0.8, 0.2, "population.csv")
    shares = [here[g] / there[g] if there[g] else math.inf for g in here]
    reached = model.reached(np.array(groups), np.array(population))
    assert model.holds(reached) == all(0.2 <= share <= 0.8 for share in shares)
