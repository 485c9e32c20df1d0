"""Groups of at least k records: standardize, order, partition, aggregate."""

from tokumei.microaggregation.methods.by_name import choose
from tokumei.microaggregation.methods.cut import cut, runs
from tokumei.microaggregation.methods.kmember import kmember
from tokumei.microaggregation.methods.mdav import mdav
from tokumei.microaggregation.methods.mondrian import mondrian
from tokumei.microaggregation.methods.univariate import univariate
from tokumei.microaggregation.methods.vmdav import vmdav
from tokumei.microaggregation.microaggregate import microaggregate
from tokumei.microaggregation.orders.axes import column_order, principal_order
from tokumei.microaggregation.orders.flexdice import FlexDiceBlocks, flexdice_blocks, flexdice_order
from tokumei.microaggregation.orders.grid import grid_order
from tokumei.microaggregation.orders.hilbert import hilbert_order
from tokumei.microaggregation.orders.npn import npn_order
from tokumei.microaggregation.partition import partition
from tokumei.microaggregation.publish.aggregate import aggregate
from tokumei.microaggregation.publish.represent import represent
from tokumei.microaggregation.search.mil import MilResult, mil, mil_report
from tokumei.microaggregation.search.refine import refine
from tokumei.microaggregation.standardize import standardize

__all__ = [
    "FlexDiceBlocks",
    "MilResult",
    "aggregate",
    "choose",
    "column_order",
    "cut",
    "flexdice_blocks",
    "flexdice_order",
    "grid_order",
    "hilbert_order",
    "kmember",
    "mdav",
    "microaggregate",
    "mil",
    "mil_report",
    "mondrian",
    "npn_order",
    "partition",
    "principal_order",
    "refine",
    "represent",
    "runs",
    "standardize",
    "univariate",
    "vmdav",
]
