"""The result of model-based loss, and the views in which a person reads it."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from tokumei import _check
from tokumei.loss.models.classifiers import MEASURES, Scores


@dataclass(frozen=True)
class ModelRow:
    """One target, the inputs it was predicted from, and what a masking took away."""

    target: Any
    inputs: tuple[Any, ...]
    masking: Any
    original: Scores
    masked: Scores

    @property
    def loss(self) -> Scores:
        return self.original - self.masked

    def __str__(self) -> str:
        return f"{self.target} ~ {', '.join(map(str, self.inputs))}"


@dataclass(frozen=True, repr=False)
class ModelLoss:
    """Losses of all models, in the order of the number of inputs.

    Attributes
    ----------
    rows : tuple of ModelRow
        One a model and masking.
    """

    rows: tuple[ModelRow, ...]

    @property
    def maskings(self) -> list[Any]:
        """The names of the maskings."""
        return list(dict.fromkeys(row.masking for row in self.rows))

    @property
    def sizes(self) -> list[int]:
        """The numbers of inputs."""
        return sorted({len(row.inputs) for row in self.rows})

    def means(self, measure: str) -> dict[int, dict[Any, float]]:
        """The mean loss by number of inputs and masking (the paper's table 6)."""
        _measure(measure)
        return {
            size: {
                masking: _mean([_of(row.loss, measure) for row in self._of(size, masking)])
                for masking in self.maskings
            }
            for size in self.sizes
        }

    def correlations(
        self, measure: str, masking: Hashable | None = None, *, without: Any = None
    ) -> dict[int, float]:
        """The correlation of original score and loss by number of inputs (the paper's table 7).

        `without` leaves a target out, for example one that a single category dominates. Where
        nothing varies the correlation is NaN.
        """
        _measure(measure)
        found = {}
        for size in self.sizes:
            rows = [row for row in self._of(size, self._one(masking)) if row.target != without]
            score = np.array([_of(row.original, measure) for row in rows])
            loss = np.array([_of(row.loss, measure) for row in rows])
            steady = len(rows) < 2 or np.ptp(score) == 0 or np.ptp(loss) == 0
            found[size] = math.nan if steady else float(np.corrcoef(score, loss)[0, 1])
        return found

    def largest(
        self, measure: str, masking: Hashable | None = None, *, count: int = 5
    ) -> dict[int, list[ModelRow]]:
        """The models that lost most, by number of inputs (the paper's table 8)."""
        _measure(measure)
        return {
            size: sorted(
                self._of(size, self._one(masking)), key=lambda row: -_of(row.loss, measure)
            )[:count]
            for size in self.sizes
        }

    def records(self) -> list[dict[str, Any]]:
        """The rows as dictionaries, ready for a dataframe."""
        return [
            {
                "target": row.target,
                "inputs": row.inputs,
                "masking": row.masking,
                **{f"original_{m}": _of(row.original, m) for m in MEASURES},
                **{f"loss_{m}": _of(row.loss, m) for m in MEASURES},
            }
            for row in self.rows
        ]

    def to_json(self) -> str:
        """The rows as JSON."""
        return json.dumps(
            [
                {
                    "target": str(row.target),
                    "inputs": [str(name) for name in row.inputs],
                    "masking": str(row.masking),
                    "original": asdict(row.original),
                    "masked": asdict(row.masked),
                }
                for row in self.rows
            ]
        )

    def plot(
        self, measure: str = "accuracy", masking: Hashable | None = None, *, marked: Any = None
    ) -> Any:
        """Original score against loss, a panel a number of inputs (the paper's figure 2).

        Models of the target `marked` are drawn as triangles. Returns a matplotlib figure.
        """
        _measure(measure)
        from matplotlib.figure import Figure

        figure = Figure(figsize=(3.2 * len(self.sizes), 3.2), layout="constrained")
        axes = figure.subplots(1, len(self.sizes), sharex=True, sharey=True, squeeze=False)[0]
        for axis, size in zip(axes, self.sizes, strict=True):
            rows = self._of(size, self._one(masking))
            for shape, chosen in (
                ("o", [row for row in rows if row.target != marked]),
                ("^", [row for row in rows if row.target == marked]),
            ):
                axis.scatter(
                    [_of(row.original, measure) for row in chosen],
                    [_of(row.loss, measure) for row in chosen],
                    marker=shape, s=22, facecolors="none", edgecolors="#1f5c99",
                )  # fmt: skip
            axis.axhline(0.0, color="#999999", linewidth=0.8)
            axis.set_title(f"{size} input{'s' if size > 1 else ''}", fontsize=9)
            axis.set_xlabel(f"{measure} on the original", fontsize=8)
        axes[0].set_ylabel(f"loss of {measure}", fontsize=8)
        return figure

    def __str__(self) -> str:
        lines = []
        for measure in MEASURES:
            lines.append(f"mean loss of {measure}")
            head = "".join(f"{masking!s:>12}" for masking in self.maskings)
            lines.append(f"{'inputs':>8}{head}")
            for size, by_masking in self.means(measure).items():
                cells = "".join(f"{value:>12.4f}" for value in by_masking.values())
                lines.append(f"{size:>8}{cells}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<ModelLoss of {len(self.rows)} models, {len(self.maskings)} maskings>"

    def _of(self, size: int, masking: Any) -> list[ModelRow]:
        return [row for row in self.rows if len(row.inputs) == size and row.masking == masking]

    def _one(self, masking: Hashable | None) -> Any:
        known = self.maskings
        if masking is None:
            if len(known) > 1:
                msg = f"there are {len(known)} maskings: say which one"
                raise ValueError(msg)
            return known[0]
        if masking not in known:
            msg = f"masking must be one of {', '.join(map(repr, known))}"
            raise ValueError(msg)
        return masking


def _measure(measure: str) -> None:
    _check.one_of(measure, MEASURES, "measure")


def _of(scores: Scores, measure: str) -> float:
    return float(getattr(scores, measure))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
