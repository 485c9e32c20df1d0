"""Options of the command that say more than a word: orders, trees, pairs of a name and a word."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tokumei.commands.derive import NAMES, Spelling, Word, number, numbers, pairs, split_names
from tokumei.noise import Attribute, Channel, laplace
from tokumei.release.errors import InputError, as_input_error, counted
from tokumei.values.hierarchy import Hierarchy


def orders(given: Sequence[str]) -> dict[str, list[str]]:
    """``name=low<middle<high`` as a mapping from names to values."""
    return {
        name: [value.strip() for value in order.split("<")]
        for name, order in pairs("ordinal", given).items()
    }


def trees(given: Sequence[str]) -> dict[str, Hierarchy]:
    """``name=file.csv`` as a mapping from names to trees, each from nodes to their parents."""
    return {name: tree(Path(path)) for name, path in pairs("tree", given).items()}


def tree(path: Path) -> Hierarchy:
    """The hierarchy of a file, or an error that says what is wrong with it."""
    with as_input_error(f"cannot read {path.name}"):
        try:
            return Hierarchy.from_csv(path)
        except UnicodeDecodeError:
            raise
        except ValueError as error:  # these messages are the library's own
            raise InputError(str(error)) from None


def borders(given: Sequence[str]) -> dict[str, list[float]]:
    """``name=0<20<40`` as a mapping from names to increasing numbers."""
    rule = "bins is written as name=number<number<number"
    return {
        name: [number(word, rule) for word in words.split("<")]
        for name, words in pairs("bins", given).items()
    }


def _kinds(nominal: list[str], kind: list[str]) -> dict[str, str]:
    return dict.fromkeys(split_names(nominal), "nominal") | pairs("kind", split_names(kind))


def _file(name: str, help: str) -> Word:
    return Word(name, "FILE", help, str | None, None)


def _tree_of(path: str | None) -> Hierarchy | None:
    return None if path is None else tree(Path(path))


def _as_given(path: str | None) -> str | None:
    return path


def _words(given: list[str]) -> list[str] | None:
    return split_names(given) if given else None


# Words for missing cells: none said is another thing than said that there are none.
NA = Spelling(
    (Word("na", "WORDS", "Words for missing cells, NA,?,-9; by default those of R and pandas."),),
    _words,
)


def accepted(checks: Sequence[str], reason: Sequence[str]) -> dict[str, str]:
    """Checks, and one reason for all of them or one for each."""
    listed = split_names(checks)
    reasons = list(reason) * len(listed) if len(reason) == 1 else list(reason)
    if len(reasons) != len(listed):
        given = f"{counted(len(listed), 'accepted check')} and {counted(len(reasons), 'reason')}"
        msg = f"{given}: give one reason for each, or one for all"
        raise InputError(msg)
    return dict(zip(listed, reasons, strict=True))


GATE = {
    "accept_risk": Spelling(
        (
            Word("accept_risk", "CHECK", "Release in spite of what this check of the gate found."),
            Word("reason", "TEXT", "Why; the audit holds it."),
        ),
        accepted,
    )
}

# What the schema says of columns, and models of files, in words of their own.
SCHEMA = {
    "na": NA,
    "kinds": Spelling(
        (
            Word("nominal", NAMES, "Categories though they look like numbers."),
            Word("kind", "NAME=KIND,...", "numeric, ordinal, nominal or tree."),
        ),
        _kinds,
    ),
    "orders": Spelling(
        (Word("ordinal", "NAME=A<B<C", "Ordered categories, from the lowest."),), orders
    ),
    "trees": Spelling(
        (Word("tree", "NAME=FILE", "A hierarchy: a row a value, up to the top."),), trees
    ),
    "t_tree": Spelling((_file("t_tree", "The hierarchy of t-kind hierarchical."),), _tree_of),
    "population": Spelling(
        (_file("population", "A file of the population, coded like the release."),), _as_given
    ),
}

COLUMN = "a column is written as name:lower:upper, name:lower:upper:integer or name:A|B|C"


def attributes(
    columns: Sequence[str],
    *,
    mechanism: Sequence[str] = (),
    share: Sequence[str] = (),
    cells: Sequence[str] = (),
    max_retention: float | None = None,
    missing: str = "refuse",
    missing_share: float = 1.0,
) -> dict[str, Attribute]:
    """What is known of the columns to perturb, by name.

    ``mechanism`` holds a word for all columns with bounds, or name=word; ``share`` and ``cells``
    hold name=number.
    """
    known = dict(map(_column, columns))
    if len(known) < len(columns):
        msg = "each column is named once"
        raise InputError(msg)
    everywhere = [word for word in mechanism if "=" not in word]
    of_name = pairs("mechanism", [word for word in mechanism if "=" in word])
    shares, counts = numbers("share", share), numbers("cells", cells)
    for option, named in (("mechanism", of_name), ("share", shares), ("cells", counts)):
        for name in set(named) - set(known):
            msg = f"{option} names {name!r}, which is no column to perturb"
            raise InputError(msg)
    found = {}
    for name, options in known.items():
        general = everywhere[-1] if everywhere and "lower" in options else ""
        options |= {
            "mechanism": of_name.get(name, general),
            "weight": shares.get(name, 1.0),
            "missing": missing,
            "missing_weight": missing_share,
        }
        if name in counts:
            options["cells"] = int(counts[name])
        try:
            attribute = Attribute(**options)
            if attribute.mechanism == "randomized-response" and max_retention is not None:
                attribute = Attribute(**options, max_retention=max_retention)
        except (TypeError, ValueError) as error:  # these messages are the library's own
            msg = f"column {name!r}: {error}"
            raise InputError(msg) from None
        found[name] = attribute
    return found


def _column(text: str) -> tuple[str, dict[str, Any]]:
    # A name with a colon is put in quotes, as in CSV.
    name, *rest = next(csv.reader([text], delimiter=":"), [""])
    if not name or len(rest) > 3 or (len(rest) == 3 and rest[2] != "integer"):
        raise InputError(COLUMN)
    if not rest:
        return name, {"lower": None}
    if rest == ["integer"]:
        return name, {"lower": None, "integer": True}
    if len(rest) == 1:
        return name, {"categories": rest[0].split("|")}
    lower, upper = (number(word, COLUMN) for word in rest[:2])
    return name, {"lower": lower, "upper": upper, "integer": len(rest) == 3}


def several(option: str, given: Sequence[str]) -> dict[str, list[float]]:
    """``name=number``, a name as often as it has numbers."""
    rule = f"{option} is written as name=number"
    found: dict[str, list[float]] = {}
    for text in given:
        for name, word in pairs(option, [text]).items():
            found.setdefault(name, []).append(number(word, rule))
    return found


def laplace_channels(given: Sequence[str]) -> dict[str, Channel]:
    """``name:lower:upper:scale`` or ``name:lower:upper:scale:integer`` as channels."""
    rule = "laplace is written as name:lower:upper:scale or name:lower:upper:scale:integer"
    found: dict[str, Channel] = {}
    for text in given:
        name, *rest = next(csv.reader([text], delimiter=":"), [""])
        if not name or len(rest) not in (3, 4) or rest[3:] not in ([], ["integer"]):
            raise InputError(rule)
        lower, upper, scale = (number(word, rule) for word in rest[:3])
        try:
            found[name] = laplace(scale, lower=lower, upper=upper, integer=len(rest) == 4)
        except (TypeError, ValueError) as error:  # these messages are the library's own
            msg = f"column {name!r}: {error}"
            raise InputError(msg) from None
    return found
