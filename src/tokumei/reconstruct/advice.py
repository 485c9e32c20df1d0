"""Which channel an attribute should have, and what accuracy to expect: by simulation.

Nothing of the data is looked at: bounds, categories, the number of records and k are public. Values
are drawn from plain shapes, perturbed, reconstructed and compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tokumei import _check
from tokumei._check import Floats, Run
from tokumei.noise import shares
from tokumei.noise.attribute import MECHANISMS, Attribute
from tokumei.noise.channel import OwnChannel
from tokumei.noise.laplace import Laplace
from tokumei.reconstruct.cells.accuracy import l1_accuracy
from tokumei.reconstruct.cells.resolution import Coarse
from tokumei.reconstruct.cells.support import Support, support_of
from tokumei.reconstruct.estimates import smooth_estimate
from tokumei.reconstruct.smoothing.smoothness import MOST_CELLS

# Parts of the budget that are tried, in equal parts of it.
PARTS = (0.5, 1.0, 2.0)
# Of an equal part: what is moved from one attribute to another at a time, and the least left.
MOVED, LEAST = 0.125, 0.5
MOST_RECORDS = 100_000


@dataclass(frozen=True)
class Expected:
    """What is to be expected of one attribute.

    `mechanism` and `weight` are the best found; `accuracy` is the mean L1 accuracy of its
    histogram over shapes and draws with them, `lowest` the least of these; `equal_split` holds for
    every mechanism the mean accuracy at an equal part of the budget.
    """

    mechanism: str
    weight: float
    accuracy: float
    lowest: float
    equal_split: Mapping[str, float]


@dataclass(frozen=True)
class Advice:
    """Channels and parts of the budget, with the accuracy to expect of each attribute.

    `attributes` are those asked about with mechanism and weight as advised, for `noise.perturb`.
    """

    attributes: tuple[Attribute, ...]
    expected: tuple[Expected, ...]
    records: int
    k: int

    def to_dict(self) -> dict[str, Any]:
        """The figures in plain dictionaries and lists."""
        return {
            "records": self.records,
            "k": self.k,
            "attributes": [
                {**vars(one), "equal_split": dict(one.equal_split)} for one in self.expected
            ],
        }


def advise(
    schema: Sequence[Attribute],
    n: int,
    k: int,
    *,
    mechanisms: Sequence[str] = MECHANISMS,
    draws: int = 2,
    random_state: int | np.random.Generator | None = None,
) -> Advice:
    """Say which channel each attribute should have under one bound on linkage, and what follows.

    For each attribute, mechanism and part of the budget, values of plain shapes (a bell, a skewed
    one and two groups; for categories even, falling and steep shares) are perturbed and
    reconstructed. The budget is then moved between attributes as long as the mean accuracy grows.

    Parameters
    ----------
    schema : sequence of Attribute
        The attributes; their mechanisms and weights are not looked at.
    n, k : int
        Number of records and the bound on linkage, as for `noise.budget`.
    mechanisms : sequence of str
        Which to consider; categories have randomised response in any case.
    draws : int
        Draws of each shape.
    random_state : int or numpy.random.Generator, optional
        For the simulation; None is a fixed seed.

    Returns
    -------
    Advice
        Attributes as advised, and the accuracies to expect.

    Notes
    -----
    More than 100,000 records are simulated by 100,000, which is a little pessimistic. Accuracies
    are those of margins in whole numbers (up to 200) or 100 cells, or in the attribute's cells.

    Examples
    --------
    >>> import tokumei as tk
    >>> schema = [tk.noise.Attribute(0, 9, integer=True), tk.noise.Attribute(categories=["f", "m"])]
    >>> advice = tk.reconstruct.advise(schema, n=2000, k=2, draws=1)
    >>> [one.mechanism for one in advice.attributes]
    ['randomized-response', 'randomized-response']
    """
    schema = tuple(schema)
    if not schema:
        msg = "schema must hold at least one attribute"
        raise ValueError(msg)
    for one in schema:
        _check.instance(one, Attribute, "schema")
        if not one.bounded:
            msg = "schema must hold attributes with bounds or categories"
            raise ValueError(msg)
    wanted = [_check.one_of(name, MECHANISMS, "mechanisms") for name in mechanisms]
    if not wanted:
        msg = "mechanisms must name at least one mechanism"
        raise ValueError(msg)
    draws = _check.at_least(draws, 1, "draws")
    chance = np.random.default_rng(0) if random_state is None else _check.generator(random_state)
    total = float(shares(n, k, [1.0])[0])
    run, count = _check.run(1), len(schema)
    parts = PARTS if count > 1 else (1.0,)
    found: list[dict[str, Floats]] = []
    for one in schema:
        tried = ["randomized-response"] if one.categories is not None else wanted
        found.append(
            {
                name: np.array(
                    [
                        _accuracies(
                            one,
                            name,
                            total * part / count,
                            min(n, MOST_RECORDS),
                            draws,
                            chance,
                            run,
                        )
                        for part in parts
                    ]
                )
                for name in tried
            }
        )
    split = _split(found, parts)
    made, expected = [], []
    for one, accuracies, part in zip(schema, found, split, strict=True):
        best = max(accuracies, key=lambda name: _at(accuracies[name].mean(axis=1), parts, part))
        means, lowest = accuracies[best].mean(axis=1), accuracies[best].min(axis=1)
        equal = parts.index(1.0)
        made.append(_with(one, best, part))
        expected.append(
            Expected(
                best,
                part,
                _at(means, parts, part),
                _at(lowest, parts, part),
                {name: float(rows[equal].mean()) for name, rows in accuracies.items()},
            )
        )
    return Advice(tuple(made), tuple(expected), n, k)


def _with(attribute: Attribute, mechanism: str, weight: float) -> Attribute:
    """The attribute with another mechanism, without options that are not of it."""
    changed: dict[str, Any] = {"mechanism": mechanism, "weight": weight}
    if mechanism == "laplace":
        changed["cells"] = None
    if mechanism != "randomized-response":
        changed["max_retention"] = None
    if mechanism != "square-wave":
        changed["reach"] = None
    return replace(attribute, **changed)


def _accuracies(
    attribute: Attribute,
    mechanism: str,
    epsilon: float,
    records: int,
    draws: int,
    chance: np.random.Generator,
    run: Run,
) -> Floats:
    """L1 accuracies over shapes and draws."""
    cells = _cells(attribute, epsilon)
    own = replace(_with(attribute, mechanism, 1.0), missing="refuse")
    if mechanism != "laplace" and attribute.categories is None:
        own = replace(own, cells=cells.cells)
    channel = own.channels([epsilon])[0]
    support = support_of(channel, cells.cells)
    coarse = Coarse(support, MOST_CELLS)
    found = []
    for shape in _shapes(support.count, attribute.categories is not None):
        for _ in range(draws):
            counts = chance.multinomial(records, shape)
            y = _released(channel, support, counts, chance)
            made = smooth_estimate(y, channel, coarse, (1, 2, 3), run)
            found.append(l1_accuracy(support.joined(made.probabilities), counts))
    return np.array(found)


def _cells(attribute: Attribute, epsilon: float) -> Support:
    if attribute.categories is not None:
        count = len(attribute.categories)
        return Support(np.arange(count + 1, dtype=np.float64) - 0.5, True, np.empty(0))
    plain = _with(replace(attribute, missing="refuse"), "laplace", 1.0)
    asked: ArrayLike | None = attribute.cells
    return support_of(plain.channels([epsilon])[0], asked)


def _shapes(count: int, categories: bool) -> list[Floats]:
    """Probabilities of cells: plain shapes that an attribute may have."""
    at = (np.arange(count) + 0.5) / count
    if categories:
        shapes = [np.ones(count), 1.0 / np.arange(1, count + 1), 0.5 ** np.arange(count)]
    else:
        shapes = [
            np.exp(-0.5 * ((at - 0.45) / 0.17) ** 2),
            at**0.5 * np.exp(-at / 0.12),
            np.exp(-0.5 * ((at - 0.3) / 0.08) ** 2) + 0.6 * np.exp(-0.5 * ((at - 0.7) / 0.1) ** 2),
        ]
    return [shape / shape.sum() for shape in shapes]


def _released(
    channel: OwnChannel, support: Support, counts: np.ndarray, chance: np.random.Generator
) -> Floats:
    """Released values for so many true ones in each cell: for a simulation, not for a release."""
    if isinstance(channel, Laplace):
        first, last = support.ends
        low, high = np.repeat(first, counts), np.repeat(last, counts)
        if support.integer:
            x = low + np.floor(chance.random(len(low)) * (high - low + 1.0))
        else:
            x = low + chance.random(len(low)) * (high - low)
        noise = chance.laplace(0.0, channel.scale, len(x))
        return np.rint(x + noise) if support.integer else x + noise
    matrix = channel.transition(support.cells)
    outputs = channel.outputs(support.cells)
    made = sum(
        (chance.multinomial(int(c), column) for c, column in zip(counts, matrix.T, strict=True)),
        np.zeros(len(matrix), dtype=np.int64),
    )
    middles = 0.5 * (outputs[:-1] + outputs[1:])
    return np.repeat(middles, made)


def _split(found: Sequence[Mapping[str, Floats]], parts: Sequence[float]) -> list[float]:
    """Parts of the budget, in equal parts: moved as long as the sum of accuracies grows."""
    curves = [np.max([rows.mean(axis=1) for rows in each.values()], axis=0) for each in found]
    split = [1.0] * len(found)
    while len(found) > 1:
        best, way = 1e-3, None
        for giver in range(len(found)):
            for taker in range(len(found)):
                low, high = split[giver] - MOVED, split[taker] + MOVED
                if giver == taker or low < LEAST or high > parts[-1]:
                    continue
                gain = _at(curves[taker], parts, high) - _at(curves[taker], parts, split[taker])
                gain += _at(curves[giver], parts, low) - _at(curves[giver], parts, split[giver])
                if gain > best:
                    best, way = gain, (giver, taker)
        if way is None:
            break
        split[way[0]] -= MOVED
        split[way[1]] += MOVED
    return split


def _at(curve: Floats, parts: Sequence[float], part: float) -> float:
    """What runs straight between the parts tried, over their logarithms."""
    return float(np.interp(np.log(part), np.log(parts), curve))
