"""The door to a comparison of settings: a job or a table in, what each setting costs out."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from tokumei import _check
from tokumei.microaggregation.options import Effort, Method
from tokumei.release import engines
from tokumei.release.job import Job
from tokumei.release.mask.step import Microaggregate

if TYPE_CHECKING:
    from tokumei.release.comparison.settings import Settings


def compare(
    job: Job | str | os.PathLike[str],
    table: object = None,
    *,
    k: Sequence[int] = (3, 5, 10),
    methods: Sequence[Method] = ("auto",),
    effort: Effort | float = "fast",
    most_loss: float | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> Settings:
    """Mask a table with several k by several methods, and say what each costs: which to take?

    Nothing is released: the tables are measured and forgotten.

    Parameters
    ----------
    job : Job or path
        What is asked for, or the TOML file that says it; or a file of data, whose roles are those
        that `assess` proposes.
    table : pandas, polars, Arrow or DuckDB table, optional
        The records, where the job names no file to read.
    k : sequence of int
        The numbers of records that are to share their quasi-identifiers.
    methods : sequence of str
        How groups are formed, see `tokumei.partition`.
    effort : {"fast", "balanced", "best", "optimal"} or float
        How long groups are refined; a release may take longer and lose less.
    most_loss : float, optional
        The most that may be lost, in percent of SSE/SST: the largest k within it is recommended.
        Without it the one where the map of risk and loss bends.
    n_threads : int, optional
        Number of threads; all that the process may use by default.
    callback : callable, optional
        Called with the share of the settings done, 0 to 1.

    Returns
    -------
    Settings
        `settings`, the one `recommended` and the `reason`. It prints as a table, and
        ``plot("map.svg")`` draws the map of risk and loss.

    Raises
    ------
    InputError
        The job, the table or an argument cannot be used.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import tokumei as tk
    >>> from tokumei.privacy import KAnonymity
    >>> from tokumei.release.mask.step import Microaggregate
    >>> from tokumei.release.schema import Columns
    >>> job = tk.release.Job((Microaggregate(),), (KAnonymity(),), Columns(quasi=["age"]))
    >>> ages = pa.table({"age": [20 + year * year % 50 for year in range(200)]})
    >>> found = tk.release.compare(job, ages, k=[3, 10], methods=["mdav", "npn"])
    >>> [(one.method, one.k) for one in found.settings]
    [('mdav', 3), ('mdav', 10), ('npn', 3), ('npn', 10)]
    """
    with engines.needed():
        from tokumei.release.comparison import settings
        from tokumei.release.io import frames
    run = _check.run(n_threads, callback)
    wanted = job if isinstance(job, Job) else _read(Path(job), run.silent())
    steps = tuple(
        replace(step, effort=effort) if isinstance(step, Microaggregate) else step
        for step in wanted.steps
    )
    wanted = replace(wanted, steps=steps, run=run.silent())
    settings.check(k, methods, wanted)
    frame = frames.frame_of(table) if table is not None else _records(wanted)
    return settings.settings_of(wanted, frame, k, methods, most_loss=most_loss, tell=run.tell)


def _read(path: Path, run: _check.Run) -> Job:
    """The job of a file, or the one that an assessment of a file of data proposes."""
    from tokumei.release import job_files
    from tokumei.release.assessment.doors import assess

    if path.suffix.lower() == ".toml":
        return job_files.read(path, run)
    text = assess(path).job(None, path, None)
    return replace(job_files.from_sections(tomllib.loads(text), "the proposal"), run=run)


def _records(job: Job) -> Any:
    from tokumei.release import pipeline

    with TemporaryDirectory(prefix="tokumei-") as folder:
        return pipeline.records_of(job, Path(folder))
