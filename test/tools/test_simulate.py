"""thud simulate, as people and programs see it."""

import pathlib
import signal
import subprocess
import tempfile
import time
import tomllib
import unittest

from program import CAMPAIGN, THUD, answer, run


class Simulate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.campaign = self.folder / "campaign.toml"
        self.campaign.write_text(CAMPAIGN)

    def test_default_campaign_reads_back(self):
        text = run("simulate", "--print-default").stdout
        parsed = tomllib.loads(text)
        self.assertEqual(parsed["robot"], "panda")
        self.assertEqual(parsed["repeats"], 10)
        self.assertEqual(parsed["speeds"], [0.08, 0.1, 0.12, 0.15, 0.18])
        self.assertEqual([c["threshold"] for c in parsed["configuration"]], [1.8, 1.8, 1.5])
        for table in ["contact", "joints", "sensor", "controller"]:
            self.assertIn(table, parsed)
        own = text.replace("repeats = 10", "repeats = 1").replace("speeds = [0.08, 0.1, 0.12, 0.15, 0.18]",
                                                                   "speeds = [0.18]")
        self.campaign.write_text(own)
        result = answer("simulate", str(self.campaign), "--out", str(self.folder / "a.h5"))
        self.assertEqual(result["trials"], 3)

    def test_same_seed_same_bytes_whatever_the_jobs(self):
        files = [self.folder / f"{jobs}.h5" for jobs in (1, 2)]
        for jobs, file in zip((1, 2), files):
            result = answer("simulate", str(self.campaign), "--out", str(file), "--jobs", str(jobs))
            self.assertTrue(result["complete"])
            self.assertTrue(result["changed"])
            cell = result["cells"][0]
            self.assertEqual((cell["configuration"], cell["trials"]), ("reach", 3))
            self.assertAlmostEqual(cell["contact_speed"]["mean"], 0.15, delta=0.05 * 0.15)
            self.assertEqual(cell["detection"]["threshold"]["false_alarms"], 0)
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())
        again = answer("simulate", str(self.campaign), "--out", str(files[0]))
        self.assertFalse(again["changed"])
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())
        other = self.folder / "other.h5"
        answer("simulate", str(self.campaign), "--seed", "6", "--out", str(other))
        self.assertNotEqual(other.read_bytes(), files[0].read_bytes())

    def test_goes_on_after_being_killed(self):
        self.campaign.write_text(CAMPAIGN.replace("repeats = 3", "repeats = 12"))
        whole, cut = self.folder / "whole.h5", self.folder / "cut.h5"
        answer("simulate", str(self.campaign), "--out", str(whole))
        parts = self.folder / "cut.h5.parts"
        kills = 0
        for wanted in (2, 5, 8):
            process = subprocess.Popen([THUD, "simulate", str(self.campaign), "--out", str(cut)],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and len(list(parts.glob("*.h5"))) < wanted:
                time.sleep(0.002)
            kills += process.poll() is None
            process.kill()
            process.wait()
        self.assertGreaterEqual(kills, 2)
        self.assertGreaterEqual(answer("info", str(cut))["trials"], 5)  # what was finished is not lost
        self.assertTrue(answer("simulate", str(self.campaign), "--out", str(cut))["complete"])
        self.assertEqual(cut.read_bytes(), whole.read_bytes())
        self.assertFalse(parts.exists())

    def test_interrupt_is_exit_1_and_goes_on(self):
        self.campaign.write_text(CAMPAIGN.replace("repeats = 3", "repeats = 12"))
        file = self.folder / "a.h5"
        process = subprocess.Popen([THUD, "simulate", str(self.campaign), "--out", str(file), "--jobs", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not list((self.folder / "a.h5.parts").glob("*.h5")):
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertEqual(out, "")
        self.assertIn("continues where it stopped", error)
        self.assertTrue(answer("simulate", str(self.campaign), "--out", str(file))["complete"])

    def test_refusals(self):
        file = str(self.folder / "a.h5")
        answer("simulate", str(self.campaign), "--out", file)
        before = pathlib.Path(file).read_bytes()
        bad = self.folder / "bad.toml"
        bad.write_text("sped = 1\n")
        text = self.folder / "text.h5"
        text.write_text("not HDF5")
        for words, message in [
            (["--out", file, "--seed", "9"], "seed is 5, not 9"),
            (["--out", file, "--seed", "-1"], "--seed: '-1': must be a whole number"),
            (["--out", file, "--jobs", "-1"], "--jobs: -1: must not be negative"),
            (["--out", file, "--jobs", "1.5"], "--jobs: '1.5': must be a whole number"),
            ([], "--out: missing"),
            (["--out", str(text)], "text.h5"),
            (["--out", str(self.folder / "no" / "a.h5")], "no/a.h5"),
        ]:
            done = run("simulate", str(self.campaign), *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(message, done.stderr)
        done = run("simulate", str(bad), "--out", str(self.folder / "b.h5"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("bad.toml:1: sped: not a key here", done.stderr)
        self.assertFalse((self.folder / "b.h5").exists())
        bad.write_text(CAMPAIGN.replace("reach", ".reach"))  # a name that a dataset would refuse
        done = run("simulate", str(bad), "--out", str(self.folder / "b.h5"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("configuration.name: '.reach': a name has", done.stderr)
        self.assertFalse((self.folder / "b.h5").exists())
        self.assertEqual(pathlib.Path(file).read_bytes(), before)
        self.assertEqual(text.read_text(), "not HDF5")

    def test_an_unstable_plant_has_no_answer(self):
        self.campaign.write_text(CAMPAIGN + "[joints]\nstiffness = 1e12\n[plant]\nstep = 1e-4\n"
                                            "[sensor]\nrate = 1e4\nbandwidth = 2e3\n")
        done = run("simulate", str(self.campaign), "--out", str(self.folder / "a.h5"))
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
        self.assertIn("the plant became unstable", done.stderr)


    def test_trials_that_never_touch_are_recorded(self):
        self.campaign.write_text(CAMPAIGN.replace("threshold = 1.8", "threshold = 0.001"))
        file = str(self.folder / "a.h5")
        result = answer("simulate", str(self.campaign), "--out", file)
        cell = result["cells"][0]
        self.assertEqual((result["complete"], cell["trials"], cell["touched"]), (True, 3, 0))
        self.assertEqual((cell["detection"]["threshold"]["false_alarms"], cell["detection"]["threshold"]["missed"]), (3, 0))
        self.assertIsNone(cell["peak_force"]["mean"])
        self.assertIn("3 of 3 trials never touched the wall", result["warnings"][0])
        self.assertIn("none", run("simulate", str(self.campaign), "--out", file).stdout)
        self.assertEqual(answer("info", file)["trials"], 3)
        there, again = str(self.folder / "there"), str(self.folder / "b.h5")
        answer("export", file, "--out", there)
        answer("import", there, "--out", again)
        self.assertEqual(pathlib.Path(file).read_bytes(), pathlib.Path(again).read_bytes())
        done = run("study", file, "--out", str(self.folder / "out"), "--json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no trial has a contact", done.stderr)


if __name__ == "__main__":
    unittest.main()
