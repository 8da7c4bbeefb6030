"""A dataset of many trials on the command line: one of them by thud info, some of them by thud study."""

import csv
import json
import pathlib
import tempfile
import unittest

from program import ROOT, answer, refused, run

RECORDS = str(ROOT / "data/records")


class Growth(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = str(self.folder / "d.h5")
        answer("import", RECORDS, "--out", self.file)

    def names(self, folder: str) -> list[str]:
        lines = (self.folder / folder / "trials.csv").read_text().splitlines()[1:]
        return [row["name"] for row in csv.DictReader(lines)]

    def test_every_trial_is_reached_by_info(self):
        run("study", self.file, "--out", str(self.folder / "s"), "--no-page")
        names = self.names("s")
        self.assertEqual(len(names), 5)
        for name in names:
            for subject in (self.file, RECORDS):
                found = answer("info", subject, "--trial", name)
                self.assertEqual((found["kind"], found["trial"], found["file"]), ("trial", name, subject))
                text = run("info", subject, "--trial", name).stdout
                self.assertTrue(text.startswith(f"# trial {name}: configuration {found['configuration']}, "), text[:200])
                rows = [line.split(",") for line in text.splitlines() if line[0] in "-0123456789"]
                self.assertEqual([float(time) for time, _ in rows], found["force"]["time"])
                self.assertEqual([float(force) for _, force in rows], found["force"]["force"])
        fitted = run("fit", "-", "--speed", "0.12", "--json", text=text)
        self.assertEqual(fitted.returncode, 0, fitted.stderr)

    def test_a_simulated_trial_comes_with_its_truth(self):
        campaign = self.folder / "c.toml"
        campaign.write_text("repeats = 1\nspeeds = [0.1]\n")
        simulated = str(self.folder / "l.h5")
        self.assertEqual(run("simulate", str(campaign), "--out", simulated).returncode, 0)
        found = answer("info", simulated, "--trial", self.first(simulated))
        self.assertEqual(found["truth"]["law"], "viscoelastic")
        self.assertGreater(found["truth"]["peak_force"], 100)
        self.assertEqual(found["joint_signals"]["signals"], ["position", "velocity", "torque", "torque_reference"])
        self.assertIn("# simulated: viscoelastic wall, stiffness ", run("info", simulated, "--trial", found["trial"]).stdout)

    def first(self, path: str) -> str:
        run("study", path, "--out", str(self.folder / "t"), "--no-page")
        return self.names("t")[0]

    def test_a_sample_is_drawn_and_all_are_in_the_table(self):
        out = self.folder / "s"
        done = run("study", self.file, "--out", str(out), "--sample", "2")
        self.assertIn("2 of 5 trials, spread over the plan, are drawn", done.stdout)
        results = json.loads((out / "results.json").read_text())
        self.assertEqual((results["dataset"]["trials"], results["dataset"]["drawn"], len(results["trials"])), (5, 2, 2))
        self.assertTrue(all("band" in cell for cell in results["cells"]))
        self.assertEqual(len(self.names("s")), 5)
        run("study", self.file, "--out", str(out), "--sample", "5")
        self.assertNotIn("drawn", (out / "results.json").read_text())

    def test_refusals(self):
        self.assertIn("none", refused("info", self.file, "--trial", "none"))
        self.assertIn("is not among the trials", refused("info", RECORDS, "--trial", "none"))
        self.assertIn("--trial: x: applies to datasets only", refused("info", "panda", "--trial", "x"))
        for sample in ("0", "-1", "2.5", "few"):
            self.assertIn("--sample", refused("study", self.file, "--out", str(self.folder / "s"), f"--sample={sample}"))
        self.assertFalse((self.folder / "s").exists())


if __name__ == "__main__":
    unittest.main()
