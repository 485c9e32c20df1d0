"""Every mechanism of noise under one budget."""

import tokumei as tk

noise = tk.noise


def channels_of(epsilon, lower=1, upper=5):
    """Every mechanism with that epsilon on whole numbers."""
    scale = (upper - lower) / epsilon
    return {
        "laplace": noise.laplace(scale, lower=lower, upper=upper, integer=True),
        "response": noise.randomized_response(epsilon, lower=lower, upper=upper, integer=True),
        "wave": noise.square_wave(epsilon, lower=lower, upper=upper, integer=True),
        "reach 1": noise.square_wave(epsilon, lower=lower, upper=upper, integer=True, reach=1),
    }


MECHANISMS = list(channels_of(1.0))
