"""Looking at a table: every column by itself, then all of them together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from tokumei import risk
from tokumei.release.assessment.findings import Findings
from tokumei.release.assessment.profile import profile_of
from tokumei.release.assessment.proposal import propose
from tokumei.release.assessment.until import until
from tokumei.release.errors import InputError, as_input_error
from tokumei.release.io import files, frames, reading
from tokumei.release.schema import checked_names
from tokumei.release.sections import Source

GUESSED = "windows-1252"
LARGEST = 2  # columns of a special unique


def at_file(source: Path, folder: Path, how: Source, target: float | None) -> Findings:
    """What is in a file, which is decoded into that folder."""
    files.layout_of(source, read=True)
    with as_input_error(f"cannot read {source.name}"):
        reading.regular(source)
    remarks: list[str] = []
    for attempt in range(3):
        place = folder / str(attempt)
        place.mkdir(mode=0o700)
        try:
            table, found = files.read(source, place, how)
        except InputError as error:
            if "not UTF-8" in str(error) and how.encoding is None:
                how = replace(how, encoding=GUESSED)
                remarks.append(f"not UTF-8: read as {GUESSED}, which is a guess")
            elif "looks like data" in str(error) and how.header is None:
                how = replace(how, header=False)
                remarks.append("the first line looks like data: columns are called column_1, ...")
            else:
                raise
        else:
            break
    by_default = found if found not in (None, ",") else None
    return _look(frames.frame_of(table), replace(how, delimiter=by_default), remarks, target)


def at_frame(table: object, how: Source, target: float | None) -> Findings:
    """What is in a dataframe."""
    return _look(frames.frame_of(table), how, [], target)


def _look(frame: frames.Frame, how: Source, remarks: list[str], target: float | None) -> Findings:
    names = checked_names(frame.columns)
    if not len(frame):
        msg = "the table has no rows"
        raise InputError(msg)
    cells = frames.columns_of(frame, names)
    looked = [profile_of(name, cells.column(name), how) for name in names]
    profiles, columns = tuple(each for each, _ in looked), [each for _, each in looked]
    by_name: dict[str, Any] = dict(zip(names, columns, strict=True))
    proposals = propose(profiles, by_name)
    commas = [one.name for one in profiles if one.comma]
    if commas:
        remarks.append(f"decimal commas: {', '.join(commas)}")
    words: dict[str, list[str]] = {}
    for one in profiles:
        for word in one.words:
            words.setdefault(word, []).append(one.name)
    remarks += [f"missing cells written {word}: {', '.join(of)}" for word, of in words.items()]
    if target is not None:
        proposals, remark = until(frame, how, profiles, proposals, target)
        remarks.append(remark)
    quasi = [name for name, one in proposals.items() if one.role == "quasi"]
    known = {name: by_name[name] for name in quasi if by_name[name].has_hash}
    measured = risk.assess(known, quasi=list(known), largest=LARGEST) if known else None
    return Findings(len(frame), profiles, proposals, measured, how, tuple(remarks))
