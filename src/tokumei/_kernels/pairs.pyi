import numpy as np
from numpy.typing import NDArray

from tokumei._check.running import Run

def euclidean_squares(
    x: NDArray[np.float64],
    run: Run,
) -> float: ...
def sum_over_pairs(
    x: NDArray[np.float64],
    counts: NDArray[np.float64],
    p: float,
    power: float,
    run: Run,
) -> float: ...
def manhattan_squares(
    x: NDArray[np.float64],
    counts: NDArray[np.float64],
    run: Run,
) -> float: ...
def sum_of_absolute_differences(
    x: NDArray[np.float64],
    counts: NDArray[np.int64],
) -> float: ...
def tree_distances(
    parents: NDArray[np.int64],
    counts: NDArray[np.int64],
    power: int,
) -> float: ...
def shortest_paths(
    starts: NDArray[np.int64],
    targets: NDArray[np.int64],
    weights: NDArray[np.float64],
    source: int,
    out: NDArray[np.float64],
) -> None: ...
def sum_of_string_distances(
    distance: int,
    letters: NDArray[np.uint32],
    starts: NDArray[np.int64],
    counts: NDArray[np.int64],
    power: float,
    normalized: bool,
    run: Run,
) -> float: ...
def string_distances(
    distance: int,
    letters: NDArray[np.uint32],
    starts: NDArray[np.int64],
    counts: NDArray[np.int64],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    normalized: bool,
    out: NDArray[np.float64],
    run: Run,
) -> None: ...
def distinct_rows(
    x: NDArray[np.float64],
    numbers: NDArray[np.int64],
    first_rows: NDArray[np.int64],
) -> int: ...
def distinct_bytes(
    rows: NDArray[np.uint8],
    width: int,
    numbers: NDArray[np.int64],
    first_rows: NDArray[np.int64],
) -> int: ...
def special_uniques(
    codes: NDArray[np.int64],
    several: NDArray[np.uint8],
    of_rows: NDArray[np.int64],
    of_columns: NDArray[np.int64],
    run: Run,
) -> None: ...
