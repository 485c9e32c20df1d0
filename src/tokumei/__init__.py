"""tokumei: tables of people or companies made publishable, with the loss and the risk measured."""

from typing import TYPE_CHECKING, Any

from tokumei import bounds, loss, microaggregation
from tokumei.bounds import lower_bound
from tokumei.estimators import (
    LaplaceNoise,
    Microaggregator,
    RandomizedResponseNoise,
    SquareWaveNoise,
)
from tokumei.machine import VERSION, show_config
from tokumei.microaggregation import (
    aggregate,
    cut,
    flexdice_order,
    grid_order,
    mdav,
    microaggregate,
    mil,
    npn_order,
    partition,
    refine,
    standardize,
    univariate,
    vmdav,
)

__version__ = VERSION

if TYPE_CHECKING:
    from tokumei import distances as distances
    from tokumei import noise as noise
    from tokumei import privacy as privacy
    from tokumei import recode as recode
    from tokumei import reconstruct as reconstruct
    from tokumei import release as release
    from tokumei import risk as risk
    from tokumei.estimators.share_recoder import ShareRecoder
    from tokumei.values.hierarchy import Hierarchy as Hierarchy

__all__ = [
    "Hierarchy",
    "LaplaceNoise",
    "Microaggregator",
    "RandomizedResponseNoise",
    "ShareRecoder",
    "SquareWaveNoise",
    "aggregate",
    "bounds",
    "cut",
    "distances",
    "flexdice_order",
    "grid_order",
    "loss",
    "lower_bound",
    "mdav",
    "microaggregate",
    "microaggregation",
    "mil",
    "noise",
    "npn_order",
    "partition",
    "privacy",
    "recode",
    "reconstruct",
    "refine",
    "show_config",
    "standardize",
    "univariate",
    "vmdav",
]


def __getattr__(name: str) -> Any:
    # Loaded when they are first asked for: the table layer, because it needs more than numpy, the
    # others, because their many small classes take time to build.
    if name in (
        "batch",
        "distances",
        "noise",
        "privacy",
        "recode",
        "reconstruct",
        "release",
        "risk",
    ):
        import importlib

        if name == "release":
            importlib.import_module("tokumei.batch")  # brings the door for data sets
        return importlib.import_module(f"tokumei.{name}")
    if name == "Hierarchy":
        from tokumei.values.hierarchy import Hierarchy

        return Hierarchy
    if name == "ShareRecoder":
        from tokumei.estimators.share_recoder import ShareRecoder

        return ShareRecoder
    msg = f"module 'tokumei' has no attribute {name!r}"
    raise AttributeError(msg)
