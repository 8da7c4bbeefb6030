"""Instructions of a query (with SSE2, with AVX2) and of one fit, by callgrind: the same on a loaded machine as on an idle one.

python test_instructions.py PROGRAM [--update]      --update writes what was counted into instructions.json
"""

import json
import pathlib
import re
import subprocess
import sys

STORED = pathlib.Path(__file__).with_name("instructions.json")
SHARE = 0.05  # that a count may differ from the stored one


def count(program: str, what: str) -> float | None:
    """Of one run; None where the machine has no such instruction set."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--collect-atstart=no", "--callgrind-out-file=/dev/null", program, what],
        capture_output=True, text=True)
    if done.returncode == 3:
        return None
    done.check_returncode()
    runs = int(re.match(r"(\d+) runs", done.stdout)[1])
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]) / runs


def main(program: str, *flags: str) -> int:
    counted = {what: count(program, what) for what in ("baseline", "avx2", "fit")}
    counted = {what: round(instructions) for what, instructions in counted.items() if instructions is not None}
    if "--update" in flags:
        STORED.write_text(json.dumps(counted, indent=2) + "\n")
    stored = json.loads(STORED.read_text())
    for what, instructions in counted.items():
        print(f"{what:10} {instructions} instructions, stored {stored[what]}, {instructions / stored[what] - 1:+.1%}")
    changed = [what for what in counted if abs(counted[what] / stored[what] - 1) > SHARE]
    if changed:
        print(f"{', '.join(changed)}: changed by more than {SHARE:.0%}; if it is meant, run this with --update and say why")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
