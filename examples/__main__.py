"""Build tokumei in its own virtual environment and mask an example: ``python3 examples``."""

import itertools
import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / ".ci"))

import environment  # noqa: E402 - found through the line above

SOURCE = ROOT / "examples" / "people.csv"
RELEASE = ROOT / "people-masked.csv"


def show(path: Path, rows: int = 5) -> None:
    print(f"\n{path.name}")
    with path.open(encoding="utf-8") as lines:
        for line in itertools.islice(lines, rows + 1):
            print("   ", line.rstrip())


def main() -> int:
    programs = environment.ready("cli")
    command = [
        "tokumei", "mask", str(SOURCE), str(RELEASE), "-k", "5",
        "--identifier", "person", "--quasi", "age,region,income", "--nominal", "region",
        "--sensitive", "diagnosis",
        "--drop", "children",
    ]  # fmt: skip
    print("$", shlex.join(word.removeprefix(f"{ROOT}{os.sep}") for word in command), flush=True)
    status = subprocess.run([str(programs / command[0]), *command[1:]], check=False).returncode
    if status == 0:
        show(SOURCE)
        show(RELEASE)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
