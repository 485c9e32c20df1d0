"""Build tokumei in its own virtual environment and run every test: ``python3 tests``.

Words after the command go to pytest: ``python3 tests -k mdav``. It runs on every core;
``-n 0`` takes one.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / ".ci"))

import environment  # noqa: E402 - found through the line above


def main() -> int:
    programs = environment.ready("test")
    build = ROOT / "build" / "core"
    path = {"PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}"}
    for command in (
        ["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
        ["cmake", "--build", build],
        ["ctest", "--test-dir", build, "--output-on-failure"],
        ["python", "-m", "pytest", "-n", "auto", *sys.argv[1:]],
    ):
        words = [str(programs / command[0]), *map(str, command[1:])]
        status = subprocess.run(words, cwd=ROOT, env=os.environ | path, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
