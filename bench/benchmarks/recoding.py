"""Recoding of many categories, and models fitted on distinct rows beside models of all records."""

from __future__ import annotations

import csv
import itertools
import time
from typing import Any

import numpy as np

import tokumei as tk
from bench import problems
from tokumei.loss.models.classifiers import MEASURES, default_estimator

COLUMNS = ("workclass", "occupation", "marital-status", "native-country", "education")
# Both loops end at the same maximum, to this gradient.
TOLERANCE = 1e-5


def adult() -> dict[str, list[str]]:
    """The recoding experiment's five attributes of the Adult data."""
    path = problems.folder() / "adult.csv"
    if not path.is_file():
        msg = "no adult.csv in the folder of public files"
        raise problems.Absent(msg)
    with path.open(newline="") as lines:
        records = list(csv.DictReader(lines, skipinitialspace=True))
    return {name: [record[name] for record in records] for name in COLUMNS}


def estimator() -> Any:
    return default_estimator().set_params(tol=TOLERANCE)


class PlainLoop:
    """A model of one-hot rows of all records, judged by scikit-learn: what one would write."""

    def __init__(self, table: dict[str, list[str]], sizes: tuple[int, ...]) -> None:
        self.table, self.sizes = table, sizes

    def scores(self) -> list[list[float]]:
        from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score
        from sklearn.preprocessing import OneHotEncoder

        macro = {"average": "macro", "zero_division": 0}
        found = []
        for size, target in itertools.product(self.sizes, self.table):
            others = [name for name in self.table if name != target]
            for inputs in itertools.combinations(others, size):
                rows = np.stack([self.table[name] for name in inputs], axis=1)
                hot = OneHotEncoder().fit_transform(rows)
                classes = self.table[target]
                predicted = estimator().fit(hot, classes).predict(hot)
                found.append(
                    [
                        precision_score(classes, predicted, **macro),
                        recall_score(classes, predicted, **macro),
                        f1_score(classes, predicted, **macro),
                        accuracy_score(classes, predicted),
                    ]
                )
        return found


def ours(table: dict[str, list[str]], sizes: tuple[int, ...]) -> list[list[float]]:
    lost = tk.loss.model(table, table, sizes=sizes, estimator=estimator(), n_jobs=1)
    return [[getattr(row.original, measure) for measure in MEASURES] for row in lost.rows]


def race(sizes: tuple[int, ...]) -> dict[str, float]:
    """CPU seconds of both loops over the same models, and how far their scores are apart.

    `tokumei.loss.model` fits every model twice here (the table is its own masking), so its time is
    that of twice as many models; the ratio is a model against a model.
    """
    from threadpoolctl import threadpool_limits

    table = adult()
    with threadpool_limits(1):
        begin = time.process_time()
        plain = PlainLoop(table, sizes).scores()
        middle = time.process_time()
        few = ours(table, sizes)
        end = time.process_time()
    apart = float(np.abs(np.array(plain) - np.array(few)).max())
    each = (end - middle) / 2
    return {
        "models": len(plain), "plain": middle - begin, "ours": each,
        "ratio": (middle - begin) / each, "apart": apart,
    }  # fmt: skip


class Models:
    """The ratio of CPU times, and the largest difference of any score."""

    params = (1, 2, 3, 4)
    param_names = ("inputs",)
    timeout = 1800

    def setup(self, inputs: int) -> None:
        try:
            self.found = race((inputs,))
        except problems.Absent as reason:
            raise NotImplementedError from reason

    def track_times_faster_than_all_rows(self, inputs: int) -> float:
        return self.found["ratio"]

    def track_largest_difference_of_a_score(self, inputs: int) -> float:
        return self.found["apart"]


class ByShare:
    """Recoding of many different values."""

    params = (("smallest", "neighbours", "other"), (10_000, 1_000_000))
    param_names = ("rule", "categories")

    def setup(self, rule: str, categories: int) -> None:
        self.values = np.random.default_rng(problems.SEED).integers(0, categories, 2 * categories)

    def time_by_share(self, rule: str, categories: int) -> None:
        tk.recode.by_share(self.values, 0.001, rule=rule)

    def peakmem_by_share(self, rule: str, categories: int) -> None:
        tk.recode.by_share(self.values, 0.001, rule=rule)


if __name__ == "__main__":
    for size in (1, 2, 3, 4):
        result = race((size,))
        print(size, "inputs:", ", ".join(f"{key} {value:.4g}" for key, value in result.items()))
