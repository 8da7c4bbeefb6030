"""thud sweep --report as people and programs see it."""

import csv
import json
import pathlib
import tempfile
import tomllib
import unittest

from program import refused, run
from test_sweep import PLAN


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        (cls.folder / "s.toml").write_text(PLAN)
        cls.plan, cls.sweep = str(cls.folder / "s.toml"), str(cls.folder / "a.h5")
        done = run("sweep", cls.plan, "--out", cls.sweep, "--report", str(cls.folder / "first"), "--json")
        assert done.returncode == 0, done.stderr
        cls.found = json.loads(done.stdout)

    def test_the_files_say_what_the_command_says(self):
        page, results = pathlib.Path(self.found["report"]), pathlib.Path(self.found["results"])
        self.assertEqual([path.name for path in (page, results)], ["report.html", "answers.json"])
        told = json.loads(results.read_text(), parse_constant=lambda name: self.fail(name))
        self.assertEqual((told["format"], told["version"], told["file"]), ("thud sweep", 1, "a.h5"))
        self.assertEqual(told["answers"], self.found["answers"])
        self.assertEqual(told["plan"], self.found["plan"])
        columns = {each["name"]: each["values"] for each in told["columns"]}
        self.assertEqual(list(columns), self.found["columns"])
        claims, campaigns = (pathlib.Path(path).read_text().splitlines() for path in self.found["tables"])
        self.assertTrue(claims[0].startswith("# thud sweep ") and campaigns[0].startswith("# thud sweep "))
        self.assertEqual([row["claim"] for row in csv.DictReader(claims[1:])], [each["claim"] for each in told["answers"]["claims"]])
        rows = list(csv.DictReader(campaigns[1:]))
        self.assertEqual([float(row["joints.stiffness"]) for row in rows], columns["joints.stiffness"])
        self.assertEqual([row["failure"] for row in rows], columns["failure"])
        text = page.read_text()
        self.assertTrue(text.startswith("<!-- thud sweep "))
        self.assertNotRegex(text, r'(src|href)="https?:')

    def test_models_and_statements_are_told(self):
        answers = self.found["answers"]
        self.assertTrue(all(each["statement"] for each in answers["claims"]))
        self.assertEqual([each["model"] for each in answers["models"]][:4],
                         ["algebraic", "generalized_momentum", "composite_rigid_body", "flexible_joints"])
        shown = run("info", self.sweep).stdout
        self.assertIn("best of the four matrices", shown)
        self.assertIn("elastic_joints", shown)

    def test_a_finished_file_gets_the_same_report_and_stays(self):
        before = pathlib.Path(self.sweep).read_bytes()
        for _ in range(2):  # an earlier report gives way
            done = run("sweep", self.sweep, "--report", str(self.folder / "second"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"\nreport: \S+report\.html\nresults: \S+answers\.json\ntables: \S+claims\.csv, \S+campaigns\.csv\n\Z")
        for name in ("report.html", "answers.json", "claims.csv", "campaigns.csv"):
            self.assertEqual((self.folder / "first" / name).read_bytes(), (self.folder / "second" / name).read_bytes(), name)
        self.assertEqual(pathlib.Path(self.sweep).read_bytes(), before)

    def test_its_commands_make_the_records_again(self):
        """What the page shows for a campaign, down to a study."""
        (self.folder / "0.toml").write_text(run("sweep", self.sweep, "--campaign", "0").stdout)
        campaign = tomllib.loads((self.folder / "0.toml").read_text())
        columns = {each["name"]: each["values"] for each in json.loads((self.folder / "first/answers.json").read_text())["columns"]}
        self.assertEqual(campaign["seed"], columns["seed"][0])
        self.assertEqual(run("simulate", str(self.folder / "0.toml"), "--out", str(self.folder / "0.h5")).returncode, 0)
        done = run("study", str(self.folder / "0.h5"), "--out", str(self.folder / "0"), "--no-page", "--json")
        verdicts = {each["claim"]: each["verdict"] for each in json.loads(done.stdout)["verdicts"]}
        self.assertEqual(verdicts, {claim: columns[claim][0] for claim in verdicts})

    def test_refusals(self):
        out = self.folder / "third"
        report = ["--report", str(out)]
        self.assertIn("--report", refused("sweep", self.plan, "--dry-run", *report))
        self.assertIn("--report", refused("sweep", self.plan, "--campaign", "0", *report))
        self.assertIn("is a finished sweep", refused("sweep", self.sweep))
        self.assertIn("is a finished sweep", refused("sweep", self.sweep, "--out", str(self.folder / "b.h5"), *report))
        self.assertIn("--force: given: is of --report", refused("sweep", self.plan, "--out", self.sweep, "--force"))
        self.assertIn("is the file of --out", refused("sweep", self.plan, "--out", str(out / "answers.json"), *report))
        self.assertFalse(out.exists())

        out.mkdir()
        (out / "report.html").write_text("mine")
        self.assertIn("--force replaces it", refused("sweep", self.sweep, *report))
        self.assertEqual([path.name for path in out.iterdir()], ["report.html"])
        self.assertIn("--force replaces it", refused("sweep", self.plan, "--out", str(self.folder / "c.h5"), *report))
        self.assertFalse((self.folder / "c.h5").exists() or (self.folder / "c.h5.parts").exists())  # before the work
        self.assertEqual((out / "report.html").read_text(), "mine")
        self.assertEqual(run("sweep", self.sweep, *report, "--force").returncode, 0)
        self.assertTrue((out / "report.html").read_text().startswith("<!-- thud sweep "))

        # a plan in the place of an output is not lost, even by force
        own = self.folder / "own"
        own.mkdir()
        (own / "claims.csv").write_text(PLAN)
        self.assertIn("is read by this command", refused("sweep", str(own / "claims.csv"), "--out", str(self.folder / "d.h5"), "--report", str(own), "--force"))
        self.assertEqual((own / "claims.csv").read_text(), PLAN)


if __name__ == "__main__":
    unittest.main()
