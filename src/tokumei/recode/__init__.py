"""Categories merged, generalised or changed at random: minimum share, hierarchies, PRAM."""

from tokumei.recode import metrics
from tokumei.recode.full_domain import FullDomain, full_domain
from tokumei.recode.numeric import bins, bottom_code, top_code
from tokumei.recode.pram import Transition, invariant, pram, retention
from tokumei.recode.recoding import Recoding
from tokumei.recode.share import by_share
from tokumei.recode.suppress import Suppression, suppress_cells
from tokumei.values.hierarchy import Hierarchy

__all__ = [
    "FullDomain",
    "Hierarchy",
    "Recoding",
    "Suppression",
    "Transition",
    "bins",
    "bottom_code",
    "by_share",
    "full_domain",
    "invariant",
    "metrics",
    "pram",
    "retention",
    "suppress_cells",
    "top_code",
]
