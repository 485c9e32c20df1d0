"""What is asked of a fit of a mixture, checked before any work is done."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Run

MOST_COMPONENTS = 1000
MOST_STEPS = 5000

Bounds = tuple[float, float]


@dataclass(frozen=True)
class Plan:
    """Parameters of a LaplaceMixture, checked."""

    components: int
    scale: float
    bounds: Bounds | None
    integer: bool
    atoms: Floats
    n_init: int
    tol: float
    run: Run
    gradient: bool = False
    accelerate: bool = True
    max_iter: int = MOST_STEPS
    rate: float = 0.0
    binned: bool | None = None
    random_state: int | np.random.Generator | None = None

    def edges(self, shift: float) -> Floats | None:
        """Edges of the cells between the bounds, none without; in units of the noise's scale."""
        if self.bounds is None:
            return None
        return (_cell_edges(*self.bounds, self.integer, self.scale) - shift) / self.scale

    def support(self, shift: float) -> Bounds | None:
        """Where normal components are cut, in units of the noise's scale."""
        edges = self.edges(shift)
        return (float(edges[0]), float(edges[-1])) if edges is not None else None


def bounds_of(lower: float | None, upper: float | None, integer: bool) -> Bounds | None:
    """Both bounds or none, whole numbers where values are."""
    if (lower is None) != (upper is None):
        msg = "lower and upper must be given together, or neither"
        raise ValueError(msg)
    if lower is None or upper is None:
        if integer:
            msg = "integer support needs lower and upper"
            raise ValueError(msg)
        return None
    bounds = _check.bounds(lower, upper, integer=integer)
    if integer and bounds[1] - bounds[0] > 1e6:
        msg = "integer support must not span more than a million whole numbers"
        raise ValueError(msg)
    return bounds


def atoms_of(values: ArrayLike, bounds: Bounds | None) -> Floats:
    """Atoms that differ and lie between the bounds."""
    atoms = np.asarray(values, dtype=np.float64).reshape(-1)
    if not atoms.size:
        return atoms
    atoms = _check.column(atoms, "atoms")
    if len(np.unique(atoms)) < len(atoms):
        msg = "atoms must differ from each other"
        raise ValueError(msg)
    if bounds is not None and not ((atoms >= bounds[0]) & (atoms <= bounds[1])).all():
        msg = "atoms must lie between lower and upper"
        raise ValueError(msg)
    return atoms


def _cell_edges(lower: float, upper: float, integer: bool, scale: float) -> Floats:
    """Edges of the cells in the values' own unit: of a hundredth of the noise's scale, or one for
    each whole number."""
    if integer:
        return np.arange(np.ceil(lower), np.floor(upper) + 2.0) - 0.5
    cells = int(np.clip(np.ceil(100.0 * (upper - lower) / scale), 100, 4096))
    return np.linspace(lower, upper, cells + 1)
