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

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tokumei._check import Floats
from tokumei.risk.attacks.counting import Counted, Term
from tokumei.risk.attacks.outcome import Attack
from tokumei.risk.attacks.rates import wilson
from tokumei.risk.attacks.records import Records

KNOWS = "the release"
TRIES = 100  # predicates for each that is wanted
PATIENCE = 1000  # predicates in a row that single out nothing new
GRID, STEPS = 200, 1000  # weights of predicates, and steps towards their distribution
FEWEST = 20  # predicates with a column, and without, to say that it is to blame

Predicate = tuple[Term, ...]  # terms that all hold


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
    right = np.array([people.count(one) == 1 for one in found], dtype=bool)
    guesses = _guesses(release, columns, attacks, chance)
    guessed = sum(people.count(guess) == 1 for guess in guesses)
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
    in_vain = 0
    for one in made(release, columns, attacks, chance):
        in_vain += 1
        if in_vain > PATIENCE:
            break
        if one not in found and counted.count(one) == 1:
            found[one] = None
            in_vain = 0
            if len(found) == attacks:
                break
    return list(found)


def _of_records(
    release: Records, columns: int, attacks: int, chance: np.random.Generator
) -> Iterator[Predicate]:
    names = list(release.cells)
    middles = {
        name: float(np.nanmedian(release.cells[name]))
        for name in names
        if release.numeric(name) and np.isfinite(release.cells[name]).any()
    }
    for row in chance.integers(len(release), size=TRIES * attacks):
        chosen = np.sort(chance.permutation(len(names))[:columns])
        yield tuple(_term(names[j], release.cells[names[j]][row], middles) for j in chosen)


def _term(name: Hashable, cell: Any, middles: dict[Hashable, float]) -> Term:
    if name not in middles:
        return name, "equal", float(cell)
    if np.isnan(cell):
        return name, "missing", 0.0
    return name, "above" if cell > middles[name] else "below", float(cell)


def _of_one_column(
    release: Records, columns: int, attacks: int, chance: np.random.Generator
) -> Iterator[Predicate]:
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
    for place in chance.permutation(len(terms)):
        yield (terms[place],)


def _guesses(
    release: Records, columns: int, attacks: int, chance: np.random.Generator
) -> Iterator[Predicate]:
    """Predicates at random: any column, any of its values, any comparison."""
    names = list(release.cells)
    for _ in range(attacks):
        terms: list[Term] = []
        for j in chance.permutation(len(names))[:columns]:
            cell = float(release.cells[names[j]][chance.integers(len(release))])
            if np.isnan(cell):
                terms.append((names[j], "missing", 0.0))
                continue
            hows = ["equal", "unequal"] + ["above", "below"] * 2 * release.numeric(names[j])
            terms.append((names[j], hows[chance.integers(len(hows))], cell))
        yield tuple(terms)


def _on_control(found: Sequence[Predicate], control: Counted, people: int) -> float:
    """How many predicates would single out in a control group of so many people."""
    counts = np.array([control.count(one) for one in found], dtype=float)
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
