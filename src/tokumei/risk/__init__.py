"""What risk remains in a table, measured."""

from tokumei.risk.classes import ClassSizes, class_sizes
from tokumei.risk.special_uniques import SpecialUniques, special_uniques

__all__ = ["ClassSizes", "SpecialUniques", "class_sizes", "special_uniques"]
