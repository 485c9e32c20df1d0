"""Releases of anonypy and anjana by a Python of their own, each written as a CSV file.

``python python_releases_apart.py FOLDER`` reads original.csv and asked.json there and writes a file
for each package that it has, in the notation of tokumei: ``[low..high]`` and ``{a, b}``. Nothing of
tokumei is loaded.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def by_anonypy(table: Any, asked: dict[str, Any]) -> Any:
    """Mondrian: of each class the ends of numbers and all categories."""
    import anonypy  # type: ignore[import-not-found]
    import pandas as pd

    known, numbers, secret = asked["known"], asked["numbers"], asked["secret"]
    table = table.copy()
    for name in (*known, secret):
        if name not in numbers:
            table[name] = table[name].astype("category")
    made = anonypy.Preserver(table, known, secret).anonymize_k_anonymity(asked["k"])
    found = pd.DataFrame(made).explode(known, ignore_index=True)
    found = found.loc[found.index.repeat(found.pop("count"))]
    for name in known:
        if name in numbers:
            found[name] = found[name].map(_interval)
        else:
            found[name] = found[name].map(_set)
    return found


def _interval(text: str) -> str:
    low, _, high = text.partition("-")
    return f"[{low}..{high}]" if high else low


def _set(text: str) -> str:
    return "{" + ", ".join(sorted(text.split(","))) + "}" if "," in text else text


def by_anjana(table: Any, asked: dict[str, Any]) -> Any:
    """Full-domain recoding: ages by tens and twenties, categories whole or not at all; at most 5 %
    of the records are suppressed.
    """
    import numpy as np
    from anjana.anonymity import k_anonymity  # type: ignore[import-not-found]

    levels: dict[str, dict[int, Any]] = {}
    for name in asked["known"]:
        cells = table[name].to_numpy()
        levels[name] = {0: cells}
        if name in asked["numbers"]:
            for width in (10, 20, 40):
                low = cells // width * width
                texts = [f"[{a}..{a + width - 1}]" for a in low.tolist()]
                levels[name][len(levels[name])] = np.array(texts, dtype=object)
        levels[name][len(levels[name])] = np.array(["*"] * len(cells), dtype=object)
    return k_anonymity(table.copy(), [], asked["known"], asked["k"], 5, levels)


PACKAGES: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "anonypy": by_anonypy,
    "anjana": by_anjana,
}


def main(folder: Path) -> None:
    """Write a release for each package that is installed."""
    import pandas as pd

    asked = json.loads((folder / "asked.json").read_text())
    names = [*asked["known"], asked["secret"]]
    table = pd.read_csv(folder / "original.csv", keep_default_na=False)[names]
    for name, made in PACKAGES.items():
        if importlib.util.find_spec(name) is not None:
            made(table, asked)[names].to_csv(folder / f"{name}.csv", index=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
