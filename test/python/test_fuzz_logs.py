"""The fuzzer of logs without its engine: its seeds are taken, what is changed in them keeps the promises of
test/fuzz/log_input.py, and what that file keeps between inputs is still asked for."""

import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

FUZZ = pathlib.Path(__file__).resolve().parent.parent / "fuzz"
sys.path.insert(0, str(FUZZ))
import log_input

INPUTS = 600
SEED = 1


def mutated(data: bytes, draw: random.Random) -> bytes:
    """A few bytes replaced, left out or repeated behind the first, which chooses the format."""
    changed = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(1, len(changed))
        length = draw.choice((1, 1, 2, 8, 64))
        changed[at : at + length] = draw.choice((draw.randbytes(length), b"", 2 * changed[at : at + length], b"\xff" * length, bytes(length)))
    return bytes(changed)


class FuzzLogs(unittest.TestCase):
    def test_seeds_are_taken_and_what_is_changed_is_taken_or_refused_in_one_line(self):
        draw = random.Random(SEED)
        with tempfile.TemporaryDirectory() as folder, log_input.sooner() as kept:
            subprocess.run([sys.executable, FUZZ / "make_logs.py", folder], check=True)
            seeds = [path.read_bytes() for path in sorted(pathlib.Path(folder).iterdir())]
            self.assertEqual(len(seeds), len(log_input.SUFFIXES))
            for data in seeds:
                self.assertTrue(log_input.takes(data), log_input.SUFFIXES[data[0]])
            taken = sum(log_input.takes(mutated(seeds[i % len(seeds)], draw)) for i in range(INPUTS))
            self.assertTrue(0 < taken < INPUTS, taken)
            for function in kept:
                self.assertGreater(function.cache_info().hits, 0)


if __name__ == "__main__":
    unittest.main()
