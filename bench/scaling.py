"""Measures sweeps on one core, on two, and through Dask, and what a row costs beside its campaign.

python bench/scaling.py [--short]     docs/scaling.json and docs/scaling.md, in about 10 minutes on an idle machine of two cores (--short: 2)
python bench/scaling.py --render      docs/scaling.md from docs/scaling.json
"""
import argparse
import contextlib
import datetime
import json
import os
import pathlib
import pickle
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import scaling_page

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
# The default campaign with fewer trials. All campaigns of the sweep are nearly the same, so that two workers end together.
BASE = "[base]\nseed = 1\nrepeats = 4\nspeeds = [0.08, 0.12, 0.18]\n"
RANGE = '[range]\n"contact.stiffness" = { linear = [3.0e5, 3.001e5] }\n'
TRIALS = 36
# As docs/sweeps.md advises for workers that compute: the profiler would stop a worker a hundred times a second, to find it in one call.
QUIET = {"DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False", "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s"}
TINY = DOCS.parent / "test/sweep/tiny.toml"


def large_plan(points):
    import thud
    return thud.parse_sweep(f"points = {points}\n{BASE}{RANGE}")


def small_plan(points):
    import thud
    base = TINY.read_text().replace("[base]\n", "[base]\nseed = 1\n")
    return thud.parse_sweep(f"points = {points}\n{base}{RANGE}")


class Cluster(contextlib.ExitStack):
    """A scheduler and two workers of one thread, each a process."""

    def __init__(self, folder, settings):
        super().__init__()
        self.folder, self.settings = folder, settings
        folder.mkdir()
        file = folder / "scheduler.json"
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", file)
        while not file.exists() or not file.stat().st_size:
            time.sleep(0.1)
        self.address = json.loads(file.read_text())["address"]
        self.workers = [self.start("worker", self.address, "--no-nanny", "--nthreads", "1", "--host", "127.0.0.1") for _ in range(2)]

    def start(self, *words):
        log = self.enter_context(open(self.folder / "dask.log", "ab"))
        child = subprocess.Popen([pathlib.Path(sys.executable).with_name("dask"), *words, "--no-dashboard"], stdout=log, stderr=log,
                                 env={**os.environ, **self.settings})
        self.callback(child.wait)
        self.callback(child.kill)
        return child


class Counts:
    """Messages and bytes of the connections of this process."""

    def __init__(self):
        from distributed.comm import tcp
        from distributed.utils import nbytes
        self.sent = self.received = self.sent_bytes = self.received_bytes = 0
        to_frames, from_frames = tcp.to_frames, tcp.from_frames

        async def sending(*words, **named):
            frames = await to_frames(*words, **named)
            self.sent, self.sent_bytes = self.sent + 1, self.sent_bytes + sum(map(nbytes, frames))
            return frames

        async def receiving(frames, *words, **named):
            self.received, self.received_bytes = self.received + 1, self.received_bytes + sum(map(nbytes, frames))
            return await from_frames(frames, *words, **named)

        tcp.to_frames, tcp.from_frames = sending, receiving

    def now(self):
        return {key: getattr(self, key) for key in ("sent", "received", "sent_bytes", "received_bytes")}


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def busy_seconds():
    """Of all cores together, by all programs."""
    user, nice, system, _, _, irq, softirq, *_ = map(int, pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:])
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def at_rest(cluster, seconds):
    """What collector, scheduler and a worker take while there is nothing to do, in cores."""
    def taken():
        return time.process_time(), processor_seconds(cluster.scheduler.pid), statistics.mean(processor_seconds(each.pid) for each in cluster.workers)
    before = taken()
    time.sleep(seconds)
    return dict(zip(("collector", "scheduler", "worker"), ((after - first) / seconds for first, after in zip(before, taken()))))


def timed_sweep(plan, file, **how):
    import thud
    start = time.perf_counter()
    failures = thud.sweep(plan, file, **how)["failure"]
    assert not any(failures), failures
    return time.perf_counter() - start


def spread(values):
    return {"median": statistics.median(values), "least": min(values), "largest": max(values)}


def measure_rates(client, folder, rounds, campaigns):
    """Campaigns per minute in three ways that take turns."""
    ways = {"one core": (max(1, campaigns // 2), {"jobs": 1}), "two threads": (campaigns, {"jobs": 2}), "two workers": (campaigns, {"client": client})}
    found = {name: [] for name in ways}
    for turn in range(rounds):
        for name, (points, how) in list(ways.items())[:: 1 if turn % 2 else -1]:
            seconds = timed_sweep(large_plan(points), folder / f"{name} {turn}.h5", **how)
            found[name].append(60 * points / seconds)
            print(f"round {turn + 1}: {name}: {found[name][-1]:.2f} campaigns a minute", file=sys.stderr)
    ratios = [there / here for there, here in zip(found["two workers"], found["two threads"])]
    return {"rounds": rounds, **{name: spread(values) for name, values in found.items()}, "ratio": spread(ratios)}


def measure_rows(client, cluster, counts, folder, rows):
    import thud
    plan = small_plan(rows)
    small, large = (len(pickle.dumps(thud.sweep_task(each, thud.sweep_points(each)[0]), pickle.HIGHEST_PROTOCOL)) for each in (plan, large_plan(1)))
    timed_sweep(small_plan(16), folder / "warm.h5", client=client)
    rest = at_rest(cluster, 15)
    before, own, its = counts.now(), time.process_time(), processor_seconds(cluster.scheduler.pid)
    journal = []
    seconds = timed_sweep(plan, folder / "rows.h5", client=client,
                          progress=lambda *_: journal.append(os.path.getsize(folder / "rows.h5.parts/rows")))
    own, its = time.process_time() - own, processor_seconds(cluster.scheduler.pid) - its
    of_row = {key: (value - before[key]) / rows for key, value in counts.now().items()}
    of_row["sent_bytes"] += large - small  # as with the campaigns of the rates
    return {"rows": rows, "per_second": rows / seconds, "task_bytes": large, "journal_bytes": journal[-1] / rows, "rest": rest,
            "collector_ms": 1e3 * (own - rest['collector'] * seconds) / rows, "scheduler_ms": 1e3 * (its - rest['scheduler'] * seconds) / rows, **of_row}


def trial_bytes():
    import thud
    made = thud.simulate_trial(thud.default_campaign(), 0)
    return len(pickle.dumps((made.trial, made.run.truth), pickle.HIGHEST_PROTOCOL))


def measure_memory(address, counts):
    """Greatest resident size of a collector [MB] by the number of small campaigns."""
    found = {}
    for campaigns in counts:
        done = subprocess.run([sys.executable, __file__, "--collect", str(campaigns), address], check=True, capture_output=True, text=True)
        found[str(campaigns)] = float(done.stdout)
        print(f"{campaigns} campaigns: {found[str(campaigns)]:.1f} MB", file=sys.stderr)
    return found


def collect(campaigns, address):
    from distributed import Client
    with tempfile.TemporaryDirectory() as folder, Client(address, direct_to_workers=False) as client:
        timed_sweep(small_plan(campaigns), pathlib.Path(folder, "a.h5"), client=client)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)


def rounded(thing):
    if isinstance(thing, float):
        return float(f"{thing:.4g}")
    return {key: rounded(value) for key, value in thing.items()} if isinstance(thing, dict) else thing


def measure(short):
    import distributed
    import thud
    begun, busy = time.perf_counter(), busy_seconds()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        counts = Counts()
        with Cluster(folder / "default", {}) as cluster, distributed.Client(cluster.address, set_as_default=False) as client:
            client.wait_for_workers(2)
            time.sleep(5)
            default_rest = at_rest(cluster, 5 if short else 15)
        with Cluster(folder / "quiet", QUIET) as cluster, distributed.Client(cluster.address, direct_to_workers=False, set_as_default=False) as client:
            client.wait_for_workers(2)
            row = measure_rows(client, cluster, counts, folder, 64 if short else 256)
            memory = measure_memory(cluster.address, (8, 64) if short else (8, 64, 512))
            rates = measure_rates(client, folder, 1 if short else 9, 2 if short else 4)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    mine = resource.getrusage(resource.RUSAGE_SELF)
    own = sum(each.ru_utime + each.ru_stime for each in (children, mine))
    cpu = pathlib.Path("/proc/cpuinfo").read_text()
    machine = {"processor": cpu.split("model name\t: ")[1].split("\n")[0], "cores": os.cpu_count(), "python": platform.python_version(),
               "distributed": distributed.__version__, "thud": thud.__version__, "date": str(datetime.date.today()),
               "others": max(0.0, (busy_seconds() - busy - own) / (time.perf_counter() - begun))}
    return rounded({"machine": machine, "trials": TRIALS, "rates": rates, "row": row, "default_rest": default_rest, "memory": memory, "trial_bytes": trial_bytes()})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--render", action="store_true")
    parser.add_argument("--short", action="store_true", help="for plausibility: one round")
    parser.add_argument("--collect", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.collect:
        return collect(int(given.collect[0]), given.collect[1])
    if not given.render:
        (DOCS / "scaling.json").write_text(json.dumps(measure(given.short), indent=1) + "\n")
    (DOCS / "scaling.md").write_text(scaling_page.page(json.loads((DOCS / "scaling.json").read_text())))


if __name__ == "__main__":
    main()
