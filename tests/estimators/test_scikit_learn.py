"""What scikit-learn asks of an estimator, asked by its own checks; and its ways to combine them."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest

import tokumei as tk

sklearn = pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.compose import ColumnTransformer  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.linear_model import LinearRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV  # noqa: E402
from sklearn.pipeline import Pipeline, make_pipeline  # noqa: E402
from sklearn.preprocessing import OneHotEncoder, StandardScaler  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402

NEWER = tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 6)
BOUNDS = {"lower": -1e6, "upper": 1e6}
OTHER_ROWS = "rows that were not fitted have no k others to hide among, and are refused"
DRAWN = "noise is drawn anew each time, so no second result equals the first"
FEWER = "fewer rows than were fitted would need more noise"
TEXTS = "merged categories are texts, which the check compares as numbers"
POINTS = "a row's density is an average over random points, which go by its place"
REFUSING = {
    "check_methods_sample_order_invariance": OTHER_ROWS,
    "check_methods_subset_invariance": OTHER_ROWS,
    "check_fit_idempotent": OTHER_ROWS,
}
NOISY = {
    "check_estimators_pickle": DRAWN,
    "check_dict_unchanged": "the report of what was drawn is written by transform",
    "check_fit_idempotent": FEWER,
}
MERGING = dict.fromkeys(
    (
        "check_pipeline_consistency",
        "check_estimators_pickle",
        "check_transformer_data_not_an_array",
        "check_transformer_general",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
        "check_fit_idempotent",
    ),
    TEXTS,
)
AVERAGED = {
    "check_methods_sample_order_invariance": POINTS,
    "check_methods_subset_invariance": POINTS,
}
# Every estimator, and the checks that contradict what it is for. One that passes is an error too.
EXPECTED = [
    (tk.Microaggregator(k=2), REFUSING),
    (tk.Microaggregator(k=2, new_rows="nearest"), {}),
    (tk.LaplaceNoise(k=2, **BOUNDS), NOISY),
    (tk.RandomizedResponseNoise(k=2, **BOUNDS, cells=8, max_retention=0.6), NOISY),
    (tk.SquareWaveNoise(k=2, **BOUNDS, cells=20), NOISY),
    (tk.ShareRecoder(share=0.1), MERGING),
    (tk.reconstruct.LaplaceMixture(2, 1.0), {}),
    (tk.reconstruct.DiagonalMixture(2, 0.3), {}),
    (tk.reconstruct.ScaleMixture(1, 0.3, n_init=1, n_steps=3), AVERAGED),
    (tk.reconstruct.RotatedMixture(2, 0.3), {}),
]


# Before 1.6 it makes every estimator by itself, without arguments.
OLDER = {} if NEWER else {"check_parameters_default_constructible": "noise must have a scale"}


def expected(estimator):
    older = OLDER if isinstance(estimator, tk.reconstruct.DiagonalMixture.__base__) else {}
    return older | next(
        reasons
        for each, reasons in EXPECTED
        if type(each) is type(estimator)
        and getattr(each, "new_rows", 0) == getattr(estimator, "new_rows", 0)
    )


EXPECTING = {"expected_failed_checks": expected} if NEWER else {}
with warnings.catch_warnings():
    # Mixtures load no scikit-learn, and so inherit nothing; LaplaceMixture takes one column.
    warnings.simplefilter("ignore", UserWarning)
    checks = parametrize_with_checks([each for each, _ in EXPECTED], **EXPECTING)


@pytest.mark.filterwarnings("ignore")
@checks
def test_the_checks_of_scikit_learn(estimator, check):
    if NEWER or getattr(check, "func", check).__name__ not in expected(estimator):
        check(estimator)
    else:  # older ones know of no reasons
        pytest.xfail(expected(estimator)[check.func.__name__])


def test_few_checks_are_expected_to_fail_each_with_its_reason():
    assert max(len(reasons) for _, reasons in EXPECTED) <= 8
    assert all(reason for _, reasons in EXPECTED for reason in reasons.values())


X = np.random.default_rng(4).normal(size=(60, 3)) * [1, 10, 1000]
FRAME = pd.DataFrame(X, columns=["age", "rooms", "income"], index=range(100, 160))
Y = X @ [1.0, 0.5, 0.01]
TRANSFORMERS = [each for each, _ in EXPECTED if hasattr(each, "transform")]


@pytest.mark.parametrize("estimator", TRANSFORMERS, ids=lambda each: type(each).__name__)
def test_columns_are_known_by_name_and_refused_in_another_order(estimator):
    fitted = clone(estimator).fit(FRAME)
    assert fitted.n_features_in_ == 3
    assert fitted.feature_names_in_.tolist() == ["age", "rooms", "income"]
    assert fitted.get_feature_names_out().tolist() == ["age", "rooms", "income"]
    with pytest.raises(ValueError, match="must be in the same order as they were in fit"):
        fitted.transform(FRAME[["rooms", "age", "income"]])
    with pytest.raises(ValueError, match=r"yet now missing:\n- income"):
        fitted.transform(FRAME[["age", "rooms"]])
    with pytest.raises(ValueError, match=r"unseen at fit time:\n- size"):
        fitted.transform(FRAME.rename(columns={"rooms": "size"}))
    assert clone(estimator).fit(X).get_feature_names_out().tolist() == ["x0", "x1", "x2"]
    with pytest.raises(NotFittedError, match="not fitted yet"):
        clone(estimator).transform(FRAME)


def test_mixtures_refuse_columns_in_another_order():
    fitted = tk.reconstruct.DiagonalMixture(2, 0.3).fit(FRAME)
    with pytest.raises(ValueError, match="must be in the same order"):
        fitted.predict(FRAME[["rooms", "age", "income"]])


def test_one_column_is_fitted_as_a_table_too():
    values = X[:, 0]
    plain = tk.reconstruct.LaplaceMixture(2, 0.3).fit(values)
    for table in (values[:, None], FRAME[["age"]], pl.DataFrame({"age": values})):
        again = tk.reconstruct.LaplaceMixture(2, 0.3).fit(table)
        np.testing.assert_array_equal(again.means_, plain.means_)
        np.testing.assert_array_equal(again.predict(table), plain.predict(values))


def test_the_container_that_is_asked_for_comes_out():
    masked = tk.Microaggregator(k=4).fit_transform(X)
    frame = tk.Microaggregator(k=4).set_output(transform="pandas").fit_transform(X)
    assert isinstance(frame, pd.DataFrame)
    assert list(frame.columns) == ["x0", "x1", "x2"]
    np.testing.assert_array_equal(frame, masked)
    columns = tk.Microaggregator(k=4).set_output(transform="polars").fit_transform(FRAME)
    assert isinstance(columns, pl.DataFrame)
    np.testing.assert_array_equal(columns.to_numpy(), masked)
    with sklearn.config_context(transform_output="pandas"):
        assert isinstance(tk.Microaggregator(k=4).fit_transform(X), pd.DataFrame)


def test_noise_never_keeps_row_labels_for_its_rows_are_shuffled():
    noise = tk.LaplaceNoise(k=2, lower=-1e6, upper=1e6)
    assert noise.fit_transform(FRAME).index.tolist() == list(range(60))
    asked = clone(noise).set_output(transform="pandas").fit_transform(FRAME)
    assert asked.index.tolist() == list(range(60))


def test_a_pipeline_learns_from_masked_records_only():
    steps = make_pipeline(StandardScaler(), tk.Microaggregator(k=5), LinearRegression())
    steps.fit(X, Y)
    masked = tk.microaggregate(StandardScaler().fit_transform(X), 5)
    np.testing.assert_allclose(steps[-1].coef_, LinearRegression().fit(masked, Y).coef_)
    np.testing.assert_allclose(steps.predict(X), steps[-1].predict(masked))
    with pytest.raises(ValueError, match="no group of k others to hide in"):
        steps.predict(X[:7] + 1)
    steps.set_params(microaggregator__new_rows="nearest")
    centers = steps[1].centers_
    near = ((StandardScaler().fit(X).transform(X[:7] + 1)[:, None] - centers) ** 2).sum(2).argmin(1)
    np.testing.assert_allclose(steps.predict(X[:7] + 1), steps[-1].predict(centers[near]))


def test_columns_of_a_table_go_their_own_ways():
    work = np.array(["cook", "nurse", "smith", "mayor"])[np.minimum(np.arange(60) % 7, 3)]
    people = FRAME.assign(work=work)
    ways = ColumnTransformer(
        [
            ("numbers", tk.Microaggregator(k=4), ["age", "income"]),
            ("work", make_pipeline(tk.ShareRecoder(share=0.2), OneHotEncoder()), ["work"]),
        ],
        sparse_threshold=0,
    )
    made = ways.fit_transform(people)
    np.testing.assert_array_equal(made[:, :2], tk.microaggregate(X[:, [0, 2]], 4))
    assert set(made[:, 2:].sum(axis=1)) == {1.0}
    np.testing.assert_array_equal(ways.transform(people), made)
    names = ways[0] if not hasattr(ways, "get_feature_names_out") else ways.get_feature_names_out()
    assert list(names)[:2] == ["numbers__age", "numbers__income"]


def test_a_search_over_k_scores_new_rows_by_the_nearest_centres():
    steps = Pipeline(
        [("mask", tk.Microaggregator(new_rows="nearest")), ("fit", LinearRegression())]
    )
    search = GridSearchCV(steps, {"mask__k": [2, 20]}, cv=3).fit(X, Y)
    assert search.best_params_ == {"mask__k": 2}
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize("estimator", TRANSFORMERS, ids=lambda each: type(each).__name__)
def test_clones_and_pickles_are_what_they_were(estimator):
    assert repr(clone(estimator)) == repr(estimator)
    fitted = clone(estimator).fit(X)
    again = pickle.loads(pickle.dumps(fitted))
    assert again.get_params() == fitted.get_params()
    assert again.transform(X).shape == X.shape
    if isinstance(estimator, tk.Microaggregator):
        np.testing.assert_array_equal(again.transform(X), fitted.transform(X))


def test_strata_and_weights_are_routed_to_the_step_that_asks():
    strata, weights = np.arange(60) % 2, np.arange(60) + 1.0
    with sklearn.config_context(enable_metadata_routing=True):
        masker = tk.Microaggregator(k=4).set_fit_request(strata=True, record_weights="survey")
        steps = make_pipeline(masker, LinearRegression())
        steps.fit(X, Y, strata=strata, survey=weights)
        with pytest.raises(ValueError, match="households"):
            make_pipeline(tk.Microaggregator(k=4), LinearRegression()).fit(X, Y, households=strata)
    wanted = tk.Microaggregator(k=4).fit(X, strata=strata, record_weights=weights)
    np.testing.assert_array_equal(steps[0].labels_, wanted.labels_)
    assert not np.array_equal(steps[0].labels_, tk.Microaggregator(k=4).fit(X).labels_)
    with pytest.raises(TypeError, match="takes no magic"):
        tk.Microaggregator().fit_transform(X, magic=True)


def test_estimators_work_where_scikit_learn_is_not():
    code = (
        "import sys; sys.modules['sklearn'] = None\n"
        "import numpy as np, tokumei as tk\n"
        "X = np.arange(20.0).reshape(10, 2)\n"
        "masker = tk.Microaggregator(k=2)\n"
        "assert (masker.fit_transform(X) == masker.transform(X)).all()\n"
        "assert repr(masker) == 'Microaggregator(k=2)' and masker.n_features_in_ == 2\n"
        "assert tk.reconstruct.LaplaceMixture(1, 1.0).fit(X[:, 0]).n_features_in_ == 1\n"
        "try:\n    tk.Microaggregator().transform(X)\n"
        "except ValueError as error:\n    print(error)\n"
        "assert not {'scipy', 'pandas', 'narwhals'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "this Microaggregator is not fitted yet; call fit or fit_transform\n"
