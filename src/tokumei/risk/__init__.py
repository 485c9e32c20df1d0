"""What risk remains in what is released, measured."""

from tokumei.risk.classes import ClassSizes, class_sizes
from tokumei.risk.noise_attack import NoiseAttack, noise_attack
from tokumei.risk.special_uniques import SpecialUniques, special_uniques

__all__ = [
    "ClassSizes",
    "NoiseAttack",
    "SpecialUniques",
    "class_sizes",
    "noise_attack",
    "special_uniques",
]
