"""Tasks on a cluster of Dask give the bytes of one process, whatever befalls its workers.

``pip install 'tokumei[cluster]'``, and then, for all of them,
``TOKUMEI_TEST_PROFILE=thorough pytest tests/batch/test_cluster.py``.
"""

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builders.commands import environment, posix

from tokumei.batch import workers
from tokumei.release.errors import InputError

THOROUGH = os.environ.get("TOKUMEI_TEST_PROFILE") == "thorough"


@pytest.mark.filterwarnings("ignore:Port 8787 is already in use")
def test_a_cluster_that_has_lost_all_workers_is_not_waited_for_without_end(monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "PATIENCE", 0.5)
    how = {"n_workers": 0, "processes": False, "dashboard_address": ":0"}
    with distributed.LocalCluster(**how) as cluster, distributed.Client(cluster) as client:
        with pytest.raises(InputError, match=r"no worker for 0\.5 seconds"):
            list(workers.Cluster(client).each(abs, [(-1,), (-2,)]))
        cluster.scale(1)
        client.wait_for_workers(1)
        assert sorted(workers.Cluster(client).each(abs, [(-1,), (-2,)])) == [(0, 1), (1, 2)]


MASKED = ["mask_dearest", "mask_shelves", "route", "write_part"]
LOST = {
    "plain": MASKED,
    "households": sorted(["gather", *MASKED]),
    "csv": MASKED,
    "perturbed": ["alter", "gather", "write_part"],
}


@posix
def test_a_local_cluster_gives_up_a_worker_that_is_away_at_one_moment():
    """What ended the noise of many killed workers; so the rig lets none be given up."""
    pytest.importorskip("distributed")
    from builders.clusters import kill_one, local_cluster

    for patience, comes_back in (("20ms", False), ("1h", True)):
        with local_cluster(1, patience) as (cluster, client):
            first, end = set(client.nthreads()), time.monotonic() + 30
            kill_one(cluster, random)
            while set(client.nthreads()) & first or bool(client.nthreads()) != bool(
                cluster.workers
            ):
                assert time.monotonic() < end
                time.sleep(0.05)
            assert bool(cluster.workers) == comes_back


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
