"""Expectation-maximisation to a maximum, accelerated and never downhill."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tokumei.reconstruct.mixture.components import Components

# components -> (components after one step of EM, log-likelihood before it)
Step = Callable[[Components], tuple[Components, float]]

# How much farther the longest extrapolation may become at a time.
GROWTH = 4.0


@dataclass(frozen=True)
class Climb:
    """Where EM arrived: components and their log-likelihood; how it went."""

    components: Components
    loglik: float
    steps: int
    converged: bool
    trace: tuple[float, ...]  # log-likelihoods on the way


def climb(step: Step, start: Components, tol: float, max_iter: int, accelerated: bool) -> Climb:
    """Steps of EM until one gains less than `tol` in log-likelihood.

    Accelerated (SQUAREM, Varadhan & Roland 2008, scheme S3): two steps show direction and decay of
    the sequence, which is extrapolated; what is reached is kept where its log-likelihood is not
    below that of the second point, else the climb goes on from the third. The log-likelihoods of
    the trace never fall, but for rounding.
    """
    here, longest, trace = start, 1.0, list[float]()
    steps = 0
    while True:
        first, loglik = step(here)
        second, after = step(first)
        steps += 2
        trace += [loglik, after]
        converged = after - loglik < tol
        if converged or steps >= max_iter:
            return Climb(first, after, steps, converged, tuple(trace))
        if accelerated:
            leap = _extrapolated(here, first, second, longest)
            if leap is not None:
                beyond, length = leap
                reached, height = step(beyond)
                steps += 1
                if height >= after:
                    trace.append(height)
                    here = reached
                    longest = GROWTH * longest if length == longest else longest
                    continue
                longest = max(1.0, longest / GROWTH)
        here = second


def _extrapolated(
    start: Components, first: Components, second: Components, longest: float
) -> tuple[Components, float] | None:
    """The point that two steps point at, and how far it lies; nothing where they stand still."""
    zero, one, two = start.vector(), first.vector(), second.vector()
    way = one - zero
    bend = (two - one) - way
    size = float(np.sqrt(bend @ bend))
    if size == 0.0:
        return None
    length = min(max(1.0, float(np.sqrt(way @ way)) / size), longest)
    return start.at(zero + 2.0 * length * way + length**2 * bend), length
