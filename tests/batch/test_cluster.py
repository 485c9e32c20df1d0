"""Tasks on a cluster of Dask give the bytes of one process, whatever befalls its workers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from builders.commands import environment, posix

from tokumei.batch import workers
from tokumei.release.errors import InputError

THOROUGH = os.environ.get("TOKUMEI_TEST_PROFILE") == "thorough"


def test_a_cluster_that_has_lost_all_workers_is_not_waited_for_without_end(monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "PATIENCE", 0.5)
    how = {"n_workers": 0, "processes": False, "dashboard_address": None}
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
