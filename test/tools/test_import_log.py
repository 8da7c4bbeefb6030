"""thud import and thud info on logs: what the program hands to Python, and what comes back. THUD names the program under test."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/python"))

import log_files
import thud

THUD = os.path.abspath(os.environ["THUD"])
WALL = ["--robot", "panda", "--frame", "panda_foot", "--offset", "0,0,0.0223", "--normal", "-1,0,0"]


def run(*words: str, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([THUD, *words], capture_output=True, text=True, timeout=60, env={**os.environ, **environment})


class Logs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = pathlib.Path(cls.scratch.name)
        hits = log_files.Hits((1.2,), (0.12,), 2.4)
        cls.bag = str(log_files.write_bag1(cls.folder / "a.bag", hits))
        cls.bag2 = str(log_files.write_bag2(cls.folder / "a_bag", hits, "MCAP"))
        cls.franka = str(log_files.write_franka(cls.folder / "franka.csv", hits))
        cls.peak = hits.peaks[0]

    def setUp(self):
        self.out = str(self.folder / "out.h5")
        pathlib.Path(self.out).unlink(missing_ok=True)

    def refused(self, *words: str, **environment: str) -> str:
        done = run(*words, **environment)
        self.assertEqual((done.returncode, done.stdout), (2, ""), words)
        self.assertRegex(done.stderr, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")
        self.assertFalse(os.path.exists(self.out))
        return done.stderr

    def test_a_bag_becomes_a_dataset(self):
        for log in (self.bag, self.bag2):
            done = run("import", log, *WALL, "--out", self.out, "--force", "--json")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            told = json.loads(done.stdout)
            self.assertEqual((told["kind"], told["file"], told["trials"], told["complete"]), ("dataset", self.out, 1, True))
            self.assertAlmostEqual(told["impacts"][0]["peak"] / self.peak, 1, delta=0.01)
            self.assertAlmostEqual(told["impacts"][0]["speed"], 0.12, delta=1e-4)
        self.assertEqual(json.loads(run("info", self.out, "--json").stdout)["speeds"], [0.12])
        self.assertEqual(len(thud.read_dataset(self.out).trials), 1)

    def test_every_option_reaches_python(self):
        done = run("import", self.bag, *WALL, "--out", self.out, "--force-topic", "/ft/wrench:wrench.force", "--joint-topic", "/joint_states",
                   "--force-axis", "-z", "--joints", ",".join(log_files.NAMES), "--q", "panda_joint2=0.4,panda_joint4=-1.3",
                   "--speed", "0.11,0.5", "--min-force", "5", "--from", "0.1", "--to", "2.3", "--clock-offset=-0.001", "--unit", "force=N")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        trial = thud.read_dataset(self.out).trials[0]
        self.assertEqual((trial.speed, trial.clock_offset), (0.11, -0.001))
        self.assertEqual(list(thud.read_dataset(self.out).header.configurations[0].q), [0, 0.4, 0, -1.3, 0, 0, 0])

    def test_several_logs(self):
        done = run("import", self.bag, self.bag2, *WALL, "--out", self.out, "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)["trials"], json.loads(done.stdout)["from"]), (0, 2, [self.bag, self.bag2]))
        folder = str(ROOT / "data/records")
        self.assertIn("only logs may be several", run("import", folder, folder, "--out", self.out, "--force").stderr)

    def test_what_a_log_is(self):
        self.assertIn("/ft/wrench     geometry_msgs/msg/WrenchStamped", run("info", self.bag).stdout)
        self.assertEqual(json.loads(run("info", self.bag2, "--json").stdout)["format"], "rosbag 2")
        self.assertEqual(json.loads(run("info", self.franka, "--json").stdout)["format"], "libfranka CSV")

    def test_help_has_both_forms(self):
        text = run("import", "--help").stdout
        self.assertIn("thud import hits.bag --robot", text)
        self.assertIn("thud import campaign --out again.h5", text)

    def test_refusals(self):
        self.assertIn("--robot: missing", self.refused("import", self.bag, "--out", self.out))
        self.assertIn("--memory: 2: does not apply to logs", self.refused("import", self.bag, *WALL, "--out", self.out, "--memory", "2"))
        self.assertIn("applies to logs only", self.refused("import", str(ROOT / "data/records"), "--out", self.out, "--robot", "panda"))
        self.assertIn("--contact: 2: does not apply to logs", self.refused("info", self.bag, "--contact", "2"))
        self.assertIn("--force-topic: /ft: the log has", self.refused("import", self.bag, *WALL, "--out", self.out, "--force-topic", "/ft"))
        self.assertIn("must end in .h5", self.refused("import", self.bag, *WALL, "--out", "a.csv"))
        broken = self.folder / "broken.bag"
        broken.write_bytes(pathlib.Path(self.bag).read_bytes()[:5000])
        self.assertIn("cannot be read as rosbag 1", self.refused("import", str(broken), *WALL, "--out", self.out))
        still = str(log_files.write_bag1(self.folder / "still.bag", log_files.Hits((), (), 0.5)))
        done = run("import", still, *WALL, "--out", self.out)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no impact", done.stderr)

    def test_which_python(self):
        self.assertIn("/no/python: cannot be run: No such file", self.refused("info", self.bag, THUD_PYTHON="/no/python"))
        bare = self.folder / "bare"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
        said = self.refused("info", self.bag, THUD_PYTHON=str(bare / "bin/python3"))
        self.assertIn("pip install 'thud[logs]'", said)
        # Modules of the working folder are not taken for those of Python.
        trap = self.folder / "trap"
        trap.mkdir()
        (trap / "json.py").write_text("raise SystemExit('a trap')")
        done = subprocess.run([THUD, "info", self.bag], cwd=trap, capture_output=True, text=True, env={**os.environ, "THUD_PYTHON": sys.executable})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        # Without a word of which one, that of the project for a program in its build tree, or the one on the PATH.
        environment = {key: value for key, value in os.environ.items() if key != "THUD_PYTHON"}
        done = subprocess.run([THUD, "info", self.bag], capture_output=True, text=True, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lone = self.folder / "lone"
        lone.mkdir()
        shutil.copy(THUD, lone / "thud")
        path = {**environment, "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
                "LD_LIBRARY_PATH": str(pathlib.Path(THUD).resolve().parent)}
        done = subprocess.run([lone / "thud", "info", self.bag], capture_output=True, text=True, env=path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_ctrl_c_ends_it(self):
        slow = self.folder / "slow"
        (slow / "thud/logs").mkdir(parents=True)
        (slow / "thud/__init__.py").touch()
        (slow / "thud/logs/__init__.py").touch()
        (slow / "thud/logs/__main__.py").write_text("import time\ndef main():\n    print('here', flush=True)\n    time.sleep(60)\n")
        child = subprocess.Popen([THUD, "info", self.bag], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 env={**os.environ, "THUD_PYTHON": sys.executable, "PYTHONPATH": str(slow)})
        self.assertEqual(child.stdout.readline(), b"here\n")
        begun = time.monotonic()
        child.send_signal(signal.SIGINT)
        self.assertNotEqual(child.wait(timeout=30), 0)
        self.assertLess(time.monotonic() - begun, 10)
        child.stdout.close()


if __name__ == "__main__":
    unittest.main()
