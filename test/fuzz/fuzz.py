"""Fuzzes every reader for long, under ASan and UBSan.

    fuzz.py BUILD FOLDER [RUNS [NAME...]]

RUNS inputs for each (10 million without it), those of NAME alone where names are given, two readers side by side, what takes
the least time first. BUILD is that of the preset `fuzzers`; what is not C++ runs in the Python
that runs this. FOLDER keeps each reader's corpus, its count of inputs and its findings: RUNS counts from the making of FOLDER, so that a
run that was stopped goes on where it was; without FOLDER it begins anew. Findings are run again first: what no longer fails, mended
or not, joins the corpus, and stays in NAME.passed with the log of the run that found it. Ends with a table, which 0 for RUNS prints alone, also beside a run; exit 1 if there is a finding or a reader that does
not run, which the others do not wait for.
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
GOAL = 10_000_000  # inputs of each reader
PORTION = 500_000  # inputs between two counts; at its beginning the whole corpus is read
SLOWEST = 60  # one input [s]
LOG_LENGTH = 32768  # of a log: a bag has the text of its messages before the first of them
MEMORY = 4096  # of one reader [MB]
# What costs time and finds nothing: long stacks of every allocation (a finding that is run again by itself tells its own),
# more freed memory kept from use than the 4 kB of an input can lead to, and giving back the sanitizer's notes on large blocks.
ASAN = "malloc_context_size=2:quarantine_size_mb=8:thread_local_quarantine_size_kb=64:clear_shadow_mmap_threshold=1000000000"
SCRATCH = "/dev/shm"  # where readers' files are written and synced: memory


class Reader:
    """One fuzz target: its program, its seeds and options, and what FOLDER knows of it."""

    def __init__(self, name: str, program: list[str], length: int, seeds: list[str], folder: pathlib.Path):
        self.name, self.program, self.seeds = name, program, seeds
        self.corpus, self.findings, self.passed = (folder / f"{name}{kind}" for kind in ("", ".findings", ".passed"))
        self.file = folder / f"{name}.json"
        for each in (self.corpus, self.findings, self.passed):
            each.mkdir(parents=True, exist_ok=True)
        self.state = {"inputs": 0, "seconds": 0.0, "edges": 0, "features": 0}
        if self.file.exists():
            self.state = json.loads(self.file.read_text())
        self.options = [f"-max_len={length}", f"-timeout={SLOWEST}", f"-report_slow_units={SLOWEST}", f"-rss_limit_mb={MEMORY}"]

    def found(self) -> list[pathlib.Path]:
        return inputs_of(self.findings)

    def call(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [*self.program, *self.options, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
            env={**os.environ, "TMPDIR": SCRATCH, "ASAN_OPTIONS": ASAN, "LSAN_OPTIONS": f"suppressions={HERE / 'leaks.txt'}:print_suppressions=0"})

    def replay(self) -> None:
        """Each finding by itself: one that passes is an input like others."""
        for path in self.found():
            passes = self.call(*(each for each in self.seeds if each.startswith("-")), str(path)).returncode == 0
            say(f"{self.name}: {path.name} {'passes now' if passes else 'still fails'}")
            if passes:
                shutil.copy(path, self.corpus)
                for each in (path, log_of(path)):
                    if each.exists():
                        each.replace(self.passed / each.name)

    def run(self, runs: int) -> None:
        """Until it has had that many inputs, or there is a finding."""
        self.replay()
        if self.state["inputs"]:
            say(f"{self.name}: had {self.state['inputs']} of {runs} inputs already; `rm -r {self.corpus.parent}` begins anew")
        while self.state["inputs"] < runs and not self.found():
            self.portion(min(PORTION, runs - self.state["inputs"]))
            new = self.file.with_suffix(".new")
            new.write_text(json.dumps(self.state))
            new.replace(self.file)
            say(f"{self.name}: {self.state['inputs']} inputs, {self.state['edges']} edges, {rate(self.state):.0f} inputs/s")

    def portion(self, runs: int) -> None:
        start = time.monotonic()
        done = self.call(f"-runs={runs}", f"-seed={self.state['inputs'] + 1}", "-entropic=0", "-reload=0", f"-dict={HERE / 'corpus' / self.name}.dict",
                         f"-artifact_prefix={self.findings}/", "-print_final_stats=1", str(self.corpus), *self.seeds)
        (self.corpus.parent / f"{self.name}.log").write_text(done.stderr)
        for path in self.found():  # this run's
            log_of(path).write_text(done.stderr)
        units = re.findall(r"stat::number_of_executed_units: (\d+)", done.stderr)
        reached = re.findall(r"cov: (\d+) ft: (\d+)", done.stderr)
        if done.returncode and not self.found() or not units or not reached:
            raise RuntimeError(f"{self.name} does not run:\n{done.stderr[-2000:]}")
        self.state["inputs"] += int(units[-1])
        self.state["seconds"] += time.monotonic() - start
        self.state["edges"], self.state["features"] = map(int, reached[-1])


def log_of(finding: pathlib.Path) -> pathlib.Path:
    """What the run that found it said."""
    return finding.with_name(finding.name + ".log")


def inputs_of(folder: pathlib.Path) -> list[pathlib.Path]:
    return sorted(each for each in folder.iterdir() if each.suffix != ".log")


def rate(state: dict) -> float:
    return state["inputs"] / max(state["seconds"], 1e-9)


def hours(state: dict, inputs: int) -> float:
    """What they will take; none before the first, so that a reader of which nothing is known begins."""
    return inputs / rate(state) / 3600 if state["inputs"] else 0.0


lock = threading.Lock()


def say(line: str) -> None:
    with lock:
        print(time.strftime("%H:%M:%S"), line, flush=True)


def readers(build: pathlib.Path, folder: pathlib.Path) -> list[Reader]:
    """What the build lists, and the logs, which are Python."""
    rows = [line.split() for line in (build / "fuzzers.txt").read_text().splitlines()]
    made = [Reader(name, [str(build / f"fuzz_{name}")], int(length), seeds, folder) for name, length, *seeds in rows]
    return [*made, Reader("logs", [sys.executable, str(HERE / "fuzz_logs.py")], LOG_LENGTH, [str(folder / "logs.seeds")], folder)]


def main() -> None:
    build, folder = map(pathlib.Path, sys.argv[1:3])
    runs = int(float(sys.argv[3])) if len(sys.argv) > 3 else GOAL
    names = sys.argv[4:]
    known = readers(build.resolve(), folder.resolve())
    if unknown := sorted(set(names) - {each.name for each in known}):
        sys.exit(f"no reader {', '.join(unknown)}: there are {', '.join(each.name for each in known)}")
    chosen = [each for each in known if not names or each.name in names]
    if runs and any(each.name == "logs" for each in chosen):
        subprocess.run([sys.executable, HERE / "make_logs.py", folder / "logs.seeds"], check=True)
    broken = []

    def run(each: Reader) -> None:
        try:
            each.run(runs)
        except (RuntimeError, OSError) as error:
            broken.append(each.name)
            say(str(error))

    if runs:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(run, sorted(chosen, key=lambda each: hours(each.state, runs - each.state["inputs"]))))
    print(f"\n{'reader':<10}{'inputs':>12}{'edges':>8}{'features':>10}{'corpus':>8}{'seconds':>9}{'inputs/s':>10}{'hours left':>12}{'findings':>10}{'passed':>8}")
    for each in chosen:
        state = each.state
        print(f"{each.name:<10}{state['inputs']:>12}{state['edges']:>8}{state['features']:>10}{len(list(each.corpus.iterdir())):>8}"
              f"{state['seconds']:>9.0f}{rate(state):>10.0f}{hours(state, max(0, (runs or GOAL) - state['inputs'])):>12.1f}{len(each.found()):>10}{len(inputs_of(each.passed)):>8}")
    found = [path for each in chosen for path in each.found()]
    for path in found:
        print(f"finding: {path}")
    for name in broken:
        print(f"does not run: {name}")
    sys.exit(bool(found or broken))


if __name__ == "__main__":
    main()
