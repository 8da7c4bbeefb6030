"""Robots that come from MuJoCo and from MJCF, against MuJoCo itself."""

import tempfile
import unittest
from pathlib import Path

import mujoco
import numpy as np

import thud
from support import refusal

ROUNDING = 1e-10  # two algorithms in double precision over some twenty joints


def numbers(values) -> str:
    return " ".join(repr(float(x)) for x in values)


def random_mjcf(seed: int, bodies: int) -> str:
    """Trees of bodies with none to three joints each, anchored anywhere, with references, armature, sites."""
    rng = np.random.default_rng(seed)
    inside = {0: ""}
    parents = [0] + [int(rng.integers(0, i)) for i in range(1, bodies + 1)]
    text = [""] * (bodies + 1)
    for i in range(bodies, 0, -1):
        joints = ""
        for k in range(int(rng.integers(0, 4)) if i > 1 else 1):
            kind = rng.choice(["hinge", "hinge", "slide"])
            joints += (
                f"<joint name='j{i}_{k}' type='{kind}' pos='{numbers(rng.uniform(-0.2, 0.2, 3))}' "
                f"axis='{numbers(rng.normal(size=3))}' ref='{rng.uniform(-1, 1)}' armature='{rng.uniform(0, 0.3)}'/>"
            )
        text[i] = (
            f"<body name='b{i}' pos='{numbers(rng.uniform(-0.4, 0.4, 3))}' quat='{numbers(rng.normal(size=4))}'>{joints}"
            f"<inertial pos='{numbers(rng.uniform(-0.1, 0.1, 3))}' quat='{numbers(rng.normal(size=4))}' "
            f"mass='{rng.uniform(0.1, 5)}' diaginertia='{numbers(rng.uniform(0.02, 0.03, 3))}'/>"
            f"<site name='s{i}' pos='{numbers(rng.uniform(-0.2, 0.2, 3))}' quat='{numbers(rng.normal(size=4))}'/>"
            f"{inside.get(i, '')}</body>"
        )
        inside[parents[i]] = text[i] + inside.get(parents[i], "")
    return f"<mujoco model='m{seed}'><compiler angle='radian'/><worldbody>{inside[0]}</worldbody></mujoco>"


def mujocos(model, data, q, name: str):
    """M, J and the place of a body or site by MuJoCo at qpos = q."""
    data.qpos[:] = q
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_makeM(model, data)
    M, J = np.zeros((model.nv, model.nv)), np.zeros((6, model.nv))
    mujoco.mj_fullM(model, data, M)
    if name.startswith("s"):
        mujoco.mj_jacSite(model, data, J[:3], J[3:], model.site(name).id)
        return M, J, data.site(name).xpos
    mujoco.mj_jacBody(model, data, J[:3], J[3:], model.body(name).id)
    return M, J, data.body(name).xpos


class FromMujoco(unittest.TestCase):
    def test_gives_mujocos_dynamics(self):
        for seed in range(8):
            text = random_mjcf(seed, 3 + 2 * seed)
            model = mujoco.MjModel.from_xml_string(text)
            data, rng = mujoco.MjData(model), np.random.default_rng(seed)
            robot, read = thud.from_mujoco(model), thud.parse_mjcf(text)
            self.assertEqual(robot.size, model.nv)
            self.assertEqual((robot.name, read.name), (f"m{seed}", "robot"))
            moving = [frame.name for frame in robot.frames if frame.joint >= 0]
            for _ in range(5):
                q, name = rng.uniform(-3, 3, model.nv), rng.choice(moving)
                M, J, place = mujocos(model, data, q, name)
                point = thud.ContactPoint(name, normal_W=[1, 0, 0])
                with self.subTest(seed=seed, frame=name):
                    for each in (robot, read):
                        own = thud.contact_dynamics(each, point, q)
                        np.testing.assert_allclose(own.M, M, rtol=0, atol=ROUNDING * np.abs(M).max())
                        np.testing.assert_allclose(own.J, J, rtol=0, atol=ROUNDING)
                        np.testing.assert_allclose(own.p_WC, place, rtol=0, atol=ROUNDING)
                    links = thud.contact_dynamics(robot.with_rotor_inertia(np.zeros(robot.size)), point, q)
                    rotors = np.diag(model.dof_armature)
                    np.testing.assert_allclose(links.M, M - rotors, rtol=0, atol=ROUNDING * np.abs(M).max())

    def test_is_the_robot_that_is_read(self):
        text = """<mujoco model="arm"><compiler autolimits="true"/><option gravity="0 0 -1"/>
          <worldbody><body name="foot"><geom size="0.1" mass="7"/>
            <body name="arm"><joint name="a" axis="0 0 1" range="-90 45" damping="1" stiffness="2" actuatorfrcrange="-9 5"/>
              <joint type="slide" axis="1 0 0" frictionloss="3"/>
              <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/><site name="arm" pos="0.3 0 0"/><site pos="1 0 0"/>
              <body><geom size="0.01"/></body></body></body>
            <body name="box"><freejoint/><geom size="0.1"/><site name="lid"/></body></worldbody>
          <tendon><fixed name="t"><joint joint="a" coef="1"/></fixed></tendon>
          <equality><joint joint1="a"/></equality>
          <actuator><motor joint="a" forcerange="-8 20" gear="0.5" armature="0.2"/><motor tendon="t"/></actuator></mujoco>"""
        model = mujoco.MjModel.from_xml_string(text)
        robot, read = thud.from_mujoco(model), thud.parse_mjcf(text, "arm")
        for one, other in zip(robot.joints, read.joints, strict=True):
            self.assertEqual(
                (one.name, one.link, one.type, one.parent, one.lower, one.upper, one.effort, one.rotor_inertia),
                (other.name, other.link, other.type, other.parent, other.lower, other.upper, other.effort, other.rotor_inertia),
            )
        self.assertEqual([f.name for f in robot.frames], [f.name for f in read.frames])
        self.assertEqual([f.name for f in robot.frames], ["world", "foot", "arm", "body3", "arm_site"])
        self.assertEqual(thud.texts(robot.warnings), thud.texts(read.warnings))
        self.assertEqual(len(robot.warnings), 4)
        self.assertEqual(robot.joints[0].effort, 9)
        self.assertAlmostEqual(robot.joints[0].rotor_inertia, 0.2 * 0.25, places=15)
        self.assertAlmostEqual(robot.mass, read.mass, places=12)
        self.assertEqual(robot.base.mass, 7)  # of geometry; what stands still plays no part, and its files are not read
        drives = thud.drives_of(robot)
        self.assertAlmostEqual(drives.rotor_inertia[0], 0.05, places=15)
        self.assertTrue(np.isnan(drives.rotor_inertia[1]) and np.isnan(drives.effort[1]))
        self.assertEqual(len(drives.stiffness), 0)

    def test_files_beside_urdf(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "arm.xml"
            path.write_text(random_mjcf(3, 4))
            self.assertEqual(thud.load_robot(path).name, str(path))
            self.assertTrue(thud.is_mjcf(path.read_text()))
            self.assertFalse(thud.is_mjcf(thud.urdf_text("panda")))

    def test_refusals(self):
        body = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        model = lambda inside: mujoco.MjModel.from_xml_string(f"<mujoco model='m'><worldbody>{inside}</worldbody></mujoco>")
        says = lambda inside: refusal(thud.RobotError, thud.from_mujoco, model(inside))
        self.assertEqual(says(f"<body><joint name='s' type='ball'/>{body}</body>"), "robot: m: joint s is a ball; use three hinges")
        self.assertEqual(
            says(f"<body><freejoint/>{body}<body><joint name='j'/>{body}</body></body>"),
            "robot: m: joint j is on a body that is free; the base must be fixed: delete the free joint",
        )
        self.assertEqual(says(f"<body>{body}</body>"), "robot: m: has no moving joint: a robot has hinges or slides")
        said = refusal(thud.RobotError, thud.parse_mjcf, "<mujoco><worldbody><body pos='1'/></worldbody></mujoco>", "this")
        self.assertTrue(said.startswith("robot: this: MuJoCo refuses it: "), said)
        self.assertNotIn("\n", said)


if __name__ == "__main__":
    unittest.main()
