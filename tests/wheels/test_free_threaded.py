"""A Python without the one lock stays so: every door says that it needs none."""

import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import tokumei as tk

ASKED = """
import sys
import numpy, tokumei
from tokumei import _kernels
from pkgutil import iter_modules
from importlib import import_module
for door in iter_modules(_kernels.__path__):
    import_module("tokumei._kernels." + door.name)
sys.exit(sys._is_gil_enabled())
"""


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has the one lock"
)
def test_doors_leave_the_lock_off():
    assert subprocess.run([sys.executable, "-c", ASKED], check=False).returncode == 0


def test_six_threads_at_once_find_the_labels_of_one():
    X = np.random.default_rng(4).normal(size=(4000, 4))
    methods = ["mdav", "vmdav", "npn", "flexdice", "kmember", "mondrian"]
    alone = [tk.partition(X, 5, method=method) for method in methods]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda method: tk.partition(X, 5, method=method), methods))
    assert all(np.array_equal(one, other) for one, other in zip(alone, together, strict=True))
