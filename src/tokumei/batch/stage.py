"""The private folder in which a data set is made: what is finished there has its final name.

Every task writes under another name first and is renamed when it is whole. A task whose name is
there is done, so that a rerun goes on where the last one stopped. What is random comes from one key
of the operating system, kept here until the end: a retry writes the same bytes.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei.batch import sealed
from tokumei.batch.hashes import derived
from tokumei.noise import generator
from tokumei.release.errors import as_input_error

FACTS = "facts.json"


@dataclass(frozen=True)
class Stage:
    """The folder by its path: tasks in other processes open the same one."""

    path: Path
    secret: bytes | None = field(default=None, repr=False)  # by which all that is kept is sealed

    def _sealed(self, data: bytes, name: str) -> bytes:
        return data if self.secret is None else sealed.seal(self.secret, data, name)

    def _opened(self, data: bytes, name: str) -> bytes:
        return data if self.secret is None else sealed.unseal(self.secret, data, name)

    def new_table(self, path: Path, schema: Any) -> Any:
        """A new file of record batches of Arrow."""
        if self.secret is None:
            return pa.ipc.new_file(str(path), schema)
        return sealed.new(path, self.secret, schema)

    def open_table(self, path: Path) -> Any:
        """The record batches of such a file."""
        if self.secret is None:
            return pa.ipc.open_file(pa.OSFile(str(path)))
        return sealed.Reader(path, self.secret)

    def make_key(self) -> None:
        """A key for this release, unless it has one."""
        if not (self.path / "key").exists():
            with self.whole_file("key") as file:
                file.write(self._sealed(generator.key().tobytes(), "key"))

    def key(self, purpose: str) -> bytes:
        """The key of one purpose."""
        return derived(self._opened((self.path / "key").read_bytes(), "key"), purpose)

    def words(self, purpose: str) -> generator.Key:
        """The same, as the secure generator takes it."""
        return np.frombuffer(self.key(purpose), dtype=np.uint32).copy()

    def keep(self, name: str, value: Any) -> None:
        """Keep what Python objects say; only the owner of this folder can write what is loaded."""
        with self.whole_file(name) as file:
            file.write(self._sealed(pickle.dumps(value), name))

    def load(self, name: str) -> Any:
        return pickle.loads(self._opened((self.path / name).read_bytes(), name))

    @contextmanager
    def whole_file(self, name: str) -> Iterator[Any]:
        """A file that gets its name when it is whole, and that only its owner can read."""
        target = self.path / name
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with as_input_error("cannot write in the folder of the target"):
            descriptor, draft = tempfile.mkstemp(prefix=".draft-", dir=target.parent)
            with os.fdopen(descriptor, "wb") as file:
                yield file
            Path(draft).replace(target)

    @contextmanager
    def whole_folder(self, name: str) -> Iterator[Path]:
        """A folder that gets its name when it is whole; one that was faster keeps it."""
        target = self.path / name
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".draft-", dir=target.parent))
        try:
            yield draft
            with suppress(OSError):
                draft.rename(target)
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def facts(self, name: str) -> dict[str, Any] | None:
        """What a finished task found; None where it is not finished."""
        with suppress(FileNotFoundError):
            kept = (self.path / name / FACTS).read_bytes()
            found: dict[str, Any] = json.loads(self._opened(kept, FACTS))
            return found
        return None

    def write_facts(self, folder: Path, facts: dict[str, Any]) -> dict[str, Any]:
        """Keep what a task found beside what it made."""
        (folder / FACTS).write_bytes(self._sealed(json.dumps(facts).encode(), FACTS))
        return facts

    def once(self, name: str, work: Callable[[], object]) -> dict[str, Any]:
        """What a task found; where two are at it, what the one did that was done first."""
        if self.facts(name) is None:
            try:
                work()
            except FileNotFoundError:  # the other one may have taken away what it is done with
                if self.facts(name) is None:
                    raise
        done = self.facts(name)
        assert done is not None
        return done

    def tidy(self) -> None:
        """Take away what tasks left that were killed."""
        for draft in self.path.rglob(".draft-*"):
            if draft.is_dir():
                shutil.rmtree(draft, ignore_errors=True)
            else:
                draft.unlink(missing_ok=True)
