"""What was lost."""

from typing import TYPE_CHECKING, Any

from tokumei.loss.squares import ilssdm, sse, sst

if TYPE_CHECKING:
    from tokumei.loss.by_distance import ild
    from tokumei.loss.estimates import Estimate
    from tokumei.loss.information_amount import information

__all__ = ["Estimate", "ild", "ilssdm", "information", "sse", "sst"]

# Losses that need the distances, which are loaded when they are first asked for.
_HOMES = {
    "Estimate": "estimates",
    "ild": "by_distance",
    "information": "information_amount",
}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        import importlib

        found = getattr(importlib.import_module(f"tokumei.loss.{_HOMES[name]}"), name)
        globals()[name] = found
        return found
    msg = f"module 'tokumei.loss' has no attribute {name!r}"
    raise AttributeError(msg)
