"""Estimators in scikit-learn's shape: thin shells over the functions, not needing scikit-learn."""

from tokumei.estimators.microaggregator import Microaggregator
from tokumei.estimators.noise import LaplaceNoise, RandomizedResponseNoise, SquareWaveNoise
from tokumei.estimators.share_recoder import ShareRecoder

__all__ = [
    "LaplaceNoise",
    "Microaggregator",
    "RandomizedResponseNoise",
    "ShareRecoder",
    "SquareWaveNoise",
]
