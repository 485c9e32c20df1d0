"""The door to an assessment: a dataframe or a file in, what was found of it out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tokumei._check.options import share
from tokumei.release import engines
from tokumei.release.errors import InputError
from tokumei.release.sections import Decimal, Source

if TYPE_CHECKING:
    from tokumei.release.assessment.findings import Findings


def assess(
    table: object,
    *,
    na: Sequence[str] | None = None,
    decimal: Decimal | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    risk_target: float | None = None,
) -> Findings:
    """Look at a table or a file: what it holds, what risk it carries, which roles to begin with.

    Parameters
    ----------
    table : pandas, polars, Arrow or DuckDB table, or path
        One row a record. Never written to.
    na, decimal, encoding, delimiter, header
        How a file is written, as for `mask_file`. Without an encoding one that is not UTF-8 is read
        as windows-1252, and a first line that looks like data is taken for data; both is said.
    risk_target : float, optional
        Propose roles until a release by them, with k = 5, has no risk of singling out, linkability
        or inference above this, nor links through unmasked columns above 1/k: it is made, attacked
        as the gate would, and thrown away. What came of it is among the remarks.

    Returns
    -------
    Findings
        `profiles` and `proposals` of all columns, the `risk` of the quasi-identifiers proposed, and
        `job`, a job file with comments. It prints on a screen, and holds no cell of the table.

    Raises
    ------
    InputError
        The table, the file or an argument cannot be used.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import tokumei as tk
    >>> people = pa.table({"age": [30, 32, 61, 61], "mail": [f"{c}@x.org" for c in "abcd"]})
    >>> found = tk.release.assess(people)
    >>> {name: one.role for name, one in found.proposals.items()}
    {'age': 'quasi', 'mail': 'identifier'}
    """
    with engines.needed():
        from tokumei.release.assessment import looking
        from tokumei.release.io.delimited import delimiter_of
    try:
        how = Source(
            na=na,
            decimal=decimal,
            encoding=encoding,
            delimiter=delimiter_of(delimiter),
            header=header,
        )
        target = None if risk_target is None else share(risk_target, "risk_target")
    except (TypeError, ValueError) as error:  # these messages are the library's own
        raise InputError(str(error)) from None
    if isinstance(table, str | os.PathLike):
        with TemporaryDirectory(prefix="tokumei-") as folder:
            return looking.at_file(Path(table), Path(folder), how, target)
    return looking.at_frame(table, how, target)
