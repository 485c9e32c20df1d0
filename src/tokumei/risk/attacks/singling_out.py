"""Singling out: predicates that hold for one released record are tried on the originals.

The adversary sees the release and nothing else. From a released record it makes a predicate over a
few columns (categories equal to the record's, numbers beyond it, on the side away from the median)
that holds for exactly one of the distinct released records, and claims that exactly one person has
these properties. The claim is right where it holds for exactly one of the distinct originals. So it
is with people who were not released: only what more it finds of the released ones is a risk.
Definitions of Cohen & Nissim (2020), counted as Anonymeter does: of so many attacks as were asked
for, also where the adversary finds fewer predicates.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Sequence
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Floats
from tokumei.risk.attacks.counting import Counted, Predicate, Term
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.rates import wilson
from tokumei.risk.attacks.records import Records

KNOWS = "the release"
TRIES = 100  # predicates for each that is wanted
PATIENCE = 1000  # predicates in a row that single out nothing new
GRID, STEPS = 200, 1000  # weights of predicates, and steps towards their distribution
FEWEST = 20  # predicates with a column, and without, to say that it is to blame
BATCH = 512  # predicates that are counted at once

# Batches of predicates; each is answered with how many of it have been looked at.
Batches = Generator[list[Predicate], int, None]


def singling_out(
    original: Records,
    release: Records,
    control: Records | None,
    *,
    columns: int,
    attacks: int,
    chance: np.random.Generator,
) -> Attack:
    """Single out by predicates over so many columns; over one column all there are to make."""
    release, people = release.distinct(), Counted(original.distinct())
    columns = min(columns, len(release.cells))
    kind = "univariate" if columns == 1 else f"{columns} columns"
    found = _predicates(release, columns, attacks, chance)
    right = people.counts(found, most=2) == 1
    guesses = _guesses(release, columns, attacks, chance)
    guessed = int((people.counts(guesses, most=2) == 1).sum())
    strangers = None if control is None else Counted(control.distinct())
    return Attack(
        f"singling out ({kind})",
        KNOWS,
        successes=int(right.sum()),
        attempts=attacks,
        control_successes=None if strangers is None else _on_control(found, strangers, len(people)),
        control_attempts=0 if strangers is None else attacks,
        baseline_successes=guessed,
        baseline_attempts=attacks,
        columns=blamed(found, right),
        note=_note(len(found), attacks),
    )


def _note(found: int, attacks: int) -> str:
    if not found:
        return "no predicate found within the attempts: the rate is 0"
    return "" if found == attacks else f"{found} predicates found, {attacks} wanted"


def _predicates(
    release: Records, columns: int, attacks: int, chance: np.random.Generator
) -> list[Predicate]:
    """Different predicates that single out a released record."""
    made = _of_one_column if columns == 1 else _of_records
    counted = Counted(release)
    found: dict[Predicate, None] = {}
    in_vain, batches = 0, made(release, columns, attacks, chance)
    batch = next(batches, None)
    while batch is not None:
        looked, enough = 0, False
        for one, count in zip(batch, counted.counts(batch, most=2), strict=True):
            looked, in_vain = looked + 1, in_vain + 1
            if in_vain <= PATIENCE and count == 1 and one not in found:
                found[one] = None
                in_vain = 0
            enough = in_vain > PATIENCE or len(found) == attacks
            if enough:
                break
        if enough:
            if looked < len(batch):
                _sent(batches, looked)
            break
        batch = _sent(batches, looked)
    return list(found)


def _sent(batches: Batches, looked: int) -> list[Predicate] | None:
    try:
        return batches.send(looked)
    except StopIteration:
        return None


def _of_records(
    release: Records, columns: int, attacks: int, chance: np.random.Generator
) -> Batches:
    names = list(release.cells)
    middles = {
        name: float(np.nanmedian(release.cells[name]))
        for name in names
        if release.numeric(name) and np.isfinite(release.cells[name]).any()
    }
    rows = chance.integers(len(release), size=TRIES * attacks)
    for begin in range(0, len(rows), BATCH):
        state = chance.bit_generator.state
        part = rows[begin : begin + BATCH]
        chosen = [sorted(chance.permutation(len(names))[:columns].tolist()) for _ in part]
        cells = [release.cells[name][part].tolist() for name in names]
        batch = [
            tuple(_term(names[j], cells[j][place], middles) for j in mine)
            for place, mine in enumerate(chosen)
        ]
        looked = yield batch
        if looked < len(batch):
            # What follows draws as if no predicate had been made ahead.
            chance.bit_generator.state = state
            for _ in range(looked):
                chance.permutation(len(names))
            return


def _term(name: Hashable, cell: Any, middles: dict[Hashable, float]) -> Term:
    if name not in middles:
        return name, "equal", float(cell)
    if isnan(cell):
        return name, "missing", 0.0
    return name, "above" if cell > middles[name] else "below", float(cell)


def _of_one_column(
    release: Records, columns: int, attacks: int, chance: np.random.Generator
) -> Batches:
    """Extremes and values that occur once, in any order."""
    terms: list[Term] = []
    for name, cells in release.cells.items():
        absent = np.isnan(cells) if release.numeric(name) else cells < 0
        present = cells[~absent]
        if absent.sum() == 1:
            terms.append((name, "missing", 0.0))
        if release.numeric(name) and len(present):
            terms += [(name, "below", float(present.min())), (name, "above", float(present.max()))]
        values, counts = np.unique(present, return_counts=True)
        terms += [(name, "equal", float(value)) for value in values[counts == 1]]
    order = chance.permutation(len(terms))
    for begin in range(0, len(order), BATCH):
        yield [(terms[place],) for place in order[begin : begin + BATCH]]


def _guesses(
    release: Records, columns: int, attacks: int, chance: np.random.Generator
) -> list[Predicate]:
    """Predicates at random: any column, any of its values, any comparison."""
    names, guesses = list(release.cells), []
    for _ in range(attacks):
        terms: list[Term] = []
        for j in chance.permutation(len(names))[:columns]:
            cell = float(release.cells[names[j]][chance.integers(len(release))])
            if np.isnan(cell):
                terms.append((names[j], "missing", 0.0))
                continue
            hows = ["equal", "unequal"] + ["above", "below"] * 2 * release.numeric(names[j])
            terms.append((names[j], hows[chance.integers(len(hows))], cell))
        guesses.append(tuple(terms))
    return guesses


def _on_control(found: Sequence[Predicate], control: Counted, people: int) -> float:
    """How many predicates would single out in a control group of so many people."""
    counts = control.counts(found).astype(float)
    if len(control) == people or not len(counts):
        return float((counts == 1).sum())
    return grown(counts, len(control), people)


def grown(counts: Floats, rows: int, wanted: int) -> float:
    """How many predicates that hold for so many of some rows would hold for one of `wanted` rows.

    One of weight w singles out in n rows with probability n w (1 - w)^(n - 1). Weights follow the
    distribution that makes the counts likeliest (Kiefer & Wolfowitz 1956; EM on a grid), and each
    predicate's own is weighed by its count.
    """
    weights = np.append(0.0, np.geomspace(1e-3 / max(rows, wanted), 0.5, GRID))
    counts, times = np.unique(counts, return_counts=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(counts[:, None] > 0, counts[:, None] * np.log(weights), 0.0)
    logs += (rows - counts[:, None]) * np.log1p(-weights)
    likely = np.exp(logs - logs.max(axis=1, keepdims=True))
    shares = np.full(len(weights), 1.0 / len(weights))
    for _ in range(STEPS):
        held = likely * shares
        held /= held.sum(axis=1, keepdims=True)
        shares = times @ held / times.sum()
    alone = wanted * weights * np.exp((wanted - 1) * np.log1p(-weights))
    return float(times @ (held @ alone))


def blamed(found: Sequence[Predicate], right: NDArray[np.bool_]) -> tuple[Hashable, ...]:
    """The columns with which predicates are right more often than without, the worst first."""
    if not right.any():
        return ()
    rates: dict[Hashable, float] = {}
    names = dict.fromkeys(name for one in found for name, _, _ in one)
    for name in names:
        has = np.array([any(name == term[0] for term in one) for one in found])
        if min(has.sum(), (~has).sum()) < FEWEST:
            continue
        with_it = wilson(int(right[has].sum()), int(has.sum()))
        without = wilson(int(right[~has].sum()), int((~has).sum()))
        if with_it.lower > without.upper:
            rates[name] = with_it.value
    return tuple(sorted(rates, key=lambda name: -rates[name]))
