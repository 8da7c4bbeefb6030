"""Sweeps from Python: a table that pandas takes as it is, rows made elsewhere, the same bytes."""

import json
import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np

import thud

PLAN = f"""points = 2
seed = 3
{(Path(__file__).resolve().parents[1] / "sweep/tiny.toml").read_text()}[range]
"joints.stiffness" = {{ log = [4e3, 2e4] }}
"""


class Sweep(unittest.TestCase):
    def test_the_table_is_columns_and_rows_may_be_made_elsewhere(self):
        plan = thud.parse_sweep(PLAN)
        with tempfile.TemporaryDirectory() as folder:
            seen = []
            table = thud.sweep(plan, Path(folder) / "a.h5", progress=lambda done, all: seen.append((done, all)))
            self.assertEqual(seen[-1], (2, 2))
            self.assertEqual(list(table)[:5], ["row", "refined", "seed", "joints.stiffness", "failure"])
            self.assertEqual({len(column) for column in table.values()}, {2})
            np.testing.assert_array_equal(table["row"], [0, 1])
            self.assertEqual(table["row"].dtype, np.int64)
            self.assertEqual(table["failure"], ["", ""])
            points = thud.sweep_points(plan)
            np.testing.assert_array_equal(table["joints.stiffness"], [point.values[0] for point in points])
            self.assertTrue((table["x"] > 0).all())

            # what a worker gets and gives is pickled
            writer = thud.SweepWriter(Path(folder) / "b.h5", plan)
            for row in reversed(writer.missing()):
                point = pickle.loads(pickle.dumps(writer.point(row)))
                cells = thud.sweep_row(pickle.loads(pickle.dumps(plan)), point)
                writer.store(row, pickle.loads(pickle.dumps(cells)))
            writer.finish()
            self.assertTrue(writer.complete)
            self.assertEqual(Path(folder, "a.h5").read_bytes(), Path(folder, "b.h5").read_bytes())

            for i in (1, 2):
                thud.sweep(plan, Path(folder) / f"{i}.h5", shard=(i, 2))
            thud.merge_sweeps([Path(folder) / "2.h5", Path(folder) / "1.h5"], Path(folder) / "c.h5")
            self.assertEqual(Path(folder, "a.h5").read_bytes(), Path(folder, "c.h5").read_bytes())
            result = thud.read_sweep_result(Path(folder) / "c.h5")
            self.assertEqual(list(result.table), list(table))
            self.assertEqual(thud.sweep_points(result)[1].values, points[1].values)
            self.assertEqual(thud.answer_sweep(result).campaigns, 2)
            files = thud.write_sweep_report(result, thud.answer_sweep(result), "c.h5", Path(folder) / "out", inputs=[Path(folder) / "c.h5"])
            told = json.loads(Path(files.results).read_text())
            self.assertEqual({each["name"]: each["values"] for each in told["columns"]}["joints.stiffness"], list(table["joints.stiffness"]))
            self.assertEqual(told["answers"], json.loads(thud.sweep_answers_json(thud.answer_sweep(result))))
            self.assertIn('{"format":"thud sweep"', Path(files.page).read_text())
            Path(files.tables[1]).write_text("mine\n")
            with self.assertRaises(thud.FileError):
                thud.write_sweep_report(result, thud.answer_sweep(result), "c.h5", Path(folder) / "out")
            with self.assertRaises(thud.FileError):
                thud.sweep(plan.replace(seed=4), Path(folder) / "a.h5")

    def test_the_row_of_a_campaign_is_that_of_its_point(self):
        plan = thud.parse_sweep(PLAN)
        point = thud.sweep_points(plan)[0]
        whole = {cell.column: cell.value for cell in thud.sweep_row(plan, point)}
        own = {cell.column: cell.value for cell in thud.campaign_row(thud.sweep_campaign(plan, point))}
        self.assertIn("composite_rigid_body.error", own)
        for column, value in own.items():
            self.assertTrue(value == whole[column] or value != value, column)
        self.assertEqual(whole["failure"], "")


if __name__ == "__main__":
    unittest.main()
