import os
import pickle
import tempfile
import unittest
from math import inf, nan, pi
from pathlib import Path

import numpy as np

import thud
from support import random_robot, refusal


def urdf(parts: str) -> str:
    return f"<robot name='test'>{parts}</robot>"


def link(name: str, inside: str = "") -> str:
    return f"<link name='{name}'>{inside}</link>"


def inertial(mass: float, ixx: float, iyy: float, izz: float, origin: str = "") -> str:
    return (
        f"<inertial>{origin}<mass value='{mass}'/><inertia ixx='{ixx}' iyy='{iyy}' izz='{izz}' ixy='0' ixz='0' "
        "iyz='0'/></inertial>"
    )


def joint(name: str, parent: str, child: str, kind: str = "continuous", inside: str = "") -> str:
    return f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>{inside}</joint>"


class Shipped(unittest.TestCase):
    def test_arms_of_known_mass(self):
        masses = {"panda": 15.17, "panda_fer": 13.88593, "panda_gaz": 16.162132, "planar_2r": 5}
        masses |= {"fr3": 15.4948010262, "gen3": 6.4909, "ur10e": 29.104, "ur5e": 17.7, "xarm7": 10.4315}
        self.assertLessEqual(masses.keys() | {"iiwa7", "iiwa14", "spatial_3r"}, set(thud.shipped_robots()))
        for name, mass in masses.items():
            self.assertAlmostEqual(thud.load_robot(name).mass, mass, delta=1e-12)
        self.assertEqual((thud.load_robot("panda").size, len(thud.load_robot("panda"))), (7, 7))

    def test_text_of_a_name_or_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "arm.urdf"
            path.write_text(thud.urdf_text("planar_2r"))
            self.assertEqual(thud.urdf_text(path), thud.urdf_text("planar_2r"))
            self.assertEqual(thud.load_robot(path).mass, 5)
            self.assertEqual(thud.load_robot(os.fspath(path)).mass, 5)

    def test_limits(self):
        joint4 = thud.load_robot("panda").joints[3]
        self.assertEqual(joint4.name, "panda_joint4")
        self.assertEqual((joint4.lower, joint4.upper, joint4.velocity, joint4.effort), (-3.0718, -0.0698, 2.175, 87))
        free = thud.load_robot("planar_2r").joints[0]
        self.assertEqual((free.type, free.lower, free.effort), (thud.JointType.continuous, -inf, inf))

    def test_states_outside_limits(self):
        arm = thud.load_robot("spatial_3r")
        self.assertEqual(thud.limit_warnings(arm, thud.State([0, 0, 1], [0, 0, 0])), [])
        first, second = thud.limit_warnings(arm, thud.State([0, 0, -0.1], [2.5, 0, 0]))
        self.assertIn("waist_joint moves at 2.5", first.text)
        self.assertEqual((first.code, first.subject), (thud.WarningCode.velocity_limit, "waist_joint"))
        self.assertIn("elbow_joint is at -0.1", str(second))


class Parsed(unittest.TestCase):
    def test_joints_depth_first_siblings_by_name(self):
        parts = "".join(map(link, ["base", "lb", "la", "ld", "lc", "lf"]))
        parts += joint("d", "lb", "ld") + joint("b", "base", "lb") + joint("a", "base", "la")
        parts += joint("c", "lf", "lc") + joint("bf", "lb", "lf", "fixed")
        robot = thud.parse_urdf(urdf(parts))
        self.assertEqual([each.name for each in robot.joints], ["a", "b", "c", "d"])
        self.assertEqual([each.parent for each in robot.joints], [-1, -1, 1, 1])
        self.assertEqual(robot.frame("lf").joint, 1)
        self.assertEqual(robot.joint_index("c"), 2)

    def test_fixed_links_are_merged(self):
        """1 and 3 kg, 2 m apart: the reduced mass of 3/4 kg adds 3 kg m^2 about y and z; the tool is turned about z."""
        arm = link("arm", inertial(1, 0.1, 0.2, 0.3)) + link("tool", inertial(3, 0.4, 0.5, 0.6))
        fixed = joint("f", "arm", "tool", "fixed", f"<origin xyz='2 0 0' rpy='0 0 {pi / 2}'/>")
        robot = thud.parse_urdf(urdf(link("base", inertial(50, 1, 1, 1)) + arm + joint("j", "base", "arm") + fixed))
        (body,) = robot.bodies
        self.assertEqual((body.mass, robot.mass), (4, 4))
        np.testing.assert_allclose(body.com, [1.5, 0, 0], atol=1e-14)
        np.testing.assert_allclose(body.inertia, np.diag([0.6, 3.6, 3.9]), atol=1e-13)
        np.testing.assert_allclose(robot.frame("tool").p_JF, [2, 0, 0], atol=1e-14)
        self.assertEqual(robot.frame("base").joint, -1)

    def test_a_turned_inertial_frame_swaps_moments(self):
        part = inertial(1, 1, 2, 2.5, f"<origin xyz='0 0 1' rpy='{pi / 2} 0 0'/>")
        robot = thud.parse_urdf(urdf(link("base") + link("arm", part) + joint("j", "base", "arm")))
        np.testing.assert_allclose(robot.bodies[0].inertia, np.diag([1, 2.5, 2]), atol=1e-14)

    def test_warnings(self):
        def warned(*moments: float) -> int:
            parts = link("base") + link("arm", inertial(100, *moments)) + joint("j", "base", "arm")
            return len(thud.parse_urdf(urdf(parts)).warnings)

        self.assertEqual([warned(1, 2, 3), warned(1, 2, 3.1), warned(-0.1, 1, 1)], [0, 1, 1])
        self.assertIn("panda_link4", thud.load_robot("panda_fer").warnings[0].text)
        mimic = joint("j", "base", "a") + joint("k", "a", "b", inside="<mimic joint='k'/>")
        self.assertIn("k mimics", thud.parse_urdf(urdf(link("base") + link("a") + link("b") + mimic)).warnings[0].text)

    def test_limits_can_be_raised(self):
        text = urdf(link("base") + link("a") + link("b") + joint("j", "base", "a") + joint("k", "a", "b"))
        self.assertEqual(thud.parse_urdf(text).size, 2)
        self.assertIn("more than 1 moving joints", refusal(thud.RobotError, thud.parse_urdf, text, "two", max_joints=1))
        self.assertIn("limit of 100", refusal(thud.RobotError, thud.parse_urdf, text, "two", max_bytes=100))


def gripper() -> thud.Robot:
    """A planar arm of two links; on it two fingers, the second of which follows the first."""
    body = inertial(1, 0.1, 0.1, 0.1, "<origin xyz='0.1 0.2 0'/>")
    links = link("base") + "".join(link(name, body) for name in ("upper", "lower", "one", "two", "swing"))
    mimic = "<mimic joint='one' multiplier='-2' offset='0.1'/>"
    return thud.parse_urdf(
        urdf(
            links
            + joint("a", "base", "upper", inside="<axis xyz='0 0 1'/>")
            + joint("b", "upper", "lower", inside="<axis xyz='0 1 0'/><origin xyz='0.5 0 0'/>")
            + joint("one", "lower", "one")
            + joint("two", "lower", "two", inside=mimic)
            + joint("z", "base", "swing")
        )
    )


class FromRobots(unittest.TestCase):
    def test_limbs(self):
        point = thud.ContactPoint("two")
        self.assertEqual(thud.composite_links(gripper(), point), ["upper", "lower", "one", "two"])
        self.assertEqual(thud.composite_links(gripper(), point.replace(whole=True))[-1], "swing")
        q = [0.1, 0.2, 0.3, 0.4]
        limb = thud.contact_dynamics(gripper(), point, q)
        whole = thud.contact_dynamics(gripper(), point.replace(whole=True), q)
        self.assertEqual((limb.mass, whole.mass), (4, 5))
        np.testing.assert_array_equal(limb.A_G[:, 3], 0)
        np.testing.assert_array_equal(limb.M, whole.M)

    def test_followers(self):
        robot = gripper()
        self.assertEqual([each.name for each in robot.joints], ["a", "b", "one", "z"])
        (follower,) = robot.followers
        self.assertEqual((follower.joint.name, follower.leader, follower.multiplier, follower.offset), ("two", 2, -2, 0.1))
        again = thud.Robot("again", robot.joints, robot.bodies, robot.frames, robot.warnings, robot.followers)
        point, q = thud.ContactPoint("two", [0, 0.1, 0]), [0.1, 0.2, 0.3, 0.4]
        a, b = (thud.contact_dynamics(each, point, q) for each in (robot, pickle.loads(pickle.dumps(again))))
        np.testing.assert_array_equal(a.M, b.M)

    def test_locked_joints_and_chains(self):
        robot = gripper()
        reduced = robot.reduced({"z": 0.4, "one": 0.3})
        self.assertEqual(([each.name for each in reduced.joints], reduced.followers), (["a", "b"], ()))
        point = thud.ContactPoint("two", [0, 0.1, 0])
        all_joints = thud.contact_dynamics(robot, point, [0.1, 0.2, 0.3, 0.4])
        left = thud.contact_dynamics(reduced, point, [0.1, 0.2])
        np.testing.assert_allclose(left.M, all_joints.M[:2, :2], atol=1e-13)
        np.testing.assert_allclose(left.J, all_joints.J[:, :2], atol=1e-13)
        self.assertEqual([each.name for each in robot.chain_to("lower", {"one": 0.3}).joints], ["a", "b"])
        self.assertRaises(thud.RobotError, robot.reduced, {"two": 0})
        self.assertRaises(thud.InputError, robot.reduced, {"a": nan})

    def test_tools(self):
        arm = thud.load_robot("planar_2r")
        self.assertEqual(arm.with_tool("tip", 1.5).mass, 6.5)
        held = arm.with_tool("tip", 2, [0.1, 0, 0], np.diag([0.01, 0.02, 0.02])).bodies[1]
        np.testing.assert_allclose(held.com, [(2 * 0.4 + 2 * 0.9) / 4, 0, 0], atol=1e-14)
        self.assertAlmostEqual(held.inertia[2, 2], arm.bodies[1].inertia[2, 2] + 0.02 + 1 * 0.5**2, delta=1e-13)
        self.assertIn("tool.mass: -1", refusal(thud.InputError, arm.with_tool, "tip", -1))


class Parts(unittest.TestCase):
    def test_a_robot_of_64_joints_is_what_its_parts_are(self):
        robot = random_robot(7, 64)
        again = thud.Robot("again", robot.joints, robot.bodies, robot.frames, robot.warnings)
        self.assertEqual((again.size, again.name), (64, "again"))
        self.assertAlmostEqual(robot.mass, sum(body.mass for body in robot.bodies), delta=1e-12)
        for a, b in zip(robot.joints, again.joints):
            np.testing.assert_array_equal(a.R_PJ, b.R_PJ)
            np.testing.assert_array_equal(a.axis, b.axis)

    def test_an_axis_of_six_digits_gets_unit_length(self):
        arm = thud.load_robot("planar_2r")
        joints = [arm.joints[0], arm.joints[1].replace(axis=[0.577350] * 3)]
        made = thud.Robot("arm", joints, arm.bodies, arm.frames)
        self.assertAlmostEqual(np.linalg.norm(made.joints[1].axis), 1, delta=1e-14)

    def test_a_non_physical_body_is_warned_of_once(self):
        arm = thud.load_robot("planar_2r")
        bodies = [arm.bodies[0], arm.bodies[1].replace(inertia=np.diag([0.1, 0.2, 0.31]))]
        robot = thud.Robot("odd", arm.joints, bodies, arm.frames)
        (warning,) = robot.warnings
        self.assertIn(f"the body of joint {arm.joints[1].name} has a non-physical inertia", warning.text)
        self.assertIn("0.1, 0.2, 0.31 kg m^2", warning.text)
        again = thud.Robot("odd", robot.joints, robot.bodies, robot.frames, robot.warnings)
        self.assertEqual(again.warnings, robot.warnings)

    def test_rotors(self):
        arm = thud.load_robot("planar_2r")
        self.assertEqual(arm.with_rotor_inertia([0.5, 0.25]).joints[1].rotor_inertia, 0.25)
        self.assertEqual(arm.joints[1].rotor_inertia, 0)

    def test_parts_that_do_not_fit(self):
        arm = thud.load_robot("planar_2r")

        def says(joint1: dict = {}, body1: dict = {}, frame1: dict = {}, drop: int = 0) -> str:
            joints = [arm.joints[0], arm.joints[1].replace(**joint1)]
            bodies = [arm.bodies[0], arm.bodies[1].replace(**body1)][: 2 - drop]
            frames = [arm.frames[0], arm.frames[1].replace(**frame1), *arm.frames[2:]]
            return refusal(thud.RobotError, thud.Robot, "parts", joints, bodies, frames)

        self.assertEqual(refusal(thud.RobotError, thud.Robot, "parts", [], [], []), "joints: 0: must be at least one")
        self.assertEqual(says(drop=1), "bodies: 1: must be as many as joints, 2")
        self.assertIn("joints[1].parent: 1: must be -1 (the base) or", says({"parent": 1}))
        self.assertIn("joints[1].R_PJ: -1: must be a rotation, not a", says({"R_PJ": -np.eye(3)}))
        self.assertIn("joints[1].axis: 0,0,2: must have unit length", says({"axis": [0, 0, 2]}))
        self.assertEqual(says({"lower": 2, "upper": 1}), "joints[1].upper: 1: must be at least lower, 2")
        self.assertIn("names must be unique", says({"name": arm.joints[0].name}))
        self.assertEqual(says(body1={"mass": -1}), "bodies[1].mass: -1: must be finite and >= 0")
        self.assertIn("must be finite", says(body1={"com": [0, nan, 0]}))
        self.assertEqual(says(frame1={"name": "base"}), "frames[1].name: base: already exists; names must be unique")


if __name__ == "__main__":
    unittest.main()
