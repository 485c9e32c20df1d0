"""Groups of at least k records: standardize, partition, aggregate."""

from tokumei.microaggregation.aggregate import aggregate, microaggregate
from tokumei.microaggregation.cut import cut, univariate
from tokumei.microaggregation.groups import mdav
from tokumei.microaggregation.mil import MilResult, mil, mil_report
from tokumei.microaggregation.partition import choose, partition
from tokumei.microaggregation.represent import represent
from tokumei.microaggregation.standardize import standardize

__all__ = [
    "MilResult",
    "aggregate",
    "choose",
    "cut",
    "mdav",
    "microaggregate",
    "mil",
    "mil_report",
    "partition",
    "represent",
    "standardize",
    "univariate",
]
