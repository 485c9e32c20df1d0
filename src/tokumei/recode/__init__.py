"""Categories merged, generalised or changed at random: minimum share, hierarchies, PRAM."""

from tokumei.recode.recoding import Recoding
from tokumei.recode.share import by_share

__all__ = ["Recoding", "by_share"]
