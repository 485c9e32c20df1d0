"""Not one number of components: mixtures of several, averaged on cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats
from tokumei.reconstruct.mixture.laplace_mixture import LaplaceMixture

# What is averaged is not fitted to the last: two plain starts, left where a step gains little.
# Under strong noise mixtures of many components, brought to their best likelihood, follow the
# noise. Beside atoms it is the other way round: the shares of atoms settle last, so those fits are
# not cut short.
STOPPED_EARLY: dict[str, Any] = {"tol": 1e-3, "n_init": 2}


@dataclass(frozen=True)
class CellDensity:
    """A reconstructed distribution on cells, and the mixtures it was averaged from.

    Attributes
    ----------
    cells : ndarray of shape (m + 1,)
        Edges of the cells.
    probabilities : ndarray of shape (m,)
        How likely the true value is in each cell.
    mixtures : tuple of LaplaceMixture
        What was averaged, each with the same share.
    """

    cells: Floats
    probabilities: Floats
    mixtures: tuple[LaplaceMixture, ...] = field(repr=False)


def _fitted(
    y: ArrayLike, scale: float, components: Sequence[int], options: dict[str, Any]
) -> list[LaplaceMixture]:
    numbers = [_check.at_least(number, 1, "components") for number in components]
    if not numbers:
        msg = "components must name at least one number of components"
        raise ValueError(msg)
    values = _check.column(y, "y", largest=_check.LARGEST)
    return [LaplaceMixture(number, scale, **options).fit(values) for number in numbers]


def mixture_average(
    y: ArrayLike,
    scale: float,
    *,
    cells: ArrayLike,
    components: Sequence[int] = range(3, 7),
    **options: Any,
) -> CellDensity:
    """The plain mean of mixtures of 3, 4, 5 and 6 components, on cells.

    Under strong noise the likelihood hardly tells numbers of components apart; the mean of several
    is steadier than any choice among them. For the same reason each is fitted from two starts only
    and stopped when a step gains less than 1e-3 (give `n_init` and `tol` to change that): the
    likeliest mixtures of many components follow the noise. With atoms fits are not stopped early:
    their shares settle last. Probability outside the cells is shared out to them in
    proportion; choose cells that cover what x can be.

    Parameters
    ----------
    y : array-like of shape (n,)
        Noisy values.
    scale : float
        Scale of the Laplace noise.
    cells : array-like of shape (m + 1,)
        Ascending edges. Whole numbers 17 to 90 have the edges 16.5, 17.5, ..., 90.5.
    components : sequence of int
        The numbers of components.
    **options
        Of `LaplaceMixture`: bounds, integer, atoms, random_state and so on.

    Returns
    -------
    CellDensity
        Cells and their probabilities, and the mixtures.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> noise = np.random.default_rng(3)
    >>> y = noise.normal(5.0, 1.0, 20_000) + noise.laplace(0.0, 1.0, 20_000)
    >>> found = tk.reconstruct.mixture_average(y, 1.0, cells=[0, 4, 6, 10])
    >>> found.probabilities.round(1)
    array([0.2, 0.7, 0.2])
    """
    edges = _check.edges(cells, "cells")
    early = {} if np.size(options.get("atoms", ())) else STOPPED_EARLY
    fitted = _fitted(y, scale, components, early | options)
    total = np.sum([one.probabilities(edges) for one in fitted], axis=0)
    mass = float(total.sum())
    if not mass > 0.0:
        msg = "cells hold nothing of the reconstructed distribution; do they cover the values?"
        raise ValueError(msg)
    return CellDensity(edges, total / mass, tuple(fitted))
