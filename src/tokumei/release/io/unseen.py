"""A package that a process does without, though it may be there.

Arrow loads pandas at its first conversion, which takes longer than most files: whoever neither
takes nor gives dataframes of pandas is spared that. Imports nothing of tokumei, for `decoder`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def unseen(package: str) -> Iterator[None]:
    """Inside, the package is not found, unless it is loaded already."""

    class Finder:
        @staticmethod
        def find_spec(name: str, path: Any = None, target: Any = None) -> None:
            if name == package:
                raise ModuleNotFoundError(name=name)

    finder: Any = Finder
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
