"""The rooms of the Python package: each says what it may use, and nobody uses what comes after.

What a room may use is said in one place, the last paragraph of its README; the order of its parts,
where it has sub-rooms, in the paragraph before. Imports inside functions count like others, so do
modules named to ``importlib``. Below all rooms are `machine` and `_kernels`; above, the package
itself and `cli`.
"""

import ast
import functools
import graphlib
from pathlib import Path

import pytest
from readmes import listed, rooms_of

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "tokumei"
BELOW = {"machine", "_kernels"}


def name_of(path: Path, package: Path) -> str:
    parts = [package.name, *path.relative_to(package).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def homes_of(tree: ast.Module) -> list[str]:
    """The modules of a table of names that are loaded when first asked for."""
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and getattr(node.targets[0], "id", "") == "_HOMES"
            and isinstance(node.value, ast.Dict)
        ):
            return [home.value for home in node.value.values if isinstance(home, ast.Constant)]
    return []


def imports_of(path: Path, package: Path, modules: set[str]) -> set[str]:
    """The modules of the package that a file imports, wherever and however it does."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top, found = package.name, set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports from where it stands"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in modules else str(node.module))
        elif isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == top:
            found.add(f"{top}.{node.attr}")  # of `import tokumei`
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            name = node.args[0]
            if isinstance(name, ast.Constant):
                found.add(str(name.value))
            elif isinstance(name, ast.JoinedStr) and isinstance(name.values[0], ast.Constant):
                prefix = str(name.values[0].value)
                found.update(f"{prefix}{home}" for home in homes_of(tree))
    return {name for name in found if name in modules and name != top}


@functools.cache
def graph_of(package: Path) -> dict[str, set[str]]:
    """What every module of the package imports."""
    files = {name_of(path, package): path for path in package.rglob("*.py")}
    return {name: imports_of(path, package, set(files)) for name, path in files.items()}


def part(module: str, level: int) -> str:
    """The part of the package (1), or of a room (2), that a module belongs to."""
    return ([*module.split("."), "__init__", "__init__"])[level]


def forbidden(package: Path) -> list[str]:
    """Imports of rooms that the README of the importing room does not name."""
    wrong = []
    for module, targets in graph_of(package).items():
        room = part(module, 1)
        if not (package / room).is_dir():
            continue
        may = {room, *BELOW, *listed(package / room, "Uses")}
        if room in BELOW:
            may = BELOW
        wrong += [f"{module} -> {t}" for t in sorted(targets) if part(t, 1) not in may]
    return wrong


def is_acyclic(edges: dict[str, set[str]]) -> bool:
    try:
        graphlib.TopologicalSorter(edges).prepare()
    except graphlib.CycleError:
        return False
    return True


def inside(package: Path, room: str) -> dict[str, set[str]]:
    """Which parts of a room use which others of it."""
    edges: dict[str, set[str]] = {}
    for module, targets in graph_of(package).items():
        if part(module, 1) == room:
            own = edges.setdefault(part(module, 2), set())
            own.update(part(t, 2) for t in targets if part(t, 1) == room)
            own.discard(part(module, 2))
    return edges


def out_of_order(package: Path, room: str) -> list[str]:
    """Uses that go against the order that the room's README states for its parts."""
    order = listed(package / room, "Order inside")
    return [
        f"{one} -> {other}"
        for one, others in inside(package, room).items()
        for other in sorted(others)
        if one in order and other in order and order.index(other) > order.index(one)
    ]


ROOMS = [room.name for room in rooms_of(PACKAGE, "py")]


def test_rooms_use_only_what_their_readmes_name():
    assert forbidden(PACKAGE) == []


def test_what_rooms_may_use_has_no_cycle():
    uses = {room: set(listed(PACKAGE / room, "Uses")) for room in ROOMS}
    assert all(named <= set(ROOMS) for named in uses.values())
    assert is_acyclic(uses)


@pytest.mark.parametrize("room", ROOMS)
def test_parts_of_a_room_use_only_parts_before_them(room):
    assert out_of_order(PACKAGE, room) == []
    assert is_acyclic(inside(PACKAGE, room))


@pytest.mark.parametrize("room", [room for room in ROOMS if room != "_kernels"])
def test_a_room_with_rooms_inside_states_their_order(room):
    folders = {inner.name for inner in rooms_of_rooms(PACKAGE / room)}
    order = listed(PACKAGE / room, "Order inside")
    assert folders <= set(order)
    there = {path.stem for path in (PACKAGE / room).iterdir() if path.suffix in ("", ".py")}
    assert set(order) <= there


def rooms_of_rooms(room: Path) -> list[Path]:
    return [inner for inner in room.iterdir() if (inner / "__init__.py").is_file()]


@pytest.mark.parametrize("room", ROOMS)
def test_readmes_are_short_and_name_files_that_are_there(room):
    lines = (PACKAGE / room / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 15
    entries = listed(PACKAGE / room, "Entry")
    assert entries
    assert [name for name in entries if not (PACKAGE / room / name).is_file()] == []


# The checkers find what they are for.


def planted(folder: Path, **files: str) -> Path:
    """A package of two rooms, `low` and `high`, with files added to them."""
    package = folder / "tokumei"
    readmes = {"low": "Order inside: `first`, `second`.\n\nUses: nothing.", "high": "Uses: `low`."}
    for room, words in readmes.items():
        (package / room).mkdir(parents=True)
        (package / room / "README.md").write_text(f"# {room}\n\n{words}\n")
        (package / room / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    for name, text in {"low__first": "", "low__second": "", "high__top": "", **files}.items():
        (package / f"{name.replace('__', '/')}.py").write_text(text)
    return package


BACK_EDGES = [
    "from tokumei.high import top",
    "import tokumei.high.top",
    "from tokumei import high",
    "def f():\n    from tokumei.high.top import x",
    "import tokumei\nx = tokumei.high",
    "import importlib\ndef f():\n    importlib.import_module('tokumei.high.top')",
    "_HOMES = {'x': 'top'}\nimport importlib\n"
    "def f(n):\n    return importlib.import_module(f'tokumei.high.{_HOMES[n]}')",
]


@pytest.mark.parametrize("edge", BACK_EDGES)
def test_a_planted_back_edge_between_rooms_is_found(tmp_path, edge):
    assert forbidden(planted(tmp_path / "fine", high__top="from tokumei.low import first")) == []
    found = forbidden(planted(tmp_path, low__first=edge))
    assert len(found) == 1
    assert found[0].startswith("tokumei.low.first -> tokumei.high")


def test_a_planted_back_edge_inside_a_room_is_found(tmp_path):
    package = planted(tmp_path, low__first="def f():\n    from tokumei.low.second import x")
    assert out_of_order(package, "low") == ["first -> second"]
    assert is_acyclic(inside(package, "low"))
    both = planted(
        tmp_path / "both",
        low__first="from tokumei.low import second",
        low__second="from tokumei.low import first",
    )
    assert not is_acyclic(inside(both, "low"))


def test_a_door_to_a_room_above_is_found(tmp_path):
    package = planted(tmp_path)
    (package / "_kernels").mkdir()
    (package / "_kernels" / "__init__.py").write_text("from tokumei.low import first")
    (package / "_kernels" / "README.md").write_text("Uses: nothing.")
    assert forbidden(package) == ["tokumei._kernels -> tokumei.low.first"]
