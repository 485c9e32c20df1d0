"""A storage behind a URL, opened by fsspec; it fails as a disk does, in the words of the system.

What a storage says itself may hold what it was given to get in, so that none of it is kept.
"""

from __future__ import annotations

import errno
import io
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tokumei.release.errors import InputError

_PASSWORD = re.compile(r"://[^/@]*:[^/@]*@")


def reached(url: str, options: Mapping[str, Any]) -> tuple[Any, str]:
    """The file system, of which fsspec keeps one a thread, and the place of the URL in it."""
    from fsspec.core import url_to_fs

    with in_words_of_the_system():
        system, root = url_to_fs(url, **options)
        return system, str(root)


def check(url: str, options: Mapping[str, Any]) -> None:
    """Refuse in a sentence what cannot be opened."""
    if _PASSWORD.search(url):
        msg = "a URL must hold no password; it belongs in storage_options"
        raise InputError(msg)
    try:
        from fsspec.core import url_to_fs
    except ModuleNotFoundError as error:
        msg = f"a URL needs {error.name}: pip install 'tokumei[storage]'"
        raise ModuleNotFoundError(msg, name=error.name) from None
    why = ""
    try:
        url_to_fs(url, **options)
    except ImportError:
        why = "the package that fsspec takes for it is not installed"
    except Exception as error:
        why = f"fsspec does not know it, or not with these storage_options ({type(error).__name__})"
    if why:
        msg = f"a URL of {re.split('::|://', url)[0]} cannot be opened: {why}"
        raise InputError(msg)


@contextmanager
def in_words_of_the_system() -> Iterator[None]:
    """Turn whatever a storage finds wrong into an OSError as a disk would raise it."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except FileNotFoundError:
        number = errno.ENOENT
    except PermissionError:
        number = errno.EACCES
    except TimeoutError:
        number = errno.ETIMEDOUT
    except Exception:
        number = errno.EIO
    else:
        return
    raise OSError(number, os.strerror(number)) from None


class File(io.RawIOBase):
    """A file of a storage that fails as one of the disk does."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def read(self, size: int | None = -1) -> Any:
        with in_words_of_the_system():
            return self.file.read(-1 if size is None else size)

    def seek(self, offset: int, whence: int = 0) -> int:
        with in_words_of_the_system():
            return int(self.file.seek(offset, whence))

    def tell(self) -> int:
        return int(self.file.tell())

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        if not self.closed:
            self.file.close()
        super().close()


def options_of(given: Mapping[str, Any] | str | os.PathLike[str] | None) -> dict[str, Any]:
    """The options of a storage: as they are given, or from a file of TOML."""
    if given is None or isinstance(given, Mapping):
        return dict(given or {})
    try:
        return tomllib.loads(Path(given).read_text(encoding="utf-8"))
    except OSError as error:
        msg = f"cannot read the file of storage_options: {error.strerror}"
    except ValueError:  # whose words may quote a key
        msg = "the file of storage_options is no TOML"
    raise InputError(msg)
