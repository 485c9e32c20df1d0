"""The packages that handle tables: loaded when they are needed, missed in one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module


@contextmanager
def needed() -> Iterator[None]:
    """Around imports of what handles tables."""
    with suppress(Exception):
        # Arrow imports pandas at its first conversion, and swallows a Ctrl-C that comes meanwhile.
        import_module("pandas")
    for engine in ("duckdb", "narwhals", "pyarrow"):
        try:
            import_module(engine)
        except ModuleNotFoundError as error:
            msg = f"tokumei.release needs {error.name}: pip install 'tokumei[tables]'"
            raise ModuleNotFoundError(msg, name=error.name) from None
    yield
