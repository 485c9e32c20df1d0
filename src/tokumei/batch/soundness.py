"""Files decoded once by a child, before this process reads them: what breaks a decoder breaks that.

A child goes through many files and keeps nothing; which of them it was at, it says in a file. What
it has decoded, under its limit of memory, is decoded here without one.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tokumei._check import Run
from tokumei.batch import folders, interruption
from tokumei.batch.delimited import MEMORY
from tokumei.batch.stage import Stage
from tokumei.batch.storage import Where
from tokumei.batch.workers import told, workers
from tokumei.release.io import reading

DONE = "sound"


def look(stage: Stage, where: Where, left_out: Sequence[str], run: Run) -> None:
    """Refuse a folder with a file that cannot be decoded; once, where a run goes on."""
    names = sorted(folders.data_files(where))
    if folders.form_of(names[0]) == "csv":  # which a child decodes anyway
        return
    state = json.dumps([list(left_out), folders.states(where, names)])
    with suppress(OSError):
        if (stage.path / DONE).read_text(encoding="utf-8") == state:
            return
    names = [name for name in names if folders.size(where, name)]  # empty ones are said later
    shares = [names[first :: run.n_threads] for first in range(run.n_threads)]
    with workers(run.n_threads) as hands:
        arguments = [(stage, where, share, left_out) for share in shares if share]
        for _ in told(hands, looked_through, arguments, run.silent()):
            pass
    with stage.whole_file(DONE) as file:
        file.write(state.encode())


def looked_through(
    stage: Stage, where: Where, names: Sequence[str], left_out: Sequence[str]
) -> None:
    """Let a child decode some files; those of a storage are fetched for it, few at a time."""
    for some in where.handfuls(names):
        _decoded(stage, where, some, left_out)


def _decoded(stage: Stage, where: Where, names: Sequence[str], left_out: Sequence[str]) -> None:
    with tempfile.TemporaryDirectory(prefix=".draft-", dir=stage.path) as made:
        folder = Path(made)
        begun = folder / "begun"
        sources = [
            str(where.at_hand(name, folder / f"{place}")) for place, name in enumerate(names)
        ]
        request = {
            "format": "sound", "sources": sources, "left_out": list(left_out), "memory": MEMORY,
        }  # fmt: skip

        def called() -> str:
            return names[int(begun.read_text())] if begun.exists() else names[0]

        reading.told_by_child(Path(sources[0]), begun, request, interruption.go_on, called)
