"""Groups of at least k records: standardize, partition, aggregate."""

from tokumei.microaggregation.aggregate import aggregate, microaggregate
from tokumei.microaggregation.generalise import kmember, mondrian
from tokumei.microaggregation.groups import mdav, vmdav
from tokumei.microaggregation.partition import choose, partition
from tokumei.microaggregation.refine import refine
from tokumei.microaggregation.represent import represent
from tokumei.microaggregation.standardize import standardize

__all__ = [
    "aggregate",
    "choose",
    "kmember",
    "mdav",
    "microaggregate",
    "mondrian",
    "partition",
    "refine",
    "represent",
    "standardize",
    "vmdav",
]
