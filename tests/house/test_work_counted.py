"""What a public call does once: it reads the environment, and it looks each table through."""

from __future__ import annotations

import inspect
import os
from collections import Counter

import numpy as np
import pandas as pd
import pytest

import tokumei as tk
from tokumei import _check, machine
from tokumei._check import tables
from tokumei.microaggregation.options import Partitioning
from tokumei.microaggregation.partition import task
from tokumei.noise.table import perturb_of

VARIABLES = (machine.LEVEL_VARIABLE, machine.THREADS_VARIABLE)
X = np.random.default_rng(1).normal(size=(60, 3))
COLUMN = X[:, 0]
LABELS = tk.mdav(X, 3)
CODES = np.arange(60) % 5
STRATA = np.arange(60) % 2
FRAME = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": [f"t{code}" for code in CODES]})
LAPLACE = tk.noise.laplace(4.0, lower=0, upper=40, integer=True)
SQUARE = tk.noise.square_wave(2.0, lower=0, upper=40, integer=True)
Y = LAPLACE.perturb(np.arange(300) % 41)
WORDS = [f"w{code}" * (1 + code) for code in CODES]
AGE = tk.noise.Attribute(lower=0, upper=40, integer=True)
PERSON = tk.distances.Product(tk.distances.Euclidean(), tk.distances.Levenshtein())

# One call by its name, and how many tables or columns of numbers it has to look through.
CALLS = {
    "standardize": (lambda: tk.standardize(X), 1),
    "mdav": (lambda: tk.mdav(X, 3), 1),
    "vmdav": (lambda: tk.vmdav(X, 3), 1),
    "vmdav, any gamma": (lambda: tk.vmdav(X, 3, gamma="auto"), 1),
    "mondrian": (lambda: tk.microaggregation.mondrian(X, 3), 1),
    "kmember": (lambda: tk.microaggregation.kmember(X, 3), 1),
    "npn_order": (lambda: tk.npn_order(X), 1),
    "grid_order": (lambda: tk.grid_order(X), 1),
    "flexdice_order": (lambda: tk.flexdice_order(X), 1),
    "flexdice_blocks": (lambda: tk.microaggregation.flexdice_blocks(X), 1),
    "hilbert_order": (lambda: tk.microaggregation.hilbert_order(X), 1),
    "principal_order": (lambda: tk.microaggregation.principal_order(X), 1),
    "column_order": (lambda: tk.microaggregation.column_order(X), 1),
    "cut": (lambda: tk.cut(X, np.arange(60), 3), 1),
    "univariate": (lambda: tk.univariate(COLUMN, 3), 1),
    "mil": (lambda: tk.mil(COLUMN, LABELS, 3), 1),
    "partition": (lambda: tk.partition(X, 3), 1),
    **{
        f"partition, {method}": (lambda method=method: tk.partition(X, 3, method=method), 1)
        for method in ("mdav", "vmdav", "block_mdav", "mondrian", "kmember", "npn", "flexdice")
    },
    "partition of one column": (lambda: tk.partition(X[:, :1], 3), 1),
    "partition in strata": (lambda: tk.partition(X, 3, strata=STRATA), 1),
    "partition of households": (lambda: tk.partition(X, 3, households=np.arange(60) // 2), 1),
    "partition by rules": (lambda: tk.partition(X, 3, sensitive=CODES, l_diversity=2), 1),
    "partition, weighted": (lambda: tk.partition(X, 3, attribute_weights=[1, 2, 3]), 2),
    "refine": (lambda: tk.refine(X, LABELS, 3), 1),
    "refine in strata": (
        lambda: tk.refine(X, tk.partition(X, 3, strata=STRATA), 3, strata=STRATA),
        2,
    ),
    "refine, optimal": (lambda: tk.refine(X[:12], LABELS[:12] * 0, 3, effort="optimal"), 1),
    "aggregate": (lambda: tk.aggregate(X, LABELS), 1),
    "microaggregate": (lambda: tk.microaggregate(X, 3), 1),
    "sse": (lambda: tk.loss.sse(X, LABELS), 1),
    "sst": (lambda: tk.loss.sst(X), 1),
    "ilssdm": (lambda: tk.loss.ilssdm(X, LABELS), 1),
    "lower_bound": (lambda: tk.lower_bound(X, 3), 1),
    "lower_bound, neighbours": (lambda: tk.lower_bound(X, 3, method="neighbours"), 1),
    "gap": (lambda: tk.bounds.gap(X, LABELS, 3), 1),
    "information": (lambda: tk.loss.information(X, tk.distances.Euclidean()), 1),
    "information of strings": (
        lambda: tk.loss.information(WORDS, tk.distances.Levenshtein(), power=3),
        0,
    ),
    "ild": (lambda: tk.loss.ild(X, X * 0.5, tk.distances.Minkowski(3)), 2),
    "ild of records": (
        lambda: tk.loss.ild({"x": COLUMN, "w": WORDS}, {"x": COLUMN, "w": WORDS}, PERSON, power=1),
        2,
    ),
    "ild, estimated": (
        lambda: tk.loss.ild(WORDS, WORDS, tk.distances.Levenshtein(), estimate=True, pairs=99),
        0,
    ),
    "by_share": (lambda: tk.recode.by_share(CODES, 0.3, rule="neighbours"), 0),
    "Laplace.perturb": (lambda: LAPLACE.perturb(np.arange(41)), 1),
    "SquareWave.perturb": (lambda: SQUARE.perturb(np.arange(41)), 1),
    "noise.perturb": (lambda: tk.noise.perturb([np.arange(41)], [AGE], 2), 1),
    "LaplaceMixture": (lambda: tk.reconstruct.LaplaceMixture(2, 4.0).fit(Y), 1),
    "iterative_bayes": (lambda: tk.reconstruct.iterative_bayes(Y, LAPLACE, max_iter=3), 1),
    "smooth": (lambda: tk.reconstruct.smooth(Y, LAPLACE, orders=[1]), 1),
    "distribution": (lambda: tk.reconstruct.distribution(Y, LAPLACE), 1),
    "table": (
        lambda: tk.reconstruct.table(np.column_stack([Y, Y]), [LAPLACE, LAPLACE], max_iter=3),
        3,  # and the edges of the cells of each column
    ),
    "Microaggregator": (lambda: tk.Microaggregator(k=3).fit_transform(X), 1),
    "Microaggregator, standardized": (
        lambda: tk.Microaggregator(k=3, standardize=True).fit_transform(X),
        2,
    ),
}
RELEASES = {
    "mask": lambda: tk.release.mask(FRAME, k=3, quasi=["a", "b", "c"]),
    "perturb": lambda: tk.release.perturb(FRAME[["a"]], k=2, attributes={"a": WIDE}),
    "compare": lambda: tk.loss.compare(FRAME, FRAME),
}
WIDE = tk.noise.Attribute(lower=-9, upper=9)


class Environment(dict):
    """An environment that counts how often each variable is asked for."""

    def __init__(self, variables):
        super().__init__(variables)
        self.asked = Counter()

    def __getitem__(self, name):
        self.asked[name] += 1
        return super().__getitem__(name)

    def get(self, name, default=None):
        self.asked[name] += 1
        return super().get(name, default)


@pytest.fixture
def asked(monkeypatch):
    """How often each variable has been asked for."""
    environment = Environment(os.environ)
    monkeypatch.setattr(os, "environ", environment)
    return environment.asked


@pytest.fixture
def scanned(monkeypatch):
    """The sizes of the tables that have been looked through."""
    sizes, fits = [], tables.fits

    def counted(table, limit):
        sizes.append(table.shape)
        return fits(table, limit)

    monkeypatch.setattr(tables, "fits", counted)
    return sizes


@pytest.mark.parametrize("name", [*CALLS, *RELEASES])
def test_the_environment_is_read_once_a_call(name, asked):
    call = RELEASES[name] if name in RELEASES else CALLS[name][0]
    calls = 2 if name == "refine in strata" else 1
    call()
    assert {asked[variable] for variable in VARIABLES} <= {0, calls}
    assert asked[machine.LEVEL_VARIABLE] == calls


@pytest.mark.parametrize("name", CALLS)
def test_a_table_is_looked_through_once_a_call(name, scanned):
    call, most = CALLS[name]
    call()
    assert len(scanned) == most


def test_a_masking_looks_through_its_records_at_most_once(scanned):
    RELEASES["mask"]()
    assert len([shape for shape in scanned if shape[0] == len(FRAME)]) <= 1


@pytest.mark.parametrize(
    ("public", "inner"), [(tk.partition, task), (tk.noise.perturb, perturb_of)]
)
def test_an_inner_function_takes_what_its_public_one_does(public, inner):
    asked, taken = (dict(inspect.signature(one).parameters) for one in (public, inner))
    handed_on = set(Partitioning.__annotations__) if "options" in taken else set()
    taken.pop("options", None)
    how = {"n_threads", "callback", "run"}
    assert asked.keys() - how == (taken.keys() | handed_on) - how
    for name, parameter in taken.items():
        if parameter.default is not inspect.Parameter.empty:
            assert parameter.default == asked[name].default


def test_a_run_tells_parts_as_shares_of_the_whole():
    progress = []
    run = _check.run(1, progress.append)
    run.part(0.5, 1.0).part(0.0, 0.5).tell(0.5)
    run.silent().tell(1.0)
    assert progress == [0.625]


def test_a_run_ends_at_its_deadline():
    progress = []
    run = _check.run(1, progress.append)
    assert run.until(None) is run
    run.until(_check.deadline(1e6)).tell(0.25)
    with pytest.raises(StopIteration):
        run.until(_check.Deadline(0.0)).tell(0.5)
    assert progress == [0.25, 0.5]


def test_a_deadline_remembers_that_it_has_cut_some_part_of_the_work():
    run, end = _check.run(1), _check.Deadline(0.0)
    assert not end.cut
    with pytest.raises(StopIteration):
        run.until(end.part(0.5)).tell(0.25)
    assert end.cut
    later = _check.deadline(1e6)
    run.until(later).tell(1.0)
    assert not later.cut
