"""Global recoding measured by models: the recoding paper's experiment on the Adult data.

Five categorical attributes of 32,561 people are recoded by minimum shares of 0.01, 0.03 and 0.05.
Each attribute is then predicted from every subset of the others, once from the original categories
and once from the recoded ones, by multinomial logistic regression: 75 models of the original and
225 of recoded data. Printed are the paper's tables 4 to 8, drawn is its figure 2; native-country
stands where the paper has nationality, the attribute that one category dominates.

    python examples/papers/recoding_adult.py FOLDER [--data adult.csv] [--folds F] [--jobs J]
"""

from __future__ import annotations

import argparse
import csv
import itertools
import sys
import time
from pathlib import Path

import tokumei as tk
from tokumei.loss.models.classifiers import MEASURES

COLUMNS = ("workclass", "occupation", "marital-status", "native-country", "education")
LETTERS = {"workclass": "W", "occupation": "O", "marital-status": "M", "native-country": "N",
           "education": "E"}  # fmt: skip
SHARES = (0.01, 0.03, 0.05)
DOMINATED = "native-country"
# The paper's table 6: mean losses by number of inputs (down) and share (across).
PAPER_MEANS = {
    "precision": (
        (-.003, .010, .014), (-.080, -.102, -.071), (-.105, -.087, -.121), (-.085, -.040, -.052),
    ),
    "recall": ((.001, .004, .019), (.002, .012, .035), (.003, .021, .047), (.005, .033, .060)),
    "f": (
        (-.108, -.137, -.134), (-.133, -.212, -.203), (-.124, -.176, -.210), (-.133, -.225, -.211),
    ),
    "accuracy": ((.000, .007, .010), (.001, .012, .019), (.001, .018, .029), (.000, .024, .041)),
}  # fmt: skip


def find_data() -> Path | None:
    """The data set in shared/data of this folder or one above."""
    places = (up / "shared" / "data" / "adult.csv" for up in Path(__file__).resolve().parents)
    return next((place for place in places if place.is_file()), None)


def read(path: Path) -> dict[str, list[str]]:
    """The five attributes of all records."""
    with path.open(encoding="utf-8", newline="") as lines:
        records = list(csv.DictReader(lines))
    return {name: [record[name].strip() for record in records] for name in COLUMNS}


def print_categories(table: dict, recoders: dict) -> None:
    """The paper's table 4: how many categories are left."""
    print("Categories (table 4)\n" + " " * 16 + f"{'original':>9}", end="")
    print("".join(f"{f'p = {share}':>10}" for share in SHARES))
    for name in COLUMNS:
        left = [len(recoders[share].recodings_[name].counts) for share in SHARES]
        print(f"{name:<16}{len(set(table[name])):>9}" + "".join(f"{count:>10}" for count in left))


def print_association(table: dict) -> None:
    """The paper's table 5: Cramer's V of each pair."""
    print("\nCramer's V (table 5)\n" + " " * 16 + "".join(f"{name:>16}" for name in COLUMNS[1:]))
    for i, one in enumerate(COLUMNS[:-1]):
        cells = "".join(
            f"{tk.loss.cramers_v(table[one], table[other]):>16.3f}" if j > i else " " * 16
            for j, other in enumerate(COLUMNS) if j > 0
        )  # fmt: skip
        print(f"{one:<16}{cells}")


def print_means(lost: tk.loss.ModelLoss) -> None:
    """The paper's table 6, its own numbers behind ours."""
    print("\nMean losses (table 6; the paper's, of its census data, in brackets)")
    for measure in MEASURES:
        print(f"{measure}\n{'inputs':>8}" + "".join(f"{f'p = {share}':>20}" for share in SHARES))
        for size, by_share in lost.means(measure).items():
            paper = PAPER_MEANS[measure][size - 1]
            cells = zip(by_share.values(), paper, strict=True)
            print(
                f"{size:>8}" + "".join(f"{ours:>11.4f} ({theirs:6.3f})" for ours, theirs in cells)
            )


def print_correlations(lost: tk.loss.ModelLoss) -> None:
    """The paper's table 7: original score against loss, with and without the dominated target."""
    print(f"\nCorrelation of original score and loss, p = {SHARES[-1]} (table 7)")
    print(f"{'inputs':>8}{'models':>24}" + "".join(f"{measure:>11}" for measure in MEASURES))
    for size in lost.sizes:
        for name, without in (("all", None), (f"without {DOMINATED}", DOMINATED)):
            cells = [
                lost.correlations(measure, SHARES[-1], without=without)[size]
                for measure in MEASURES
            ]
            print(f"{size:>8}{name:>24}" + "".join(f"{cell:>11.3f}" for cell in cells))


def print_largest(lost: tk.loss.ModelLoss) -> None:
    """The paper's table 8: the five models that lost most."""
    print(f"\nLargest losses, p = {SHARES[-1]} (table 8; target ~ inputs)")
    for size in lost.sizes:
        print(f"{size} inputs" + "".join(f"{measure:>18}" for measure in MEASURES))
        columns = [
            [
                f"{LETTERS[row.target]}~{''.join(LETTERS[name] for name in row.inputs)} "
                f"{getattr(row.loss, measure):6.3f}"
                for row in lost.largest(measure, SHARES[-1])[size]
            ]
            for measure in MEASURES
        ]
        for line in zip(*columns, strict=True):
            print(" " * 8 + "".join(f"{cell:>18}" for cell in line))


def print_findings(lost: tk.loss.ModelLoss) -> None:
    """Which of the paper's demands on a loss hold on this data, by measure."""
    print("\nThe paper's demands (its finding: recall alone meets them)")
    for measure in MEASURES:
        means = lost.means(measure)
        by_size = [list(by_share.values()) for by_share in means.values()]
        positive = all(value > 0 for row in by_size for value in row)
        with_share = all(a <= b for row in by_size for a, b in itertools.pairwise(row))
        with_size = all(
            a <= b for low, high in itertools.pairwise(by_size)
            for a, b in zip(low, high, strict=True)
        )  # fmt: skip
        print(
            f"{measure:<10} (a) positive: {_yes(positive)}   (b) grows with the share: "
            f"{_yes(with_share)}   (c) grows with the inputs: {_yes(with_size)}"
        )


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"


def main() -> int:
    """Run the experiment; 0 if all went well."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder", type=Path, help="where the figure goes")
    parser.add_argument("--data", type=Path, default=find_data())
    parser.add_argument("--folds", type=int, help="judge on records not fitted on")
    parser.add_argument("--jobs", type=int, help="processes")
    given = parser.parse_args()
    if given.data is None or not given.data.is_file():
        print("the Adult data are not here; name the file with --data", file=sys.stderr)
        return 2
    given.folder.mkdir(parents=True, exist_ok=True)
    table = read(given.data)
    recoders = {share: tk.ShareRecoder(share).fit(table) for share in SHARES}
    print_categories(table, recoders)
    print_association(table)
    begin = time.perf_counter()
    shown = {"share": -1}

    def tell(share: float) -> None:
        if sys.stderr.isatty() and int(100 * share) > shown["share"]:
            shown["share"] = int(100 * share)
            print(f"\rmodels: {shown['share']} %", end="", file=sys.stderr, flush=True)

    lost = tk.loss.model(
        table,
        {share: recoder.transform(table) for share, recoder in recoders.items()},
        folds=given.folds,
        n_jobs=given.jobs,
        callback=tell,
    )
    seconds = time.perf_counter() - begin
    print(f"\n{len(lost.rows) // len(SHARES)} original and {len(lost.rows)} recoded models "
          f"in {seconds:.0f} s")  # fmt: skip
    print_means(lost)
    print_correlations(lost)
    print_largest(lost)
    print_findings(lost)
    figure = lost.plot("accuracy", SHARES[-1], marked=DOMINATED)
    figure.savefig(given.folder / "recoding_accuracy.svg", metadata={"Date": None})
    print(f"\nfigure 2: {given.folder / 'recoding_accuracy.svg'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
