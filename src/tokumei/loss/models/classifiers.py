"""One classifier fitted on distinct rows with counts, and how well it predicts the classes.

Equal rows repeat in a table of categories, so a model is fitted on each of them once, weighted by
how often it occurs: the same likelihood, from a few thousand rows where there were tens of
thousands of records.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from tokumei import _check
from tokumei._check import Floats, Labels


@dataclass(frozen=True)
class Scores:
    """How well a model predicts the classes of its target: 1 is best."""

    precision: float
    recall: float
    f: float
    accuracy: float

    def __sub__(self, other: Scores) -> Scores:
        return Scores(**{m: getattr(self, m) - getattr(other, m) for m in MEASURES})


MEASURES = tuple(field.name for field in fields(Scores))


def scores_of(confusion: Floats, empty: float | None) -> Scores:
    """Macro averages over classes; ``confusion[i, j]`` counts records of class i predicted as j.

    Precision is the correct share of what was predicted, recall that of what occurs. A class that
    is never predicted has no precision, and an F of 0: both count as `empty`, or are left out of
    their means where that is None.
    """
    correct = np.diag(confusion)
    actual, predicted = confusion.sum(axis=1), confusion.sum(axis=0)
    occurs = actual > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = correct / predicted
        recall = correct / actual
        f = 2 * correct / (predicted + actual)
    f[correct == 0] = np.nan
    return Scores(
        precision=_mean(precision[occurs], empty),
        recall=_mean(recall[occurs], empty),
        f=_mean(f[occurs], empty),
        accuracy=float(correct.sum() / confusion.sum()),
    )


def _mean(values: Floats, empty: float | None) -> float:
    absent = np.isnan(values)
    if empty is None:
        return float(values[~absent].mean()) if not absent.all() else 0.0
    return float(np.where(absent, empty, values).mean())


@dataclass(frozen=True, eq=False)
class PredictionTask:
    """Distinct rows: codes of the inputs, the target's codes, and counts by fold.

    ``counts[row, fold]`` is the number of records of a row in a fold; with one fold the model is
    judged on the records it was fitted on.
    """

    inputs: Labels
    target: Labels
    counts: Floats
    classes: int


def distinct(columns: Sequence[Labels], counts: Floats) -> tuple[Labels, Floats]:
    """The distinct rows of some columns of codes, and their counts."""
    key = np.zeros(len(counts), dtype=np.int64)
    for column in columns:
        key = np.unique(key * (int(column.max()) + 1) + column, return_inverse=True)[1]
    first = np.unique(key, return_index=True)[1]
    summed = np.zeros((len(first), counts.shape[1]))
    np.add.at(summed, key, counts)
    return np.stack([column[first] for column in columns], axis=1), summed


def confusion_of(task: PredictionTask, estimator: Any) -> Floats:
    """Which class the records of each class are predicted as, by models without their fold."""
    hot = _one_hot(task.inputs)
    confusion = np.zeros((task.classes, task.classes))
    folds = task.counts.shape[1]
    for fold in range(folds):
        judged = task.counts[:, fold]
        learnt = judged if folds == 1 else task.counts.sum(axis=1) - judged
        predicted = _predicted(estimator, hot, task.target, learnt)
        np.add.at(confusion, (task.target, predicted), judged)
    return confusion


def _predicted(estimator: Any, hot: Any, target: Labels, counts: Floats) -> Labels:
    from sklearn.base import clone
    from sklearn.utils.validation import has_fit_parameter
    from threadpoolctl import threadpool_limits

    rows = np.flatnonzero(counts)
    known = np.unique(target[rows])
    if len(known) == 1:
        return np.full(len(target), known[0])
    model = clone(estimator)
    # Products this small are only slowed by threads; models run side by side instead.
    with threadpool_limits(1), warnings.catch_warnings():
        # Distinct rows are few; that many classes among them say nothing of the records.
        warnings.filterwarnings("ignore", message="The number of unique classes is greater")
        if has_fit_parameter(model, "sample_weight"):
            model.fit(hot[rows], target[rows], sample_weight=counts[rows])
        else:
            if (counts != np.rint(counts)).any():
                msg = "estimator takes no sample_weight: record_weights must be whole numbers"
                raise TypeError(msg)
            rows = np.repeat(rows, counts[rows].astype(np.int64))
            model.fit(hot[rows], target[rows])
    return np.asarray(model.predict(hot), dtype=np.int64)


def _one_hot(inputs: Labels) -> Any:
    """Sparse rows with a one for the category of each input."""
    from scipy.sparse import csr_array

    sizes = inputs.max(axis=0) + 1
    starts = np.cumsum(sizes) - sizes
    rows, width = inputs.shape
    places = (inputs + starts).ravel().astype(np.int32)
    borders = np.arange(0, rows * width + 1, width, dtype=np.int32)
    return csr_array((np.ones(rows * width), places, borders), shape=(rows, int(sizes.sum())))


def default_estimator() -> Any:
    """Multinomial logistic regression, with the weak ridge that makes its coefficients unique."""
    try:
        from sklearn.linear_model import LogisticRegression
    except ModuleNotFoundError as error:
        msg = f"model-based loss needs {error.name}: pip install 'tokumei[utility]'"
        raise ModuleNotFoundError(msg) from None
    return LogisticRegression(C=1.0, tol=1e-5, max_iter=2000)


def fold_of_records(n: int, folds: int | None, random_state: Any) -> Labels:
    """The fold of each record, of equal sizes, drawn at random."""
    if folds is None:
        return np.zeros(n, dtype=np.int64)
    folds = _check.between(folds, 2, n, "folds")
    return _check.generator(random_state).permutation(np.arange(n) % folds)
