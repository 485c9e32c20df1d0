"""Loss as models see it: how much worse masked inputs predict a target than original ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Labels
from tokumei.loss.models.classifiers import (
    PredictionTask,
    Scores,
    confusion_of,
    default_estimator,
    distinct,
    fold_of_records,
    scores_of,
)
from tokumei.loss.models.model_loss import ModelLoss, ModelRow
from tokumei.loss.tables.counts import weighed
from tokumei.values.columns import coded
from tokumei.values.tables import label, pair_of_tables, records, table


class ModelOptions(TypedDict, total=False):
    """The options of `model`, for functions that hand them on."""

    targets: Sequence[Any] | None
    sizes: Sequence[int] | None
    estimator: Any
    folds: int | None
    empty: float | None
    random_state: int | np.random.Generator | None
    record_weights: ArrayLike | None
    n_jobs: int | None
    callback: _check.Callback | None


def model(
    original: Any,
    masked: Any,
    *,
    targets: Sequence[Any] | None = None,
    sizes: Sequence[int] | None = None,
    estimator: Any = None,
    folds: int | None = None,
    empty: float | None = 0.0,
    random_state: int | np.random.Generator | None = 0,
    record_weights: ArrayLike | None = None,
    n_jobs: int | None = None,
    callback: _check.Callback | None = None,
) -> ModelLoss:
    """Model-based loss: every target predicted from every subset of the other columns.

    For each target and subset two models are fitted to the ORIGINAL target: from the original
    columns and from the masked ones. The loss is what the second predict worse, by precision,
    recall, F and accuracy (macro averages).

    Parameters
    ----------
    original : table of categories
        A mapping of columns, a dataframe, or an array of two dimensions.
    masked : table, or mapping of tables
        The same records after masking; or several maskings by name, for example by share.
    targets : sequence, optional
        The columns to predict; all by default.
    sizes : sequence of int, optional
        How many inputs a model has; all numbers by default.
    estimator : scikit-learn classifier, optional
        Fitted on one-hot rows with ``sample_weight`` (or on repeated rows where it takes none). By
        default multinomial logistic regression with a weak ridge, C = 1.
    folds : int, optional
        Judge models on records they were not fitted on; in-sample by default, as in the paper.
    empty : float, optional
        The precision and F of a class that is never predicted: 0, or None to leave it out.
    random_state : int or Generator
        Which records go to which fold.
    record_weights : array_like of shape (n,), optional
        How many records of the population each stands for: models are fitted and judged on so many.
    n_jobs : int, optional
        Number of processes; all that the process may use by default.
    callback : callable, optional
        Called with the share of the models done.

    Returns
    -------
    ModelLoss
        One row a model and masking, with the views and plots of the paper.

    Examples
    --------
    >>> import tokumei as tk
    >>> table = {"job": ["farm", "wood", "shop"] * 9, "tool": ["rake", "axe", "till"] * 9}
    >>> coarse = tk.ShareRecoder(0.34).fit_transform(table)
    >>> lost = tk.loss.model(table, coarse, n_jobs=1)
    >>> [(row.target, row.inputs, round(row.loss.recall, 3)) for row in lost.rows]
    [('job', ('tool',), 0.667), ('tool', ('job',), 0.667)]
    """
    columns = table(original, "original")
    if len(columns) < 2:
        msg = "original must have at least two columns: one to predict, one to predict it from"
        raise ValueError(msg)
    maskings = _maskings(columns, masked)
    names_of_targets = _targets(columns, targets)
    most = len(columns) - 1
    wanted = range(1, most + 1) if sizes is None else [_size(size, most) for size in sizes]
    if empty is not None:
        empty = _check.number(empty, "empty")
    estimator = default_estimator() if estimator is None else estimator
    before = _codes(columns, "original")
    for name in names_of_targets:
        if int(before[name].max()) == 0:
            msg = f"{label('original', name)} has one category only: there is nothing to predict"
            raise ValueError(msg)
    after = {key: _codes(one, "masked") for key, one in maskings.items()}
    folded = fold_of_records(records(columns), folds, random_state)
    plan = [
        (target, inputs)
        for size in wanted
        for target in names_of_targets
        for inputs in itertools.combinations([name for name in columns if name != target], size)
    ]
    weights = weighed(record_weights, records(columns))
    tasks = _tasks(plan, before, after, folded, weights)
    found = list(_scored(tasks, estimator, empty, n_jobs, callback, len(plan) * (1 + len(after))))
    rows, place = [], 0
    for target, inputs in plan:
        first, *others = found[place : place + 1 + len(after)]
        place += 1 + len(after)
        rows += [
            ModelRow(target, inputs, key, first, other)
            for key, other in zip(after, others, strict=True)
        ]
    return ModelLoss(tuple(rows))


def _maskings(columns: Mapping[Any, Any], masked: Any) -> dict[Any, dict[Any, Any]]:
    several = (
        isinstance(masked, Mapping)
        and masked
        and all(isinstance(one, Mapping) or hasattr(one, "columns") for one in masked.values())
    )
    tables = masked if several else {"masked": masked}
    return {key: pair_of_tables(columns, one)[1] for key, one in tables.items()}


def _targets(columns: Mapping[Any, Any], targets: Sequence[Any] | None) -> list[Any]:
    if targets is None:
        return list(columns)
    unknown = sum(name not in columns for name in targets)
    if unknown or not len(targets):
        msg = f"targets must name columns of original; {unknown} of {len(targets)} do not"
        raise ValueError(msg)
    return list(targets)


def _size(size: int, most: int) -> int:
    return _check.between(size, 1, most, "sizes")


def _codes(columns: Mapping[Any, Any], name: str) -> dict[Any, Labels]:
    """Codes in label order where labels can be sorted, so that ties do not depend on the rows."""
    made = {}
    for key, column in columns.items():
        codes, known = coded(column, label(name, key))
        rank = np.argsort([str(value) for value in known], kind="stable")
        place = np.empty(len(known), dtype=np.int64)
        place[rank] = np.arange(len(known))
        made[key] = place[codes]
    return made


def _tasks(
    plan: Sequence[tuple[Any, tuple[Any, ...]]],
    before: Mapping[Any, Labels],
    after: Mapping[Any, Mapping[Any, Labels]],
    folded: Labels,
    weights: Floats | None,
) -> Iterator[PredictionTask]:
    """The tasks of each target and inputs: original first, then each masking."""
    names = list(before)
    ones = np.zeros((len(folded), int(folded.max()) + 1))
    ones[np.arange(len(folded)), folded] = 1.0 if weights is None else weights
    both = {}
    for key, masked in after.items():
        both[key] = distinct([*before.values(), *masked.values()], ones)
    base = distinct(list(before.values()), ones)
    for target, inputs in plan:
        at, classes = names.index(target), int(before[target].max()) + 1
        chosen = [names.index(name) for name in inputs]
        yield _task(*base, at, chosen, classes)
        for rows, counts in both.values():
            yield _task(rows, counts, at, [len(names) + i for i in chosen], classes)


def _task(
    rows: Labels, counts: Floats, target: int, inputs: list[int], classes: int
) -> PredictionTask:
    small, summed = distinct([rows[:, j] for j in (target, *inputs)], counts)
    return PredictionTask(small[:, 1:], small[:, 0], summed, classes)


def _scored(
    tasks: Iterator[PredictionTask],
    estimator: Any,
    empty: float | None,
    n_jobs: int | None,
    callback: Callable[[float], object] | None,
    count: int,
) -> Iterator[Scores]:
    from joblib import Parallel, delayed

    jobs = min(_check.threads(n_jobs), count)
    parallel = Parallel(n_jobs=jobs, return_as="generator")
    for done, confusion in enumerate(
        parallel(delayed(confusion_of)(t, estimator) for t in tasks), 1
    ):
        if callback is not None:
            callback(done / count)
        yield scores_of(confusion, empty)
