"""Records, maps, datasets and files that are dropped, each against the command line."""

import json
import pathlib
import re
import sys
import tempfile
import unittest

from program import CAMPAIGN, ROOT
from studio import HIT, LAW, POINT, RECORD, Studio, WithStudio, cli, words


class Data(WithStudio):
    def test_fit_is_fit(self):
        file = self.studio.json("POST", "/api/files?name=hit.csv", RECORD.read_bytes())
        self.assertEqual((file["kind"], file["name"], file["path"]), ("record", "hit.csv", None))
        info = cli("info", str(RECORD))
        self.assertEqual(file["info"], {**info, "file": "hit.csv"})
        answer = self.studio.job("fit", {"records": [file["id"]], "speed": 0.12})["answer"]
        drawn = answer["records"][0].pop("studio")
        self.assertEqual((drawn["file"], answer.pop("studio")), (file["id"], {"refused": {}}))
        wanted = cli("fit", str(RECORD), "--speed", "0.12")
        wanted["records"][0]["file"] = "hit.csv"
        self.assertEqual(answer, wanted)
        best = answer["records"][0]["best"]
        residual = drawn["laws"][best]["residual"]
        rmse = (sum(r * r for r in residual) / len(residual)) ** 0.5
        self.assertAlmostEqual(rmse / answer["records"][0]["laws"][best]["residuals"]["rmse"], 1, places=6)
        self.assertLessEqual(len(drawn["record"]["time"]), 4001)
        # a curve of P parameters is known to about s sqrt(P/N) on average, and its band is of 95 %
        band = drawn["laws"][best]["band"]
        spread = (sum(b * b for b in band) / len(band)) ** 0.5 / rmse
        self.assertAlmostEqual(spread, 1.96 * (5 / len(band)) ** 0.5, delta=0.05 * spread)
        # by hand: another window and law, and each record at its own speed
        part = self.studio.job("fit", {"records": [file["id"]] * 2, "speeds": [0.12, 0.1], "law": "spring", "to": 0.012})
        self.assertEqual([each["speed"] for each in part["answer"]["records"]], [0.12, 0.1])
        one = cli("fit", str(RECORD), "--speed", "0.1", "--law", "spring", "--to", "0.012")["records"][0]
        got = part["answer"]["records"][1]
        got.pop("studio")
        self.assertEqual(got, {**one, "file": "hit.csv"})
        # of two, one is refused, by its own id
        other = self.studio.json("POST", "/api/files?name=other.csv", RECORD.read_bytes().replace(b"force [N]", b"fz [N]"))
        answer = self.studio.job("fit", {"records": [other["id"], file["id"]], "speed": 0.12, "force-column": "force"})["answer"]
        self.assertEqual([each["studio"]["file"] for each in answer["records"]], [file["id"]])
        self.assertEqual(answer["studio"]["refused"], {other["id"]: answer["warnings"][0]})
        # the same name and content are the same file
        again = self.studio.json("POST", "/api/files?name=hit.csv", RECORD.read_bytes())
        self.assertEqual(again, file)
        self.assertNotEqual(other["id"], file["id"])
        self.studio.json("DELETE", f"/api/files/{file['id']}")
        self.assertEqual(self.studio.ask("DELETE", f"/api/files/{file['id']}")[0], 400)

    def test_map_is_map(self):
        options = {"robot": "panda", **POINT, "samples": 20000, "cell": 0.1}
        job = self.studio.job("map", options)
        drawn = job["answer"].pop("studio")
        with tempfile.TemporaryDirectory() as folder:
            wanted = cli("map", *words(options), "--out", folder)
        self.assertEqual(job["answer"], {**wanted, "page": None, "table": None})
        self.assertEqual((drawn["format"], drawn["robot"]), ("thud map", "panda"))
        self.assertEqual(job["done"], job["total"])

    def test_a_campaign_is_simulated_and_studied(self):
        small = self.studio.json("GET", "/api/campaign")
        self.assertEqual(small["trials"], len(small["speeds"]) * len(small["configurations"]) * small["repeats"])
        asked = {"speeds": [0.12], "repeats": 1, "seed": 3, "configurations": small["configurations"][:1]}
        job = self.studio.job("campaign", asked)
        self.assertEqual(job["state"], "done", job["error"])
        results = job["answer"]
        self.assertEqual(results["format"], "thud results")
        self.assertEqual([trial["status"] for trial in results["trials"]], ["ok"])
        self.refuses("/api/campaign", {"repeats": 50}, "campaign: 450 trials: must have at most 60; thud simulate has no limit")
        # the same by the command line, whose dataset is then opened
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder, "small.toml")
            text = re.sub(r"(?m)^seed = .*", "seed = 3", small["toml"])
            text = re.sub(r"(?ms)^speeds = \[.*?\]", "speeds = [0.12]", text)
            first = small["configurations"][0]
            blocks = re.split(r"(?m)^(?=\[)", text)
            kept = [block for block in blocks if not block.startswith("[[configuration]]") or first in block]
            plan.write_text("".join(kept))
            data = pathlib.Path(folder, "campaign.h5")
            cli("simulate", str(plan), "--out", str(data))
            cli("study", str(data), "--out", str(pathlib.Path(folder, "out")), "--no-page")
            wanted = json.loads(pathlib.Path(folder, "out/results.json").read_text())
            opened = Studio(str(data))
            told = opened.json("GET", "/api/studio")
            self.assertEqual(told["subject_kind"], "dataset")
            studied = opened.job("study", {"dataset": told["subject"]})
            opened.close()
        self.assertEqual(studied["state"], "done", studied["error"])
        for key in results:
            self.assertEqual(studied["answer"][key], wanted[key], key)
            if key != "dataset":
                self.assertEqual(results[key], wanted[key], key)

    def test_a_dataset_is_dropped(self):
        with tempfile.TemporaryDirectory() as folder:
            data, plan, copies = (pathlib.Path(folder, name) for name in ("mine.h5", "plan.toml", "tmp"))
            plan.write_text(re.sub("repeats = .*", "repeats = 1", CAMPAIGN))
            copies.mkdir()
            cli("simulate", str(plan), "--out", str(data))
            cli("study", str(data), "--out", str(pathlib.Path(folder, "out")), "--no-page")
            wanted = json.loads(pathlib.Path(folder, "out/results.json").read_text())
            studio = Studio(env={"TMPDIR": str(copies)})
            self.assertEqual(list(copies.iterdir()), [])
            file = studio.json("POST", "/api/files?name=mine.h5", data.read_bytes())
            self.assertEqual((file["kind"], file["name"]), ("dataset", "mine.h5"))
            self.assertEqual(file["info"], {**cli("info", str(data)), "file": "mine.h5"})
            studied = studio.job("study", {"dataset": file["id"]})
            self.assertEqual(studied["state"], "done", studied["error"])
            self.assertEqual(studied["answer"], wanted)
            studio.json("POST", "/api/files?name=broken.h5", b"x", 400)
            again = studio.json("POST", "/api/files?name=again.h5", data.read_bytes())
            studio.json("DELETE", f"/api/files/{again['id']}")
            self.assertEqual(list(copies.iterdir()), [])  # nothing is written
            self.assertEqual(studio.close(), 0)

    def test_dropped_files(self):
        for name, content, line in (
                ("a.csv", b"no numbers", "a.csv"), ("a.h5", b"no dataset", "a.h5: is not HDF5"), ("a.h5", b"\x89HDF\r\n\x1a\n", "a.h5: 8 bytes"), ("a.urdf", b"<robot/>", "a.urdf"),
                ("a.exe", b"", "must end in"), ("a.urdf", b"<mujoco><worldbody/></mujoco>", "is MJCF"), ("a.toml", b"=", "a.toml")):
            with self.subTest(name=name, content=content):
                status, _, text = self.studio.ask("POST", f"/api/files?name={name}", content)
                self.assertEqual(status, 400)
                self.assertIn(line, json.loads(text)["error"]["message"])
                self.assertNotIn(tempfile.gettempdir(), text.decode())
        urdf = (ROOT / "data/robots/planar_2r.urdf").read_bytes()
        robot = self.studio.json("POST", "/api/files?name=mine.urdf", urdf)
        described = self.studio.json("GET", f"/api/robots/{robot['id']}")
        self.assertEqual(described["studio"]["urdf"], urdf.decode())
        drives = self.studio.json("POST", "/api/files?name=d.toml", (ROOT / "data/drives/panda.toml").read_bytes())
        self.assertEqual(drives["kind"], "drives")
        options = {**HIT, **LAW, "speed": 0.12, "drives": drives["id"]}
        profile = self.studio.json("POST", "/api/profile", options)
        profile.pop("studio")
        self.assertEqual(profile, cli("profile", *words({**options, "drives": "panda"})))
        limits = self.studio.json("POST", "/api/files?name=l.toml", b"[contact]\nforce = 100.0\n")
        self.assertEqual(limits["kind"], "limits")


if __name__ == "__main__":
    sys.exit(unittest.main())
