"""Attacks on a release, one after another, with a control group where they need one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tokumei import _check
from tokumei._check import Labels
from tokumei._check.options import Options, at_least, option, optional
from tokumei.risk.attacks.anonymity_loss import AnonymityLoss, anonymity_loss
from tokumei.risk.attacks.battery import Battery
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.records import comparable
from tokumei.risk.classes import chosen
from tokumei.values import tables
from tokumei.values.column import Column


def _names(value: Any, name: str) -> Any:
    if value is None or (isinstance(value, Sequence) and not isinstance(value, str | bytes)):
        return None if value is None else tuple(value)
    msg = f"{name} must be a list of column names, got {type(value).__name__}"
    raise TypeError(msg)


@dataclass(frozen=True)
class Attacking(Options):
    """What adversaries know, and how often they try."""

    known: Sequence[str] | None = option(
        None, rule=_names, help="Columns that others may know; all that are not sensitive."
    )
    sensitive: Sequence[str] = option(
        (), rule=_names, help="Secrets: what others want to learn of a person."
    )
    attempts: int = option(
        2000, rule=at_least(1), help="Attacks of each kind; fewer where there are fewer records."
    )
    columns: int = option(4, rule=at_least(1), help="Columns in a predicate that singles out.")
    random_state: int | None = option(
        0, rule=optional(_check.whole), help="The seed by which targets are chosen."
    )


@dataclass(frozen=True)
class Attacked:
    """What attacks came to; it holds counts and names of columns, and prints as text."""

    attacks: tuple[Attack, ...]
    losses: tuple[AnonymityLoss, ...] = ()

    def __getitem__(self, name: str) -> Attack:
        return next(one for one in self.attacks if one.name == name)

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.attacks, *self.losses)))


def attack(
    original: Any,
    release: Any,
    *,
    control: Any = None,
    known: Sequence[Hashable] | None = None,
    sensitive: Sequence[Hashable] = (),
    attempts: int = 2000,
    columns: int = 4,
    earlier: Any = None,
    rows: Any = None,
    replayed: Any = None,
    random_state: int | None = 0,
) -> Attacked:
    """Attack a release as WP216 asks [1]_: singling out, linkability, inference, and what helps.

    Each risk is what the release adds: (attack - control) / (1 - control), where the control is the
    same attack on people who are not in the release [2]_. Without a control group the risk is the
    attack rate, which counts what is true of everybody as well.

    Parameters
    ----------
    original, release : table
        The records as they were, and what was released of them, in any order of rows: mappings of
        columns, dataframes, or arrays of two dimensions.
    control : table, optional
        People of the same kind who are not in the release.
    known : sequence, optional
        The columns that others may know; by default all that are released and not sensitive.
    sensitive : sequence
        The columns that they want to learn.
    attempts : int
        How many attacks of each kind; fewer where there are fewer records.
    columns : int
        How many columns a predicate has that singles out.
    earlier : table, optional
        An earlier release of the same people, to intersect this one with.
    rows : sequence of int, optional
        The original row of each released record, which only who made the release knows: then links
        by distance are counted, and what means, intervals, sets and noise tell.
    replayed : table, optional
        What the method makes of the original once more, row by row as the original: with `rows`,
        what the order of records inside classes tells to who knows the method.
    random_state : int, optional
        The seed by which targets are chosen; None takes entropy.

    Returns
    -------
    Attacked
        `attacks`, each with attack, control and baseline rate, the risk and its interval, and the
        columns that are to blame; with a control group `losses`, the anonymity loss coefficient of
        each sensitive column [3]_, which is reported and judges nothing. It prints as text.

    References
    ----------
    .. [1] Article 29 Working Party, Opinion 05/2014 on Anonymisation Techniques (WP216).
    .. [2] M. Giomi et al., A Unified Framework for Quantifying Privacy Risk in Synthetic Data
       (2023).
    .. [3] P. Francis, D. Wagner, Towards more accurate and useful data anonymity vulnerability
       measures (2024).

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> people = np.random.default_rng(0).normal(size=(400, 3))
    >>> copied = tk.risk.attack(people[:200], people[:200], control=people[200:])
    >>> copied["linkability"].risk.value > 0.8
    True
    """
    asked = Attacking(known, sensitive, attempts, columns, random_state)  # type: ignore[arg-type]
    before, after = tables.table(original, "original"), tables.table(release, "release")
    strangers = None if control is None else tables.table(control, "control")
    before_that = None if earlier is None else tables.table(earlier, "earlier")
    places = None if rows is None else _places(rows, tables.records(before), tables.records(after))
    again = None if replayed is None else tables.table(replayed, "replayed")
    return attack_of(before, after, strangers, asked, before_that, places, again)


def _places(rows: Any, originals: int, released: int) -> Labels:
    """The original of each released record, as a number of its row."""
    found = np.asarray(rows)
    if found.shape != (released,) or found.dtype.kind not in "iu":
        msg = f"rows must hold a whole number for each of the {released} released records"
        raise ValueError(msg)
    if len(found) and not (found.min() >= 0 and found.max() < originals):
        msg = f"rows must be between 0 and {originals - 1}, the rows of original"
        raise ValueError(msg)
    return found.astype(np.int64)


def attack_of(
    before: Mapping[Any, Column],
    after: Mapping[Any, Column],
    strangers: Mapping[Any, Column] | None,
    asked: Attacking,
    earlier: Mapping[Any, Column] | None = None,
    rows: Labels | None = None,
    replayed: Mapping[Any, Column] | None = None,
) -> Attacked:
    """The same of tables that were read."""
    given = {"control": strangers, "earlier": earlier, "replayed": replayed}
    parts = [before, after, *(one for one in given.values() if one is not None)]
    shared = [name for name in after if all(name in part for part in parts)]
    secrets = [name for name in asked.sensitive if name in chosen(after, asked.sensitive)]
    known = [name for name in shared if name not in secrets]
    if asked.known is not None:
        known = list(chosen({name: after[name] for name in shared}, asked.known, "known"))
    both = sorted(set(known) & set(secrets), key=str)
    if both or not known:
        msg = "known must name columns that release and original share, and no sensitive one"
        raise ValueError(msg)
    chance = _check.generator(asked.random_state)
    made = dict(
        zip(["original", "release", *(n for n in given if given[n] is not None)],
            comparable(parts, [*known, *secrets]), strict=True)
    )  # fmt: skip
    battery = Battery(
        made["original"],
        made["release"],
        made.get("control"),
        made.get("earlier"),
        after,
        known,
        secrets,
        rows,
        before,
        made.get("replayed"),
    )
    tries: dict[str, Any] = {"attempts": asked.attempts, "chance": chance}
    found = battery.attacks(columns=asked.columns, **tries)
    if battery.control is None:
        return Attacked(tuple(found))
    people = (battery.original, battery.release, battery.control)
    losses = [
        anonymity_loss(*people, known, secret, attacks=asked.attempts, chance=chance)
        for secret in secrets
    ]
    return Attacked(tuple(found), tuple(losses))
