"""Several attributes under one budget."""

import math

import numpy as np
import pytest
from builders.noisy_tables import AGE, AGES, ATTRIBUTES, ROWS, SEX, SEXES, TABLE, Attribute

import tokumei as tk
from tokumei import _check
from tokumei.noise.releasing import released

pytestmark = pytest.mark.filterwarnings("ignore::tokumei.noise.NotPrivateWarning")

RUN = _check.run(1)


def test_several_attributes_share_one_budget():
    done = tk.noise.perturb(TABLE, ATTRIBUTES, k=3)
    assert done.rows == ROWS
    assert done.status == "private"
    assert done.warnings == ()
    assert 3 <= done.k < 3.05
    assert 2 * done.epsilon <= tk.noise.budget(ROWS, 3)
    assert set(done.columns[2].tolist()) == {"f", "m"}
    epsilons = [channels[0].epsilon for channels in done.channels]
    assert max(epsilons) - min(epsilons) < 0.02


def test_weights_split_the_budget():
    weighted = [Attribute(17, 90, integer=True, weight=3), Attribute(categories=["f", "m"])]
    (ages,), (sexes,) = tk.noise.plan(weighted, ROWS, 3)
    assert ages.epsilon == pytest.approx(3 * sexes.epsilon, rel=1e-3)


def test_rows_are_shuffled_and_stay_together():
    # With so few cells apart that noise never confuses them, rows are told from their values.
    x = np.arange(ROWS, dtype=float)
    wide = Attribute(0, 1e9, integer=True)
    channels = [[tk.noise.laplace(0.01, lower=0, upper=1e9, integer=True)]] * 2
    done = released([x, 2 * x], [wide] * 2, channels, called=["a", "b"], run=RUN)
    first, second = done.columns
    assert (first != x).mean() > 0.9
    np.testing.assert_array_equal(second, 2 * first)
    assert sorted(first.tolist()) == x.tolist()
    kept = released([x], [wide], channels[:1], called=["a"], keep_order=True, run=RUN)
    np.testing.assert_array_equal(kept.columns[0], x)
    assert "keep their order" in kept.warnings[0]


def test_bounds_of_the_data_are_taken_only_when_told_and_warned_of():
    with pytest.raises(ValueError, match="column 0 has no public bounds"):
        tk.noise.perturb([AGES], [Attribute(integer=True)], k=3)
    done = tk.noise.perturb([AGES], [Attribute(integer=True)], k=3, bounds="data")
    assert done.channels[0][0].upper == AGES.max()
    assert len(done.warnings) == 1
    assert "taken from the data" in done.warnings[0]
    assert done.report()["warnings"] == list(done.warnings)


def test_a_seed_marks_the_result_as_not_private():
    first, again = (
        tk.noise.perturb(TABLE, ATTRIBUTES, k=3, insecure_seed_for_tests=9) for _ in range(2)
    )
    assert first.status == first.report()["status"] == "not private"
    for a, b in zip(first.columns, again.columns, strict=True):
        assert a.tolist() == b.tolist()


def test_missing_values_are_refused_or_a_category_with_a_share():
    holes = AGES.astype(float)
    holes[::4] = np.nan
    with pytest.raises(ValueError, match="column 0 has 100 missing values"):
        tk.noise.perturb([holes], [AGE], k=3)
    counted = Attribute(17, 90, integer=True, missing="category", missing_weight=2)
    done = tk.noise.perturb([holes], [counted], k=3, insecure_seed_for_tests=2)
    values, flag = done.channels[0]
    assert flag.epsilon == pytest.approx(2 * values.epsilon, rel=0.02)
    assert 3 <= done.k < 3.2
    keeps = flag.retention
    expected = 100 * keeps + 300 * (1 - keeps)
    assert abs(int(np.isnan(done.columns[0]).sum()) - expected) < 5 * math.sqrt(100)
    report = done.report()["attributes"][0]
    assert report["missing_epsilon"] == flag.epsilon


def test_a_missing_category_is_one_more_category():
    cells = [None if i % 3 == 0 else sex for i, sex in enumerate(SEXES)]
    with pytest.raises(ValueError, match="column 0 has 134 missing values"):
        tk.noise.perturb([cells], [SEX], k=3)
    done = tk.noise.perturb([cells], [Attribute(categories=["f", "m"], missing="category")], k=3)
    assert done.channels[0][0].cells == 3
    assert set(done.columns[0].tolist()) == {"f", "m", None}


def test_ordered_categories_can_go_through_the_square_wave():
    bands = Attribute(categories=list("abcdefgh"), mechanism="square-wave", reach=1)
    done = tk.noise.perturb([list("abcdefgh") * 20], [bands], k=2)
    assert set(done.columns[0].tolist()) <= set("abcdefgh")


WRONG = {
    "half bounds": (lambda: Attribute(1), "given together"),
    "reversed": (lambda: Attribute(2, 1), "lower must be below upper"),
    "mechanism": (lambda: Attribute(0, 1, mechanism="gauss"), "mechanism must be one of"),
    "weight": (lambda: Attribute(0, 1, weight=0), "weight must be above 0"),
    "missing": (lambda: Attribute(0, 1, missing="impute"), "missing must be one of"),
    "one category": (lambda: Attribute(categories=["a"]), "at least two different"),
    "twice": (lambda: Attribute(categories=["a", "b", "a"]), "each named once"),
    "letters": (lambda: Attribute(categories="ab"), "a list of values"),
    "laplace": (
        lambda: Attribute(categories=["a", "b"], mechanism="laplace"),
        "cannot have Laplace noise",
    ),
    "option": (lambda: Attribute(0, 1, reach=2), "reach is an option of square-wave"),
    "nothing": (lambda: tk.noise.perturb([], [], k=2), "must be as many: 0 and 0"),
    "no plan": (lambda: tk.noise.plan([], 10, 2), "at least one attribute"),
    "lengths": (
        lambda: tk.noise.perturb([[1, 2, 3], [1, 2]], [Attribute(0, 9)] * 2, k=2),
        "equally long",
    ),
    "k": (lambda: tk.noise.perturb([[1, 2]], [Attribute(0, 9)], k=2), "below the number of"),
    "text": (lambda: tk.noise.perturb([["a", "b"]], [Attribute(0, 9)], k=2), "numbers"),
    "infinite": (
        lambda: tk.noise.perturb([[1, math.inf, 2]], [Attribute(0, 9)], k=2),
        "column 0 has 1 infinite",
    ),
    "invalid": (
        lambda: tk.noise.perturb([["a", "secret", "b"]], [Attribute(categories=["a", "b"])], 2),
        "column 0 has 1 values that are none of its categories",
    ),
    "outside": (
        lambda: tk.noise.perturb([[1, 2, 99]], [Attribute(0, 9)], k=2, names=["age"]),
        "column 'age' has 1 of 3 values outside the bounds 0 to 9",
    ),
    "weight of no number": (
        lambda: tk.noise.perturb(
            [[1, 2, 3], [1, 2, 3]], [Attribute(0, 9), Attribute(0, 9, weight=math.nan)], k=2
        ),
        "weight must be finite",
    ),
    "constant data": (
        lambda: tk.noise.perturb([[7.25] * 4], [Attribute()], k=2, bounds="data"),
        "all values are equal",
    ),
    "empty data": (
        lambda: tk.noise.perturb(
            [[math.nan] * 4], [Attribute(missing="category")], k=2, bounds="data"
        ),
        "no values to take bounds from",
    ),
    "broken data": (
        lambda: tk.noise.perturb([[1, 2.5, 3]], [Attribute(integer=True)], k=2, bounds="data"),
        "must be whole numbers; 1 of 3",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_tables_get_a_clear_answer(what):
    call, sentence = WRONG[what]
    with pytest.raises(ValueError, match=sentence) as caught:
        call()
    assert "secret" not in str(caught.value)
    assert "7.25" not in str(caught.value)
