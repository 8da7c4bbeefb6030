"""The end of a cluster that hands out work and gathers what becomes of it."""

from __future__ import annotations

import queue
import time
import warnings
from asyncio import CancelledError
from dataclasses import dataclass
from itertools import islice
from typing import Any, Callable, Iterable

import distributed

from .. import Error, InputError
from .worker import Identity, OtherVersion, identity

PER_THREAD = 2  # tasks under way for a worker's thread: one that runs, one that waits
SPARE = 16  # beside: something to wait for, for clusters that grow when there is
AT_ONCE = 16  # tasks handed out, or results in memory
LOOK = 2.0  # time between two looks at the workers [s]
# As text: a worker without thud could not even read a function of it.
QUESTION = "__import__('importlib').import_module('thud.cluster.worker').identity()"


class NoWorkers(UserWarning):
    """A scheduler that has no workers: the work waits for one."""


class ClusterError(Error):
    """A cluster that cannot go on: what was finished is kept, and the same call goes on where it stopped."""


@dataclass(frozen=True)
class Work:
    name: str  # in messages
    number: int  # by which its result is kept
    function: Callable[..., bytes]
    arguments: tuple[Any, ...]


class Collector:
    """Keeps the workers of a client busy with a bounded number of tasks: what is under way here grows with the workers, and
    never with the work. Results are gathered through the scheduler, some at a time."""

    def __init__(self, client: distributed.Client) -> None:
        if not isinstance(client, distributed.Client):
            raise InputError("client", type(client).__name__, "must be a dask.distributed.Client")
        if client.asynchronous:
            raise InputError("client", "asynchronous", "must be a client that waits for its results")
        self.client = client
        self.address = client.scheduler.address if client.scheduler else "none"
        self.known: set[str] = set()  # addresses of workers that have our thud
        self.threads = 0  # of all of them
        self.look()

    @property
    def room(self) -> int:
        """Tasks that may be under way."""
        return PER_THREAD * self.threads + SPARE

    def lost(self) -> ClusterError:
        return ClusterError(f"scheduler {self.address}", "the connection is lost", "what is finished is kept; the same call goes on where it stopped")

    def asked(self, question: Callable[[], Any]) -> Any:
        """What a cluster answers. Raises ClusterError where its scheduler is gone."""
        try:
            if self.client.status != "running":
                raise self.lost()
            return question()
        except (OSError, CancelledError, distributed.client.ClosedClientError) as error:
            if isinstance(error, Error):
                raise
            raise self.lost() from error

    def look(self) -> None:
        """At the workers: one with another thud is refused."""
        workers: dict[str, int] = self.asked(self.client.nthreads)
        if new := sorted(set(workers) - self.known):
            self.require_same(new)
        self.known, self.threads = set(workers), sum(workers.values())
        self.looked = time.monotonic()

    def require_same(self, workers: list[str]) -> None:
        told = self.asked(lambda: self.client.run(eval, QUESTION, workers=workers, on_error="return"))
        for address, answer in told.items():
            if isinstance(answer, (ImportError, AttributeError)):
                raise refused(address, f"no thud.cluster ({answer})")
            if isinstance(answer, tuple) and answer != identity():  # else it died meanwhile
                raise refused(address, described(answer))

    def collect(self, works: Iterable[Work], keep: Callable[[int, bytes], None]) -> None:
        """Has all works done, and gives the result of each to `keep` as it comes. Raises what a work raises."""
        waiting = iter(works)
        flying: dict[str, tuple[distributed.Future, Work]] = {}
        finished: queue.SimpleQueue[str] = queue.SimpleQueue()
        if self.threads == 0:
            warnings.warn(f"scheduler {self.address}: has no workers: waiting for one", NoWorkers, stacklevel=4)
        try:
            more = True
            while more or flying:
                if time.monotonic() - self.looked > LOOK:
                    self.look()
                new = list(islice(waiting, max(0, min(AT_ONCE, self.room - len(flying)))))
                more = more and (bool(new) or len(flying) >= self.room)
                for work in new:
                    future = self.asked(lambda: self.client.submit(work.function, identity(), *work.arguments, pure=False))
                    flying[future.key] = future, work
                    future.add_done_callback(lambda done: finished.put(done.key))
                full = not more or len(flying) >= self.room
                self.take([flying.pop(key) for key in next_of(finished, LOOK if full else 0)], keep)
        finally:
            for future, _ in flying.values():
                future.release()

    def take(self, done: list[tuple[distributed.Future, Work]], keep: Callable[[int, bytes], None]) -> None:
        """Keeps what succeeded, then raises for what did not."""
        if not done and self.client.status != "running":
            raise self.lost()
        good = [(future, work) for future, work in done if future.status not in ("error", "cancelled")]
        results = self.asked(lambda: self.client.gather([future for future, _ in good], direct=False)) if good else []
        for (_, work), result in zip(good, results):
            keep(work.number, result)
        for future, work in done:
            if future.status == "error":
                raise self.failed(work, self.asked(future.exception))
            if future.status == "cancelled":  # the client cancels all when it loses its scheduler
                raise self.lost()

    def failed(self, work: Work, error: BaseException) -> BaseException:
        """What to raise for a task that did not give a result."""
        if isinstance(error, OtherVersion):
            address, *told = error.args
            return refused(address, described(tuple(told)))
        if isinstance(error, Error):  # of thud
            return error
        if isinstance(error, distributed.scheduler.KilledWorker):
            return ClusterError(work.name, f"worker {error.last_worker.address} and others before it died with it",
                                "see their logs: memory may be short; the same call tries it again")
        self.known.clear()
        self.look()  # raises for a worker that cannot even read the task
        return ClusterError(work.name, f"{type(error).__name__}: {' '.join(str(error).split())}", "is not an answer that thud gives: see the workers' logs")


def next_of(finished: queue.SimpleQueue[str], wait: float) -> list[str]:
    """Keys of tasks that are done: at most AT_ONCE; none if there is none in that time [s]."""
    keys: list[str] = []
    try:
        while len(keys) < AT_ONCE:
            keys.append(finished.get(timeout=wait) if not keys and wait > 0 else finished.get_nowait())
    except queue.Empty:
        pass
    return keys


def described(answer: Identity | tuple[Any, ...]) -> str:
    version, digest = answer
    return f"thud {version} (SHA-256 {digest[:12]})"


def refused(address: str, has: str) -> InputError:
    return InputError(f"worker {address}", has, f"must have what collects here, {described(identity())}: the bytes of the file depend on it")
