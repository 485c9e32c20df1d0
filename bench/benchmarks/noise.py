"""Secure draws: each channel on a million records, beside numpy's Laplace noise, which is neither
secret nor exact."""

from __future__ import annotations

import time

import numpy as np

import tokumei as tk
from bench import problems

ROWS = 1_000_000
CHANNELS: dict[str, tk.noise.Channel] = {
    "laplace": tk.noise.laplace(14.0508, lower=17, upper=90, integer=True),
    "laplace on a fine lattice": tk.noise.laplace(14.0508, lower=17, upper=90),
    "randomized-response": tk.noise.randomized_response(5.2, lower=17, upper=90, integer=True),
    "square-wave": tk.noise.square_wave(5.2, lower=17, upper=90, integer=True),
}


def values() -> np.ndarray:
    return np.random.default_rng(problems.SEED).integers(17, 91, ROWS).astype(np.float64)


class Perturb:
    params = (tuple(CHANNELS), (1, 2))
    param_names = ("channel", "threads")

    def setup(self, channel: str, threads: int) -> None:
        self.channel, self.x = CHANNELS[channel], values()

    def time_perturb(self, channel: str, threads: int) -> None:
        self.channel.perturb(self.x, n_threads=threads)

    def peakmem_perturb(self, channel: str, threads: int) -> None:
        self.channel.perturb(self.x, n_threads=threads)


if __name__ == "__main__":
    x, rng = values(), np.random.default_rng(problems.SEED)

    def seconds(call: object) -> float:
        begin = time.process_time()
        call()  # type: ignore[operator]
        return time.process_time() - begin

    naive = min(seconds(lambda: x + rng.laplace(scale=14.0508, size=ROWS)) for _ in range(3))
    print(f"{'numpy, not private':<26} {ROWS / naive / 1e6:6.1f} million a second")
    for name, channel in CHANNELS.items():
        spent = min(seconds(lambda c=channel: c.perturb(x, n_threads=1)) for _ in range(3))
        print(f"{name:<26} {ROWS / spent / 1e6:6.1f} million a second")
