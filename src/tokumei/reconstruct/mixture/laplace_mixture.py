"""A mixture of normal distributions, fitted to values that carry Laplace noise."""

from __future__ import annotations

import copy
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Labels
from tokumei.reconstruct.mixture import densities, fitting
from tokumei.reconstruct.mixture.components import Components
from tokumei.reconstruct.mixture.normals import Normals
from tokumei.reconstruct.mixture.plan import (
    MOST_COMPONENTS,
    MOST_STEPS,
    Plan,
    atoms_of,
    bounds_of,
)
from tokumei.values.estimator import Estimator


class LaplaceMixture(Estimator):
    """The distribution of x where y = x + Laplace noise was released: a mixture of normals.

    Expectation-maximisation in closed form: given a noisy value, the true one is one of two
    truncated normal variables, whose moments are exact. Accelerated, from several starts, and for
    many records on bins of a hundredth of the noise's scale.

    Parameters
    ----------
    n_components : int
        How many normal components.
    scale : float
        Scale of the Laplace noise that was added.
    method : {"em", "gradient"}
        "gradient" is Algorithm 1 of Hasegawa et al.: EM with one gradient step of `rate` for means
        and deviations, a baseline. It diverges where the rate does not suit the number of records,
        and says so by an ArithmeticError.
    lower, upper : float, optional
        Public bounds of x: the normal components are cut to them.
    integer : bool
        x is a whole number between `lower` and `upper`; the components give the probabilities of
        unit cells around them.
    atoms : sequence of float
        Values that many records share exactly, such as 0 for amounts. Each adds a component of
        variance 0 that stays where it is; it comes after the normal ones.
    n_init : int
        Starts: quantiles, k-means, then random ones. The best log-likelihood wins.
    accelerate : bool
        Extrapolate the steps of EM (SQUAREM); the log-likelihood never falls either way.
    tol : float, optional
        Stop when a step gains less log-likelihood; 1e-5 by default, 1e-3 for "gradient".
    max_iter : int
        Most steps of a start.
    rate : float
        Rate of "gradient", which uses one start and no bins.
    binned : bool, optional
        Work on bins with their means; by default for more than 10,000 records.
    random_state : int or numpy.random.Generator, optional
        For the random starts; None is a fixed seed.
    n_threads : int, optional
        Number of threads; all that the process may use by default. It changes no bit.

    Attributes
    ----------
    weights_, means_, variances_ : ndarray
        Of the components by ascending mean, then of the atoms.
    loglik_ : float
        Log-likelihood of all fitted records, not of bins.
    n_iter_ : int
        Steps of EM of the start that won.
    converged_ : bool
        Whether that start came to rest within `max_iter`.
    trace_ : tuple of float
        Its log-likelihoods on the way (of the bins, where there are bins).

    Notes
    -----
    The likelihood has no spikes to fall into: a component of variance 0 is a Laplace distribution.
    It is also flat, so a mixture is to be read as a density rather than as a list of clusters.
    Bins of width w change the log-likelihood by less than n w^2 / (24 scale^2): 0.4 for 100,000
    records.

    Examples
    --------
    >>> import numpy as np
    >>> import tokumei as tk
    >>> noise = np.random.default_rng(1)
    >>> x = np.concatenate([noise.normal(0, 1, 3000), noise.normal(8, 1, 1000)])
    >>> mixture = tk.reconstruct.LaplaceMixture(2, scale=1.0).fit(x + noise.laplace(0, 1, 4000))
    >>> mixture.weights_.round(2), mixture.means_.round(1)
    (array([0.75, 0.25]), array([0.1, 8. ]))
    """

    _takes: ClassVar[dict[str, bool]] = {"one_d_array": True, "two_d_array": False}
    _estimator_type = "density_estimator"
    _learned = "weights_"
    _has_evidence = True

    def __init__(
        self,
        n_components: int,
        scale: float,
        *,
        method: str = "em",
        lower: float | None = None,
        upper: float | None = None,
        integer: bool = False,
        atoms: ArrayLike = (),
        n_init: int = 4,
        accelerate: bool = True,
        tol: float | None = None,
        max_iter: int = MOST_STEPS,
        rate: float = 1e-4,
        binned: bool | None = None,
        random_state: int | np.random.Generator | None = None,
        n_threads: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.scale = scale
        self.method = method
        self.lower = lower
        self.upper = upper
        self.integer = integer
        self.atoms = atoms
        self.n_init = n_init
        self.accelerate = accelerate
        self.tol = tol
        self.max_iter = max_iter
        self.rate = rate
        self.binned = binned
        self.random_state = random_state
        self.n_threads = n_threads

    def fit(self, X: ArrayLike, y: object = None) -> LaplaceMixture:
        """Find the mixture that makes the noisy values, a table of one column too, most likely."""
        plan = self._checked()
        values = _check.column(X, "X", largest=_check.LARGEST)
        found = fitting.fit(plan, *fitting.distinct(values))
        self._plan, self._shift = plan, found.shift
        self._range = float(values.min()), float(values.max())
        self._components = found.components
        components = found.in_values(plan)
        self.weights_ = components.weights
        self.means_ = components.means
        self.variances_ = components.deviations**2
        self.loglik_ = found.loglik
        self.n_iter_ = found.steps
        self.converged_ = found.converged
        self.trace_ = found.trace
        return self

    @property
    def n_features_in_(self) -> int:  # type: ignore[override]
        """One, once it is fitted."""
        if not hasattr(self, "weights_"):
            raise AttributeError
        return 1

    def _checked(self) -> Plan:
        """What is asked, checked before any work is done."""
        gradient = _check.one_of(self.method, ("em", "gradient"), "method") == "gradient"
        integer = _check.flag(self.integer, "integer")
        bounds = bounds_of(self.lower, self.upper, integer)
        if gradient and bounds is not None:
            msg = "method='gradient' knows no bounds; use method='em'"
            raise ValueError(msg)
        tol = (1e-3 if gradient else 1e-5) if self.tol is None else self.tol
        if self.binned is not None:
            _check.flag(self.binned, "binned")
        return Plan(
            components=_check.between(self.n_components, 1, MOST_COMPONENTS, "n_components"),
            scale=_check.above_zero(self.scale, "scale"),
            bounds=bounds,
            integer=integer,
            atoms=atoms_of(self.atoms, bounds),
            n_init=_check.at_least(self.n_init, 1, "n_init"),
            tol=_check.above_zero(tol, "tol"),
            run=_check.run(self.n_threads),
            gradient=gradient,
            accelerate=_check.flag(self.accelerate, "accelerate"),
            max_iter=_check.at_least(self.max_iter, 1, "max_iter"),
            rate=_check.above_zero(self.rate, "rate"),
            binned=self.binned,
            random_state=self.random_state,
        )

    def _fitted(self) -> Components:
        self._check_fitted()
        return self._components

    def _normals(self) -> Normals:
        components, free = self._fitted(), self._components.free
        lower, upper = self._plan.bounds or self._range
        return Normals(
            components.weights,
            self.means_[:free, None],
            self.variances_[:free, None, None],
            np.array([upper - lower]),
            correlated=False,
        )

    def _with(self, normals: Normals) -> LaplaceMixture:
        """The same with other parameters."""
        other, known = copy.copy(self), self._components
        means, deviations = known.means.copy(), known.deviations.copy()
        means[: known.free] = (normals.means[:, 0] - self._shift) / self._plan.scale
        deviations[: known.free] = np.sqrt(normals.covariances[:, 0, 0]) / self._plan.scale
        other._components = Components(normals.weights, means, deviations, known.atoms)
        return other

    def _in_units(self, x: ArrayLike, name: str) -> Floats:
        return (_check.column(x, name) - self._shift) / self._plan.scale

    def probabilities(self, cells: ArrayLike) -> Floats:
        """How likely x is in each cell; `cells` are ascending edges, one more than cells.

        An atom on an edge counts for the cell above it, on the last edge for the last cell.
        """
        components = self._fitted()
        edges = (_check.edges(cells, "cells") - self._shift) / self._plan.scale
        support = self._plan.support(self._shift)
        return densities.cell_masses(components, edges, support, self._plan.run)

    def pdf(self, x: ArrayLike) -> Floats:
        """Density of x without its atoms; for whole numbers the probability, atoms with it."""
        components = self._fitted()
        values = _check.column(x, "x")
        if self.integer:
            whole, place = np.unique(np.round(values), return_inverse=True)
            edges = np.unique([whole - 0.5, whole + 0.5])
            masses = self.probabilities(edges)[np.searchsorted(edges, whole - 0.5)]
            return np.where(values == np.round(values), masses[place], 0.0)
        u, support = self._in_units(values, "x"), self._plan.support(self._shift)
        return densities.density(components, u, support, self._plan.run) / self._plan.scale

    def log_density(self, x: ArrayLike) -> Floats:
        """The logarithm of `pdf`; minus infinity where there is nothing."""
        with np.errstate(divide="ignore"):
            return np.log(self.pdf(x))

    def cdf(self, x: ArrayLike) -> Floats:
        """How likely it is that the true value is at most x, atoms included."""
        components = self._fitted()
        values = _check.column(x, "x")
        if self.integer:
            values = np.floor(values) + 0.5
        u, support = self._in_units(values, "x"), self._plan.support(self._shift)
        return densities.cumulated(components, u, support, self._plan.run)

    def predict_proba(self, y: ArrayLike) -> Floats:
        """P(component | noisy value), records x components."""
        components = self._fitted()
        return fitting.members(self._plan, self._in_units(y, "y"), components, self._shift)[0]

    def predict(self, y: ArrayLike) -> Labels:
        """The component that most likely made each noisy value; the lowest of equals."""
        return np.asarray(self.predict_proba(y).argmax(axis=1), dtype=np.int64)

    def score_samples(self, y: ArrayLike) -> Floats:
        """Log density of each noisy value."""
        components = self._fitted()
        found = fitting.members(self._plan, self._in_units(y, "y"), components, self._shift)[1]
        return found - float(np.log(self._plan.scale))

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Mean log density of noisy values."""
        return float(self.score_samples(X).mean())

    @property
    def n_parameters(self) -> int:
        """Free numbers of the mixture: what `bic` and `aic` charge for."""
        components = self._fitted()
        return len(components.weights) - 1 + 2 * components.free

    def bic(self, y: ArrayLike) -> float:
        """Bayesian information criterion on these noisy values: lower is better."""
        found = self.score_samples(y)
        return float(self.n_parameters * np.log(len(found)) - 2.0 * found.sum())

    def aic(self, y: ArrayLike) -> float:
        """Akaike's information criterion on these noisy values: lower is better."""
        return float(2.0 * self.n_parameters - 2.0 * self.score_samples(y).sum())

    def sample(
        self, n_samples: int, random_state: int | np.random.Generator | None = None
    ) -> Floats:
        """Synthetic true values: within the bounds, whole numbers where x is; in random order."""
        components = self._fitted()
        count = _check.at_least(n_samples, 1, "n_samples")
        chance = _check.generator(random_state)
        member = chance.choice(len(components.weights), count, p=components.weights)
        return fitting.draw(self._plan, components, member, self._shift, chance)
