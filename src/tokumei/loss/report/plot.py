"""Attributes before and after, drawn with matplotlib, from counts that may be shown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tokumei.loss.report.pictures import Bars, Histogram

if TYPE_CHECKING:
    from tokumei.loss.report.comparison import AttributeLoss

# Two colours that differ in lightness too, for print and for every kind of eye.
_BEFORE, _AFTER = "#b8c4d6", "#c2410c"
_COLUMNS = 3


def figure(attributes: Sequence[AttributeLoss], smallest: int) -> Any:
    """One plot for each attribute, on one figure."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        msg = "plots need matplotlib: pip install tokumei[report]"
        raise ImportError(msg) from None
    across = max(min(len(attributes), _COLUMNS), 1)
    down = max(math.ceil(len(attributes) / _COLUMNS), 1)
    sheet = Figure(figsize=(4.2 * across, 3.0 * down), layout="constrained")
    for place, attribute in enumerate(attributes, start=1):
        axes = sheet.add_subplot(down, across, place)
        axes.set_title(attribute.name, parse_math=False)
        if isinstance(attribute.picture, Histogram):
            _draw_histogram(axes, attribute.picture)
        elif isinstance(attribute.picture, Bars):
            _draw_bars(axes, attribute.picture)
        else:
            axes.set_axis_off()
            text = f"nothing to show in\ncells of {smallest} or more"
            axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes)
    return sheet


def _draw_histogram(axes: Any, picture: Histogram) -> None:
    """Shares by unit, so that joined cells keep their area; the end cells hold what is beyond."""
    widths = [high - low for low, high in zip(picture.edges, picture.edges[1:], strict=False)]
    for counts, style in (
        (picture.before, {"fill": True, "color": _BEFORE, "label": "before"}),
        (picture.after, {"color": _AFTER, "linewidth": 1.5, "label": "after"}),
    ):
        heights = [c / sum(counts) / width for c, width in zip(counts, widths, strict=True)]
        axes.stairs(heights, picture.edges, **style)
    axes.set_xlabel("end cells hold what lies beyond")
    axes.set_ylabel("share by unit")
    axes.legend(frameon=False)


def _draw_bars(axes: Any, picture: Bars) -> None:
    places = range(len(picture.labels))
    for counts, shift, color, label in (
        (picture.before, -0.2, _BEFORE, "before"),
        (picture.after, 0.2, _AFTER, "after"),
    ):
        axes.barh([place + shift for place in places], counts, 0.4, color=color, label=label)
    labels = [text if len(text) <= 24 else f"{text[:23]}…" for text in picture.labels]
    axes.set_yticks(list(places), labels, parse_math=False)
    axes.invert_yaxis()
    axes.set_xlabel("records")
    axes.legend(frameon=False)
