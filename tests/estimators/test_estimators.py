"""Estimators: parameters in, learned attributes out, at home in a scikit-learn pipeline."""

import pickle

import numpy as np
import pandas as pd
import pytest
from oracle import nearest_centres
from strategies import make

import tokumei as tk

X = make("normal", 60, 3, seed=4) * [1, 10, 1000]


def test_the_estimator_does_what_the_functions_do():
    masker = tk.Microaggregator(k=4)
    np.testing.assert_array_equal(masker.fit_transform(X), tk.microaggregate(X, 4))
    np.testing.assert_array_equal(masker.labels_, tk.partition(X, 4))
    np.testing.assert_array_equal(masker.centers_[masker.labels_], tk.microaggregate(X, 4))
    assert masker.n_features_in_ == 3
    np.testing.assert_array_equal(tk.Microaggregator(4).fit(X).labels_, masker.labels_)


def test_standardizing_changes_the_groups_and_not_the_unit():
    masker = tk.Microaggregator(k=4, standardize=True)
    masked = masker.fit_transform(X)
    labels = tk.partition(tk.standardize(X), 4)
    np.testing.assert_array_equal(masker.labels_, labels)
    np.testing.assert_array_equal(masked, tk.aggregate(X, labels))


def test_new_rows_are_refused_unless_told_how():
    masker = tk.Microaggregator(k=4).fit(X)
    with pytest.raises(ValueError, match="no group of k others to hide in"):
        masker.transform(X[:2])
    masker.set_params(new_rows="nearest")
    np.testing.assert_array_equal(masker.transform(masker.centers_), masker.centers_)
    with pytest.raises(ValueError, match="X has 2 features, but Microaggregator is expecting 3"):
        masker.transform(X[:, :2])


def test_an_estimator_that_is_not_fitted_says_so():
    with pytest.raises(ValueError, match="not fitted yet"):
        tk.Microaggregator().transform(X)


@pytest.mark.parametrize("problem", ["normal", "ties"])
@pytest.mark.parametrize("threads", [1, 3])
def test_new_rows_get_the_nearest_centre(problem, threads):
    fitted, others = make(problem, 300, 3, seed=1), make(problem, 2000, 3, seed=2)
    masker = tk.Microaggregator(k=3, new_rows="nearest", n_threads=threads).fit(fitted)
    wanted = nearest_centres(others[:200], masker.centers_)
    np.testing.assert_array_equal(masker.transform(others)[:200], masker.centers_[wanted])


def test_new_rows_are_near_by_standardized_attributes_where_groups_are():
    masker = tk.Microaggregator(k=4, standardize=True, new_rows="nearest").fit(X)
    others = X[::2] * 1.01
    wanted = nearest_centres(others / X.std(axis=0), masker.centers_ / X.std(axis=0))
    np.testing.assert_array_equal(masker.transform(others), masker.centers_[wanted])


PEOPLE = {
    "age": X[:, 0],
    "income": X[:, 2],
    "work": np.array(["cook", "nurse", "smith"])[np.arange(60) % 3],
}
KINDS = {"mapping": dict, "frame": pd.DataFrame}


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_with_categories_is_masked_as_the_functions_do(kind):
    people = KINDS[kind](PEOPLE)
    masker = tk.Microaggregator(k=4)
    masked = masker.fit_transform(people)
    assert type(masked) is type(people)
    plain = tk.microaggregate(people, 4)
    first = np.unique(masker.labels_, return_index=True)[1]
    for name in PEOPLE:
        assert list(masked[name]) == list(plain[name])
        assert list(masker.centers_[name]) == list(np.asarray(plain[name])[first])
    np.testing.assert_array_equal(masker.labels_, tk.partition(people, 4))
    assert masker.n_features_in_ == 3


def test_columns_of_codes_are_categories_where_they_are_named():
    codes = np.column_stack([X[:, 0], np.arange(60) % 3 * 0.01])
    masker = tk.Microaggregator(k=4, categorical=[1]).fit(codes)
    np.testing.assert_array_equal(masker.labels_, tk.partition(codes, 4, categorical=[1]))
    assert not np.array_equal(masker.labels_, tk.Microaggregator(k=4).fit(codes).labels_)


def test_standardizing_leaves_categories_as_they_are():
    masker = tk.Microaggregator(k=4, standardize=True)
    masked = masker.fit_transform(PEOPLE)
    scaled = {name: tk.standardize(PEOPLE[name][:, None])[:, 0] for name in ("age", "income")}
    np.testing.assert_array_equal(masker.labels_, tk.partition({**PEOPLE, **scaled}, 4))
    np.testing.assert_array_equal(
        masked["income"], tk.aggregate(PEOPLE["income"][:, None], masker.labels_)[:, 0]
    )


def test_new_rows_with_categories_are_refused():
    masker = tk.Microaggregator(k=4, new_rows="nearest").fit(PEOPLE)
    others = {**PEOPLE, "age": PEOPLE["age"] + 1}
    with pytest.raises(ValueError, match="is for tables of numbers"):
        masker.transform(others)


def test_the_fitted_table_is_known_again_and_nothing_of_it_is_kept():
    masker = tk.Microaggregator(k=4)
    masked = masker.fit_transform(X)
    np.testing.assert_array_equal(masker.transform(X), masked)
    np.testing.assert_array_equal(masker.transform(np.asfortranarray(X)), masked)
    for other in (X[:-1], X[::-1], np.where(X[3, 1] == X, 0.5, X)):
        with pytest.raises(ValueError, match="no group of k others to hide in"):
            masker.transform(other)
    held = pickle.dumps(masker)
    assert not any(cell.tobytes() in held for cell in X.ravel())
    assert masker.centers_[0, 0].tobytes() in held  # where a value is held it is found


@pytest.mark.parametrize("kind", KINDS)
def test_a_fitted_table_with_categories_is_known_again(kind):
    people = KINDS[kind](PEOPLE)
    masker = tk.Microaggregator(k=4)
    masked = masker.fit_transform(people)
    again = masker.transform(people)
    assert all(list(again[name]) == list(masked[name]) for name in PEOPLE)


def test_parameters_can_be_read_set_and_shown():
    masker = tk.Microaggregator(k=3, standardize=True)
    assert masker.get_params()["k"] == 3
    assert repr(masker) == "Microaggregator(k=3, standardize=True)"
    assert masker.set_params(k=7).k == 7
    with pytest.raises(ValueError, match="parameter must be one of"):
        masker.set_params(magic=1)


def test_it_clones_and_runs_in_a_pipeline():
    base = pytest.importorskip("sklearn.base")
    pipeline = pytest.importorskip("sklearn.pipeline")
    preprocessing = pytest.importorskip("sklearn.preprocessing")
    masker = base.clone(tk.Microaggregator(k=5))
    assert masker.k == 5
    steps = pipeline.make_pipeline(preprocessing.StandardScaler(), masker)
    masked = steps.fit_transform(X)
    assert np.unique(masked, axis=0, return_counts=True)[1].min() >= 5
