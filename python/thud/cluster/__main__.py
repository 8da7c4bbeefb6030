"""python -m thud.cluster: what `thud sweep --scheduler` and `thud simulate --scheduler` run.

Exit 0: done; 1: the scheduler is gone, the plant becomes unstable, or interrupted; 2: misuse or bad input. Then with one line on
standard error."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import warnings
from pathlib import Path
from typing import Any, Callable, NoReturn, Sequence

import distributed

from .. import (
    __version__, CampaignWriter, Error, FileError, InputError, PlantError, SimulateStatus, SweepWriter, default_campaign, read_campaign, read_sweep,
)
from . import ClusterError, Collector, collect_rows, collect_trials
from .collector import NoWorkers


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError("arguments", message, f"not what {self.prog} takes (see {self.prog} --help)")


def parser() -> Parser:
    whole = Parser(prog="python -m thud.cluster", description="Sweeps and campaigns on the workers of a Dask cluster.", allow_abbrev=False,
                   epilog="Example:\n  python -m thud.cluster sweep sweep.toml --out sweep.h5 --scheduler tcp://head:8786",
                   formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = whole.add_subparsers(dest="command", required=True, metavar="sweep|simulate", parser_class=Parser)
    rows = commands.add_parser("sweep", help="the campaigns of a plan", allow_abbrev=False)
    rows.add_argument("plan", metavar="SWEEP")
    rows.add_argument("--shard", default="1/1")
    rows.add_argument("--refine", action="append", default=[])
    trials = commands.add_parser("simulate", help="the trials of a campaign", allow_abbrev=False)
    trials.add_argument("campaign", metavar="CAMPAIGN", nargs="?")
    trials.add_argument("--seed", type=int)
    for each in (rows, trials):
        each.add_argument("--out", required=True, help="HDF5 file to write, or to continue")
        each.add_argument("--scheduler", required=True, help="its address, tcp://HOST:PORT or tls://HOST:PORT")
        each.add_argument("--tls-ca", help="PEM file of the authority")
        each.add_argument("--tls-cert", help="PEM file of the certificate of this end")
        each.add_argument("--tls-key", help="PEM file of its key")
        each.add_argument("--version-of-thud", default=__version__, help=argparse.SUPPRESS)  # of the program that asks
        each.add_argument("--progress", action="store_true", help="show progress even if standard error is no terminal")
        each.add_argument("--then", nargs=argparse.REMAINDER, default=[], help="a program to become once the file is complete, with its arguments")
    return whole


def connected(given: argparse.Namespace) -> distributed.Client:
    """A client that speaks with the scheduler alone."""
    files = {"tls_ca_file": given.tls_ca, "tls_client_cert": given.tls_cert, "tls_client_key": given.tls_key or given.tls_cert}
    for option, file in (("--tls-ca", given.tls_ca), ("--tls-cert", given.tls_cert), ("--tls-key", given.tls_key)):
        if file and not os.path.isfile(file):
            raise FileError(option, file, "cannot be read: no such file")
    try:
        security = distributed.Security(require_encryption=True, **files) if any(files.values()) else None
        return distributed.Client(given.scheduler, security=security, direct_to_workers=False, set_as_default=False, name="thud")
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise InputError("--scheduler", given.scheduler, f"no scheduler can be reached there: {' '.join(str(error).split())}") from error


class Bar:
    """Progress on standard error, if that is a terminal or on request; as the program draws it."""

    def __init__(self, what: str, always: bool) -> None:
        self.what, self.shown, self.drawn = what, always or sys.stderr.isatty(), False

    def __call__(self, done: int, whole: int) -> None:
        if self.shown and whole > 1:
            filled = 40 * done // whole
            print(f"\r{self.what} [{'#' * filled}{'.' * (40 - filled)}] {done}/{whole}", end="", file=sys.stderr, flush=True)
            self.drawn = True

    def close(self) -> None:
        if self.drawn:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def run(given: argparse.Namespace) -> bool:
    """Whether anything was changed."""
    if given.version_of_thud != __version__:
        raise InputError("thud", given.version_of_thud, f"is not the version of Python's package thud, {__version__}: both write the file")
    path, bar = Path(given.out), Bar("campaigns" if given.command == "sweep" else "trials", given.progress)
    open_writer: Callable[[], Any]
    collect: Callable[[Collector, Any], SimulateStatus]
    if given.command == "sweep":
        plan = read_sweep(given.plan)
        index, _, count = given.shard.partition("/")
        shard = int(index), int(count)
        refine = [refinement(each) for each in given.refine]
        open_writer = lambda: SweepWriter(path, plan, shard, refine)
        collect = lambda collector, writer: collect_rows(collector, plan, writer, shard, bar)
    else:
        campaign = read_campaign(given.campaign) if given.campaign else default_campaign()
        campaign = campaign if given.seed is None else campaign.replace(seed=given.seed)
        open_writer = lambda: CampaignWriter(path, campaign)
        collect = lambda collector, writer: collect_trials(collector, campaign, writer, bar)
    writer = open_writer() if path.exists() else None  # otherwise nothing is begun before there is a scheduler
    if writer is not None and writer.complete:
        return False
    client = connected(given)
    try:
        collector = Collector(client)
        return collect(collector, writer or open_writer()) is SimulateStatus.complete
    finally:
        bar.close()
        client.close(timeout=1)


def refinement(text: str) -> tuple[str, int]:
    words = dict(word.split("=", 1) for word in text.split(","))
    return words["claim"], int(words.get("points", 0))


def fail(message: str, status: int) -> int:
    print(f"thud: {' '.join(message.split())}", file=sys.stderr)
    return status


def main() -> NoReturn:
    status = work(sys.argv[1:])
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # what Dask has to say about a lost connection at its end adds nothing


def work(words: Sequence[str]) -> int:
    logging.disable()  # what matters is said here, in one line
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    out = ""
    try:
        given = parser().parse_args(words)
        out = given.out
        if given.progress or sys.stderr.isatty():
            warnings.simplefilter("always", NoWorkers)
            warnings.showwarning = lambda message, *_: print(f"thud: {message}", file=sys.stderr)
        changed = run(given)
    except (ClusterError, PlantError) as error:
        return fail(str(error), 1)
    except Error as error:
        return fail(str(error), 2)
    except KeyboardInterrupt:
        return fail(f"interrupted: {out}: the same command continues where it stopped", 1)
    except MemoryError:
        return fail("memory: exhausted: a smaller input is needed, or more memory", 2)
    if given.then:
        os.execv(given.then[0], given.then + ["--collected"] * changed)
    print(f"{out}: complete" + ("" if changed else " already; nothing was changed"))
    return 0


if __name__ == "__main__":
    main()
