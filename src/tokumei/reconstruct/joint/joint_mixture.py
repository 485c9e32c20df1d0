"""What every mixture of several attributes does once it is fitted."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Labels
from tokumei.reconstruct.joint.gaussian_algebra import shares
from tokumei.reconstruct.joint.normal_cells import MOST_POINTS, cell_masses
from tokumei.reconstruct.joint.stochastic_em import NormalMixture
from tokumei.reconstruct.joint.synthetic import normal_table
from tokumei.reconstruct.mixture.normals import Normals
from tokumei.values import features
from tokumei.values.estimator import Estimator


class JointMixture(Estimator):
    """A fitted mixture of normals behind Laplace noise: memberships, densities, cells, samples.

    ``Y`` are noisy records, ``X`` true ones.
    """

    weights_: Floats
    means_: Floats
    covariances_: Floats
    _learned = "weights_"
    _estimator_type = "density_estimator"
    _correlated: ClassVar[bool] = True
    _has_evidence: ClassVar[bool] = True

    def _component_logs(self, y: Floats) -> Floats:
        """Log density of noisy records under each component (rows)."""
        raise NotImplementedError

    @property
    def n_parameters(self) -> int:
        """Free numbers of the mixture: what `bic` and `aic` charge for."""
        count, width = len(self._fitted().weights), self.n_features_in_
        return count * (1 + width + width * (width + 1) // 2) - 1

    def _fitted(self) -> NormalMixture:
        self._check_fitted()
        return NormalMixture(self.weights_, self.means_, self.covariances_)

    def _records(self, values: ArrayLike, name: str) -> Floats:
        self._fitted()
        admitted = self._admit(values, fitting=False)
        return _check.table(features.as_numbers(admitted), name)

    def _noisy(self, X: ArrayLike) -> Floats:
        """The records to fit, checked, and their columns learned."""
        admitted = self._admit(X, fitting=True, least_rows=2)
        records = _check.table(features.as_numbers(admitted))
        self._ranges = np.ptp(records, axis=0)
        return records

    def _normals(self) -> Normals:
        fitted = self._fitted()
        return Normals(
            fitted.weights, fitted.means, fitted.covariances, self._ranges, self._correlated
        )

    def _with(self, normals: Normals) -> JointMixture:
        """The same with other parameters."""
        other = copy.copy(self)
        other.weights_, other.means_ = normals.weights, normals.means
        other.covariances_ = normals.covariances
        return other

    def _shares(self, values: ArrayLike) -> tuple[Floats, Floats]:
        logs = self._component_logs(self._records(values, "Y"))
        with np.errstate(divide="ignore"):
            return shares(logs + np.log(self.weights_)[:, None])

    def predict_proba(self, Y: ArrayLike) -> Floats:
        """P(component | noisy record), records x components."""
        return np.ascontiguousarray(self._shares(Y)[0].T)

    def predict(self, Y: ArrayLike) -> Labels:
        """The component that most likely made each noisy record; the lowest of equals."""
        return np.asarray(self.predict_proba(Y).argmax(axis=1), dtype=np.int64)

    def score_samples(self, Y: ArrayLike) -> Floats:
        """Log density of each noisy record."""
        return self._shares(Y)[1]

    def score(self, X: ArrayLike, y: object = None) -> float:
        """Mean log density of noisy records."""
        return float(self.score_samples(X).mean())

    def bic(self, Y: ArrayLike) -> float:
        """Bayesian information criterion on these noisy records: lower is better."""
        found = self.score_samples(Y)
        return float(self.n_parameters * np.log(len(found)) - 2.0 * found.sum())

    def aic(self, Y: ArrayLike) -> float:
        """Akaike's information criterion on these noisy records: lower is better."""
        return float(2.0 * self.n_parameters - 2.0 * self.score_samples(Y).sum())

    def log_density(self, X: ArrayLike) -> Floats:
        """Log density of the true values at the rows of X."""
        return self._fitted().log_density(self._records(X, "X"))

    def pdf(self, X: ArrayLike) -> Floats:
        """Density of the true values at the rows of X."""
        return np.exp(self.log_density(X))

    def covariance(self) -> Floats:
        """Covariance matrix of the whole mixture."""
        mixture = self._fitted()
        apart = mixture.means - np.einsum("k,ki->i", mixture.weights, mixture.means)
        within = np.einsum("k,kij->ij", mixture.weights, mixture.covariances)
        total: Floats = within + np.einsum("k,ki,kj->ij", mixture.weights, apart, apart)
        return total

    def probabilities(self, cells: Sequence[ArrayLike]) -> Floats:
        """How likely a true record is in each cell; `cells` are ascending edges, one list a column.

        At most three columns.
        """
        mixture = self._fitted()
        edges = [_check.edges(each, "cells") for each in cells]
        if len(edges) != self.n_features_in_ or len(edges) > 3:
            msg = f"cells must hold edges for each of up to 3 columns, got {len(edges)} lists"
            raise ValueError(msg)
        if np.prod([float(len(each)) * 8.0 for each in edges]) > MOST_POINTS * 8.0:
            msg = "cells are too many; take wider ones"
            raise ValueError(msg)
        run = _check.run(1)
        total = np.zeros([len(each) - 1 for each in edges])
        for weight, mean, covariance in zip(
            mixture.weights, mixture.means, mixture.covariances, strict=True
        ):
            total += weight * cell_masses(mean, covariance, edges, run)
        return total

    def sample(
        self,
        n_samples: int,
        *,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        integer: Sequence[bool] | None = None,
        random_state: int | np.random.Generator | None = None,
    ) -> Floats:
        """A synthetic table: values beyond the bounds are moved to them, whole columns rounded."""
        mixture = self._fitted()
        return normal_table(
            mixture.weights,
            mixture.means,
            mixture.covariances,
            n_samples,
            lower=lower,
            upper=upper,
            integer=integer,
            random_state=random_state,
        )
