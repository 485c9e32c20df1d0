"""tokumei: tables of people or companies made publishable, with the loss and the risk measured."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

from tokumei import loss
from tokumei.estimators import Microaggregator
from tokumei.machine import show_config
from tokumei.microaggregation import (
    aggregate,
    cut,
    mdav,
    microaggregate,
    mil,
    partition,
    standardize,
    univariate,
)

if TYPE_CHECKING:
    from tokumei import release as release

__all__ = [
    "Microaggregator",
    "aggregate",
    "cut",
    "loss",
    "mdav",
    "microaggregate",
    "mil",
    "partition",
    "show_config",
    "standardize",
    "univariate",
]


def __getattr__(name: str) -> Any:
    # The table layer needs more than numpy, so it is loaded when it is first asked for.
    if name == "release":
        import importlib

        return importlib.import_module("tokumei.release")
    msg = f"module 'tokumei' has no attribute {name!r}"
    raise AttributeError(msg)
