"""A release that goes to a URL: made in a folder of the machine, uploaded when no check has failed.

A storage of objects gives no folder its name at once, and has no locks. So a release is whole there
when its audit is, which is uploaded when every file has been, and has been read back. What is being
uploaded is noted in the private folder before, so that the same call knows its files again; what
goes wrong from then on leaves that folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokumei._check import Run
from tokumei.batch import places
from tokumei.batch.pieces import Source
from tokumei.batch.stage import Stage
from tokumei.batch.storage import Storage, Where, where_of
from tokumei.batch.workers import workers
from tokumei.release.errors import InputError, Unfinished, as_input_error
from tokumei.release.io import files, staging
from tokumei.release.sections import is_url

NOTE = "uploading.json"
AUDIT = ".audit.json"


@dataclass(frozen=True)
class Upload:
    """A folder of a storage, and the folder of the machine in which its release is made."""

    where: Storage
    staging: Path

    @property
    def local(self) -> Path:
        """What stands for it in the folder of the machine: its records are beside that."""
        return self.staging / self.where.called


def local(target: Path | Upload) -> Path:
    """The path by which a target is known on the machine."""
    return target.local if isinstance(target, Upload) else target


def ends_of(
    source: str | Source,
    target: str,
    made_in: str | os.PathLike[str] | None,
    options: Mapping[str, Any] | None,
) -> tuple[Source | Where, Path | Upload]:
    """What is read and where the release goes: folders, or URLs."""
    read = isinstance(source, str) and is_url(source)
    if options and not read and not is_url(target):
        msg = "storage_options are those of URLs, and neither source nor target is one"
        raise InputError(msg)
    if is_url(target) != (made_in is not None):
        goes = "a release to a URL is made in a folder before: say in which by staging"
        msg = goes if made_in is None else "staging is for a release that goes to a URL"
        raise InputError(msg)
    where = where_of(source, options or {}) if isinstance(source, str) else source
    if made_in is None:
        return where, Path(target)
    goal = where_of(target, options or {})
    assert isinstance(goal, Storage)
    return where, Upload(goal, Path(made_in))


def check(source: object, target: Upload, folder: Path) -> None:
    """Refuse a URL that holds something else, or lies in the source."""
    if isinstance(source, Storage):
        one, other = (f"{each.url.rstrip('/')}/" for each in (source, target.where))
        if one.startswith(other) or other.startswith(one):
            msg = "source and target must be apart: neither URL inside the other"
            raise InputError(msg)
    known = _noted(target, folder)
    with _kept(f"cannot write {target.where.called}", bool(known)):
        _check_strangers(target.where, known)


def publish(stage: Stage, target: Upload, shown: str, record: str, run: Run) -> None:
    """Upload the files of a release, and then its audit; the record stays in the folder."""
    release, where = stage.path / "release", target.where
    places.gather(stage.path, release)
    names = sorted(path.name for path in release.iterdir())
    earlier = _noted(target, stage.path)
    with _kept(f"cannot write {where.called}"):
        _check_strangers(where, earlier)  # somebody else may have come meanwhile
    known = {*earlier, *names}
    with stage.whole_file(NOTE) as file:
        file.write(json.dumps({"url": where.url, "names": sorted(known)}).encode())
    with _kept(f"cannot upload {where.called}"):
        where.remove_beside(AUDIT)
        for name in set(where.names_or_none()) - set(names):
            where.remove(name)
        where.make_folder()
        with workers(run.n_threads) as hands:
            for _ in hands.each(_uploaded, [(where, release, name) for name in names]):
                pass
        for path, text in (("record", record), ("audit", shown)):
            (stage.path / path).unlink(missing_ok=True)
            with staging.created(stage.path / path, target.local) as file:
                file.write(text.encode("utf-8", "backslashreplace"))
        (stage.path / "record").replace(staging.record_of(target.local))
        where.put_beside(stage.path / "audit", AUDIT)


def _uploaded(where: Storage, release: Path, name: str) -> None:
    """Upload a file, unless it is there; what is read back is what was uploaded."""
    wanted = files.sha256_of(release / name)
    with _kept(f"cannot upload {name}"):
        if where.sha256(name) == wanted:
            return
        where.put(release / name, name)
        if where.sha256(name) != wanted:
            msg = f"cannot upload {name}: what is read back is something else"
            raise InputError(msg)


def _check_strangers(where: Storage, known: Sequence[str]) -> None:
    """Refuse files, or an audit, that no earlier run of this call has uploaded."""
    if set(where.names_or_none()) - set(known):
        msg = f"cannot write {where.called}: it holds something else"
        raise InputError(msg)
    if not known and where.holds(AUDIT):
        msg = f"cannot write {where.called}: an audit lies beside it"
        raise InputError(msg)


def _noted(target: Upload, folder: Path) -> list[str]:
    """The files that an earlier run may have uploaded to that URL."""
    with suppress(OSError, ValueError):
        found = json.loads((folder / NOTE).read_bytes())
        if found["url"] == target.where.url:
            return list(found["names"])
    return []


@contextmanager
def _kept(what: str, kept: bool = True) -> Iterator[None]:
    """Turn what goes wrong into one sentence, and leave the private folder to the next call."""
    try:
        with as_input_error(what):
            yield
    except InputError as error:
        if not kept or isinstance(error, Unfinished):
            raise
        raise Unfinished(str(error)) from None
