"""The gate of perturbed releases: questions to what was written, asked in SQL. It fails closed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from tokumei._check.cached import cached_property
from tokumei.noise import Attribute, Channel, Laplace, Perturbed
from tokumei.noise.scattering import Scattering
from tokumei.release.errors import counted, named
from tokumei.release.gate import checks as gate
from tokumei.release.gate import identifying, records
from tokumei.release.gate.answers import Answer, Check
from tokumei.release.gate.candidate import Candidate, number_of, text_of

# Of so many records with Laplace noise of a unit and more, some come out changed.
ROWS_TO_TELL = 100
# A variance that is so many standard deviations too small is no chance.
DEVIATIONS = 6.0


class PerturbedCandidate(Candidate):
    """A perturbed release: opened again, beside what is known of its noise."""

    def __init__(self, *made: Any, perturbed: Perturbed, **options: Any) -> None:
        super().__init__(*made, **options)
        self.perturbed = perturbed

    @cached_property
    def quasi(self) -> list[str]:
        return [f"c{self.names.index(name)}" for name in self.schema.of("perturbed")]

    @property
    def each(self) -> list[tuple[str, Attribute, tuple[Channel, ...]]]:
        """The written columns beside what they went through."""
        done = self.perturbed
        return list(zip(self.quasi, done.attributes, done.channels, strict=True))


def possible(candidate: PerturbedCandidate) -> Answer:
    invalid = 0
    for column, attribute, channels in candidate.each:
        wrong = cannot_come_out(candidate.connection, column, attribute, channels[0])
        invalid += candidate.count(f"SELECT count(*) FROM {candidate.cells} WHERE {wrong}")
    return invalid == 0, f"{counted(invalid, 'cell')} that the noise cannot have made", {}


def cannot_come_out(connection: Any, column: str, attribute: Attribute, channel: Channel) -> str:
    """In SQL, whether a cell is one that the noise cannot have made."""
    wrong = f"NOT coalesce({_can_come_out(connection, column, attribute, channel)}, false)"
    if attribute.missing == "category":
        return f"{text_of(column)} IS NOT NULL AND {wrong}"
    return wrong


def _can_come_out(connection: Any, column: str, attribute: Attribute, channel: Channel) -> str:
    number = number_of(column)
    if isinstance(channel, Laplace):
        steps = f"{number} / {channel.lattice!r}::DOUBLE"
        return f"isfinite({number}) AND {steps} = round({steps})"
    name = f"possible_{column}"
    if attribute.categories is not None:
        texts = pa.array([str(value) for value in attribute.categories], pa.string())
        connection.register(name, pa.table({"value": texts}))
        return f"{text_of(column)} IN (SELECT value FROM {name})"
    if isinstance(channel, Scattering):
        connection.register(name, pa.table({"value": channel.released_values}))
    return f"{number} IN (SELECT value FROM {name})"


def budget(candidate: PerturbedCandidate) -> Answer:
    # From the parameters alone, by another way than the one by which they were found.
    rows = candidate.count(f"SELECT count(*) FROM {candidate.cells}")
    every = [channel for _, _, channels in candidate.each for channel in channels]
    return bound(every, rows, candidate.k)


def bound(channels: Sequence[Channel], rows: int, k: int) -> Answer:
    """Whether the channels bound the linkage of so many records by 1/k."""
    spent = sum(_log_ratio(channel) for channel in channels)
    if rows <= 1 or not math.isfinite(spent):
        return False, "it cannot be computed", {}
    reached = 1.0 + (rows - 1) * math.exp(-2.0 * spent)
    return reached >= k * (1.0 - 1e-9), f"linkage is bounded by 1/{reached:.6g}, 1/{k} asked", {}


def _log_ratio(channel: Channel) -> float:
    if isinstance(channel, Laplace):
        return (channel.upper - channel.lower) / channel.scale
    if isinstance(channel, Scattering):
        return math.log(channel.near_probability) - math.log(channel.far_probability)
    return math.inf


def perturbed(candidate: PerturbedCandidate) -> Answer:
    """Some records changed, and no column of numbers spreads too little for the noise it has."""
    laplace = [
        (name, f"q{j}", column, channels[0], attribute)
        for j, (name, (column, attribute, channels)) in enumerate(
            zip(candidate.schema.of("perturbed"), candidate.each, strict=True)
        )
        if isinstance(channels[0], Laplace) and channels[0].scale >= channels[0].lattice
    ]
    if not laplace or candidate.original.num_rows < ROWS_TO_TELL:
        return True, "too few records or possible values to tell", {}
    was = ", ".join(number_of(q) for _, q, *_ in laplace)
    becomes = ", ".join(number_of(column) for _, _, column, *_ in laplace)
    changed = candidate.count(
        f"SELECT count(*) FROM (SELECT {was} FROM original "
        f"EXCEPT ALL SELECT {becomes} FROM {candidate.cells})"
    )
    quiet = [
        name
        for name, q, column, channel, attribute in laplace
        if not attribute.flags_missing and _too_little(candidate, q, column, channel)
    ]
    if quiet:
        return False, f"{named(quiet)}: less noise than its channel makes", {}
    return changed > 0, f"{counted(changed, 'record')} changed", {}


def _too_little(candidate: PerturbedCandidate, was: str, becomes: str, channel: Laplace) -> bool:
    """Whether the variance grew by less than noise of that scale could make it grow.

    The original being fixed, the sum of squares grows by n v, v being the variance of the noise,
    with a variance of n (4 v s + 5 v^2), where s is the variance of the original.
    """
    inside = f"least(greatest({number_of(was)}, {channel.lower!r}), {channel.upper!r})"
    rows, before = candidate.ask(f"SELECT count(*), var_pop({inside}) FROM original")[0]
    after = candidate.ask(f"SELECT var_pop({number_of(becomes)}) FROM {candidate.cells}")[0][0]
    return grew_too_little(rows, before, after, channel)


def grew_too_little(rows: int, before: float, after: float, channel: Laplace) -> bool:
    """The same of variances that are known."""
    step = math.exp(-channel.rate / 2**64)
    noise = channel.lattice**2 * 2.0 * step / (1.0 - step) ** 2
    spread = math.sqrt((4.0 * noise * before + 5.0 * noise**2) / rows)
    return bool(after - before - noise < -DEVIATIONS * spread)


def private(candidate: PerturbedCandidate) -> Answer:
    return candidate.perturbed.private, f"the noise is {candidate.perturbed.status}", {}


# In the order in which the audit lists them.
QUESTIONS: dict[str, Callable[[PerturbedCandidate], Answer]] = {
    "every column has a role": gate.roles,
    "identifiers are gone": gate.identifiers,
    "no index or metadata": gate.traces,
    "as many rows out as in": gate.rows,
    "records are those that were made": records.whole,
    "rows are in the order asked for": records.order,
    "no column tells an identifier": identifying.identifying,
    "released values can come out of the noise": possible,
    "the budget holds": budget,
    "noise was added": perturbed,
    "the noise is private": private,
}


def examine(candidate: PerturbedCandidate) -> list[Check]:
    """Ask everything."""
    return gate.ask_all(candidate, QUESTIONS)
