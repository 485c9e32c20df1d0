"""What was lost."""

from tokumei.loss.squares import ilssdm, sse, sst

__all__ = ["ilssdm", "sse", "sst"]
