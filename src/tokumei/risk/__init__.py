"""What risk remains in what is released, measured."""

from tokumei.risk.noise_attack import NoiseAttack, noise_attack

__all__ = ["NoiseAttack", "noise_attack"]
