"""Plain C++ loops, compiled with -O2: what a programmer without a library would wait for."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bench.kernel import Labels
from bench.problems import Floats

SOURCE = Path(__file__).with_name("plain_loops.cpp")


class PlainLoops:
    """Compiles them, so there must be a compiler."""

    def __init__(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            made = Path(folder) / "plain_loops.so"
            compiler = ["c++", "-std=c++20", "-O2", "-shared", "-fPIC"]
            subprocess.run([*compiler, "-o", str(made), str(SOURCE)], check=True)
            self._loops: Any = ctypes.CDLL(str(made))
        self._loops.cut.restype = ctypes.c_double

    def cut(self, x: Floats, k: int) -> float:
        """The least sum of squares of stretches of the rows, which lie row after row."""
        return float(self._loops.cut(_address(x), *_sizes(x, k)))

    def mdav(self, x: Floats, k: int) -> Labels:
        labels = np.empty(len(x), dtype=np.int64)
        self._loops.mdav(_address(x), *_sizes(x, k), _address(labels))
        return labels


def _address(x: Any) -> ctypes.c_void_p:
    return ctypes.c_void_p(x.ctypes.data)


def _sizes(x: Floats, k: int) -> list[ctypes.c_size_t]:
    return [ctypes.c_size_t(size) for size in (*x.shape, k)]
