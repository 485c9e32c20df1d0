"""Tables larger than memory, or than one machine: planned, routed to blocks, masked, scattered.

Its doors are found beside the other releases: ``tokumei.release.mask_dataset`` and the like.
"""

from typing import TYPE_CHECKING, Any

from tokumei.batch.doors import mask_dataset
from tokumei.batch.other_doors import perturb_dataset, recode_dataset

if TYPE_CHECKING:
    from tokumei.batch.dataset import of_job

__all__ = ["mask_dataset", "of_job", "perturb_dataset", "recode_dataset"]


def __getattr__(name: str) -> Any:
    if name == "of_job":  # loads what handles tables
        from tokumei.batch.dataset import of_job

        return of_job
    msg = f"module 'tokumei.batch' has no attribute {name!r}"
    raise AttributeError(msg)
