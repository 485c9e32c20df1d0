"""How a LaplaceMixture is fitted: what was asked, checked; then data, starts and the best climb."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tokumei import _check
from tokumei._check import Floats
from tokumei.reconstruct.mixture.bins import FEWEST_RECORDS, WIDTH, binned
from tokumei.reconstruct.mixture.bounded import Bounded, cell_edges
from tokumei.reconstruct.mixture.components import Components
from tokumei.reconstruct.mixture.gradient import ascend
from tokumei.reconstruct.mixture.squarem import Climb, climb
from tokumei.reconstruct.mixture.starts import starts
from tokumei.reconstruct.mixture.unbounded import Unbounded

if TYPE_CHECKING:
    from tokumei.reconstruct.mixture.laplace_mixture import LaplaceMixture

MOST_COMPONENTS = 1000
# Records may lie as many scales of the noise apart; beyond, doubles do not resolve the noise.
WIDEST = 1e12
REJECTIONS = 200


@dataclass(frozen=True)
class Plan:
    """A LaplaceMixture's parameters, checked."""

    components: int
    scale: float
    gradient: bool
    bounds: tuple[float, float] | None
    integer: bool
    atoms: Floats
    n_init: int
    accelerate: bool
    tol: float
    max_iter: int
    rate: float
    binned: bool | None
    random_state: int | np.random.Generator | None
    run: _check.Run

    def support(self, shift: float) -> tuple[float, float] | None:
        """Where normal components are cut, in units of the noise's scale."""
        if self.bounds is None:
            return None
        edges = cell_edges(*self.bounds, self.integer, self.scale)
        return (float(edges[0]) - shift) / self.scale, (float(edges[-1]) - shift) / self.scale


@dataclass(frozen=True)
class Found:
    """The best of all starts, and the value that counts as 0 in its units."""

    components: Components
    shift: float
    loglik: float
    steps: int
    converged: bool
    trace: tuple[float, ...]


def plan(mixture: LaplaceMixture, run: _check.Run) -> Plan:
    """Check every parameter before any work is done."""
    gradient = _check.one_of(mixture.method, ("em", "gradient"), "method") == "gradient"
    integer = _check.flag(mixture.integer, "integer")
    bounds = None
    if (mixture.lower is None) != (mixture.upper is None):
        msg = "lower and upper must be given together, or neither"
        raise ValueError(msg)
    if mixture.lower is not None and mixture.upper is not None:
        bounds = _check.bounds(mixture.lower, mixture.upper, integer=integer)
    if integer and bounds is None:
        msg = "integer support needs lower and upper"
        raise ValueError(msg)
    if integer and bounds is not None and bounds[1] - bounds[0] > 1e6:
        msg = "integer support must not span more than a million whole numbers"
        raise ValueError(msg)
    if gradient and bounds is not None:
        msg = "method='gradient' knows no bounds; use method='em'"
        raise ValueError(msg)
    atoms = np.asarray(mixture.atoms, dtype=np.float64).reshape(-1)
    if atoms.size:
        atoms = _check.column(atoms, "atoms")
        if len(np.unique(atoms)) < len(atoms):
            msg = "atoms must differ from each other"
            raise ValueError(msg)
        if bounds is not None and not ((atoms >= bounds[0]) & (atoms <= bounds[1])).all():
            msg = "atoms must lie between lower and upper"
            raise ValueError(msg)
    tol = (1e-3 if gradient else 1e-5) if mixture.tol is None else mixture.tol
    if mixture.binned is not None:
        _check.flag(mixture.binned, "binned")
    return Plan(
        components=_check.between(mixture.n_components, 1, MOST_COMPONENTS, "n_components"),
        scale=_check.above_zero(mixture.scale, "scale"),
        gradient=gradient,
        bounds=bounds,
        integer=integer,
        atoms=atoms,
        n_init=_check.at_least(mixture.n_init, 1, "n_init"),
        accelerate=_check.flag(mixture.accelerate, "accelerate"),
        tol=_check.above_zero(tol, "tol"),
        max_iter=_check.at_least(mixture.max_iter, 1, "max_iter"),
        rate=_check.above_zero(mixture.rate, "rate"),
        binned=mixture.binned,
        random_state=mixture.random_state,
        run=run,
    )


def fit(plan: Plan, y: Floats) -> Found:
    """The best climb from all starts."""
    values, counts = np.unique(y, return_counts=True)
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
    shift = float(plan.bounds[0]) if plan.bounds else float(values[len(values) // 2])
    every = (values - shift) / plan.scale, counts.astype(np.float64)
    use_bins = len(y) > FEWEST_RECORDS if plan.binned is None else plan.binned
    few = binned(*every, WIDTH) if use_bins and not plan.gradient else every
    chance = (
        np.random.default_rng(0)
        if plan.random_state is None
        else _check.generator(plan.random_state)
    )
    atoms = (plan.atoms - shift) / plan.scale
    count = 1 if plan.gradient else plan.n_init
    guesses = starts(*few, plan.components, atoms, plan.support(shift), count, chance)
    climbs = [_climb(plan, few, guess, shift) for guess in guesses]
    best = max(climbs, key=lambda one: one.loglik)
    loglik = best.loglik if few is every else _step(plan, every, shift)(best.components)[1]
    steps, converged = best.steps, best.converged
    total = loglik - len(y) * float(np.log(plan.scale))
    return Found(best.components, shift, total, steps, converged, best.trace)


def _step(plan: Plan, records: tuple[Floats, Floats], shift: float) -> Unbounded | Bounded:
    y, counts = records
    if plan.bounds is None:
        return Unbounded(y, None if (counts == 1.0).all() else counts, plan.run)
    edges = (cell_edges(*plan.bounds, plan.integer, plan.scale) - shift) / plan.scale
    return Bounded(y, counts, edges, plan.run)


def _climb(plan: Plan, records: tuple[Floats, Floats], start: Components, shift: float) -> Climb:
    step = _step(plan, records, shift)
    if plan.gradient and isinstance(step, Unbounded):
        rate = plan.rate / plan.scale**2
        return ascend(step, start, rate, plan.tol, plan.max_iter)
    return climb(step, start, plan.tol, plan.max_iter, plan.accelerate)


def members(plan: Plan, u: Floats, components: Components, shift: float) -> tuple[Floats, Floats]:
    """P(component | record) and the log density of each record, in units of the noise's scale."""
    order = np.argsort(u, kind="stable")
    step = _step(plan, (u[order], np.ones(len(u))), shift)
    found, log_densities = step.members(components)
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
