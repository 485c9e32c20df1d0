"""Fixtures shared by all tests: reference data, instruction sets, strict hypothesis profiles."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from builders.zygote import Zygote
from hypothesis import HealthCheck, settings

from tokumei._kernels import runtime
from tokumei.machine import LEVEL_VARIABLE, LEVELS

settings.register_profile(
    "tests", deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", deadline=None, max_examples=5000)
settings.load_profile(os.environ.get("TOKUMEI_TEST_PROFILE", "tests"))


def data_folder() -> Path | None:
    """The folder of reference data: TOKUMEI_TEST_DATA, or shared/data of a folder above."""
    named = os.environ.get("TOKUMEI_TEST_DATA")
    places = [Path(named)] if named else [up / "shared" / "data" for up in Path(__file__).parents]
    return next((place for place in places if place.is_dir()), None)


@pytest.fixture(scope="session")
def reference_path():
    """Path of a reference file by name; the test is skipped where it is absent."""

    def path(name: str) -> Path:
        folder = data_folder()
        if folder is None or not (folder / name).is_file():
            pytest.skip(f"reference data {name} is not here (set TOKUMEI_TEST_DATA to its folder)")
        return folder / name

    return path


@pytest.fixture(scope="session")
def reference_table(reference_path):
    """Numeric columns of a reference file as a table; all columns, or those named by position."""

    def table(name: str, columns=None) -> np.ndarray:
        return np.loadtxt(
            reference_path(name), delimiter=",", skiprows=1, usecols=columns, quotechar='"'
        )

    return table


@pytest.fixture(scope="session")
def quick_reading():
    """Files are decoded by children that find what they need loaded; elsewhere each loads it."""
    if not hasattr(os, "fork"):
        yield
        return
    from tokumei.release.io import reading

    zygote, real = Zygote(), reading.subprocess
    reading.subprocess = SimpleNamespace(**vars(real) | {"run": zygote.run})
    yield
    reading.subprocess = real
    zygote.close()


@pytest.fixture(params=LEVELS)
def instructions(request, monkeypatch):
    """Every instruction set in turn; those that the processor lacks are skipped."""
    if LEVELS.index(request.param) > runtime.best_instruction_set():
        pytest.skip(f"this processor has no {request.param}")
    monkeypatch.setenv(LEVEL_VARIABLE, request.param)
    return request.param


def read_only(values) -> np.ndarray:
    """An array that complains where the library writes to it."""
    array = np.array(values, dtype=np.float64)
    array.flags.writeable = False
    return array
