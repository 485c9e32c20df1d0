"""What the kernels run on: instruction sets, threads, and the build."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from tokumei._kernels import runtime as _runtime

# From pyproject.toml, by way of the build.
VERSION: str = _runtime.version()

# In the order of the numbers that the kernels know them by.
LEVELS = ("baseline", "avx2", "avx512")
LEVEL_VARIABLE = "TOKUMEI_INSTRUCTIONS"
THREADS_VARIABLE = "TOKUMEI_NUM_THREADS"
MOST_THREADS = 1024


def level(environment: Mapping[str, str]) -> int:
    """The instruction set to use: the best there is, or the one the environment asks for."""
    best: int = _runtime.best_instruction_set()
    asked = environment.get(LEVEL_VARIABLE)
    if not asked:
        return best
    if asked not in LEVELS[: best + 1]:
        able = ", ".join(LEVELS[: best + 1])
        msg = f"{LEVEL_VARIABLE} must be one of those this processor runs ({able}), got {asked!r}"
        raise ValueError(msg)
    return LEVELS.index(asked)


def default_threads(environment: Mapping[str, str]) -> int:
    """The number of processors the process may use, or the one the environment asks for."""
    asked = environment.get(THREADS_VARIABLE)
    if asked:
        if not asked.isdecimal() or not 1 <= int(asked) <= MOST_THREADS:
            msg = f"{THREADS_VARIABLE} must be between 1 and {MOST_THREADS}, got {asked!r}"
            raise ValueError(msg)
        return int(asked)
    if hasattr(os, "sched_getaffinity"):
        return min(len(os.sched_getaffinity(0)), MOST_THREADS)
    return min(os.cpu_count() or 1, MOST_THREADS)


def get_include() -> str:
    """The folder of the headers of the C++ core, for a compiler's include path.

    See "Use tokumei inside your library" for what of them is an interface.

    Examples
    --------
    >>> import tokumei as tk
    >>> from pathlib import Path
    >>> (Path(tk.get_include()) / "tokumei" / "cut" / "univariate.hpp").is_file()
    True
    """
    package = Path(__file__).parent
    # An editable installation has them where they are written.
    written = package.parents[1] / "csrc" / "include"
    return str(written if written.is_dir() else package / "include")


def config() -> dict[str, str]:
    """Versions, compiler, instruction sets and threads, as text."""
    best = _runtime.best_instruction_set()
    return {
        "tokumei": VERSION,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "compiler": _runtime.compiler(),
        "instruction sets": ", ".join(LEVELS[: best + 1]),
        "in use": LEVELS[level(os.environ)],
        "threads": str(default_threads(os.environ)),
    }


def show_config() -> None:
    """Print what tokumei runs on: versions, compiler, instruction sets, threads.

    ``TOKUMEI_INSTRUCTIONS`` (baseline, avx2 or avx512) forces a lower instruction set and
    ``TOKUMEI_NUM_THREADS`` the number of threads; neither changes a bit of any result.

    Examples
    --------
    >>> import tokumei as tk
    >>> tk.show_config()  # doctest: +ELLIPSIS
    tokumei           ...
    """
    for name, value in config().items():
        print(f"{name:<17} {value}")
