"""What the classes of a release show of sensitive columns: counted always, judged where asked.

A sensitive cell that is missing is a value of its own, or, counted as a wildcard, may be any: then
it adds no diversity. One of both is judged; where cells are missing, both are in the audit.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tokumei._check import Labels
from tokumei.privacy import BetaLikeness, LDiversity, TCloseness
from tokumei.privacy.l_diversity import entropies
from tokumei.release.gate.answers import Answer
from tokumei.release.gate.candidate import Candidate

OF_COLUMNS = (LDiversity, TCloseness, BetaLikeness)


def sensitive(candidate: Candidate) -> Answer:
    """Every model of a sensitive column holds; of each such column, what its classes show."""
    models = [model for model in candidate.models if isinstance(model, OF_COLUMNS)]
    measured: dict[str, float] = {}
    for name in candidate.schema.of("sensitive"):
        measured |= _shown(candidate, name)
    found, broken = [], False
    for model in models:
        reached = _reached(candidate, model)
        word = "" if model.holds(reached) else "not "
        broken = broken or bool(word)
        found.append(f"{model.model} of column {model.column!r} is {word}kept: {reached:.4g}")
        if math.isfinite(reached):
            measured[f"{model.model} of {model.column}"] = reached
    return not broken, "; ".join(found) or "nothing is asked of them", measured


def _reached(candidate: Candidate, model: Any) -> float:
    groups, codes, missing = candidate.classes_and(
        model.column, as_numbers=getattr(model, "kind", "") == "ordered"
    )
    if isinstance(model, TCloseness) and model.tree is not None:
        codes = model.codes_of(candidate.values_of_pairs())[codes]
    if isinstance(model, LDiversity) and missing and candidate.missing == "wildcard":
        groups, codes, every = _present(groups, codes)
        if not every:  # some class has no value at all
            return math.inf if model.kind == "recursive" else 0.0
    return float(model.reached(groups, codes))


def _shown(candidate: Candidate, name: str) -> dict[str, float]:
    """Diversity, closeness and the share of records whose class has one value alone."""
    groups, codes, missing = candidate.classes_and(name, as_numbers=False)
    if not len(groups):
        return {}
    distinct = LDiversity(name, 1)
    shown: dict[str, float] = {
        f"distinct l of {name}": distinct.reached(groups, codes),
        f"entropy l of {name}": _rounded(math.exp(float(entropies(groups, codes).min()))),
        f"t of {name}": _rounded(TCloseness(name, 0.0).reached(groups, codes)),
        f"homogeneous share of {name}": _rounded(_homogeneous(groups, codes)),
    }
    if missing:
        some, known, every = _present(groups, codes)
        wild = distinct.reached(some, known) if every else 0
        shown[f"distinct l of {name}, missing as wildcard"] = wild
    return shown


def _homogeneous(groups: Labels, codes: Labels) -> float:
    sizes = np.bincount(groups)
    of_pairs = np.unique(groups * (int(codes.max()) + 1) + codes) // (int(codes.max()) + 1)
    alone = np.bincount(of_pairs, minlength=len(sizes)) == 1
    return float(sizes[alone].sum() / sizes.sum())


def _present(groups: Labels, codes: Labels) -> tuple[Labels, Labels, bool]:
    """The records that have a value, the last code being none; and if every class has some."""
    has = codes < codes.max()
    some, known = groups[has], codes[has]
    return some, known, len(np.unique(some)) == len(np.unique(groups))


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")
