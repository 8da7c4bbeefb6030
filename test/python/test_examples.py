import csv
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
from support import PROGRAM, ROOT

import thud

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

    def test_fast(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("fast", str(Path(folder) / "fast.svg"))
            if HAS_MATPLOTLIB:
                self.assertEqual(done.returncode, 0, done.stderr)
            found = [float(share) / 100 for share in re.findall(r"with rows +[0-9.]+ +(\d+)%", done.stdout)]
            plain = [float(share) / 100 for share in re.findall(r"plain +[0-9.]+ +(\d+)%", done.stdout)]
            self.assertEqual((len(found), len(plain)), (3, 3))
            self.assertLess(max(found), 1)
            self.assertGreater(min(plain), 1)

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


class RealHits(unittest.TestCase):
    """Made-up hits of a Panda, whose rotors count by a factor that must come back."""

    SHAPE = 0.3

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = Path(cls.folder.name)
        (cls.path / "iiwa7_test.urdf").write_text(thud.urdf_text("panda"))
        (cls.path / "iiwa14_test.urdf").write_text(thud.urdf_text("panda"))
        robot, rotors = thud.load_robot("panda"), thud.load_drives("iiwa14", 7).rotor_inertia
        random = np.random.default_rng(1)
        rows = []
        for hit in range(48):
            posture, mass, session = 1 + hit % 2, (0.4, 1.915)[hit // 2 % 2], f"2024-05-{1 + hit // 4 % 3:02d}"
            q = np.array([0, 0.1 + 0.5 * (posture - 1), 0, -1.4, 0, 3.1, 0.8]) + random.normal(0, 0.03, 7)
            point = thud.ContactPoint("panda_foot", [0, 0, 0], [0, -1, 0])
            dynamics = thud.contact_dynamics(robot, point, q)
            dq = thud.approach(dynamics, 0.8).dq
            j = dynamics.normal_W @ dynamics.J[:3]
            solved = np.linalg.solve(dynamics.M + np.diag(cls.SHAPE * rotors), j)
            arm = 1 / (j @ solved)
            impulse = 1.5 * 0.8 * arm * mass / (arm + mass)
            after = dq + solved * impulse
            loss = impulse / arm
            rows.append({"dataset": f"D{posture}", "session": session, "config": posture, "robot": (7, 14)[hit // 24], "hit": hit,
                         "m_obj": mass, **{f"q{i + 1}": q[i] for i in range(7)},
                         **{f"dq_before{i + 1}": dq[i] for i in range(7)}, **{f"dq_after{i + 1}": after[i] for i in range(7)},
                         "direction_x": 0, "direction_y": 1, "direction_z": 0, "offset_frame": "panda_foot",
                         "offset_x": 0, "offset_y": 0, "offset_z": 0, "v_tool_before": 0.8, "v_tool_after": 0.8 - loss,
                         "v_tool_5_15ms": 0.8 - 0.5 * loss, "v_obj_after": impulse / mass, "spin_rad_s": random.normal(),
                         "departure_deg": random.normal(0, 3), "recorded_directional_mass": 3, "flag_push": 0,
                         "flag_edge": 0, "flag_few_post": int(hit == 47)})
        cls.hits = cls.path / "hits.csv"
        with open(cls.hits, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_factor_comes_back(self):
        done = run("real_hits", str(self.hits), "--robots", str(self.path), "--out", str(self.path / "out"))
        if HAS_MATPLOTLIB:
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("</svg>", (self.path / "out/real_hits.svg").read_text())
        self.assertTrue(done.stdout.startswith("47 hits of 48 without a flag, in "))
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines()]
        masses = {(row[0], row[1]): row for row in rows if len(row) == 10 and row[1] in ("lines", "joint rates", "5 to 15 ms")}
        for reading in ("lines", "joint rates"):
            for robot in ("7", "14"):
                self.assertEqual(masses[robot, reading][9], "0.300")
                self.assertEqual(masses[robot, reading][8], "0.0 %")  # of sessions that the factor has not seen
        # the other reading loses half the speed: twice the mass
        self.assertAlmostEqual(float(masses["7", "5 to 15 ms"][3]) / float(masses["7", "lines"][3]), 2, delta=0.02)
        with open(self.path / "out/real_hits.csv") as file:
            table = list(csv.DictReader(line for line in file if not line.startswith("#")))
        self.assertEqual(sum(int(row["hits"]) for row in table), 47)
        self.assertNotIn("q1", table[0])  # figures of sessions, not hits

    def test_refuses_what_is_no_table_of_hits(self):
        bad = self.path / "bad.csv"
        bad.write_text("robot,session\n7,a\n")
        done = run("real_hits", str(bad), "--robots", str(self.path))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("flag_push", done.stderr)
        done = run("real_hits", str(self.hits), "--robots", str(self.path / "out_of_reach"))
        self.assertIn("has no iiwa", done.stderr)

    def test_hits_are_a_dataset_without_forces(self):
        folder = self.path / "dataset"
        done = run("real_hits_dataset", str(self.hits), "--robots", str(self.path), "--robot", "7", "--out", str(folder))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        dataset = thud.read_dataset(folder)
        self.assertEqual(len(dataset.trials), 24)
        self.assertEqual(len(dataset.trials[0].force.time), 0)
        objects = thud.study(dataset, object_restitution=0.5).objects
        self.assertEqual([each.message for each in objects.trials], [""] * 24)
        # the speeds of the table come back, and the mass that made them lies above that of the links
        self.assertAlmostEqual(objects.trials[0].approach, 0.8, delta=1e-3)
        links = next(model for model in objects.models if model.model == "generalized_momentum")
        self.assertLess(links.median_ratio, 1)
        self.assertGreater(links.median_ratio, 0.6)


if __name__ == "__main__":
    unittest.main()
