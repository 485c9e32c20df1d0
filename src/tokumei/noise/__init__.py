"""Noise with a bound on linkage: the budget, the channels, and the generator they draw from."""

from tokumei.noise.attribute import Attribute
from tokumei.noise.budget import budget, linkage_k, matrix_share, pk_scale, shares
from tokumei.noise.channel import Channel
from tokumei.noise.generator import GeneratorError, NotPrivateWarning
from tokumei.noise.laplace import Laplace, laplace
from tokumei.noise.perturbed import Perturbed
from tokumei.noise.randomized_response import RandomizedResponse, randomized_response
from tokumei.noise.square_wave import SquareWave, square_wave
from tokumei.noise.table import perturb, plan

__all__ = [
    "Attribute",
    "Channel",
    "GeneratorError",
    "Laplace",
    "NotPrivateWarning",
    "Perturbed",
    "RandomizedResponse",
    "SquareWave",
    "budget",
    "laplace",
    "linkage_k",
    "matrix_share",
    "perturb",
    "pk_scale",
    "plan",
    "randomized_response",
    "shares",
    "square_wave",
]
