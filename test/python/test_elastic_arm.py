"""The arm with elastic joints in Python: reference values, the lumped mass, and the same equations in NumPy."""

import pickle
import unittest

import numpy as np
import thud
from support import refusal

POINT = thud.ContactPoint("panda_foot", [0, 0, 0.0223], [-1, 0, 0])
WALL = thud.Viscoelastic(1e6, 7.279e6)


def posture(q2, q4):
    return np.array([0, q2, 0, q4, 0, np.pi / 2 + q2 - q4, np.pi / 4])


class ElasticArm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.panda = thud.load_robot("panda")
        cls.drives = thud.load_drives("panda", 7).replace(effort=np.full(7, np.nan))

    def arm(self, q2=0.1, q4=-1.5, **changes):
        return thud.elastic_arm(self.panda, POINT, posture(q2, q4), self.drives.replace(**changes))

    def test_reference_values(self):
        servo = thud.elastic_profile(self.arm(), WALL, -0.12, horizon=0.03)
        self.assertAlmostEqual(servo.peaks[0].force, 193.841, delta=6e-4)
        self.assertAlmostEqual(servo.peaks[1].force, 234.035, delta=6e-4)
        self.assertAlmostEqual(servo.turns[0].impulse, 1.200029, delta=6e-7)
        self.assertIsNone(servo.end_of_contact)
        free = thud.elastic_arm(self.panda, POINT, posture(0.1, -1.5), self.drives.without_servo())
        profile = thud.elastic_profile(free, WALL, -0.12)
        self.assertAlmostEqual(profile.end_of_contact.time, 9.9259e-3, delta=6e-8)
        self.assertAlmostEqual(profile.mass_compression, 8.573, delta=6e-4)

    def test_an_object_takes_momentum(self):
        arm = self.arm()
        box = thud.contact_response(thud.Object(mass=2), [0, 0, 0])
        w = float(np.array([-1, 0, 0]) @ box.W @ [-1, 0, 0])
        profile = thud.elastic_profile(arm, WALL, -0.12, object_inverse_mass=w)
        self.assertEqual((profile.object_inverse_mass, w), (0.5, 0.5))
        t = np.linspace(0, profile.end, 50)
        states = thud.states(profile, t)
        np.testing.assert_allclose(states.joint_rate @ arm.j + w * states.impulse, states.velocity + 0.12, atol=1e-12)
        self.assertLess(profile.impulse, thud.elastic_profile(arm, WALL, -0.12).impulse / 2)
        self.assertEqual(refusal(thud.InputError, thud.elastic_profile, arm, WALL, -0.12, object_inverse_mass=-1),
                         "object_inverse_mass: -1: must be finite and >= 0")

    def test_states_satisfy_the_equations(self):
        arm = self.arm(q2=0.4, q4=-1.3)
        profile = thud.elastic_profile(arm, WALL, -0.12, horizon=0.01)
        h = 1e-6
        t = np.linspace(1e-3, 9e-3, 50)
        now, before, after = (thud.states(profile, t + shift) for shift in (0, -h, h))
        ddq = (after.joint_rate - before.joint_rate) / (2 * h)
        expected = np.outer(now.force, arm.j) + now.transmission_torque
        np.testing.assert_allclose(ddq @ np.asarray(arm.M), expected, atol=1e-4 * np.abs(expected).max())
        np.testing.assert_allclose(now.velocity, -0.12 + now.joint_rate @ arm.j, atol=1e-12)
        np.testing.assert_allclose(now.apparent_mass, now.impulse / (now.velocity + 0.12), rtol=1e-12)

    def test_a_changed_command_pulls_back(self):
        arm = self.arm()
        none = np.zeros(7)
        back = np.asarray(arm.j) * 2.0
        pulled = thud.elastic_profile(arm, WALL, -0.12, command=[thud.CommandChange(2e-3, none, back, none)])
        self.assertLess(pulled.impulse, thud.elastic_profile(arm, WALL, -0.12).impulse)

    def test_energy_closes(self):
        energy = thud.energies(thud.elastic_profile(self.arm(), WALL, -0.12))
        parts = energy.kinetic + energy.transmission + energy.servo + energy.wall + energy.dissipated
        self.assertAlmostEqual(parts / energy.supplied, 1, delta=1e-9)

    def test_without_drives_it_is_one_mass(self):
        arm = thud.elastic_arm([[4.0]], [1.0], thud.Drives())
        self.assertEqual({each.subject for each in arm.warnings}, {"rotor_inertia", "stiffness", "servo"})
        lumped = thud.force_profile(WALL, 4, -0.12)
        profile = thud.elastic_profile(arm, WALL, -0.12)
        self.assertAlmostEqual(profile.peak.force / lumped.peak.force, 1, delta=1e-9)
        self.assertAlmostEqual(thud.end_of_force(profile).time / lumped.end_of_force.time, 1, delta=1e-7)

    def test_drives_from_text(self):
        text = "[joints]\nrotor_inertia = 0.1\nstiffness = [1e4, 2e4]\n[controller]\nstiffness = 100\ndamping = 5\n"
        drives = thud.parse_drives(text, joints=2)
        np.testing.assert_array_equal(drives.rotor_inertia, [0.1, 0.1])
        np.testing.assert_array_equal(drives.servo_damping, [5, 5])
        self.assertEqual(len(drives.effort), 0)
        self.assertEqual(pickle.loads(pickle.dumps(drives)).stiffness[1], 2e4)
        self.assertIn("panda", thud.shipped_drives())
        campaign = thud.parse_drives(thud.format_campaign(thud.default_campaign()), joints=7)
        np.testing.assert_array_equal(campaign.servo_stiffness, self.drives.servo_stiffness)

    def test_refusals(self):
        for call, text in (
            (lambda: thud.parse_drives("[joints]\nstifness = 1\n", joints=1), "stifness"),
            (lambda: thud.parse_drives("[joints]\nstiffness = [1, 2]\n", joints=1), "1 numbers"),
            (lambda: thud.parse_drives("robot = 'panda'\n", joints=1), "joints"),
            (lambda: thud.load_drives("nobody", 7), "panda"),
            (lambda: self.arm(stiffness=np.full(7, -1.0)), "stiffness"),
            (lambda: thud.elastic_profile(self.arm(), WALL, 0.1), "velocity"),
        ):
            self.assertIn(text, refusal(thud.Error, call))


if __name__ == "__main__":
    unittest.main()
