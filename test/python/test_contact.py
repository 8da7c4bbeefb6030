import unittest
from math import exp, inf, nan, pi, sqrt

import numpy as np

import thud
from support import refusal

TABLE = {0.1: 0.937476, 1: 0.593624, 3: 0.306897, 5: 0.196980, 10: 0.099982}  # d: e, docs/equations.md


def exact(d: float) -> float:
    return thud.restitution(thud.Viscoelastic(1, d), 1, -1)


def by_bisection(d: float) -> float:
    """The other root of exp(h) - 1 - h = d - ln(1 + d): rebound at the depth where the contact began."""
    start = d - np.log1p(d)
    low, high = -start - 2, 0.0
    for _ in range(200):
        eta = (low + high) / 2
        low, high = (eta, high) if np.expm1(eta) - eta > start else (low, eta)
    return -np.expm1(low) / d


class Restitution(unittest.TestCase):
    def test_table_of_section_5(self):
        for d, e in TABLE.items():
            law = thud.Viscoelastic(stiffness=3e5, damping=d * 3e5 / 0.12)
            self.assertAlmostEqual(thud.restitution(law, 4, -0.12), e, delta=5e-7)
            self.assertAlmostEqual(thud.restitution_asymptotic(law, -0.12), 1 / d, delta=1e-13)

    def test_against_bisection(self):
        for d in np.geomspace(0.03, 1e6, 60):
            self.assertAlmostEqual(exact(d) / by_bisection(d), 1, delta=1e-10)

    def test_limits(self):
        self.assertEqual(exact(0), 1)
        for d in (1e-12, 1e-9, 1e-6, 1e-4):
            self.assertAlmostEqual(exact(d), 1 - 2 * d / 3, delta=d * d + 4e-15)
        for d in (40.0, 1e3, 1e9):
            self.assertAlmostEqual(exact(d) * d, 1, delta=4e-15)
        self.assertEqual(thud.restitution_asymptotic(thud.Viscoelastic(1, 0), -1), inf)

    def test_falls_with_damping_whatever_the_exponent(self):
        values = [exact(d) for d in np.geomspace(1e-6, 1e6, 50)]
        self.assertEqual(values, sorted(values, reverse=True))
        for n in (0.5, 1.5, 3):
            self.assertEqual(thud.restitution(thud.HuntCrossley(2, 8, n), 7, -1), exact(4))

    def test_maxwell_does_not_depend_on_velocity(self):
        law, zeta = thud.Maxwell(stiffness=3e5, damping=2e3), sqrt(3e5 * 4) / 4e3
        for v in (-1e-6, -0.1, -5):
            self.assertAlmostEqual(thud.restitution(law, 4, v), exp(-pi * zeta / sqrt(1 - zeta**2)), delta=1e-15)
        self.assertEqual(thud.restitution(thud.Maxwell(3e5, 500), 4, -0.1), 0)  # zeta >= 1: no rebound


class Force(unittest.TestCase):
    def test_equations_at_a_point(self):
        self.assertAlmostEqual(thud.force(thud.Viscoelastic(3e5, 2.5e6), -1e-4, -0.1), 25 + 30, delta=1e-12)
        self.assertAlmostEqual(thud.force(thud.Viscoelastic(3e5, 2.5e6), -1e-4, 0.1), 30 - 25, delta=1e-12)
        self.assertAlmostEqual(thud.force(thud.HuntCrossley(1e8, 1e9, 1.5), -4e-4, -0.1), 1600, delta=1e-9)
        self.assertAlmostEqual(thud.force(thud.Spring(100, 0.5), -0.1, -1), 10, delta=1e-14)
        self.assertAlmostEqual(thud.force(thud.Spring(100, 0.5), -0.025, 1), 10, delta=1e-14)  # from x to e^2 x
        self.assertEqual(thud.force_rate(thud.Maxwell(100, 50), 10, -1), 80)

    def test_never_pulls(self):
        for law in (thud.Viscoelastic(1, 1), thud.HuntCrossley(1, 1, 1.5)):
            self.assertEqual(thud.force(law, -1, 2), 0)
            self.assertEqual(thud.force(law, 1e-3, -1), 0)
        self.assertEqual(thud.force(thud.Spring(1, 0), -1e-3, 1), 0)

    def test_exponent_one_is_viscoelastic(self):
        random = np.random.default_rng(1)
        for k, c, x, v in random.uniform([1e2, 1e2, -1e-2, -1], [1e8, 1e9, 0, 1], (200, 4)):
            expected = max(0.0, c * x * v - k * x)
            for law in (thud.Viscoelastic(k, c), thud.HuntCrossley(k, c, 1)):
                self.assertAlmostEqual(thud.force(law, x, v), expected, delta=1e-12 * (c + k))


class ContactLaw(unittest.TestCase):
    LAWS = {
        "spring": (thud.Spring(1, 2), [("stiffness", 1), ("restitution", 2)]),
        "maxwell": (thud.Maxwell(1, 2), [("stiffness", 1), ("damping", 2)]),
        "viscoelastic": (thud.Viscoelastic(1, 2), [("stiffness", 1), ("damping", 2)]),
        "hunt_crossley": (thud.HuntCrossley(1, 2, 3), [("stiffness", 1), ("damping", 2), ("exponent", 3)]),
    }

    def test_names_and_parameters(self):
        for kind, (name, (law, parameters)) in zip(thud.LawKind, self.LAWS.items(), strict=True):
            self.assertEqual((kind.name, thud.kind_of(law)), (name, kind))
            self.assertIs(type(thud.law_from_name(name)), type(law))
            self.assertEqual(thud.law_parameters(law), parameters)
            thud.validate(thud.typical_law(kind))
            self.assertTrue(all(thud.parameter_unit(kind, parameter) for parameter, _ in parameters))
        for unknown in ("", "Spring", "springs", "hunt-crossley"):
            self.assertIsNone(thud.law_from_name(unknown))

    def test_refusals(self):
        for bad in (0.0, -1.0, nan, inf):
            text = f"{bad:g}"
            for law, _ in self.LAWS.values():
                wrong = law.replace(stiffness=bad)
                self.assertIn(f"stiffness: {text}: must", refusal(thud.InputError, thud.validate, wrong))
            self.assertIn(f"damping: {text}: must", refusal(thud.InputError, thud.validate, thud.Maxwell(1, bad)))
            self.assertIn(f"exponent: {text}", refusal(thud.InputError, thud.validate, thud.HuntCrossley(1, 1, bad)))
            self.assertRaises(thud.InputError, thud.restitution, thud.Viscoelastic(1, 1), bad, -1)
        for bad in (0.0, 0.1, nan, -inf):
            self.assertRaises(thud.InputError, thud.restitution, thud.Viscoelastic(1, 1), 1, bad)
            self.assertRaises(thud.InputError, thud.restitution_asymptotic, thud.Viscoelastic(1, 1), bad)
        thud.validate(thud.Spring(1, 1.2))  # an e above 1 is a finding, not a mistake


if __name__ == "__main__":
    unittest.main()
