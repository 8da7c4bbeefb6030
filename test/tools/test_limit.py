"""thud limit, as people and programs see it."""

import pathlib
import tempfile
import unittest

from program import CONFIGURATION_ONE, OPTIONS, WALL, answer, run


class Limit(unittest.TestCase):
    WHERE = ["limit", "panda", "--q", CONFIGURATION_ONE, *WALL]
    LAW = ["--law", "viscoelastic", "--stiffness", "1e6", "--damping", "7.28e6"]

    def rows(self, *options: str) -> dict:
        found = answer(*self.WHERE, *options)
        self.assertEqual(set(found), {"speed", "binding", "model", "dq", "limits", "warnings"})
        rows = {(row["name"], row["joint"]): row for row in found["limits"]}
        speeds = [row["speed"] for row in found["limits"] if row["speed"] is not None]
        self.assertEqual(found["speed"], min(speeds))
        self.assertEqual(rows[found["binding"]["name"], found["binding"]["joint"]]["speed"], found["speed"])
        return found | {"rows": rows}

    def test_a_person(self):
        for model, speed in ("generalized_momentum", 1.1644), ("composite_rigid_body", 0.6619):
            found = self.rows("--body", "chest", "--model", model)
            self.assertAlmostEqual(found["rows"]["body_force", None]["speed"], speed, delta=1e-4)
            self.assertEqual(found["model"], model)
            self.assertIn("no certified safety function", " ".join(found["warnings"]))
        self.assertEqual(self.rows("--body", "chest")["speed"],
                         min(self.rows("--body", "chest", "--model", model)["speed"] for model in OPTIONS))
        clamped = self.rows("--body", "hand", "--clamped", "--area", "1", "--model", "composite_rigid_body")["rows"]
        force, pressure = clamped["body_force", None], clamped["body_pressure", None]
        self.assertEqual((force["bound"], pressure["bound"]), (140, 190e4))
        self.assertAlmostEqual(pressure["speed"] / force["speed"], 190 / 140, places=12)
        head = self.rows("--body", "skull")
        self.assertEqual((head["speed"], head["binding"]["name"]), (0, "body_force"))
        self.assertIn("no hit is permitted", " ".join(head["warnings"]))

    def test_what_is_met_is_what_predict_and_profile_say(self):
        found = self.rows(*self.LAW, "--max-force", "300", "--model", "composite_rigid_body")
        mass = answer("predict", "panda", "--q", CONFIGURATION_ONE, *WALL, "--speed", "0.1")["options"]["composite_rigid_body"]["effective_mass"]
        at = lambda speed: answer("profile", *self.LAW, "--mass", str(mass), "--speed", str(speed))
        self.assertAlmostEqual(at(found["rows"]["peak_force", None]["speed"])["events"]["peak"]["force"], 300, delta=3e-7)
        row = found["rows"]["joint_speed_after", "panda_joint4"]
        restitution = at(row["speed"])["restitution"]
        hit = answer("predict", "panda", "--q", CONFIGURATION_ONE, *WALL, "--speed", str(row["speed"]), "--restitution", str(restitution))
        jump = hit["options"]["composite_rigid_body"]["joint_velocity_jump_least_norm"][3]
        self.assertAlmostEqual(abs(hit["dq"][3] + jump), row["bound"], delta=1e-9)

    def test_drives_give_peaks(self):
        found = self.rows(*self.LAW, "--drives", "panda", "--max-force", "300", "--limits", "franka")
        self.assertIn("peaks of the elastic arm", " ".join(found["warnings"]))
        arm = answer("profile", "panda", "--q", CONFIGURATION_ONE, *WALL, "--drives", "panda", *self.LAW,
                     "--speed", str(found["rows"]["peak_force", None]["speed"]))
        self.assertAlmostEqual(arm["events"]["peak"]["force"], 300, delta=1e-5)
        self.assertEqual(found["rows"]["collision_torque", "panda_joint7"]["bound"], 12)
        self.assertEqual(found["rows"]["collision_force", None]["bound"], 20)

    def test_the_fastest_approach_is_not_slower(self):
        for model in OPTIONS:
            one = self.rows("--model", model)["speed"]
            best = self.rows("--model", model, "--fastest")
            self.assertGreaterEqual(best["speed"], one * (1 - 1e-12))
            again = self.rows("--model", model, "--dq=" + ",".join(map(str, best["dq"])))
            self.assertAlmostEqual(again["speed"], best["speed"], places=9)

    def test_limits_of_ones_own(self):
        with tempfile.TemporaryDirectory() as folder:
            own = pathlib.Path(folder) / "own.toml"
            own.write_text("[joints]\nspeed = 0.5\n[body.paw]\nforce = 10\npressure = 1e4\nstiffness = 1e4\nmass = 1\n")
            found = self.rows("--limits", str(own), "--body", "paw")
        self.assertEqual(found["rows"]["joint_speed_before", "panda_joint1"]["bound"], 0.5)
        self.assertEqual(found["rows"]["body_force", None]["bound"], 20)

    def test_table_for_people(self):
        text = run(*self.WHERE, "--body", "chest").stdout
        self.assertRegex(text, r"^panda: at most 0\.\d+ m/s along the normal, by \w+\n")
        self.assertEqual(text.count("<- binds"), 1)

    def test_refusals(self):
        for words, message in [
            (["--body", "nose"], "--body: nose: must be one of abdomen, back"),
            (["--body", "chest", *self.LAW], "--body: chest: is given beside --law"),
            (["--clamped"], "--clamped: given: is of a person"),
            (["--area", "1"], "--area: 1: is of a person"),
            (["--body", "chest", "--area", "0"], "--area: 0: must be > 0"),
            (["--max-force", "10"], "--max-force: 10: needs --law"),
            ([*self.LAW, "--max-force", "-1"], "--max-force: -1: must be > 0"),
            (["--stiffness", "1"], "--stiffness: 1: is of a law"),
            (["--model", "best"], "--model: best: must be cautious"),
            (["--restitution", "2"], "--restitution: 2: must be from 0 to 1"),
            (["--drives", "panda"], "--drives: panda: needs --law"),
            (["--servo", "off"], "--servo: off: is of an arm"),
            (["--dq", "0,0,0,0,0,0,0"], "must approach"),
            (["--dq", "1,0,0,0,0,0,0", "--fastest"], "--dq: 1,0,0,0,0,0,0: is one approach"),
            (["--limits", "none"], "limits: none: cannot be read"),
        ]:
            done = run(*self.WHERE, *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
