"""The module as people use it: values compare, show themselves and become tables and pictures; names of joints and files."""

import json
import math
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import thud
from support import DAMPED, POINT, ROOT, TIMES, dynamics, posture, record, refusal, small_campaign
from test_values import instances

PANDA = thud.load_robot("panda")
PROFILE = thud.force_profile(thud.Viscoelastic(3e5, 2.5e6), 4, -0.12)


class EveryValue(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = instances()

    def test_compares(self):
        for name, value in self.all.items():
            copy = pickle.loads(pickle.dumps(value))
            self.assertTrue(value == copy and not value != copy, name)
            self.assertEqual(hash(value), hash(copy), name)
            self.assertFalse(value == 1 or value is None, name)
        self.assertNotEqual(POINT, POINT.replace(offset=[0, 0, 1]))
        self.assertNotEqual(POINT, POINT.replace(frame="panda_link7"))
        self.assertNotEqual(thud.Spring(1, 2), thud.Maxwell(1, 2))
        self.assertEqual(thud.Spring(1, math.nan), thud.Spring(1, math.nan))
        campaign = thud.default_campaign()
        self.assertNotEqual(campaign, campaign.replace(sensor=campaign.sensor.replace(noise=0)))
        self.assertEqual(len({thud.Spring(1, 0.5), thud.Spring(1, 0.5), thud.Spring(2, 0.5)}), 2)

    def test_prints_short(self):
        for name, value in self.all.items():
            self.assertLess(len(repr(value)), 4000, name)
            self.assertNotIn("\n", repr(value), name)
        self.assertIn("time=<array (600,)>", repr(record(DAMPED)))

    def test_shows_as_html(self):
        for name, value in self.all.items():
            page = value._repr_html_()
            self.assertTrue(page.startswith(f"<table><caption>{name}</caption><tr>") and page.endswith("</table>"), name)
            self.assertLess(len(page), 20000, name)
        self.assertIn("&lt;script&gt;", thud.ContactPoint("<script>")._repr_html_())
        self.assertNotIn("<script>", thud.ContactPoint("<script>")._repr_html_())

    def test_becomes_a_dictionary_that_json_takes(self):
        for name, value in self.all.items():
            found = json.loads(json.dumps(value.to_dict()))
            for field, state in zip([field for field in value.to_dict() if hasattr(value, field)], value.__getstate__()):
                if isinstance(state, (str, float)) and state == state and name not in ("Batch", "ImpactBatch", "InverseInertia", "Robot"):
                    self.assertEqual(found[field], state, f"{name}.{field}")
        found = PROFILE.to_dict()
        self.assertEqual(found["law"], {"law": "viscoelastic", "stiffness": 3e5, "damping": 2.5e6})
        self.assertEqual(found["peak"]["force"], PROFILE.peak.force)
        self.assertEqual(POINT.to_dict()["offset"], [0, 0, 0.0223])
        self.assertEqual(thud.identify(record(DAMPED), velocity=-0.12).to_dict()["laws"][0]["kind"], "spring")

    def test_becomes_a_table(self):
        tables = 0
        for name, value in self.all.items():
            if not hasattr(value, "to_table"):
                continue
            tables += 1
            table = value.to_table()
            self.assertTrue(table, name)
            (length,) = {len(column) for column in table.values()}
            for title, column in table.items():
                self.assertEqual((column.ndim, column.dtype.kind in "fiubU"), (1, True), f"{name}.{title}")
            self.assertGreater(length, 0, name)
        self.assertGreaterEqual(tables, 10)
        table = thud.identify(record(DAMPED), velocity=-0.12).to_table()
        self.assertEqual(list(table["kind"]), ["spring", "maxwell", "viscoelastic", "hunt_crossley"])
        self.assertAlmostEqual(table["stiffness"][2] / 3e5, 1, 3)
        self.assertTrue(np.isnan(table["exponent"][2]) and not np.isnan(table["exponent"][3]))
        np.testing.assert_array_equal(PROFILE.to_table(samples=5)["force"], thud.states(PROFILE, PROFILE.to_table(5)["time"])["force"])

    def test_pandas_and_polars_take_it(self):
        taken = 0
        for package in ("pandas", "polars"):
            try:
                frames = __import__(package)
            except ImportError:
                continue
            taken += 1
            for name, value in self.all.items():
                if hasattr(value, "to_table"):
                    table = value.to_table()
                    self.assertEqual(list(frames.DataFrame(table).columns), list(table), name)
            frame = frames.DataFrame({joint.name: [0.1 * i] for i, joint in enumerate(reversed(PANDA.joints))} | {"colour": ["red"]})
            np.testing.assert_allclose(PANDA.postures(frame), [0.1 * np.arange(6, -1, -1)])
        if not taken:
            self.skipTest("neither is installed")


class Pictures(unittest.TestCase):
    def setUp(self):
        import matplotlib

        matplotlib.use("Agg")

    def test_every_kind(self):
        found = thud.identify(record(DAMPED), velocity=-0.12)
        d = dynamics(0)
        import claims

        study = thud.study(*claims.build(1, configurations=1))
        drawn = {value: value.plot() for value in (record(DAMPED), PROFILE, found, thud.predict(d, thud.approach(d, 0.12).dq), study)}
        for value, axes in drawn.items():
            self.assertTrue(axes.get_xlabel(), value)
            self.assertTrue(axes.lines or axes.patches, value)
            axes.figure.canvas.draw()
            self.assertIs(value.plot(axes), axes)
        on = found.plot()
        self.assertEqual(len(on.lines), 1 + sum(law.ok for law in found.laws))
        np.testing.assert_allclose(on.lines[3].get_ydata(), found.contact.force, atol=0.02 * DAMPED.max())  # viscoelastic
        on = PROFILE.plot()
        self.assertAlmostEqual(max(on.lines[0].get_ydata()), PROFILE.peak.force, delta=1e-3 * PROFILE.peak.force)

    def test_without_matplotlib_it_says_what_to_install(self):
        with mock.patch.dict(sys.modules, {"matplotlib": None, "matplotlib.pyplot": None}):
            with self.assertRaisesRegex(ImportError, r"pip install thud\[plot\]"):
                PROFILE.plot()


class Postures(unittest.TestCase):
    def test_columns_by_the_names_of_joints(self):
        q = np.arange(21.0).reshape(3, 7)
        table = {f"panda_joint{i + 1}": list(q[:, i]) for i in (3, 1, 0, 2, 6, 5, 4)} | {"time": ["a", "b", "c"]}
        np.testing.assert_array_equal(PANDA.postures(table), q)
        np.testing.assert_array_equal(PANDA.postures({f"{name}.position": column for name, column in table.items()}, ".position"), q)
        self.assertEqual(thud.predict_batch(PANDA, POINT, PANDA.postures(table)).effective_mass.all.shape, (3, 4))
        del table["panda_joint4"]
        self.assertEqual(refusal(thud.InputError, PANDA.postures, table), "table: panda_joint4: has no column for this joint")
        for bad, rule in ((["x"] * 3, "must be a column of real numbers"), ([1.0], "must be a column as long as the others")):
            said = refusal(thud.InputError, PANDA.postures, table | {"panda_joint4": bad})
            self.assertEqual(said, f"table: panda_joint4: {rule}")

    def test_a_row_that_is_none_is_an_answer_that_is_none(self):
        q = np.array([posture(0), posture(0) * np.nan, posture(1)])
        batch = thud.predict_batch(PANDA, POINT, q)
        self.assertTrue(np.isnan(batch.effective_mass.all[1]).all())
        self.assertTrue(np.isfinite(batch.effective_mass.all[[0, 2]]).all())


class Files(unittest.TestCase):
    def test_a_file_error_is_an_oserror(self):
        with self.assertRaises(OSError) as caught:
            thud.read_record("/nowhere/a.csv")
        error = caught.exception
        self.assertIsInstance(error, thud.FileError)
        self.assertEqual((error.argument, error.strerror, error.errno), ("/nowhere/a.csv", error.rule, None))
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(again), str(again), again.rule), (thud.FileError, str(error), error.rule))

    def test_names_of_any_bytes(self):
        """What a file system has, Python has as text with surrogates; every function with a path takes it."""
        with tempfile.TemporaryDirectory() as folder:
            named = lambda suffix: os.path.join(folder, os.fsdecode(b"\xff\xfe \xc3\xa4" + suffix))
            thud.write_record(named(b".csv"), record(DAMPED))
            self.assertEqual(thud.read_record(named(b".csv")).time.size, TIMES.size)
            Path(named(b".urdf")).write_text((ROOT / "data/robots/panda.urdf").read_text())
            self.assertEqual(thud.load_robot(named(b".urdf")).size, 7)
            self.assertIn("<robot", thud.urdf_text(named(b".urdf")))
            Path(named(b".toml")).write_text((ROOT / "data/drives/panda.toml").read_text())
            self.assertEqual(thud.load_drives(named(b".toml"), 7), thud.load_drives("panda", 7))
            self.assertEqual(thud.read_drives(Path(named(b".toml")), 7), thud.load_drives("panda", 7))
            self.assertIn("[joints]", thud.drives_text(named(b".toml")))
            Path(named(b".limits")).write_text((ROOT / "data/limits/franka.toml").read_text())
            self.assertEqual(thud.load_limits(named(b".limits"), 7), thud.load_limits("franka", 7))
            self.assertIn("collision", thud.limits_text(Path(named(b".limits"))))
            campaign = small_campaign()
            Path(named(b".campaign")).write_text(thud.format_campaign(campaign))
            self.assertEqual(thud.read_campaign(named(b".campaign")).repeats, 1)
            thud.simulate(campaign, named(b".h5"))
            self.assertEqual(len(thud.summarize_cells(named(b".h5"))), 1)
            dataset = thud.read_dataset(named(b".h5"))
            thud.write_dataset(named(b"2.h5"), dataset)
            self.assertEqual(len(thud.DatasetReader(named(b"2.h5")).finished), 1)
            report = thud.write_report(thud.study(dataset), "a.h5", named(b".out"))
            self.assertTrue(os.path.exists(report.page))
            for call in (thud.read_record, thud.load_robot, thud.read_campaign, thud.read_dataset):
                self.assertIn(os.path.basename(named(b".no")), refusal(thud.FileError, call, named(b".no")))


class Interpreters(unittest.TestCase):
    def test_another_interpreter_gets_an_import_error(self):
        """In a child, which must come back with an exception and not a signal."""
        program = (
            "import sys\n"
            "if sys.version_info >= (3, 13): import _interpreters as interpreters\n"
            "else: import _xxsubinterpreters as interpreters\n"
            "text = 'try:\\n import thud\\nexcept ImportError as error: print(error, flush=True)\\nelse: print(42)'\n"
            "interpreters.run_string(interpreters.create(), text)\n"
            "import thud\n"
            "print(thud.Spring(1, 0.5).stiffness)\n"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "thud can be imported in the main interpreter of a process only\n1.0\n")


if __name__ == "__main__":
    unittest.main()
