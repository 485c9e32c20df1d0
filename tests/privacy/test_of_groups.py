"""What a partition shows is what the worst of its groups does."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tokumei as tk

p = tk.privacy
TREE = {"0": "x", "1": "x", "2": "y", "x": "z", "y": "z"}
WORST = [
    (p.KAnonymity(2), min),
    (p.LDiversity("c", 2), min),
    (p.LDiversity("c", 2, "entropy"), min),
    (p.LDiversity("c", 2, "recursive"), max),
    (p.TCloseness("c", 0.5), max),
    (p.TCloseness("c", 0.5, "ordered"), max),
    (p.TCloseness("c", 0.5, "hierarchical", TREE), max),
    (p.BetaLikeness("c", 1.0), max),
    (p.BetaLikeness("c", 1.0, "enhanced"), max),
    (p.MinHouseholds("c", 2), min),
    (p.KMap(2, "people.csv"), min),
    (p.DeltaPresence(0.5, population="people.csv"), max),
]


@pytest.mark.parametrize(("model", "worst"), WORST)
@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=12))
def test_the_worst_group_is_what_the_partition_shows(model, worst, rows):
    groups, codes = np.array(rows).T
    each = model.of_groups(groups, codes)
    assert len(each) == len(np.unique(groups))
    assert worst(each) == pytest.approx(model.reached(groups, codes))
