"""Write people.csv: a thousand invented people to try tokumei on.

    python examples/make_people.py
    tokumei mask examples/people.csv masked.csv -k 5 \\
        --identifier person --quasi age,region,children,income --sensitive diagnosis

Nobody in it exists. The numbers come from a generator of a few lines in whole-number arithmetic, so
that the file is the same on every machine and with every version of Python.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator
from pathlib import Path

PEOPLE = 1_000
COLUMNS = ("person", "age", "region", "children", "income", "diagnosis")
DIAGNOSES = (
    "none",
    "asthma",
    "back pain",
    "diabetes, type 2",
    "fracture, wrist",
    "hay fever",
    "high blood pressure",
    "migraine",
)


class Dice:
    """Numbers that look random and never change: a linear congruential generator of 64 bits."""

    def __init__(self, state: int) -> None:
        self.state = state

    def below(self, end: int) -> int:
        """The next whole number from 0 to end - 1."""
        self.state = (6364136223846793005 * self.state + 1442695040888963407) % 2**64
        return (self.state >> 32) * end >> 32

    def around(self, middle: int, width: int) -> int:
        """A number near the middle, as the mean of four dice."""
        return middle - width + sum(self.below(2 * width + 1) for _ in range(4)) // 4


def people() -> Iterator[tuple[str, int, int, int, int, str]]:
    """One person after the other."""
    dice = Dice(20_260_101)
    for number in range(1, PEOPLE + 1):
        age = 18 + min(dice.below(73), dice.below(90))
        region = 1_000 * (1 + dice.below(9)) + 10 * min(dice.below(40), dice.below(40))
        children = min(dice.below(4), dice.below(6)) if age > 22 else 0
        by_age = 22_000 + 700 * min(age - 18, 35)
        income = max(0, dice.around(by_age, by_age // 2)) // 10 * 10
        if dice.below(50) == 0:
            income *= 2 + dice.below(8)
        diagnosis = DIAGNOSES[min(dice.below(len(DIAGNOSES)), dice.below(len(DIAGNOSES)))]
        yield f"P{number:04}", age, region, children, income, diagnosis


def text() -> str:
    """The file."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(people())
    return out.getvalue()


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).with_name("people.csv"))
    target.write_text(text(), encoding="utf-8", newline="")
