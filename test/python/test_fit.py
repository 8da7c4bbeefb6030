import unittest
from math import isfinite, nan

import numpy as np

import thud
from support import DAMPED, TIMES, TOUCH, maxwell_force, refusal, spring_force, viscoelastic_force

V = -0.12  # [m/s]; the mass is 4 kg
Kind, Status = thud.LawKind, thud.FitStatus
MILD = viscoelastic_force(TIMES - TOUCH, 3e5, 2.5e6)  # d = 1
HERTZ = viscoelastic_force(TIMES - TOUCH, 2e7, 5e8, n=1.5)
TRUTHS = [
    (Kind.spring, spring_force(TIMES - TOUCH, 3e5, 0.7), {"stiffness": 3e5, "restitution": 0.7}),
    (Kind.spring, spring_force(TIMES - TOUCH, 3e5, 1.3), {"stiffness": 3e5, "restitution": 1.3}),
    (Kind.maxwell, maxwell_force(TIMES - TOUCH, 3e5, 1500), {"stiffness": 3e5, "damping": 1500}),
    (Kind.viscoelastic, MILD, {"stiffness": 3e5, "damping": 2.5e6}),
    (Kind.viscoelastic, DAMPED, {"stiffness": 3e5, "damping": 7.5e6}),
    (Kind.hunt_crossley, HERTZ, {"stiffness": 2e7, "damping": 5e8, "exponent": 1.5}),
]


def parameter(result: thud.FitResult, name: str) -> thud.FitParameter:
    return next(each for each in result.parameters if each.name == name)


def noise(share: float, force: np.ndarray, seed: int = 1) -> np.ndarray:
    return share * force.max() * np.random.default_rng(seed).normal(size=force.size)


class Fit(unittest.TestCase):
    def test_an_exact_record_gives_its_parameters_back(self):
        for kind, force, truth in TRUTHS:
            for shift, offset in ((0, 2), (0.3, -30)):
                result = thud.fit(TIMES + shift, force + offset, kind, velocity=V)
                self.assertEqual((result.status, result.ok, result.kind), (Status.converged, True, kind))
                for name, value in {**truth, "mass": 4}.items():
                    self.assertAlmostEqual(parameter(result, name).value / value, 1, delta=1e-4, msg=f"{kind} {name}")
                self.assertAlmostEqual(result.start, TOUCH + shift, delta=1e-7)
                self.assertAlmostEqual(result.baseline, offset, delta=5e-3)
                self.assertAlmostEqual(result.r_squared, 1, delta=1e-8)

    def test_quantities_of_the_impact(self):
        """docs/equations.md, d = 3: e, times of peak and v = 0; m |v0|; the integral of the record up to there."""
        result = thud.fit(TIMES, DAMPED, Kind.viscoelastic, velocity=V)
        self.assertAlmostEqual(result.restitution, 0.306897, delta=1e-5)
        self.assertAlmostEqual(result.time_of_peak * 1e3, 1.904, delta=1e-3)
        self.assertAlmostEqual(result.time_of_compression * 1e3, 4.143, delta=1e-3)
        self.assertAlmostEqual(result.impulse_compression, 0.48, delta=1e-4)
        until = (TIMES >= TOUCH) & (TIMES <= TOUCH + 4.143e-3)
        measured = np.trapezoid(DAMPED[until], TIMES[until])
        self.assertAlmostEqual(result.measured_impulse_compression, measured, delta=3e-3)
        self.assertAlmostEqual(result.measured_impulse_compression, 0.48, delta=1e-3)

    def test_what_it_says_about_itself(self):
        force = MILD + noise(0.01, MILD)
        result = thud.fit(TIMES, force, Kind.viscoelastic, velocity=V, mass=4)
        for each in result.parameters:
            known = each.name == "mass"
            self.assertEqual(each.identifiability, getattr(thud.Identifiability, "known" if known else "identified"), each.name)
        self.assertEqual(result.restitution_identifiability, thud.Identifiability.identified)
        self.assertTrue(result.restitution_low < result.restitution < result.restitution_high)
        self.assertAlmostEqual(result.misfit, 1, delta=0.2)
        wrong = thud.fit(TIMES, force, Kind.viscoelastic, velocity=V, mass=8)
        self.assertGreater(wrong.misfit, 1.5)
        model = thud.states(thud.force_profile(wrong.law, 8, V), TIMES - wrong.start)["force"] + wrong.baseline
        left = thud.summarize_residuals(TIMES, force - model)
        self.assertAlmostEqual(left.rmse, wrong.rmse, delta=1e-6)
        self.assertLess(left.runs, left.expected_runs)
        self.assertLess(left.runs_p, 1e-3)
        self.assertGreater(left.frequency_share, 0.2)

    def test_rmse_and_criteria_are_their_formulas(self):
        force = MILD + noise(0.01, MILD)
        result = thud.fit(TIMES, force, Kind.viscoelastic, velocity=V)
        law, mass, start = result.law, result.mass, result.start
        model = thud.states(thud.force_profile(law, mass, V), TIMES - start)["force"] + result.baseline
        squares, n = np.sum((force - model) ** 2), TIMES.size
        self.assertEqual(result.samples, n)
        # the table behind the fit holds the force to 1e-7 of its peak, which is 1e-5 of the noise
        self.assertAlmostEqual(result.rmse, np.sqrt(squares / n), delta=1.5e-5)
        self.assertAlmostEqual(result.r_squared, 1 - squares / np.sum((force - force.mean()) ** 2), delta=1e-7)
        self.assertAlmostEqual(result.aic, n * np.log(squares / n) + 2 * 6, delta=0.02)
        self.assertAlmostEqual(result.bic, n * np.log(squares / n) + 6 * np.log(n), delta=0.02)

    def test_noise_moves_parameters_within_their_intervals(self):
        """Of 100 records the 95 % intervals hold 88 at least, up to 1 in 500 by chance: binomial."""
        held = {"stiffness": 0, "damping": 0, "mass": 0}
        for seed in range(100):
            result = thud.fit(TIMES, MILD + noise(0.01, MILD, seed), Kind.viscoelastic, velocity=V)
            for name, value in {"stiffness": 3e5, "damping": 2.5e6, "mass": 4}.items():
                held[name] += parameter(result, name).low <= value <= parameter(result, name).high
        self.assertGreaterEqual(min(held.values()), 88)

    def test_drift_and_known_parameters(self):
        drifting = DAMPED + 300 * TIMES
        result = thud.fit(TIMES, drifting, Kind.viscoelastic, velocity=V, drift=True)
        self.assertAlmostEqual(parameter(result, "drift").value, 300, delta=0.5)
        self.assertAlmostEqual(result.mass, 4, delta=1e-3)
        blind = thud.fit(TIMES, drifting, Kind.viscoelastic, velocity=V)
        self.assertGreater(blind.rmse, 100 * result.rmse)
        known = thud.fit(TIMES, DAMPED + 2, Kind.viscoelastic, velocity=V, mass=4, start=TOUCH, baseline=2)
        for name, value in {"mass": 4, "start": TOUCH, "baseline": 2}.items():
            found = parameter(known, name)
            self.assertEqual((found.low, found.value, found.high), (value, value, value))

    def test_what_the_paper_says_of_spring_and_maxwell(self):
        spring = thud.fit(TIMES, DAMPED, Kind.spring, velocity=V)
        self.assertGreater(parameter(spring, "restitution").low, 1)
        slow, fast = (thud.fit(TIMES, force, Kind.maxwell, velocity=V) for force in (MILD, DAMPED))  # d = 1, d = 3
        self.assertGreater(slow.restitution, 1.5 * fast.restitution)

    def test_the_true_law_is_ranked_first(self):
        for kind, force, _ in TRUTHS:
            first = sum(
                thud.fit_all(TIMES, force + noise(0.01, force, seed), velocity=V).best == kind for seed in range(10)
            )
            self.assertGreaterEqual(first, 8, kind)
        found = thud.fit_all(TIMES, DAMPED, velocity=V)
        self.assertEqual([each.kind for each in found.laws], list(Kind))
        self.assertEqual(found[Kind.maxwell].kind, Kind.maxwell)
        lowest = min((each.bic, each.kind) for each in found.laws if each.status == Status.converged)
        self.assertEqual(found.best, lowest[1])
        best = found[lowest[1]]
        self.assertEqual(best.velocity, V)
        self.assertAlmostEqual(thud.fitted_profile(best).peak.time, best.time_of_peak, delta=1e-9)

    def test_says_why_it_failed(self):
        for kind in Kind:
            self.assertEqual(thud.fit(TIMES[:6], MILD[:6], kind, velocity=V).status, Status.too_few_samples)
            flat = thud.fit(TIMES, np.full(600, 3.0), kind, velocity=V)
            self.assertEqual((flat.status, flat.ok), (Status.no_contact, False))
            self.assertTrue(flat.message)
            short = thud.fit(TIMES, MILD + noise(0.01, MILD), kind, velocity=V, max_iterations=1)
            self.assertEqual(short.status, Status.no_convergence)
            self.assertIsNone(thud.fitted_profile(short))
        backwards = thud.fit(TIMES, (MILD + noise(0.01, MILD))[::-1], Kind.viscoelastic, velocity=V)
        self.assertEqual(backwards.status, Status.negative_damping)
        self.assertLess(parameter(backwards, "damping").high, 0)
        self.assertGreater(backwards.restitution, 1)
        rise = slice(0, 205)  # a spring's fall is not in it
        undetermined = thud.fit(TIMES[rise], spring_force(TIMES - TOUCH, 3e5, 0.7)[rise], Kind.spring, velocity=V)
        self.assertEqual(undetermined.status, Status.undetermined)

    def test_at_the_limit_of_the_shape_stiffness_has_no_lower_bound(self):
        """With d = 10 and 5 % noise, about one record in twenty falls towards k = 0 up to the limit, d = 499."""
        clean, limited = viscoelastic_force(TIMES - TOUCH, 3e5, 2.5e7), 0
        for seed in range(100):
            result = thud.fit(TIMES, clean + noise(0.05, clean, seed), Kind.viscoelastic, velocity=V)
            if result.status == Status.at_limit:
                limited += 1
                d = parameter(result, "damping").value * -V / parameter(result, "stiffness").value
                self.assertAlmostEqual(d / 499, 1, delta=1e-6)
                self.assertEqual((parameter(result, "stiffness").low, result.ok), (0, False))
        self.assertTrue(1 <= limited <= 15, limited)

    def test_short_and_strange_records(self):
        random = np.random.default_rng(5)
        for n in (0, 1, 2, 7, 8, 9, 12, 40, 300):
            for result in thud.fit_all(np.linspace(0, 1e-2, n), 10 * random.normal(size=n), velocity=V).laws:
                self.assertNotEqual(result.status, Status.not_run)
                self.assertTrue(not result.ok or isfinite(result.rmse))

    def test_refusals(self):
        says = lambda t=TIMES, f=DAMPED, **options: refusal(
            thud.InputError, thud.fit, t, f, Kind.spring, **{"velocity": V, **options}
        )
        self.assertIn("velocity: nan: must be", says(velocity=nan))
        self.assertIn("velocity: 0.1: must be", says(velocity=0.1))
        self.assertIn("mass: -1: must be", says(mass=-1))
        self.assertIn("start: nan: must be", says(start=nan))
        self.assertIn("max_iterations: 0: must be", says(max_iterations=0))
        self.assertIn("forces: ", says(t=TIMES[:5]))
        bad = DAMPED.copy()
        bad[3] = nan
        self.assertEqual(says(f=bad), "forces[3]: nan: must be finite")
        self.assertIn("times[7]: ", says(t=np.where(np.arange(600) == 7, TIMES[6], TIMES)))
        self.assertRaises(TypeError, thud.fit, TIMES, DAMPED, Kind.spring)  # no velocity


if __name__ == "__main__":
    unittest.main()
