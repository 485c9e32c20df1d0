"""Estimators in scikit-learn's shape: thin shells over the functions, not needing scikit-learn."""

from tokumei.estimators.estimator import Estimator
from tokumei.estimators.microaggregator import Microaggregator
from tokumei.estimators.noise import LaplaceNoise, RandomizedResponseNoise, SquareWaveNoise

__all__ = [
    "Estimator",
    "LaplaceNoise",
    "Microaggregator",
    "RandomizedResponseNoise",
    "SquareWaveNoise",
]
