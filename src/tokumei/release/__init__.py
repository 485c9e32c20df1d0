"""A table's whole way to a release: roles, masking, the gate that checks what was made, the audit.

Needs the extra ``tables``: narwhals, pyarrow and DuckDB, which are loaded when a table is handled.
"""

from typing import TYPE_CHECKING, Any

from tokumei.release import engines
from tokumei.release.assessment.doors import assess
from tokumei.release.comparison.doors import compare
from tokumei.release.errors import InputError, Refused
from tokumei.release.job import Job
from tokumei.release.mask.doors import mask, mask_file
from tokumei.release.perturb.doors import perturb, perturb_file
from tokumei.release.recode.doors import recode, recode_file
from tokumei.release.release import Release
from tokumei.release.report.doors import report
from tokumei.release.run import run
from tokumei.release.verify import verify

if TYPE_CHECKING:
    from tokumei.release.perturb.reconstruct_file import reconstruct_file

__all__ = [
    "InputError",
    "Job",
    "Refused",
    "Release",
    "assess",
    "compare",
    "mask",
    "mask_file",
    "perturb",
    "perturb_file",
    "recode",
    "recode_file",
    "reconstruct_file",
    "report",
    "run",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name == "reconstruct_file":
        with engines.needed():
            from tokumei.release.perturb.reconstruct_file import reconstruct_file
        return reconstruct_file
    if name in (
        "mask_dataset",
        "recode_dataset",
        "perturb_dataset",
    ):  # of a room that knows this one: the root knows both
        from tokumei import _door

        return _door(name)
    msg = f"module 'tokumei.release' has no attribute {name!r}"
    raise AttributeError(msg)
