"""The door to a report: a release, an audit or a file of one in, a page out."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from tokumei.release import engines
from tokumei.release.errors import InputError, as_input_error
from tokumei.release.release import Release
from tokumei.release.verify import verify


class Compared(Protocol):
    """What a comparison of settings found."""

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON can hold them."""


def report(
    release: Release | Mapping[str, Any] | str | os.PathLike[str],
    *,
    comparison: Compared | Mapping[str, Any] | None = None,
    public: bool = False,
) -> str:
    """Say on one page what was decided, what was lost, what risk remains, and how it was made.

    The page is one file of HTML that loads nothing and runs nothing. It is made of the audit alone,
    no cell of the table is looked at.

    Parameters
    ----------
    release : Release, mapping or path
        What a release ended with; its audit or private record; or the path of one of them or of the
        file that was released or refused, beside which they are.
    comparison : Settings or mapping, optional
        What `compare` found, or its JSON, to be shown beside it.
    public : bool
        Leave out what only the private record has: the pictures of columns before and after, the
        times.

    Returns
    -------
    str
        HTML.

    Raises
    ------
    InputError
        There is no audit, or it is not one of a release.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import tokumei as tk
    >>> people = pa.table({"name": ["Ada", "Bo", "Cy", "Di"], "age": [30, 32, 61, 67]})
    >>> release = tk.release.mask(people, k=2, quasi=["age"], identifier=["name"])
    >>> page = tk.release.report(release, public=True)
    >>> "the smallest of 2 classes has 2 records" in page
    True
    """
    with engines.needed():
        from tokumei.release.audit import public as without_figures
        from tokumei.release.report import pages
    audit: Any
    if isinstance(release, Release):
        audit = release.record
    elif isinstance(release, Mapping):
        audit = release
    else:
        audit = _read(Path(release), public=public)
    lacking = {"verdict", "versions", "job", "run", "input", "achieved", "checks"} - set(audit)
    if lacking:
        msg = "this is no audit of a release"
        raise InputError(msg)
    shown = without_figures(audit) if public else audit
    beside = comparison
    if beside is not None and not isinstance(beside, Mapping):
        beside = beside.to_dict()
    return pages.page(shown, beside)


def _read(path: Path, *, public: bool) -> Any:
    """The audit of a path: of a release the private record, where it is there and wanted."""
    from tokumei.release.io.staging import audit_of, record_of, refusal_of

    beside = (
        [audit_of(path), refusal_of(path)]
        if public
        else [record_of(path), audit_of(path), refusal_of(path)]
    )
    place = path if path.suffix == ".json" else next((p for p in beside if p.exists()), None)
    if place is None:
        msg = f"{path.name} has no audit beside it"
        raise InputError(msg)
    if place not in (path, refusal_of(path)):
        verify(path, audit=place)
    with as_input_error(f"cannot read {place.name}"):
        found = json.loads(place.read_text(encoding="utf-8"))
    if not isinstance(found, Mapping):
        msg = f"{place.name} is no audit of a release"
        raise InputError(msg)
    return found
