"""docs/scaling.md as a function of what was measured."""

TEXT = """# Scaling: from two cores to a thousand workers

`python bench/scaling.py` measures the constants on one machine and writes this page; `docs/scaling.json` holds the data. How to run a sweep on a
cluster: [sweeps.md](sweeps.md#on-a-cluster).

{machine}

## What a campaign costs

Sweeps of equal campaigns of {trials} trials each, {rounds} rounds in which all take turns; medians. A cluster is a scheduler and two workers of one thread, each
a process of its own, with the two settings that [sweeps.md](sweeps.md#on-a-cluster) advises, and the collector beside them.

{rates}

Through Dask two workers make {ratio:.3f} of what two threads of one process make (single rounds from {ratio_least:.3f} to {ratio_largest:.3f}: as far as the machine's own speed wanders). By the clock
{overhead} (aim: below 5 %; {verdict}). By its parts, which wander less, it is {parts:.1f} %: what all processes of the cluster take at rest, and what collector and scheduler take for a row, of two
cores at work. On a machine with two cores scheduler and collector have no core of their own: what they take is taken from the workers. With Dask's defaults the parts make {default_parts:.1f} %.

At rest, in percent of a core:

{rest}

By default Dask's profiler stops a worker a hundred times a second to see which Python function it is in, which for a campaign is always the same one, and an event loop looks at itself fifty times a second.

## What a row costs beside its campaign

{small} campaigns of one trial, which leave the workers little to do, on the same cluster:

{constants}

Messages and bytes are those of the collector's connection, bytes of a task with the Panda; the scheduler passes the same on to the workers. A task has its campaign and its robot as text in it. Times are without what
the processes take at rest.

The collector's memory does not grow with the number of campaigns (greatest resident size, a process each):

{memory}

## To 1000 workers

A campaign that takes {seconds:.2g} s on one core gives {rows_per_second:.3g} rows a second on 1000 workers of one thread. Then, by the constants above:

{thousand}

{limit} Campaigns with more trials, or slower ones, move this limit in proportion. What the constants do not tell: a network with a delay of its own (a row waits for
its result, not for its turn: twice as many tasks are under way as there are threads), a scheduler that does other work besides, the heartbeats of many workers, and disks (a row is {line:.2g} kB in the journal).

For one large campaign (`thud simulate --scheduler`) up to 16 trials travel in one task, {trial_bytes:.3g} kB each. Past these limits: shards (`--shard i/n`), a collector each, and `thud merge`.
"""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def page(data):
    machine, rates, row, memory = data["machine"], data["rates"], data["row"], data["memory"]
    overhead = 100 * (1 - rates["ratio"]["median"])
    seconds = 60 / rates["one core"]["median"]
    rows_per_second = 1000 / seconds
    collector, scheduler = row["collector_ms"] / 1e3, row["scheduler_ms"] / 1e3
    loads = {"the collector": collector, "the scheduler": scheduler}
    # scheduler, two workers and the collector beside two cores of campaigns
    parts = [100 * ((rest["scheduler"] + 2 * rest["worker"] + rest["collector"]) / 2 + (collector + scheduler) / seconds) for rest in (row["rest"], data["default_rest"])]
    first = max(loads, key=loads.get)
    most = seconds / loads[first]
    return TEXT.format(
        machine=f"{machine['processor']}, {machine['cores']} cores; Python {machine['python']}, distributed {machine['distributed']}, thud {machine['thud']}; {machine['date']}; "
                f"other programs kept {machine['others']:.2f} cores busy meanwhile.",
        trials=data["trials"], rounds=rates["rounds"], small=row["rows"], ratio=rates["ratio"]["median"], ratio_least=rates["ratio"]["least"],
        ratio_largest=rates["ratio"]["largest"], overhead=f"the overhead is {overhead:.1f} %" if overhead > 0 else "no overhead is seen", parts=parts[0], default_parts=parts[1], verdict="reached" if overhead < 5 else "not reached",
        rates=table(("", "campaigns a minute", "least", "largest"),
                    [(name, *(f"{rates[name][key]:.2f}" for key in ("median", "least", "largest"))) for name in ("one core", "two threads", "two workers")]),
        constants=table(("of a row", ""), [
            ("collector's processor time", f"{row['collector_ms']:.2f} ms"), ("scheduler's processor time", f"{row['scheduler_ms']:.2f} ms"),
            ("messages sent and received", f"{row['sent']:.2f} and {row['received']:.2f}"),
            ("bytes sent and received", f"{row['sent_bytes'] / 1e3:.1f} kB and {row['received_bytes'] / 1e3:.1f} kB"),
            ("campaigns a second, two workers", f"{row['per_second']:.1f}")]),
        memory=table(("campaigns", "MB"), [(campaigns, f"{megabytes:.1f}") for campaigns, megabytes in memory.items()]),
        seconds=seconds, rows_per_second=rows_per_second,
        thousand=table(("", "1000 workers"), [
            ("collector", f"{100 * rows_per_second * collector:.0f} % of a core"), ("scheduler", f"{100 * rows_per_second * scheduler:.0f} % of a core"),
            ("collector's connection, out", f"{rows_per_second * row['sent_bytes'] / 1e6:.2f} MB/s"),
            ("collector's connection, in", f"{rows_per_second * row['received_bytes'] / 1e6:.2f} MB/s"),
            ("messages", f"{rows_per_second * (row['sent'] + row['received']):.0f} a second"),
            ("tasks under way (two a thread, 16 more)", f"{2 * 1000 + 16}, {(2 * 1000 + 16) * row['task_bytes'] / 1e6:.0f} MB in the scheduler")]),
        limit=f"The first to be busy is {first}: it fills one core at {most:.0f} workers, {'beyond' if most >= 1000 else 'short of'} the thousand.",
        rest=table(("", "scheduler with two workers", "each worker"),
                   [(name, *(f"{100 * rest[key]:.1f}" for key in ("scheduler", "worker"))) for name, rest in (("Dask's defaults", data["default_rest"]), ("the advised settings", row["rest"]))]),
        line=row["journal_bytes"] / 1e3, trial_bytes=data["trial_bytes"] / 1e3)
