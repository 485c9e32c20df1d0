"""One iteration of EM for a mixture under Laplace noise, a whole fit, and passes of EM on cells."""

from __future__ import annotations

import os

import numpy as np

import tokumei as tk
from bench import problems
from bench.kernel import Case
from bench.kernels.reconstruct import (
    bayes_passes,
    counts_and_scale,
    em_iteration,
    records_and_components,
)
from bench.peers import TRUTH
from bench.race import SMALL
from tokumei.machine import LEVEL_VARIABLE


class EmIteration:
    params = ((100_000, 1_000_000),)
    param_names = ("rows",)
    unit = "largest relative error"

    def setup(self, rows: int) -> None:
        os.environ.pop(LEVEL_VARIABLE, None)
        self.arguments = records_and_components(problems.table("normal", rows, 1), Case("normal"))

    def time_em_iteration(self, rows: int) -> None:
        em_iteration(*self.arguments)

    def track_agreement(self, rows: int) -> float:
        """How far a small problem's sums are from the truth's, beside the largest of them."""
        small = records_and_components(problems.table("normal", SMALL, 1), Case("normal"))
        truth = TRUTH.answer("em_iteration")(*small)
        return float(np.abs(em_iteration(*small) - truth).max() / np.abs(truth).max())


class Fit:
    params = ((1_000_000,), (4,))
    param_names = ("rows", "components")

    def setup(self, rows: int, components: int) -> None:
        table = problems.table("normal", rows, 1)[:, 0]
        self.y = table + np.random.default_rng(problems.SEED).laplace(0.0, 1.0, rows)

    def time_fit(self, rows: int, components: int) -> None:
        tk.reconstruct.LaplaceMixture(components, 1.0).fit(self.y)

    def peakmem_fit(self, rows: int, components: int) -> None:
        tk.reconstruct.LaplaceMixture(components, 1.0).fit(self.y)


class BayesPasses:
    params = ((102, 1_002, 10_002),)
    param_names = ("released cells",)

    def setup(self, cells: int) -> None:
        os.environ.pop(LEVEL_VARIABLE, None)
        self.arguments = counts_and_scale(problems.table("normal", cells, 1), Case("normal"))

    def time_bayes_passes(self, cells: int) -> None:
        bayes_passes(*self.arguments)


class Distribution:
    params = (("laplace", "square-wave"),)
    param_names = ("channel",)

    def setup(self, channel: str) -> None:
        self.channel: tk.noise.Channel
        if channel == "laplace":
            self.channel = tk.noise.laplace(14.0508, lower=17, upper=90, integer=True)
        else:
            self.channel = tk.noise.square_wave(5.2, lower=17, upper=90, integer=True)
        x = np.random.default_rng(problems.SEED).binomial(73, 0.3, 32_561) + 17
        self.y = self.channel.perturb(x)

    def time_distribution(self, channel: str) -> None:
        tk.reconstruct.distribution(self.y, self.channel)
