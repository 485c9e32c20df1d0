"""The door to large tables: a folder of files, or what a callable makes, in; a folder out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from tokumei import _check
from tokumei.microaggregation.options import Effort, Method, Rest
from tokumei.privacy.l_diversity import Diversity
from tokumei.release import engines
from tokumei.release.job import Job, Step, gather
from tokumei.release.mask.step import How, Microaggregate, Missing, Resolution, Rounding
from tokumei.release.release import Release
from tokumei.release.schema import Kind
from tokumei.release.sections import Decimal, Files
from tokumei.values.hierarchy import Hierarchy

if TYPE_CHECKING:
    from tokumei.batch import dataset

__all__ = ["mask_dataset"]


def mask_dataset(
    source: str | os.PathLike[str] | Callable[[int], Any],
    target: str | os.PathLike[str],
    k: int = 5,
    *,
    quasi: Sequence[str],
    identifier: Sequence[str] = (),
    sensitive: Sequence[str] = (),
    other: Sequence[str] | str = (),
    drop: Sequence[str] | str = (),
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[Any]] | None = None,
    trees: Mapping[str, Hierarchy | Mapping[Any, Any]] | None = None,
    represent: Mapping[str, How] | None = None,
    attribute_weights: Mapping[str, float] | None = None,
    weight: str | None = None,
    household: str | None = None,
    min_households: int | None = None,
    strata: Sequence[str] = (),
    l_diversity: int | None = None,
    l_kind: Diversity = "distinct",
    l_c: float = 1.0,
    t_closeness: float | None = None,
    round: Rounding = "grid",
    resolution: Mapping[str, Resolution] | None = None,
    missing: Missing = "refuse",
    na: Sequence[str] | None = None,
    decimal: Decimal | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    files: Files | None = None,
    accept_risk: Mapping[str, str] | None = None,
    singling_out: float = 0.10,
    linkability: float = 0.05,
    inference: float = 0.10,
    unmasked: float | None = None,
    method: Method = "auto",
    effort: Effort | float = "balanced",
    random_state: int | None = None,
    gamma: float | Literal["auto"] | None = None,
    rest: Rest | None = None,
    c1: int | Literal["paper"] | None = None,
    c2: int | None = None,
    axes: int | None = None,
    bits: int | None = None,
    pieces: int | None = None,
    consume: bool = False,
    cluster: Any = None,
    memory_limit: float | None = None,
    encryption_key: bytes | str | os.PathLike[str] | None = None,
    storage_options: Mapping[str, Any] | str | os.PathLike[str] | None = None,
    staging: str | os.PathLike[str] | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> Release:
    """Mask a data set that is larger than memory: files of a folder into files of another.

    One pass counts the table and plans blocks of neighbours by their values; a second one routes
    records to block files; each block is masked as a table of its own, and its records scattered
    over the files of the release by the secure generator. The release is checked as that of
    `release.mask` is, piece by piece, and appears whole: with ``TARGET.audit.json`` and
    ``TARGET.private.json`` beside it. A process that is killed leaves a private folder beside the
    target; the next call for the same target goes on there.

    Parameters
    ----------
    source : path or callable
        A folder of Parquet or Arrow files, or of CSV (also .gz, .zst), with the same columns, hive
        partitions or not; its path, or its URL, such as "s3://bucket/in", of a storage that fsspec
        knows (extra `storage`); or a function that makes piece ``number`` of `pieces` as an Arrow
        table, the same at each call.
    target : path
        The folder of the release, files in a random order of rows; or its URL, with `staging`.
    k, quasi, identifier, sensitive, other and all other options
        As in `release.mask`; `strata` are columns that are released.
    method : str
        As in `partition`, inside each block. "auto" is that of `partition` for tables of up to
        200,000 rows, and the path "flexdice", which takes no search, for larger ones.
    files : str, optional
        "parquet", "csv", "csv.gz" or "csv.zst"; CSV for a folder of CSV, else Parquet by default.
    pieces : int, optional
        How many pieces a callable makes.
    consume : bool
        Remove each file of the source when it has been routed: for disks that hold the table once.
    cluster : str or dask.distributed.Client, optional
        The scheduler whose workers do the tasks; they see source and target under the same paths.
        Threads of this process by default.
    memory_limit : float, optional
        GiB of memory that the run takes at most, unless a row group of the source is larger: tasks
        are made so small, and so few are done at once, that it is kept. Without it about 4 GiB
        where two threads are at work. Workers of a cluster have limits of their own.
    encryption_key : bytes or path, optional
        A key of 32 bytes, or the file that holds it, by which all that is staged but the files of
        the release is encrypted (AES-GCM); "fresh" is one that is kept in memory alone, so that a
        run that is killed begins anew.
    storage_options : mapping or path, optional
        What fsspec is to know of URLs, such as keys, or a TOML file that says it. It is in no job,
        audit or message.
    staging : path, optional
        The folder in which a release that goes to a URL is made, and where its private record
        stays. Its files are uploaded when no check has failed, and its audit when all of them are
        there; a call that was stopped meanwhile goes on.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes no masked record.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1.

    Returns
    -------
    Release
        `table`, the path or the URL of the target, and `audit`.

    Raises
    ------
    InputError
        A file, a column or an argument cannot be used; the file and its row group are named.
    Refused
        A column has no role, or a check of the result failed; its `audit` says which.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np, pyarrow as pa, pyarrow.parquet as pq
    >>> import tokumei as tk
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "in").mkdir()
    >>> for number in range(2):
    ...     incomes = np.random.default_rng(number).integers(1_000, 9_000, 50)
    ...     pq.write_table(pa.table({"income": incomes}), folder / "in" / f"{number}.parquet")
    >>> few = {"too few records": "an example"}
    >>> release = tk.release.mask_dataset(
    ...     folder / "in", folder / "out", k=3, quasi=["income"], accept_risk=few
    ... )
    >>> len(pq.read_table(release.table)), release.audit["achieved"]["k"] >= 3
    (100, True)
    """
    return released(Microaggregate, locals())


def released(kind: type[Step], keywords: Mapping[str, Any]) -> Release:
    """The release of a data set from the keyword arguments of a door."""
    source, target, pieces = keywords["source"], keywords["target"], keywords["pieces"]
    where = None if callable(source) else os.fspath(source)
    job = gather(kind, keywords, source=where, target=os.fspath(target))
    with engines.needed():
        from tokumei.batch import dataset
        from tokumei.batch.pieces import Generated
        from tokumei.batch.uploads import ends_of
    if callable(source):
        count = _check.at_least(pieces, 1, "pieces") if pieces is not None else 1
        made: Any = Generated(source, count)
    else:
        made = os.fspath(source)
    how = how_of(keywords)
    return dataset.from_dataset(
        *ends_of(made, os.fspath(target), how.staging, how.storage), job, how
    )


def of_job(job: Job, ways: Mapping[str, Any]) -> Release:
    """The release of a job whose source is a folder, gone through in these ways."""
    with engines.needed():
        from tokumei.batch import dataset
    return dataset.of_job(job, how_of(ways))


def how_of(ways: Mapping[str, Any]) -> dataset.How:
    """How a data set is gone through, from keywords; those that are absent are not asked for."""
    with engines.needed():
        from tokumei.batch import dataset
        from tokumei.batch.reaching import options_of
        from tokumei.batch.sealed import key_of
    limit = ways.get("memory_limit")
    return dataset.How(
        consume=bool(ways.get("consume")),
        cluster=ways.get("cluster"),
        memory_limit=None if limit is None else _check.number(limit, "memory_limit"),
        secret=key_of(ways.get("encryption_key")),
        storage=options_of(ways.get("storage_options")),
        staging=ways.get("staging"),
    )
