"""The paper's Algorithm 2 for several attributes, kept as a baseline."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Labels
from tokumei._kernels import reconstruct as _kernels
from tokumei.reconstruct.joint.covariances import noise_scales
from tokumei.reconstruct.joint.gaussian_algebra import shares
from tokumei.reconstruct.joint.joint_mixture import JointMixture
from tokumei.reconstruct.mixture.components import NARROWEST


class RotatedMixture(JointMixture):
    """Algorithm 2 of Hasegawa et al.: rotate each cluster by its principal axes. A baseline.

    Every step assigns each record to its likeliest component, rotates the records of a component to
    their principal axes, and there treats the attributes as independent, each under Laplace noise
    of one scale. That is wrong in two ways, which is why `ScaleMixture` is to be used instead:
    rotated Laplace noise is neither Laplace nor independent, and clusters cut out of noisy records
    are biased. Means and deviations are moved by exact steps of EM, which favours it, or by the
    paper's gradient steps.

    Parameters
    ----------
    n_components : int
        How many components.
    scales : float or array-like of shape (d,)
        Scales of the Laplace noise; the method knows one and takes their root mean square.
    method : {"em", "gradient"}
        "gradient" takes one step of `rate` uphill; it diverges where the rate does not suit the
        number of records, and says so by an ArithmeticError.
    rate : float
        Rate of "gradient", in units of the noise's scale.
    max_iter, tol : int, float
        Most steps, and the change of the log-likelihood at which it stops.
    random_state : int or numpy.random.Generator, optional
        For the start; None is a fixed seed.

    Attributes
    ----------
    weights_, means_, covariances_ : ndarray
        Of shapes (K,), (K, d) and (K, d, d).
    labels_ : ndarray of int64
        The component each record was assigned to last.
    loglik_ : float
        Log-likelihood of the records, as the algorithm understands it.
    n_iter_, converged_ : int, bool
        Steps taken, and whether the last changed the log-likelihood by less than `tol`.
    n_features_in_ : int
        Number of attributes.

    Notes
    -----
    Its log-likelihood is that of the wrong model above: good for the paper's choice of components,
    and to be compared with no other mixture's.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> noise = np.random.default_rng(5)
    >>> x = noise.normal(size=(2000, 2)) + 20.0 * (np.arange(2000) % 2)[:, None]
    >>> y = x + noise.laplace(0, 1, x.shape)
    >>> tk.reconstruct.RotatedMixture(2, 1.0).fit(y).weights_.round(1)
    array([0.5, 0.5])
    """

    # Rotated noise is taken for what it is not: a likelihood of its own, of no model.
    _has_evidence = False

    def __init__(
        self,
        n_components: int,
        scales: ArrayLike,
        *,
        method: str = "em",
        rate: float = 1e-4,
        max_iter: int = 100,
        tol: float = 1e-3,
        random_state: int | np.random.Generator | None = None,
    ) -> None:
        self.n_components = n_components
        self.scales = scales
        self.method = method
        self.rate = rate
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> RotatedMixture:
        """Run the algorithm on noisy records."""
        components = _check.between(self.n_components, 1, 100, "n_components")
        tol = _check.above_zero(self.tol, "tol")
        gradient = _check.one_of(self.method, ("em", "gradient"), "method") == "gradient"
        rate = _check.above_zero(self.rate, "rate") if gradient else 0.0
        records = self._noisy(X)
        if len(records) < 2 * components:
            msg = f"X must have at least 2 records a component, got {len(records)} for {components}"
            raise ValueError(msg)
        width = records.shape[1]
        scale = float(np.sqrt(np.mean(noise_scales(self.scales, width) ** 2)))
        chance = (
            np.random.default_rng(0)
            if self.random_state is None
            else _check.generator(self.random_state)
        )
        middle = records.mean(axis=0)
        z = (records - middle) / scale
        run = _check.run(1)
        weights = np.full(components, 1.0 / components)
        means = z[chance.choice(len(z), components, replace=False)]
        widths = np.tile(np.maximum(z.std(axis=0) / 2.0, 1e-3), (components, 1))
        axes = np.repeat(np.eye(width)[None], components, axis=0)
        before, self.n_iter_, self.converged_ = -np.inf, 0, False
        for _step in range(_check.at_least(self.max_iter, 1, "max_iter")):
            self.n_iter_ += 1
            logs = np.array(
                [
                    _log_density(z @ axes[k], means[k] @ axes[k], widths[k], run)
                    for k in range(components)
                ]
            )
            with np.errstate(divide="ignore"):
                given, log_density = shares(logs + np.log(weights)[:, None])
            labels = given.argmax(axis=0)
            after = float(log_density.sum())
            if abs(after - before) < tol:
                self.converged_ = True
                break
            before = after
            weights = given.sum(axis=1) / len(z)
            for k in range(components):
                own = z[labels == k]
                if len(own) > width:
                    means[k], widths[k], axes[k] = _moved(
                        own, means[k], widths[k], axes[k], rate, run
                    )
        self.weights_ = weights
        self.means_ = means * scale + middle
        self.covariances_ = np.einsum("kij,kj,klj->kil", axes, (widths * scale) ** 2, axes)
        self.labels_: Labels = labels.astype(np.int64)
        self._scale, self._axes, self._widths = scale, axes, widths
        with np.errstate(divide="ignore"):
            logs = self._component_logs(records) + np.log(weights)[:, None]
        self.loglik_ = float(shares(logs)[1].sum())
        return self

    def _component_logs(self, y: Floats) -> Floats:
        run, scale = _check.run(1), self._scale
        parts = zip(self.means_ / scale, self._widths, self._axes, strict=True)
        logs = [_log_density(y / scale @ a, m @ a, w, run) for m, w, a in parts]
        return np.asarray(np.array(logs) - y.shape[1] * float(np.log(scale)))


def _log_density(u: Floats, means: Floats, widths: Floats, run: _check.Run) -> Floats:
    total = np.zeros(len(u))
    for j in range(u.shape[1]):
        total += _moments(u[:, j], means[j], widths[j], run)[:, 0]
    return total


def _moments(u: Floats, mean: float, width: float, run: _check.Run) -> Floats:
    """Log density, E[x - mean] and E[(x - mean)^2] of each record, and more."""
    out = np.empty((len(u), 5), order="F")
    _kernels.normal_laplace_records(np.ascontiguousarray(u), mean, width, out, run)
    return out


def _moved(
    own: Floats, mean: Floats, widths: Floats, axes: Floats, rate: float, run: _check.Run
) -> tuple[Floats, Floats, Floats]:
    """One step for one component along the principal axes of its records: of EM, or uphill."""
    _, turned = np.linalg.eigh(np.cov(own.T, bias=True).reshape(own.shape[1], own.shape[1]))
    shape = turned.T @ (axes * widths**2) @ axes.T @ turned
    widths = np.sqrt(np.maximum(np.diag(shape), NARROWEST**2))
    u, at = own @ turned, mean @ turned
    for j in range(own.shape[1]):
        found = _moments(u[:, j], at[j], widths[j], run)
        if rate > 0.0:
            shift = rate * found[:, 1].sum() / widths[j] ** 2
            wider = rate * (found[:, 2] - widths[j] ** 2).sum() / widths[j] ** 3
            if not widths[j] + wider > 0.0 or not np.isfinite(shift):
                msg = (
                    "gradient steps diverged: a standard deviation fell to 0 or below. The rate "
                    "multiplies a sum over records: lower it, or use method='em'"
                )
                raise ArithmeticError(msg)
            at[j], widths[j] = at[j] + shift, widths[j] + wider
            continue
        shift = found[:, 1].mean()
        widths[j] = np.sqrt(max(found[:, 2].mean() - shift * shift, NARROWEST**2))
        at[j] += shift
    return turned @ at, widths, turned
