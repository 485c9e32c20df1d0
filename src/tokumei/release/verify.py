"""Whether a file is the one that its audit describes, and the audit as it was written."""

from __future__ import annotations

import os
from pathlib import Path

from tokumei.release.errors import InputError, as_input_error
from tokumei.release.release import Audit


def verify(path: str | os.PathLike[str], *, audit: str | os.PathLike[str] | None = None) -> Audit:
    """Check that a file, or a folder, is the release that its audit describes, to the bit.

    Parameters
    ----------
    path : path
        A released file, or the folder of a data set.
    audit : path, optional
        Its audit; ``PATH.audit.json`` by default.

    Returns
    -------
    dict
        The audit.

    Raises
    ------
    InputError
        There is no audit, it is not as it was written, or it is of another file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import tokumei as tk
    >>> source, target = (Path(tempfile.mkdtemp()) / name for name in ("in.csv", "out.csv"))
    >>> _ = source.write_text("age\\n30\\n32\\n")
    >>> _ = tk.release.mask_file(source, target, k=2, quasi=["age"])
    >>> tk.release.verify(target)["verdict"]
    'released'
    >>> _ = target.write_text("age\\n30\\n32\\n")
    >>> tk.release.verify(target)
    Traceback (most recent call last):
    tokumei.release.errors.InputError: out.csv is not the file that out.csv.audit.json describes
    """
    from tokumei.release import audit as audits
    from tokumei.release.io.files import sha256_of, sha256_of_folder
    from tokumei.release.io.staging import audit_of

    path = Path(path)
    beside = audit_of(path) if audit is None else Path(audit)
    if not beside.exists():
        msg = (
            f"{beside.name}, the audit of {path.name}, is not there; "
            "say where it is by --audit (audit=), or verify the file that was released"
        )
        raise InputError(msg)
    with as_input_error(f"cannot read {beside.name}, the audit of {path.name}"):
        record = audits.unsealed(beside.read_bytes())
    if record is None:
        msg = (
            f"{beside.name} is no audit of a release, or not as it was written; "
            "ask whoever released the file for it again"
        )
        raise InputError(msg)
    output = record.get("output") or {}
    hash_of = sha256_of_folder if path.is_dir() else sha256_of
    if output.get("sha256") != hash_of(path):
        msg = f"{path.name} is not the file that {beside.name} describes"
        raise InputError(msg)
    return record
