"""tokumei: tables of people or companies made publishable, with the loss and the risk measured."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

from tokumei import loss
from tokumei.machine import show_config
from tokumei.microaggregation import (
    aggregate,
    mdav,
    microaggregate,
    npn_order,
    partition,
    standardize,
)

if TYPE_CHECKING:
    from tokumei import release

__all__ = [
    "aggregate",
    "loss",
    "mdav",
    "microaggregate",
    "npn_order",
    "partition",
    "release",
    "show_config",
    "standardize",
]


def __getattr__(name: str) -> Any:
    # The table layer needs more than numpy, so it is loaded when it is first asked for.
    if name == "release":
        import importlib

        return importlib.import_module("tokumei.release")
    msg = f"module 'tokumei' has no attribute {name!r}"
    raise AttributeError(msg)
