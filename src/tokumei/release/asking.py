"""How the functions of a release end: their keyword arguments become a job, and it is run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from tokumei.release import engines
from tokumei.release.job import Step, gather
from tokumei.release.release import Release


def released(kind: type[Step], keywords: Mapping[str, Any]) -> Release:
    """The release of a `table`, or of a `source` into a `target`, as a job of one step."""
    places = {name: os.fspath(keywords[name]) for name in ("source", "target") if name in keywords}
    job = gather(kind, keywords, **places)
    with engines.needed():
        from tokumei.release import pipeline
    return pipeline.from_file(job) if places else pipeline.from_frame(keywords["table"], job)
