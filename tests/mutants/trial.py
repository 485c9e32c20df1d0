"""A mutant's trial: a copy of the code with the fault in it, and the tests that are to fail."""

from __future__ import annotations

import compileall
import importlib.util
import json
import os
import py_compile
import shutil
import subprocess
import sys
from functools import cached_property
from pathlib import Path

from mutants.mutant import HEADERS, PACKAGE, REPOSITORY, Mutant

# A fault that makes a test run for ever is found when it has computed for so long. A busy machine
# makes nothing be found: what it takes by the clock decides nothing.
SECONDS = 300


def installed() -> Path:
    """The package that tests import, with its kernels; a copy of it is what is changed."""
    found = importlib.util.find_spec("tokumei")
    place = Path(str(found and found.origin)).parent
    if place == PACKAGE:
        msg = "an editable installation cannot be copied: run `nox -s mutants`"
        raise SystemExit(msg)
    return place


class Trial:
    """A copy of the package and of the core in a folder of its own, one mutant at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.package, self.core = folder / "python" / "tokumei", folder / "core"

    def survives(self, mutant: Mutant) -> bool:
        """Whether every test passes with the fault in the code."""
        return self._passes(mutant, mutant.applied(mutant.path.read_text(encoding="utf-8")))

    def sound(self, mutant: Mutant) -> bool:
        """Whether every test passes without it, as it must for a failure to say anything."""
        return self._passes(mutant, mutant.path.read_text(encoding="utf-8"))

    def _passes(self, mutant: Mutant, text: str) -> bool:
        source = self._copied(mutant) / mutant.file
        before = source.read_text(encoding="utf-8")
        source.write_text(text, encoding="utf-8")
        try:
            return self._core(mutant.room) if mutant.room else self._tests(mutant.tests)
        finally:
            source.write_text(before, encoding="utf-8")

    def _copied(self, mutant: Mutant) -> Path:
        """Where the files that the mutant changes have been copied to."""
        if not mutant.room:
            if not self.package.exists():
                shutil.copytree(installed(), self.package)
                # Compiled once; a file that is changed is seen by its hash and compiled anew.
                by_hash = py_compile.PycInvalidationMode.CHECKED_HASH
                compileall.compile_dir(self.package, quiet=2, force=True, invalidation_mode=by_hash)
            return self.package
        if not self.core.exists():
            shutil.copytree(REPOSITORY / "csrc", self.core / "csrc")
            shutil.copy(REPOSITORY / "CMakeLists.txt", self.core)
        return self.core / HEADERS.relative_to(REPOSITORY)

    def _tests(self, tests: tuple[str, ...]) -> bool:
        paths = [str(REPOSITORY / "tests" / path) for path in tests]
        how = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
        # Plugins that are loaded already are not written anew, which need not be said.
        how += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        told, heard = self.nursery.stdin, self.nursery.stdout
        assert told is not None
        assert heard is not None
        print(json.dumps([*how, *paths]), file=told, flush=True)
        return int(heard.readline()) == 0

    @cached_property
    def nursery(self) -> subprocess.Popen[str]:
        """The process that runs of pytest are forked from; it ends with this one."""
        return subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("nursery.py")), str(SECONDS)],
            cwd=REPOSITORY,
            env=os.environ
            | {"PYTHONPATH": str(self.package.parent), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _core(self, room: str) -> bool:
        build = self.core / "build"
        if not build.exists():
            flags = "-DCMAKE_CXX_FLAGS=-O1 -w -DTOKUMEI_BASELINE_ONLY"
            made = ["cmake", "-S", str(self.core), "-B", str(build), "-G", "Ninja", flags]
            subprocess.run(made, check=True, capture_output=True)
        # What does not compile is no fault that a test has found, but a mistake in the list; what
        # is only warned of (-w) is neither.
        making = ["cmake", "--build", str(build), "--target", f"test_{room}"]
        subprocess.run(making, check=True, capture_output=True)
        return self._runs([str(build / "csrc" / "tests" / f"test_{room}")])

    def _runs(self, command: list[str]) -> bool:
        done = subprocess.run(
            ["sh", "-c", f'ulimit -t {SECONDS} && exec "$@"', "sh", *command],
            cwd=REPOSITORY,
            capture_output=True,
            check=False,
        )
        return done.returncode == 0
