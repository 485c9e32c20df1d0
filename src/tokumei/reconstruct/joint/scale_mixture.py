"""A mixture of normal distributions of several attributes, fitted through Laplace noise on each."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats
from tokumei.reconstruct.joint.covariances import covariance, noise_scales
from tokumei.reconstruct.joint.joint_mixture import JointMixture
from tokumei.reconstruct.joint.stochastic_em import NormalMixture, best_of, component_logs

MOST_COMPONENTS = 100
MOST_COLUMNS = 64


class ScaleMixture(JointMixture):
    """The joint distribution of X where Y = X + Laplace noise: normals with full covariances.

    Laplace noise is normal noise whose variance is drawn anew for each value, from an exponential
    distribution. Given those variances the mixture has a closed EM step ("extreme deconvolution");
    they are drawn given everything else (1/variance is inverse Gaussian), and the expected
    statistics are averaged over the draws: stochastic approximation EM.

    Parameters
    ----------
    n_components : int
        How many normal components.
    scales : float or array-like of shape (d,)
        Scales of the Laplace noise, one for all attributes or one each.
    n_init : int
        Runs, from the likeliest of four times as many beginnings at records far from each other.
        The likelihood, estimated with the same draws for all, picks among them.
    n_steps : int
        Steps of a start; the first third forgets quickly, the rest is averaged.
    random_state : int or numpy.random.Generator, optional
        For starts and draws; None is a fixed seed.

    Attributes
    ----------
    weights_ : ndarray of shape (K,)
    means_ : ndarray of shape (K, d)
    covariances_ : ndarray of shape (K, d, d)
    loglik_ : float
        Log-likelihood, estimated from 64 draws of the noise's variances a record.
    converged_ : bool
        Whether means and weights stood still in the last tenth of the steps.
    n_features_in_ : int
        Number of attributes.

    Notes
    -----
    Read the result as a density: at the noise that a bound on linkage asks for, no method
    determines single components well. For covariances alone use `covariance`. O(n K d^3) a step.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> noise = np.random.default_rng(4)
    >>> x = noise.normal(size=(4000, 2)) @ np.array([[2.0, 1.0], [0.0, 1.0]])
    >>> joint = tk.reconstruct.ScaleMixture(1, scales=1.0, n_init=1)
    >>> joint.fit(x + noise.laplace(0, 1, x.shape)).covariances_[0].round()
    array([[4., 2.],
           [2., 2.]])
    """

    def __init__(
        self,
        n_components: int,
        scales: ArrayLike,
        *,
        n_init: int = 4,
        n_steps: int = 400,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.n_components = n_components
        self.scales = scales
        self.n_init = n_init
        self.n_steps = n_steps
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> ScaleMixture:
        """Find the mixture that makes the noisy records likely."""
        components = _check.between(self.n_components, 1, MOST_COMPONENTS, "n_components")
        starts = _check.at_least(self.n_init, 1, "n_init")
        steps = _check.at_least(self.n_steps, 3, "n_steps")
        records = self._noisy(X)
        if records.shape[1] > MOST_COLUMNS:
            msg = f"X must have at most {MOST_COLUMNS} columns, got {records.shape[1]}"
            raise ValueError(msg)
        if len(records) < 2 * components:
            msg = f"X must have at least 2 records a component, got {len(records)} for {components}"
            raise ValueError(msg)
        unit = noise_scales(self.scales, records.shape[1])
        constant = int((records == records[0]).all(axis=0).sum())
        if constant:
            msg = f"X has {constant} columns of one value; values that carry Laplace noise differ"
            raise ValueError(msg)
        chance = (
            np.random.default_rng(0)
            if self.random_state is None
            else _check.generator(self.random_state)
        )
        middle = records.mean(axis=0)
        z = np.ascontiguousarray(((records - middle) / unit).T)
        seen = covariance(z.T, 1.0)
        found, loglik, self.converged_ = best_of(starts, z, components, seen, steps, chance)
        order = np.lexsort(found.means.T[::-1])
        self.weights_ = found.weights[order]
        self.means_ = found.means[order] * unit + middle
        self.covariances_ = found.covariances[order] * np.outer(unit, unit)
        self.loglik_ = loglik - len(records) * float(np.log(unit).sum())
        self._unit = unit
        return self

    def _component_logs(self, y: Floats) -> Floats:
        mixture, unit = self._fitted(), self._unit
        scaled = NormalMixture(
            mixture.weights, mixture.means / unit, mixture.covariances / np.outer(unit, unit)
        )
        logs = component_logs(scaled, np.ascontiguousarray((y / unit).T), 0)
        return logs - float(np.log(unit).sum())
