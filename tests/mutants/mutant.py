"""A mutant: one small fault put into the code on purpose, and the tests that have to find it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

LISTS = Path(__file__).parent
REPOSITORY = LISTS.parents[1]
PACKAGE, HEADERS = REPOSITORY / "src" / "tokumei", REPOSITORY / "csrc" / "include" / "tokumei"


@dataclass(frozen=True)
class Mutant:
    """In `file`, `find` (which stands there once) becomes `replace`.

    A mutant of the library is killed by `tests`, pytest's paths below ``tests``; one of the core by
    the C++ program of its `room`. Where no test can tell it from the original, `equivalent` says
    why.
    """

    name: str
    file: str
    find: str
    replace: str
    tests: tuple[str, ...] = ()
    room: str = ""
    equivalent: str = ""

    @property
    def path(self) -> Path:
        return (HEADERS if self.room else PACKAGE) / self.file

    def applied(self, text: str) -> str:
        """The source with the fault in it."""
        if text.count(self.find) != 1:
            msg = f"{self.name}: what is to be found stands {text.count(self.find)} times"
            raise ValueError(msg)
        return text.replace(self.find, self.replace)


def mutants() -> list[Mutant]:
    """All lists together, by their names."""
    found = []
    for path in sorted(LISTS.glob("*.toml")):
        listed = tomllib.loads(path.read_text(encoding="utf-8"))
        for number, entry in enumerate(listed["mutant"], start=1):
            own = {"tests": tuple(listed.get("tests", ())), "room": listed.get("room", "")} | entry
            own["tests"] = tuple(own["tests"])
            found.append(Mutant(name=f"{path.stem}-{number}", **own))
    return found
