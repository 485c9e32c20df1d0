"""Where a data set goes: the target, the files of the release."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokumei.batch import scatter
from tokumei.batch.asked import Scattered
from tokumei.batch.storage import Disk
from tokumei.release.errors import InputError, as_input_error
from tokumei.release.io import files, staging


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
        if isinstance(source, Disk):
            one, other = source.path.resolve(), target.resolve()
            if one == other or one in other.parents or other in one.parents:
                msg = f"{source.called} and {target.name} must be apart: neither inside the other"
                raise InputError(msg)


def publish(folder: Path, target: Path, shown: str, record: str) -> None:
    """The files in one folder, which gets its name with the audit and the record."""
    release = folder / "release"
    gather(folder, release)
    staging.publish(folder, target, release, shown, record)


def gather(folder: Path, release: Path) -> None:
    """Bring the files of a release together, which tasks have left in folders of their own."""
    release.mkdir(mode=0o700, exist_ok=True)
    for part in sorted((folder / scatter.PARTS).glob("*/part-*")):
        part.rename(release / part.name)


def described(plan: Scattered, parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the audit says of the files, whose hashes by name are one."""
    hashes = {scatter.name_of(plan, n): part["sha256"] for n, part in enumerate(parts)}
    form = plan.asked.layout.format
    return {"format": form, "files": len(parts), "sha256": files.sha256_of_files(hashes)}
