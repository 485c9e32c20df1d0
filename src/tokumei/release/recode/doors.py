"""The two doors to a recoded release: a dataframe or a file in, a checked one out."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from tokumei import _check
from tokumei.privacy.beta_likeness import Kind as Gain
from tokumei.privacy.l_diversity import Diversity
from tokumei.privacy.t_closeness import Kind as Closeness
from tokumei.release.asking import released
from tokumei.release.recode.step import MergeRule, Recode
from tokumei.release.release import Release
from tokumei.release.schema import Kind
from tokumei.release.sections import Decimal, MissingCounts
from tokumei.values.hierarchy import Hierarchy


def recode(
    table: object,
    k: int | None = None,
    *,
    quasi: Sequence[str] | str,
    share: Mapping[str, float] | None = None,
    rule: Mapping[str, MergeRule] | None = None,
    level: Mapping[str, int] | None = None,
    top: Mapping[str, float] | None = None,
    bottom: Mapping[str, float] | None = None,
    bins: Mapping[str, Sequence[float]] | None = None,
    other_label: str = "other",
    least_share: float | None = None,
    model_loss: float | None = None,
    pram: Mapping[str, float] | None = None,
    pram_alpha: float = 0.5,
    pram_least: float = 0.0,
    suppress: float | None = None,
    importance: Mapping[str, float] | None = None,
    identifier: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    other: Sequence[str] | str = (),
    drop: Sequence[str] | str = (),
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[Any]] | None = None,
    trees: Mapping[str, Hierarchy | Mapping[Any, Any]] | None = None,
    weight: str | None = None,
    household: str | None = None,
    l_diversity: int | None = None,
    l_kind: Diversity = "distinct",
    l_c: float = 1.0,
    t_closeness: float | None = None,
    t_kind: Closeness = "equal",
    t_tree: Hierarchy | Mapping[Any, Any] | None = None,
    beta_likeness: float | None = None,
    beta_kind: Gain = "basic",
    min_households: int | None = None,
    k_map: int | None = None,
    presence: float | None = None,
    presence_least: float = 0.0,
    population: object = None,
    missing_counts_as: MissingCounts = "value",
    na: Sequence[str] | None = None,
    decimal: Decimal | None = None,
    accept_risk: Mapping[str, str] | None = None,
    singling_out: float = 0.10,
    linkability: float = 0.05,
    inference: float = 0.10,
    unmasked: float | None = None,
    keep_order: bool = False,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> Release:
    """Recode a dataframe: its quasi-identifiers become coarser, column by column.

    Identifiers are dropped; columns that no option names stay as they are, and so do missing cells.
    Rows are shuffled, row labels and metadata dropped. The result is checked before it is returned:
    no rare category is left where a share was asked for, and k holds where it was.

    Parameters
    ----------
    table : pandas, polars, Arrow or DuckDB table
        One row a record, every column in one role. Never written to.
    k : int, optional
        Smallest number of records that share their quasi-identifiers. Recoding does not make it so:
        it is counted in the result, which is refused where a class is smaller.
    quasi, identifier, sensitive, other, drop : sequence of str
        The columns in each role, see `mask`.
    share, rule : mapping, optional
        For a column the smallest share of its records that each category is to have, and what rare
        ones are merged with: "smallest", "neighbours", "parents" or "other", see
        `tokumei.recode.by_share`. By default numbers and ordered categories merge with neighbours,
        those with a tree within parents, others with the smallest.
    level : mapping, optional
        For a column with a tree the level that its values are brought to, 0 being the values.
    top, bottom : mapping, optional
        For a numeric column the lowest number that becomes "90 or more", the highest that becomes
        "18 or less".
    bins : mapping, optional
        For a numeric column increasing borders, which span its values; see `tokumei.recode.bins`.
    other_label : str
        What the rule "other" calls the rare ones together.
    least_share, model_loss : float, optional
        For all columns that `share`, `top` and `bottom` do not name, one of two: the smallest
        share; or the recall that models may lose, from 0 to 1, by which the largest share is found,
        see `tokumei.loss.share_for`.
    pram : mapping, optional
        For a column the chance that a category is kept in the first of the two stages of invariant
        PRAM, see `tokumei.recode.invariant`: categories are exchanged by chance, each expected as
        often as before.
    pram_alpha, pram_least : float
        The share of records that takes part, as sdcMicro mixes; and the least chance that a record
        keeps its category, however rare that is.
    suppress : float, optional
        In the end few cells are suppressed, so that k and every other model hold: at most this
        share of the cells of quasi-identifiers.
    importance : mapping, optional
        For a column what a suppressed cell of it costs, 1 by default.
    kinds, orders, trees : mapping, optional
        What columns are, see `mask`.
    weight, household : str, optional
        Columns that are released as they are; k counts households.
    l_diversity, l_kind, l_c, t_closeness, t_kind, t_tree, beta_likeness, beta_kind, min_households
        What every class is to show besides, see `mask`; counted in the result, like k.
    k_map, presence, presence_least : int, float, float
        Each class of the result has at least so many records of the population; the share of them
        that is in the result is at most `presence`, and at least `presence_least`.
    population : pandas, polars, Arrow or DuckDB table, or path
        The population, its quasi-identifiers coded as those of the result are.
    missing_counts_as : {"value", "wildcard"}
        How a missing cell counts in k, see `mask`.
    na : sequence of str, optional
        Words that stand for a missing cell in the columns that are worked on, beside empty cells;
        those of R and pandas (NA, N/A, NULL, None...) by default, no word where it is empty.
    decimal : {".", ","}, optional
        The mark of decimals in texts. By default a column has a comma where all its cells agree.
    accept_risk : mapping, optional
        Release in spite of a check that adversaries failed: from its name ("singling out",
        "linkability", "inference", "linkage through unmasked columns", or "too few records" for all
        that could not be decided) to the reason, which the audit holds.
    singling_out, linkability, inference : float
        The risk of each that is allowed, over control; of inference also over 1/k.
    unmasked : float, optional
        The share of right links through unmasked columns that is allowed; 1/k by default.
    keep_order : bool
        Leave the rows in order; whoever knows the order of the original then knows who is who.
    n_threads : int, optional
        Number of threads; all that the process may use by default.
    callback : callable, optional
        Called now and then with the share of the work done, 0 to 1.

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
    >>> people = pa.table({"age": [30, 32, 61, 97], "job": ["cook", "farm", "wood", "cook"]})
    >>> release = tk.release.recode(
    ...     people, quasi=["age", "job"], share={"job": 0.3}, top={"age": 90}, keep_order=True
    ... )
    >>> release.table.to_pydict()
    {'age': ['30', '32', '61', '90 or more'], 'job': ['cook', 'farm/wood', 'farm/wood', 'cook']}
    """
    return released(Recode, locals())


def recode_file(
    source: str | os.PathLike[str],
    target: str | os.PathLike[str],
    k: int | None = None,
    *,
    quasi: Sequence[str] | str,
    share: Mapping[str, float] | None = None,
    rule: Mapping[str, MergeRule] | None = None,
    level: Mapping[str, int] | None = None,
    top: Mapping[str, float] | None = None,
    bottom: Mapping[str, float] | None = None,
    bins: Mapping[str, Sequence[float]] | None = None,
    other_label: str = "other",
    least_share: float | None = None,
    model_loss: float | None = None,
    pram: Mapping[str, float] | None = None,
    pram_alpha: float = 0.5,
    pram_least: float = 0.0,
    suppress: float | None = None,
    importance: Mapping[str, float] | None = None,
    identifier: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    other: Sequence[str] | str = (),
    drop: Sequence[str] | str = (),
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[Any]] | None = None,
    trees: Mapping[str, Hierarchy | Mapping[Any, Any]] | None = None,
    weight: str | None = None,
    household: str | None = None,
    l_diversity: int | None = None,
    l_kind: Diversity = "distinct",
    l_c: float = 1.0,
    t_closeness: float | None = None,
    t_kind: Closeness = "equal",
    t_tree: Hierarchy | Mapping[Any, Any] | None = None,
    beta_likeness: float | None = None,
    beta_kind: Gain = "basic",
    min_households: int | None = None,
    k_map: int | None = None,
    presence: float | None = None,
    presence_least: float = 0.0,
    population: object = None,
    missing_counts_as: MissingCounts = "value",
    na: Sequence[str] | None = None,
    decimal: Decimal | None = None,
    accept_risk: Mapping[str, str] | None = None,
    singling_out: float = 0.10,
    linkability: float = 0.05,
    inference: float = 0.10,
    unmasked: float | None = None,
    keep_order: bool = False,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    n_threads: int | None = None,
    callback: _check.Callback | None = None,
) -> Release:
    """Recode a file into another: CSV, Parquet or Arrow by the ending of each name.

    The file is written, judged and published as by `mask_file`; what is done is that of `recode`.

    Parameters
    ----------
    source, target : path
        Files ending in .csv, .tsv, .parquet, .pq, .arrow, .feather or .ipc.
    k, quasi, share, level and all other options
        As in `recode`.
    encoding : str, optional
        The encoding of a CSV source, such as "windows-1252". UTF-8 by default, and UTF-16 where the
        file begins with its mark. A CSV target is UTF-8.
    delimiter : str, optional
        What separates the cells of a CSV source, see `mask_file`.
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
    >>> import tempfile
    >>> from pathlib import Path
    >>> import tokumei as tk
    >>> folder = Path(tempfile.mkdtemp())
    >>> source, target = folder / "in.csv", folder / "out.csv"
    >>> _ = source.write_text("age,job\\n30,cook\\n32,cook\\n61,cook\\n97,cook\\n")
    >>> roles = {"quasi": ["age"], "other": ["job"], "bins": {"age": [0, 50, 100]}}
    >>> few = {"too few records": "an example"}
    >>> release = tk.release.recode_file(source, target, k=2, accept_risk=few, **roles)
    >>> sorted(target.read_text().splitlines())
    ['0 to 50,cook', '0 to 50,cook', '50 to 100,cook', '50 to 100,cook', 'age,job']
    """
    return released(Recode, locals())
