from typing import Any

import numpy as np
from numpy.typing import NDArray

def number_objects(items: list[Any], numbers: NDArray[np.int64]) -> list[Any]: ...
