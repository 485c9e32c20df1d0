"""Groups of at least k records: standardize, partition, aggregate."""

from tokumei.microaggregation.aggregate import aggregate, microaggregate
from tokumei.microaggregation.groups import mdav
from tokumei.microaggregation.order import npn_order
from tokumei.microaggregation.partition import choose, partition
from tokumei.microaggregation.standardize import standardize

__all__ = [
    "aggregate",
    "choose",
    "mdav",
    "microaggregate",
    "npn_order",
    "partition",
    "standardize",
]
