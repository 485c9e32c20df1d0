"""The headers that an installation keeps are enough for a compiler, and say what doors say."""

import shutil
import subprocess
from pathlib import Path

import pytest

import tokumei as tk

PROGRAM = """
#include <tokumei/group/merge_neighbours.hpp>
#include <cstdio>

int main() {
  const std::int64_t counts[] = {5, 1, 1, 9, 2};
  std::int64_t merged[5];
  tokumei::group::merge_neighbours({counts, 5}, 3, {merged, 5}, {});
  for (const auto run : merged) std::printf("%d ", static_cast<int>(run));
}
"""
LIBRARY = Path(__file__).resolve().parents[2] / "examples" / "library"


def test_a_program_is_compiled_from_them(tmp_path):
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("needs g++")
    source, program = tmp_path / "program.cpp", tmp_path / "program"
    source.write_text(PROGRAM)
    how = ["-std=c++20", "-ffp-contract=off", "-I", tk.get_include()]
    subprocess.run([compiler, *how, source, "-o", program], check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "0", "0", "1", "1"]


def test_the_example_package_is_short_and_shown_as_it_is():
    files = [*LIBRARY.glob("*.toml"), LIBRARY / "setup.py", *LIBRARY.glob("clinic/*.py*")]
    lines = [line for each in files for line in each.read_text("utf-8").splitlines() if line]
    assert len(files) == 4
    assert len(lines) <= 40
    page = (LIBRARY.parents[1] / "docs" / "library.md").read_text("utf-8")
    for each in ("setup.py", "clinic/bands.pyx", "clinic/__init__.py"):
        assert f"{{literalinclude}} ../examples/library/{each}" in page
