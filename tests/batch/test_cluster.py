"""Tasks on a cluster of Dask give the bytes of one process, whatever befalls its workers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders.commands import environment, posix

THOROUGH = os.environ.get("TOKUMEI_TEST_PROFILE") == "thorough"


MASKED = ["mask_dearest", "mask_shelves", "route", "write_part"]
LOST = {
    "plain": MASKED,
    "households": sorted(["gather", *MASKED]),
    "csv": MASKED,
}


@posix
@pytest.mark.skipif(not THOROUGH, reason="workers of a cluster take their time to begin")
@pytest.mark.parametrize("kind", LOST)
def test_a_cluster_whose_workers_are_disturbed_gives_the_release_of_one_process(tmp_path, kind):
    pytest.importorskip("distributed")
    script = Path(__file__).parents[1] / "builders" / "clusters.py"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", script, "20", tmp_path, kind],
        capture_output=True, text=True, check=True,
        env=environment() | {"PYTHONPATH": str(script.parents[1])},
    )  # fmt: skip
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "undisturbed": True,
        "killed": [True] * 20,
        "slow": True,
        "twice": True,
        "lost": LOST[kind],
    }
