"""How low the loss can be at all: proven lower bounds, and optima of small tables."""

from tokumei.bounds.gap import gap
from tokumei.bounds.lower_bound import LowerBound, lower_bound, lower_bound_report

__all__ = ["LowerBound", "gap", "lower_bound", "lower_bound_report"]
