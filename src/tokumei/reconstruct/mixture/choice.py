"""How many components: by the largest likelihood, by BIC, or by evidence; one attribute or several.

The likelihood grows with every component; the paper takes the largest all the same. BIC charges
half the logarithm of the records for every parameter, also for what the noise leaves open. The
evidence charges for what the records determine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats
from tokumei.reconstruct.mixture.laplace_mixture import LaplaceMixture
from tokumei.reconstruct.mixture.normals import Normals

CRITERIA = ("bic", "likelihood", "evidence")
# Deviations are equally likely in their logarithm, from this share of the range to all of it.
NARROWEST = 1e-3
# Records that information is taken from, and the step of its differences.
RECORDS, STEP = 4000, 1e-4


class Mixture(Protocol):
    """What is asked of a fitted mixture."""

    loglik_: float

    @property
    def n_parameters(self) -> int: ...
    def score_samples(self, y: ArrayLike) -> Floats: ...
    def _normals(self) -> Normals: ...
    def _with(self, normals: Normals) -> Mixture: ...


def choose_mixture(
    y: ArrayLike,
    scale: ArrayLike,
    *,
    components: Sequence[int] = range(1, 7),
    criterion: str = "bic",
    mixture: type[Any] = LaplaceMixture,
    **options: Any,
) -> Any:
    """The mixture whose number of components is best by a criterion; of equals the smallest number.

    BIC is the right choice for some 100,000 records and more. Under the noise that a bound on
    linkage asks for, it takes too few components of fewer records: average instead, or take the
    evidence.

    Parameters
    ----------
    y : array-like of shape (n,) or (n, d)
        Noisy values, or records for a mixture of several attributes.
    scale : float or array-like of shape (d,)
        Scale of the Laplace noise.
    components : sequence of int
        The numbers to choose from.
    criterion : {"bic", "likelihood", "evidence"}
        The lowest BIC; the largest likelihood, which is the rule of the paper; or the largest
        evidence.
    mixture : type
        `LaplaceMixture`, or of several attributes `ScaleMixture`, `DiagonalMixture`,
        `RotatedMixture` (no density, so not by evidence).
    **options
        Of the mixture.

    Returns
    -------
    LaplaceMixture, or what `mixture` names
        Fitted.

    See Also
    --------
    mixture_average : The mean over several numbers of components.

    Notes
    -----
    The evidence is Laplace's approximation, with weights equally likely, means within the bounds or
    the range of the noisy values, deviations in their logarithm from a thousandth of it to all of
    it. Information is that of at most 4000 records.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> noise = np.random.default_rng(2)
    >>> x = np.concatenate([noise.normal(0, 1, 2000), noise.normal(9, 1, 2000)])
    >>> y = x + noise.laplace(0, 1, 4000)
    >>> tk.reconstruct.choose_mixture(y, 1.0, components=(1, 2, 3)).n_components
    2
    >>> best = tk.reconstruct.choose_mixture(
    ...     y, 1.0, components=(1, 2, 3), criterion="evidence"
    ... )
    >>> best.n_components
    2
    """
    numbers = [_check.at_least(number, 1, "components") for number in components]
    if not numbers:
        msg = "components must name at least one number of components"
        raise ValueError(msg)
    _check.one_of(criterion, CRITERIA, "criterion")
    if criterion == "evidence" and not mixture._has_evidence:
        msg = f"criterion='evidence' needs a density, which {mixture.__name__} does not have"
        raise ValueError(msg)
    fitted = [mixture(number, scale, **options).fit(y) for number in numbers]
    return max(fitted, key=lambda one: _merit(one, y, criterion))


def _merit(fitted: Mixture, y: ArrayLike, criterion: str) -> float:
    if criterion == "evidence":
        return log_evidence(fitted, y)
    charged = 0.5 * fitted.n_parameters * math.log(len(np.asarray(y)))
    return fitted.loglik_ - (charged if criterion == "bic" else 0.0)


def log_evidence(fitted: Mixture, y: ArrayLike) -> float:
    """Laplace's approximation of the log-probability of the records, parameters integrated out."""
    records = np.asarray(y, dtype=np.float64)
    normals, count = fitted._normals(), len(records)
    at, uniform = normals.parameters(), normals.widths(NARROWEST)
    chosen = records
    if count > RECORDS:
        chosen = records[np.random.default_rng(0).choice(count, RECORDS, replace=False)]
    slopes = np.empty((len(at), len(chosen)))
    for j, step in enumerate(STEP * np.eye(len(at))):
        high = fitted._with(normals.moved(at + step)).score_samples(chosen)
        low = fitted._with(normals.moved(at - step)).score_samples(chosen)
        slopes[j] = (high - low) / (2.0 * STEP)
    information = np.einsum("in,jn->ij", slopes, slopes) * (count / len(chosen))
    # What the records leave open has the variance of its uniform prior.
    precision = information + np.diag(12.0 / uniform**2)
    determinant = float(np.linalg.slogdet(precision)[1])
    log_prior = normals.log_prior(uniform)
    return fitted.loglik_ + log_prior + 0.5 * len(at) * math.log(2.0 * math.pi) - 0.5 * determinant
