"""What a release was made of: the table as it was read, and the cells that steps put in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tokumei.release.io.frames import Frame


@dataclass(frozen=True)
class Origin:
    """The input, and the cells that are to stand in the release instead of its own.

    `made` has an Arrow column for each that a step changed, in the order of the input's rows, or,
    where they are `scattered`, in that of the release's. The rows of the release are to be
    `shuffled`, or in their order.
    """

    read: Frame
    made: Mapping[str, Any] = field(default_factory=dict)
    shuffled: bool = True
    scattered: bool = False
