"""Who does the tasks: threads of this process, or the workers of a cluster of Dask.

A task is a plain function of what pickle carries. It can be done twice, by two at once, or again
after it was killed half way: its result has its name only when it is whole. So nothing is asked of
the one who does it, and any other engine can.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from threading import Event, Thread
from typing import Any, Protocol

from tokumei._check import Run
from tokumei.batch import interruption
from tokumei.release.errors import InputError

Task = Callable[..., Any]
RETRIES = 5
PATIENCE = 300.0  # seconds without a worker


class Workers(Protocol):
    """Does tasks, in any order."""

    def each(self, task: Task, arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        """The number and the result of each task, as they are done."""

    def aside(self, task: Task, *arguments: Any) -> Callable[[], Any]:
        """A task that is done while others are; what is returned waits for its result."""


class Threads:
    """Threads of this process: kernels, Arrow, numpy and DuckDB leave the lock."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.stop = Event()
        self.pool = ThreadPoolExecutor(count, thread_name_prefix="tokumei")

    def end(self) -> None:
        """Leave what is under way, and wait until it has been left."""
        self.stop.set()
        self.pool.shutdown(wait=True, cancel_futures=True)

    def each(self, task: Task, arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        """At most so many tasks more than threads are under way, so that results do not pile up."""
        waiting = iter(enumerate(arguments))
        under_way: dict[Future[Any], int] = {}
        while True:
            for number, each in waiting:
                under_way[self.pool.submit(interruption.heeding, self.stop, task, *each)] = number
                if len(under_way) > self.count:
                    break
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for one in done:
                if one.exception():
                    _raise_first(under_way, under_way[one])
                yield under_way.pop(one), one.result()

    def aside(self, task: Task, *arguments: Any) -> Callable[[], Any]:
        return self.pool.submit(interruption.heeding, self.stop, task, *arguments).result


def _raise_first(under_way: Mapping[Future[Any], int], failed: int) -> None:
    """Of tasks that fail the first is told of, whichever ends first: they begin in their order."""
    earlier = sorted((number, one) for one, number in under_way.items() if number <= failed)
    for _, one in earlier:
        one.result()


class Cluster:
    """A client of `dask.distributed`: scheduling, transport and lost workers are its matter.

    A cluster whose workers are all lost for good would be waited for without end: it is given up
    when it has had none for `PATIENCE` seconds, and the same call goes on with another.
    """

    def __init__(self, client: Any) -> None:
        self.client = client

    def each(self, task: Task, arguments: Sequence[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
        from distributed import as_completed

        futures = {
            self.client.submit(task, *each, pure=False, retries=RETRIES): number
            for number, each in enumerate(arguments)
        }
        done, deserted = Event(), Event()
        watch = Thread(target=self._watch, args=(list(futures), done, deserted), daemon=True)
        watch.start()
        try:
            for future in as_completed(futures):
                if deserted.is_set():
                    msg = f"the cluster has had no worker for {PATIENCE:g} seconds"
                    raise InputError(msg)
                yield futures[future], future.result()
        finally:
            done.set()
            watch.join()
            self.client.cancel(list(futures))

    def _watch(self, futures: list[Any], done: Event, deserted: Event) -> None:
        """Cancel the tasks of a cluster that has no workers any more."""
        since = time.monotonic()
        while not done.wait(PATIENCE / 20):
            with suppress(OSError):  # a scheduler that cannot be asked has none either
                if self.client.nthreads():
                    since = time.monotonic()
            if time.monotonic() - since > PATIENCE:
                deserted.set()
                self.client.cancel(futures)
                return

    def aside(self, task: Task, *arguments: Any) -> Callable[[], Any]:
        return partial(task, *arguments)  # what it needs of the plan is not sent over


def told(
    hands: Workers, task: Task, arguments: Sequence[tuple[Any, ...]], run: Run
) -> Iterator[tuple[int, Any]]:
    """The same, and the share of the tasks that are done is told."""
    for done, each in enumerate(hands.each(task, arguments), 1):
        run.tell(done / len(arguments))
        yield each


@contextmanager
def workers(threads: int, cluster: Any = None) -> Iterator[Workers]:
    """The workers that are asked for: a cluster by its address or its client, or threads."""
    if cluster is None:
        hands = Threads(threads)
        try:
            yield hands
        finally:
            hands.end()
        return
    if not isinstance(cluster, str):
        yield Cluster(cluster)
        return
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        msg = f"a cluster needs {error.name}: pip install 'tokumei[cluster]'"
        raise ModuleNotFoundError(msg, name=error.name) from None
    with Client(cluster) as client:
        yield Cluster(client)
