"""Model-based loss: the plain loop's scores from a fraction of its rows, and the paper's views."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import OneHotEncoder
from threadpoolctl import threadpool_limits

import tokumei as tk
from tokumei.loss.models.classifiers import default_estimator, distinct, scores_of


def people(n=600, seed=3):
    generator = np.random.default_rng(seed)
    job = generator.choice(
        ["farm", "wood", "shop", "bank", "king"], n, p=[0.3, 0.2, 0.3, 0.19, 0.01]
    )
    tool = np.where(generator.random(n) < 0.7, np.char.add(job, "-tool"), "none")
    town = generator.choice(["big", "small", "sea"], n, p=[0.6, 0.3, 0.1])
    return {"job": job.tolist(), "tool": tool.tolist(), "town": town.tolist()}


def plain_scores(target, inputs):
    """One model on all rows, judged by scikit-learn's own measures."""
    hot = OneHotEncoder().fit_transform(np.stack(inputs, axis=1))
    with threadpool_limits(1):
        reports = default_estimator().set_params(tol=1e-6).fit(hot, target).predict(hot)
    macro = {"average": "macro", "zero_division": 0, "labels": np.unique(target)}
    return [
        precision_score(target, reports, **macro), recall_score(target, reports, **macro),
        f1_score(target, reports, **macro), accuracy_score(target, reports),
    ]  # fmt: skip


def test_every_model_scores_as_the_plain_loop_on_all_rows():
    table = people()
    coarse = {name: list(c) for name, c in tk.ShareRecoder(0.05).fit_transform(table).items()}
    lost = tk.loss.model(
        table, coarse, n_jobs=1, estimator=default_estimator().set_params(tol=1e-6)
    )
    assert len(lost.rows) == 9
    for row in lost.rows:
        for scores, columns in ((row.original, table), (row.masked, coarse)):
            plain = plain_scores(table[row.target], [columns[name] for name in row.inputs])
            ours = [scores.precision, scores.recall, scores.f, scores.accuracy]
            assert ours == pytest.approx(plain)


def test_distinct_rows_with_counts_give_the_same_coefficients():
    table = people()
    target = np.array(table["job"])
    hot = OneHotEncoder().fit_transform(np.stack([table["tool"], table["town"]], axis=1))
    with threadpool_limits(1):
        plain = LogisticRegression(tol=1e-9, max_iter=5000).fit(hot, target)
    codes = [np.unique(table[name], return_inverse=True)[1] for name in ("job", "tool", "town")]
    rows, counts = distinct(codes, np.ones((len(target), 1)))
    assert len(rows) < len(target) / 10
    few = OneHotEncoder().fit_transform(rows[:, 1:])
    weighted = LogisticRegression(tol=1e-9, max_iter=5000)
    weighted.fit(few, rows[:, 0], sample_weight=counts[:, 0])
    assert weighted.coef_ == pytest.approx(plain.coef_, abs=1e-4)


def test_a_table_masked_by_nothing_loses_nothing():
    lost = tk.loss.model(people(), people(), n_jobs=1)
    assert all(value == 0 for row in lost.rows for value in vars(row.loss).values())


def test_models_are_those_of_all_targets_and_subsets():
    lost = tk.loss.model(people(), people(), n_jobs=1)
    names = ["job", "tool", "town"]
    expected = {
        (target, inputs)
        for target in names
        for size in (1, 2)
        for inputs in itertools.combinations([name for name in names if name != target], size)
    }
    assert {(row.target, row.inputs) for row in lost.rows} == expected


def test_processes_change_nothing():
    table = people(200)
    coarse = tk.ShareRecoder(0.2).fit_transform(table)
    one = tk.loss.model(table, coarse, sizes=[1], n_jobs=1)
    two = tk.loss.model(table, coarse, sizes=[1], n_jobs=2)
    assert one == two


def test_maskings_by_name_are_the_maskings_one_by_one():
    table = people(300)
    coarse = {share: tk.ShareRecoder(share).fit_transform(table) for share in (0.05, 0.4)}
    together = tk.loss.model(table, coarse, n_jobs=1)
    assert together.maskings == [0.05, 0.4]
    for share, one in coarse.items():
        alone = tk.loss.model(table, one, n_jobs=1)
        mine = [row for row in together.rows if row.masking == share]
        assert [row.loss for row in mine] == [row.loss for row in alone.rows]


def test_cross_validation_judges_records_it_was_not_fitted_on():
    table = people(300)
    # A name tells everything in sample and nothing of new people.
    table["name"] = [f"person {i}" for i in range(300)]
    within = tk.loss.model(table, table, targets=["town"], sizes=[1], n_jobs=1)
    beyond = tk.loss.model(table, table, targets=["town"], sizes=[1], n_jobs=1, folds=5)
    by_name = [
        next(row.original.accuracy for row in lost.rows if row.inputs == ("name",))
        for lost in (within, beyond)
    ]
    assert by_name[0] > 0.9
    assert by_name[1] < 0.75


@pytest.mark.parametrize("estimator", [MultinomialNB(), KNeighborsClassifier(5)])
def test_other_classifiers_serve_with_and_without_sample_weights(estimator):
    table = people(200)
    lost = tk.loss.model(table, table, targets=["job"], n_jobs=1, estimator=estimator)
    hot = OneHotEncoder().fit_transform(np.stack([table["tool"], table["town"]], axis=1))
    plain = estimator.fit(hot, table["job"]).score(hot, table["job"])
    both = next(row for row in lost.rows if len(row.inputs) == 2)
    assert both.original.accuracy == pytest.approx(plain, abs=0.02)


CONFUSIONS = st.integers(2, 4).flatmap(
    lambda m: st.lists(st.lists(st.integers(0, 5), min_size=m, max_size=m), min_size=m, max_size=m)
).filter(lambda rows: any(map(any, rows)))  # fmt: skip


@settings(max_examples=60)
@given(CONFUSIONS)
def test_scores_are_those_of_scikit_learn(rows):
    actual = [i for i, row in enumerate(rows) for count in row for _ in range(count)]
    reports = [j for row in rows for j, count in enumerate(row) for _ in range(count)]
    macro = {"average": "macro", "zero_division": 0, "labels": sorted(set(actual))}
    scores = scores_of(np.array(rows, dtype=float), 0.0)
    assert scores.precision == pytest.approx(precision_score(actual, reports, **macro))
    assert scores.recall == pytest.approx(recall_score(actual, reports, **macro))
    assert scores.f == pytest.approx(f1_score(actual, reports, **macro))
    assert scores.accuracy == pytest.approx(accuracy_score(actual, reports))


def test_a_class_that_is_never_told_counts_as_asked():
    confusion = np.array([[6.0, 0.0], [2.0, 0.0]])
    assert scores_of(confusion, 0.0).precision == pytest.approx(0.375)
    assert scores_of(confusion, 1.0).precision == pytest.approx(0.875)
    assert scores_of(confusion, None).precision == pytest.approx(0.75)


def test_the_views_of_the_paper():
    table = people()
    coarse = {share: tk.ShareRecoder(share).fit_transform(table) for share in (0.05, 0.35)}
    lost = tk.loss.model(table, coarse, n_jobs=1)
    means = lost.means("recall")
    of_two = [row.loss.recall for row in lost.rows if len(row.inputs) == 2 and row.masking == 0.35]
    assert means[2][0.35] == pytest.approx(sum(of_two) / 3)
    assert means[1][0.35] > means[1][0.05] > 0
    largest = lost.largest("recall", 0.35, count=2)[1]
    assert largest[0].loss.recall >= largest[1].loss.recall
    assert str(largest[0]) in {"job ~ tool", "tool ~ job"}
    together = lost.correlations("recall", 0.35)[1]
    without = lost.correlations("recall", 0.35, without="town")[1]
    assert -1 <= together <= 1
    assert together != without
    assert len(lost.plot("recall", 0.35, marked="town").axes) == 2
    assert "mean loss of recall" in str(lost)
    assert len(json.loads(lost.to_json())) == len(lost.records()) == len(lost.rows) == 18
    assert len(pd.DataFrame(lost.records())) == 18


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"targets": ["age"]}, ValueError, "1 of 1 do not"),
        ({"targets": []}, ValueError, "targets must name columns"),
        ({"sizes": [3]}, ValueError, "sizes must be between 1 and 2"),
        ({"folds": 1}, ValueError, "folds must be between 2"),
        ({"empty": "none"}, TypeError, "empty must be a number"),
        ({"masked": {"job": ["a"]}}, ValueError, "must have the same columns"),
        ({"original": {"job": ["a", "b"]}}, ValueError, "at least two columns"),
        ({"targets": ["job"], "original": {**people(30), "job": ["a"] * 30},
          "masked": people(30)}, ValueError, "one category only"),
        ({"original": {**people(30), "job": [None] * 30}, "masked": people(30)}, ValueError,
         "30 missing values"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(options, error, message):
    table = people(30)
    arguments = {"original": table, "masked": table, "n_jobs": 1, **options}
    with pytest.raises(error, match=message):
        tk.loss.model(**arguments)


def test_unknown_measures_and_maskings_are_refused():
    table = people(60)
    lost = tk.loss.model(table, {1: table, 2: table}, sizes=[1], n_jobs=1)
    with pytest.raises(ValueError, match="measure must be one of"):
        lost.means("magic")
    with pytest.raises(ValueError, match="there are 2 maskings"):
        lost.largest("recall")
    with pytest.raises(ValueError, match="masking must be one of 1, 2"):
        lost.largest("recall", 3)


def test_progress_is_told_and_can_end_the_work():
    table = people(60)
    reports = []
    tk.loss.model(table, table, sizes=[1], n_jobs=1, callback=reports.append)
    assert reports == sorted(reports)
    assert reports[-1] == 1.0

    def stop(_share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tk.loss.model(table, table, sizes=[1], n_jobs=1, callback=stop)
