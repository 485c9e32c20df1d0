"""The rooms of the C++ core: includes follow rooms.hpp, doors use entry headers, all are tested.

The order is said in one place, the `using namespace` lines of rooms.hpp: a room includes its own
headers and those of the rooms it sees, directly or through others. READMEs repeat it for readers.
"""

import re
from pathlib import Path

import pytest
from readmes import listed, rooms_of

ROOT = Path(__file__).resolve().parents[2]
HEADERS = ROOT / "csrc" / "include" / "tokumei"
TESTS = ROOT / "csrc" / "tests"
DOORS = ROOT / "src" / "tokumei" / "_kernels"
ROOMS = [room.name for room in rooms_of(HEADERS, "hpp")]


def seen_by(rooms: Path) -> dict[str, list[str]]:
    """The rooms that each names in rooms.hpp."""
    text = rooms.read_text(encoding="utf-8")
    bodies = re.findall(r"namespace (\w+) \{([^{}]*)\}", text)
    return {room: re.findall(r"using namespace (\w+);", body) for room, body in bodies}


def seen_by_way_of(room: str, seen: dict[str, list[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [room]
    while waiting:
        here = waiting.pop()
        reached.add(here)
        waiting += [other for other in seen[here] if other not in reached]
    return reached


def included(path: Path) -> list[str]:
    """The headers of the core that a file includes, as ``room/name.hpp``."""
    text = path.read_text(encoding="utf-8")
    return re.findall(r'(?:#include|from) "tokumei/(\w+/\w+\.hpp)"', text)


def forbidden(headers: Path) -> list[str]:
    """Includes of rooms that the including one does not see."""
    seen = seen_by(headers / "rooms.hpp")
    return [
        f"{path.parent.name}/{path.name} -> {header}"
        for path in sorted(headers.glob("*/*.hpp"))
        for header in included(path)
        if header.partition("/")[0] not in seen_by_way_of(path.parent.name, seen)
    ]


def through_the_back(doors: Path, headers: Path) -> list[str]:
    """Headers that doors include and no README names as an entry."""
    entries = {
        f"{room.name}/{name}" for room in rooms_of(headers, "hpp") for name in listed(room, "Entry")
    }
    return [
        f"{door.name} -> {header}"
        for door in sorted([*doors.glob("*.pyx"), *doors.glob("*.pxd")])
        for header in included(door)
        if header not in entries
    ]


def untested(headers: Path, tests: Path) -> list[str]:
    """Headers of a room that no source of its test program includes."""
    return [
        f"{room.name}/{header.name}"
        for room in rooms_of(headers, "hpp")
        for header in sorted(room.glob("*.hpp"))
        if not any(
            f"{room.name}/{header.name}" in included(source)
            for source in (tests / room.name).glob("*.[ch]pp")
        )
    ]


def test_rooms_see_only_rooms_stated_before_them():
    stated: list[str] = []
    for room, others in seen_by(HEADERS / "rooms.hpp").items():
        assert set(others) <= set(stated)
        stated.append(room)
    assert sorted(stated) == ROOMS


def test_headers_include_only_what_their_room_sees():
    assert forbidden(HEADERS) == []


def test_doors_include_entry_headers_only():
    assert through_the_back(DOORS, HEADERS) == []


def test_every_header_is_tested_in_the_program_of_its_room():
    assert untested(HEADERS, TESTS) == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_room_has_a_short_readme_that_says_what_is_so(room):
    folder = HEADERS / room
    assert len((folder / "README.md").read_text(encoding="utf-8").splitlines()) <= 15
    assert listed(folder, "Uses") == seen_by(HEADERS / "rooms.hpp")[room]
    entries = listed(folder, "Entry")
    assert entries
    assert [name for name in entries if not (folder / name).is_file()] == []


def test_every_room_has_its_test_program():
    cmake = (TESTS / "CMakeLists.txt").read_text(encoding="utf-8")
    programs = re.search(r"set\(rooms ([\w\s]+)\)", cmake)
    assert programs is not None
    assert sorted(programs[1].split()) == ROOMS


# The checkers find what they are for.


@pytest.fixture
def planted(tmp_path):
    """Two rooms, `high` that sees `low`, a door and a test program."""
    (tmp_path / "rooms.hpp").write_text(
        "namespace low {}\nnamespace high {\nusing namespace low;\n}\nnamespace top {\n"
        "using namespace high;\n}\n"
    )
    for room in ("low", "high", "top"):
        (tmp_path / room).mkdir()
        (tmp_path / room / "README.md").write_text(f"Entry: `{room}.hpp`.\n\nUses: nothing.\n")
        (tmp_path / room / f"{room}.hpp").write_text("")
    (tmp_path / "top" / "top.hpp").write_text('#include "tokumei/low/low.hpp"\n')
    return tmp_path


def test_a_planted_back_edge_is_found(planted):
    assert forbidden(planted) == []
    (planted / "low" / "low.hpp").write_text('#include <vector>\n#include "tokumei/top/top.hpp"\n')
    (planted / "high" / "high.hpp").write_text('#include "tokumei/low/low.hpp"\n')
    assert forbidden(planted) == ["low/low.hpp -> top/top.hpp"]


def test_a_planted_door_through_the_back_is_found(planted):
    (planted / "low" / "inner.hpp").write_text("")
    (planted / "door.pyx").write_text(
        'cdef extern from "tokumei/low/low.hpp" nogil:\n    pass\n'
        'cdef extern from "tokumei/low/inner.hpp" nogil:\n    pass\n'
    )
    assert through_the_back(planted, planted) == ["door.pyx -> low/inner.hpp"]


def test_a_planted_header_without_a_test_is_found(planted, tmp_path):
    tests = tmp_path / "tests"
    for room in ("low", "high", "top"):
        (tests / room).mkdir(parents=True)
        (tests / room / "a.cpp").write_text(f'#include "tokumei/{room}/{room}.hpp"\n')
    assert untested(planted, tests) == []
    (planted / "high" / "more.hpp").write_text("")
    assert untested(planted, tests) == ["high/more.hpp"]
