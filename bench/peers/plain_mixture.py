"""scikit-learn's iteration for a plain normal mixture: another question, asked for its price only.

It knows no noise, so its answer is never compared.
"""

from __future__ import annotations

import numpy as np

from bench.problems import Floats


def available() -> bool:
    # Imported here: nobody calls it on a small problem first, and importing is not to be timed.
    try:
        import sklearn.mixture  # noqa: F401
    except ImportError:
        return False
    return True


def em_iteration(X: Floats, weights: Floats, means: Floats, deviations: Floats) -> Floats:
    from sklearn.mixture import GaussianMixture

    mixture = GaussianMixture(len(weights))
    mixture.weights_, mixture.means_ = weights, means[:, None]
    mixture.covariances_ = deviations[:, None, None] ** 2
    mixture.precisions_cholesky_ = 1.0 / deviations[:, None, None]
    loglik, members = mixture._e_step(X)
    mixture._m_step(X, members)
    return np.append(np.zeros(3 * len(weights)), loglik)
