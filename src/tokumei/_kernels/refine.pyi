import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run
from tokumei.microaggregation.search.options import RefineOptions

def refine(
    x: object,
    labels: NDArray[np.int64],
    groups: int,
    options: RefineOptions,
    run: Run,
) -> None: ...
