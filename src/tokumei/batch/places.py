"""Where a data set is made and goes: room on the disk, the target, the files of the release."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokumei.batch import scatter
from tokumei.batch.asked import Scattered
from tokumei.release.errors import InputError, as_input_error
from tokumei.release.io import files, staging

ROOM = 1.3  # of the bytes that are spilled: masked records and files lie beside them for a while


def check_room(plan: Scattered, folder: Path) -> None:
    """Refuse to begin what the disk cannot hold."""
    needed = int(ROOM * plan.rows * plan.row_bytes)
    there = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
    free = shutil.disk_usage(folder).free + there
    if needed > free:
        msg = (
            f"{needed / 2**30:.1f} GiB of disk are needed beside the target, "
            f"and {free / 2**30:.1f} GiB are free"
        )
        raise InputError(msg)


def check_target(source: object, target: Path) -> None:
    """Refuse a target that is something else, or inside the source."""
    with as_input_error(f"cannot write {target.name}"):
        if target.exists() and not target.is_dir():
            msg = f"cannot write {target.name}: something that is no folder has this name"
            raise InputError(msg)
        known = staging.audit_of(target).exists()
        if target.is_dir() and any(target.iterdir()) and not known:
            msg = f"cannot write {target.name}: it is a folder that holds something else"
            raise InputError(msg)
        if isinstance(source, Path):
            one, other = source.resolve(), target.resolve()
            if one == other or one in other.parents or other in one.parents:
                msg = f"{source.name} and {target.name} must be apart: neither inside the other"
                raise InputError(msg)


def publish(folder: Path, target: Path, shown: str, record: str) -> None:
    """The files in one folder, which gets its name with the audit and the record."""
    release = folder / "release"
    release.mkdir(mode=0o700, exist_ok=True)
    for part in sorted((folder / scatter.PARTS).glob("*/part-*")):
        part.rename(release / part.name)
    staging.publish(folder, target, release, shown, record)


def described(plan: Scattered, parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the audit says of the files, whose hashes by name are one."""
    hashes = {scatter.name_of(plan, n): part["sha256"] for n, part in enumerate(parts)}
    form = plan.asked.layout.format
    return {"format": form, "files": len(parts), "sha256": files.sha256_of_files(hashes)}
