"""A role for each column, and the reason: something to begin with, which a person decides on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tokumei.release.assessment.profile import Profile
from tokumei.release.assessment.words import Hint, hint_of
from tokumei.risk.columns import columns_of
from tokumei.values.column import Column

TELLS = 0.95
ALONE = 0.5
MANY, LEAST_MANY = 0.05, 50  # values for each record, and at least, that lead to records
NO_HINT = Hint("", "", ())
LARGEST_HOUSEHOLD = 20
GAPS = "; gaps, as in codes"


@dataclass(frozen=True)
class Proposal:
    """What is proposed for a column: its role, why, and the kind it is to be given, if any."""

    role: str
    reason: str
    kind: str | None = None


def propose(profiles: Sequence[Profile], columns: Mapping[str, Column]) -> dict[str, Proposal]:
    """A proposal for each column of a table."""
    proposed = {one.name: _by_itself(one) for one in profiles}
    return proposed | _telling(proposed, columns)


def _by_itself(one: Profile) -> Proposal:
    hint = hint_of(one.name) or NO_HINT
    if one.distinct <= 1:
        return Proposal("other", "the same in all rows")
    if one.format:
        return Proposal("identifier", f"holds {one.format}")
    if one.what == "free text":
        return Proposal("drop", "anything may stand there")
    role = hint.role
    if role == "household":
        size = (one.rows - one.missing) / one.distinct
        if one.missing == 0 and 1.2 < size < LARGEST_HOUSEHOLD:
            return Proposal("household", f"{hint.what}, by its name")
        role = ""
    if role == "weight":
        if one.kind != "numeric" or one.missing:
            role = ""
        elif one.unique > ALONE / 10:
            return Proposal("drop", "a weight so fine that it points to records")
        else:
            return Proposal("weight", "a survey weight, by its name")
    if role == "identifier":
        if 2 * one.distinct > one.rows or one.kind == "nominal":
            return Proposal("identifier", f"{hint.what}, by its name")
        role = ""
    if one.identifies and role not in ("sensitive", "amount"):
        return Proposal("identifier", f"nearly unique, {one.unique:.0%} occur once")
    if role in ("quasi", "sensitive"):
        by_name = role == "quasi" and hint.codes and one.what == "whole numbers"
        reason = f"{hint.what}, by its name" + GAPS * (one.gaps and not by_name)
        codes = by_name or one.gaps or one.what == "codes of digits"
        return Proposal(role, reason, "nominal" if codes and role == "quasi" else None)
    if one.kind == "date":
        return Proposal("quasi", "other files have dates too")
    if one.unique > ALONE:
        what = "an exact amount" if one.what == "whole numbers" else "exact"
        return Proposal("quasi", f"{what}, {one.unique:.0%} occur once")
    if one.what == "codes of digits":
        return Proposal("quasi", "codes, perhaps of a place", "nominal")
    if one.distinct > max(MANY * one.rows, LEAST_MANY) and one.kind in ("nominal", "ordinal"):
        kind = None if one.kind == "ordinal" else "nominal"
        return Proposal("quasi", f"{one.distinct:,} categories, so few records each", kind)
    return Proposal("other", "harmless? look at it" + GAPS * one.gaps)


def _telling(
    proposed: Mapping[str, Proposal], columns: Mapping[str, Column]
) -> dict[str, Proposal]:
    """Columns to drop because they tell what a masked one was."""
    quasi = {name: columns[name] for name, one in proposed.items() if one.role == "quasi"}
    others = {name: columns[name] for name, one in proposed.items() if one.role == "other"}
    usable = {name: one for name, one in (quasi | others).items() if one.has_hash}
    told = columns_of(usable, {n: c for n, c in quasi.items() if c.has_hash}, 1.0, TELLS)
    order = {name: place for place, name in enumerate(columns)}
    tells = {one.column: one.determines for one in told}
    dropped: dict[str, Proposal] = {}
    # Of two columns that say the same, one of names stays before one of numbers, the first before
    # the next.
    for name in sorted(tells, key=lambda name: (columns[name].is_text(), -order[name])):
        again = [
            each for each in tells[name] if name in tells.get(each, ()) and each not in dropped
        ]
        reasons = again if name in quasi else list(tells[name])
        if reasons:
            dropped[name] = Proposal("drop", f"tells what {reasons[0]!r} is")
    return dropped
