"""The posture for a hit in Python: the answer against predict, and what does not fit."""

import unittest

import numpy as np
import thud
from support import POINT, posture, refusal

PANDA = thud.load_robot("panda")
MODEL = thud.InertiaModel.composite_rigid_body


class Aim(unittest.TestCase):
    def setUp(self):
        self.p = thud.contact_dynamics(PANDA, POINT, posture(0)).p_WC

    def test_a_better_posture_for_the_same_hit(self):
        here = thud.composite_rigid_body(thud.contact_dynamics(PANDA, POINT, posture(0))).effective_mass
        target = thud.AimTarget(self.p, thud.ToolOrientation.tool_along_normal)
        for maximize in True, False:
            found = thud.aim(PANDA, POINT, target, maximize=maximize, starts=16)
            self.assertEqual(found.status, thud.AimStatus.ok)
            best = found.aims[0]
            d = thud.contact_dynamics(PANDA, POINT, best.q)
            np.testing.assert_allclose(d.p_WC, self.p, atol=1e-6)
            self.assertAlmostEqual(thud.composite_rigid_body(d).effective_mass, best.value)
            self.assertEqual(best.effective_mass[MODEL], best.value)
            self.assertTrue(best.value > here if maximize else best.value < here)

    def test_an_object_leaves_as_asked_for(self):
        heard = []
        ball = thud.Object(mass=0.5)
        found = thud.aim(PANDA, POINT, thud.AimTarget(self.p), quantity=thud.AimQuantity.object_speed, object=ball,
                         object_speed=0.4, starts=8, jobs=1, progress=lambda done, all: heard.append((done, all)))
        self.assertIn((8, 8), heard)
        d = thud.contact_dynamics(PANDA, POINT, found.aims[0].q)
        hit = thud.predict_impact(d, found.aims[0].dq, object=ball)[MODEL]
        self.assertAlmostEqual(np.linalg.norm(hit.object.velocity), 0.4)

    def test_gradient(self):
        gradient = thud.inverse_mass_gradient(PANDA, POINT, posture(0), MODEL)
        inverse = lambda q: 1 / thud.composite_rigid_body(thud.contact_dynamics(PANDA, POINT, q)).effective_mass
        h = 1e-5
        slopes = [(inverse(posture(0) + h * e) - inverse(posture(0) - h * e)) / (2 * h) for e in np.eye(7)]
        np.testing.assert_allclose(gradient, slopes, atol=1e-8)

    def test_what_does_not_fit(self):
        far = thud.aim(PANDA, POINT, thud.AimTarget([2, 0, 0.3]), starts=8)
        self.assertEqual((far.status, far.aims, far.reached), (thud.AimStatus.unreachable, (), 0))
        self.assertTrue(0.9 < far.nearest < 1.3, far.nearest)
        for message, words in {
            "starts: 0": dict(starts=0),
            "object_speed: 1: needs an object": dict(object_speed=1),
            "law: given": dict(law=thud.Spring(1e5, 0.5)),
        }.items():
            self.assertIn(message, refusal(thud.InputError, thud.aim, PANDA, POINT, thud.AimTarget(self.p), **words))


if __name__ == "__main__":
    unittest.main()
