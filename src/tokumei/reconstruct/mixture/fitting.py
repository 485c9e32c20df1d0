"""A mixture fitted: data, starts and the best climb; and what it makes of values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from tokumei import _check
from tokumei._check import Floats
from tokumei.reconstruct.mixture.bins import FEWEST_RECORDS, WIDTH, binned
from tokumei.reconstruct.mixture.components import Components
from tokumei.reconstruct.mixture.gradient import ascend
from tokumei.reconstruct.mixture.noisy_values import Climb, NoisyValues
from tokumei.reconstruct.mixture.plan import Plan
from tokumei.reconstruct.mixture.starts import starts

# Records may lie as many scales of the noise apart; beyond, doubles do not resolve the noise.
WIDEST = 1e12
REJECTIONS = 200


@dataclass(frozen=True)
class FittedMixture:
    """The best of all starts, by ascending mean; the value that counts as 0 in its units."""

    components: Components
    shift: float
    loglik: float
    steps: int
    converged: bool
    trace: tuple[float, ...]

    def in_values(self, plan: Plan) -> Components:
        """The components in the unit of the values."""
        means = self.components.means * plan.scale + self.shift
        means[self.components.free :] = plan.atoms
        return replace(
            self.components, means=means, deviations=self.components.deviations * plan.scale
        )


def distinct(y: Floats) -> tuple[Floats, Floats]:
    """The different values, ascending, and how often each is there."""
    values, counts = np.unique(y, return_counts=True)
    return values, counts.astype(np.float64)


def fit(plan: Plan, values: Floats, counts: Floats) -> FittedMixture:
    """The best climb from all starts, for values as `distinct` gives them."""
    if len(values) < plan.components:
        msg = (
            f"n_components must not exceed the number of different values in y ({len(values)}), "
            f"got {plan.components}"
        )
        raise ValueError(msg)
    if len(values) == 1:
        msg = "y must hold different values; values that carry Laplace noise do"
        raise ValueError(msg)
    if values[-1] - values[0] > WIDEST * plan.scale:
        msg = f"the values of y lie more than {WIDEST:g} scales apart: is scale that of the noise?"
        raise ValueError(msg)
    records = float(counts.sum())
    shift = float(plan.bounds[0]) if plan.bounds else float(values[len(values) // 2])
    every = (values - shift) / plan.scale, counts
    use_bins = records > FEWEST_RECORDS if plan.binned is None else plan.binned
    few = binned(*every, WIDTH) if use_bins and not plan.gradient else every
    chance = (
        np.random.default_rng(0)
        if plan.random_state is None
        else _check.generator(plan.random_state)
    )
    atoms = (plan.atoms - shift) / plan.scale
    count = 1 if plan.gradient else plan.n_init
    guesses = starts(*few, plan.components, atoms, plan.support(shift), count, chance, plan.run)
    seen = _records(plan, *few, shift)
    climbs = [_climb(plan, seen, guess) for guess in guesses]
    best = max(climbs, key=lambda one: one.loglik)
    loglik = best.loglik
    if few is not every:
        loglik = _records(plan, *every, shift).loglik(best.components)
    total = loglik - records * float(np.log(plan.scale))
    return FittedMixture(
        best.components.by_mean(), shift, total, best.steps, best.converged, best.trace
    )


def _records(plan: Plan, y: Floats, counts: Floats, shift: float) -> NoisyValues:
    return NoisyValues(y, None if (counts == 1.0).all() else counts, plan.edges(shift), plan.run)


def _climb(plan: Plan, records: NoisyValues, start: Components) -> Climb:
    if plan.gradient:
        return ascend(records, start, plan.rate / plan.scale**2, plan.tol, plan.max_iter)
    return records.climb(start, plan.tol, plan.max_iter, plan.accelerate)


def members(plan: Plan, u: Floats, components: Components, shift: float) -> tuple[Floats, Floats]:
    """P(component | record) and the log density of each record, in units of the noise's scale."""
    order = np.argsort(u, kind="stable")
    records = NoisyValues(u[order], None, plan.edges(shift), plan.run)
    found, log_densities = records.members(components)
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return found[back], log_densities[back]


def draw(
    plan: Plan,
    components: Components,
    member: np.ndarray,
    shift: float,
    chance: np.random.Generator,
) -> Floats:
    """A value of each component named; drawn again while it is out of bounds."""
    mean, deviation = components.means[member], components.deviations[member]
    support = plan.support(shift)
    u = mean + deviation * chance.standard_normal(len(member))
    if support is not None:
        for _ in range(REJECTIONS):
            out = np.flatnonzero((u < support[0]) | (u > support[1]))
            if not out.size:
                break
            u[out] = mean[out] + deviation[out] * chance.standard_normal(out.size)
        u = np.clip(u, *support)
    x = u * plan.scale + shift
    if plan.bounds is not None:
        if plan.integer:
            x = np.round(x)
        x = np.clip(x, *plan.bounds)
    is_atom = member >= components.free
    x[is_atom] = plan.atoms[member[is_atom] - components.free]
    return np.asarray(x, dtype=np.float64)
