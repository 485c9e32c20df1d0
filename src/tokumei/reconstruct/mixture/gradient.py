"""The paper's Algorithm 1, a baseline: EM that takes one step uphill for means and deviations.

The rate multiplies the derivative of the log-likelihood summed over all records, so a rate that
suits a thousand records throws a million off in the first step; use it to compare, `method="em"` to
fit.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tokumei._kernels import reconstruct as _kernels
from tokumei.reconstruct.mixture.components import Components
from tokumei.reconstruct.mixture.noisy_values import Climb, NoisyValues


def ascend(values: NoisyValues, start: Components, rate: float, tol: float, max_iter: int) -> Climb:
    """Steps until the log-likelihood changes by less than `tol`; all in units of the noise's scale.

    Raises ArithmeticError where a step leaves what a mixture can be.
    """
    here, trace = start, list[float]()
    total = float(len(values.y) if values.counts is None else values.counts.sum())
    sums = np.empty((len(start.weights), 3), order="F")
    for taken in range(1, max_iter + 1):
        parts = here.weights, here.means, here.deviations
        loglik = _kernels.mixture_pass(values.y, values.counts, *parts, sums, values.run)
        trace.append(loglik)
        if taken > 1 and abs(loglik - trace[-2]) < tol:
            return Climb(here, loglik, taken, True, tuple(trace))
        if loglik < trace[0]:
            _fail(taken, "the log-likelihood fell below where it began")
        if taken == max_iter:
            break
        held, first, second = sums.T
        moves = np.arange(len(held)) < here.free
        width = np.where(moves, here.deviations, 1.0)
        with np.errstate(over="ignore", invalid="ignore"):
            means = here.means + np.where(moves, rate * first / width, 0.0)
            deviations = here.deviations + np.where(moves, rate * (second - held) / width, 0.0)
        lost = int((moves & ~(deviations > 0.0)).sum())
        if lost:
            _fail(taken, f"{lost} standard deviations fell to 0 or below")
        outside = ~((means >= values.y[0]) & (means <= values.y[-1])) & moves
        if outside.any() or not np.isfinite(deviations).all():
            _fail(taken, f"{int(outside.sum())} means left the range of the records")
        here = replace(here, weights=held / total, means=means, deviations=deviations)
    return Climb(here, trace[-1], max_iter, False, tuple(trace))


def _fail(step: int, what: str) -> None:
    msg = (
        f"gradient EM diverged in step {step}: {what}. The rate multiplies a sum over all records: "
        f"lower it, or use method='em', which needs none"
    )
    raise ArithmeticError(msg)
