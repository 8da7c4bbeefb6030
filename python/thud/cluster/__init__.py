"""Sweeps and large campaigns on the workers of a Dask cluster: `thud.sweep(…, client=…)`, `thud.simulate(…, client=…)`.

    from dask.distributed import Client
    with Client("tcp://head:8786") as client:
        table = thud.sweep(thud.read_sweep("sweep.toml"), "sweep.h5", client=client)

This process alone reads and writes files. A task has everything in it, the text of the robot too, and its result comes back
through the scheduler; whoever made it, and in whatever order, the file has the bytes of a local run. Needs the packages of
`pip install 'thud[cluster]'`, here and on the workers. `python -m thud.cluster` is the command line.
"""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Iterator, Sequence

from .. import Campaign, CampaignWriter, InputError, SimulateStatus, SweepPlan, SweepWriter, sweep_row, sweep_task
from .collector import ClusterError as ClusterError, Collector as Collector, Work as Work
from .worker import row_of, trials_of

if TYPE_CHECKING:
    from distributed import Client

Progress = Callable[[int, int], None]

# Trials in one task: a trial takes some tens of milliseconds, what Dask does about a task some milliseconds.
MOST_TRIALS = 16


def sweep(plan: SweepPlan, path: str | os.PathLike[str], client: Client, jobs: int = 0, shard: tuple[int, int] = (1, 1),
          refine: Sequence[tuple[str, int]] = (), progress: Progress | None = None) -> SimulateStatus:
    """Runs all campaigns that the file does not have yet, a task each, and completes it."""
    collector = collector_of(client, jobs)
    return collect_rows(collector, plan, SweepWriter(Path(path), plan, shard, list(refine)), shard, progress)


def simulate(campaign: Campaign, path: str | os.PathLike[str], client: Client, jobs: int = 0,
             progress: Progress | None = None) -> SimulateStatus:
    """Runs all trials that the file does not have yet, some in a task, and completes it."""
    collector = collector_of(client, jobs)
    return collect_trials(collector, campaign, CampaignWriter(Path(path), campaign), progress)


def collector_of(client: Client, jobs: int) -> Collector:
    if jobs != 0:
        raise InputError("jobs", str(jobs), "does not go with a client: the threads of its workers are the jobs")
    return Collector(client)


def collect_rows(collector: Collector, plan: SweepPlan, writer: SweepWriter, shard: tuple[int, int],
                 progress: Progress | None) -> SimulateStatus:
    if writer.complete:
        return SimulateStatus.was_complete
    while missing := writer.missing():  # once, and once for each refinement
        whole = len(range(shard[0] - 1, writer.size, shard[1]))
        done = whole - len(missing)

        def told() -> None:
            nonlocal done
            done += 1
            if progress:
                progress(done, whole)

        def works() -> Iterator[Work]:
            for row in missing:
                task = sweep_task(plan, writer.point(row))
                if task.campaign is None:  # its row says why
                    writer.store(row, sweep_row(task))
                    told()
                else:
                    yield Work(f"row {row}", row, row_of, (pickle.dumps(task, pickle.HIGHEST_PROTOCOL),))

        def keep(row: int, result: bytes) -> None:
            writer.store(row, pickle.loads(result))
            told()

        collector.collect(works(), keep)
    writer.finish()
    return SimulateStatus.complete


def collect_trials(collector: Collector, campaign: Campaign, writer: CampaignWriter, progress: Progress | None) -> SimulateStatus:
    if writer.complete:
        return SimulateStatus.was_complete
    missing = writer.missing()
    done = writer.size - len(missing)
    content = pickle.dumps(campaign, pickle.HIGHEST_PROTOCOL)
    # Several tasks for every thread, so that all are busy to the end
    together = max(1, min(MOST_TRIALS, len(missing) // (4 * max(1, collector.threads))))

    def works() -> Iterator[Work]:
        for at in range(0, len(missing), together):
            some = missing[at:at + together]
            yield Work(f"trials {some[0]} to {some[-1]}", at, trials_of, (content, some))

    def keep(_: int, result: bytes) -> None:
        nonlocal done
        for trial, truth in pickle.loads(result):
            writer.store(trial, truth)
            done += 1
            if progress:
                progress(done, writer.size)

    collector.collect(works(), keep)
    writer.finish()
    return SimulateStatus.complete
