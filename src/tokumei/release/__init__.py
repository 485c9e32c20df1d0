"""A table's whole way to a release: roles, masking, the gate that checks what was made, the audit.

Needs the extra ``tables``: narwhals, pyarrow and DuckDB.
"""

from contextlib import suppress as _suppress

with _suppress(Exception):
    # Arrow imports pandas at its first conversion, and swallows a Ctrl-C that comes meanwhile.
    import pandas as _pandas  # noqa: F401

try:
    import duckdb as _duckdb  # noqa: F401
    import narwhals as _narwhals  # noqa: F401
    import pyarrow as _pyarrow  # noqa: F401
except ModuleNotFoundError as error:
    _message = f"tokumei.release needs {error.name}: pip install 'tokumei[tables]'"
    raise ModuleNotFoundError(_message, name=error.name) from None

from tokumei.release.errors import InputError, Refused
from tokumei.release.mask.doors import mask, mask_file
from tokumei.release.perturb.doors import perturb, perturb_file
from tokumei.release.perturb.reconstruct_file import reconstruct_file
from tokumei.release.pipeline import Release

__all__ = [
    "InputError",
    "Refused",
    "Release",
    "mask",
    "mask_file",
    "perturb",
    "perturb_file",
    "reconstruct_file",
]
