"""tokumei: tables of people or companies made publishable, with the loss and the risk measured."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

from tokumei import loss
from tokumei.machine import show_config
from tokumei.microaggregation import aggregate, mdav, microaggregate, partition, standardize

if TYPE_CHECKING:
    from tokumei import distances, release

__all__ = [
    "aggregate",
    "distances",
    "loss",
    "mdav",
    "microaggregate",
    "partition",
    "show_config",
    "standardize",
]


def __getattr__(name: str) -> Any:
    # Loaded when they are first asked for: the table layer, because it needs more than numpy, and
    # the distances, because their many small classes take time to build.
    if name in ("distances", "release"):
        import importlib

        return importlib.import_module(f"tokumei.{name}")
    msg = f"module 'tokumei' has no attribute {name!r}"
    raise AttributeError(msg)
