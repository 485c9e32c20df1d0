"""CSV files of a few people, masked; cells to compare, or the sentence of the refusal."""

import csv
import io

from builders.people import ACCEPTED

import tokumei as tk

ROWS = [["007", "1.10", "2020-02-30"], ["", " x ", 'say "hi"'], ["a,b", "a;b\tc|d", "line\nbreak"]]


def csv_bytes(rows, delimiter=",", end="\n", quoting=csv.QUOTE_MINIMAL):
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    return out.getvalue().encode()


def cells(path, delimiter=","):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=delimiter))


def people(rows=ROWS):
    return [["age", "a", "b", "c"], *([str(30 + i), *row] for i, row in enumerate(rows))]


def mask(folder, content, *, name="in.csv", out="out.csv", quasi=("age",), **options):
    source, target = folder / name, folder / out
    source.write_bytes(content)
    options = {
        "k": 2, "other": "*", "keep_order": True, "effort": "fast", "accept_risk": ACCEPTED
    } | options  # fmt: skip
    tk.release.mask_file(source, target, quasi=list(quasi), **options)
    return target
