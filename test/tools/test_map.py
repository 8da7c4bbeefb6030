"""thud map, as people and programs see it."""

import csv
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from program import THUD, WALL, answer, refused, run


class Map(unittest.TestCase):
    WHERE = ["map", "panda", "--frame", "panda_foot", "--offset", "0,0,0.0223"]
    NORMAL = [*WHERE, "--normal=-1,0,0"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def cells(self, folder: pathlib.Path) -> list[dict]:
        return list(csv.DictReader(line for line in (folder / "map.csv").read_text().splitlines() if not line.startswith("#")))

    def test_extremes_are_what_predict_says(self):
        found = answer(*self.NORMAL, "--samples", "3e4", "--cell", "0.2", "--out", str(self.folder / "new"))
        self.assertEqual(list(found), ["quantity", "unit", "model", "samples", "seed", "cells", "volume", "least", "greatest",
                                       "median_resolution", "convergence", "page", "table", "warnings"])
        cells = self.cells(self.folder / "new")
        self.assertEqual((found["cells"], found["samples"], found["model"]), (len(cells), 30000, "composite_rigid_body"))
        self.assertEqual(sum(int(cell["postures"]) for cell in cells), 30000)
        self.assertAlmostEqual(found["volume"], len(cells) * 0.2**3)
        self.assertEqual(found["least"]["value"], min(float(cell["least [kg]"]) for cell in cells))
        self.assertEqual(found["greatest"]["value"], max(float(cell["greatest [kg]"]) for cell in cells))
        for extreme in found["least"], found["greatest"]:
            hit = answer("predict", "panda", "--q=" + ",".join(map(repr, extreme["q"])), *WALL, "--dq", "0,0,0,0,0,0,0")
            self.assertAlmostEqual(hit["options"]["composite_rigid_body"]["effective_mass"] / extreme["value"], 1, places=9)
        text = run(*self.NORMAL, "--samples", "3e4", "--cell", "0.2", "--out", str(self.folder / "new")).stdout
        self.assertRegex(text, r"\Aeffective_mass of panda: 30000 postures in \d+ cells, [\d.]+ m\^3\n")
        self.assertIn("samples doubled: changes of", text)

    def test_speeds_are_those_of_limit(self):
        out = self.folder / "speeds"
        found = answer(*self.WHERE, "--direction", "0,0,-1", "--quantity", "speed", "--body", "chest", "--samples", "2000", "--cell", "0.3", "--out", str(out))
        self.assertEqual((found["model"], found["unit"]), ("cautious", "m/s"))
        self.assertIn("no certified safety function", " ".join(found["warnings"]))
        extreme = found["greatest"]
        normal = "--normal=" + ",".join(map(repr, extreme["normal"]))
        limit = answer("limit", "panda", "--q=" + ",".join(map(repr, extreme["q"])), "--frame", "panda_foot", "--offset", "0,0,0.0223", normal, "--body", "chest")
        self.assertAlmostEqual(limit["speed"] / extreme["value"], 1, places=6)
        contact = answer(*self.WHERE, "--direction", "0,0,-1", "--quantity", "speed", "--body", "chest", "--contact-alone", "--samples", "2000", "--cell", "0.3", "--out", str(out))
        self.assertGreater(contact["greatest"]["value"], extreme["value"])
        law = ["--law", "viscoelastic", "--stiffness", "1e6", "--damping", "7.28e6"]
        few = ["--samples", "500", "--cell", "0.5", "--out", str(out)]
        for words, unit in [(["--quantity", "impulse", "--speed", "0.5", "--restitution", "0.2"], "N s"), (["--quantity", "peak_force", "--speed", "0.5", *law], "N"),
                            (["--quantity", "speed", *law, "--max-force", "300"], "m/s")]:
            found = answer(*self.NORMAL, *words, *few)
            self.assertEqual(found["unit"], unit)
            self.assertLess(found["least"]["value"], found["greatest"]["value"])
        self.assertEqual(answer(*self.WHERE, "--all-directions", *few)["model"], "composite_rigid_body")

    def test_the_same_bytes_whatever_the_jobs(self):
        texts = set()
        for jobs in "123":
            out = self.folder / jobs
            self.assertEqual(run(*self.NORMAL, "--samples", "5e4", "--cell", "0.1", "--jobs", jobs, "--out", str(out)).returncode, 0)
            texts.add(((out / "map.csv").read_bytes(), (out / "map.html").read_bytes()))
        self.assertEqual(len(texts), 1)

    @unittest.skipIf("asan" in THUD, "a sanitizer keeps what is freed")
    def test_memory_does_not_grow_with_the_samples(self):
        def peak(samples: str) -> int:
            words = [THUD, *self.NORMAL, "--samples", samples, "--cell", "0.2", "--jobs", "1", "--out", str(self.folder / samples)]
            child = os.posix_spawn(THUD, words, {**os.environ}, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
            _, status, usage = os.wait4(child, 0)
            self.assertEqual(status, 0)
            return usage.ru_maxrss  # KiB

        few, many = peak("1e5"), peak("1e6")
        self.assertLess(many, 1.05 * few + 1024)  # some cells at the edge are reached late

    def test_an_interrupt_leaves_nothing(self):
        out = self.folder / "new"
        process = subprocess.Popen([THUD, *self.NORMAL, "--samples", "4e9", "--progress", "--out", str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stderr.read(1)  # it has begun
        process.send_signal(signal.SIGINT)
        text, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, text), (1, b""))
        self.assertIn(b"interrupted, nothing is written", error)
        self.assertFalse(out.exists())

    def test_other_files_are_spared(self):
        few = ["--samples", "500", "--cell", "0.5", "--out", str(self.folder)]
        (self.folder / "map.csv").write_text("mine\n")
        done = run(*self.NORMAL, *few)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--out", done.stderr)
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["map.csv"])
        self.assertEqual(run(*self.NORMAL, *few, "--force").returncode, 0)
        self.assertEqual(run(*self.NORMAL, *few).returncode, 0)  # its own

    def test_refusals(self):
        out = ["--out", str(self.folder / "none")]
        for words, message in [
            (self.WHERE, "--normal: missing: one of --normal, --direction and --all-directions"),
            ([*self.NORMAL, "--all-directions"], "--normal: given beside another"),
            ([*self.NORMAL, "--quantity", "colour"], "--quantity: colour: must be effective_mass, speed"),
            ([*self.NORMAL, "--quantity", "impulse"], "--speed: missing: is needed for impulse"),
            ([*self.NORMAL, "--quantity", "peak_force", "--speed", "1"], "--law: none: is needed"),
            ([*self.NORMAL, "--speed", "1"], "--speed: 1: is of peak_force and impulse"),
            ([*self.NORMAL, "--body", "chest"], "--body: chest: is of the quantity speed"),
            ([*self.NORMAL, "--quantity", "speed", "--contact-alone"], "--limits: none: are needed"),
            ([*self.NORMAL, "--samples", "1.5"], "--samples: 1.5: must be a whole number"),
            ([*self.NORMAL, "--cell", "1e-4"], "--cell: 1e-04: gives more than 1e8 cells"),
            ([*self.NORMAL, "--within", "0,0,0,1,1"], "--within: 0,0,0,1,1: must be six numbers"),
            ([*self.NORMAL, "--within", "9,9,9,10,10,10"], "--within: given: has no place"),
            (["map", "panda", "--frame", "no", "--normal=-1,0,0"], "--frame: no: "),
            ([*self.WHERE, "--all-directions", "--model", "cautious"], "--model: cautious: differs"),
            ([*self.NORMAL, "--jobs", "-1"], "--jobs: -1: must not be negative"),
        ]:
            done = run(*words, *out)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertIn(message, done.stderr)
        self.assertFalse((self.folder / "none").exists())
        file = self.folder / "mine.csv"
        file.write_text("mine")
        for folder in (file, f"{file}/", file / "deep"):  # before the samples, which would take an hour
            self.assertIn(f"--out: {folder}: cannot be made", refused(*self.NORMAL, "--samples", "4e9", "--cell", "0.3", "--out", folder))
        self.assertEqual(file.read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
