"""Tasks on a cluster of Dask give the bytes of one process, whatever befalls its workers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders.commands import environment, posix

THOROUGH = os.environ.get("TOKUMEI_TEST_PROFILE") == "thorough"


@posix
@pytest.mark.skipif(not THOROUGH, reason="workers of a cluster take their time to begin")
def test_a_cluster_whose_workers_are_disturbed_gives_the_release_of_one_process(tmp_path):
    pytest.importorskip("distributed")
    script = Path(__file__).parents[1] / "builders" / "clusters.py"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", script, "20", tmp_path],
        capture_output=True, text=True, check=True,
        env=environment() | {"PYTHONPATH": str(script.parents[1])},
    )  # fmt: skip
    assert json.loads(done.stdout.splitlines()[-1]) == {
        "undisturbed": True,
        "killed": [True] * 20,
        "slow": True,
        "twice": True,
        "lost": ["mask_shelves", "route", "write_part"],
    }
