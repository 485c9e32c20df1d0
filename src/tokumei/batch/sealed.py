"""Block files encrypted at rest: each batch is sealed by AES-GCM, of the library `cryptography`.

A file is its sealed batches one after the other, then where each begins. What is sealed is bound to
the name of its file and to its place there. Nonces are random: a key may seal 2^32 batches.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from tokumei.release.errors import InputError

KEY_BYTES, NONCE = 32, 12
FRESH = "fresh"


def key_of(given: bytes | str | os.PathLike[str] | None) -> bytes | None:
    """A key of 32 bytes: as it is given, from a file, or a fresh one that nobody can give again."""
    if given is None:
        return None
    _cipher(bytes(KEY_BYTES))  # the library is there
    if isinstance(given, str) and given == FRESH:
        return os.urandom(KEY_BYTES)
    if not isinstance(given, bytes):
        try:
            given = Path(given).read_bytes()
        except OSError as error:
            msg = f"cannot read the file of encryption_key: {error.strerror}"
            raise InputError(msg) from None
    text = given.strip()
    if len(text) == 2 * KEY_BYTES:
        try:
            given = bytes.fromhex(text.decode("ascii"))
        except ValueError:  # no number of base 16
            given = b""
    if len(given) != KEY_BYTES:
        msg = f"encryption_key must be {KEY_BYTES} bytes, or {2 * KEY_BYTES} hexadecimal digits"
        raise InputError(msg)
    return given


def _cipher(key: bytes) -> Any:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ModuleNotFoundError as error:
        msg = f"encryption_key needs {error.name}: pip install 'tokumei[encryption]'"
        raise ModuleNotFoundError(msg, name=error.name) from None
    return AESGCM(key)


def seal(key: bytes, data: bytes, name: str) -> bytes:
    """What only the key opens again, under that name."""
    nonce = os.urandom(NONCE)
    return nonce + bytes(_cipher(key).encrypt(nonce, data, name.encode()))


def unseal(key: bytes, sealed: bytes, name: str) -> bytes:
    """What was sealed under that name; an error of the library where it is not."""
    return bytes(_cipher(key).decrypt(sealed[:NONCE], sealed[NONCE:], name.encode()))


class _Writer:
    """Takes batches as a writer of Arrow does."""

    def __init__(self, file: Any, key: bytes, name: str, schema: Any) -> None:
        self.file, self.key, self.name, self.schema = file, key, name, schema
        self.ends = [0]

    def write_batch(self, batch: Any) -> None:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, self.schema) as writer:
            writer.write_batch(batch)
        place = f"{self.name}, {len(self.ends) - 1}"
        written = self.file.write(seal(self.key, sink.getvalue().to_pybytes(), place))
        self.ends.append(self.ends[-1] + written)

    def write_table(self, table: Any) -> None:
        for batch in table.to_batches():
            self.write_batch(batch)

    def close(self) -> None:
        if len(self.ends) == 1:  # the schema is told by a batch of no rows
            none = [pa.array([], field.type) for field in self.schema]
            self.write_batch(pa.RecordBatch.from_arrays(none, schema=self.schema))
        self.file.write(struct.pack(f"<{len(self.ends) + 1}q", *self.ends, len(self.ends)))


class Reader:
    """Gives batches as a reader of Arrow does."""

    def __init__(self, path: Path, key: bytes) -> None:
        self.path, self.key = path, key
        with path.open("rb") as file:
            file.seek(-8, os.SEEK_END)
            (count,) = struct.unpack("<q", file.read(8))
            file.seek(-8 * (count + 1), os.SEEK_END)
            self.ends = struct.unpack(f"<{count}q", file.read(8 * count))

    @property
    def num_record_batches(self) -> int:
        return len(self.ends) - 1

    def get_batch(self, place: int) -> Any:
        with self.path.open("rb") as file:
            file.seek(self.ends[place])
            sealed = file.read(self.ends[place + 1] - self.ends[place])
        data = unseal(self.key, sealed, f"{self.path.name}, {place}")
        return pa.ipc.open_stream(pa.py_buffer(data)).read_next_batch()

    def read_all(self) -> Any:
        return pa.Table.from_batches(list(map(self.get_batch, range(self.num_record_batches))))


@contextmanager
def new(path: Path, key: bytes, schema: Any) -> Iterator[_Writer]:
    """A new file of sealed batches."""
    with path.open("xb") as file:
        writer = _Writer(file, key, path.name, schema)
        yield writer
        writer.close()
