"""Blocks and their links, drawn with matplotlib on two attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tokumei import _check

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw_blocks(
    lower: _check.Floats,
    upper: _check.Floats,
    sizes: _check.Labels,
    links: _check.Labels,
    attributes: tuple[int, int],
) -> Figure:
    """Boxes, darker where records are denser, and a line from middle to middle for each link."""
    try:
        from matplotlib.collections import LineCollection, PatchCollection
        from matplotlib.figure import Figure
        from matplotlib.patches import Rectangle
    except ImportError:
        msg = "plots need matplotlib: pip install tokumei[report]"
        raise ImportError(msg) from None
    pair = list(attributes)
    low, sides = lower[:, pair], (upper - lower)[:, pair]
    figure = Figure(figsize=(6, 5), layout="constrained")
    axes = figure.add_subplot()
    boxes = PatchCollection(
        [Rectangle((x, y), *side) for (x, y), side in zip(low, sides, strict=True)],
        cmap="Blues",
        edgecolor="0.6",
        linewidth=0.5,
    )
    area = sides.prod(axis=1)
    dense = sizes / np.where(area > 0, area, area.max() or 1.0)
    boxes.set_array(np.log(dense))
    axes.add_collection(boxes)
    middle = low + sides / 2
    axes.add_collection(LineCollection(list(middle[links[:, :2]]), colors="C3", linewidths=0.6))
    axes.scatter(middle[:, 0], middle[:, 1], s=2, color="C3", zorder=3)
    axes.set_xlabel(f"attribute {pair[0]}")
    axes.set_ylabel(f"attribute {pair[1]}")
    axes.set_title(f"{len(sizes):,} blocks, {len(links):,} links")
    axes.autoscale()
    return figure
