"""Noise with a bound on linkage: the budget, the channels, and the generator they draw from."""

from tokumei.noise.budget import budget, linkage_k, matrix_share, pk_scale, shares
from tokumei.noise.channel import Channel
from tokumei.noise.generator import GeneratorError, NotPrivateWarning
from tokumei.noise.laplace import Laplace, laplace
from tokumei.noise.randomized_response import RandomizedResponse, randomized_response
from tokumei.noise.square_wave import SquareWave, square_wave

__all__ = [
    "Channel",
    "GeneratorError",
    "Laplace",
    "NotPrivateWarning",
    "RandomizedResponse",
    "SquareWave",
    "budget",
    "laplace",
    "linkage_k",
    "matrix_share",
    "pk_scale",
    "randomized_response",
    "shares",
    "square_wave",
]
