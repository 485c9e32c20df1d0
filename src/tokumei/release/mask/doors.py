"""The two doors to a release: a dataframe or a file in, a checked one out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from tokumei import _check
from tokumei.bounds.lower_bound import Bound
from tokumei.microaggregation.options import Cost, Effort, Method, Rest
from tokumei.privacy.beta_likeness import Kind as Gain
from tokumei.privacy.l_diversity import Diversity
from tokumei.privacy.t_closeness import Kind as Closeness
from tokumei.release.asking import released
from tokumei.release.mask.step import How, Microaggregate, Missing, Resolution, Rounding
from tokumei.release.release import Release
from tokumei.release.schema import Kind
from tokumei.release.sections import Decimal, MissingCounts
from tokumei.values.hierarchy import Hierarchy


def mask(
    table: object,
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
    strata: Sequence[str] = (),
    l_diversity: int | None = None,
    l_kind: Diversity = "distinct",
    l_c: float = 1.0,
    t_closeness: float | None = None,
    t_kind: Closeness = "equal",
    t_tree: Hierarchy | Mapping[Any, Any] | None = None,
    beta_likeness: float | None = None,
    beta_kind: Gain = "basic",
    min_households: int | None = None,
    round: Rounding = "grid",
    resolution: Mapping[str, Resolution] | None = None,
    bound: Bound | None = None,
    missing: Missing = "refuse",
    missing_counts_as: MissingCounts = "value",
    accept_risk: Mapping[str, str] | None = None,
    singling_out: float = 0.10,
    linkability: float = 0.05,
    inference: float = 0.10,
    unmasked: float | None = None,
    method: Method = "auto",
    effort: Effort | float = "balanced",
    cost: Cost = "squares",
    random_state: int | None = None,
    time_limit: float | None = None,
    gamma: float | Literal["auto"] | None = None,
    rest: Rest | None = None,
    c1: int | Literal["paper"] | None = None,
    c2: int | None = None,
    axes: int | None = None,
    blocks_per_axis: int | Sequence[int] | None = None,
    bits: int | None = None,
    by_column: int | None = None,
    strict: bool | None = None,
    na: Sequence[str] | None = None,
    decimal: Decimal | None = None,
    keep_order: bool = False,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> Release:
    """Mask a dataframe: records come to share their quasi-identifiers, k or more of them.

    Identifiers are dropped. Quasi-identifiers, numbers and categories alike, are brought to one
    scale and partitioned; each becomes what its group publishes: the mean of numbers, the middle of
    ordered categories, the most frequent of others. All other columns stay as they are. Rows are
    shuffled, row labels and metadata dropped. The result is checked before it is returned.

    Parameters
    ----------
    table : pandas, polars, Arrow or DuckDB table
        One row a record, every column in one role. Never written to.
    k : int
        Smallest number of records that share their quasi-identifiers, from 2 to the number of rows.
    quasi, identifier, sensitive, other, drop : sequence of str
        The columns in each role; identifiers and columns to drop are not released. "*" for one of
        them means all columns not named elsewhere.
    kinds : mapping, optional
        "numeric", "ordinal", "nominal", "tree" or "date" for quasi-identifiers; by default numbers
        are numeric, dates dates, ordered categories ordinal, other categories nominal.
    orders, trees : mapping, optional
        For an ordinal column its values from the lowest; for a tree its `Hierarchy` or parents.
    represent : mapping, optional
        "mean", "median" or "interval" of a group's numbers and dates; "median", "mode", "interval"
        or "set" of ordinal values; "mode" or "set" of nominal ones; "ancestor", "mode" or "set" of
        nodes. The first of each is the default.
    attribute_weights : mapping, optional
        How much quasi-identifiers count in squared distances; 1 by default.
    weight : str, optional
        The column of survey weights: means are weighted, and squares, too, if all are positive.
    household : str, optional
        The column of households: their members stay together and k counts them. Released under
        fresh random numbers.
    strata : sequence of str
        Columns whose joint values groups never cross.
    l_diversity : int, optional
        Each group holds at least so many well-represented values of each sensitive column.
    l_kind, l_c : {"distinct", "entropy", "recursive"}, float
        What that means, see `privacy.LDiversity`; the search respects distinct values alone.
    t_closeness : float, optional
        Largest distance, 0 to 1, of a group's distribution of each sensitive column to the table's.
    t_kind, t_tree : {"equal", "ordered", "hierarchical"}, Hierarchy
        Values are equally far apart, numbers in an order, or apart by a hierarchy (gate only).
    beta_likeness, beta_kind : float, {"basic", "enhanced"}
        See `privacy.BetaLikeness`; counted by the gate.
    min_households : int, optional
        Groups have k records of so many households or more, whose members may part.
    round : {"grid", "none"}
        Means keep the decimals that their column has, so that integers stay integers, or are
        published as they are. Rounding never parts the records of a group.
    resolution : mapping, optional
        "year", "quarter", "month", "day", "hour", "minute" or "second" for columns of dates: the
        period that a group publishes for its mean; "auto", the default, is the coarsest that costs
        less than 1 % of the variance. Text becomes 1985, 1985-Q2 or 1985-04, dates the first day.
    bound : {"auto", "columns", "rows", "neighbours"}, optional
        Prove how far the loss is at most above the least possible one, see `lower_bound`.
    missing : {"refuse", "category", "impute"}
        What to do with missing quasi-identifiers: refuse the table; take them as a value of their
        own, which a group publishes where most of its records miss it; or let each group publish
        what its other records say. In each case all records of a group publish the same.
    missing_counts_as : {"value", "wildcard"}
        How a missing cell counts in k: as a value of its own, or as any; the audit has both.
    accept_risk : mapping, optional
        Release in spite of a check that adversaries failed: from its name ("singling out",
        "linkability", "inference", "linkage through unmasked columns", or "too few records" for all
        that could not be decided) to the reason, which the audit holds.
    singling_out, linkability, inference : float
        The risk of each that is allowed, over control; of inference also over 1/k.
    unmasked : float, optional
        The share of right links through unmasked columns that is allowed; 1/k by default.
    method, effort, cost, random_state, time_limit
        How groups are formed and how long they are refined, see `tokumei.partition`.
    gamma, rest, c1, c2, axes, blocks_per_axis, bits, by_column, strict
        Options of single methods, see `tokumei.partition`.
    na : sequence of str, optional
        Words that stand for a missing cell in the columns that are worked on, beside empty cells;
        those of R and pandas (NA, N/A, NULL, None...) by default, no word where it is empty.
    decimal : {".", ","}, optional
        The mark of decimals in texts. By default a column has a comma where all its cells agree.
    keep_order : bool
        Leave the rows in order; whoever knows the order of the original then knows who is who.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes no masked value.
    callback : callable, optional
        Called now and then with the share of the partition done, 0 to 1.

    Returns
    -------
    Release
        `table`, of the kind that came in, and `audit`, a dictionary that JSON can hold.

    Raises
    ------
    InputError
        The table or an argument cannot be used.
    Refused
        A column has no role, or a check of the result failed; its `audit` says which.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import tokumei as tk
    >>> people = pa.table({"name": ["Ada", "Bo", "Cy", "Di"], "age": [30, 32, 61, 67]})
    >>> release = tk.release.mask(people, k=2, quasi=["age"], identifier=["name"])
    >>> sorted(release.table["age"].to_pylist())
    [31, 31, 64, 64]
    >>> release.audit["achieved"]["k"]
    2
    """
    return released(Microaggregate, locals())


def mask_file(
    source: str | os.PathLike[str],
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
    strata: Sequence[str] = (),
    l_diversity: int | None = None,
    l_kind: Diversity = "distinct",
    l_c: float = 1.0,
    t_closeness: float | None = None,
    t_kind: Closeness = "equal",
    t_tree: Hierarchy | Mapping[Any, Any] | None = None,
    beta_likeness: float | None = None,
    beta_kind: Gain = "basic",
    min_households: int | None = None,
    round: Rounding = "grid",
    resolution: Mapping[str, Resolution] | None = None,
    bound: Bound | None = None,
    missing: Missing = "refuse",
    missing_counts_as: MissingCounts = "value",
    accept_risk: Mapping[str, str] | None = None,
    singling_out: float = 0.10,
    linkability: float = 0.05,
    inference: float = 0.10,
    unmasked: float | None = None,
    method: Method = "auto",
    effort: Effort | float = "balanced",
    cost: Cost = "squares",
    random_state: int | None = None,
    time_limit: float | None = None,
    gamma: float | Literal["auto"] | None = None,
    rest: Rest | None = None,
    c1: int | Literal["paper"] | None = None,
    c2: int | None = None,
    axes: int | None = None,
    blocks_per_axis: int | Sequence[int] | None = None,
    bits: int | None = None,
    by_column: int | None = None,
    strict: bool | None = None,
    na: Sequence[str] | None = None,
    decimal: Decimal | None = None,
    keep_order: bool = False,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> Release:
    """Mask a file into another: CSV, Parquet or Arrow by the ending of each name.

    The masked file is written to a private folder, read again and checked, and only then gets its
    name; its audit is put beside it as ``TARGET.audit.json``. The private record,
    ``TARGET.private.json``, has what the audit leaves out. Where it is refused, the audit is
    ``TARGET.refused.json``; what stood at the target stays until a release passes. See `mask` for
    what is done.

    Parameters
    ----------
    source, target : path
        Files ending in .csv or .tsv, also with .gz or .zst behind it, .parquet, .pq, .arrow,
        .feather or .ipc; a source also in .sav, .zsav, .por, .dta, .sas7bdat or .xpt, with the
        extra ``statistics``. Cells of CSV that are not quasi-identifiers come out as they went in.
    k, quasi, identifier, sensitive, other and all other options
        As in `mask`.
    encoding : str, optional
        Of a CSV source, such as "windows-1252"; UTF-8 by default, UTF-16 where its mark is.
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
        A file, the table or an argument cannot be used.
    Refused
        A column has no role, or a check of the result failed; its `audit` says which.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import tokumei as tk
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> source, target = folder / "in.csv", folder / "out.csv"
    >>> _ = source.write_text("name,age,job\\nAda,30,nurse\\nBo,32,cook\\n")
    >>> roles = {"quasi": ["age"], "identifier": ["name"], "sensitive": ["job"]}
    >>> few = {"too few records": "an example"}
    >>> release = tk.release.mask_file(source, target, k=2, accept_risk=few, **roles)
    >>> sorted(target.read_text().split())
    ['31,cook', '31,nurse', 'age,job']
    """
    return released(Microaggregate, locals())
