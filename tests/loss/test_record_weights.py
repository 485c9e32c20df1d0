"""A record of weight w counts as w records do, in every loss that takes survey weights."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tokumei as tk

loss = tk.loss


@st.composite
def tables(draw):
    """Numbers and categories before and after, groups, and whole weights, some of them 0."""
    n = draw(st.integers(3, 14))
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    weights = chance.integers(0, 4, n)
    assume((weights > 0).sum() >= 2)
    labels = chance.integers(0, 3, n)
    x, y = chance.integers(0, 5, (2, n, 2)).astype(float)
    a, b, c = chance.integers(0, 3, (3, n))
    return weights, labels, x, y, a, b, c


def repeated(weights, *arrays):
    return [np.repeat(array, weights, axis=0) for array in arrays]


ORDER = [0, 1, 2, 3]
OF_CATEGORIES = {
    "entropy": lambda a, b, **more: loss.entropy(a, b, **more),
    "ebil": lambda a, b, **more: loss.ebil(a, b, **more),
    "ebil of a transition": lambda a, b, **more: loss.ebil(
        a, b, np.full((3, 3), 1 / 3), categories=[0, 1, 2], **more
    ),
    "cramers_v": lambda a, b, **more: loss.cramers_v(a, b, **more),
    "cramers_matrix": lambda a, b, **more: loss.cramers_matrix({"a": a, "b": b}, **more),
    "direct": lambda a, b, **more: loss.direct(a, b, **more),
    "direct in an order": lambda a, b, **more: loss.direct(a, b, order=ORDER, **more),
    "ctbil": lambda a, b, **more: loss.ctbil({"a": a, "b": b}, {"a": b, "b": a}, **more),
    "ctbil of merged categories": lambda a, b, **more: loss.ctbil(
        {"a": a, "b": b}, {"a": a // 2 + 10, "b": b}, recodings={"a": {0: 10, 1: 10, 2: 11}}, **more
    ),
}


@pytest.mark.parametrize("measure", OF_CATEGORIES)
@given(tables())
def test_weighted_categories_are_repeated_ones(measure, case):
    weights, _, _, _, a, b, _ = case
    of_copies = repeated(weights, a, b)
    assume(len(set(of_copies[0].tolist())) > 1)
    found = OF_CATEGORIES[measure](a, b, record_weights=weights)
    assert found == pytest.approx(OF_CATEGORIES[measure](*of_copies), rel=1e-9, abs=1e-9)


OF_GROUPS = {
    "sse": lambda x, labels, c, **more: loss.sse(x, labels, **more),
    "sst": lambda x, labels, c, **more: loss.sst(x, **more),
    "ilssdm": lambda x, labels, c, **more: loss.ilssdm(x, labels, **more),
    "cm": lambda x, labels, c, **more: loss.cm(c, labels, **more),
    "cm of some": lambda x, labels, c, **more: loss.cm(c, labels, c == 1, **more),
    "dm": lambda x, labels, c, **more: loss.dm(labels, 1, **more),
}


@pytest.mark.parametrize("measure", OF_GROUPS)
@given(tables())
def test_weighted_groups_are_repeated_ones(measure, case):
    weights, labels, x, _, _, _, c = case
    of_copies = repeated(weights, x, labels, c)
    assume((of_copies[0] != of_copies[0][0]).any())
    found = OF_GROUPS[measure](x, labels, c, record_weights=weights)
    assert found == pytest.approx(OF_GROUPS[measure](*of_copies), rel=1e-9, abs=1e-9)


@given(tables())
def test_ncp_adds_up_what_each_record_stands_for(case):
    weights, labels, x, _, _, _, _ = case
    # Groups and widths are those of all records, also of those that count for nothing.
    alone = [loss.ncp(x, labels, record_weights=np.arange(len(x)) == row) for row in range(len(x))]
    assert loss.ncp(x, labels, record_weights=weights) == pytest.approx(weights @ alone)
    assert loss.ncp(x, labels, record_weights=np.ones(len(x))) == loss.ncp(x, labels)
    assert loss.ncp(x, masked=x[:, ::-1], record_weights=weights, average=True) <= 1.0


@given(tables())
def test_weighted_moments_are_those_of_repeated_records(case):
    weights, _, x, y, _, _, _ = case
    before, after = repeated(weights, x, y)
    assume((np.ptp(before, axis=0) > 0).all() and (np.ptp(x, axis=0) > 0).all())
    found = loss.moments(x, y, record_weights=weights)
    truth = loss.moments(before, after)
    assert found.means == pytest.approx(truth.means, abs=1e-9)
    assert found.variances == pytest.approx(truth.variances, abs=1e-9)
    for name in ("covariances", "correlations"):
        assert getattr(found, name) == pytest.approx(getattr(truth, name), abs=1e-7)


@given(tables(), st.floats(0.01, 100.0))
def test_il1s_does_not_depend_on_the_unit_of_the_weights(case, unit):
    weights, _, x, y, _, _, _ = case
    assume((np.ptp(np.repeat(x, weights, axis=0), axis=0) > 0).all())
    found = loss.il1s(x, y, record_weights=weights)
    assert loss.il1s(x, y, record_weights=weights * unit) == pytest.approx(found)
    assert loss.il1s(x, y, record_weights=np.ones(len(x))) == pytest.approx(loss.il1s(x, y))
    n, total = len(x), weights.sum()
    mean = weights @ x / total
    deviation = np.sqrt(weights @ (x - mean) ** 2 / total * n / (n - 1))
    by_hand = (weights @ np.abs(x - y) / total / (np.sqrt(2) * deviation)).mean()
    assert found == pytest.approx(by_hand)


def test_weighted_models_are_those_of_repeated_records():
    chance = np.random.default_rng(3)
    weights = chance.integers(1, 4, 60)
    a, b = chance.integers(0, 3, (2, 60))
    before, after = {"a": a, "b": (a + b) // 2}, {"a": a // 2, "b": b // 2}
    found = loss.model(before, after, record_weights=weights, n_jobs=1)
    copies = [
        {key: np.repeat(one, weights) for key, one in each.items()} for each in (before, after)
    ]
    truth = loss.model(*copies, n_jobs=1)
    for one, other in zip(found.rows, truth.rows, strict=True):
        assert one.loss == other.loss


def test_a_weighted_comparison_is_that_of_repeated_records():
    chance = np.random.default_rng(4)
    weights = chance.integers(1, 5, 70)
    x, y = chance.normal(size=(2, 70)).round(1)
    a, b = chance.integers(0, 4, (2, 70)).astype(str)
    before = {"x": x, "y": y, "a": a, "b": b}
    after = {"x": x.round(), "y": (y + x).round(1), "a": np.where(a < "2", a, b), "b": b}
    orders = {"a": ["0", "1", "2", "3"]}
    found = loss.compare(before, after, orders=orders, record_weights=weights)
    copies = [
        {key: np.repeat(one, weights) for key, one in each.items()} for each in (before, after)
    ]
    truth = loss.compare(*copies, orders=orders)
    of_sample = {"il1s"}  # which divides by n - 1, the number of records
    assert found.totals.keys() == truth.totals.keys()
    for one, other in [
        (found.totals, truth.totals),
        *((found[key].losses, truth[key].losses) for key in before),
    ]:
        for name in one.keys() - of_sample:
            assert one[name] == pytest.approx(other[name], abs=1e-12), name


@pytest.mark.parametrize("wrong", [[1.0, -1.0, 1.0], [0.0, 0.0, 0.0], [1.0, np.nan, 1.0], [1.0]])
def test_weights_that_cannot_be_counted_with_are_refused(wrong):
    with pytest.raises(ValueError, match="record_weights must"):
        loss.entropy(["a", "b", "b"], ["a", "a", "b"], record_weights=wrong)


DISTANCES = {
    "Euclid": (tk.distances.Euclidean(), lambda x, a: x),
    "Manhattan": (tk.distances.Minkowski(1), lambda x, a: x),
    "p = 3": (tk.distances.Minkowski(3), lambda x, a: x),
    "discrete": (tk.distances.Discrete(), lambda x, a: a),
    "ordinal": (tk.distances.Ordinal([0, 1, 2]), lambda x, a: a),
    "texts": (tk.distances.Levenshtein(), lambda x, a: ["ab" * int(each) for each in a]),
    "product": (
        tk.distances.Product(tk.distances.Euclidean(), tk.distances.Discrete()),
        lambda x, a: {"x": x[:, 0], "a": a},
    ),
    "product by hand": (
        tk.distances.Product(tk.distances.Euclidean(), tk.distances.Discrete(), weights=[0.3, 2]),
        lambda x, a: {"x": x[:, 0], "a": a},
    ),
}


@pytest.mark.parametrize("method", ["auto", "pairs"])
@pytest.mark.parametrize("power", [1, 2, 3])
@pytest.mark.parametrize("name", DISTANCES)
@given(tables())
def test_weighted_amounts_are_those_of_repeated_records(name, power, method, case):
    weights, _, x, _, a, _, _ = case
    distance, values = DISTANCES[name]
    of_copies = repeated(weights, x, a)
    # A column with one value only among those that count has no information to weigh by.
    assume((np.ptp(of_copies[0], axis=0) > 0).all() and np.ptp(of_copies[1]) > 0)
    options = {"power": power, "method": method}
    found = loss.information(values(x, a), distance, record_weights=weights, **options)
    truth = loss.information(values(*of_copies), distance, **options)
    assert found == pytest.approx(truth, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", DISTANCES)
@given(tables())
def test_weighted_losses_by_distance_are_those_of_repeated_records(name, case):
    weights, _, x, y, a, b, _ = case
    distance, values = DISTANCES[name]
    x1, y1, a1, b1 = repeated(weights, x, y, a, b)
    assume((np.ptp(x1, axis=0) > 0).all() and np.ptp(a1) > 0)
    found = loss.ild(values(x, a), values(y, b), distance, record_weights=weights)
    truth = loss.ild(values(x1, a1), values(y1, b1), distance)
    assert found == pytest.approx(truth, rel=1e-9, abs=1e-9)


def test_a_sample_of_pairs_takes_no_weights():
    with pytest.raises(ValueError, match="estimate"):
        loss.information(
            [1, 2, 4], tk.distances.Euclidean(), estimate=True, record_weights=[1, 2, 1]
        )
