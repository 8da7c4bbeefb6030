import unittest

import numpy as np

import thud
from support import DAMPED, ROOT, TIMES, TOUCH, maxwell_force, record, spring_force, viscoelastic_force

Kind = thud.LawKind


def parameter(law: thud.FitResult, name: str) -> thud.FitParameter:
    return next(each for each in law.parameters if each.name == name)


class Identify(unittest.TestCase):
    def test_law_and_parameters_from_raw_records(self):
        after = TIMES - TOUCH
        cases = {
            Kind.spring: (spring_force(after, 3e5, 0.6), {"stiffness": 3e5, "restitution": 0.6, "mass": 4}),
            Kind.maxwell: (maxwell_force(after, 3e5, 1200), {"stiffness": 3e5, "damping": 1200, "mass": 4}),
            Kind.viscoelastic: (DAMPED, {"stiffness": 3e5, "damping": 7.5e6, "mass": 4}),
            Kind.hunt_crossley: (viscoelastic_force(after, 1e7, 5e7, n=1.5), {"exponent": 1.5, "mass": 4}),
        }
        for kind, (force, truth) in cases.items():
            up = record(force, 0.01, 20, seed=7)
            for sign in (1, -1):
                found = thud.identify(up.replace(force=sign * up.force), velocity=-0.12)
                self.assertEqual((found.best, found.window.sign), (kind, sign))
                law = found.laws[kind.value]
                for name, value in truth.items():  # within three half-widths of the interval
                    fitted = parameter(law, name)
                    self.assertLess(abs(fitted.value - value), 1.5 * (fitted.high - fitted.low), f"{kind} {name}")
                self.assertAlmostEqual(law.start, TOUCH, delta=1e-4)

    def test_an_exact_record_is_ranked_by_parsimony(self):
        for d in (0.5, 3, 10):
            force = viscoelastic_force(TIMES - TOUCH, 3e5, d * 3e5 / 0.12)
            self.assertEqual(thud.identify(record(force), velocity=-0.12).best, Kind.viscoelastic)

    def test_the_shipped_record(self):
        """Its comment says what it was made with; the intervals hold it."""
        found = thud.identify(thud.read_record(ROOT / "data/records/viscoelastic.csv"), velocity=-0.12)
        self.assertEqual(found.best, Kind.viscoelastic)
        law = found.laws[Kind.viscoelastic.value]
        for name, value in {"mass": 4, "stiffness": 3e5, "damping": 1.25e7}.items():
            self.assertTrue(parameter(law, name).low < value < parameter(law, name).high, name)
        spring = found.laws[Kind.spring.value]
        self.assertGreater(spring.restitution, 1)
        self.assertTrue(any(each.text.startswith("spring needs a restitution") for each in found.warnings))

    def test_a_known_window_is_not_searched_again(self):
        given = record(DAMPED, 0.01)
        window = thud.find_contact(given)
        found, again = (thud.identify(given, velocity=-0.12, window=each) for each in (None, window))
        self.assertEqual([law.bic for law in found.laws], [law.bic for law in again.laws])

    def test_one_law_and_a_known_mass(self):
        found = thud.identify(record(DAMPED, 0.01), Kind.viscoelastic, velocity=-0.12, mass=4)
        (law,) = found.laws
        self.assertEqual((parameter(law, "mass").low, parameter(law, "mass").high), (4, 4))
        self.assertEqual(found.best, Kind.viscoelastic)

    def test_a_record_that_begins_at_the_touch(self):
        for offset in (0, 5):
            begun = thud.Record(TIMES[:500], DAMPED[100:] + offset)
            found = thud.identify(begun, Kind.viscoelastic, velocity=-0.12)
            self.assertEqual(found.window.quiet, 0)
            self.assertAlmostEqual(found.laws[0].mass, 4, delta=0.01)
            self.assertAlmostEqual(parameter(found.laws[0], "damping").value, 7.5e6, delta=5e4)

    def test_nothing_to_find_is_said(self):
        noise = np.random.default_rng(3).normal(size=600)
        found = thud.identify(thud.Record(TIMES, noise), velocity=-0.12)
        self.assertEqual((found.laws, found.best), ((), None))
        self.assertTrue(found.warnings[-1].text.startswith("no contact to fit"))

    def test_refusals(self):
        whole = record(DAMPED)
        self.assertRaises(TypeError, thud.identify, whole)
        self.assertRaises(thud.InputError, thud.identify, whole, velocity=0.12)
        self.assertRaises(thud.InputError, thud.identify, thud.Record(), velocity=-0.12)


if __name__ == "__main__":
    unittest.main()
