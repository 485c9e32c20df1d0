"""Storages behind URLs that need no network: in memory, on the disk, and ones that fail.

``tests://`` is a storage in memory that wants a key, tells what is read of it, and can be told to
fail; ``memory://`` and ``file://`` are fsspec's own.
"""

import itertools
import os
import signal
from pathlib import Path
from typing import ClassVar

import fsspec
from fsspec.implementations.local import LocalFileSystem
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.spec import AbstractBufferedFile

KEY = "hunter2-the-key-of-the-storage"
_numbers = itertools.count()


class Fetched(AbstractBufferedFile):
    """A file of which ranges are fetched, as from a storage of objects."""

    def _fetch_range(self, start, end):
        content = self.fs.store[self.path].getvalue()[start:end]
        self.fs.fetched.append(len(content))
        return content


class Locked(MemoryFileSystem):
    """In memory, open to those with the key; its errors tell what they should not."""

    protocol = "tests"
    store, pseudo_dirs = {}, [""]
    fetched: ClassVar = []  # the bytes of each range that was fetched
    asked: ClassVar = []  # the places that were asked for since it was put there
    fails_at, error = None, FileNotFoundError  # at which of them it fails, and how
    spoils = False  # what is written

    def __init__(self, key=None, **options):
        super().__init__(**options)
        self.key = key

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(path.replace("tests://", "memory://", 1))

    def _let_in(self, path):
        if self.key != KEY:
            msg = f"{self.key} opens nothing at {path}"
            raise PermissionError(msg)
        self.asked.append(path)
        if len(self.asked) == self.fails_at:
            msg = f"{self.key} at {path}"
            raise self.error(msg)

    def put_file(self, local, place, *args, **how):
        super().put_file(local, place, *args, **how)
        if self.spoils:
            self.store[place].seek(0)
            self.store[place].write(b"spoilt")

    def ls(self, path, detail=True, **how):
        self._let_in(path)
        return super().ls(path, detail, **how)

    def info(self, path, **how):
        self._let_in(path)
        return super().info(path, **how)

    def _open(self, path, mode="rb", **how):
        self._let_in(path)
        if mode == "rb":
            return Fetched(self, path, mode, cache_type=how.get("cache_type", "readahead"))
        return super()._open(path, mode, **how)


class Deadly(LocalFileSystem):
    """On the disk; at the n-th file that is written half of it is there, and the process dies."""

    protocol = "deadly"
    written = itertools.count(1)  # of a process: fsspec keeps an instance for each thread

    def __init__(self, at=None, **options):
        super().__init__(**options)
        self.at = at

    @classmethod
    def _strip_protocol(cls, path):
        return super()._strip_protocol(str(path).removeprefix("deadly://"))

    def put_file(self, local, place, *args, **how):
        if next(self.written) == self.at:
            self.makedirs(str(Path(place).parent), exist_ok=True)
            content = Path(local).read_bytes()
            Path(place).write_bytes(content[: len(content) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        super().put_file(local, place, *args, **how)


for known in (Locked, Deadly):
    fsspec.register_implementation(known.protocol, known, clobber=True)


def forget():
    """Nothing is there, and nothing has been asked for."""
    Locked.store.clear()
    Locked.asked.clear()
    Locked.fetched.clear()
    Locked.fails_at, Locked.error, Locked.spoils = None, FileNotFoundError, False


def held(url, **options):
    """The bytes of every file in a folder of a storage and beside it, by its name."""
    system, root = fsspec.url_to_fs(url, **options)
    there = [p for p in system.find(root.rpartition("/")[0]) if p.startswith(root)]
    return {place.removeprefix(root): system.cat_file(place) for place in there}


def copy(path, url, **options):
    """A file of the disk put into a storage."""
    system, place = fsspec.url_to_fs(url, **options)
    system.makedirs(place.rpartition("/")[0], exist_ok=True)
    system.pipe_file(place, path.read_bytes())


def put(folder, url, **options):
    """A folder of the disk with all that is in it, put into a new folder of a storage."""
    url = f"{url}/number-{next(_numbers)}"
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file():
            copy(path, f"{url}/{path.relative_to(folder).as_posix()}", **options)
    return url
