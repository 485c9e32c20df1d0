"""Tables that sdcMicro has looked at."""

from __future__ import annotations

import csv

import pytest


@pytest.fixture(scope="session")
def columns_of(reference_path):
    """A reference file as columns of text."""

    def columns(name: str) -> dict[str, list[str]]:
        with reference_path(name).open(newline="") as lines:
            head, *rows = csv.reader(lines, skipinitialspace=True)
        return dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))

    return columns
