"""Anonymeter by a Python of its own: its figures of a release, as JSON.

It needs other versions of numpy than ours. ``python anonymeter_apart.py FOLDER`` reads
original.csv, release.csv and control.csv there, and what is asked in asked.json; nothing of tokumei
is loaded.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def main(folder: Path) -> dict[str, Any]:
    import pandas as pd
    from anonymeter.evaluators import (  # type: ignore[import-not-found]
        InferenceEvaluator,
        LinkabilityEvaluator,
        SinglingOutEvaluator,
    )

    asked = json.loads((folder / "asked.json").read_text())
    known, secret, attempts = asked["known"], asked["secret"], asked["attempts"]
    tables = {}
    for name in ("original", "release", "control"):
        table = pd.read_csv(folder / f"{name}.csv", keep_default_na=False)
        # One type in all tables, or its distances compare texts with numbers.
        for column in asked["numbers"]:
            table[column] = table[column].astype(float)
        tables[name] = table
    original, release, control = (tables[n] for n in ("original", "release", "control"))
    singling = SinglingOutEvaluator(
        ori=original[known],
        syn=release[known],
        control=control[known],
        n_attacks=attempts,
        n_cols=asked["columns"],
    )
    linking = LinkabilityEvaluator(
        ori=original,
        syn=release,
        control=control,
        n_attacks=attempts,
        aux_cols=tuple(asked["sides"]),
        n_neighbors=1,
    )
    inferring = InferenceEvaluator(
        ori=original,
        syn=release,
        control=control,
        n_attacks=attempts,
        aux_cols=known,
        secret=secret,
        regression=False,
    )
    return {
        "singling out": shown(singling.evaluate(mode="multivariate")),
        "linkability": shown(linking.evaluate(n_jobs=1)),
        "inference": shown(inferring.evaluate(n_jobs=1)),
    }


def shown(evaluator: Any) -> dict[str, Any]:
    """Rates and the risk, each as its value and its interval."""
    results, risk = evaluator.results(), evaluator.risk(confidence_level=0.95)
    rates = {"attack": results.attack_rate, "control": results.control_rate}
    found = {n: [r.value, r.value - r.error, r.value + r.error] for n, r in rates.items()}
    return found | {"risk": [risk.value, *risk.ci]}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
