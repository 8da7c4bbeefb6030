"""thud info, and robots from MJCF, as people and programs see it."""

import pathlib
import re
import tempfile
import unittest

from program import ROOT, answer, run


class Info(unittest.TestCase):
    def test_robot(self):
        result = answer("info", "panda")
        self.assertEqual(result["kind"], "robot")
        self.assertEqual([joint["name"] for joint in result["joints"]], [f"panda_joint{i}" for i in range(1, 8)])
        self.assertEqual(result["joints"][3]["lower"], -3.0718)
        self.assertAlmostEqual(result["mass"], 15.17, 9)
        self.assertEqual(result["warnings"], [])
        self.assertIn("panda_foot", result["frames"])
        self.assertIsNone(answer("info", "planar_2r")["joints"][0]["upper"])

    def test_record(self):
        result = answer("info", str(ROOT / "data/records/maxwell.csv"))
        self.assertEqual((result["kind"], result["samples"]), ("record", 300))
        self.assertAlmostEqual(result["rate"], 25000, 3)
        self.assertAlmostEqual(result["noise"], 0.95, delta=0.25)
        self.assertAlmostEqual(result["baseline"], -3, delta=0.5)

    def test_non_physical_inertia_is_named(self):
        self.assertIn("panda_link4", answer("info", "panda_fer")["warnings"][0])
        self.assertIn("warning: link panda_link4 has a non-physical inertia", run("info", "panda_fer").stdout)

    def test_dataset(self):
        result = answer("info", str(ROOT / "data/records"))
        self.assertEqual((result["kind"], result["trials"], result["planned"], result["complete"]),
                         ("dataset", 5, 5, True))
        self.assertEqual(result["speeds"], [0.08, 0.1, 0.12, 0.15, 0.18])
        self.assertEqual(result["configurations"][0]["trials"], 5)
        self.assertIsNone(result["configurations"][0]["threshold"])
        self.assertAlmostEqual(result["force"]["rate"], 25000, 3)
        self.assertIsNone(result["joint_signals"]["rate"])
        self.assertIs(result["truth"], False)
        self.assertEqual(result["warnings"], [])
        self.assertIn("5 of 5 trials, complete; simulated", run("info", str(ROOT / "data/records")).stdout)

    def test_drives(self):
        result = answer("info", "panda", "--kind", "drives")
        self.assertEqual((result["kind"], result["file"], result["joints"]), ("drives", "panda", 7))
        self.assertEqual(result["rotor_inertia"], [0.195] * 4 + [0.074] * 3)
        self.assertEqual((result["stiffness"], result["servo_damping"], result["servo_damping_ratio"]), ([1e4] * 7, None, 1))
        self.assertEqual(answer("info", "panda")["kind"], "robot")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "mine.toml")
            path.write_text("[joints]\nstiffness = 1e4\n")
            one = answer("info", str(path))
            self.assertEqual((one["kind"], one["joints"], one["stiffness"], one["rotor_inertia"]), ("drives", None, [1e4], None))
            self.assertTrue(one["warnings"])
            self.assertIn("stiffness           10000 for each joint", run("info", str(path)).stdout)
            path.write_text("[joints]\nstiffness = [1, 2]\ndamping = [1, 2, 3]\n")
            self.assertIn("damping: must have 2 numbers", run("info", str(path)).stderr.replace("[1, 2, 3]: ", ""))

    def test_limits(self):
        result = answer("info", "franka")
        self.assertEqual((result["kind"], result["joints"], result["collision_force"], result["force"]), ("limits", 7, 20, None))
        self.assertEqual(result["collision_torque"], [20, 20, 18, 18, 16, 14, 12])
        people = answer("info", "iso_ts_15066")
        self.assertIsNone(people["joints"])
        self.assertEqual(len(people["bodies"]), 12)
        self.assertIn("region of a body", run("info", "iso_ts_15066").stdout)
        path = str(ROOT / "data/limits/franka.toml")
        self.assertEqual(answer("info", path), result | {"file": path})

    def test_shipped_names(self):
        result = answer("info")
        self.assertEqual(run("info").stdout.split(), result["robots"])
        self.assertIn("iiwa14", result["drives"])
        self.assertEqual(result["limits"], ["franka", "iso_ts_15066"])


class Mjcf(unittest.TestCase):
    TEXT = """<mujoco model="arm"><compiler angle="radian"/><worldbody><body name="upper">
      <joint name="a" axis="0 0 1" armature="0.3" damping="1"/><inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/>
      <geom type="mesh" mesh="shell"/>
      <body name="lower" pos="1 0 0"><joint name="b" axis="0 0 1"/><joint name="c" axis="0 1 0"/>
        <inertial pos="0.4 0 0" mass="1" diaginertia="0.05 0.05 0.05"/><site name="tip" pos="0.8 0 0"/></body></body></worldbody>
      <asset><mesh name="shell" file="nowhere.stl"/></asset>
      <actuator><motor joint="a" forcerange="-30 30"/></actuator></mujoco>"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.arm = str(self.folder / "arm.xml")
        pathlib.Path(self.arm).write_text(self.TEXT)

    def test_is_a_robot(self):
        found = answer("info", self.arm)
        self.assertEqual((found["kind"], found["robot"], found["mass"]), ("robot", self.arm, 3))
        self.assertEqual([joint["rotor_inertia"] for joint in found["joints"]], [0.3, 0, 0])
        self.assertEqual([joint["effort"] for joint in found["joints"]], [30, None, None])
        self.assertEqual(found["frames"], ["world", "upper", "lower", "tip"])
        self.assertEqual(len(found["warnings"]), 1)
        self.assertIn("rotor inertia [kg m^2 or kg]: a 0.3 b 0 c 0\n", run("info", self.arm).stdout)

    def test_rotors_count(self):
        at = ["--q", "0.3,0.5,0.2", "--dq=-1,0,0", "--frame", "tip", "--normal", "0,1,0"]
        mass = lambda found: found["options"]["generalized_momentum"]["effective_mass"]
        given = answer("predict", self.arm, *at)
        self.assertGreater(mass(given), mass(answer("predict", self.arm, *at, "--rotor", "0,0,0")))
        self.assertEqual(mass(given), mass(answer("predict", self.arm, *at, "--rotor", "0.3,0,0")))
        drives = answer("predict", self.arm, *at, "--drives", self.arm)
        self.assertTrue(any("rotor_inertia is not known" in text for text in drives["warnings"]))
        # of the joints that are left
        chain = ["--q", "0.3", "--dq=-1", "--frame", "upper", "--offset", "1,0,0", "--normal", "0,1,0", "--chain"]
        self.assertFalse(any("rotor_inertia" in text for text in answer("predict", self.arm, *chain, "--drives", self.arm)["warnings"]))

    def test_refusals(self):
        cases = {
            "ball.xml": (self.TEXT.replace('name="b"', 'name="b" type="ball"').replace('<joint name="c" axis="0 1 0"/>', ""), "joint b is a ball; use three hinges"),
            "open.xml": ("<mujoco><worldbody>", "MuJoCo refuses it: XML"),
            "shell.xml": (re.sub("<inertial[^>]*mass=.2[^>]*>", "", self.TEXT), "a body that moves without <inertial> needs its meshes"),
            "arm.urdf.xacro": ("<robot name='a'><xacro:include filename='b'/></robot>", "expand it first: xacro"),
        }
        for name, (text, what) in cases.items():
            path = self.folder / name
            path.write_text(text)
            done = run("info", str(path))
            self.assertEqual((done.returncode, done.stdout), (2, ""), name)
            self.assertRegex(done.stderr, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")
            self.assertIn(what, done.stderr)


if __name__ == "__main__":
    unittest.main()
