"""tokumei: tables of people or companies made publishable, with the loss and the risk measured."""

from typing import TYPE_CHECKING, Any

from tokumei import bounds, loss, microaggregation
from tokumei.bounds import lower_bound
from tokumei.machine import VERSION, get_include, show_config
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
_ESTIMATORS = (
    "LaplaceNoise",
    "Microaggregator",
    "RandomizedResponseNoise",
    "ShareRecoder",
    "SquareWaveNoise",
)

if TYPE_CHECKING:
    from tokumei import distances as distances
    from tokumei import noise as noise
    from tokumei import privacy as privacy
    from tokumei import recode as recode
    from tokumei import reconstruct as reconstruct
    from tokumei import release as release
    from tokumei import risk as risk
    from tokumei import sql as sql
    from tokumei.estimators import (
        LaplaceNoise,
        Microaggregator,
        RandomizedResponseNoise,
        ShareRecoder,
        SquareWaveNoise,
    )
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
    "get_include",
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
    "sql",
    "standardize",
    "univariate",
    "vmdav",
]


LATER = [
    "batch",
    "distances",
    "noise",
    "privacy",
    "recode",
    "reconstruct",
    "release",
    "risk",
    "sql",
]


def __getattr__(name: str) -> Any:
    # Loaded when they are first asked for: the table layer, because it needs more than numpy, the
    # others, because their many small classes take time to build; estimators load scikit-learn.
    if name in LATER:
        import importlib

        return importlib.import_module(f"tokumei.{name}")
    if name == "Hierarchy":
        from tokumei.values.hierarchy import Hierarchy

        return Hierarchy
    if name in _ESTIMATORS:
        from tokumei import estimators

        return getattr(estimators, name)
    msg = f"module 'tokumei' has no attribute {name!r}"
    raise AttributeError(msg)


def _door(name: str) -> Any:
    """A function of a room, for the room before it where people look for it."""
    import importlib

    return getattr(importlib.import_module("tokumei.batch"), name)
