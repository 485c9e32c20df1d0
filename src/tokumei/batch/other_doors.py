"""The doors to large tables that are recoded or perturbed: a folder in, a folder out."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from tokumei import _check
from tokumei.batch.doors import released
from tokumei.noise import Attribute
from tokumei.privacy.l_diversity import Diversity
from tokumei.privacy.t_closeness import Kind as Closeness
from tokumei.release.perturb.step import Perturb
from tokumei.release.recode.step import MergeRule, Recode
from tokumei.release.release import Release
from tokumei.release.schema import Kind
from tokumei.release.sections import Decimal, Files
from tokumei.values.hierarchy import Hierarchy

__all__ = ["perturb_dataset", "recode_dataset"]


def recode_dataset(
    source: str | os.PathLike[str] | Callable[[int], Any],
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
    pram: Mapping[str, float] | None = None,
    pram_alpha: float = 0.5,
    pram_least: float = 0.0,
    identifier: Sequence[str] | str = (),
    sensitive: Sequence[str] | str = (),
    other: Sequence[str] | str = (),
    drop: Sequence[str] | str = (),
    kinds: Mapping[str, Kind] | None = None,
    orders: Mapping[str, Sequence[Any]] | None = None,
    trees: Mapping[str, Hierarchy | Mapping[Any, Any]] | None = None,
    weight: str | None = None,
    l_diversity: int | None = None,
    l_kind: Diversity = "distinct",
    l_c: float = 1.0,
    t_closeness: float | None = None,
    t_kind: Closeness = "equal",
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
    r"""Recode a data set that is larger than memory: files of a folder into files of another.

    Levels, bins, top and bottom coding look at each cell; shares and exchanges by chance at exact
    counts of all categories, of which a column has 65,536 at most. Where k or another model is
    asked for, the classes of all files together are counted, in buckets of classes, from what was
    written; nothing is suppressed to make them hold.

    Parameters
    ----------
    source, target, pieces, consume, cluster, memory_limit, encryption_key
        As for `mask_dataset`.
    storage_options, staging, n_threads, files
        Likewise.
    k, quasi, share, rule, level, top, bottom, bins, other_label, least_share and all other options
        As for `release.recode`.

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
    >>> import tokumei as tk
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "in").mkdir()
    >>> for number, ages in enumerate(["20\n21\n", "67\n94\n"]):
    ...     _ = (folder / "in" / f"{number}.csv").write_text(f"age\n{ages}")
    >>> release = tk.release.recode_dataset(
    ...     folder / "in",
    ...     folder / "out",
    ...     quasi=["age"],
    ...     k=2,
    ...     bins={"age": [0, 50, 100]},
    ...     accept_risk={"too few records": "an example"},
    ... )
    >>> release.audit["achieved"]["k"]
    2
    """
    return released(Recode, locals())


def perturb_dataset(
    source: str | os.PathLike[str] | Callable[[int], Any],
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
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    files: Files | None = None,
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
    r"""Perturb a data set that is larger than memory: a row is linked to its record by 1/k at most.

    The records are counted first, since noise depends on how many there are. Then equal ones are
    brought together, each goes through the channels with draws of its own from the secure
    generator, which do not go by the file that it came in, and all are scattered over all files.

    Parameters
    ----------
    source, target, pieces, consume, cluster, memory_limit, encryption_key
        As for `mask_dataset`.
    storage_options, staging, n_threads, files
        Likewise.
    k, attributes, identifier, drop, clip, bounds and all other options
        As for `release.perturb`.

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
    >>> import tokumei as tk
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "in").mkdir()
    >>> _ = (folder / "in" / "0.csv").write_text("name,age\nAda,30\nBo,32\nCy,61\n")
    >>> age = tk.noise.Attribute(17, 90, integer=True)
    >>> release = tk.release.perturb_dataset(
    ...     folder / "in", folder / "out", k=2, attributes={"age": age}, identifier=["name"]
    ... )
    >>> release.audit["achieved"]["status"]
    'private'
    """
    return released(Perturb, locals())
