"""Cells drawn from a start to the records, as far as the evidence for leaving it goes.

The prior holds the table p to its start p0 as `strength` more records distributed like it would
(a Dirichlet law): the most probable log-densities are the fixed point of EM that adds
strength * p0 to the counts it expects. Of several strengths each counts in proportion to its
evidence, an infinite one, the start itself, among them:

    log evidence = log-likelihood - strength KL(p0, p) - 1/2 log det(1 + n/strength K)

K is the information that the channel leaves of a cell, in units of a record seen without noise:
its eigenvalues lie between 0 and 1. It is never made: Lanczos' iteration from a few random
vectors gives log determinants and degrees of freedom of every strength at once (Ubaru, Chen & Saad
2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tokumei._check import Floats, Run
from tokumei.reconstruct.cells.transitions import CellTransition, product
from tokumei.reconstruct.smoothing.smoothness import weights_of

# Records' worth of the start, as shares of the records; before them an infinite one, which has nine
# tenths of the prior: weak evidence leaves a table where it began.
STRENGTHS = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
STAYING = 0.9
PASSES, GAIN = 200, 0.02
PROBES, STEPS = 12, 30
# Tables of so few cells have the matrix made.
FEW = 200
# Evidence so far below the best ends the search: weaker priors only follow the noise further.
HOPELESS = 30.0
LEAST = 1e-15


@dataclass(frozen=True)
class Spectrum:
    """Nodes and weights of the eigenvalues of K, and the operator itself."""

    nodes: Floats
    weights: Floats
    operator: Information

    def log_determinant(self, ratio: float) -> float:
        """Of 1 + ratio K."""
        return float(self.weights @ np.log1p(ratio * self.nodes))

    def freedom(self, ratio: float) -> float:
        """The trace of ratio K / (1 + ratio K)."""
        return float(self.weights @ (ratio * self.nodes / (1.0 + ratio * self.nodes)))


@dataclass(frozen=True)
class Shrunk:
    """Tables by strength of the prior, the first infinite, and what each counts.

    `passes` are those of EM together.
    """

    start: Floats
    tables: tuple[Floats, ...]
    strengths: tuple[float, ...]
    weights: Floats
    passes: int
    freedom: float
    spectrum: Spectrum

    @property
    def table(self) -> Floats:
        """The average."""
        total = np.zeros_like(self.start)
        for weight, one in zip(self.weights, self.tables, strict=True):
            total += weight * one
        return total / float(total.sum())


class Information:
    """K v = D^1/2 T' (T D^1/2 v / T p), D = diag(p): the information left, cell by cell."""

    def __init__(self, transitions: Sequence[CellTransition], start: Floats) -> None:
        self._transitions = list(transitions)
        self._expected = product(self._transitions, start, forward=True)
        self.root = np.sqrt(start)

    def times(self, vector: Floats) -> Floats:
        """K v, for v of the table's shape without its part along the root of p."""
        seen = product(self._transitions, self.root * vector, forward=True) / self._expected
        return self.apart(self.root * product(self._transitions, seen, forward=False))

    def apart(self, vector: Floats) -> Floats:
        """v less its part along the root of p, which only changes the sum of the table."""
        rest: Floats = vector - self.root * float((self.root * vector).sum())
        return rest


def lanczos(operator: Information, vector: Floats, steps: int) -> tuple[Floats, Floats, Floats]:
    """Diagonal and off-diagonal of K in the basis (rows) that grows from a vector."""
    basis = np.zeros((steps, vector.size))
    diagonal, beside = np.zeros(steps), np.zeros(steps)
    now = vector.reshape(-1) / _length(vector)
    for step in range(steps):
        basis[step] = now
        ahead = operator.times(now.reshape(vector.shape)).reshape(-1)
        diagonal[step] = float(np.einsum("i,i->", ahead, now))
        # Against all vectors before, twice: rounding would bring them back.
        for _ in range(2):
            held = np.einsum("ij,j->i", basis[: step + 1], ahead)
            ahead = ahead - np.einsum("i,ij->j", held, basis[: step + 1])
        beside[step] = _length(ahead)
        if beside[step] < 1e-10:
            return diagonal[: step + 1], beside[:step], basis[: step + 1]
        now = ahead / beside[step]
    return diagonal, beside[: steps - 1], basis


def spectrum(operator: Information, chance: np.random.Generator) -> Spectrum:
    """The eigenvalues of K: all of them, or those a few random vectors of signs stand for."""
    nodes, weights = [], []
    cells = operator.root.size
    if cells <= FEW:
        matrix = [operator.times(unit.reshape(operator.root.shape)) for unit in np.eye(cells)]
        values = np.linalg.eigvalsh(np.array(matrix).reshape(cells, cells))
        return Spectrum(np.clip(values, 0.0, 1.0), np.ones(cells), operator)
    for _ in range(PROBES):
        signs = np.where(chance.random(operator.root.shape) < 0.5, -1.0, 1.0)
        probe = operator.apart(np.asarray(signs, dtype=np.float64))
        diagonal, beside, _basis = lanczos(operator, probe, min(STEPS, cells - 1))
        values, vectors = np.linalg.eigh(_tridiagonal(diagonal, beside))
        nodes.append(np.maximum(values, 0.0))
        weights.append((cells - 1.0) / PROBES * vectors[0] ** 2)
    return Spectrum(np.concatenate(nodes), np.concatenate(weights), operator)


def _length(vector: Floats) -> float:
    return float(np.sqrt((vector * vector).sum()))


def _tridiagonal(diagonal: Floats, beside: Floats) -> Floats:
    return np.diag(diagonal) + np.diag(beside, 1) + np.diag(beside, -1)


def shrunk(
    transitions: Sequence[CellTransition],
    counts: Floats,
    start: Floats,
    most: int,
    run: Run,
    chance: np.random.Generator,
) -> Shrunk:
    """The tables of all strengths and their weights; `most` passes of EM together."""
    transitions, records = list(transitions), float(counts.sum())
    at = np.maximum(start, LEAST)
    at = begin = at / at.sum()
    held = spectrum(Information(transitions, begin), chance)
    tables, strengths, used, freedom = [begin], [np.inf], 0, [0.0]
    apart = float(np.log((1.0 - STAYING) / STAYING / len(STRENGTHS)))
    evidence = [_log_likelihood(transitions, counts, begin)]
    for share in STRENGTHS:
        at, likelihood, made = _climb(
            transitions, counts, begin, at, share, min(PASSES, most - used)
        )
        used += made
        away = float((begin * np.log(begin / at)).sum())
        cost = 0.5 * held.log_determinant(1.0 / share)
        evidence.append(likelihood - share * records * away - cost + apart)
        tables.append(at)
        strengths.append(share * records)
        freedom.append(held.freedom(1.0 / share))
        run.tell(used / most)
        if used >= most or evidence[-1] < max(evidence) - HOPELESS:
            break
    weights = weights_of(evidence)
    return Shrunk(
        begin,
        tuple(tables),
        tuple(strengths),
        weights,
        used,
        float(weights @ freedom),
        held,
    )


def _climb(
    transitions: list[CellTransition],
    counts: Floats,
    start: Floats,
    at: Floats,
    share: float,
    most: int,
) -> tuple[Floats, float, int]:
    """EM that holds to the start; the table, its log-likelihood and the passes it took."""
    records, before, made = float(counts.sum()), -np.inf, 0
    while True:
        expected = product(transitions, at, forward=True)
        likelihood = float((counts * np.log(expected)).sum())
        value = likelihood - share * records * float((start * np.log(start / at)).sum())
        if value - before < GAIN or made == most:
            return at, likelihood, made
        before = value
        back = product(transitions, counts / expected, forward=False)
        at = np.maximum((at * back / records + share * start) / (1.0 + share), LEAST)
        at = at / at.sum()
        made += 1


def _log_likelihood(transitions: list[CellTransition], counts: Floats, table: Floats) -> float:
    return float((counts * np.log(product(transitions, table, forward=True))).sum())


def draws(found: Shrunk, starts: Floats, run: Run, chance: np.random.Generator) -> Floats:
    """Tables as likely as the one found, one for each draw of the start (rows)."""
    out = np.empty_like(starts)
    picks = chance.choice(len(found.weights), len(starts), p=found.weights)
    for number, (start, pick) in enumerate(zip(starts, picks, strict=True)):
        run.tell(number / len(starts))
        if pick == 0:
            out[number] = start
            continue
        moved = found.tables[pick] * start / found.start
        wide = moved + _around(found, int(pick), chance)
        out[number] = np.maximum(wide, 0.0)
        out[number] /= out[number].sum()
    return out


def _around(found: Shrunk, pick: int, chance: np.random.Generator) -> Floats:
    """A normal deviation of covariance D^1/2 (strength + n K)^-1 D^1/2."""
    operator, strength = found.spectrum.operator, found.strengths[pick]
    records = strength / STRENGTHS[pick - 1]
    normal = operator.apart(chance.standard_normal(operator.root.shape))
    diagonal, beside, basis = lanczos(operator, normal, min(STEPS, normal.size - 1))
    values, vectors = np.linalg.eigh(_tridiagonal(diagonal, beside))
    divided = vectors[0] / np.sqrt(strength + records * np.maximum(values, 0.0))
    root = np.einsum("ij,j->i", vectors, divided)
    along = np.einsum("i,ij->j", root, basis).reshape(normal.shape)
    return np.asarray(operator.root * along * _length(normal))
