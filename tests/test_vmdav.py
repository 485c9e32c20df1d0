"""V-MDAV gives the oracle's groups, whatever it runs on, and refuses what it cannot take."""

import numpy as np
import oracle
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import partition_problems

import tokumei as tk
from tokumei import machine
from tokumei._kernels.machine import best_level
from tokumei.microaggregation.groups import GAMMAS

LEVELS = machine.LEVELS[: best_level() + 1]
SOME_GAMMAS = [0.0, 0.2, 1.0, 1.1, 3.0]


@settings(max_examples=300, deadline=None)
@given(partition_problems(), st.sampled_from([*SOME_GAMMAS, 1e-200, 1e140]))
@example((np.array([[0.0], [1.0], [3.0], [4.0], [9.0]]), 2), 1.0)
@example((np.array([[0.0], [-1.5e-162], [1.5e-162], [0.0], [0.0], [0.0]]), 2), 3.0)
def test_labels_are_those_of_the_oracle(problem, gamma):
    X, k = problem
    assert np.array_equal(tk.vmdav(X, k, gamma=gamma, n_threads=1), oracle.vmdav(X, k, gamma))


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5, 7, 8, 13, 16, 33, 64])
def test_labels_are_those_of_the_oracle_for_any_number_of_attributes(d):
    X = np.random.default_rng(d).normal(size=(300, d))
    for k, gamma in [(2, 1.0), (3, 0.0), (7, 1.1)]:
        assert np.array_equal(tk.vmdav(X, k, gamma=gamma), oracle.vmdav(X, k, gamma))


@pytest.mark.parametrize("gamma", [0.0, 0.9])
def test_labels_are_those_of_the_oracle_for_tables_of_several_blocks(gamma):
    X = np.round(np.random.default_rng(5).normal(size=(4500, 2)), 1)
    assert np.array_equal(tk.vmdav(X, 19, gamma=gamma, n_threads=2), oracle.vmdav(X, 19, gamma))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("n_threads", [1, 2, 3, 8])
def test_labels_do_not_depend_on_threads_or_instructions(monkeypatch, level, n_threads):
    rng = np.random.default_rng(6)
    X = np.concatenate([rng.normal(size=(9000, 5)), np.round(rng.normal(size=(4000, 5)))]) + 1e9
    expected = tk.vmdav(X, 250, gamma=1.1, n_threads=1)
    monkeypatch.setenv(machine.LEVEL_VARIABLE, level)
    assert np.array_equal(tk.vmdav(X, 250, gamma=1.1, n_threads=n_threads), expected)


@settings(max_examples=100, deadline=None)
@given(partition_problems(), st.sampled_from(SOME_GAMMAS))
def test_groups_have_k_to_2k_minus_1_records_and_at_most_k_minus_1_more(problem, gamma):
    X, k = problem
    sizes = np.bincount(tk.vmdav(X, k, gamma=gamma))
    assert sizes.min() >= k
    assert np.maximum(sizes - (2 * k - 1), 0).sum() <= k - 1


def test_gamma_0_makes_groups_of_k():
    X = np.random.default_rng(7).normal(size=(700, 4))
    sizes = np.bincount(tk.vmdav(X, 7, gamma=0))
    assert sizes.tolist() == [7] * 100


def test_a_large_gamma_fills_groups():
    X = np.random.default_rng(8).normal(size=(700, 4))
    sizes = np.bincount(tk.vmdav(X, 4, gamma=1e9))
    assert sizes.tolist() == [7] * 100


def test_a_candidate_as_far_from_the_group_as_from_the_rest_does_not_join():
    X = [[2.0], [0.0], [10.0], [8.0], [5.0]]
    assert tk.vmdav(X, 2, gamma=1.0).tolist() == [0, 0, 1, 1, 1]
    assert tk.vmdav(X, 2, gamma=1.1).tolist() == [0, 0, 1, 1, 0]


def test_the_last_candidate_joins_unless_gamma_is_0():
    # 5 is left over, as near to one mean as to the other.
    X = [[2.0], [0.0], [10.0], [8.0], [5.0]]
    assert tk.vmdav(X, 2, gamma=0.05).tolist() == [0, 0, 1, 1, 1]
    assert tk.vmdav(X, 2, gamma=0.0).tolist() == [0, 0, 1, 1, 0]


def test_of_equally_near_means_the_last_record_joins_that_of_the_lowest_row():
    # 1 and 3 form the first group, 7.5 and 8.5 the second.
    X = [[7.5], [8.5], [1.0], [3.0], [5.0]]
    assert tk.vmdav(X, 2, gamma=0.0).tolist() == [0, 0, 1, 1, 0]


@pytest.mark.parametrize("k", [2, 7])
def test_a_million_equal_rows_form_groups_of_k(k):
    sizes = np.bincount(tk.vmdav(np.full((1_000_000, 2), 3.5), k, gamma=1.0))
    assert sizes.min() == k
    assert sizes.sum() == 1_000_000
    assert sizes.size == 1_000_000 // k


@settings(max_examples=60, deadline=None)
@given(partition_problems())
def test_auto_is_the_first_of_lowest_loss(problem):
    X, k = problem
    tries = [tk.vmdav(X, k, gamma=gamma) for gamma in GAMMAS]
    losses = [tk.loss.sse(X, labels) for labels in tries]
    assert np.array_equal(tk.vmdav(X, k, gamma="auto"), tries[int(np.argmin(losses))])


def test_the_table_is_left_as_it_was():
    X = np.random.default_rng(9).normal(size=(50, 3))
    X.flags.writeable = False
    before = X.copy()
    tk.vmdav(X, 3)
    assert np.array_equal(X, before)


@pytest.mark.parametrize("gamma", [1.0, "auto"])
def test_progress_rises_from_0_to_1(gamma):
    shares = []
    X = np.random.default_rng(10).normal(size=(15_000, 4))
    tk.vmdav(X, 5, gamma=gamma, n_threads=1, callback=shares.append)
    assert shares
    assert shares == sorted(shares)
    assert shares[0] >= 0.0
    assert shares[-1] <= 1.0


@pytest.mark.parametrize("gamma", [1.0, "auto"])
def test_an_exception_of_the_callback_ends_the_work(gamma):
    def stop(share):
        raise LookupError

    X = np.random.default_rng(11).normal(size=(40_000, 4))
    with pytest.raises(LookupError):
        tk.vmdav(X, 5, gamma=gamma, n_threads=1, callback=stop)


@pytest.mark.parametrize(
    ("gamma", "kind"),
    [
        (-0.1, ValueError),
        (float("nan"), ValueError),
        (float("inf"), ValueError),
        ("best", ValueError),
        (None, TypeError),
        (True, TypeError),
        ([1.0], TypeError),
        (1j, TypeError),
    ],
)
def test_a_gamma_that_is_no_number_of_at_least_0_is_refused(gamma, kind):
    with pytest.raises(kind, match=r"gamma must be a number from 0 to 1e\+150, or 'auto'"):
        tk.vmdav([[1.0], [2.0]], 1, gamma=gamma)


@pytest.mark.parametrize("gamma", [1, np.float32(0.5), np.int64(2)])
def test_any_kind_of_real_gamma_is_taken(gamma):
    X = np.random.default_rng(12).normal(size=(30, 2))
    assert np.array_equal(tk.vmdav(X, 3, gamma=gamma), tk.vmdav(X, 3, gamma=float(gamma)))


@pytest.mark.parametrize("k", [0, -1, 4])
def test_a_k_outside_1_to_n_is_refused(k):
    with pytest.raises(ValueError, match=r"k must be between 1 and the number of rows \(3\)"):
        tk.vmdav([[1.0], [2.0], [3.0]], k)


def test_missing_values_are_refused_with_their_number():
    with pytest.raises(ValueError, match="column 1 has 2 missing values"):
        tk.vmdav([[1.0, np.nan], [2.0, np.nan], [3.0, 1.0]], 2)


def test_partition_knows_it_by_name():
    X = np.random.default_rng(13).normal(size=(40, 3))
    assert np.array_equal(tk.partition(X, 3, method="vmdav"), tk.vmdav(X, 3))
