"""What was lost.

Every measure compares a table with what is published of it; which one to take depends on the
question:

=================================================  ==============================================
How far did numbers move, as a share of all        `sse`, `sst`, `ilssdm`
there was to lose?
The same for anything that has a distance?         `information`, `ild`
How far did each number move, in its own units?    `il1s`
Do means, variances, correlations still hold?      `moments`
How often, and how far, did categories change?     `direct`
How many different values are left?                `entropy`
How uncertain is the original category now?        `ebil`
Do tables of counts still hold?                    `ctbil`
Do attributes still hang together?                 `cramers_v`, `cramers_matrix`
How wide are intervals, sets and tree nodes?       `ncp`
How large are the groups?                          `dm`
Do groups still tell classes apart?                `cm`
How much worse do models predict from it?          `model`
Which share may be recoded for so much loss?       `share_for`
All of it, for a person to read?                   `compare`
=================================================  ==============================================

Columns may be lists, arrays, or columns of pandas, polars and Arrow; tables are mappings of
columns, dataframes, or arrays of two dimensions. Missing values are refused, and no message holds a
value of the data.
"""

from typing import TYPE_CHECKING, Any

from tokumei.loss.groups.classification import cm
from tokumei.loss.groups.discernibility import dm
from tokumei.loss.groups.ncp import ncp
from tokumei.loss.groups.squares import ilssdm, sse, sst
from tokumei.loss.tables.cramers_v import cramers_matrix, cramers_v
from tokumei.loss.tables.direct import direct
from tokumei.loss.tables.entropy import entropy
from tokumei.loss.tables.il1s import il1s
from tokumei.loss.tables.statistics import Moments, moments

if TYPE_CHECKING:
    from tokumei.loss.distance.ild import ild
    from tokumei.loss.distance.information import information
    from tokumei.loss.distance.sampled_pairs import Estimate
    from tokumei.loss.models.model_loss import ModelLoss, ModelRow
    from tokumei.loss.models.modelling import model
    from tokumei.loss.models.share_for import ShareForLoss, share_for
    from tokumei.loss.report.compare import compare
    from tokumei.loss.report.comparison import AttributeLoss, Comparison
    from tokumei.loss.tables.ctbil import ctbil
    from tokumei.loss.tables.ebil import ebil

__all__ = [
    "AttributeLoss",
    "Comparison",
    "Estimate",
    "ModelLoss",
    "ModelRow",
    "Moments",
    "ShareForLoss",
    "cm",
    "compare",
    "cramers_matrix",
    "cramers_v",
    "ctbil",
    "direct",
    "dm",
    "ebil",
    "entropy",
    "il1s",
    "ild",
    "ilssdm",
    "information",
    "model",
    "moments",
    "ncp",
    "share_for",
    "sse",
    "sst",
]


# Loaded when they are asked for: reports are for people, distances for those who have them, and
# tables of counts load the room of recodings.
_HOMES = {
    "AttributeLoss": "report.comparison",
    "Comparison": "report.comparison",
    "Estimate": "distance.sampled_pairs",
    "ModelLoss": "models.model_loss",
    "ModelRow": "models.model_loss",
    "ShareForLoss": "models.share_for",
    "compare": "report.compare",
    "ctbil": "tables.ctbil",
    "ebil": "tables.ebil",
    "ild": "distance.ild",
    "information": "distance.information",
    "model": "models.modelling",
    "share_for": "models.share_for",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        msg = f"module 'tokumei.loss' has no attribute {name!r}"
        raise AttributeError(msg)
    import importlib

    return getattr(importlib.import_module(f"tokumei.loss.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
