"""A virtual environment beside the sources with tokumei built into it.

Only Python's standard library and a C++ compiler are needed; everything else is fetched by pip.
What is missing on the machine is named in one sentence.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
COMPILERS = ("c++", "g++", "clang++", "cl")


def stop(sentence: str) -> None:
    """Leave with one sentence."""
    raise SystemExit(sentence)


def ready(*extras: str) -> Path:
    """Build tokumei with these extras into the environment; returns the folder of its programs."""
    if sys.version_info < (3, 11):  # noqa: UP036 - a stranger's Python may be older
        stop(f"tokumei needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    if "CXX" not in os.environ and not any(map(shutil.which, COMPILERS)):
        stop("tokumei needs a C++20 compiler; on Debian and Ubuntu: apt-get install g++")
    programs = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
    python = programs / ("python.exe" if os.name == "nt" else "python")
    if not python.exists() and _run(sys.executable, "-m", "venv", str(ENVIRONMENT)).returncode:
        stop("Python has no venv module; on Debian and Ubuntu: apt-get install python3-venv")
    print(f"Building tokumei in {ENVIRONMENT.name} (a minute the first time) ...", flush=True)
    arguments, variables = _headers()
    what = f"{ROOT}[{','.join(extras)}]"
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    done = _run(*pip, *arguments, what, env=os.environ | variables)
    if done.returncode:
        stop(f"{done.stdout}{done.stderr}\ntokumei could not be built; pip's own words are above.")
    return programs


def _headers() -> tuple[list[str], dict[str, str]]:
    """Where Debian left Python.h to another package: unpack that one into the environment."""
    if (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        return [], {}
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    include = ENVIRONMENT / "headers" / "usr" / "include"
    if not (include / f"python{version}" / "Python.h").is_file():
        _unpack(f"libpython{version}-dev")
    if not (include / f"python{version}" / "Python.h").is_file():
        stop("Python's C headers are missing; on Debian and Ubuntu: apt-get install python3-dev")
    define = f"--config-settings=cmake.define.Python_INCLUDE_DIR={include / f'python{version}'}"
    flags = f"{os.environ.get('CXXFLAGS', '')} -I{include}".strip()
    return [define], {"CXXFLAGS": flags}


def _unpack(package: str) -> None:
    if not (shutil.which("apt-get") and shutil.which("dpkg")):
        return
    with tempfile.TemporaryDirectory() as folder:
        # The package list of a bare machine is empty, and only root may fill it.
        if _run("apt-get", "download", package, cwd=folder).returncode:
            _run("apt-get", "update")
            _run("apt-get", "download", package, cwd=folder)
        for archive in Path(folder).glob("*.deb"):
            _run("dpkg", "-x", str(archive), str(ENVIRONMENT / "headers"))


def _run(*command: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)
