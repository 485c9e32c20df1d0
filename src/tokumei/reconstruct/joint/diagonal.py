"""A mixture of several attributes, independent within each component: EM in closed form."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels
from tokumei.reconstruct.joint.covariances import noise_scales
from tokumei.reconstruct.joint.gaussian_algebra import shares
from tokumei.reconstruct.joint.joint_mixture import JointMixture
from tokumei.reconstruct.joint.starts import spread_means
from tokumei.reconstruct.mixture.components import NARROWEST


class DiagonalMixture(JointMixture):
    """Normals with diagonal covariances where Y = X + Laplace noise: equations 18 and 19, by EM.

    Given a component, attributes are independent behind noise as before it, so a record's density
    is a product of those of one attribute, whose moments are closed form (`LaplaceMixture`). Both
    steps are exact: no rate, and the log-likelihood never falls.

    Parameters
    ----------
    n_components : int
        How many normal components.
    scales : float or array-like of shape (d,)
        Scales of the Laplace noise, one for all attributes or one each.
    n_init : int
        Starts at records far from each other; the best log-likelihood wins.
    tol : float
        Stop where a step gains less log-likelihood.
    max_iter : int
        Most steps of a start.
    random_state : int or numpy.random.Generator, optional
        For the starts; None is a fixed seed.

    Attributes
    ----------
    weights_, means_, covariances_ : ndarray
        Of shapes (K,), (K, d) and (K, d, d), by ascending means.
    loglik_ : float
        Log-likelihood of the records.
    n_iter_, converged_ : int, bool
        Steps of the start that won, and whether it came to rest.
    trace_ : tuple of float
        Its log-likelihoods on the way.
    n_features_in_ : int
        Number of attributes.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> noise = np.random.default_rng(5)
    >>> x = noise.normal(size=(3000, 2)) + 9.0 * (np.arange(3000) % 3 == 0)[:, None]
    >>> mixture = tk.reconstruct.DiagonalMixture(2, 1.0).fit(x + noise.laplace(0, 1, x.shape))
    >>> mixture.weights_.round(1), mixture.converged_
    (array([0.7, 0.3]), True)
    """

    _correlated = False

    def __init__(
        self,
        n_components: int,
        scales: ArrayLike,
        *,
        n_init: int = 4,
        tol: float = 1e-3,
        max_iter: int = 2000,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.n_components = n_components
        self.scales = scales
        self.n_init = n_init
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    @property
    def n_parameters(self) -> int:
        """Free numbers of the mixture: what `bic` and `aic` charge for."""
        count, width = len(self._fitted().weights), self.n_features_in_
        return count * (1 + 2 * width) - 1

    def fit(self, X: ArrayLike, y: object = None) -> DiagonalMixture:
        """Find the mixture that makes the noisy records most likely."""
        components = _check.between(self.n_components, 1, 100, "n_components")
        starts = _check.at_least(self.n_init, 1, "n_init")
        tol = _check.above_zero(self.tol, "tol")
        most = _check.at_least(self.max_iter, 1, "max_iter")
        records = self._noisy(X)
        if len(records) < 2 * components:
            msg = f"X must have at least 2 records a component, got {len(records)} for {components}"
            raise ValueError(msg)
        unit = noise_scales(self.scales, records.shape[1])
        chance = (
            np.random.default_rng(0)
            if self.random_state is None
            else _check.generator(self.random_state)
        )
        middle = records.mean(axis=0)
        z = (records - middle) / unit
        run = _check.run(1)
        climbs = [
            _climb(z, _Diagonal.at(z, spread_means(z, components, chance)), tol, most, run)
            for _start in range(starts)
        ]
        best = max(climbs, key=lambda one: one.trace[-1])
        order = np.lexsort(best.mixture.means.T[::-1])
        self.weights_ = best.mixture.weights[order]
        self.means_ = best.mixture.means[order] * unit + middle
        spread = (best.mixture.deviations[order] * unit) ** 2
        self.covariances_ = np.einsum("ki,ij->kij", spread, np.eye(records.shape[1]))
        self.loglik_ = best.trace[-1] - len(records) * float(np.log(unit).sum())
        self.n_iter_, self.converged_ = len(best.trace), best.converged
        self.trace_ = tuple(best.trace)
        self._unit = unit
        return self

    def _component_logs(self, y: Floats) -> Floats:
        deviations = np.sqrt(np.einsum("kii->ki", self.covariances_)) / self._unit
        mixture = _Diagonal(self.weights_, self.means_ / self._unit, deviations)
        logs, _, _ = mixture.moments(y / self._unit, _check.run(1))
        return logs - float(np.log(self._unit).sum())


@dataclass(frozen=True)
class _Diagonal:
    weights: Floats
    means: Floats
    deviations: Floats

    @staticmethod
    def at(z: Floats, means: Floats) -> _Diagonal:
        count = len(means)
        width = np.sqrt(np.maximum(z.var(axis=0) - 2.0, 0.1) / count)
        return _Diagonal(np.full(count, 1.0 / count), means, np.tile(width, (count, 1)))

    def moments(self, z: Floats, run: Run) -> tuple[Floats, Floats, Floats]:
        """Log densities (K, n), and E[x - mean] and its square for each attribute (d, K, n)."""
        count, width = self.means.shape
        logs = np.zeros((count, len(z)))
        first, second = np.empty((2, width, count, len(z)))
        out = np.empty((len(z), 5), order="F")
        for j in range(width):
            column = np.ascontiguousarray(z[:, j])
            for k in range(count):
                mean, deviation = float(self.means[k, j]), float(self.deviations[k, j])
                _kernels.normal_laplace_records(column, mean, deviation, out, run)
                logs[k] += out[:, 0]
                first[j, k], second[j, k] = out[:, 1], out[:, 2]
        return logs, first, second


@dataclass(frozen=True)
class _Climb:
    mixture: _Diagonal
    trace: list[float]
    converged: bool


def _climb(z: Floats, at: _Diagonal, tol: float, most: int, run: Run) -> _Climb:
    trace: list[float] = []
    while True:
        logs, first, second = at.moments(z, run)
        with np.errstate(divide="ignore"):
            given, log_density = shares(logs + np.log(at.weights)[:, None])
        trace.append(float(log_density.sum()))
        if len(trace) > 1 and trace[-1] - trace[-2] < tol:
            return _Climb(at, trace, True)
        if len(trace) == most:
            return _Climb(at, trace, False)
        held = given.sum(axis=1)
        kept = held > 1e-3
        share = np.where(kept, held, 1.0)[:, None]
        shift = np.where(kept[:, None], np.einsum("kn,jkn->kj", given, first) / share, 0.0)
        square = np.einsum("kn,jkn->kj", given, second) / share - shift**2
        width = np.sqrt(np.maximum(square, NARROWEST**2))
        at = _Diagonal(
            held / len(z), at.means + shift, np.where(kept[:, None], width, at.deviations)
        )
