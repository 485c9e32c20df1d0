"""Data sets released by four workers of a cluster: killed, slowed down, their results lost."""

import json
import os
import random
import signal
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

from builders.killed_datasets import prepared, told
from builders.kinds_of_runs import WORK


@contextmanager
def local_cluster(count, patience="1h"):
    """Processes as workers; one that was lost and is away after that time is not begun again.

    A `LocalCluster` looks for the worker at that moment only: where workers are killed often, one
    that has come back may just be away again, and its nanny is closed for good.
    """
    import dask
    import distributed

    asked = {
        "n_workers": count, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50,
    }  # fmt: skip
    with (
        dask.config.set({"distributed.deploy.lost-worker-timeout": patience}),
        distributed.LocalCluster(**asked) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield cluster, client


def kill_one(cluster, chance):
    """Kill a worker, which its nanny begins again."""
    pids = [worker.pid for worker in cluster.workers.values() if worker.pid]
    os.kill(chance.choice(pids), signal.SIGKILL)


@contextmanager
def stopped_now_and_then(pid, span):
    """A worker that stands still nine tenths of the time, as long as the work goes on."""
    done = threading.Event()

    def slow():
        while not done.is_set():
            os.kill(pid, signal.SIGSTOP)
            done.wait(0.9 * span / 10)
            os.kill(pid, signal.SIGCONT)
            done.wait(0.1 * span / 10)

    slower = threading.Thread(target=slow)
    slower.start()
    try:
        yield
    finally:
        done.set()
        slower.join()


def lose_first_results(marks):
    """In a worker: what the first task of each phase found is lost, and it is asked for again."""
    from tokumei.batch import equals, homes, route, rowwise, scatter

    def losing(real):
        def task(*arguments):
            found = real(*arguments)
            try:
                (Path(marks) / real.__name__).open("x").close()
            except FileExistsError:
                return found
            msg = "the connection was lost"
            raise OSError(msg)

        task.__name__, task.__qualname__, task.__module__ = (
            real.__name__, real.__qualname__, real.__module__
        )  # fmt: skip
        return task

    masked = [(scatter, "mask_shelves"), (scatter, "mask_dearest"), (scatter, "write_part")]
    others = [(route, "route"), (homes, "gather"), (equals, "gather"), (rowwise, "alter")]
    for room, name in masked + others:
        setattr(room, name, losing(getattr(room, name)))


def main(count, folder, kind):
    folder, work = folder / kind, WORK[kind]
    folder.mkdir()
    source = prepared(folder, kind)
    work(source, folder / "one", n_threads=1)
    expected, chance = told(folder / "one"), random.Random(0)
    with local_cluster(4) as (cluster, client):
        begin = time.perf_counter()
        work(source, folder / "many", cluster=client)
        span = time.perf_counter() - begin
        killed = []
        for turn in range(count):
            moment = chance.random() * span

            def kill(moment=moment):
                time.sleep(moment)
                kill_one(cluster, chance)

            killer = threading.Thread(target=kill)
            killer.start()
            work(source, folder / f"killed{turn}", cluster=client)
            killer.join()
            killed.append(told(folder / f"killed{turn}") == expected)
            client.wait_for_workers(4, timeout=60)
        slow = next(worker.pid for worker in cluster.workers.values() if worker.pid)
        with stopped_now_and_then(slow, span):
            work(source, folder / "slow", cluster=client)
        marks = folder / "marks"
        marks.mkdir()
        client.run(lose_first_results, str(marks))
        work(source, folder / "twice", cluster=client)
        print(
            json.dumps(
                {
                    "undisturbed": told(folder / "many") == expected,
                    "killed": killed,
                    "slow": told(folder / "slow") == expected,
                    "twice": told(folder / "twice") == expected,
                    "lost": sorted(mark.name for mark in marks.iterdir()),
                }
            )
        )


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), *(sys.argv[3:] or ["plain"]))
