"""rapidfuzz: cdist at its best, which is not how it is usually called.

With the same list twice it computes half of the matrix, but not with wide registers: Levenshtein
is faster with a copy, and small numbers as a result. Damerau-Levenshtein is not.
"""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from bench.kernels.distance_arguments import Words
from bench.peers.declined import Declined

# 0.4 GB of distances.
MOST_ROWS = 10_000


def available() -> bool:
    return find_spec("rapidfuzz") is not None


def _words(words: Words) -> list[str]:
    if len(words) > MOST_ROWS:
        msg = f"needs a matrix of {len(words):,} x {len(words):,} distances"
        raise Declined(msg)
    listed: list[str] = words[:, 0].tolist()
    return listed


def information_levenshtein(words: Words) -> float:
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    listed = _words(words)
    found = cdist(listed, list(listed), scorer=Levenshtein.distance, dtype=np.uint8, workers=1)
    return float(np.bincount(found.ravel()) @ np.arange(int(found.max()) + 1) ** 2)


def information_normalized(words: Words) -> float:
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist

    listed = _words(words)
    scorer = Levenshtein.normalized_distance
    found = cdist(listed, list(listed), scorer=scorer, dtype=np.float64, workers=1)
    return float(np.vdot(found, found))


def information_damerau(words: Words) -> float:
    from rapidfuzz.distance import DamerauLevenshtein
    from rapidfuzz.process import cdist

    listed = _words(words)
    found = cdist(listed, listed, scorer=DamerauLevenshtein.distance, dtype=np.uint8, workers=1)
    return float(np.bincount(found.ravel()) @ np.arange(int(found.max()) + 1) ** 2)
