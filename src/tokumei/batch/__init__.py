"""Tables larger than memory, or than one machine: planned, routed to blocks, masked, scattered.

Its doors are found beside the other releases: ``tokumei.release.mask_dataset`` and the like.
"""

from tokumei.batch.doors import mask_dataset, of_job
from tokumei.batch.other_doors import perturb_dataset, recode_dataset

__all__ = ["mask_dataset", "of_job", "perturb_dataset", "recode_dataset"]
