"""The result of a comparison, for a person (text, HTML, plots) and for programs (JSON)."""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from tokumei.loss.report.measures import OF_CATEGORIES, OF_NUMBERS, TOTALS, Measure
from tokumei.loss.report.pictures import Bars, Histogram
from tokumei.values.tables import CATEGORY, NUMBER

Losses = Mapping[str, float | None]


@dataclass(frozen=True)
class AttributeLoss:
    """What one attribute lost.

    Attributes
    ----------
    name : str
        The column.
    kind : str
        "number" or "category".
    losses : mapping
        The loss by measure; None where it has no value.
    picture : Histogram, Bars or None
        The counts that `Comparison.plot` draws; none is small.
    """

    name: str
    kind: str
    losses: Losses
    picture: Histogram | Bars | None = field(repr=False)


@dataclass(frozen=True)
class Comparison:
    """What a table lost, as a whole and attribute by attribute.

    It holds losses, and counts that are large enough to be shown; no value of a record, no minimum
    and no maximum. ``print`` shows it as text, a notebook as HTML.

    Attributes
    ----------
    records : int
        Number of records.
    attributes : tuple of AttributeLoss
        The attributes that were compared.
    totals : mapping
        The loss of the table by measure; None where it has no value.
    absent : tuple of str
        Columns that are not published.
    smallest : int
        The smallest count that is shown.
    """

    records: int
    attributes: tuple[AttributeLoss, ...]
    totals: Losses
    absent: tuple[str, ...]
    smallest: int

    def __getitem__(self, name: str) -> AttributeLoss:
        for attribute in self.attributes:
            if attribute.name == str(name):
                return attribute
        msg = f"no attribute {name!r} was compared"
        raise KeyError(msg)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()

    def to_dict(self) -> dict[str, Any]:
        """Losses as plain dictionaries and lists; values that do not exist are None."""
        return {
            "records": self.records,
            "attributes": [
                {"name": one.name, "kind": one.kind, "losses": dict(one.losses)}
                for one in self.attributes
            ],
            "totals": dict(self.totals),
            "absent": list(self.absent),
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """The losses as JSON; values that do not exist are null."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False, allow_nan=False)

    def to_text(self) -> str:
        """The losses as plain text, with a line on what each number says."""
        parts = [f"{self._title()}\n"]
        for title, header, rows, legend in self._tables():
            parts += [title, *_aligned([header, *rows]), *(f"  {line}" for line in legend), ""]
        return "\n".join(parts).rstrip("\n") + "\n"

    def to_html(self) -> str:
        """The losses as a fragment of HTML that needs nothing else."""
        parts = ['<section class="tokumei-comparison">', f"<p>{escape(self._title())}</p>"]
        for title, header, rows, legend in self._tables():
            head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in header)
            parts += [f"<table><caption>{escape(title)}</caption>"]
            parts += [f"<thead><tr>{head}</tr></thead>"]
            parts += ["<tbody>", *map(_html_row, rows), "</tbody></table>"]
            parts += ["<ul>", *(f"<li>{escape(line)}</li>" for line in legend), "</ul>"]
        return "\n".join([*parts, "</section>"])

    def plot(self, names: Sequence[str] | str | None = None) -> Any:
        """Draw each attribute before and after: a histogram of numbers, bars for categories.

        Needs matplotlib (``pip install tokumei[report]``). Counts below `smallest` are joined with
        others before they are drawn.

        Parameters
        ----------
        names : str or sequence of str, optional
            The attributes to draw, all by default.

        Returns
        -------
        matplotlib.figure.Figure
            One plot for each attribute; ``figure.savefig("loss.svg")`` writes it.
        """
        names = [names] if isinstance(names, str) else names
        chosen = self.attributes if names is None else [self[name] for name in names]
        return importlib.import_module("tokumei.loss.report.plot").figure(chosen, self.smallest)

    def _title(self) -> str:
        absent = f"; not published: {', '.join(self.absent)}" if self.absent else ""
        return f"{self.records:,} records, {len(self.attributes)} attributes compared{absent}"

    def _tables(self) -> list[tuple[str, list[str], list[list[str]], list[str]]]:
        """The tables of the report: title, header, rows, legend."""
        made = []
        for kind, title, measures in (
            (NUMBER, "Numbers", OF_NUMBERS),
            (CATEGORY, "Categories", OF_CATEGORIES),
        ):
            ours = [one for one in self.attributes if one.kind == kind]
            used = _used(measures, [one.losses for one in ours])
            if used:
                rows = [[one.name, *(_shown(one.losses[m.key]) for m in used)] for one in ours]
                header = ["attribute", *(m.title for m in used)]
                made.append((title, header, rows, [f"{m.title}: {m.meaning}" for m in used]))
        used = _used(TOTALS, [self.totals])
        rows = [[m.title, _shown(self.totals[m.key])] for m in used]
        made.append(
            ("In total", ["measure", "loss"], rows, [f"{m.title}: {m.meaning}" for m in used])
        )
        return made


def _used(measures: Sequence[Measure], losses: Sequence[Losses]) -> list[Measure]:
    """The measures that have a value somewhere."""
    return [m for m in measures if any(one[m.key] is not None for one in losses)]


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [f"  {row[0]:<{widths[0]}}"]
            + [f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True)]
        )
        for row in rows
    ]


def _html_row(row: Sequence[str]) -> str:
    cells = "".join(f'<td style="text-align: right">{escape(cell)}</td>' for cell in row[1:])
    return f'<tr><th scope="row" style="text-align: left">{escape(row[0])}</th>{cells}</tr>'
