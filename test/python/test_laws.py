"""What must hold for any robot in any state."""

import unittest

import numpy as np

import thud
from support import cross, random_robot, rotation, unit


def samples():
    """Random trees and the Panda, each with positions, rates and a contact."""
    robots = [random_robot(seed, joints) for seed, joints in enumerate([1, 2, 4, 6, 7, 9, 16])]
    for seed, robot in enumerate([*robots, thud.load_robot("panda")]):
        random = np.random.default_rng(seed)
        point = thud.ContactPoint(robot.frames[-1].name, random.uniform(-0.1, 0.1, 3), unit(random))
        yield robot, random.uniform(-2, 2, robot.size), random.uniform(-1, 1, robot.size), point


class Laws(unittest.TestCase):
    def test_inertia_is_symmetric_and_positive(self):
        for robot, q, _, point in samples():
            d = thud.contact_dynamics(robot, point, q)
            np.testing.assert_array_equal(d.M, d.M.T)
            self.assertGreater(np.linalg.eigvalsh(d.M).min(), 0)
            for W in (thud.generalized_momentum(d).W, thud.composite_rigid_body(d).W):
                np.testing.assert_allclose(W, W.T, atol=1e-12 * np.abs(W).max())
                self.assertGreater(np.linalg.eigvalsh(W).min(), -1e-12 * np.abs(W).max())

    def test_jacobian_is_the_rate_of_the_contact_point(self):
        for robot, q, dq, point in samples():
            at = lambda time: thud.contact_dynamics(robot, point, q + time * dq).p_WC
            rate = (at(1e-5) - at(-1e-5)) / 2e-5
            np.testing.assert_allclose(thud.contact_dynamics(robot, point, q).J[:3] @ dq, rate, atol=1e-8)

    def test_linear_momentum_is_the_rate_of_the_centre_of_mass(self):
        for robot, q, dq, point in samples():
            d = thud.contact_dynamics(robot, point, q)
            at = lambda time: thud.contact_dynamics(robot, point, q + time * dq).com_W
            np.testing.assert_allclose(d.A_G[:3] @ dq, d.mass * (at(1e-5) - at(-1e-5)) / 2e-5, atol=1e-7 * d.mass)

    def test_the_world_may_be_turned_and_moved(self):
        R, p = rotation(np.array([1, 2, 3]), 0.7), np.array([0.3, -0.2, 0.5])
        for robot, q, dq, point in samples():
            joints = [
                each.replace(R_PJ=R @ each.R_PJ, p_PJ=R @ each.p_PJ + p) if each.parent < 0 else each
                for each in robot.joints
            ]
            turned = thud.Robot("turned", joints, robot.bodies, [each for each in robot.frames if each.joint >= 0])
            a = thud.contact_dynamics(robot, point, q)
            b = thud.contact_dynamics(turned, point.replace(normal_W=R @ point.normal_W), q)
            np.testing.assert_allclose(b.M, a.M, atol=1e-12 * np.abs(a.M).max())
            np.testing.assert_allclose(b.J[:3], R @ a.J[:3], atol=1e-12)
            np.testing.assert_allclose(b.Ic_W, R @ a.Ic_W @ R.T, atol=1e-12 * np.abs(a.Ic_W).max())
            one, other = thud.predict(a, dq), thud.predict(b, dq)
            for option in thud.all_inertia_models:
                self.assertEqual(one[option].inertia.status, other[option].inertia.status)
                if one[option].inertia.exists:
                    ratio = other[option].inertia.effective_mass / one[option].inertia.effective_mass
                    self.assertAlmostEqual(ratio, 1, delta=1e-7)

    def test_schur_order(self):
        for robot, q, _, point in samples():
            d = thud.contact_dynamics(robot, point, q)
            if thud.algebraic(d).status == thud.InertiaStatus.ok:
                least = thud.generalized_momentum(d).effective_mass * (1 - 1e-9)
                self.assertGreaterEqual(thud.algebraic(d).effective_mass, least)

    def test_link_inertias_sum_to_the_whole(self):
        for robot, q, _, point in samples():
            d = thud.contact_dynamics(robot, point, q)
            links, r = thud.link_inertias(robot, point, q), d.p_WC - d.com_W
            whole = sum(links)
            np.testing.assert_allclose(whole[:3, :3], d.mass * np.eye(3), atol=1e-11 * d.mass)
            np.testing.assert_allclose(whole[3:, 3:], d.Ic_W - d.mass * cross(r) @ cross(r), atol=1e-10)
            shares = thud.link_shares(d, links)
            if shares:
                self.assertAlmostEqual(sum(shares), 1, delta=1e-9)
                self.assertGreaterEqual(min(shares), 0)

    def test_an_impact_keeps_momentum_restitution_and_energy(self):
        for robot, q, dq, point in samples():
            d = thud.contact_dynamics(robot, point, q)
            dq = dq if thud.contact_velocity(d, dq) < 0 else -dq
            for e in (0, 0.4, 1):
                model = thud.predict(d, dq, restitution=e)[thud.InertiaModel.generalized_momentum]
                after = dq + model.joint_velocity_jump
                np.testing.assert_allclose(d.M @ (after - dq), model.impulse.total * d.J[:3].T @ d.normal_W, atol=1e-9)
                before_v, after_v = d.normal_W @ d.J[:3] @ dq, d.normal_W @ d.J[:3] @ after
                self.assertAlmostEqual(after_v, -e * before_v, delta=1e-10)
                lost = (dq @ d.M @ dq - after @ d.M @ after) / 2
                expected = (1 - e**2) * model.inertia.effective_mass * before_v**2 / 2
                self.assertAlmostEqual(lost, expected, delta=1e-9 * max(1, expected))


if __name__ == "__main__":
    unittest.main()
