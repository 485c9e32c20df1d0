"""Groups of the rows of a relation, and its masked rows, as relations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Unpack

from tokumei import _check
from tokumei import microaggregation as arrays
from tokumei.microaggregation.options import Method, PartitioningBeside

# Options with one value a row, which may be said by the name of a column.
OF_ROWS = ("record_weights", "strata", "sensitive", "households")


def partition(
    relation: Any,
    k: int,
    *,
    columns: Sequence[str] | None = None,
    method: Method = "auto",
    name: str = "label",
    connection: Any = None,
    **options: Unpack[PartitioningBeside],
) -> Any:
    """Add the group of each row to a relation, as `tokumei.partition` forms them.

    Parameters
    ----------
    relation : DuckDBPyRelation
        It is read whole, in its order, into memory.
    k : int
        Smallest group size.
    columns : sequence of str, optional
        The columns by which rows are alike; all by default, categories where they hold no numbers.
    method : str
        How groups are formed, see `tokumei.partition`.
    name : str
        What the new column is called; the relation must not have it.
    connection : DuckDBPyConnection, optional
        Where the result lives, so that it can be joined to other relations of that connection; by
        default one of its own.
    **options
        Those of `tokumei.partition`; strata, households, sensitive values and weights of records
        may be names of columns.

    Returns
    -------
    DuckDBPyRelation
        The rows in their order, with a column of BIGINT.

    Examples
    --------
    >>> import duckdb
    >>> import tokumei as tk
    >>> people = duckdb.sql("from (values (1, 'a'), (2, 'a'), (10, 'b'), (12, 'b')) t(x, y)")
    >>> tk.sql.partition(people, 2, columns=["x"]).fetchall()
    [(1, 'a', 0), (2, 'a', 0), (10, 'b', 1), (12, 'b', 1)]
    """
    table, chosen, given_back = _read(relation, columns, connection)
    if name in table.column_names:
        msg = f"name must be that of a new column, the relation has {name!r}"
        raise ValueError(msg)
    import pyarrow as pa

    labels = arrays.partition(
        table.select(chosen), k, method=method, **_of_rows(table, dict(options))
    )
    return given_back(table.append_column(name, pa.array(labels)))


def microaggregate(
    relation: Any,
    k: int,
    *,
    columns: Sequence[str] | None = None,
    method: Method | Literal["individual"] = "auto",
    how: Literal["mean", "median"] = "mean",
    connection: Any = None,
    **options: Unpack[PartitioningBeside],
) -> Any:
    """Mask columns of a relation, as `tokumei.microaggregate` does; the others are carried along.

    It masks, it releases nothing: rows keep their order and columns that were not chosen lead back
    to people. See `tokumei.release.mask` for tables that go out, which takes relations too.

    Parameters
    ----------
    relation, k, columns, method, connection, **options
        As for `tokumei.sql.partition`.
    how : {"mean", "median"}
        The representative of numbers, see `tokumei.aggregate`.

    Returns
    -------
    DuckDBPyRelation
        The rows in their order, with the same columns; types stay where they hold the values.

    Examples
    --------
    >>> import duckdb
    >>> import tokumei as tk
    >>> people = duckdb.sql("from (values (1, 'a'), (2, 'a'), (10, 'b'), (12, 'b')) t(x, y)")
    >>> tk.sql.microaggregate(people, 2, columns=["x"]).fetchall()
    [(1.5, 'a'), (1.5, 'a'), (11.0, 'b'), (11.0, 'b')]
    """
    table, chosen, given_back = _read(relation, columns, connection)
    masked = arrays.microaggregate(
        table.select(chosen), k, method=method, how=how, **_of_rows(table, dict(options))
    )
    for column in chosen:
        place = table.column_names.index(column)
        table = table.set_column(place, column, masked.column(column))
    return given_back(table)


def _read(
    relation: Any, columns: Sequence[str] | None, connection: Any
) -> tuple[Any, list[str], _check.GiveBack]:
    """The relation's rows as an Arrow table, the columns that are chosen, and the way back."""
    import duckdb

    _check.instance(relation, duckdb.DuckDBPyRelation, "relation")
    table, given_back = _check.collected(relation, "relation")
    if connection is not None:
        _check.instance(connection, duckdb.DuckDBPyConnection, "connection")
        given_back = connection.from_arrow
    if isinstance(columns, str):
        msg = "columns must be a list of columns, got str"
        raise TypeError(msg)
    chosen = list(table.column_names if columns is None else columns)
    unknown = len(set(chosen) - set(table.column_names))
    if unknown or not chosen:
        msg = f"columns names {unknown} columns that the relation does not have, of {len(chosen)}"
        raise ValueError(msg)
    return table, chosen, given_back


def _of_rows(table: Any, options: dict[str, Any]) -> Any:
    """The options, with columns of the table where names of such are given."""
    for each in OF_ROWS:
        said = options.get(each)
        if isinstance(said, str):
            if said not in table.column_names:
                msg = f"{each} names a column that the relation does not have"
                raise ValueError(msg)
            options[each] = table.column(said)
    return options
