"""Recoding: rare categories merged, values on a level of a hierarchy, numbers in bins."""
