"""The kinds of arrays that checks hand on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Labels = NDArray[np.int64]
Callback = Callable[[float], object]
# Squares of differences of such values, summed over all cells of any table, stay finite.
LARGEST = 1e140
# Squares of differences of a table with a value of this size lose no bit that counts.
SMALLEST = 2.0**-300
