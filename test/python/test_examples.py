import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import PROGRAM, ROOT

NAMES = ["impact", "own_matrices", "realtime_loop", "three_configurations"]
HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def run(name: str, *arguments: str) -> subprocess.CompletedProcess:
    program = [sys.executable, str(ROOT / "examples" / f"{name}.py"), *arguments]
    environment = {**os.environ, "MPLCONFIGDIR": tempfile.gettempdir()}
    return subprocess.run(program, capture_output=True, text=True, cwd=ROOT, env=environment)


class Examples(unittest.TestCase):
    def test_print_what_those_of_cpp_are_tested_by(self):
        lists = (ROOT / "examples/CMakeLists.txt").read_text()
        expected = dict(re.findall(r'examples\.(\w+) PROPERTIES\s+PASS_REGULAR_EXPRESSION "([^"]*)"', lists))
        self.assertEqual(sorted(expected), NAMES)
        for name in NAMES:
            done = run(name)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)
            self.assertRegex(done.stdout, expected[name])
            self.assertLessEqual(len((ROOT / f"examples/{name}.py").read_text().splitlines()), 40)

    @unittest.skipUnless((PROGRAM.parent / "impact").exists(), f"no examples of C++ beside {PROGRAM}; set THUD to it")
    def test_print_what_those_of_cpp_print(self):
        for name in NAMES:
            other = subprocess.run([PROGRAM.parent / name], capture_output=True, text=True, cwd=ROOT, check=True)
            self.assertEqual(run(name).stdout, other.stdout)

    def test_the_paper_in_python(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("paper_in_python", "--repeats", "1", "--out", folder)
            self.assertTrue((Path(folder) / "campaign.h5").exists(), done.stderr)
            self.assertIn("simulate: 15 of 15 trials", done.stderr)
            self.assertIn("Table I: 15 virtual trials (seed 1) beside [Wang22, (tab:relative_vels)]", done.stdout)
            rows = [line.split() for line in done.stdout.splitlines()]
            ratios = {(row[0], row[1]): row[2:] for row in rows if len(row) == 8 and row[1] in ("here", "paper")}
            self.assertEqual(len(ratios), 6)
            for name in ("one", "two", "three"):  # the postures stand for the paper's: its mean e_a within 2 %
                self.assertAlmostEqual(float(ratios[name, "here"][5]) / float(ratios[name, "paper"][5]), 1, delta=0.02)
            self.assertIn("best by BIC: viscoelastic", done.stdout)
            if not HAS_MATPLOTLIB:
                self.assertIn("no picture", done.stderr)
                self.skipTest("matplotlib is not installed: all but the picture is tested")
            self.assertEqual(done.returncode, 0, done.stderr)
            picture = (Path(folder) / "fit.svg").read_text()
            self.assertIn("</svg>", picture)
            self.assertGreater(len(picture), 50000)

    def test_regimes(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("regimes", str(Path(folder) / "regimes.svg"))
            rows = [line.split() for line in done.stdout.splitlines()[1:]]
            x, mass = [float(row[2]) for row in rows], [float(row[3]) for row in rows]
            self.assertGreater(len(rows), 30)
            self.assertEqual(x, sorted(x, reverse=True))  # a harder wall, a shorter contact
            self.assertAlmostEqual(mass[-1], 2.46, delta=0.1)  # which meets the links alone
            self.assertEqual(rows[-1][4], "generalized_momentum")
            if HAS_MATPLOTLIB:
                self.assertIn("</svg>", (Path(folder) / "regimes.svg").read_text())


if __name__ == "__main__":
    unittest.main()
