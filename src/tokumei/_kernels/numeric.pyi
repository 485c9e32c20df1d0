import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run

def exact_total(
    x: NDArray[np.float64],
) -> float: ...
def exact_moments(
    x: NDArray[np.float64],
    sums: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> None: ...
def fold_words(
    words: NDArray[np.int64],
    one: int,
    other: int,
    hashes: NDArray[np.int64],
) -> None: ...
def fold_texts(
    offsets: NDArray[np.int64],
    letters: NDArray[np.uint8],
    one: int,
    other: int,
    hashes: NDArray[np.int64],
) -> None: ...
def solve_factorised(
    u: NDArray[np.float64],
    n: int,
    x: NDArray[np.float64],
    both: bool,
    run: Run,
) -> None: ...
