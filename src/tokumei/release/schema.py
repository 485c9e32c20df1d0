"""What each column is: one role a column, and no column without one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from tokumei.release.errors import InputError, named

ROLES = {
    "identifier": "names a person by itself; never released",
    "quasi": "names a person together with others of its kind; masked",
    "sensitive": "what must not become known of a person; released as it is",
    "weight": "how many persons a record stands for; released as it is",
    "household": "who lives together; released as it is",
    "other": "harmless; released as it is",
    "perturbed": "released with noise",
    "dropped": "not released",
}
NOT_RELEASED = ("identifier", "dropped")
NEEDED = {
    "quasi": "name at least one quasi-identifier: a column that helps to recognise a person",
    "perturbed": "name at least one column to perturb",
}
REST = "*"


@dataclass(frozen=True)
class Schema:
    """The role of each column, in the order of the table; `unassigned` have none yet."""

    roles: Mapping[str, str]
    unassigned: tuple[str, ...] = ()

    def of(self, role: str) -> list[str]:
        return [name for name, its_role in self.roles.items() if its_role == role]

    def counted(self) -> list[str]:
        """The columns of a release that the gate counts by."""
        return self.of("quasi") + self.of("household") + self.of("perturbed")

    def released(self) -> list[str]:
        """The columns that a release holds."""
        return [name for name, role in self.roles.items() if role not in NOT_RELEASED]


def assign(
    columns: Sequence[object], wanted: Mapping[str, object], *, needed: str = "quasi"
) -> Schema:
    """Give each column the role that names it; "*" in place of names means all the rest."""
    names = _texts(columns)
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
        for name in _listed(role, listed):
            _known(name, names, role)
            if name in roles:
                msg = f"column {name!r} is named twice: as {roles[name]} and as {role}"
                raise InputError(msg)
            roles[name] = role
    if rest is not None:
        roles = {name: roles.get(name, rest) for name in names}
    if needed not in roles.values():
        raise InputError(NEEDED[needed])
    ordered = {name: roles[name] for name in names if name in roles}
    return Schema(ordered, tuple(name for name in names if name not in roles))


def _texts(columns: Sequence[object]) -> list[str]:
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


def _listed(role: str, names: object) -> Iterable[str]:
    # A text is a sequence of letters, so "age" would be the columns "a", "g" and "e".
    if isinstance(names, str) or not isinstance(names, Iterable):
        msg = f"{role} must be a list of column names, got {type(names).__name__}"
        raise InputError(msg)
    listed = list(names)
    if not all(isinstance(name, str) for name in listed):
        msg = f"{role} must be a list of column names, and names are text"
        raise InputError(msg)
    return listed


def _known(name: str, names: Sequence[str], role: str) -> None:
    if name not in names:
        near = get_close_matches(name, names, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        msg = f"the table has no column {name!r}, named as {role}{hint}"
        raise InputError(msg)
