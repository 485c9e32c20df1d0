"""Models count what a slow, plain reading of their definitions counts."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

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
