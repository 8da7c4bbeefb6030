import subprocess
import sys
import tempfile
import unittest
from math import inf
from pathlib import Path

import numpy as np

import thud
from support import refusal, rotation, unit

try:
    import pinocchio as pin
except ImportError:
    pin = None

ROUNDING = 1e-11  # two algorithms in double precision over up to 30 joints


def place(random: np.random.Generator, reach: float):
    return pin.SE3(rotation(unit(random), random.uniform(-3, 3)), random.uniform(-reach, reach, 3))


def endless(axis: np.ndarray):
    """JointModelRevoluteUnboundedUnaligned, whose axis Python cannot set: from a URDF."""
    urdf = (
        "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'><parent link='a'/>"
        f"<child link='b'/><axis xyz='{' '.join(map(repr, map(float, axis)))}'/></joint></robot>"
    )
    return pin.buildModelFromXML(urdf).joints[1]


def random_model(seed: int, joints: int):
    """A tree, depth first as Pinocchio needs it; two bodies on some joints, a tool on each, rotors."""
    random = np.random.default_rng(seed)
    kinds = [
        pin.JointModelRX,
        pin.JointModelRZ,
        pin.JointModelPY,
        pin.JointModelRUBY,
        lambda: pin.JointModelRevoluteUnaligned(unit(random)),
        lambda: endless(unit(random)),
        lambda: pin.JointModelPrismaticUnaligned(unit(random)),
    ]
    model, joint = pin.Model(), 0
    model.name = f"random{joints}"
    model.addFrame(pin.Frame("base", 0, 0, pin.SE3.Identity(), pin.FrameType.BODY))
    for i in range(1, joints + 1):
        for _ in range(random.integers(3)):  # back towards the base
            joint = model.parents[joint] if joint else 0
        joint = model.addJoint(joint, kinds[i % 7](), place(random, 0.3), f"joint{i}")
        for _ in range(1 + i % 2):
            box = pin.Inertia.FromBox(10 ** random.uniform(-1, 1), *random.uniform(0.05, 0.25, 3))
            model.appendBodyToJoint(joint, place(random, 0.2).act(box), place(random, 0.1))
        model.addFrame(pin.Frame(f"link{i}", joint, 0, pin.SE3.Identity(), pin.FrameType.BODY))
        model.addFrame(pin.Frame(f"tool{i}", joint, 0, place(random, 0.2), pin.FrameType.OP_FRAME))
    model.armature = random.uniform(0, 0.5, joints)
    return model


def configuration(model, q: np.ndarray) -> np.ndarray:
    """Pinocchio's configuration of thud's joint positions."""
    found = np.zeros(model.nq)
    for joint, angle in zip(list(model.joints)[1:], q):
        found[joint.idx_q : joint.idx_q + joint.nq] = [angle] if joint.nq == 1 else [np.cos(angle), np.sin(angle)]
    return found


@unittest.skipIf(pin is None, "pinocchio is not installed")
class FromPinocchio(unittest.TestCase):
    def near(self, value, reference, what: str):
        np.testing.assert_allclose(value, reference, rtol=0, atol=ROUNDING * np.abs(reference).max(), err_msg=what)

    def compare(self, model, robot: thud.Robot, frame: str, order: list[int] | None = None):
        """M, J at a frame, A_G and centre of mass at random states; order: Pinocchio's joint of each of thud's."""
        data, random, order = model.createData(), np.random.default_rng(5), order or list(range(model.nv))
        for _ in range(5):
            q, offset = random.uniform(-2, 2, model.nv), random.uniform(-0.1, 0.1, 3)
            d = thud.contact_dynamics(robot, thud.ContactPoint(frame, offset, unit(random), whole=True), q[order])
            at = configuration(model, q)
            pin.computeJointJacobians(model, data, at)
            pin.updateFramePlacements(model, data)
            index = model.getFrameId(frame)
            J = pin.getFrameJacobian(model, data, index, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED).reshape(6, -1)
            arm = data.oMf[index].rotation @ offset
            J[:3] += np.cross(J[3:].T, arm).T
            M = np.triu(pin.crba(model, data, at)) + np.triu(data.M, 1).T
            pin.ccrba(model, data, at, np.zeros(model.nv))
            self.near(d.p_WC, data.oMf[index].translation + arm, "p_WC")
            self.near(d.J, J[:, order], "J")
            self.near(d.M, M[np.ix_(order, order)], "M")
            self.near(d.A_G, data.Ag.reshape(6, -1)[:, order], "A_G")
            self.near(d.com_W, data.com[0], "com_W")
            self.near(d.Ic_W, data.Ig.inertia, "Ic_W")

    def test_random_trees(self):
        for seed, joints in enumerate([1, 2, 3, 5, 7, 7, 12, 30]):
            model = random_model(seed, joints)
            robot = thud.from_pinocchio(model)
            self.assertEqual(robot.size, model.nv)
            self.compare(model, robot, f"tool{joints}")

    def test_a_point_that_sticks_is_impulse_dynamics(self):
        """Pinocchio's impact reverses the whole velocity of a point: friction that holds it from the first touch on."""
        model = pin.buildSampleModelManipulator()
        model.addFrame(pin.Frame("hand", model.njoints - 1, 0, pin.SE3.Identity(), pin.FrameType.BODY))
        robot, random, data = thud.from_pinocchio(model), np.random.default_rng(5), model.createData()
        for restitution in (0, 0.3, 1):
            q = random.uniform(-2, 2, model.nv)
            d = thud.contact_dynamics(robot, thud.ContactPoint("hand", [0.05, 0, 0.1], unit(random)), q)
            inverse = np.linalg.pinv(d.J[:3])
            dq = inverse @ (-0.4 * d.normal_W - d.J[:3] @ np.ones(model.nv)) + np.ones(model.nv)
            after = pin.impulseDynamics(model, data, configuration(model, q), dq, np.asfortranarray(d.J[:3]), restitution)
            found = thud.predict_impact(d, dq, friction=1e4, restitution=restitution)[thud.InertiaModel.generalized_momentum]
            self.near(found.impact.impulse, data.impulse_c, "impulse")
            np.testing.assert_allclose(dq + found.joint_velocity_jump, after, atol=1e-9 * np.abs(after).max())
            self.assertEqual([phase.mode for phase in found.impact.phases], [thud.ContactMode.stick])

    def test_the_sample_manipulator(self):
        model = pin.buildSampleModelManipulator()
        for i in range(1, model.njoints):
            model.addFrame(pin.Frame(f"body{i}", i, 0, pin.SE3.Identity(), pin.FrameType.BODY))
        bodies = [frame.name for frame in model.frames if frame.type == pin.FrameType.BODY]
        self.compare(model, thud.from_pinocchio(model), bodies[-1])

    def test_shipped_robots_read_by_pinocchio(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in thud.shipped_robots():
                path = Path(folder) / f"{name}.urdf"
                path.write_text(thud.urdf_text(name))
                model = pin.buildModelFromUrdf(str(path))
                own, frame = thud.load_robot(name), thud.load_robot(name).frames[-1].name
                order = [model.joints[model.getJointId(joint.name)].idx_v for joint in own.joints]
                self.compare(model, own, frame, order)
                self.compare(model, thud.from_pinocchio(model), frame)

    def test_names_limits_and_frames(self):
        model, placed = pin.Model(), pin.SE3(np.eye(3), np.array([1.0, 2, 3]))
        model.name = "arm"
        a = model.addJoint(0, pin.JointModelRX(), placed, "a")
        b = model.addJoint(a, pin.JointModelRUBZ(), pin.SE3.Identity(), "b")
        c = model.addJoint(a, pin.JointModelPY(), pin.SE3.Identity(), "c")
        Type, here = pin.FrameType, pin.SE3.Identity()
        for name, joint, at, kind in [
            ("b", b, here, Type.JOINT),  # of a type that is no place for a contact
            ("aside", c, placed, Type.BODY),
            ("slider", c, here, Type.BODY),
            ("also", c, here, Type.BODY),
            ("base", 0, here, Type.BODY),
            ("tip", b, placed, Type.OP_FRAME),
        ]:
            model.addFrame(pin.Frame(name, joint, 0, at, kind), False)
        model.lowerPositionLimit[0], model.upperVelocityLimit[2], model.upperEffortLimit[0] = -1.5, 1e20, 87
        model.armature[1] = 0.25
        robot = thud.from_pinocchio(model)
        kinds = thud.JointType
        self.assertEqual([each.type for each in robot.joints], [kinds.revolute, kinds.continuous, kinds.prismatic])
        self.assertEqual([each.parent for each in robot.joints], [-1, 0, 0])
        self.assertEqual([each.link for each in robot.joints], ["a", "b", "slider"])
        first, second, third = robot.joints
        self.assertEqual((first.lower, first.upper, first.velocity, first.effort), (-1.5, inf, inf, 87))
        self.assertEqual((second.lower, second.rotor_inertia, third.velocity), (-inf, 0.25, 1e20))
        self.assertEqual([frame.name for frame in robot.frames], ["aside", "slider", "also", "base", "tip"])
        np.testing.assert_array_equal(robot.frame("tip").p_JF, [1, 2, 3])
        self.assertEqual(robot.name, "arm")

    def test_refusals(self):
        z = np.array([0.0, 0, 1])
        odd = [pin.JointModelFreeFlyer(), pin.JointModelSpherical(), pin.JointModelSphericalZYX()]
        odd += [pin.JointModelPlanar(), pin.JointModelTranslation(), pin.JointModelHX(0.1)]
        odd += [pin.JointModelHelicalUnaligned(z, 0.1), pin.JointModelUniversal(np.array([1.0, 0, 0]), z)]
        two = pin.JointModelComposite(2)
        two.addJoint(pin.JointModelRX(), pin.SE3.Identity())
        two.addJoint(pin.JointModelRY(), pin.SE3.Identity())
        moved = pin.JointModelComposite(1)
        moved.addJoint(pin.JointModelRX(), pin.SE3(np.eye(3), np.array([1.0, 0, 0])))
        for joint in [*odd, two, moved]:
            model = pin.Model()
            first = model.addJoint(0, pin.JointModelRX(), pin.SE3.Identity(), "good")
            model.addJoint(first, joint, pin.SE3.Identity(), "odd")
            rule = "must be revolute, continuous or prismatic"
            said = refusal(thud.RobotError, thud.from_pinocchio, model)
            self.assertEqual(said, f"joint odd: {joint.shortname()}: {rule}")
        model = pin.Model()
        first = model.addJoint(0, pin.JointModelRX(), pin.SE3.Identity(), "good")
        second = model.addJoint(first, pin.JointModelRX(), pin.SE3.Identity(), "odd")
        mimic = pin.transformJointIntoMimic(model, first, second, 2.0, 0.0)
        said = refusal(thud.RobotError, thud.from_pinocchio, mimic)
        self.assertEqual(said, "joint odd: JointModelMimic: must be revolute, continuous or prismatic")
        model = pin.Model()
        self.assertEqual(refusal(thud.RobotError, thud.from_pinocchio, model), "joints: 0: must be at least one")
        joint = model.addJoint(0, pin.JointModelRX(), pin.SE3.Identity(), "joint")
        model.inertias[joint].mass = -1.0
        negative = refusal(thud.RobotError, thud.from_pinocchio, model)
        self.assertEqual(negative, "bodies[0].mass: -1: must be finite and >= 0")
        model.inertias[joint].mass = 1.0
        for kind in (pin.FrameType.BODY, pin.FrameType.OP_FRAME):
            model.addFrame(pin.Frame("link", joint, 0, pin.SE3.Identity(), kind), False)
        twice = refusal(thud.RobotError, thud.from_pinocchio, model)
        self.assertEqual(twice, "frames[1].name: link: already exists; names must be unique")

    def test_either_may_be_imported_first(self):
        """They bring different versions of urdfdom; both read a URDF afterwards."""
        program = (
            "import {0}, {1}\n"
            "import pinocchio, thud, tempfile, os\n"
            "assert thud.load_robot('panda').size == 7\n"
            "path = os.path.join(tempfile.mkdtemp(), 'a.urdf')\n"
            "open(path, 'w').write(thud.urdf_text('panda'))\n"
            "model = pinocchio.buildModelFromUrdf(path)\n"
            "print(thud.from_pinocchio(model).size, thud.load_robot(path).size, model.nv)\n"
            "os.remove(path), os.rmdir(os.path.dirname(path))\n"
        )
        for first, second in (("thud", "pinocchio"), ("pinocchio", "thud")):
            command = [sys.executable, "-c", program.format(first, second)]
            run = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual((run.stdout, run.returncode), ("7 7 7\n", 0), run.stderr)


if __name__ == "__main__":
    unittest.main()
