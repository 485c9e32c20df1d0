"""What an assessment found, on one screen and as a job with comments."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tokumei.release.assessment.profile import Profile
from tokumei.release.assessment.proposal import Proposal
from tokumei.release.errors import counted
from tokumei.release.sections import Source
from tokumei.risk import Assessment
from tokumei.values.cells import USUAL_WORDS

MOST_LINES = 40
K = 5
LISTS = ("quasi", "identifier", "sensitive", "other", "drop")


@dataclass(frozen=True)
class Findings:
    """What is in a table: a profile and a proposal for each column, and the risk of the proposal.

    It holds names, counts and shares, and no cell of the table. Prints as text; `job` is a job file
    with a reason for each line.
    """

    rows: int
    profiles: tuple[Profile, ...]
    proposals: Mapping[str, Proposal]
    risk: Assessment | None
    source: Source
    remarks: tuple[str, ...] = ()

    def of(self, role: str) -> list[str]:
        """The columns for which a role is proposed."""
        return [name for name, one in self.proposals.items() if one.role == role]

    def __str__(self) -> str:
        return "\n".join([*self._table(), "", *self._risk()])

    def to_dict(self) -> dict[str, Any]:
        """What was found, as JSON can hold it."""
        columns = [asdict(one) | asdict(self.proposals[one.name]) for one in self.profiles]
        sizes = None if self.risk is None else asdict(self.risk.classes)
        return {
            "rows": self.rows,
            "remarks": list(self.remarks),
            "columns": columns,
            "quasi": self.of("quasi"),
            "classes": sizes,
        }

    def _table(self) -> Iterator[str]:
        yield f"{self.rows:,} rows, {counted(len(self.profiles), 'column')}"
        yield from self.remarks
        shown = self.profiles[:MOST_LINES]
        wide = min(max((len(one.name) for one in shown), default=6), 24)
        yield f"{'column':<{wide}} {'holds':<18} {'values':>9} {'missing':>9}  proposed role"
        for one in shown:
            proposal = self.proposals[one.name]
            name = one.name if len(one.name) <= wide else one.name[: wide - 1] + "~"
            yield (
                f"{name:<{wide}} {one.what:<18} {one.distinct:>9,} {one.missing:>9,}  "
                f"{proposal.role}: {proposal.reason}"
            )
        if len(shown) < len(self.profiles):
            yield f"... and {len(self.profiles) - len(shown)} more, in the job file"

    def _risk(self) -> Iterator[str]:
        if self.risk is None:
            yield "risk      not measured: no column is proposed as a quasi-identifier"
            return
        sizes = self.risk.classes
        yield f"risk of   {', '.join(self.of('quasi'))}"
        yield from (f"          {line}" for line in str(sizes).splitlines())
        yield from (f"          {line}" for line in str(self.risk.reidentification).splitlines())

    def job(self, path: Path | None, source: Path | None, target: Path | None) -> str:
        """A job file with comments, which `tokumei run` takes as it is."""
        return "\n".join(self._job(path, source, target)) + "\n"

    def _job(self, path: Path | None, source: Path | None, target: Path | None) -> Iterator[str]:
        yield "# Proposed by tokumei assess. Read every line: a person decides what a column is."
        yield f"# {self.rows} rows, {counted(len(self.profiles), 'column')}"
        yield "#:schema is printed by tokumei schema"
        yield ""
        yield "[source]"
        folder = Path() if path is None else path.parent
        if source is not None:
            yield f"path = {_toml(os.path.relpath(source, folder))}"
        yield from self._reading()
        yield ""
        yield "[schema]"
        by_name = {one.name: one for one in self.profiles}
        for role in LISTS:
            names = self.of(role)
            if names:
                yield f"{role} = ["
                for name in names:
                    yield f"  {_toml(name)},  # {_comment(by_name[name], self.proposals[name])}"
                yield "]"
        for role in ("weight", "household"):
            for name in self.of(role)[:1]:
                yield f"{role} = {_toml(name)}  # {self.proposals[name].reason}"
        kinds = {name: one.kind for name, one in self.proposals.items() if one.kind}
        if kinds:
            yield ""
            yield "[schema.kinds]  # digits that are codes, not amounts"
            yield from (f"{_toml(name)} = {_toml(kind)}" for name, kind in kinds.items())
        yield from self._steps()
        if target is not None:
            yield ""
            yield "[output]"
            yield f"path = {_toml(os.path.relpath(target, folder))}"

    def _reading(self) -> Iterator[str]:
        words = sorted({word for one in self.profiles for word in one.words})
        if set(words) - set(USUAL_WORDS):
            yield f"na = {_toml(words)}  # words for missing cells; the usual ones by default"
        elif words:
            yield f"# {', '.join(words)} are taken for missing cells, as usual"
        for name in ("decimal", "encoding", "delimiter", "header"):
            value = getattr(self.source, name)
            if value is not None:
                yield f"{name} = {_toml(value)}"
        for one in self.profiles:
            numbers = [each for each in one.doubtful if each not in one.words]
            if numbers:
                yield f"# {one.name}: {', '.join(numbers)} may stand for missing; add to na if so"

    def _steps(self) -> Iterator[str]:
        yield ""
        if not self.of("quasi"):
            yield "# No column is proposed as a quasi-identifier: name those that others may know."
        yield "[[steps]]"
        yield 'do = "microaggregate"'
        missing = [
            one.name for one in self.profiles if one.missing and one.name in self.of("quasi")
        ]
        if missing:
            yield f'missing = "impute"  # or "category": {", ".join(missing)} have missing cells'
        yield ""
        yield "[[privacy]]"
        yield 'model = "k-anonymity"'
        yield f"k = {K}  # records that come to share their quasi-identifiers, at the least"


def _comment(profile: Profile, proposal: Proposal) -> str:
    missing = f", {profile.missing} missing" if profile.missing else ""
    return f"{proposal.reason} ({profile.what}, {profile.distinct} values{missing})"


def _toml(value: bool | str | Sequence[str]) -> Any:
    """A value as TOML writes it, which writes texts and lists of them as JSON does."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
