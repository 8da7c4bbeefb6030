"""A contact law and drives of an arm from one record, in Python."""

import pickle
import unittest

import numpy as np
import thud
from support import refusal

POINT = thud.ContactPoint("panda_foot", [0, 0, 0.0223], [-1, 0, 0])
WALL = thud.Viscoelastic(1e6, 7.279e6)
DRIVES = [thud.DriveParameter.stiffness, thud.DriveParameter.damping]
V, TOUCH = -0.08, 3.013e-3
TIMES = np.arange(0, 15e-3, 1 / 25e3)


def parameter(fit: thud.ElasticFit, name: str) -> thud.FitParameter:
    return next(each for each in fit.result.parameters if each.name == name)


class ElasticFit(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        panda = thud.load_robot("panda")
        cls.drives = thud.load_drives("panda", 7)
        q = np.array([0, 0.1, 0, -1.5, 0, np.pi / 2 + 0.1 + 1.5, np.pi / 4])
        cls.arm = thud.elastic_arm(panda, POINT, q, cls.drives)
        wrong = cls.drives.replace(stiffness=2.5 * cls.drives.stiffness, damping=0.4 * cls.drives.damping)
        cls.wrong = thud.elastic_arm(panda, POINT, q, wrong)
        profile = thud.elastic_profile(cls.arm, WALL, V)
        cls.force = np.zeros(TIMES.size)
        inside = TIMES > TOUCH
        cls.force[inside] = thud.states(profile, TIMES[inside] - TOUCH).force
        cls.force += np.random.default_rng(1).normal(0, 0.25, TIMES.size)

    def test_law_and_transmissions_come_back(self):
        """docs: k, c and K within 0.5 %, D within 2 %, from drives 2.5 times off."""
        fit = thud.elastic_fit(TIMES, self.force, self.wrong, thud.LawKind.viscoelastic, velocity=V, free=DRIVES)
        self.assertEqual(fit.result.status, thud.FitStatus.converged, fit.result.message)
        for name, value, band in (
            ("stiffness", 1e6, 0.005),
            ("damping", 7.279e6, 0.005),
            ("joints.stiffness", 1 / 2.5, 0.005),
            ("joints.damping", 1 / 0.4, 0.02),
        ):
            found = parameter(fit, name)
            self.assertAlmostEqual(found.value / value, 1, delta=band, msg=name)
            self.assertTrue(found.low < found.value < found.high, name)
        self.assertEqual(fit.not_identifiable, ())
        self.assertEqual(fit.free[:4], ("stiffness", "damping", "joints.stiffness", "joints.damping"))
        np.testing.assert_allclose(np.diag(fit.correlation), 1)
        np.testing.assert_allclose(fit.arm.drives.stiffness, self.drives.stiffness, rtol=0.005)
        profile = thud.fitted_profile(fit)
        self.assertAlmostEqual(profile.turns[0].impulse, fit.result.impulse_compression, delta=1e-9)
        again = pickle.loads(pickle.dumps(fit))
        self.assertEqual(parameter(again, "joints.stiffness").value, parameter(fit, "joints.stiffness").value)
        self.assertEqual(again.free, fit.free)

    def test_from_a_raw_record(self):
        record = thud.Record(time=TIMES, force=-self.force + 20)
        found = thud.identify(record, self.wrong, thud.LawKind.viscoelastic, velocity=V, free=DRIVES)
        self.assertEqual(found.best, thud.LawKind.viscoelastic)
        self.assertEqual(found.window.sign, -1)
        self.assertAlmostEqual(parameter(found.laws[0], "joints.stiffness").value, 1 / 2.5, delta=0.005 / 2.5)

    def test_a_short_record_does_not_fix_the_servo(self):
        brief = TIMES < TOUCH + 1.2e-3
        fit = thud.elastic_fit(
            TIMES[brief],
            self.force[brief],
            self.arm,
            thud.LawKind.viscoelastic,
            velocity=V,
            free=[thud.DriveParameter.servo],
        )
        self.assertIn("servo", fit.not_identifiable)
        self.assertEqual(fit.warnings[0].code, thud.WarningCode.not_identifiable)
        self.assertEqual(thud.factor_name(thud.DriveParameter.rotor_inertia), "joints.rotor_inertia")

    def test_refusals(self):
        says = lambda **options: refusal(
            thud.InputError,
            thud.elastic_fit,
            TIMES,
            self.force,
            self.arm,
            thud.LawKind.spring,
            **{"velocity": V, **options},
        )
        self.assertIn("velocity: 0.1: must be", says(velocity=0.1))
        self.assertIn("free: servo: is named twice", says(free=[thud.DriveParameter.servo] * 2))


if __name__ == "__main__":
    unittest.main()
