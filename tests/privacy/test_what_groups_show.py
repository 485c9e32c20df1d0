"""What a partition shows, counted group by group in plain Python; and what is just enough."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tokumei import privacy


@st.composite
def partitions(draw):
    """Groups with numbers left out, and codes from 0 that all occur."""
    n = draw(st.integers(1, 30))
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    groups = chance.integers(0, draw(st.integers(1, 6)), n) * 2
    codes = np.unique(chance.integers(0, draw(st.integers(1, 5)), n), return_inverse=True)[1]
    return groups, codes


def by_group(groups, codes):
    return [codes[groups == group].tolist() for group in np.unique(groups)]


def shares(values, kinds):
    counted = Counter(values)
    return [counted[code] / len(values) for code in range(kinds)]


@given(partitions())
def test_k_is_the_size_of_the_smallest_group(case):
    groups, codes = case
    smallest = min(len(values) for values in by_group(groups, codes))
    assert privacy.KAnonymity(2).reached(groups) == smallest


@given(partitions())
def test_diversity_and_households_are_the_fewest_different_values(case):
    groups, codes = case
    fewest = min(len(set(values)) for values in by_group(groups, codes))
    assert privacy.LDiversity("x", 2).reached(groups, codes) == fewest
    assert privacy.MinHouseholds("x", 2).reached(groups, codes) == fewest


@given(partitions())
def test_closeness_is_the_distance_of_the_farthest_group(case):
    groups, codes = case
    kinds = int(codes.max()) + 1
    whole = np.array(shares(codes.tolist(), kinds))
    equal, ordered = [], []
    for values in by_group(groups, codes):
        gap = np.array(shares(values, kinds)) - whole
        equal.append(np.abs(gap).sum() / 2)
        ordered.append(np.abs(np.cumsum(gap)).sum() / max(kinds - 1, 1))
    of_equal = privacy.TCloseness("x", 0.1).reached(groups, codes)
    of_ordered = privacy.TCloseness("x", 0.1, "ordered").reached(groups, codes)
    assert of_equal == pytest.approx(max(equal), abs=1e-12)
    assert of_ordered == pytest.approx(max(ordered), abs=1e-12)


@pytest.mark.parametrize(
    ("model", "just", "short"),
    [
        (privacy.KAnonymity(5), 5, 4),
        (privacy.LDiversity("x", 3), 3, 2),
        (privacy.LDiversity("x", 3, "entropy"), 3.0, 2.99),
        (privacy.LDiversity("x", 3, "recursive", 2.0), 1.999, 2.0),
        (privacy.MinHouseholds("x", 3), 3, 2),
        (privacy.TCloseness("x", 0.2), 0.2, 0.2001),
    ],
)
def test_what_is_asked_for_is_just_enough(model, just, short):
    assert model.holds(just)
    assert not model.holds(short)
