"""thud study, export and import, as people and programs see it."""

import csv
import json
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

from program import CAMPAIGN, MANIFEST, OPTIONS, ROOT, THUD, WALL, answer, run

CLAIMS = re.findall(r"^\| `((?!beyond)[\w.]+)` \|", (ROOT / "docs/study.md").read_text(), re.M)  # in the order of the document


class Study(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "deep" / "out"

    def results(self) -> dict:
        return json.loads((self.out / "results.json").read_text(),
                          parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)))

    def measured(self, records: dict[str, float]) -> str:
        """A folder as people bring it: force records and speeds, nothing else."""
        data = self.folder / "data"
        data.mkdir()
        text = MANIFEST
        for name, speed in records.items():
            (data / name).write_bytes((ROOT / "data/records" / name).read_bytes())
            text += f'[[trial]]\nforce = "{name}"\nspeed = {speed}\n'
        (data / "manifest.toml").write_text(text)
        return str(data)

    def test_simulated_campaign(self):
        campaign, file = self.folder / "campaign.toml", str(self.folder / "a.h5")
        campaign.write_text(CAMPAIGN)
        answer("simulate", str(campaign), "--out", file)
        printed = answer("study", file, "--out", str(self.out))
        self.assertEqual(list(printed), ["verdicts", "beyond", "arm", "report", "results", "tables", "warnings"])
        self.assertEqual([each["claim"] for each in printed["beyond"]], ["beyond.rotors", "beyond.elastic_arm"])
        self.assertEqual(printed["arm"]["origin"], "the dataset's campaign")
        self.assertEqual([each["claim"] for each in printed["verdicts"]], CLAIMS)
        self.assertEqual(printed["results"], str(self.out / "results.json"))
        found = self.results()
        self.assertEqual(found["verdicts"], printed["verdicts"])
        self.assertEqual(found["dataset"]["file"], "a.h5")
        self.assertEqual(found["dataset"]["seed"], 5)
        self.assertEqual([trial["status"] for trial in found["trials"]], ["ok"] * 3)
        self.assertEqual(found["truth"]["trials"], 3)
        for path in printed["tables"]:
            mark, *lines = pathlib.Path(path).read_text().splitlines()
            self.assertRegex(mark, r"\A# thud study \d")
            rows = list(csv.reader(lines))
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        # on another number of threads the same bytes
        before = (self.out / "results.json").read_bytes()
        answer("study", file, "--out", str(self.out), "--jobs", "1")
        self.assertEqual((self.out / "results.json").read_bytes(), before)

    def test_a_box_in_the_place_of_the_wall(self):
        campaign, file = self.folder / "box.toml", str(self.folder / "box.h5")
        example = (ROOT / "docs/lab.md").read_text().split("```toml\n")[1].split("```")[0]
        campaign.write_text(example.replace("repeats = 3", "repeats = 1").replace("[0.4, 1.9]", "[0.4]")
                            .replace("[0.3, 0.5]", "[0.5]"))
        cells = answer("simulate", str(campaign), "--out", file)["cells"]
        self.assertEqual([cell["object"] for cell in cells], ["m0.4_o0", "m0.4_o0.04"])
        info = answer("info", file)
        self.assertEqual(info["force"], {"rate": None, "trials": 0})
        self.assertEqual(info["object"], {"rate": 200.0, "trials": 2, "masses": [0.4]})
        printed = answer("study", file, "--out", str(self.out))
        self.assertEqual({each["why"] for each in printed["verdicts"]}, {"no trial has a force record"})
        models = {each["model"]: each for each in printed["objects"]}
        self.assertEqual(models["flexible_joints"]["trials"], 0)  # no answer with friction
        self.assertLess(models["generalized_momentum"]["median_error"], 0.1)  # a light box feels little but the links
        objects = self.results()["objects"]["trials"]
        self.assertLess(abs(objects[0]["spin"]), 0.2)
        self.assertLess(objects[1]["spin"], -1)  # hit to the left of the middle
        self.assertTrue((self.out / "objects.csv").exists())
        # a folder and back, without a change; then as measured, with friction and restitution given
        folder = self.folder / "data"
        answer("export", file, "--out", str(folder))
        again = str(self.folder / "again.h5")
        answer("import", str(folder), "--out", again)
        self.assertEqual(pathlib.Path(again).read_bytes(), pathlib.Path(file).read_bytes())
        done = run("study", str(folder), "--out", str(self.out), "--friction", "0.3", "--object-restitution", "0.4", "--no-page")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 of 2 objects with a hit; as given", done.stdout)
        self.assertEqual(run("study", file, "--out", str(self.out), "--friction", "-1").returncode, 2)

    def test_predictions_are_those_of_predict(self):
        answer("study", self.measured({"viscoelastic.csv": 0.12, "maxwell.csv": 0.1}), "--out", str(self.out))
        found = self.results()
        self.assertEqual(found["robots"], ["panda", "panda_fer", "panda_gaz"])
        for cell in found["cells"]:
            q, dq = (",".join(repr(value) for value in cell[key]) for key in ("q", "dq"))
            for robot in found["robots"]:
                expected = answer("predict", robot, "--q", q, "--dq", dq, *WALL)
                for option in OPTIONS:
                    for key, value in cell["predictions"][robot][option].items():
                        self.assertEqual(value, expected["options"][option][key], (robot, option, key))

    def test_a_study_without_the_page(self):
        folder = self.measured({"viscoelastic.csv": 0.12})
        printed = answer("study", folder, "--out", str(self.out), "--no-page")
        self.assertIsNone(printed["report"])
        self.assertEqual(self.results()["verdicts"], printed["verdicts"])
        self.assertFalse((self.out / "report.html").exists())
        self.assertNotIn("report:", run("study", folder, "--out", str(self.out), "--no-page").stdout)
        self.assertIsNotNone(answer("study", folder, "--out", str(self.out))["report"])
        before = (self.out / "report.html").read_bytes()
        answer("study", folder, "--out", str(self.out), "--no-page", "--robot", "panda_gaz")
        self.assertEqual((self.out / "report.html").read_bytes(), before)

    def test_laws_are_those_of_fit(self):
        answer("study", self.measured({"viscoelastic.csv": 0.12}), "--out", str(self.out))
        fitted = answer("fit", str(ROOT / "data/records/viscoelastic.csv"), "--speed", "0.12")["records"][0]
        trial = self.results()["trials"][0]
        self.assertEqual(trial["velocity"]["source"], "reference")
        self.assertEqual(trial["best"], fitted["best"])
        for law, expected in fitted["laws"].items():
            found = trial["laws"][law]
            self.assertLessEqual(set(expected), set(found))
            self.assertAlmostEqual(found["rmse"], expected["rmse"], 9)
            self.assertAlmostEqual(found["misfit"], expected["misfit"], 9)
            self.assertEqual(found["identifiability"], expected["identifiability"])
            if expected["residuals"]:
                self.assertEqual(found["residuals"]["runs"], expected["residuals"]["runs"])
                self.assertAlmostEqual(found["residuals"]["frequency"], expected["residuals"]["frequency"], 6)

    def test_measured_folder_says_what_it_cannot_tell(self):
        folder = self.measured({"viscoelastic.csv": 0.12, "maxwell.csv": 0.1, "spring.csv": 0.08})
        printed = answer("study", folder + "/", "--out", str(self.out))
        verdicts = {each["claim"]: each for each in printed["verdicts"]}
        self.assertEqual(verdicts["c1.maxwell"]["verdict"], "not testable")
        self.assertIsNone(verdicts["c1.maxwell"]["statistic"])
        self.assertEqual(verdicts["c1.spring"]["verdict"], "not supported")  # one of the three is a spring
        self.assertTrue(any("no joint log" in sentence for sentence in printed["warnings"]))
        found = self.results()
        self.assertEqual(found["dataset"]["file"], "data")
        self.assertEqual(found["dataset"]["source"], "measured")
        self.assertIsNone(found["dataset"]["seed"])
        self.assertIsNone(found["truth"])
        done = run("study", folder, "--out", str(self.out))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("not testable: c1.maxwell: ", done.stdout)
        self.assertIn(str(self.out / "results.json"), done.stdout)

    def test_unfinished_dataset(self):
        campaign, file = self.folder / "campaign.toml", self.folder / "a.h5"
        campaign.write_text(CAMPAIGN.replace("repeats = 3", "repeats = 12"))
        process = subprocess.Popen([THUD, "simulate", str(campaign), "--out", str(file)], stdout=subprocess.DEVNULL)
        while process.poll() is None and len(list((self.folder / "a.h5.parts").glob("*.h5"))) < 2:
            time.sleep(0.002)
        process.kill()
        process.wait()
        printed = answer("study", str(file), "--out", str(self.out))
        self.assertRegex(printed["warnings"][0], r"not complete: \d+ of 12 trials")
        self.assertEqual(self.results()["dataset"]["planned"], 12)

    def test_no_contact_is_exit_1_with_a_report(self):
        folder = self.measured({"viscoelastic.csv": 0.12})
        noise = "".join(f"{i / 25e3:.5f},{(i * 7919 % 13 - 6) / 10}\n" for i in range(300))
        pathlib.Path(folder, "viscoelastic.csv").write_text("time [s],force [N]\n" + noise)
        done = run("study", folder, "--out", str(self.out), "--json")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Athud: study: [^\n]*no trial has a contact[^\n]*\n\Z")
        self.assertEqual({each["verdict"] for each in json.loads(done.stdout)["verdicts"]}, {"not testable"})
        self.assertNotEqual(self.results()["trials"][0]["status"], "ok")

    def test_refusals_leave_old_results_alone(self):
        folder = self.measured({"viscoelastic.csv": 0.12})
        self.out.mkdir(parents=True)
        old = '{"format": "thud results"}'
        (self.out / "results.json").write_text(old)
        out = ["--out", str(self.out)]
        (self.folder / "file").write_text("mine")
        for words, message in [
            ([str(self.folder / "no.h5"), *out], "no.h5"),
            ([folder], "--out: missing"),
            ([folder, *out, "--jobs", "-1"], "--jobs: -1: must not be negative"),
            ([folder, *out, "--jobs", "abc"], "--jobs: 'abc': must be a whole number from 0 to 2147483647"),
            ([folder, *out, "--robot", "nobody"], "nobody"),
            ([folder, *out, "--robot", "planar_2r"], "robot: planar_2r: has 2 joints where the dataset has 7"),
            ([folder, *out, "--material-restitution", "2"], "--material-restitution: 2: must be in (0, 1]"),
            ([folder, "--out", str(self.folder / "file")], "file: cannot be made: there is a file in its place"),
            ([folder, "--out", str(self.folder / "file/deep")], "file/deep: cannot be made"),
        ]:
            done = run("study", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(message, done.stderr)
            if "cannot be made" in message:
                self.assertTrue(done.stderr.startswith("thud: --out: "), done.stderr)
        self.assertEqual((self.out / "results.json").read_text(), old)
        self.assertEqual((self.folder / "file").read_text(), "mine")


class Convert(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.records = str(ROOT / "data/records")
        self.file, self.there, self.again = (str(self.folder / name) for name in ("a.h5", "there", "b.h5"))

    def test_there_and_back_is_the_same_file(self):
        result = answer("import", self.records, "--out", self.file)
        self.assertEqual((result["kind"], result["file"], result["trials"], result["complete"], result["warnings"]),
                         ("dataset", self.file, 5, True, []))
        self.assertEqual(run("export", self.file, "--out", self.there).stdout, f"{self.there}: 5 of 5 trials\n")
        self.assertEqual(answer("import", self.there, "--out", self.again)["trials"], 5)
        self.assertEqual(pathlib.Path(self.file).read_bytes(), pathlib.Path(self.again).read_bytes())
        expected = answer("info", self.file)
        self.assertEqual({**answer("info", self.there), "file": self.file}, expected)
        self.assertIn("5/5", run("export", self.file, "--out", str(self.folder / "c"), "--progress").stderr)

    def test_what_is_there_stays_unless_forced(self):
        answer("import", self.records, "--out", self.file)
        answer("export", self.file, "--out", self.there)
        before = pathlib.Path(self.file).read_bytes()
        for arguments in (["import", self.records, "--out", self.file], ["export", self.file, "--out", self.there]):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("already exists; --force replaces it", done.stderr)
            self.assertEqual(run(*arguments, "--force").returncode, 0)
        self.assertEqual(pathlib.Path(self.file).read_bytes(), before)
        pathlib.Path(self.there, "thesis.txt").write_text("mine")
        self.assertIn("holds thesis.txt", run("export", self.file, "--out", self.there, "--force").stderr)
        self.assertEqual(pathlib.Path(self.there, "thesis.txt").read_text(), "mine")
        pathlib.Path(self.there, "thesis.txt").unlink()
        for name in ("force/extra.csv", "force/sub/raw.bin"):  # what the manifest does not name
            mine = pathlib.Path(self.there, name)
            mine.parent.mkdir(exist_ok=True)
            mine.write_text("mine")
            self.assertIn("which is no part of a dataset", run("export", self.file, "--out", self.there, "--force").stderr)
            self.assertEqual(mine.read_text(), "mine")
            mine.unlink()
        mine.parent.rmdir()
        done = run("export", self.file, "--out", self.there + "/", "--force")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(answer("info", self.there)["trials"], 5)
        pathlib.Path(self.file).write_text("mine")
        self.assertIn("is not HDF5", run("import", self.records, "--out", self.file, "--force").stderr)
        self.assertEqual(pathlib.Path(self.file).read_text(), "mine")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.h5", "there"])

    def test_memory_is_a_limit_that_can_be_raised(self):
        answer("import", self.records, "--out", self.file)
        one, all_of_them = "0.000001", "0.00001"  # less than a trial takes, less than five
        for words, memory in ((["info", self.file], one), (["study", self.file, "--out", str(self.folder / "s")], one),
                              (["export", self.file, "--out", self.there], all_of_them),
                              (["import", self.records, "--out", self.again], all_of_them)):
            done = run(*words, "--memory", memory)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, "is beyond the [-.e0-9]+ GiB of memory that the dataset may take [(]argument memory, --memory[)]")
            self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(answer("info", self.file, "--memory", all_of_them)["trials"], 5)  # one at a time
        self.assertEqual(answer("export", self.file, "--out", self.there, "--memory", "2")["trials"], 5)

    def test_a_damaged_file_gets_one_line(self):
        answer("import", self.records, "--out", self.file)
        data = bytearray(pathlib.Path(self.file).read_bytes())
        for at in range(48, len(data), 1009):
            pathlib.Path(self.again).write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1:])
            done = run("info", self.again)
            if done.returncode != 0:
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")


if __name__ == "__main__":
    unittest.main()
