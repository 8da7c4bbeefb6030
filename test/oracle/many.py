"""Holds thud against KDL, Pinocchio and MuJoCo on many random robots and states.

    many.py BUILD [PAIRS [SEED]]

PAIRS of a random robot and a state, two million without it, in portions of 4200: each has a seed of its own, and with it 21
random robots and other states of the arms that ship, which are counted apart: 6900. Prints how many pairs each oracle has
compared. What a portion disagrees in is printed, with THUD_SEED to see it again, and the next one goes on; exit 1 if there was
any. SEED is that of the first portion: what an interrupted run says to go on with.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
STATES = 2000  # of each Panda; what KDL's test has
PAIRS = 4200  # of random robots that come of them, by each oracle
ORACLES = ("kdl", "pinocchio", "mujoco")
FIRST_SEED = 1000  # apart from those of the tests

Counts = collections.Counter[tuple[str, bool]]  # pairs, by oracle and whether the robot is random


def run(seed: int, *words: object) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in words], env={**os.environ, "THUD_SEED": str(seed)}, capture_output=True, text=True)


def portion(build: pathlib.Path, seed: int) -> tuple[Counts, list[str]]:
    """The pairs of one seed, as each oracle counts what it has compared, and what is wrong with them."""
    counts: Counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        dumped = run(seed, build / "oracle_dump", folder, STATES)
        if dumped.returncode:
            return counts, [dumped.stderr]
        random = {case["name"]: case["random"] for case in json.loads(pathlib.Path(folder, "cases.json").read_text())}
        compared = run(seed, sys.executable, HERE / "compare.py", folder)
    kdl = run(seed, build / "test_kdl", "--gtest_brief=1")
    for name, states in re.findall(r"^(\w+) by links: (\d+) states", kdl.stdout, re.M):
        counts["kdl", random[name]] += int(states)
    for oracle, of_random, of_shipped in re.findall(r"^(\w+): (\d+) states of random robots, (\d+) of", compared.stdout, re.M):
        counts[oracle, True] += int(of_random)
        counts[oracle, False] += int(of_shipped)
    return counts, [done.stdout + done.stderr for done in (compared, kdl) if done.returncode]


def main() -> None:
    build = pathlib.Path(sys.argv[1])
    wanted = int(float(sys.argv[2])) if len(sys.argv) > 2 else 2_000_000
    first = int(sys.argv[3]) if len(sys.argv) > 3 else FIRST_SEED
    seeds = range(first, first - (-wanted // PAIRS))
    start, counts, done, failed = time.monotonic(), collections.Counter(), 0, 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            for seed, (of_seed, wrong) in zip(seeds, pool.map(lambda seed: portion(build, seed), seeds)):
                counts += of_seed
                done += 1
                failed += bool(wrong)
                for text in wrong:
                    print(f"THUD_SEED={seed}\n{text}", flush=True)
                if sys.stderr.isatty():
                    print(f"{done} of {len(seeds)} portions, {failed} with a disagreement", end="\n" if done == len(seeds) else "\r", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            print(f"interrupted; to go on: many.py {build} {wanted - done * PAIRS} {first + done}")
    took = time.monotonic() - start
    print(f"pairs of robot and state\n{'oracle':<12}{'random':>10}{'shipped':>10}")
    for oracle in ORACLES:
        print(f"{oracle:<12}{counts[oracle, True]:>10}{counts[oracle, False]:>10}")
    print(f"{done} portions, {failed} of them with a disagreement; {took:.0f} s, {took / max(done, 1):.1f} s a portion")
    sys.exit(failed > 0 or min(counts[oracle, True] for oracle in ORACLES) < wanted)


if __name__ == "__main__":
    main()
