"""Groups of at least k records: standardize, partition, aggregate."""

from tokumei.microaggregation.aggregate import aggregate, microaggregate
from tokumei.microaggregation.groups import mdav
from tokumei.microaggregation.partition import choose, partition
from tokumei.microaggregation.refine import refine
from tokumei.microaggregation.represent import represent
from tokumei.microaggregation.standardize import standardize

__all__ = [
    "aggregate",
    "choose",
    "mdav",
    "microaggregate",
    "partition",
    "refine",
    "represent",
    "standardize",
]
