"""Data sets masked by a local cluster of four workers, which are killed at random moments."""

import json
import os
import random
import sys
import threading
import time
from pathlib import Path

from builders.datasets import mask
from builders.killed_datasets import prepared, told


def main(count, folder):
    import distributed

    source = prepared(folder)
    mask(source, folder / "one", n_threads=1)
    expected, chance = told(folder / "one"), random.Random(0)
    with (
        distributed.LocalCluster(
            n_workers=4, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        begin = time.perf_counter()
        mask(source, folder / "many", cluster=client)
        span = time.perf_counter() - begin
        killed = []
        for turn in range(count):
            moment = chance.random() * span

            def kill(moment=moment):
                time.sleep(moment)
                pids = [worker.pid for worker in cluster.workers.values() if worker.pid]
                os.kill(chance.choice(pids), 9)  # its nanny begins another

            killer = threading.Thread(target=kill)
            killer.start()
            mask(source, folder / f"killed{turn}", cluster=client)
            killer.join()
            killed.append(told(folder / f"killed{turn}") == expected)
        print(json.dumps({"undisturbed": told(folder / "many") == expected, "killed": killed}))


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
