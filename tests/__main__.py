"""Build tokumei in its own virtual environment and run every test: ``python3 tests``.

Words after the command go to pytest: ``python3 tests -k mdav``.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / ".ci"))

import environment  # noqa: E402 - found through the line above


def main() -> int:
    programs = environment.ready("test")
    build = ROOT / "build" / "core"
    for command in (
        [programs / "cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
        [programs / "cmake", "--build", build],
        [programs / "ctest", "--test-dir", build, "--output-on-failure"],
        [programs / "python", "-m", "pytest", *sys.argv[1:]],
    ):
        status = subprocess.run(list(map(str, command)), cwd=ROOT, check=False).returncode
        if status:
            return status
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
