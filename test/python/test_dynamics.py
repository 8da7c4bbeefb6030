import unittest
from math import cos, nan, sin

import numpy as np

import thud
from support import C1, C2, I1, I2, L1, L2, M1, M2, POINT, cross, posture, random_robot, refusal, rotation

TIGHT = 1e-13  # a few dozen roundings of numbers near 1
ARM = thud.load_robot("planar_2r")
TIP = thud.ContactPoint("tip", normal_W=[0, 3, 0])


def planar_inertia(q2: float) -> np.ndarray:
    d = I2 + M2 * C2**2
    b = d + M2 * L1 * C2 * cos(q2)
    return np.array([[I1 + M1 * C1**2 + d + M2 * (L1**2 + 2 * L1 * C2 * cos(q2)), b], [b, d]])


def by_bodies(robot: thud.Robot, q: np.ndarray, point: thud.ContactPoint) -> dict[str, np.ndarray]:
    """Sums over the bodies, each with a Jacobian of its own: nothing recursive but the places of the frames."""
    places, twists, M, A = [], [], 0, np.zeros((6, robot.size))
    for i, joint in enumerate(robot.joints):
        R, p = places[joint.parent] if joint.parent >= 0 else (np.eye(3), np.zeros(3))
        R, p = R @ joint.R_PJ, p + R @ joint.p_PJ
        slides = joint.type == thud.JointType.prismatic
        places.append((R, p + R @ joint.axis * q[i]) if slides else (R @ rotation(joint.axis, q[i]), p))
        twists.append((R @ joint.axis, p, slides))

    def jacobian(index: int, at: np.ndarray) -> np.ndarray:
        J = np.zeros((6, robot.size))
        while index >= 0:
            axis, p, slides = twists[index]
            J[:3, index] = axis if slides else np.cross(axis, at - p)
            J[3:, index] = 0 if slides else axis
            index = robot.joints[index].parent
        return J

    centres = [p + R @ body.com for (R, p), body in zip(places, robot.bodies)]
    mass = sum(body.mass for body in robot.bodies)
    com = sum(body.mass * c for body, c in zip(robot.bodies, centres)) / mass
    Ic = np.zeros((3, 3))
    for i, (body, c) in enumerate(zip(robot.bodies, centres)):
        J, I = jacobian(i, c), places[i][0] @ body.inertia @ places[i][0].T
        M = M + body.mass * J[:3].T @ J[:3] + J[3:].T @ I @ J[3:]
        A[:3] += body.mass * J[:3]
        A[3:] += I @ J[3:] + body.mass * cross(c - com) @ J[:3]
        Ic += I - body.mass * cross(c - com) @ cross(c - com)
    frame = robot.frame(point.frame)
    R, p = places[frame.joint]
    p_WC = p + R @ (frame.p_JF + frame.R_JF @ point.offset)
    return {"M": M, "A_G": A, "com_W": com, "Ic_W": Ic, "p_WC": p_WC, "J": jacobian(frame.joint, p_WC)}


class ContactDynamics(unittest.TestCase):
    def test_closed_form_of_the_planar_arm(self):
        for q1, q2 in [(0.3, 0.9), (-2.0, 2.5), (0.0, 0.0)]:
            d = thud.contact_dynamics(ARM, TIP, [q1, q2])
            s1, s12, k1, k12 = sin(q1), sin(q1 + q2), cos(q1), cos(q1 + q2)
            np.testing.assert_allclose(d.M, planar_inertia(q2), atol=TIGHT)
            J = np.zeros((6, 2))
            J[:2] = [[-L1 * s1 - L2 * s12, -L2 * s12], [L1 * k1 + L2 * k12, L2 * k12]]
            J[5] = 1
            np.testing.assert_allclose(d.J, J, atol=TIGHT)
            np.testing.assert_array_equal(d.normal_W, [0, 1, 0])
            a, b = np.array([C1 * k1, C1 * s1, 0]), np.array([L1 * k1 + C2 * k12, L1 * s1 + C2 * s12, 0])
            np.testing.assert_allclose(d.com_W, (M1 * a + M2 * b) / 5, atol=TIGHT)
            self.assertAlmostEqual(d.Ic_W[2, 2], I1 + I2 + M1 * M2 / 5 * np.sum((b - a) ** 2), delta=TIGHT)

    def test_sums_over_the_bodies(self):
        for seed, joints in enumerate([1, 2, 5, 7, 12, 30]):
            random = np.random.default_rng(seed)
            robot, q = random_robot(seed, joints), random.uniform(-2, 2, joints)
            point = thud.ContactPoint(f"link{joints - 1}", random.normal(size=3), random.normal(size=3), whole=True)
            d = thud.contact_dynamics(robot, point, q)
            for name, expected in by_bodies(robot, q, point).items():
                size = np.abs(expected).max()
                np.testing.assert_allclose(getattr(d, name), expected, atol=1e-12 * size, err_msg=f"{name}, {joints}")

    def test_rotors_add_a_diagonal(self):
        panda, rotors = thud.load_robot("panda"), np.array([0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05])
        plain = thud.contact_dynamics(panda, POINT, posture(1))
        geared = thud.contact_dynamics(panda.with_rotor_inertia(rotors), POINT, posture(1))
        np.testing.assert_allclose(geared.M - plain.M, np.diag(rotors), atol=TIGHT)
        np.testing.assert_array_equal(geared.A_G, plain.A_G)

    def test_solves_for_the_response(self):
        d = thud.contact_dynamics(thud.load_robot("panda"), POINT, posture(0))
        np.testing.assert_allclose(d.M @ d.M_inv_JT, d.J.T, atol=1e-12)
        self.assertTrue(d.M_is_positive)

    def test_the_order_of_joints_is_a_matter_of_names(self):
        robot = random_robot(3, 9)
        order = sorted(range(9), key=lambda i: (self.level(robot, i), i))
        place = {old: new for new, old in enumerate(order)} | {-1: -1}
        joints = [robot.joints[i].replace(parent=place[robot.joints[i].parent]) for i in order]
        frames = [frame.replace(joint=place[frame.joint]) for frame in robot.frames]
        other = thud.Robot("other", joints, [robot.bodies[i] for i in order], frames)
        q, point = np.linspace(-1, 1, 9), thud.ContactPoint("link8", normal_W=[1, 0, 0])
        a, b = thud.contact_dynamics(robot, point, q), thud.contact_dynamics(other, point, q[order])
        np.testing.assert_allclose(b.M, a.M[np.ix_(order, order)], atol=1e-12 * np.abs(a.M).max())
        np.testing.assert_allclose(b.J, a.J[:, order], atol=TIGHT)

    def level(self, robot: thud.Robot, index: int) -> int:
        return 0 if index < 0 else 1 + self.level(robot, robot.joints[index].parent)

    def test_a_workspace_and_foreign_matrices_give_the_same(self):
        panda = thud.load_robot("panda")
        workspace = thud.DynamicsWorkspace(panda, POINT)
        self.assertEqual(workspace.size, 7)
        self.assertTrue(np.isnan(workspace.dynamics.mass))
        once = thud.contact_dynamics(panda, POINT, posture(0))
        thud.contact_dynamics(workspace, posture(2))
        again = thud.contact_dynamics(workspace, posture(0))
        given = thud.contact_dynamics(
            once.M,
            once.J,
            once.A_G,
            thud.CompositeBody(once.mass, once.com_W, once.Ic_W),
            thud.ContactGeometry(once.p_WC, 2 * once.normal_W),
        )
        for other in (again, given):
            np.testing.assert_array_equal(other.M_inv_JT, once.M_inv_JT)
            np.testing.assert_array_equal(other.normal_W, once.normal_W)

    def test_a_joint_that_moves_no_inertia(self):
        joint = thud.Joint("j", axis=[0, 0, 1], link="a")
        robot = thud.Robot("massless", [joint], [thud.BodyInertia()], [thud.Frame("a", 0)])
        d = thud.contact_dynamics(robot, thud.ContactPoint("a", [0, 1, 0], [0, 0, 1]), [0])
        self.assertFalse(d.M_is_positive)
        self.assertTrue(np.isnan(d.M_inv_JT).all())


class LagrangeTerms(unittest.TestCase):
    def test_closed_form_of_the_planar_arm(self):
        arm, g = ARM.with_rotor_inertia([0.3, 0.2]), 9.81
        for q1, q2, w1, w2 in [(0.3, 0.9, 1.1, -0.7), (-2.0, 2.5, 0.4, 1.9)]:
            terms = thud.lagrange_terms(arm, [q1, q2], [w1, w2], gravity_W=[0, -g, 0])
            momentum = (planar_inertia(q2) + np.diag([0.3, 0.2])) @ [w1, w2]
            np.testing.assert_allclose(terms.momentum, momentum, atol=TIGHT)
            g1, g2 = g * (M1 * C1 + M2 * L1) * cos(q1), g * M2 * C2 * cos(q1 + q2)
            coriolis = M2 * L1 * C2 * sin(q2) * w1 * (w1 + w2)
            np.testing.assert_allclose(terms.gradient, [-g1 - g2, -coriolis - g2], atol=50 * TIGHT)

    def test_they_are_the_derivatives_of_the_energies(self):
        robot, h = random_robot(4, 6), 1e-4
        point, q, dq = thud.ContactPoint("link5", normal_W=[1, 0, 0]), np.linspace(-1, 1, 6), np.linspace(1, -0.5, 6)

        def lagrangian(at: np.ndarray) -> float:
            d = by_bodies(robot, at, point)
            return 0.5 * dq @ d["M"] @ dq - 9.81 * robot.mass * d["com_W"][2]

        terms = thud.lagrange_terms(robot, q, dq)
        gradient = [(lagrangian(q + h * e) - lagrangian(q - h * e)) / (2 * h) for e in np.eye(6)]
        np.testing.assert_allclose(terms.gradient, gradient, atol=1e-6 * max(1, np.abs(gradient).max()))
        np.testing.assert_allclose(terms.momentum, by_bodies(robot, q, point)["M"] @ dq, atol=1e-12)

    def test_a_workspace_gives_the_same_every_time(self):
        workspace = thud.LagrangeWorkspace(ARM, gravity_W=[0, -9.81, 0])
        self.assertEqual(workspace.size, 2)
        self.assertTrue(np.isnan(workspace.terms.momentum).all())
        thud.lagrange_terms(workspace, [1, 2], [3, 4])
        again = thud.lagrange_terms(workspace, [0.3, 0.9], [1.1, -0.7])
        once = thud.lagrange_terms(ARM, [0.3, 0.9], [1.1, -0.7], [0, -9.81, 0])
        np.testing.assert_array_equal(again.momentum, once.momentum)
        np.testing.assert_array_equal(workspace.terms.gradient, once.gradient)

    def test_refusals(self):
        says = lambda *arguments: refusal(thud.InputError, thud.lagrange_terms, ARM, *arguments)
        self.assertEqual(says([0, 0], [0, 0], [0, 0, nan]), "gravity: 0,0,nan: must be finite")
        self.assertEqual(says([0, 0, 0], [0, 0]), "q: 3 values: needs 2, one per joint of planar_2r")


if __name__ == "__main__":
    unittest.main()
