"""What any command writes, and what it must not replace."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from program import MANIFEST, ROOT, THUD, answer, refused, run


class Outputs(unittest.TestCase):
    """Nothing that was read is lost, and nothing that thud did not write."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.record = self.folder / "run.csv"
        self.text = (ROOT / "data/records/viscoelastic.csv").read_text()
        self.record.write_text(self.text)

    def test_raw_data_are_not_destroyed(self):
        link, speeds = self.folder / "link.csv", self.folder / "speeds.csv"
        link.symlink_to(self.record)
        speeds.write_text("run.csv,0.12\n")
        for force in ([], ["--force"]):
            for out in (self.record, link):
                for option in ("--out", "--plot"):
                    self.assertIn("is read by this command", refused(
                        "fit", self.record, "--speed", "0.12", option, out, *force))
            self.assertIn("is read by this command", refused(
                "fit", self.record, "--speed", speeds, "--out", speeds, *force))
        self.assertEqual(self.record.read_text(), self.text)
        self.assertTrue(link.is_symlink())

    def test_a_foreign_file_is_replaced_by_force_alone(self):
        mine = self.folder / "manifest.toml"
        mine.write_text("mine")
        profile = ["profile", "--law", "spring", "--mass", "4", "--speed", "0.1", "--stiffness", "1e5", "--restitution", "0.5"]
        for words in (["fit", self.record, "--speed", "0.12", "--out"], [*profile, "--csv"]):
            self.assertIn("--force replaces it", refused(*words, mine))
            self.assertEqual(mine.read_text(), "mine")
            self.assertEqual(run(*map(str, words), str(mine), "--force").returncode, 0)
            self.assertEqual(run(*map(str, words), str(mine)).returncode, 0, "its own mark gives way")
            self.assertRegex(mine.read_text(), rf"\A# thud {words[0]} \d")
            mine.write_text("mine")
        self.assertIn("is the file of --csv", refused(
            *profile, "--csv", self.folder / "a.svg", "--plot", f"{self.folder}/./a.svg"))
        relative = os.path.relpath(self.folder / "a.svg")
        self.assertIn("is the file of --csv", refused(*profile, "--csv", relative, "--plot", self.folder / "a.svg"))
        self.assertFalse((self.folder / "a.svg").exists())
        self.assertEqual(run(*profile, "--csv", "/dev/null").returncode, 0)

    def test_a_mark_is_at_the_beginning_or_there_is_none(self):
        script = self.folder / "fit.sh"
        fit = ["fit", self.record, "--speed", "0.12", "--out", script]
        for text in (f"thud fit {self.record}\n", "# thud fit my own notes\n", "#!/bin/sh\n# thud fit 0.2.0\n"):
            script.write_text(text)
            self.assertIn("--force replaces it", refused(*fit))
            self.assertEqual(script.read_text(), text)

    def test_a_marked_record_that_was_read_is_an_input(self):
        text = "# thud fit 0.2.0\n" + self.text
        self.record.write_text(text)
        for force in ([], ["--force"]):
            self.assertIn("is read by this command", refused(
                "fit", self.record, "--speed", "0.12", "--out", self.record, *force))
        self.assertEqual(self.record.read_text(), text)

    def test_standard_input_is_an_input(self):
        for words in (["--out", str(self.record)], ["--out", str(self.record), "--force"], ["--plot", str(self.record)]):
            with open(self.record) as file:
                done = subprocess.run([THUD, "fit", "-", "--speed", "0.12", *words], stdin=file, capture_output=True,
                                      text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("is read by this command", done.stderr)
            self.assertEqual(self.record.read_text(), self.text)

    def test_nothing_is_written_where_one_file_cannot_be(self):
        table = self.folder / "table.csv"
        fit = ["fit", self.record, "--speed", "0.12", "--out", table]
        self.assertIn("there is no such folder", refused(*fit, "--plot", self.folder / "no" / "x.svg"))
        self.assertFalse(table.exists())
        (self.folder / "manifest.toml").write_text(MANIFEST + '[[trial]]\nforce = "run.csv"\nspeed = 0.12\n')
        (self.folder / "out" / "verdicts.csv").mkdir(parents=True)
        message = refused("study", self.folder, "--out", self.folder / "out")
        self.assertIn("--out: ", message)
        self.assertIn("verdicts.csv: is a folder; a file is needed", message)
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["verdicts.csv"])

    def test_results_of_a_study_are_no_records(self):
        (self.folder / "manifest.toml").write_text(MANIFEST + '[[trial]]\nforce = "run.csv"\nspeed = 0.12\n')
        for _ in range(2):
            answer("study", str(self.folder), "--out", str(self.folder))
            found = answer("fit", str(self.folder), "--speed", "0.12")
            self.assertEqual([item["file"] for item in found["records"]], [str(self.record)])

    def test_a_foreign_table_is_not_said_to_be_read(self):
        (self.folder / "manifest.toml").write_text(MANIFEST + '[[trial]]\nforce = "run.csv"\nspeed = 0.12\n')
        mine = self.folder / "cells.csv"
        mine.write_text("mine")
        self.assertIn("--force replaces it", refused("study", self.folder, "--out", self.folder))
        self.assertEqual(mine.read_text(), "mine")
        answer("study", str(self.folder), "--out", str(self.folder), "--force")

    def test_a_record_with_a_mark_is_spared_by_a_study(self):
        for first in ("# taken for the thud study of May\n", "# thud study 0.2.0\n"):
            (self.folder / "trials.csv").write_text(first + self.text)
            (self.folder / "manifest.toml").write_text(MANIFEST + '[[trial]]\nforce = "trials.csv"\nspeed = 0.12\n')
            for force in ([], ["--force"]):
                self.assertIn("trials.csv: is read by this command",
                              refused("study", self.folder, "--out", self.folder, *force))
            self.assertEqual((self.folder / "trials.csv").read_text(), first + self.text)

    def test_a_study_spares_the_records_in_its_folder(self):
        (self.folder / "trials.csv").write_text(self.text)
        (self.folder / "manifest.toml").write_text(MANIFEST + '[[trial]]\nforce = "trials.csv"\nspeed = 0.12\n')
        before = sorted(path.name for path in self.folder.iterdir())
        for force in ([], ["--force"]):
            self.assertIn("trials.csv: is read by this command",
                          refused("study", self.folder, "--out", self.folder, *force))
        self.assertEqual((self.folder / "trials.csv").read_text(), self.text)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_a_dataset_is_not_converted_onto_itself(self):
        file, there = str(self.folder / "a.h5"), str(self.folder / "there")
        answer("import", str(ROOT / "data/records"), "--out", file)
        answer("export", file, "--out", there)
        before = pathlib.Path(file).read_bytes()
        self.assertIn("is read by this command", refused("import", file, "--out", file, "--force"))
        self.assertIn("is read by this command", refused("export", there, "--out", there, "--force"))
        self.assertEqual(pathlib.Path(file).read_bytes(), before)
        self.assertEqual(answer("info", there)["trials"], 5)

    def test_a_full_disk_is_no_success(self):
        for words in (["info", "panda"], ["info", "panda", "--json"], ["--help"], ["completion", "bash"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([THUD, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(done.returncode, 1, words)
            self.assertEqual(done.stderr, "thud: standard output: cannot be written: No space left on device\n")


if __name__ == "__main__":
    unittest.main()
