"""The two doors to a perturbed release: a dataframe or a file in, a checked one out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Literal

from tokumei import _check
from tokumei.noise import Attribute
from tokumei.release.asking import released
from tokumei.release.perturb.step import Perturb
from tokumei.release.release import Release
from tokumei.release.sections import Decimal


def perturb(
    table: object,
    k: int = 5,
    *,
    attributes: Mapping[str, Attribute],
    identifier: Sequence[str] = (),
    drop: Sequence[str] | str = (),
    clip: bool = False,
    bounds: Literal["public", "data"] = "public",
    na: Sequence[str] | None = None,
    decimal: Decimal | None = None,
    keep_order: bool = False,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
    insecure_seed_for_tests: int | None = None,
) -> Release:
    """Perturb a dataframe: a released row is linked to its record with probability 1/k at most.

    Every column is perturbed or left out; none is released as it is, which would link the records.
    Rows are shuffled, row labels and metadata dropped. The result is checked before it is returned.

    Parameters
    ----------
    table : pandas, polars, Arrow or DuckDB table
        One row a record. Never written to.
    k : int
        The bound: at least 2 and below the number of rows.
    attributes : mapping
        For each column to release a `tokumei.noise.Attribute`: its public bounds or categories,
        its mechanism, its part of the budget.
    identifier, drop : sequence of str
        Columns that are not released. "*" means all that are not named elsewhere.
    clip, bounds, keep_order
        As for `tokumei.noise.perturb`. Where the guarantee is given up, the audit's warnings say
        so.
    na, decimal
        Words for a missing cell, and the mark of decimals in texts, as for `mask`.
    n_threads : int, optional
        Number of threads; all that the process may use by default.
    callback : callable, optional
        Called now and then with the share of the work on one column that is done.
    insecure_seed_for_tests : int, optional
        Draw from a seed, for tests: the gate refuses the result, which is not private.

    Returns
    -------
    Release
        `table`, of the kind that came in, and `audit`, a dictionary that JSON can hold: it has
        what a reconstruction needs to know.

    Raises
    ------
    InputError
        The table or an argument cannot be used, or the operating system gives no random bytes.
    Refused
        A column has no role, or a check of the result failed; its `audit` says which.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import tokumei as tk
    >>> people = pa.table({"name": ["Ada", "Bo", "Cy", "Di"], "age": [30, 32, 61, 67]})
    >>> age = tk.noise.Attribute(17, 90, integer=True)
    >>> release = tk.release.perturb(people, k=2, attributes={"age": age}, identifier=["name"])
    >>> release.table.column_names, release.audit["achieved"]["status"]
    (['age'], 'private')
    """
    return released(Perturb, locals())


def perturb_file(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    k: int = 5,
    *,
    attributes: Mapping[str, Attribute],
    identifier: Sequence[str] = (),
    drop: Sequence[str] | str = (),
    clip: bool = False,
    bounds: Literal["public", "data"] = "public",
    na: Sequence[str] | None = None,
    decimal: Decimal | None = None,
    keep_order: bool = False,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
    insecure_seed_for_tests: int | None = None,
) -> Release:
    """Perturb a file into another: CSV, Parquet or Arrow by the ending of each name.

    The file is written to a private folder, read again and checked, and only then gets its name;
    its audit is put beside it as ``TARGET.audit.json``. Where it is refused, the audit is
    ``TARGET.refused.json``, and what stood there stays. See `perturb` for what is done.

    Parameters
    ----------
    source, target : path
        Files ending in .csv, .tsv, .parquet, .pq, .arrow, .feather or .ipc.
    k, attributes, identifier, drop and all other options
        As in `perturb`.
    encoding : str, optional
        The encoding of a CSV source, such as "windows-1252". UTF-8 by default, and UTF-16 where the
        file begins with its mark. A CSV target is UTF-8.
    delimiter : str, optional
        What separates the cells of a CSV source: one character, or "tab". Found in its header
        line by default. A CSV target gets the same.
    header : bool, optional
        Whether the first line of a CSV source has the names of its columns. By default it has
        them, and one that looks like data is refused; without names columns are column_1, ...

    Returns
    -------
    Release
        `table`, the path of the target, and `audit`.

    Raises
    ------
    InputError
        A file, the table or an argument cannot be used, or there are no random bytes.
    Refused
        A column has no role, or a check of the result failed; its `audit` says which.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import tokumei as tk
    >>> folder = Path(tempfile.mkdtemp())
    >>> source, target = folder / "in.csv", folder / "out.csv"
    >>> _ = source.write_text("name,age\\nAda,30\\nBo,32\\nCy,61\\n")
    >>> age = tk.noise.Attribute(17, 90, integer=True)
    >>> roles = {"attributes": {"age": age}, "identifier": ["name"]}
    >>> release = tk.release.perturb_file(source, target, k=2, **roles)
    >>> target.read_text().splitlines()[0]
    'age'
    """
    return released(Perturb, locals())
