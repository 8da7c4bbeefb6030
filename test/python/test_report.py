import csv
import io
import json
import re
import tempfile
import unittest
from pathlib import Path

import numpy as np

import claims
import thud
from support import ROOT


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        dataset, truths = claims.build(2, configurations=1)
        trials = list(dataset.trials)
        noise = np.random.default_rng(3).normal(size=1000)
        trials[3] = trials[3].replace(force=trials[3].force.replace(force=noise))
        cls.study = thud.study(dataset.replace(trials=trials), truths)
        cls.text = thud.results_json(cls.study, "sample.h5")
        cls.results = json.loads(cls.text)

    def test_keys_of_the_contract(self):
        document = (ROOT / "docs/results.md").read_text()
        cells = [line.split("|")[1] for line in document.splitlines() if line.startswith("| `")]
        named = set(re.findall("`([a-z_]+)`", " ".join(cells)))
        self.assertLessEqual(set(self.results), named)
        self.assertLessEqual(set(self.results["trials"][0]), named)
        self.assertEqual(set(self.results["trials"][0]["laws"]), {kind.name for kind in thud.LawKind})

    def test_a_fast_record_is_thinned(self):
        dataset = claims.build(1, configurations=1)[0]
        slow = dataset.trials[0].force
        time = slow.time[0] + np.arange(10 * slow.time.size - 9) / 250e3
        fast = slow.replace(time=time, force=np.interp(time, slow.time, slow.force))
        study = thud.study(dataset.replace(trials=[dataset.trials[0].replace(force=fast)]))
        found = json.loads(thud.results_json(study, "fast"))["trials"][0]
        self.assertEqual(found["status"], "ok")
        self.assertTrue(300 < len(found["record"]["time"]) <= 600)

    def test_numbers_are_those_of_the_study(self):
        self.assertEqual((self.results["format"], self.results["version"]), ("thud results", 1))
        self.assertEqual(self.results["dataset"]["file"], "sample.h5")
        self.assertEqual(self.results["speeds"], claims.SPEEDS)
        for found, trial in zip(self.results["trials"], self.study.trials):
            if trial.ok:
                self.assertEqual(found["impulse_compression"], trial.impulse_compression)
                self.assertEqual(found["velocity"]["exact"], trial.touch.v_exact)
        for found, cell in zip(self.results["cells"], self.study.cells):
            self.assertEqual(found["impulse_total"]["mean"], cell.impulse_total.mean)
        for found, verdict in zip(self.results["verdicts"], self.study.verdicts):
            self.assertEqual(found["verdict"], thud.to_string(verdict.judgement))

    def test_what_does_not_exist_is_null(self):
        noise = self.results["trials"][3]
        self.assertNotEqual(noise["status"], "ok")
        self.assertIsNone(noise["velocity"]["exact"])
        self.assertEqual((noise["laws"], noise["energy"]), ({}, None))
        self.assertIsNone(self.results["cells"][1]["peak_force"]["std"])  # one trial is left of two
        json.loads(self.text, parse_constant=lambda word: self.fail(f"{word} is not JSON"))

    def test_curves_and_energies_belong_to_the_record(self):
        for trial in self.results["trials"]:
            if trial["status"] != "ok":
                continue
            time, force = np.array(trial["record"]["time"]), np.array(trial["record"]["force"])
            curve = trial["laws"]["viscoelastic"]["curve"]
            inside = (time > curve["time"][0]) & (time < curve["time"][-1])
            residual = force - np.interp(time, curve["time"], curve["force"])
            self.assertLess(np.sqrt(np.mean(residual[inside] ** 2)), 3)  # 1 N of noise, and straight lines
            energy = np.sum([trial["energy"][name] for name in ("kinetic", "potential", "dissipated")], axis=0)
            np.testing.assert_allclose(energy, energy[0], rtol=2e-5)  # six digits each
            self.assertLessEqual(time.size, 600)
            self.assertEqual(force.tolist(), [float(f"{each:.6g}") for each in force])

    def test_tables_have_a_row_each_and_units(self):
        rows = lambda text: list(csv.reader(io.StringIO(text)))
        trials, cells = rows(thud.trials_csv(self.study)), rows(thud.cells_csv(self.study))
        predictions, verdicts = rows(thud.predictions_csv(self.study)), rows(thud.verdicts_csv(self.study))
        self.assertEqual([len(each) for each in (trials, cells, predictions, verdicts)], [11, 6, 1 + 5 * 3 * 4, 1 + 11 + 2])
        for table in (trials, cells, predictions, verdicts):
            self.assertEqual({len(row) for row in table}, {len(table[0])})
        for name in ("speed [m/s]", "peak_force [N]", "impulse_total [N s]"):
            self.assertEqual(trials[0].count(name), 1)
        column = trials[0].index("impulse_total [N s]")
        for row, trial in zip(trials[1:], self.study.trials):
            self.assertTrue(float(row[column]) == trial.impulse_total if trial.ok else row[column] == "")

    def test_page_holds_the_results_and_no_markup_of_theirs(self):
        awkward = {"warnings": ["</script><script>x()</script>", "<!--", "é ≤ 1\n", "\\u003c"], "n": [1.5e-9, None]}
        page = thud.report_page(json.dumps(awkward))
        start = page.index('id="results">') + len('id="results">')
        embedded = page[start : page.index("</script", start)]
        self.assertEqual(json.loads(embedded), awkward)
        self.assertNotIn("<", embedded)
        self.assertIn("default-src 'none'", page)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "deep" / "out"
            files = thud.write_report(self.study, "sample.h5", out)
            self.assertEqual(Path(files.results).read_text(), self.text)
            self.assertEqual(len(files.tables), 4)
            self.assertEqual(len(list(out.iterdir())), 6)
            self.assertIn("sample.h5", Path(files.page).read_text())
            thud.write_report(self.study, "sample.h5", out)  # an earlier report gives way
            (out / "results.json").write_text("mine")
            self.assertRaises(thud.FileError, thud.write_report, self.study, "sample.h5", out)
            self.assertEqual((out / "results.json").read_text(), "mine")
            with self.assertRaisesRegex(thud.FileError, "is read by this command"):
                thud.write_report(self.study, "sample.h5", out, inputs=[out / "results.json"], force=True)
            thud.write_report(self.study, "sample.h5", out, force=True)
            self.assertEqual((out / "results.json").read_text(), self.text)
            in_the_way = Path(folder) / "file"
            in_the_way.write_text("mine")
            self.assertRaises(thud.FileError, thud.write_report, self.study, "sample.h5", in_the_way)
            self.assertEqual(in_the_way.read_text(), "mine")


if __name__ == "__main__":
    unittest.main()
