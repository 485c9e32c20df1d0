"""Small data sets in files, cut small so that they have many blocks, tasks and files."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from builders import storages
from builders.datasets import folder_of, people

SIZES = {"block": 256, "task": 700, "task_bytes": 1 << 28, "sample": 1 << 12, "bins": 2}


@pytest.fixture
def rows():
    return people(3000)


@pytest.fixture
def unattacked(monkeypatch):
    """No attacks: they are asked in one test, and take most of the time of a small release."""
    from tokumei.batch import verdict
    from tokumei.release.gate.found import examine

    monkeypatch.setattr(verdict, "attacks", lambda plan: [])
    monkeypatch.setattr(examine, "examine", lambda *args: [])


@pytest.fixture
def small(monkeypatch, unattacked):
    """Blocks of 256 records, tasks of 700: what a billion rows have, in a small table."""
    from tokumei.batch import asked, dataset

    sizes = asked.Sizes(**SIZES)
    monkeypatch.setattr(dataset.How, "sizes", sizes)
    monkeypatch.setattr(
        dataset.How.__init__, "__defaults__", (False, None, sizes, None, None, None, None)
    )
    return sizes


@pytest.fixture
def source(tmp_path, rows) -> Path:
    return folder_of(tmp_path / "in", rows, files=3)


@pytest.fixture
def same_key(monkeypatch):
    """One key for every run, so that ties go the same way."""
    from tokumei.batch import stage

    monkeypatch.setattr(stage.generator, "key", lambda: np.arange(8, dtype=np.uint32) + 1)


@pytest.fixture
def read():
    """The records of a released folder, as a sorted list."""

    def all_of(folder):
        table = pa.concat_tables([pq.read_table(each) for each in sorted(folder.iterdir())])
        return sorted(zip(*(column.to_pylist() for column in table.columns), strict=True))

    return all_of


@pytest.fixture
def storages_forgotten():
    """No storage of a test before, and none left for the next."""
    storages.forget()
    yield
    storages.forget()
