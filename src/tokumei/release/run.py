"""A job of any kind, from Python or from a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokumei import _check
from tokumei.release import engines
from tokumei.release.errors import InputError
from tokumei.release.job import Job
from tokumei.release.release import Release


def run(
    job: Job | str | os.PathLike[str],
    table: object = None,
    *,
    consume: bool = False,
    cluster: Any = None,
    memory_limit: float | None = None,
    encryption_key: bytes | str | os.PathLike[str] | None = None,
    storage_options: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    staging: str | os.PathLike[str] | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> Release:
    """Run a job: what it says is done, judged and released.

    Parameters
    ----------
    job : Job or path
        What is asked for, or the TOML file that says it; see ``tokumei schema``. Its source may
        be a folder, or its URL, as for `mask_dataset`.
    table : pandas, polars, Arrow or DuckDB table, optional
        The records, where the job names no file to read.
    consume, cluster, memory_limit, encryption_key, storage_options, staging
        Where the source is a folder: as in `mask_dataset`.
    n_threads : int, optional
        For a file: number of threads; all that the process may use by default.
    callback : callable, optional
        For a file: called now and then with the share of the work done, 0 to 1.

    Returns
    -------
    Release
        `table`, of the kind that came in or the path that was written, and `audit`.

    Raises
    ------
    InputError
        The job, the table or a file cannot be used.
    Refused
        A column has no role, or a check of the result failed; its `audit` says which.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import tokumei as tk
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "in.csv").write_text("name,age\\nAda,30\\nBo,32\\n")
    >>> _ = (folder / "job.toml").write_text(
    ...     "source.path = 'in.csv'\\noutput.path = 'out.csv'\\n"
    ...     "schema.quasi = ['age']\\nschema.identifier = ['name']\\n"
    ...     "[[steps]]\\ndo = 'microaggregate'\\n[[privacy]]\\nmodel = 'k-anonymity'\\nk = 2\\n"
    ... )
    >>> tk.release.run(folder / "job.toml").audit["verdict"]
    'released'
    """
    with engines.needed():
        from tokumei.release import job_files, pipeline
    if not isinstance(job, Job):
        job = job_files.read(Path(job), _check.run(n_threads, callback))
    ways = {
        "consume": consume or None,
        "cluster": cluster,
        "memory_limit": memory_limit,
        "encryption_key": encryption_key,
        "storage_options": storage_options,
        "staging": staging,
    }
    asked = [name for name, value in ways.items() if value is not None]
    if table is None and job.of_folder:
        from tokumei import _door

        done: Release = _door("of_job")(job, ways)
        return done
    if asked:
        msg = f"{', '.join(asked)}: of jobs whose source is a folder alone"
        raise InputError(msg)
    return pipeline.from_file(job) if table is None else pipeline.from_frame(table, job)
