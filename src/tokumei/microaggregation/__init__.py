"""Groups of at least k records: standardize, order, partition, aggregate."""

from tokumei.microaggregation.aggregate import aggregate, microaggregate
from tokumei.microaggregation.cut import cut, univariate
from tokumei.microaggregation.flexdice import FlexDiceBlocks, flexdice_blocks, flexdice_order
from tokumei.microaggregation.generalise import kmember, mondrian
from tokumei.microaggregation.grid import grid_order
from tokumei.microaggregation.groups import mdav, vmdav
from tokumei.microaggregation.methods import choose
from tokumei.microaggregation.mil import MilResult, mil, mil_report
from tokumei.microaggregation.npn import npn_order
from tokumei.microaggregation.order import column_order, hilbert_order, principal_order
from tokumei.microaggregation.partition import partition
from tokumei.microaggregation.refine import refine
from tokumei.microaggregation.represent import represent
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
    "standardize",
    "univariate",
    "vmdav",
]
