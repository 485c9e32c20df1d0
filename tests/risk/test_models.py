"""What classes show of a privacy model is what counting by hand shows."""

import math
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei.privacy import BetaLikeness, KAnonymity, KMap, LDiversity, MinHouseholds, TCloseness

RNG = np.random.default_rng(11)
TABLE = {
    "age": RNG.integers(0, 4, 60).tolist(),
    "sex": RNG.choice(["f", "m"], 60).tolist(),
    "ill": [None if i % 17 == 0 else "abcd"[i] for i in RNG.integers(0, 4, 60)],
    "home": RNG.integers(0, 20, 60).tolist(),
}


def classes():
    found = defaultdict(list)
    for row, key in enumerate(zip(TABLE["age"], TABLE["sex"], strict=True)):
        found[key].append(row)
    return list(found.values())


def values(rows, column):
    return [TABLE[column][row] for row in rows]


def distance(part, whole, ordered):
    kinds = [*sorted({v for v in whole if v is not None}), None]
    gaps = [part.count(v) / len(part) - whole.count(v) / len(whole) for v in kinds]
    if not ordered:
        return sum(map(abs, gaps)) / 2
    return sum(abs(sum(gaps[: i + 1])) for i in range(len(kinds))) / (len(kinds) - 1)


def entropy(part):
    counts = Counter(part).values()
    return math.exp(-sum(n / len(part) * math.log(n / len(part)) for n in counts))


SHOWN = {
    "k": (KAnonymity(6), len, None, min),
    "l": (LDiversity("ill", 4), lambda part: len(set(part)), "ill", min),
    "entropy": (LDiversity("ill", 3, kind="entropy"), entropy, "ill", min),
    "t": (TCloseness("ill", 0.3), lambda p: distance(p, TABLE["ill"], False), "ill", max),
    "ordered t": (
        TCloseness("ill", 0.15, kind="ordered"),
        lambda part: distance(part, TABLE["ill"], True),
        "ill",
        max,
    ),
    "households": (MinHouseholds("home", 6), lambda part: len(set(part)), "home", min),
}


@pytest.mark.parametrize("make", [dict, pd.DataFrame])
@pytest.mark.parametrize("name", SHOWN)
def test_the_worst_class_is_that_of_counting(name, make):
    model, shown, column, worst = SHOWN[name]
    each = [(shown(values(rows, column or "age")), len(rows)) for rows in classes()]
    found = tk.risk.assess(make(TABLE), quasi=["age", "sex"], privacy=[model]).models[0]
    assert found.reached == pytest.approx(worst(value for value, _ in each), rel=1e-12)
    failing = sum(size for value, size in each if not model.holds(value))
    assert (found.failing, found.holds) == (failing, failing == 0)
    assert found.model in str(found)
    assert 0 < failing < 60


def test_what_classes_cannot_show_is_refused():
    for wrong, error, sentence in (
        (KMap(2, pd.DataFrame(TABLE)), ValueError, "asks more than classes of one table"),
        (BetaLikeness("place", 1.0), ValueError, "no column 'place', named in beta-likeness"),
        (5, TypeError, "models of tokumei.privacy, got int"),
    ):
        with pytest.raises(error, match=sentence):
            tk.risk.assess(TABLE, quasi=["age", "sex"], privacy=[wrong])
