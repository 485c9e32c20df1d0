"""Where the files of a data set lie: in a folder of the machine, or in a storage behind a URL.

Both answer the same questions by the names of files within them. A storage is one that fsspec
knows; each process, and each task, opens its own handles.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa

from tokumei.batch import interruption, reaching
from tokumei.release.errors import as_input_error
from tokumei.release.io import reading
from tokumei.release.sections import is_url

BLOCK = 1 << 23  # bytes that are fetched at once
AT_HAND = 1 << 26  # bytes of files that are fetched before a child reads them
# What a storage tells of a file that changes with it; each knows some of these.
MARKS = (
    "ETag", "etag", "md5Hash", "generation", "mtime", "LastModified", "last_modified", "updated",
    "created",
)  # fmt: skip


@dataclass(frozen=True)
class Disk:
    """A folder of the machine, or of a file system that is mounted there."""

    path: Path

    @property
    def called(self) -> str:
        """How a message names it."""
        return self.path.name

    def names(self) -> list[str]:
        """Every file in it, at any depth."""
        found = (each for each in self.path.rglob("*") if not each.is_dir())
        return [each.relative_to(self.path).as_posix() for each in found]

    def check(self, name: str) -> None:
        """Refuse what is no plain file before it is opened."""
        reading.regular(self.path / name)

    def size(self, name: str) -> int:
        return (self.path / name).stat().st_size

    def state(self, name: str) -> list[Any]:
        """What tells, without reading it, that a file is still the same."""
        state = (self.path / name).stat()
        return [name, state.st_size, state.st_mtime_ns]

    @contextmanager
    def opened(self, name: str) -> Iterator[Any]:
        """A file that Arrow reads parts of."""
        with pa.OSFile(str(self.path / name)) as file:
            yield file

    @contextmanager
    def looked_into(self, name: str) -> Iterator[Any]:
        """The same, where most of what is asked for is not looked at."""
        with pa.memory_map(str(self.path / name)) as file:
            yield file

    def handfuls(self, names: Sequence[str]) -> Iterator[list[str]]:
        """Files that are at hand at once."""
        yield list(names)

    def at_hand(self, name: str, folder: Path) -> Path:
        """A file under a path, for a child; where it must be fetched, in that folder."""
        return self.path / name

    def fetched(self, name: str) -> int:
        """The bytes that lie in such a folder for a file."""
        return 0

    def consumed(self, name: str) -> None:
        """Remove a file that is not read again."""
        (self.path / name).unlink(missing_ok=True)


@dataclass(frozen=True)
class Storage:
    """A folder of a storage; by its URL, which other processes open anew."""

    url: str = field(repr=False)
    options: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def called(self) -> str:
        one = next(each for each in self.url.split("::") if "://" in each)
        return one.rstrip("/").rpartition("/")[2] or "the storage"

    def _place(self, name: str) -> tuple[Any, str]:
        system, root = reaching.reached(self.url, self.options)
        return system, f"{root.rstrip('/')}/{name}" if root else name

    def names(self) -> list[str]:
        system, root = reaching.reached(self.url, self.options)
        with reaching.in_words_of_the_system():
            system.invalidate_cache()  # what was listed for an earlier run
            # `find` may leave out a folder that cannot be listed.
            found = [
                f"{folder.rstrip('/')}/{name}"
                for folder, _, names in system.walk(root, on_error="raise")
                for name in names
                if name
            ]
        return [each.removeprefix(root).lstrip("/") for each in found]

    def check(self, name: str) -> None:
        """A storage has nothing but files."""

    def size(self, name: str) -> int:
        return int(self._told(name)["size"])

    def state(self, name: str) -> list[Any]:
        told = self._told(name)
        return [name, told["size"], *(str(told[mark]) for mark in MARKS if mark in told)]

    def _told(self, name: str) -> Any:
        system, place = self._place(name)
        with reaching.in_words_of_the_system():
            return system.info(place)

    @contextmanager
    def opened(self, name: str) -> Iterator[Any]:
        system, place = self._place(name)
        with reaching.in_words_of_the_system():
            # Reading ahead would fetch megabytes for each column of a row group.
            file = system.open(place, "rb", cache_type="none")
        with reaching.File(file) as handle:
            yield handle

    looked_into = opened

    def handfuls(self, names: Sequence[str]) -> Iterator[list[str]]:
        some: list[str] = []
        held = 0
        for name in names:
            with as_input_error(f"cannot read {name}"):
                size = self.size(name)
            if some and held + size > AT_HAND:
                yield some
                some, held = [], 0
            some.append(name)
            held += size
        if some:
            yield some

    def at_hand(self, name: str, folder: Path) -> Path:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / PurePosixPath(name).name
        with (
            as_input_error(f"cannot read {name}"),
            self.opened(name) as file,
            path.open("xb") as copy,
        ):
            while block := file.read(BLOCK):
                interruption.go_on()
                copy.write(block)
        return path

    def fetched(self, name: str) -> int:
        return self.size(name)

    def names_or_none(self) -> list[str]:
        """The same names; of a folder that is not there, none."""
        with suppress(FileNotFoundError):
            return self.names()
        return []

    def make_folder(self) -> None:
        """Make the folder itself, where the storage has any and does not make them with files."""
        system, root = reaching.reached(self.url, self.options)
        with reaching.in_words_of_the_system(), suppress(FileExistsError):
            system.mkdir(root, create_parents=False)

    def put(self, path: Path, name: str) -> None:
        """Write a file of the disk."""
        system, place = self._place(name)
        with reaching.in_words_of_the_system():
            system.put_file(str(path), place)

    def remove(self, name: str) -> None:
        system, place = self._place(name)
        with reaching.in_words_of_the_system():
            system.rm_file(place)

    def sha256(self, name: str) -> str:
        """The hash of a file; "" of one that is not there."""
        found = hashlib.sha256()
        with suppress(FileNotFoundError), self.opened(name) as file:
            while block := file.read(BLOCK):
                interruption.go_on()
                found.update(block)
            return found.hexdigest()
        return ""

    def _beside(self, ending: str) -> tuple[Any, str]:
        system, root = reaching.reached(self.url, self.options)
        return system, f"{root.rstrip('/')}{ending}"

    def holds(self, ending: str) -> bool:
        """Whether a file lies beside it, of its name and that ending."""
        system, place = self._beside(ending)
        with suppress(FileNotFoundError), reaching.in_words_of_the_system():
            system.info(place)
            return True
        return False

    def put_beside(self, path: Path, ending: str) -> None:
        system, place = self._beside(ending)
        with reaching.in_words_of_the_system():
            system.put_file(str(path), place)

    def remove_beside(self, ending: str) -> None:
        if self.holds(ending):
            system, place = self._beside(ending)
            with reaching.in_words_of_the_system():
                system.rm_file(place)


Where = Disk | Storage


def where_of(path: str, options: Mapping[str, Any]) -> Where:
    """The place that a path or a URL names; what cannot be opened is refused in a sentence."""
    if not is_url(path):
        return Disk(Path(path))
    reaching.check(path, options)
    return Storage(path, dict(options))
