"""Calls side by side, and after a fork: kernels hold no state, and nothing survives a call."""

import os
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread

import numpy as np
import pytest
from strategies import make

import tokumei as tk
from tokumei._check.cached import cached_property

X = make("normal", 600, 3, seed=2)
X.flags.writeable = False
LABELS = tk.mdav(X, 4)
CALLS = {
    "mdav": lambda n: tk.mdav(X, 4, n_threads=n),
    "partition": lambda n: tk.partition(X, 4, effort="fast", n_threads=n),
    "npn_order": lambda n: tk.npn_order(X, n_threads=n),
    "aggregate": lambda n: tk.aggregate(X, LABELS, n_threads=n),
    "ilssdm": lambda n: tk.loss.ilssdm(X, LABELS, n_threads=n),
    "information": lambda n: tk.loss.information(X[:200].tolist(), tk.distances.Minkowski(3)),
    "mixture": lambda n: tk.reconstruct.LaplaceMixture(2, 1.0, n_threads=n).fit(X[:, 0]).loglik_,
    "noise": lambda n: len(tk.noise.laplace(1.0, lower=-9, upper=9).perturb(X[:, 0])),
}


def test_six_threads_get_what_one_gets():
    alone = {name: call(1) for name, call in CALLS.items()}
    asked = [(name, n) for _ in range(3) for name in CALLS for n in (1, 2)]
    with ThreadPoolExecutor(6) as team:
        found = list(team.map(lambda each: CALLS[each[0]](each[1]), asked))
    for (name, _), each in zip(asked, found, strict=True):
        np.testing.assert_array_equal(each, alone[name], err_msg=name)


def test_one_estimator_transforms_in_six_threads():
    masker = tk.Microaggregator(k=4, new_rows="nearest").fit(X)
    wanted = masker.transform(X + 0.1)
    with ThreadPoolExecutor(6) as team:
        for each in team.map(lambda _: masker.transform(X + 0.1), range(12)):
            np.testing.assert_array_equal(each, wanted)


class Mutual:
    """Two values that are computed once; the one that is asked for first needs the other."""

    def __init__(self, first, both_inside):
        self.first, self.both_inside = first, both_inside

    @cached_property
    def one(self):
        return self._after("other") if self.first == "one" else 1

    @cached_property
    def other(self):
        return self._after("one") if self.first == "other" else 1

    def _after(self, needed):
        self.both_inside.wait()
        return 1 + getattr(self, needed)


def test_values_computed_once_do_not_wait_for_those_of_other_objects():
    both_inside, found = Barrier(2, timeout=30), {}

    def compute(name):
        found[name] = getattr(Mutual(name, both_inside), name)

    team = [Thread(target=compute, args=(name,), daemon=True) for name in ("one", "other")]
    for each in team:
        each.start()
    for each in team:
        each.join(30)
    assert found == {"one": 2, "other": 2}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
@pytest.mark.parametrize("name", ["mdav", "partition", "mixture"])
def test_a_forked_process_calls_what_its_parent_called(name):
    wanted = CALLS[name](2)
    child = os.fork()
    if child == 0:
        same = False
        try:
            same = np.array_equal(CALLS[name](2), wanted)
        finally:
            os._exit(0 if same else 1)
    assert os.waitpid(child, 0)[1] == 0
    np.testing.assert_array_equal(CALLS[name](2), wanted)
