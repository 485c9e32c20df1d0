"""Runs of pytest, forked from a process that has loaded what they all need: quick ones.

Reads a line a run, the arguments of pytest as JSON, and answers with its exit code. Nothing of
tokumei is loaded before a run: each finds it as it stands by then.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
from contextlib import suppress

LOADED = (
    "numpy",
    "pandas",
    "polars",
    "pyarrow.csv",
    "pyarrow.parquet",
    "duckdb",
    "narwhals.stable.v2",
)
LOADED += (
    "hypothesis.strategies",
    "hypothesis.extra.numpy",
    "scipy.stats",
    "pytest",
    "typer.testing",
)


def main(seconds: int) -> None:
    for name in LOADED:
        with suppress(ImportError):
            importlib.import_module(name)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            _run(json.loads(line), seconds)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run(arguments: list[str], seconds: int) -> None:
    import pytest

    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nowhere, number)
    code = 99
    try:
        code = int(pytest.main(arguments))
    finally:
        os._exit(code)


if __name__ == "__main__":
    main(int(sys.argv[1]))
