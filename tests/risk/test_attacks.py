"""Attacks: each finds the leak that was planted for it, in every seed, and accuses nothing else."""

import math

import numpy as np
import pytest
from builders.adversaries import SEEDS, accused, halves, of, shuffled, strangers

import tokumei as tk
from tokumei.risk.attacks.nearest import nearest
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.rates import Rate, residual, wilson
from tokumei.risk.attacks.records import comparable
from tokumei.risk.attacks.singling_out import grown
from tokumei.values import tables

KNOWN = ["age", "wage", "town", "job"]


def attacked(released, release, control, **more):
    asked = {"known": KNOWN, "sensitive": ["ill"], "attempts": 300, "columns": 3}
    return tk.risk.attack(released, release, control=control, **asked | more)


WITH_CONTROL = [
    "singling out (univariate)",
    "singling out (3 columns)",
    "linkability",
    "inference of ill",
]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_copy_is_found_and_a_release_of_others_is_not_accused(seed):
    released, others = halves(seed)
    copied = attacked(released, shuffled(released, seed), others)
    assert [name for name in WITH_CONTROL if not accused(copied[name])] == []
    assert all(copied[name].strong for name in WITH_CONTROL)
    unrelated = attacked(released, strangers(seed), others)
    assert [name for name in WITH_CONTROL if accused(unrelated[name])] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_unmasked_columns_that_are_nearly_unique_are_found_and_named(seed):
    released, _ = halves(seed)
    masked = shuffled(released, seed)
    masked["age"] = np.full(len(masked["age"]), 40.0)
    found = attacked(released, masked, None, known=["age", "wage"])
    links = found["linkage through unmasked columns"]
    assert accused(links, 0.9)
    assert links.columns == ("wage",)
    coarse = attacked(released, masked, None, known=["age", "town"])
    assert not accused(coarse["linkage through unmasked columns"], 0.05)


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_in_the_order_of_the_original_are_found(seed):
    released, others = halves(seed)
    noise = np.random.default_rng(seed).normal(0, 5, len(released["age"]))
    kept = released | {"age": released["age"] + noise, "wage": released["wage"] * 0 + 1}
    assert accused(attacked(released, kept, others)["row order"])
    backwards = of(kept, slice(None, None, -1))
    assert accused(attacked(released, backwards, others)["row order"])
    assert not accused(attacked(released, shuffled(kept, seed), others)["row order"])


@pytest.mark.parametrize("seed", SEEDS)
def test_classes_of_one_secret_are_found(seed):
    released, _ = halves(seed)
    grouped = released | {"age": np.repeat(np.arange(60.0), 5)}
    told = grouped | {"ill": np.array(list("pqr"))[np.arange(300) // 5 % 3]}
    asked = {"known": ["age"]}
    assert attacked(told, told, None, **asked)["homogeneity of ill"].successes == 300
    mixed = grouped | {"ill": np.array(list("pqrst"))[np.arange(300) % 5]}
    assert attacked(mixed, mixed, None, **asked)["homogeneity of ill"].successes == 0


def test_intervals_are_those_of_wilson():
    # 10 of 50, from the formula by hand.
    z = 1.959963984540054
    middle = (10 + z * z / 2) / (50 + z * z)
    half = z / (50 + z * z) * math.sqrt(10 * 40 / 50 + z * z / 4)
    found = wilson(10, 50)
    assert found.value == pytest.approx(middle)
    assert (found.lower, found.upper) == pytest.approx((middle - half, middle + half))
    assert wilson(0, 0) == Rate(0.0, 0.0, 1.0)


def test_the_risk_is_what_an_attack_adds_to_its_control():
    found = residual(wilson(800, 1000), wilson(500, 1000))
    assert found.value == pytest.approx(0.6, abs=0.01)
    assert found.lower < 0.6 < found.upper
    worse = residual(wilson(100, 1000), wilson(500, 1000))
    assert (worse.value, worse.lower) == (0.0, 0.0)
    one = Attack("x", "y", 200, 1000, 0, 1000, allowed=0.2)
    assert one.risk.value == pytest.approx(0.0, abs=0.01)


def test_attacks_together_are_one_attack_of_more_attempts():
    one, other = Attack("x", "y", 3, 10, 1, 10, 2, 10), Attack("x", "y", 4, 20, 2, 20, 0, 20)
    both = one + other
    assert (both.successes, both.attempts) == (7, 30)
    assert (both.control_successes, both.control_attempts) == (3, 30)
    assert both.baseline_successes == 2


@pytest.mark.parametrize("seed", SEEDS)
def test_the_nearest_record_is_that_of_all_distances(seed):
    rng = np.random.default_rng(seed)
    store = {"x": rng.integers(0, 9, 60) / 3.0, "c": rng.choice(list("ab"), 60)}
    asked = {"x": rng.integers(0, 9, 40) / 3.0, "c": rng.choice(list("abc"), 40)}
    store["x"][:3], asked["x"][:2] = np.nan, np.nan
    targets, records = comparable(
        [tables.table(asked, "asked"), tables.table(store, "store")], ["x", "c"]
    )
    scale = targets.scale["x"]

    def apart(i, j):
        a, b = asked["x"][i], store["x"][j]
        number = float(np.isnan(a) != np.isnan(b)) if np.isnan(a) or np.isnan(b) else 0.0
        if not (np.isnan(a) or np.isnan(b)):
            number = abs(a - b) / scale
        return number + (asked["c"][i] != store["c"][j])

    expected = [min(range(60), key=lambda j: (apart(i, j), j)) for i in range(40)]
    assert nearest(targets, records, ["x", "c"]).tolist() == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_a_control_group_of_another_size_is_corrected_for(seed):
    # Predicates of known weights: what they do in few rows foretells what they do in more, or less.
    rng = np.random.default_rng(seed)
    weights = np.exp(rng.uniform(np.log(2e-4), np.log(1e-3), 4000))
    expected = float((1000 * weights * (1 - weights) ** 999).sum())
    for rows in (300, 3000):
        found = grown(rng.binomial(rows, weights).astype(float), rows, 1000)
        assert found == pytest.approx(expected, rel=0.15)
    assert (rng.binomial(300, weights) == 1).sum() < 0.6 * expected  # uncorrected


def test_intervals_are_compared_by_their_middles():
    released = {"age": [20.0, 30.0, 40.0, 50.0], "town": list("aabb")}
    release = {"age": ["[20..30]"] * 2 + ["[40..50]"] * 2, "town": list("abab")}
    found = comparable([tables.table(t, "t") for t in (released, release)], ["age"])
    assert found[1].cells["age"].tolist() == [25.0, 25.0, 45.0, 45.0]


def test_no_predicate_is_a_rate_of_zero_and_said():
    table = {"age": [30.0] * 50, "town": ["a"] * 50}
    found = tk.risk.attack(table, {"age": [1.0, 1.0], "town": ["a", "a"]}, attempts=20)
    one = found["singling out (2 columns)"]
    assert one.successes == 0
    assert "20 predicates" not in one.note


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"known": ["age", "ill"]}, "no sensitive one"),
        ({"known": "age"}, "list of column names"),
        ({"known": ["salary"]}, "does not have"),
        ({"attempts": 0}, "at least 1"),
    ],
)
def test_what_cannot_be_attacked_is_refused_in_one_sentence(more, words):
    released, others = halves(0)
    with pytest.raises((TypeError, ValueError), match=words):
        attacked(released, released, others, **more)


# Attacks that need to know which record is whose, or an earlier release.


def classed(seed, k=5, rows=300):
    """Numbers masked by their class's mean, the secrets of classes, and whose records they are."""
    released, _ = halves(seed, 2 * rows)
    order = np.argsort(released["age"], kind="stable")
    labels = np.empty(rows, dtype=np.int64)
    labels[order] = np.arange(rows) // k
    return released, labels


def means(values, labels):
    return (np.bincount(labels, values) / np.bincount(labels))[labels]


@pytest.mark.parametrize("seed", SEEDS)
def test_records_that_are_near_their_originals_are_linked_by_distance(seed):
    released, labels = classed(seed)
    chance = np.random.default_rng(seed)
    rows = chance.permutation(300)
    near = {"age": released["age"] + chance.normal(0, 0.01, 300), "wage": released["wage"]}
    near = of(near, rows)
    asked = {"known": ["age", "wage"], "sensitive": [], "rows": rows}
    assert accused(attacked(released, near, None, **asked)["distance linkage"], 0.9)
    masked = of({"age": means(released["age"], labels), "wage": np.full(300, 1.0)}, rows)
    assert not accused(attacked(released, masked, None, **asked)["distance linkage"], 0.2)


@pytest.mark.parametrize("seed", SEEDS)
def test_secrets_that_can_be_ruled_out_are_found(seed):
    released, labels = classed(seed)
    secrets = np.array(list("pqrst"))[np.arange(300) % 5]
    masked = released | {"age": means(released["age"], labels) + labels}
    order = np.argsort(labels, kind="stable")
    for values, told in (("pq", 300), ("pqrst", 0)):
        secrets = np.empty(300, dtype="<U1")
        secrets[order] = np.array(list(values))[np.arange(300) % len(values)]
        found = attacked(masked, masked | {"ill": secrets}, None, known=["age"])
        assert found["background knowledge of ill"].successes == told


@pytest.mark.parametrize("seed", SEEDS)
def test_two_releases_that_tell_together_are_found(seed):
    released, others = halves(seed)
    rng = np.random.default_rng(100 + seed)  # not that of their ages
    released["ill"] = rng.choice(list("abcdefghijklmnop"), 300)
    others["ill"] = rng.choice(list("abcdefghijklmnop"), 300)

    def by(name):
        labels = np.empty(300, dtype=np.int64)
        labels[np.argsort(released[name], kind="stable")] = np.arange(300) // 5
        return labels

    asked = {"known": ["age", "wage"], "attempts": 300}
    for people in (released, others):
        people["age"], people["wage"] = rng.uniform(0, 1, (2, 300))
    hidden = {"age": np.full(300, 0.5), "wage": np.full(300, 0.5), "ill": released["ill"]}
    one, other = (hidden | {n: means(released[n], by(n))} for n in ("age", "wage"))
    found = attacked(released, one, others, earlier=other, **asked)["intersection for ill"]
    assert accused(found)
    unrelated = other | {"ill": rng.permutation(other["ill"])}
    found = attacked(released, one, others, earlier=unrelated, **asked)["intersection for ill"]
    assert not accused(found)


@pytest.mark.parametrize("seed", SEEDS)
def test_means_from_which_the_last_member_follows_are_found(seed):
    released, labels = classed(seed)
    rows = np.random.default_rng(seed).permutation(300)
    exact = means(released["age"], labels)
    asked = {"known": ["age"], "sensitive": [], "rows": rows}
    told = attacked(released, of({"age": exact}, rows), None, **asked)
    assert accused(told["differencing of age"], 0.9)
    rounded = np.round(exact / 10) * 10 + labels * 1e-9  # each class is still one of its own
    kept = attacked(released, of({"age": rounded}, rows), None, **asked)
    assert not accused(kept["differencing of age"], 0.2)


@pytest.mark.parametrize("seed", SEEDS)
def test_intervals_that_end_at_members_are_found(seed):
    released, labels = classed(seed, k=3)
    age = released["age"] * 7
    low = np.array([age[labels == one].min() for one in range(100)])[labels]
    high = np.array([age[labels == one].max() for one in range(100)])[labels]
    asked = {"known": ["age"], "sensitive": [], "rows": np.arange(300)}

    def found(low, high):
        texts = [f"[{a}..{b}]" for a, b in zip(low, high, strict=True)]
        return attacked({"age": age}, {"age": texts}, None, **asked)["tight ends of age"]

    wide = np.random.default_rng(seed).uniform(1, 40, 100)[labels]
    assert found(low, high).attack_rate.value > 0.3
    assert not accused(found(np.floor(low - wide), np.ceil(high + wide)), 0.05)


@pytest.mark.parametrize("rows", [[0, 1], np.zeros(300), np.full(300, 300)])
def test_rows_that_name_no_originals_are_refused(rows):
    released, _ = halves(0)
    with pytest.raises(ValueError, match="rows must"):
        attacked(released, released, None, rows=rows)
