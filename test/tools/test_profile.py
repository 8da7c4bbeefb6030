"""thud profile, of a mass and of an elastic arm, as people and programs see it."""

import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from program import ARM, VISCOELASTIC, answer, run


class ElasticProfile(unittest.TestCase):
    def test_reference_values_and_keys(self):
        free = answer("profile", *ARM, "--drives", "panda", "--servo", "off")
        self.assertEqual((free["robot"], free["model"], free["mass"]), ("panda", "elastic_arm", None))
        for peak, force in zip(free["peaks"], (193.813, 214.053), strict=True):
            self.assertAlmostEqual(peak["force"], force, delta=6e-4)
        self.assertEqual(free["events"]["peak"], free["peaks"][1])
        self.assertAlmostEqual(free["events"]["end_of_contact"]["time"], 9.9259e-3, delta=6e-8)
        self.assertAlmostEqual(free["effective_mass"]["compression"], 8.573, delta=6e-4)
        self.assertAlmostEqual(free["impulse"]["compression"], 1.028807, delta=6e-7)
        energy = free["energy"]
        self.assertAlmostEqual(energy["initial"], energy["dissipated"] + energy["final"], 9)
        self.assertEqual(free["warnings"], [])
        servo = answer("profile", *ARM, "--drives", "panda", "--horizon", "0.03")
        self.assertIsNone(servo["events"]["end_of_contact"])
        self.assertIsNone(servo["restitution"])
        self.assertEqual(len(servo["turns"]), 3)
        self.assertIn("the contact lasts beyond the horizon of 0.03 s", servo["warnings"])

    def test_an_object_that_is_free_to_move(self):
        wall = answer("profile", *ARM, "--drives", "panda")
        free = answer("profile", *ARM, "--drives", "panda", "--object-mass", "2")
        self.assertEqual(free["object_mass"], 2)
        self.assertNotIn("object_mass", wall)
        self.assertLess(free["impulse"]["total"], wall["impulse"]["total"] / 2)
        mass = free["effective_mass"]["compression"]
        self.assertAlmostEqual(free["impulse"]["compression"], 0.12 / (1 / mass + 1 / 2), 9)
        energy = free["energy"]
        self.assertAlmostEqual(energy["initial"], energy["dissipated"] + energy["final"], 9)
        self.assertIn("m/s on 2 kg that is free to move", run("profile", *ARM, "--drives", "panda", "--object-mass", "2").stdout)

    def test_what_is_not_known_is_said(self):
        rigid = answer("profile", *ARM)
        self.assertEqual(len(rigid["warnings"]), 3)
        self.assertAlmostEqual(rigid["effective_mass"]["compression"], rigid["effective_mass"]["links"], 6)

    def test_table_csv_and_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            table, plot = pathlib.Path(folder, "p.csv"), pathlib.Path(folder, "p.svg")
            out = run("profile", *ARM, "--drives", "panda", "--csv", table, "--plot", plot).stdout
            self.assertIn("end of compression", out)
            lines = [line for line in table.read_text().splitlines() if not line.startswith("#")]
            self.assertEqual(len(lines), 602)
            self.assertEqual(len(lines[0].split(",")), 6 + 3 * 7)
            self.assertIn("transmission torque", plot.read_text())

    def test_refusals(self):
        for arguments, text in (
                ((*ARM, "--mass", "4"), "--mass: 4: is the arm's with ROBOT"),
                ((*ARM, "--servo", "on"), "--servo: on: must be off"),
                ((*ARM, "--drives", "nobody"), "is not a shipped name (fr3, iiwa14, iiwa7, panda)"),
                ((*ARM[:1], *ARM[3:]), "--q: missing: is needed with ROBOT"),
                ((*ARM[1:], "--mass", "4"), "it needs ROBOT"),
                ((*ARM[8:],), "--mass: missing: is needed without ROBOT")):
            done = run("profile", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(text, done.stderr)


class Profile(unittest.TestCase):
    def test_section_5_to_its_digits(self):
        # d, e, 1/d, x_max [mm], f_max [N], t at peak, t_c, t at x = 0 [ms]; the sheet's 1.494 for d = 5 is 1.4933
        for d, e, inverse, depth, force, peak, compression, end in [
                (0.1, 0.937476, 10, 0.42437, 127.905, 5.271, 5.620, 11.48),
                (1, 0.593624, 1, 0.34327, 128.833, 3.084, 4.913, 11.77),
                (3, 0.306897, 1 / 3, 0.26240, 159.433, 1.904, 4.143, 13.04),
                (5, 0.196980, 0.2, 0.22199, 187.905, 1.493, 3.723, 14.59),
                (10, 0.099982, 0.1, 0.17086, 246.228, 1.066, 3.145, 18.36)]:
            result = answer("profile", *VISCOELASTIC, "--damping", repr(d * 3e5 / 0.12))
            events = result["events"]
            self.assertAlmostEqual(result["restitution"], e, delta=0.5e-6)
            self.assertAlmostEqual(result["restitution_asymptotic"], inverse, 9)
            self.assertAlmostEqual(1e3 * events["end_of_compression"]["depth"], depth, delta=0.5e-5)
            self.assertAlmostEqual(events["peak"]["force"], force, delta=0.5e-3)
            self.assertAlmostEqual(1e3 * events["peak"]["time"], peak, delta=0.5e-3)
            self.assertAlmostEqual(1e3 * events["end_of_compression"]["time"], compression, delta=0.51e-3)
            self.assertAlmostEqual(1e3 * events["end_of_contact"]["time"], end, delta=0.5e-2)
            self.assertLess(events["end_of_force"]["time"], events["end_of_contact"]["time"])
            self.assertAlmostEqual(result["impulse"]["compression"], 0.48, 12)
            self.assertAlmostEqual(result["impulse"]["total"], 0.48 * (1 + result["restitution"]), 12)
            energy = result["energy"]
            self.assertAlmostEqual(energy["initial"], energy["dissipated"] + energy["final"], 12)
            self.assertEqual(len(result["warnings"]), 1 if abs(inverse / e - 1) > 0.05 else 0)

    def test_every_law(self):
        common = ["--mass", "4", "--speed", "0.12", "--stiffness", "3e5"]
        spring = answer("profile", "--law", "spring", *common, "--restitution", "0.5")
        self.assertEqual(spring["restitution"], 0.5)
        self.assertNotIn("restitution_asymptotic", spring)
        self.assertAlmostEqual(spring["events"]["peak"]["force"], 0.12 * (3e5 * 4) ** 0.5, 9)
        self.assertEqual(spring["events"]["peak"]["time"], spring["events"]["end_of_compression"]["time"])
        never = answer("profile", "--law", "maxwell", *common, "--damping", "100")
        self.assertIsNone(never["events"]["end_of_contact"])
        self.assertIsNone(never["events"]["end_of_compression"])
        self.assertIsNone(never["impulse"]["compression"])
        self.assertEqual(never["restitution"], 0)
        general = answer("profile", "--law", "hunt_crossley", *common, "--damping", "2.5e6", "--exponent", "1")
        special = answer("profile", "--law", "viscoelastic", *common, "--damping", "2.5e6")
        self.assertAlmostEqual(general["events"]["end_of_contact"]["time"],
                               special["events"]["end_of_contact"]["time"], 12)

    def test_an_object_that_gives_way(self):
        law = ["--law", "viscoelastic", "--speed", "0.12", "--stiffness", "3e5", "--damping", "2.5e6"]
        free = answer("profile", *law, "--mass", "4", "--object-mass", "2")
        alone = answer("profile", *law, "--mass", str(4 * 2 / 6))
        self.assertEqual((free["mass"], free["object_mass"]), (4, 2))
        self.assertAlmostEqual(free["reduced_mass"], 4 * 2 / 6, delta=1e-12)
        self.assertNotIn("reduced_mass", alone)
        self.assertAlmostEqual(free["events"]["peak"]["force"], alone["events"]["peak"]["force"], delta=1e-9)
        self.assertAlmostEqual(free["impulse"]["total"], alone["impulse"]["total"], delta=1e-12)
        self.assertIn("4 kg against 2 kg, reduced mass 1.33333 kg,", run("profile", *law, "--mass", "4", "--object-mass", "2").stdout)

    def test_csv_and_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            table, drawing, page = (pathlib.Path(folder, name) for name in ("a.csv", "a.svg", "a.html"))
            for plot in (drawing, page):
                done = run("profile", *VISCOELASTIC, "--damping", "2.5e6", "--csv", str(table), "--plot", str(plot))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
            rows = [line for line in table.read_text().splitlines() if not line.startswith("#")]
            names, first, *_ = [row.split(",") for row in rows]
            self.assertEqual(names[:2], ["time [s]", "force [N]"])
            self.assertEqual(float(first[3]), -0.12)
            energies = [sum(float(cell) for cell in row.split(",")[5:8]) for row in rows[1:]]
            self.assertLess(max(energies) / min(energies) - 1, 1e-9)
            self.assertEqual(ElementTree.parse(drawing).getroot().tag, "{http://www.w3.org/2000/svg}svg")
            self.assertIn("end of compression", drawing.read_text())
            self.assertNotIn("nan", drawing.read_text())
            self.assertIn("<svg", page.read_text())
            self.assertEqual(answer("info", str(table))["samples"], len(rows) - 1)


if __name__ == "__main__":
    unittest.main()
