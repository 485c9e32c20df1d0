"""Nothing in the house is too large to be read at once.

No source file has more than 300 lines. No function has more than 12 parameters, save those a user
calls: keyword-only parameters of functions and constructors that a module names in ``__all__`` do
not count, for they are read by name.
"""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "csrc", "tests", "bench", "examples", "docs", ".ci")
SOURCES = {".py", ".pyx", ".pyi", ".pxd", ".hpp", ".cpp"}
MOST_LINES = 300
MOST_PARAMETERS = 12

# A function of C++ or Cython: a name, its parameters, and what opens a body.
CPP_FUNCTION = re.compile(
    r"\b([A-Za-z_]\w*)\s*\(((?:[^()]|\([^()]*\))*)\)"
    r"\s*(?:const\b|noexcept\b|override\b|->[^;{}()]*|\s)*(?::[^;{}]*)?\{"
)
CYTHON_FUNCTION = re.compile(
    r"^[ \t]*(?:def|cdef|cpdef)\b[^\n(=]*?(\w+)\(((?:[^()]|\([^()]*\))*)\)[^\n:]*:", re.MULTILINE
)
NOT_FUNCTIONS = {"if", "for", "while", "switch", "catch", "return", "sizeof", "decltype"}


def sources(root: Path) -> list[Path]:
    return sorted(
        path
        for folder in FOLDERS
        for path in (root / folder).rglob("*")
        if path.suffix in SOURCES and "_build" not in path.parts and "generated" not in path.parts
    )


def too_long(root: Path) -> list[str]:
    found = []
    for path in sources(root):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES:
            found.append(f"{path.relative_to(root)}: {lines} lines")
    return found


def public_names(tree: ast.Module) -> set[str]:
    """What a module names in ``__all__``."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return {name.value for name in ast.walk(node.value) if isinstance(name, ast.Constant)}
    return set()


def of_python(text: str, public: set[str]) -> dict[str, int]:
    """Parameters by function; keyword-only ones of public functions are left out."""
    counts: dict[str, int] = {}

    def look_into(node: ast.AST, inside: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = getattr(child, "name", "")
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                listed = child.args
                asked = inside.rstrip(".") if name == "__init__" else f"{inside}{name}"
                count = len(listed.posonlyargs) + len(listed.args)
                counts[f"{inside}{name}"] = count + len(listed.kwonlyargs) * (asked not in public)
            look_into(child, f"{inside}{name}." if name else inside)

    look_into(ast.parse(text), "")
    return counts


def separate(parameters: str) -> int:
    """How many parameters a list has: commas outside of brackets, and one."""
    depth, count = 0, 1
    parameters = parameters.strip().removesuffix(",")
    for letter in parameters:
        depth += (letter in "<([{") - (letter in ">)]}")
        count += letter == "," and depth == 0
    return count if parameters else 0


def of_pattern(pattern: re.Pattern[str], text: str) -> dict[str, int]:
    found = {}
    for match in pattern.finditer(text):
        if match[1] not in NOT_FUNCTIONS:
            found[match[1]] = max(found.get(match[1], 0), separate(match[2]))
    return found


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def parameters_of(path: Path, public: set[str]) -> dict[str, int]:
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".py", ".pyi"):
        return of_python(text, public)
    if path.suffix in (".hpp", ".cpp"):
        return of_pattern(CPP_FUNCTION, without_comments(text).replace("->", "  "))
    return of_pattern(CYTHON_FUNCTION, re.sub(r"#[^\n]*", "", text))


def with_too_many(root: Path) -> list[str]:
    public: set[str] = set()
    for path in (root / "src").rglob("__init__.py"):
        public |= public_names(ast.parse(path.read_text(encoding="utf-8")))
    return [
        f"{path.relative_to(root)}: {name} has {count} parameters"
        for path in sources(root)
        for name, count in parameters_of(path, public).items()
        if count > MOST_PARAMETERS
    ]


def test_no_source_file_is_above_300_lines():
    assert too_long(ROOT) == []


def test_no_function_has_more_than_12_parameters():
    assert with_too_many(ROOT) == []


# The checkers find what they are for.


def test_a_planted_long_file_is_found(tmp_path):
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc" / "fine.hpp").write_text("\n" * 300)
    assert too_long(tmp_path) == []
    (tmp_path / "csrc" / "long.hpp").write_text("\n" * 301)
    assert too_long(tmp_path) == ["csrc/long.hpp: 301 lines"]


def test_planted_functions_of_many_parameters_are_found(tmp_path):
    (tmp_path / "src").mkdir()
    few, many = ", ".join("abcdefghijkl"), ", ".join("abcdefghijklm")
    (tmp_path / "src" / "__init__.py").write_text('__all__ = ["asked", "Shell"]\n')
    (tmp_path / "src" / "a.py").write_text(
        f"def fine({few}): pass\ndef asked(x, *, {few}): pass\ndef inner(*, {many}): pass\n"
        f"class Shell:\n    def __init__(self, *, {many}): pass\n    def fit({many}): pass\n"
    )
    typed = many.replace(",", ", int").replace("a", "int a", 1)
    pairs = ", ".join(f"std::pair<int, int> {letter}" for letter in "abcdefg")
    (tmp_path / "src" / "a.hpp").write_text(
        f"inline int wide({typed}) {{\n  return a;\n}}\nvoid fine({pairs}) const {{}}\n"
        f"int only_said({typed});\n"
    )
    (tmp_path / "src" / "a.pyx").write_text(
        f"def door(\n    {many},\n):\n    pass\ncdef int fine(int a) noexcept nogil:\n    pass\n"
    )
    assert with_too_many(tmp_path) == [
        "src/a.hpp: wide has 13 parameters",
        "src/a.py: inner has 13 parameters",
        "src/a.py: Shell.fit has 13 parameters",
        "src/a.pyx: door has 13 parameters",
    ]
