"""thud translate, as people and programs see it."""

import json
import pathlib
import tempfile
import unittest

from program import ROOT, TRANSLATED, answer, run


class Translate(unittest.TestCase):
    def test_what_a_simulator_makes_of_a_law(self):
        profile = answer("profile", *TRANSLATED)
        contact = {"mujoco": ["solref", "solimp"], "drake": ["point_contact_stiffness", "hunt_crossley_dissipation"],
                   "gazebo": ["kp", "kd", "max_vel"], "bullet": ["contactStiffness", "contactDamping"]}
        for simulator, names in contact.items():
            result = answer("translate", *TRANSLATED, "--to", simulator)
            self.assertEqual(list(result), ["law", "mass", "speed", "parameters", "to", "step", "contact", "units", "exact", "matched",
                                            "outcome", "elsewhere", "snippet", "warnings"])
            self.assertEqual((result["to"], result["step"], list(result["contact"])), (simulator, None, names))
            self.assertEqual(list(result["units"]), names)
            of_law, of_simulator = result["outcome"]["law"], result["outcome"]["simulator"]
            self.assertAlmostEqual(of_law["peak"], profile["events"]["peak"]["force"], 9)
            self.assertAlmostEqual(of_law["duration"], profile["events"]["end_of_force"]["time"], 12)
            self.assertAlmostEqual(of_simulator["peak"] / of_law["peak"], 1, 5)
            self.assertAlmostEqual(of_simulator["restitution"], profile["restitution"], 5)
            self.assertEqual(result["exact"], simulator == "drake")
            self.assertEqual(result["exact"], result["warnings"] == [])
            self.assertEqual([(each["mass"], each["speed"]) for each in result["elsewhere"]], [(4, 0.06), (4, 0.24), (2, 0.12), (8, 0.12)])
            table = run("translate", *TRANSLATED, "--to", simulator).stdout
            self.assertIn(result["snippet"], table)
            self.assertIn(f"4 kg at 0.12 m/s", table)
        self.assertEqual(answer("translate", *TRANSLATED, "--to", "drake")["contact"]["point_contact_stiffness"], 3e5)

    def test_a_step_and_one_impedance(self):
        stepped = answer("translate", *TRANSLATED, "--to", "gazebo", "--step", "0.001")
        kp, kd = stepped["contact"]["kp"], stepped["contact"]["kd"]
        self.assertAlmostEqual(stepped["contact"]["soft_erp"], 1e-3 * kp / (1e-3 * kp + kd), 12)
        self.assertLess(stepped["outcome"]["lowest"]["peak"], stepped["outcome"]["highest"]["peak"])
        self.assertLess(kd, answer("translate", *TRANSLATED, "--to", "gazebo")["contact"]["kd"])  # the step damps by itself
        constant = answer("translate", *TRANSLATED, "--to", "mujoco", "--constant-impedance")
        self.assertEqual(constant["contact"]["solimp"][0], constant["contact"]["solimp"][1])
        self.assertEqual(constant["matched"], ["peak", "restitution"])
        self.assertEqual(answer("translate", *TRANSLATED, "--to", "mujoco")["matched"], ["peak", "duration", "restitution"])

    def test_from_a_fit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "fit.json")
            fit = run("fit", str(ROOT / "data/records/viscoelastic.csv"), "--speed", "0.12", "--json").stdout
            path.write_text(fit)
            laws = json.loads(fit)["records"][0]["laws"]
            result = answer("translate", "--fit", str(path), "--to", "drake")
            self.assertEqual((result["law"], result["speed"]), ("viscoelastic", 0.12))
            self.assertEqual(result["mass"], laws["viscoelastic"]["parameters"]["mass"]["value"])
            self.assertEqual(result["parameters"]["stiffness"], laws["viscoelastic"]["parameters"]["stiffness"]["value"])
            other = answer("translate", "--fit", str(path), "--law", "maxwell", "--mass", "5", "--to", "drake")
            self.assertEqual((other["law"], other["mass"]), ("maxwell", 5))
            for text in ("", "[]", "{", '{"records": []}', '{"records": [3]}', '{"records": [{"best": null}]}', '{"records": [{"best": "spring"}]}',
                         '{"records": [{"best": "spring", "laws": {"spring": {"parameters": {"stiffness": 3}}}}]}'):
                path.write_text(text)
                done = run("translate", "--fit", str(path), "--to", "drake")
                self.assertEqual((done.returncode, done.stdout), (2, ""), text)
                self.assertRegex(done.stderr, r"\Athud: --fit: [^\n]+: [^\n]+\n\Z")


if __name__ == "__main__":
    unittest.main()
