"""Global recoding measured by models: the recoding paper's experiment on the Adult data.

Five categorical attributes of 32,561 people are recoded by minimum shares of 0.01, 0.03 and 0.05.
Each attribute is then predicted from every subset of the others, once from the original categories
and once from the recoded ones, by multinomial logistic regression: 75 models of the original and
225 of recoded data. Printed are the paper's tables 4 to 8 under two conventions: "paper", where
classes that are never predicted are left out of the means and nothing holds coefficients back, and
"ours", where they count 0 under a weak ridge; drawn is its figure 2. The census data of the paper
are not published; native-country stands where it has nationality, the attribute that one category
dominates.

    python examples/papers/recoding_adult.py FOLDER [--data adult.csv] [--jobs J] [--write]
"""

from __future__ import annotations

import argparse
import csv
import itertools
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import recoding_tables as paper
from certificate import Cell, add_options, as_printed, certify

import tokumei as tk
from tokumei.loss.models.classifiers import MEASURES

COLUMNS = ("workclass", "occupation", "marital-status", "native-country", "education")
LETTERS = {"workclass": "W", "occupation": "O", "marital-status": "M", "native-country": "N",
           "education": "E"}  # fmt: skip
SHARES = paper.SHARES
DOMINATED = "native-country"
DATA = "the census data are not published; ours are of Adult"
Lost = dict[str, tk.loss.ModelLoss]


def find_data() -> Path | None:
    """The data set in shared/data of this folder or one above."""
    places = (up / "shared" / "data" / "adult.csv" for up in Path(__file__).resolve().parents)
    return next((place for place in places if place.is_file()), None)


def read(path: Path) -> dict[str, list[str]]:
    """The five attributes of all records."""
    with path.open(encoding="utf-8", newline="") as lines:
        records = list(csv.DictReader(lines))
    return {name: [record[name].strip() for record in records] for name in COLUMNS}


def fit(table: dict, recoders: dict, jobs: int | None) -> Lost:
    """All models under both conventions."""
    from sklearn.linear_model import LogisticRegression

    maskings = {share: recoder.transform(table) for share, recoder in recoders.items()}
    free = LogisticRegression(C=np.inf, max_iter=100)
    warnings.simplefilter("ignore")  # a hundred iterations are few, as the paper's default was
    return {
        "paper": tk.loss.model(table, maskings, estimator=free, empty=None, n_jobs=jobs),
        "ours": tk.loss.model(table, maskings, n_jobs=jobs),
    }


def sign(value: str) -> str:
    """What a printed number says of the direction."""
    number = float(value)
    return "+" if number > 0 else "-" if number < 0 else "0"


def category_cells(table: dict, recoders: dict) -> Iterator[Cell]:
    """Table 4: how many categories are left."""
    for name, (stood_for, line) in zip(COLUMNS, paper.CATEGORIES.items(), strict=True):
        left = [len(set(table[name]))]
        left += [len(recoders[share].recodings_[name].counts) for share in SHARES]
        for what, printed, count in zip(("original", *SHARES), line.split(), left, strict=True):
            yield Cell("table 4", f"{name} for {stood_for}, {what}", printed, str(count), DATA)


def association_cells(table: dict) -> Iterator[Cell]:
    """Table 5: Cramer's V of each pair."""
    for i, line in enumerate(paper.ASSOCIATION):
        for j, printed in enumerate(line.split(), i + 1):
            found = tk.loss.cramers_v(table[COLUMNS[i]], table[COLUMNS[j]])
            cell = f"{COLUMNS[i]} and {COLUMNS[j]}"
            yield Cell("table 5", cell, printed, as_printed(printed, found), DATA)


def mean_cells(lost: Lost) -> Iterator[Cell]:
    """Table 6, the signs of its numbers, and what the paper concludes from it."""
    for name, models in lost.items():
        for measure in MEASURES:
            means = models.means(measure)
            lines = paper.grid(paper.MEANS[measure])
            for (size, by_share), line in zip(means.items(), lines, strict=True):
                for (share, found), printed in zip(by_share.items(), line, strict=True):
                    ours = as_printed(printed, found)
                    cell = f"{measure}, {size} inputs, p = {share}"
                    yield Cell(f"table 6, {name} convention", cell, printed, ours, DATA)
                    yield Cell(
                        f"signs of table 6, {name} convention", cell, sign(printed), sign(ours),
                        DATA,
                    )  # fmt: skip
            for demand, printed, holds in zip(
                ("positive", "grows with the share", "grows with the inputs"),
                paper.DEMANDS[measure].split(), demands(means), strict=True,
            ):  # fmt: skip
                ours = "yes" if holds else "no"
                where = f"demands of section 5.5.1, {name} convention"
                yield Cell(where, f"{measure}: {demand}", printed, ours, DATA)


def demands(means: dict[int, dict[float, float]]) -> tuple[bool, bool, bool]:
    """Positive; growing with the share; growing with the number of inputs."""
    by_size = [list(by_share.values()) for by_share in means.values()]
    return (
        all(value > 0 for row in by_size for value in row),
        all(a <= b for row in by_size for a, b in itertools.pairwise(row)),
        all(
            a <= b for low, high in itertools.pairwise(by_size)
            for a, b in zip(low, high, strict=True)
        ),
    )  # fmt: skip


def correlation_cells(models: tk.loss.ModelLoss) -> Iterator[Cell]:
    """Table 7: original score against loss, with and without the dominated target."""
    lines = iter(paper.grid(paper.CORRELATIONS))
    for size in models.sizes:
        for name, without in (("all models", None), (f"without {DOMINATED}", DOMINATED)):
            for measure, printed in zip(MEASURES, next(lines), strict=True):
                found = models.correlations(measure, SHARES[-1], without=without)[size]
                cell = f"{size} inputs, {name}, {measure}"
                yield Cell("table 7", cell, printed, as_printed(printed, found), DATA)


def largest_cells(models: tk.loss.ModelLoss) -> Iterator[Cell]:
    """Table 8: the five models that lost most."""
    lines = iter(paper.grid(paper.LARGEST))
    for size in models.sizes:
        columns = [models.largest(measure, SHARES[-1])[size] for measure in MEASURES]
        for rank, rows in enumerate(zip(*columns, strict=True), 1):
            line = next(lines)
            for place, (measure, row) in enumerate(zip(MEASURES, rows, strict=True)):
                inputs = "".join(LETTERS[name] for name in row.inputs)
                ours = f"{LETTERS[row.target]}~{inputs} {getattr(row.loss, measure):.3f}"
                printed = f"{line[2 * place]} {line[2 * place + 1]}"
                yield Cell("table 8", f"{size} inputs, {measure}, {rank}", printed, ours, DATA)


def main() -> int:
    """Run the experiment; 0 if all went well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path, help="where the figure goes")
    parser.add_argument("--data", type=Path, default=find_data())
    parser.add_argument("--jobs", type=int, help="processes")
    add_options(parser)
    given = parser.parse_args()
    if given.data is None or not given.data.is_file():
        print("the Adult data are not here; name the file with --data", file=sys.stderr)
        return 2
    given.folder.mkdir(parents=True, exist_ok=True)
    table = read(given.data)
    recoders = {share: tk.ShareRecoder(share).fit(table) for share in SHARES}
    lost = fit(table, recoders, given.jobs)
    figure = lost["ours"].plot("accuracy", SHARES[-1], marked=DOMINATED)
    figure.savefig(given.folder / "recoding_accuracy.svg", metadata={"Date": None})
    cells = [
        *category_cells(table, recoders),
        *association_cells(table),
        *mean_cells(lost),
        *correlation_cells(lost["paper"]),
        *largest_cells(lost["paper"]),
        Cell("figure 2", "accuracy and its loss", "an image", "recoding_accuracy.svg", IMAGE),
    ]
    return certify("recoding_adult", cells, write=given.write)


IMAGE = "an image without numbers, of data that are not published; drawn of Adult"


if __name__ == "__main__":
    sys.exit(main())
