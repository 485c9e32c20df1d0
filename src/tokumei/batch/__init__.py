"""Tables larger than memory, or than one machine: planned, routed to blocks, masked, scattered.

Its door, `mask_dataset`, is found beside the other releases: ``tokumei.release.mask_dataset``.
"""

from tokumei import release
from tokumei.batch.doors import mask_dataset

__all__ = ["mask_dataset"]

# A room knows none that come after it: this one hangs its door where people look for it.
release.mask_dataset = mask_dataset
