"""thud sweep and thud merge, as people and programs see them."""

import pathlib
import signal
import subprocess
import tempfile
import time
import tomllib
import unittest

from program import ROOT, THUD, answer, refused, run

BASE = (ROOT / "test/sweep/tiny.toml").read_text()
RANGE = """[range]
"joints.stiffness" = { log = [4e3, 2e4] }
"contact.stiffness" = { values = [1e6, -1] }
"""
PLAN = f"points = 4\nseed = 3\n{BASE}{RANGE}"


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.plan = self.file("s.toml", PLAN)

    def file(self, name: str, text: str | None = None) -> str:
        if text is not None:
            (self.folder / name).write_text(text)
        return str(self.folder / name)

    def test_a_campaign_of_a_finished_sweep_is_that_which_ran(self):
        arm = self.folder / "data/arm.urdf"
        arm.parent.mkdir()
        arm.write_text((ROOT / "data/robots/planar_2r.urdf").read_text())
        plan = self.file("own.toml", PLAN.replace('robot = "planar_2r"', 'robot = "data/arm.urdf"'))
        answer("sweep", plan, "--out", self.file("own.h5"))
        first = run("sweep", self.file("own.h5"), "--campaign", "0")
        self.assertEqual((first.returncode, first.stdout), (0, run("sweep", plan, "--campaign", "0").stdout))
        arm.write_text(arm.read_text().replace('<mass value="', '<mass value="1'))
        self.assertIn("has changed since the sweep ran", refused("sweep", self.file("own.h5"), "--campaign", "0"))
        # what fails says so in the same words, wherever the plan is
        folder = self.folder / "a"
        folder.mkdir()
        (folder / "a.toml").write_text(PLAN + '"robot" = { values = ["planar_2r", "data/nope.urdf"] }\n')
        for out, where, words in (("x.h5", self.folder, ["a/a.toml"]), ("y.h5", folder, ["a.toml"])):
            done = subprocess.run([THUD, "sweep", *words, "--out", self.file(out)], cwd=where, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(pathlib.Path(self.file("x.h5")).read_bytes(), pathlib.Path(self.file("y.h5")).read_bytes())

    def test_a_sweep_its_shards_and_a_killed_one_are_the_same_file(self):
        found = answer("sweep", self.plan, "--out", self.file("a.h5"), "--jobs", "1")
        self.assertEqual((found["kind"], found["rows"], found["planned"]), ("sweep", 4, 4))
        self.assertIs(found["complete"], True)
        self.assertIs(found["changed"], True)
        self.assertEqual([each["key"] for each in found["plan"]["ranges"]], ["contact.stiffness", "joints.stiffness"])
        self.assertLessEqual({"row", "failure", "c1.spring", "c1.spring.statistic", "algebraic.error", "x"}, set(found["columns"]))
        answers = found["answers"]
        self.assertEqual((answers["campaigns"], answers["failed"], answers["refined"]), (4, 2, 0))
        claims = {each["claim"]: each for each in answers["claims"]}
        self.assertEqual(len(claims), 13)
        self.assertEqual(claims["c1.spring"]["not_testable"]["share"], 1)  # of one trial each
        self.assertIs(claims["c1.spring"]["surrogate"]["learnt"], False)
        self.assertRegex(found["warnings"][0], "2 of 4 campaigns failed")
        whole = (self.folder / "a.h5").read_bytes()

        again = answer("sweep", self.plan, "--out", self.file("a.h5"))
        self.assertIs(again.pop("changed"), False)
        found.pop("changed")
        self.assertEqual(again, found)
        info = answer("info", self.file("a.h5"))
        self.assertEqual(info, found)
        self.assertIn("complete already; nothing was changed", run("sweep", self.plan, "--out", self.file("a.h5")).stdout)

        for i in (1, 2):
            shard = answer("sweep", self.plan, "--out", self.file(f"{i}.h5"), "--shard", f"{i}/2")
            self.assertIs(shard["complete"], False)
        answer("merge", self.file("2.h5"), self.file("1.h5"), "--out", self.file("m.h5"))
        self.assertEqual((self.folder / "m.h5").read_bytes(), whole)
        self.assertIn("exists", refused("merge", self.file("2.h5"), self.file("1.h5"), "--out", self.file("m.h5")))
        self.assertIn("all shards are needed", refused("merge", self.file("1.h5"), "--out", self.file("n.h5")))
        self.assertIn("is one of the files that are read", refused("merge", self.file("1.h5"), "--out", self.file("1.h5"), "--force"))

        # killed once a row is on the disk, or a little later
        command = [THUD, "sweep", self.plan, "--out", self.file("k.h5"), "--jobs", "2"]
        for delay in (0.0, 0.05):
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            rows = self.folder / "k.h5.parts/rows"
            deadline = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < deadline and not (rows.exists() and rows.stat().st_size > 1000):
                time.sleep(0.005)
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.wait()
        answer("sweep", self.plan, "--out", self.file("k.h5"))
        self.assertEqual((self.folder / "k.h5").read_bytes(), whole)
        self.assertEqual([path.name for path in self.folder.glob("k.h5*")], ["k.h5"])

        # another plan, another kind of file
        other = self.file("other.toml", PLAN.replace("seed = 3", "seed = 4"))
        self.assertIn("the file is of another sweep", refused("sweep", other, "--out", self.file("a.h5")))
        self.file("mine.h5", "mine")
        refused("sweep", self.plan, "--out", self.file("mine.h5"))
        self.assertEqual((self.folder / "mine.h5").read_text(), "mine")
        self.assertEqual((self.folder / "a.h5").read_bytes(), whole)

        # the campaign of a row, from the plan and from the file
        campaign = run("sweep", self.file("a.h5"), "--campaign", "0").stdout
        self.assertEqual(campaign, run("sweep", self.plan, "--campaign", "0").stdout)
        self.assertEqual(tomllib.loads(campaign)["contact"]["stiffness"], 1e6)
        self.assertIn("there are 4 rows", refused("sweep", self.plan, "--campaign", "4"))

    def test_a_dry_run_shows_the_design_and_a_time(self):
        found = answer("sweep", self.plan, "--dry-run", "--jobs", "2")
        self.assertEqual((found["campaigns"], len(found["design"]), found["jobs"]), (4, 4, 2))
        self.assertGreater(found["seconds_per_campaign"], 0)
        self.assertAlmostEqual(found["expected_seconds"], 2 * found["seconds_per_campaign"])
        self.assertEqual(list(self.folder.glob("*.h5*")), [])
        plan = answer("info", self.plan)
        self.assertEqual((plan["kind"], plan["campaigns"], plan["trials"]), ("sweep plan", 4, 1))
        self.assertIn("joints.stiffness", run("info", self.plan).stdout)
        self.assertNotIn("sweep", run("info", self.file("other.toml", "[joints]\nstiffness = 1e4\n")).stdout)

    def test_progress_and_signals(self):
        plan = self.file("long.toml", PLAN.replace("points = 4", "points = 400"))
        process = subprocess.Popen([THUD, "sweep", plan, "--out", self.file("p.h5"), "--progress"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        rows = self.folder / "p.h5.parts/rows"
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and not (rows.exists() and rows.stat().st_size > 1000):
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        out, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (1, ""))
        self.assertIn("campaigns [", error)
        self.assertIn("the same command continues where it stopped", error)
        self.assertFalse((self.folder / "p.h5").exists())

    def test_refusals(self):
        out = ["--out", self.file("x.h5")]
        self.assertIn("--out: missing", refused("sweep", self.plan))
        self.assertIn("SWEEP: missing", refused("sweep", *out))
        for shard in ("3/2", "0/2", "1", "1/0"):
            self.assertIn("--shard", refused("sweep", self.plan, *out, "--shard", shard))
        self.assertIn("--jobs: -1: must not be negative", refused("sweep", self.plan, *out, "--jobs=-1"))
        self.assertIn("must be a claim: c1.spring", refused("sweep", self.plan, *out, "--refine", "claim=c9"))
        for words in (["--shard", "0/0"], ["--shard", "5/2"], ["--refine", "claim=nonsense"]):
            self.assertIn("must be", refused("sweep", self.plan, "--dry-run", *words))
        self.assertIn("claim=NAME,points=N", refused("sweep", self.plan, *out, "--refine", "c1.spring"))
        self.assertIn("merge the shards", refused("sweep", self.plan, *out, "--refine", "claim=r1", "--shard", "1/2"))
        wrong = self.file("w.toml", PLAN.replace("joints.stiffness", "joints.stifness"))
        self.assertIn("stifness: not a key here", refused("sweep", wrong, *out))
        self.assertIn("No such file", refused("merge", self.file("nothing.h5"), *out))
        self.assertIn("--jobs: 99999999999: must be from 0 to 2147483647", refused("sweep", self.plan, *out, "--jobs", "99999999999"))
        self.assertIn(f"--out: {self.plan}: is one of the files", refused("merge", self.plan, "--out", self.plan))
        self.assertIn(f"--out: {wrong}: exists", refused("merge", self.plan, "--out", wrong))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["s.toml", "w.toml"])

    def test_a_dataset_is_no_plan(self):
        dataset, torn = self.file("d.h5"), self.file("t.h5")
        run("import", str(ROOT / "data/records"), "--out", dataset)
        pathlib.Path(torn).write_bytes(pathlib.Path(dataset).read_bytes()[:3000])
        for file in (dataset, torn):
            for words in (["--report", self.file("r")], ["--campaign", "0"], ["--out", self.file("x.h5")], ["--dry-run"]):
                self.assertIn(f"{file}: not a thud sweep: a plan (.toml) or a finished sweep is needed", refused("sweep", file, *words))

    def test_the_plan_that_ships_is_one(self):
        found = answer("info", str(ROOT / "examples/sweep.toml"))
        self.assertEqual(found["trials"], 12)
        self.assertEqual(len(found["plan"]["ranges"]), 9)


if __name__ == "__main__":
    unittest.main()
