"""Estimators: parameters in, learned attributes out, at home in a scikit-learn pipeline."""

import numpy as np
import pytest
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
    with pytest.raises(ValueError, match="has 2 columns, but 3 were fitted"):
        masker.transform(X[:, :2])


def test_an_estimator_that_is_not_fitted_says_so():
    with pytest.raises(ValueError, match="not fitted yet"):
        tk.Microaggregator().transform(X)


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
