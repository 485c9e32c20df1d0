"""What each column is: one role a column, and no column without one; the kind of those masked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal, get_args

from tokumei._check.options import (
    Options,
    by_column,
    choice,
    column,
    names,
    option,
    optional,
    sizes,
)
from tokumei.release.errors import InputError, named
from tokumei.values.hierarchy import Hierarchy, hierarchy_of
from tokumei.values.notation import Notation

ROLES = {
    "identifier": "names a person by itself; never released",
    "quasi": "names a person together with others of its kind; masked",
    "sensitive": "what must not become known of a person; released as it is",
    "weight": "how many persons a record stands for; released as it is",
    "household": "who lives together; released under fresh random numbers",
    "other": "harmless; released as it is",
    "perturbed": "released with noise",
    "dropped": "not released",
}
NOT_RELEASED = ("identifier", "dropped")
NEEDED = {
    "quasi": "name at least one quasi-identifier: a column that helps to recognise a person",
    "perturbed": "name at least one column to perturb",
}
CALLED = {"quasi": "a quasi-identifier", "perturbed": "a column to perturb"}
REST = "*"
Kind = Literal["numeric", "ordinal", "nominal", "tree", "date"]


def _columns(value: Any, name: str) -> Any:
    """Names of columns, or "*" for all that are named nowhere else."""
    if isinstance(value, str) and value == REST:
        return REST
    return tuple(sorted(names(value, name)))  # in which order they are named says nothing


def _order(value: Any, name: str) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        msg = f"{name} must be a list of values, got {type(value).__name__}"
        raise TypeError(msg)
    return tuple(value)


def _tree(value: Any, name: str) -> Hierarchy:
    """A hierarchy, from what makes one: parents, or the name of a file."""
    found = Hierarchy.from_csv(value) if isinstance(value, str) else hierarchy_of(value, name)
    _ = found.parents  # levels that go in a circle are no tree: it is said here
    return found


def _nodes(trees: Mapping[str, Hierarchy]) -> dict[str, int]:
    return {name: len(tree.nodes) for name, tree in trees.items()}


@dataclass(frozen=True)
class Columns(Options):
    """The columns by the role that is asked for them, and what the quasi-identifiers are."""

    quasi: Sequence[str] | Literal["*"] = option(
        (), rule=_columns, help="Columns that together may name a person: masked."
    )
    identifier: Sequence[str] | Literal["*"] = option(
        (), rule=_columns, help="Columns that name a person: left out."
    )
    sensitive: Sequence[str] | Literal["*"] = option(
        (), rule=_columns, help="What must not become known of a person: kept."
    )
    other: Sequence[str] | Literal["*"] = option(
        (), rule=_columns, help="Harmless columns: kept. '*' is all that are left."
    )
    drop: Sequence[str] | Literal["*"] = option(
        (), rule=_columns, help="Other columns to leave out. '*' is all that are left."
    )
    weight: str | None = option(
        None, rule=optional(column), help="Survey weights: means are weighted."
    )
    household: str | None = option(
        None, rule=optional(column), help="Households, which k then counts."
    )
    kinds: Mapping[str, Kind] = option(
        {},
        rule=by_column(choice(*get_args(Kind)), "the kind"),
        help="numeric, ordinal, nominal, tree or date; seen from the cells by default.",
    )
    orders: Mapping[str, Sequence[Any]] = option(
        {},
        rule=by_column(_order, "the order"),
        help="Ordered categories, from the lowest.",
        shown=sizes,
    )
    trees: Mapping[str, Any] = option(
        {},
        rule=by_column(_tree, "the tree"),
        help="A hierarchy of categories: from each node to its parent, or a file.",
        shown=_nodes,
    )

    def wanted(self, **more: object) -> dict[str, object]:
        """The names listed for each role, and what more is named."""
        listed: dict[str, object] = {
            "identifier": self.identifier,
            "quasi": self.quasi,
            "sensitive": self.sensitive,
            "other": self.other,
            "dropped": self.drop,
            "weight": [self.weight] if self.weight else [],
            "household": [self.household] if self.household else [],
        }
        return listed | more

    def categorical(self) -> set[str]:
        """The columns that are said to hold categories."""
        said = {name for name, kind in self.kinds.items() if kind not in ("numeric", "date")}
        return said | self.orders.keys() | self.trees.keys()

    def columns_of(self, model: Any) -> Sequence[str]:
        """The columns that a model asked for without a name is about, each by itself."""
        if model.model == "min-households":
            if self.household is None:
                msg = "min_households goes with household: the column that it counts"
                raise ValueError(msg)
            return [self.household]
        if isinstance(self.sensitive, str) or not self.sensitive:
            named = repr(self.sensitive) if self.sensitive else "none"
            msg = f"{model.model} speaks of sensitive columns by their names; there is {named}"
            raise ValueError(msg)
        return self.sensitive


@dataclass(frozen=True)
class Schema:
    """The role of each column, in the order of the table; `unassigned` have none yet.

    `notations` say how columns that are worked on were written, where that is worth a word.
    """

    roles: Mapping[str, str]
    unassigned: tuple[str, ...] = ()
    notations: Mapping[str, Notation] = field(default_factory=dict)

    def of(self, role: str) -> list[str]:
        return [name for name, its_role in self.roles.items() if its_role == role]

    def released(self) -> list[str]:
        """The columns that a release holds."""
        return [name for name, role in self.roles.items() if role not in NOT_RELEASED]


def assign(
    columns: Sequence[object], wanted: Mapping[str, Any], *, needed: str = "quasi"
) -> Schema:
    """Give each column the role that names it; "*" in place of names means all the rest."""
    known = checked_names(columns)
    roles: dict[str, str] = {}
    rest = None
    for role, listed in wanted.items():
        if role not in ROLES:
            msg = f"a role is one of {', '.join(ROLES)}, got {role!r}"
            raise InputError(msg)
        if isinstance(listed, str) and listed == REST:
            if rest is not None:
                msg = f"only one role can take all the rest, not both {rest} and {role}"
                raise InputError(msg)
            rest = role
            continue
        for name in listed:
            _known(name, known, role)
            if name in roles:
                msg = f"column {name!r} is named twice: as {roles[name]} and as {role}"
                raise InputError(msg)
            roles[name] = role
    if rest is not None:
        roles = {name: roles.get(name, rest) for name in known}
    if needed not in roles.values():
        raise InputError(NEEDED[needed])
    ordered = {name: roles[name] for name in known if name in roles}
    return Schema(ordered, tuple(name for name in known if name not in roles))


def checked_names(columns: Sequence[object]) -> list[str]:
    """The names of a table: text, none empty, none twice."""
    names = [name for name in columns if isinstance(name, str)]
    if len(names) < len(columns):
        msg = f"column names must be text; {len(columns) - len(names)} of {len(columns)} are not"
        raise InputError(msg)
    for number, name in enumerate(names, start=1):
        if not name.strip():
            msg = f"column {number} of {len(names)} has no name"
            raise InputError(msg)
    if len(set(names)) < len(names):
        raise InputError(repeated(names))
    return names


def repeated(names: Sequence[object]) -> str:
    """The sentence for names that stand more than once."""
    twice = [str(name) for name, count in Counter(names).items() if count > 1]
    return f"column names must differ: {named(twice)} more than once"


def _known(name: str, names: Sequence[str], role: str) -> None:
    if name not in names:
        lower = {each.lower(): each for each in reversed(names)}
        near = [lower[each] for each in get_close_matches(name.lower(), lower, n=1)]
        hint = f"; did you mean {near[0]!r}?" if near else ""
        msg = f"the table has no column {name!r}, named as {role}{hint}"
        raise InputError(msg)
