"""Tables larger than memory, or than one machine: planned, routed to blocks, masked, scattered.

Its door, `mask_dataset`, is found beside the other releases: ``tokumei.release.mask_dataset``.
"""

from tokumei.batch.doors import mask_dataset

__all__ = ["mask_dataset"]
