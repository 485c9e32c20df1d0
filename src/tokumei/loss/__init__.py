"""What was lost.

Every measure compares a table with what is published of it; which one to take depends on the
question:

=================================================  ==============================================
How far did numbers move, as a share of all        `sse`, `sst`, `ilssdm`
there was to lose?
How far is that from the least possible?           `gap`
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
All of it, for a person to read?                   `compare`
=================================================  ==============================================

Columns may be lists, arrays, or columns of pandas, polars and Arrow; tables are mappings of
columns, dataframes, or arrays of two dimensions. Missing values are refused, and no message holds a
value of the data.
"""

from typing import TYPE_CHECKING, Any

from tokumei.loss.association import cramers_matrix, cramers_v
from tokumei.loss.categories import direct
from tokumei.loss.certainty import ncp
from tokumei.loss.contingency import ctbil
from tokumei.loss.groups import cm, dm
from tokumei.loss.squares import ilssdm, sse, sst
from tokumei.loss.statistics import Moments, il1s, moments
from tokumei.loss.uncertainty import ebil, entropy

if TYPE_CHECKING:
    from tokumei.loss.by_distance import ild
    from tokumei.loss.comparing import compare
    from tokumei.loss.comparison import AttributeLoss, Comparison
    from tokumei.loss.estimates import Estimate
    from tokumei.loss.information_amount import information
    from tokumei.loss.model_loss import ModelLoss, ModelRow
    from tokumei.loss.modelling import model
    from tokumei.loss.optimality import gap

__all__ = [
    "AttributeLoss",
    "Comparison",
    "Estimate",
    "ModelLoss",
    "ModelRow",
    "Moments",
    "cm",
    "compare",
    "cramers_matrix",
    "cramers_v",
    "ctbil",
    "direct",
    "dm",
    "ebil",
    "entropy",
    "gap",
    "il1s",
    "ild",
    "ilssdm",
    "information",
    "model",
    "moments",
    "ncp",
    "sse",
    "sst",
]


# Reports are for people and distances for those who have them: loaded when they are asked for.
_HOMES = {
    "AttributeLoss": "comparison",
    "Comparison": "comparison",
    "Estimate": "estimates",
    "ModelLoss": "model_loss",
    "ModelRow": "model_loss",
    "compare": "comparing",
    "gap": "optimality",
    "ild": "by_distance",
    "information": "information_amount",
    "model": "modelling",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        msg = f"module 'tokumei.loss' has no attribute {name!r}"
        raise AttributeError(msg)
    import importlib

    return getattr(importlib.import_module(f"tokumei.loss.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
