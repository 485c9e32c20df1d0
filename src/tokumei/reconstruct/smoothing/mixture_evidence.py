"""Mixtures of 1 to 6 normals under Laplace noise, and the evidence for each on cells.

Under wide noise most mixtures explain the records equally well, and criteria that count parameters
(BIC) charge for what the data hardly determine. The evidence charges for what is determined:
Laplace's approximation with weights, means and logarithms of deviations equally likely a priori.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei._kernels import reconstruct as _kernels
from tokumei.reconstruct.mixture.components import Components

COMPONENTS = range(1, 7)
STARTS, GAIN = 2, 1e-3
# The narrowest normal, in cells: narrower ones look the same.
NARROWEST = 0.25


@dataclass(frozen=True)
class MixtureEvidence:
    """A mixture's cells, the evidence for it, and how many numbers the records determine."""

    probabilities: Floats
    evidence: float
    loglik: float
    freedom: float


def mixture_evidence(
    mixture: Components, edges: Floats, matrix: Floats, counts: Floats, run: Run
) -> MixtureEvidence:
    """The evidence for a fitted mixture on cells that transition by `matrix`.

    Its parameters on cells are logits of weights, means in widths of all cells, log deviations.
    """
    width, cells, k = float(edges[-1] - edges[0]), len(edges) - 1, len(mixture.weights)
    widest = math.log(cells / NARROWEST)
    shares = np.maximum(mixture.weights, 1e-6)
    logits = np.log(shares[:-1] / shares[-1])
    means = np.clip((mixture.means - edges[0]) / width, -1.0, 2.0)
    deviations = np.clip(mixture.deviations, NARROWEST * width / cells, width)
    parameters = np.concatenate([logits, means, np.log(deviations / width)])
    # For what the data leave open: the variances of the uniform priors.
    prior = np.repeat([0.25, 12.0, 12.0 / widest**2], [k - 1, k, k])
    places = (edges - edges[0]) / width
    found, factor = np.empty(cells), np.empty((len(parameters), len(parameters)))
    loglik, log_determinant, freedom = _kernels.mixture_evidence(
        places,
        parameters,
        np.ascontiguousarray(matrix).reshape(-1),
        counts,
        prior,
        found,
        factor.reshape(-1),
        run,
    )
    # Of weights, means and log deviations, whatever the order of the components.
    log_weights = float(np.log(shares / shares.sum()).sum())
    log_prior = math.lgamma(k) + log_weights - k * math.log(widest) + math.lgamma(k + 1)
    evidence = (
        loglik + log_prior + 0.5 * len(parameters) * math.log(2.0 * math.pi) - 0.5 * log_determinant
    )
    return MixtureEvidence(found, evidence, loglik, freedom)
