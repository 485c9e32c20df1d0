"""Columns of a data set through their channels: noise of the secure generator, piece by piece.

The noise of a record goes with its piece and its place there, where it stands by what it is
(`equals`): a retry and another layout of the same records draw the same again under one key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np
import pyarrow as pa

from tokumei import _check
from tokumei.batch import interruption
from tokumei.batch.asked import Asked
from tokumei.batch.rowwise import Counts, Found, RowPlan
from tokumei.batch.stage import Stage
from tokumei.batch.statistics import OfNumbers
from tokumei.noise.attribute import Attribute
from tokumei.noise.budget import linkage_k
from tokumei.noise.channel import OwnChannel
from tokumei.noise.coding import coded
from tokumei.noise.releasing import through
from tokumei.noise.table import DATA_BOUNDS, plan
from tokumei.privacy import PkAnonymity
from tokumei.release.errors import InputError
from tokumei.release.gate.perturbed import cannot_come_out
from tokumei.release.perturb.perturbation import cells_of, described, values_of


@dataclass(frozen=True)
class Perturbing:
    """Noise for each column; its channels are known when the records are counted.

    `known` is what is known of each column then, bounds of the data included.
    """

    channels: Mapping[str, Sequence[OwnChannel]] = field(default_factory=dict)
    known: Mapping[str, Attribute] = field(default_factory=dict)

    @property
    def draws(self) -> bool:
        return True

    def looked_at(self, asked: Asked, table: Any) -> tuple[Counts, Mapping[str, OfNumbers]]:
        moments = {}
        for name, values in _coded(asked, table).items():
            attribute = asked.step.attributes[name]
            if attribute.categories is not None:
                continue
            present = values[~np.isnan(values)]
            if not attribute.bounded and asked.step.bounds == "public":
                msg = (
                    f"column {name!r} has no public bounds; give lower and upper, or give the "
                    "guarantee up by bounds='data'"
                )
                raise InputError(msg)
            within = _within(present, attribute, asked, name)
            moments[name] = OfNumbers.of(within, np.float64)
        return {}, moments

    def settled(self, asked: Asked, found: Found) -> Perturbing:
        try:
            known = {
                name: _bounded(asked.step.attributes[name], found.moments.get(name))
                for name in asked.quasi
            }
            every = list(known.values())
            channels = plan(every, found.rows, asked.job.model(PkAnonymity).k, names=asked.quasi)
        except (TypeError, ValueError) as error:
            raise InputError(str(error)) from None
        return replace(self, channels=dict(zip(asked.quasi, channels, strict=True)), known=known)

    def of_piece(self, asked: Asked, table: Any, stage: Stage, purpose: str) -> tuple[Any, Any]:
        columns = []
        for name, values in _coded(asked, table).items():
            attribute, channels = self.known[name], self.channels[name]
            draws = count()
            drawn = through(
                values, attribute, channels, f"column {name!r}", asked.step.clip,
                lambda name=name, draws=draws: stage.words(  # type: ignore[misc]
                    f"noise of {name!r}, {purpose}, {next(draws)}"
                ),
                interruption.run(),
            )  # fmt: skip
            columns.append(cells_of(drawn, attribute, channels[0]))
            interruption.go_on()
        return pa.table(columns, names=asked.quasi), {}

    def achieved(self, plan: RowPlan) -> dict[str, Any]:
        """What was reached, as the audit says it."""
        public = plan.asked.step.attributes
        every = [channel for its in self.channels.values() for channel in its]
        return {
            "status": "private",
            "k": linkage_k(every, plan.rows),
            "epsilon": float(sum(channel.exact_epsilon for channel in every)),
            "columns": {
                name: described(public[name], self.known[name], tuple(its))
                for name, its in self.channels.items()
            },
            "warnings": [
                DATA_BOUNDS.format(f"column {name!r}")
                for name in self.channels
                if not public[name].bounded
            ],
        }

    def of_written(
        self, asked: Asked, connection: Any, cells: str, names: Sequence[str]
    ) -> dict[str, Any]:
        """How many cells the noise cannot have made."""
        impossible = 0
        for name, (channel, *_) in self.channels.items():
            column = f"c{names.index(name)}"
            wrong = cannot_come_out(connection, column, self.known[name], channel)
            question = f"SELECT count(*) FROM {cells} WHERE {wrong}"
            impossible += int(connection.execute(question).fetchall()[0][0])
        return {"impossible": impossible}


def _within(values: Any, attribute: Attribute, asked: Asked, name: str) -> Any:
    low, high = attribute.lower, attribute.upper
    if low is None or high is None:
        low, high = -np.inf, np.inf
    try:
        return _check.within(
            values, low, high, integer=attribute.integer, clip=asked.step.clip,
            name=f"column {name!r}",
        )  # fmt: skip
    except ValueError as error:  # these messages are the library's own
        raise InputError(str(error)) from None


def _bounded(attribute: Attribute, found: OfNumbers | None) -> Attribute:
    """The same, with the bounds of all records where it has none."""
    if attribute.bounded or found is None:
        return attribute
    return attribute.bounded_by(np.array([found.low, found.high][: 2 * bool(found.present)]))


def _coded(asked: Asked, table: Any) -> dict[str, Any]:
    found = {}
    for name in asked.quasi:
        attribute = asked.step.attributes[name]
        values = values_of(name, table.column(name), attribute)
        try:
            found[name] = coded(values, attribute, f"column {name!r}")
        except ValueError as error:  # these messages are the library's own
            raise InputError(str(error)) from None
    return found
