"""What `make fuzz` counts, keeps and refuses (test/fuzz/fuzz.py), with a target that fails of every input with an x, and once of
its first run if there is a file `fails_once`."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TARGET = """#!/bin/sh
for last; do case $last in -runs=*) runs=${last#-runs=};; -artifact_prefix=*) findings=${last#-artifact_prefix=};; esac; done
if [ -f "$last" ]; then ! grep -q x "$last"; exit; fi
if rm "$(dirname "$0")/fails_once" 2>/dev/null; then echo "the stack of it" >&2; echo rare >"$findings"crash; runs=10; fi
echo "#1 DONE cov: 5 ft: 6 corp: 1" >&2
echo "stat::number_of_executed_units: $runs" >&2
"""


class Fuzz(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.build = pathlib.Path(scratch.name)
        self.folder = self.build / "fuzz"
        (self.build / "fuzzers.txt").write_text("one 4096 seeds -detect_leaks=0\n")
        target = self.build / "fuzz_one"
        target.write_text(TARGET)
        target.chmod(0o755)

    def fuzz(self, *words: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, pathlib.Path(__file__).parent / "fuzz/fuzz.py", self.build, self.folder, *words],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return done.returncode, done.stdout

    def inputs(self) -> int:
        return json.loads((self.folder / "one.json").read_text())["inputs"]

    def found(self, text: str) -> pathlib.Path:
        path = self.folder / "one.findings/crash"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test_runs_are_the_total_of_all_runs(self):
        status, said = self.fuzz("1000", "one")
        self.assertEqual((status, self.inputs()), (0, 1000), said)
        self.assertNotIn("already", said)
        status, said = self.fuzz("1500", "one")
        self.assertEqual((status, self.inputs()), (0, 1500), said)
        self.assertIn(f"had 1000 of 1500 inputs already; `rm -r {self.folder}` begins anew", said)
        status, said = self.fuzz("1000", "one")
        self.assertEqual((status, self.inputs()), (0, 1500), said)
        self.assertIn("had 1500 of 1000 inputs already", said)
        self.assertRegex(said, r"(?m)^one +1500 .* 0\.0 +0 +0$", "no hours left")

    def test_a_finding_that_was_mended_joins_the_corpus(self):
        path = self.found("mended")
        status, said = self.fuzz("1000", "one")
        self.assertEqual((status, self.inputs()), (0, 1000), said)
        self.assertIn("crash passes now", said)
        self.assertFalse(path.exists())
        self.assertEqual((self.folder / "one/crash").read_text(), "mended")

    def test_a_finding_that_does_not_repeat_is_kept_with_its_log(self):
        (self.build / "fails_once").touch()
        status, said = self.fuzz("1000", "one")
        self.assertEqual((status, self.inputs()), (1, 10), said)
        self.assertIn(f"finding: {self.folder / 'one.findings/crash'}\n", said)
        self.assertRegex(said, r"(?m)^one +10 .* 1 +0$")
        status, said = self.fuzz("1000", "one")
        self.assertEqual((status, self.inputs()), (0, 1000), said)
        self.assertRegex(said, r"(?m)^one +1000 .* 0 +1$")
        self.assertEqual((self.folder / "one.passed/crash").read_text(), "rare\n")
        self.assertIn("the stack of it", (self.folder / "one.passed/crash.log").read_text())
        self.assertEqual((self.folder / "one/crash").read_text(), "rare\n")

    def test_a_finding_that_still_fails_ends_the_run(self):
        path = self.found("x")
        for words in (("1000", "one"), ("0", "one")):
            status, said = self.fuzz(*words)
            self.assertEqual(status, 1, said)
            self.assertIn(f"finding: {path}", said)
            self.assertFalse((self.folder / "one.json").exists())

    def test_an_unknown_reader_is_refused(self):
        status, said = self.fuzz("1000", "two", "one")
        self.assertEqual((status, said), (1, "no reader two: there are one, logs\n"))


if __name__ == "__main__":
    unittest.main()
