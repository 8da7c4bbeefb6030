import unittest
from math import isnan, nan

import numpy as np

import thud
from support import POINT, dynamics, posture, refusal

TIGHT = 1e-12
# examples/three_configurations: e_a, then effective masses [kg] in the order of all_inertia_models
TABLE = [
    (0.9182, 10.7651, 2.4549, 8.7165, 2.4321),
    (0.8280, 12.7879, 2.4604, 10.3080, 2.4130),
    (0.6370, 16.7389, 2.4476, 13.4072, 2.3710),
]
# Table I, [Wang22, (tab:relative_vels)]: exact and approximate contact velocities [m/s]
EXACT = [[0.0756, 0.0956, 0.1156, 0.1456, 0.1755], [0.0715, 0.0913, 0.1111, 0.1411, 0.1709]]
APPROXIMATE = [[0.0699, 0.0870, 0.1056, 0.1309, 0.1623], [0.0446, 0.0586, 0.0712, 0.0894, 0.1036]]


def cart(mass: float) -> thud.InverseInertia:
    return thud.composite_rigid_body(thud.CompositeBody(mass, [0, 0, 0], np.eye(3)), thud.ContactGeometry())


class NormalImpulse(unittest.TestCase):
    def test_by_hand(self):
        impulse = thud.normal_impulse(cart(4), -0.12, restitution=0.5)
        self.assertAlmostEqual(impulse.compression, 0.48, delta=TIGHT)  # 4 kg stopped from 0.12 m/s
        self.assertAlmostEqual(impulse.total, 0.72, delta=TIGHT)  # and thrown back at 0.06 m/s
        self.assertEqual(thud.normal_impulse(cart(4), 0.12, restitution=1).total, 0)
        self.assertTrue(isnan(thud.normal_impulse(cart(0), -0.12).compression))

    def test_refusals(self):
        says = lambda *arguments: refusal(thud.InputError, thud.normal_impulse, cart(4), *arguments)
        self.assertEqual(says(-1, 1.5), "restitution: 1.5: must be from 0 to 1")
        self.assertEqual(says(-1, nan), "restitution: nan: must be from 0 to 1")
        self.assertIn("must be finite", says(nan))


class ContactVelocity(unittest.TestCase):
    def test_approximate_is_exact_for_a_rigid_motion(self):
        """Only the first joint of a chain moves: the whole arm is then one rigid body in fact."""
        d = thud.contact_dynamics(thud.load_robot("panda"), POINT, posture(1) + 0.1)
        dq = [0.7, 0, 0, 0, 0, 0, 0]
        self.assertAlmostEqual(thud.contact_velocity(d, dq), d.normal_W @ d.J[:3] @ dq, delta=TIGHT)
        self.assertAlmostEqual(thud.approximate_contact_velocity(d, dq), thud.contact_velocity(d, dq), delta=1e-10)
        self.assertAlmostEqual(thud.approximate_to_exact(d, dq), 1, delta=1e-9)
        self.assertTrue(isnan(thud.approximate_to_exact(d, np.zeros(7))))

    def test_approximate_from_the_momentum(self):
        d, dq = dynamics(2), np.linspace(-1, 1, 7)
        momentum = d.A_G @ dq
        turning = np.linalg.solve(d.Ic_W, momentum[3:])
        moving = momentum[:3] / d.mass + np.cross(turning, d.p_WC - d.com_W)
        self.assertAlmostEqual(thud.approximate_contact_velocity(d, dq), d.normal_W @ moving, delta=1e-11)

    def test_rule_of_small_restitution_on_table_one(self):
        for exact, approximate, first in zip(EXACT, APPROXIMATE, (2, 5)):
            said = [thud.small_restitution(a / v, -v) for v, a in zip(exact, approximate)]
            self.assertEqual(said, [k >= first for k in range(5)])
        self.assertFalse(thud.small_restitution(0.86, 0.2))
        self.assertFalse(thud.small_restitution(nan, -0.2))


class JointJumps(unittest.TestCase):
    def test_both_formulas(self):
        d = dynamics(1)
        impulse, J_v = 1.2 * d.normal_W, d.J[:3]
        np.testing.assert_allclose(d.M @ thud.joint_velocity_jump(d, impulse), J_v.T @ impulse, atol=TIGHT)
        inertia = thud.composite_rigid_body(d)
        least = np.linalg.pinv(J_v) @ inertia.W @ impulse  # Moore and Penrose's is the one of least norm
        np.testing.assert_allclose(thud.joint_velocity_jump_least_norm(d, inertia, impulse), least, atol=1e-11)

    def test_least_norm_needs_three_directions(self):
        point = thud.ContactPoint("tip", normal_W=[-1, 0, 0])
        planar = thud.contact_dynamics(thud.load_robot("planar_2r"), point, [0.2, 1])
        self.assertIsNone(thud.joint_velocity_jump_least_norm(planar, thud.composite_rigid_body(planar), [1, 0, 0]))

    def test_torque_is_impulse_over_time(self):
        d, impulse = dynamics(0), [-0.8, 0, 0]
        # a push of -x at height z turns joint 2, about y at height 0.333 m, by -(z - 0.333) iota
        self.assertAlmostEqual(thud.joint_impulse(d, impulse)[1], -0.8 * (d.p_WC[2] - 0.333), delta=TIGHT)
        torque = thud.joint_torque_jump(d, impulse, 0.01)
        np.testing.assert_allclose(torque, 100 * thud.joint_impulse(d, impulse), atol=1e-10)
        self.assertRaises(thud.InputError, thud.joint_torque_jump, d, impulse, 0)


class Approach(unittest.TestCase):
    def test_a_translation_of_least_norm(self):
        d = dynamics(2)
        motion = thud.approach(d, 0.15)
        self.assertFalse(motion.turns)
        np.testing.assert_allclose(motion.dq, np.linalg.pinv(d.J) @ [0.15, 0, 0, 0, 0, 0], atol=1e-11)

    def test_turns_or_gives_up(self):
        arm, point = thud.load_robot("planar_2r"), thud.ContactPoint("tip", normal_W=[-1, 0, 0])
        self.assertTrue(thud.approach(thud.contact_dynamics(arm, point, [0.2, 1]), 0.1).turns)
        stretched = thud.contact_dynamics(arm, point, [0, 0])
        self.assertIsNone(thud.find_approach(stretched, 0.1))
        self.assertEqual(
            refusal(thud.InputError, thud.approach, stretched, 0.1),
            "speed: 0.1: the contact point cannot move along the normal -1,0,0 alone at this posture",
        )
        self.assertRaises(thud.InputError, thud.approach, dynamics(0), -1)

    def test_nearest(self):
        arm, point = thud.load_robot("planar_2r"), thud.ContactPoint("tip", normal_W=[-1, 0, 1e-3])
        d = thud.contact_dynamics(arm, point, [0.2, 1])
        self.assertIsNone(thud.find_approach(d, 0.1))
        motion = thud.nearest_approach(d, 0.1)
        self.assertAlmostEqual(thud.contact_velocity(d, motion.dq), -0.1, delta=1e-13)
        self.assertAlmostEqual(motion.sideways, 1e-4, delta=1e-9)


class Predict(unittest.TestCase):
    def test_table_of_three_configurations(self):
        for index, (ratio, *masses) in enumerate(TABLE):
            d = dynamics(index)
            prediction = thud.predict(d, thud.approach(d, 0.12).dq, restitution=0.3)
            self.assertAlmostEqual(d.mass, 15.17, delta=TIGHT)
            self.assertAlmostEqual(prediction.ratio, ratio, delta=5e-5)
            for option, mass in zip(thud.all_inertia_models, masses):
                found = prediction[option]
                self.assertAlmostEqual(found.inertia.effective_mass, mass, delta=5e-5)
                self.assertAlmostEqual(found.impulse.compression, 0.12 * mass, delta=1e-5)
                self.assertAlmostEqual(found.impulse.total, 1.3 * found.impulse.compression, delta=TIGHT)
                impulse_W = found.impulse_W
                np.testing.assert_array_equal(impulse_W, found.impulse.total * d.normal_W)
                np.testing.assert_allclose(found.joint_impulse, d.J[:3].T @ impulse_W, atol=TIGHT)
                np.testing.assert_allclose(d.M @ found.joint_velocity_jump, found.joint_impulse, atol=1e-11)
            composite = prediction[thud.InertiaModel.composite_rigid_body]
            approximate = composite.impulse_approximate.compression / composite.impulse.compression
            self.assertAlmostEqual(approximate, prediction.ratio, delta=TIGHT)
            self.assertEqual(thud.warnings(prediction), [])

    def test_into_a_prediction_of_one_s_own(self):
        d, prediction = dynamics(0), thud.Prediction(7)
        self.assertTrue(isnan(prediction.v_exact))
        thud.predict(d, thud.approach(d, 0.12).dq, prediction, restitution=0.3)
        self.assertAlmostEqual(prediction.v_exact, -0.12, delta=TIGHT)
        self.assertRaises(thud.InputError, thud.predict, d, np.zeros(7), thud.Prediction(6))

    def test_without_approach_and_with_sliding(self):
        d = dynamics(0)
        dq = thud.approach(d, 0.12).dq
        away = thud.predict(d, -dq)
        self.assertEqual({each.impulse.total for each in away.models.values()}, {0})
        self.assertGreater(min(each.inertia.effective_mass for each in away.models.values()), 1)
        self.assertIn("does not approach", thud.warnings(away)[0].text)
        sliding = thud.predict(d, dq + [0.1, 0, 0, 0, 0, 0, 0])
        across = d.J[1:3] @ (dq + [0.1, 0, 0, 0, 0, 0, 0])
        self.assertAlmostEqual(sliding.v_tangential, np.linalg.norm(across), delta=TIGHT)
        self.assertIn("slides", thud.warnings(sliding)[0].text)
        self.assertEqual(thud.warnings(sliding)[0].code, thud.WarningCode.sliding)

    def test_refusals(self):
        d = dynamics(0)
        self.assertIn("needs 7", refusal(thud.InputError, thud.predict, d, np.zeros(6)))
        self.assertIn("nan: must be finite", refusal(thud.InputError, thud.predict, d, np.full(7, nan)))
        self.assertRaises(thud.InputError, thud.predict, d, np.zeros(7), restitution=2)


if __name__ == "__main__":
    unittest.main()
