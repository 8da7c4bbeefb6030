"""Holds thud against KDL, Pinocchio and MuJoCo on many random robots and states.

    many.py BUILD [PAIRS]

PAIRS of robot and state, two million without it, in portions of 11 100: each has a seed of its own, and with it 21 random
robots and other states of the arms that ship. What a portion disagrees in is printed, with THUD_SEED to see it again, and
the next one goes on; exit 1 if there was any.
"""

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
PAIRS = 11100  # that come of them, by each oracle
FIRST_SEED = 1000  # apart from those of the tests


def run(seed: int, *words: object) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in words], env={**os.environ, "THUD_SEED": str(seed)}, capture_output=True, text=True)


def portion(build: pathlib.Path, seed: int) -> tuple[int, list[str]]:
    """The pairs of one seed that all oracles have seen, and what is wrong with them."""
    with tempfile.TemporaryDirectory() as folder:
        dumped = run(seed, build / "oracle_dump", folder, STATES)
        if dumped.returncode:
            return 0, [dumped.stderr]
        compared = run(seed, sys.executable, HERE / "compare.py", folder)
    kdl = run(seed, build / "test_kdl", "--gtest_brief=1")
    wrong = [] if compared.returncode == 0 else [compared.stdout + compared.stderr]
    wrong += [] if kdl.returncode == 0 else [kdl.stdout + kdl.stderr]
    return sum(int(count) for count in re.findall(r"by links: (\d+) states", kdl.stdout)), wrong


def main() -> None:
    build = pathlib.Path(sys.argv[1])
    wanted = int(float(sys.argv[2])) if len(sys.argv) > 2 else 2_000_000
    seeds = range(FIRST_SEED, FIRST_SEED + -(-wanted // PAIRS))
    start, pairs, failed = time.monotonic(), 0, 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for seed, (count, wrong) in zip(seeds, pool.map(lambda seed: portion(build, seed), seeds)):
            pairs += count
            failed += bool(wrong)
            for text in wrong:
                print(f"THUD_SEED={seed}\n{text}", flush=True)
    took = time.monotonic() - start
    print(f"{pairs} pairs of robot and state, {len(seeds)} portions, {failed} of them with a disagreement; "
          f"{took:.0f} s, {1e3 * took / max(pairs, 1):.3f} ms a pair")
    sys.exit(failed > 0 or pairs < wanted)


if __name__ == "__main__":
    main()
