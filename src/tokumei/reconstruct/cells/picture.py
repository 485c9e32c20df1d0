"""Drawings of reconstructed distributions. The only module of this room that needs matplotlib."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from tokumei._check import Floats


def figure(
    edges: Floats,
    released: Floats,
    estimate: Floats,
    band: tuple[Floats, Floats],
    coverage: float,
    truth: Floats | None,
    axes: Any,
    title: str,
) -> Any:
    """Released, reconstructed (with its credible band) and true densities on one pair of axes."""
    if axes is None:
        axes = Figure(figsize=(6.4, 3.6), layout="constrained").subplots()
    widths = np.diff(edges)

    def steps(probabilities: Floats) -> Floats:
        return np.append(probabilities / widths, probabilities[-1] / widths[-1])

    axes.fill_between(
        edges, 0.0, steps(released), step="post", color="0.85", lw=0,
        label="released, clamped to the bounds",
    )  # fmt: skip
    axes.fill_between(
        edges, steps(band[0]), steps(band[1]), step="post",
        color="C0", alpha=0.3, lw=0, label=f"{coverage:.0%} band",
    )  # fmt: skip
    axes.step(edges, steps(estimate), where="post", color="C0", lw=1.6,
              label="reconstructed")  # fmt: skip
    if truth is not None:
        share = truth / truth.sum()
        axes.step(edges, steps(share), where="post", color="black", lw=0.9,
                  label="true")  # fmt: skip
    # What is clamped piles up at the bounds, higher than all there is to see.
    shown = [steps(band[1]), steps(np.zeros_like(widths) if truth is None else share)]
    top = 1.1 * float(np.max(shown))
    axes.set(ylabel="density", xlim=(edges[0], edges[-1]), ylim=(0.0, top))
    axes.set_title(title, fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
    return axes.figure
