"""Text of any encoding, compressed or not, as a plain UTF-8 file: what a CSV parser is given.

Loaded by `decoder`, in the process that has a bound on its memory: imports nothing of tokumei.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any, BinaryIO

import pyarrow as pa

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}  # how a text begins that says what it is
BLOCK = 1 << 20


def needed(start: bytes, source: PurePath, encoding: str | None) -> bool:
    """Whether a file that begins so cannot be given to a parser of UTF-8 as it is."""
    return start[:2] in MARKS or encoding is not None or source.suffix.lower() in COMPRESSIONS


def write(source: Path, target: Path, encoding: str | None, most: int) -> None:
    """Write the text of a file as UTF-8, `most` bytes of it at the most.

    Raises MemoryError for a longer one, UnicodeError for text of another encoding, and what Arrow
    raises for a damaged file.
    """
    target.parent.mkdir(mode=0o700)
    private = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(private, "wb") as file, _opened(source) as stream:
        start = stream.read(BLOCK)
        translate = _translation(MARKS.get(start[:2], encoding))
        written, last = 0, False
        while not last:
            block, start = start, stream.read(BLOCK) if start else b""
            last = not start
            text = translate(block, last)
            written += len(text)
            if written > most:
                raise MemoryError
            file.write(text)


def _opened(source: Path) -> BinaryIO:
    compression = COMPRESSIONS.get(source.suffix.lower())
    if compression is None:
        return source.open("rb")
    stream: Any = pa.CompressedInputStream(pa.OSFile(str(source)), compression)
    return stream  # type: ignore[no-any-return]


def _translation(encoding: str | None) -> Callable[[bytes, bool], bytes]:
    """From bytes of an encoding to UTF-8; as they are where none is said."""
    if encoding is None:
        return lambda block, last: block
    decoder = codecs.getincrementaldecoder(encoding)()
    return lambda block, last: decoder.decode(block, last).encode()
