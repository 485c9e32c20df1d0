"""Attacks on a released file, with what its audit says of its columns."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokumei.release.errors import InputError
from tokumei.release.io import delimited, files, frames, staging
from tokumei.release.io.beside_cells import texts_beside
from tokumei.release.sections import Source
from tokumei.risk.attack import Attacked, Attacking, attack_of
from tokumei.risk.attacks.left_behind import left_behind
from tokumei.values import tables
from tokumei.values.column import Column

# What others may know of a released column, by its role.
KNOWN = ("quasi", "other", "weight")


def attack_files(
    original: str | os.PathLike[str],
    release: str | os.PathLike[str],
    asked: Attacking,
    *,
    control: str | os.PathLike[str] | None = None,
    delimiter: str | None = None,
) -> Attacked:
    """Attack a file that was released of another one; see `tokumei.risk.attack`.

    Where nothing is said of columns, those that others may know and the sensitive ones are taken
    from the audit beside the release, if there is one.
    """
    paths = [Path(original), Path(release), *([] if control is None else [Path(control)])]
    parts = [_read(path, delimited.delimiter_of(delimiter)) for path in paths]
    asked = _as_audited(asked, staging.audit_of(paths[1]))
    try:
        found = attack_of(parts[0], parts[1], parts[2] if control is not None else None, asked)
    except (TypeError, ValueError) as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    words, released = (_words(part) for part in parts[:2])
    beside = left_behind(words, released, texts_beside(paths[1]))
    return replace(found, attacks=(*found.attacks, beside))


def _words(part: Mapping[Any, Column]) -> set[str]:
    """The different cells of a table, as they look in a file."""
    return {str(value) for one in part.values() if one.has_hash for value in one.categories}


def _read(path: Path, delimiter: str | None) -> dict[Any, Column]:
    with tempfile.TemporaryDirectory() as folder:
        how = Source(delimiter=delimiter)
        table, _ = files.read(path, Path(folder), how)
        frame = frames.frame_of(table)
        frame, _ = frames.in_one_notation(frame, frame.columns, how)
    read = frames.columns_of(frame, frame.columns)
    return tables.table(dict(zip(frame.columns, read.columns, strict=True)), path.name)


def _as_audited(asked: Attacking, audit: Path) -> Attacking:
    if asked.known is not None or asked.sensitive or not audit.is_file():
        return asked
    try:
        roles = json.loads(audit.read_text(encoding="utf-8"))["job"]["roles"].items()
    except (OSError, ValueError, KeyError, AttributeError):
        msg = f"{audit.name} is no audit of a release; name the columns that others may know"
        raise InputError(msg) from None
    return replace(
        asked,
        known=[name for name, role in roles if role in KNOWN],
        sensitive=[name for name, role in roles if role == "sensitive"],
    )
