import unittest
from math import isfinite, isnan

import numpy as np

import claims
import thud
from support import refusal

Judgement = thud.Judgement


def verdict(study: thud.Study, claim: str) -> thud.Verdict:
    return next(each for each in study.verdicts if each.claim == claim)


def change_trials(dataset: thud.Dataset, change) -> thud.Dataset:
    return dataset.replace(trials=[change(trial) for trial in dataset.trials])


class Claims(unittest.TestCase):
    def test_what_is_broken_falls_and_nothing_else(self):
        for broken in ("", "c1.spring", "c2.algebraic", "r1", "small_restitution"):
            dataset, truths = claims.build(10, broken)
            found = thud.study(dataset, truths)
            self.assertEqual([each.claim for each in found.verdicts], claims.NAMES)
            for each in found.verdicts:
                expected = Judgement.not_supported if each.claim == broken else Judgement.supported
                self.assertEqual(each.judgement, expected, f"{broken}: {each.claim}: {each.why}")
                self.assertTrue(isfinite(each.statistic) and each.unit and each.statement and each.section)


class WithoutTorques(unittest.TestCase):
    def test_only_the_delays_are_missing(self):
        none = np.zeros((0, 0))
        bare = lambda trial: trial.replace(joints=trial.joints.replace(torque=none, torque_reference=none))
        for trial in thud.study(change_trials(claims.build(1, configurations=1)[0], bare)).trials:
            self.assertEqual(trial.touch.source, thud.VelocitySource.joints)
            self.assertTrue(isnan(trial.detection_delay) and isnan(trial.observer_delay))
            self.assertTrue(isfinite(trial.impulse_compression))


class Sample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dataset, cls.truths = claims.build(3)
        cls.study = thud.study(cls.dataset, cls.truths)
        cls.first = claims.only(cls.dataset, [trial.name for trial in cls.dataset.trials if trial.repeat == 1])

    def test_trials_are_what_happened(self):
        best = 0
        for trial, truth in zip(self.study.trials, self.truths):
            self.assertTrue(trial.ok, trial.message)
            self.assertEqual(trial.touch.source, thud.VelocitySource.joints)
            self.assertAlmostEqual(trial.touch.v_exact / truth.velocity, 1, delta=1e-3)
            np.testing.assert_allclose(trial.touch.q, truth.q, atol=1e-4)
            self.assertAlmostEqual(trial.impulse_compression / truth.impulse_compression, 1, delta=0.03)
            self.assertAlmostEqual(trial.impulse_total / truth.impulse, 1, delta=0.03)
            self.assertAlmostEqual(trial.peak_force / truth.peak_force, 1, delta=0.01)
            self.assertAlmostEqual(trial.peak_time, truth.peak_time, delta=1e-4)
            best += trial.found.best == thud.LawKind.viscoelastic
            if trial.repeat > 1:
                self.assertAlmostEqual(trial.detection_delay, 4e-3, delta=1e-4)  # given
            else:
                self.assertTrue(0 <= trial.detection_delay < 2e-3)  # from the log at 1 kHz
            self.assertTrue(0 <= trial.observer_delay < 4e-3)
        self.assertGreaterEqual(best, 42)  # of 45: fit.hpp promises the true law in 95 %

    def test_table_one_by_a_second_road(self):
        """The rigid body's velocity from its momentum, X I_G^-1 A_G dq, in plain matrices."""
        for cell in self.study.cells:
            exact, approximate = [], []
            for i in cell.trials:
                truth = self.truths[i]
                d = thud.contact_dynamics(claims.PANDA, claims.POINT, truth.q)
                momentum = d.A_G @ truth.dq
                turning = np.linalg.solve(d.Ic_W, momentum[3:])
                exact.append(d.normal_W @ d.J[:3] @ truth.dq)
                approximate.append(d.normal_W @ (momentum[:3] / d.mass + np.cross(turning, d.p_WC - d.com_W)))
            ratio = np.mean(np.divide(approximate, exact))
            self.assertAlmostEqual(cell.velocity_exact.mean / np.mean(exact), 1, delta=1e-3)
            self.assertAlmostEqual(cell.velocity_approximate.mean / np.mean(approximate), 1, delta=1e-3)
            self.assertAlmostEqual(cell.ratio.mean / ratio, 1, delta=1e-3)

    def test_mean_and_spread_by_hand(self):
        cell = self.study.cells[7]
        self.assertEqual((cell.configuration, cell.speed, len(self.study.cells)), ("two", 0.12, 15))
        peaks = [self.study.trials[i].peak_force for i in cell.trials]
        found = cell.peak_force
        self.assertAlmostEqual(found.mean, np.mean(peaks), delta=1e-12 * found.mean)
        self.assertAlmostEqual(found.std, np.std(peaks, ddof=1), delta=1e-9 * found.mean)
        self.assertEqual((found.count, found.min, found.max), (3, min(peaks), max(peaks)))

    def test_predictions_of_a_cell(self):
        self.assertEqual(self.study.robots, ("panda", "panda_fer", "panda_gaz"))
        for cell in self.study.cells:
            for name, prediction in zip(self.study.robots, cell.predictions):
                d = thud.contact_dynamics(thud.load_robot(name), claims.POINT, cell.q)
                r, n = d.p_WC - d.com_W, d.normal_W
                W = 1 / d.mass + np.cross(r, n) @ np.linalg.solve(d.Ic_W, np.cross(r, n))
                found = prediction[thud.InertiaModel.composite_rigid_body].impulse.compression
                self.assertAlmostEqual(found, -cell.velocity_exact.mean / W, delta=1e-9)

    def test_statistics_of_verdicts_by_their_definitions(self):
        """docs/study.md: largest median COR over the wall's; mean miss of the composite body over the least of the others."""
        medians, misses = [], {option: [] for option in thud.all_inertia_models}
        for cell in self.study.cells:
            trials = [self.study.trials[i] for i in cell.trials]
            walls = [thud.restitution(trial.truth.law, 1, trial.touch.v_exact) for trial in trials]
            cors = [trial.law(thud.LawKind.viscoelastic).restitution for trial in trials]
            medians.append(np.median(np.divide(cors, walls)))
            for option in thud.all_inertia_models:
                predicted = cell.predictions[0][option].impulse.compression
                misses[option].append(abs(predicted / cell.impulse_compression.mean - 1))
        self.assertAlmostEqual(verdict(self.study, "r1").statistic, max(medians), delta=1e-12)
        mean = {option: np.mean(each) for option, each in misses.items()}
        composite = mean.pop(thud.InertiaModel.composite_rigid_body)
        self.assertAlmostEqual(
            verdict(self.study, "c2.composite_rigid_body").statistic, composite / min(mean.values()), delta=1e-12
        )

    def points(self, kind: thud.LawKind, configuration: str) -> tuple[np.ndarray, np.ndarray]:
        """Mean speed of its cell, and COR, of each trial."""
        cells = [cell for cell in self.study.cells if cell.configuration == configuration]
        found = [(-cell.velocity_exact.mean, self.study.trials[i].law(kind)) for cell in cells for i in cell.trials]
        return np.array([each[0] for each in found]), np.array([each[1].restitution for each in found])

    def test_trend_by_theil_and_sen(self):
        """Upper 95 % bound of the slope, from the ranks of all slopes between trials of different speed."""
        term = lambda n: n * (n - 1) * (2 * n + 5)
        bounds = []
        for name in ("one", "two", "three"):
            x, y = self.points(thud.LawKind.viscoelastic, name)
            slopes = np.sort([(y[j] - y[i]) / (x[j] - x[i]) for i in range(15) for j in range(15) if x[i] < x[j]])
            reach = 1.959964 * np.sqrt((term(15) - 5 * term(3)) / 18)
            bounds.append(slopes[slopes.size - int(np.rint((slopes.size - reach) / 2))])
        self.assertAlmostEqual(verdict(self.study, "c1.viscoelastic").statistic, max(bounds), delta=1e-12)

    def test_difference_between_speeds_by_kruskal_and_wallis(self):
        """H as an analysis of variance of the ranks; chi-squared with four degrees of freedom."""
        _, y = self.points(thud.LawKind.maxwell, "three")
        ranks = np.argsort(np.argsort(y)) - 7.0
        h = 14 * np.sum(ranks.reshape(5, 3).sum(axis=1) ** 2 / 3) / np.sum(ranks**2)
        p = np.exp(-h / 2) * (1 + h / 2)
        self.assertIn(f"p = {p:.3g}", verdict(self.study, "c1.maxwell").why)

    def test_truth_stays_in_its_section(self):
        by = {each.quantity: each for each in self.study.truth}
        self.assertEqual((by["stiffness"].trials, by["stiffness"].simulated), (45, claims.STIFFNESS))
        self.assertLess(by["velocity"].largest_error, 1e-3)
        self.assertLess(by["impulse_compression"].median_error, 0.01)
        without = thud.study(self.dataset)
        self.assertIsNone(without.truth)
        others = lambda study: [each.why for each in study.verdicts if each.claim != "r1"]
        self.assertEqual(others(without), others(self.study))
        self.assertIn("simulated wall", verdict(self.study, "r1").why)
        self.assertNotIn("simulated wall", verdict(without, "r1").why)

    def test_what_a_law_leaves_over(self):
        for trial in self.study.trials:
            left = {law.kind: each for law, each in zip(trial.found.laws, trial.residuals, strict=True)}
            self.assertGreater(left[thud.LawKind.viscoelastic].runs_p, 1e-4)
            self.assertLess(left[thud.LawKind.spring].runs_p, 1e-6)
            law = trial.law(thud.LawKind.viscoelastic)
            rest = thud.residuals(trial.found.contact, law)
            # the fit knows the force to 1e-6 of some 300 N, against 1 N of noise
            self.assertAlmostEqual(np.sqrt(np.mean(rest**2)) / law.rmse, 1, delta=3e-4)
            spectrum = thud.summarize_residuals(trial.found.contact.time, rest).spectrum
            np.testing.assert_array_equal(spectrum, left[thud.LawKind.viscoelastic].spectrum)
            self.assertIsNone(trial.arm_residuals)

    def test_the_result_does_not_depend_on_threads(self):
        told = []
        one = thud.study(self.first, jobs=1, progress=lambda *each: told.append(each))
        four = thud.study(self.first, jobs=4)
        self.assertEqual(told, [(i + 1, 15) for i in range(15)])
        self.assertEqual(thud.results_json(one, "a"), thud.results_json(four, "a"))
        self.assertTrue(all(isnan(cell.peak_force.std) for cell in one.cells))

    def test_data_as_people_have_them(self):
        bare = thud.study(change_trials(self.first, lambda trial: trial.replace(joints=thud.JointLog())))
        for trial in bare.trials:
            self.assertEqual(trial.touch.source, thud.VelocitySource.reference)
            self.assertAlmostEqual(trial.touch.v_exact, -trial.speed, delta=1e-12)
        self.assertIn("15 trials: no joint log", bare.warnings[0].text)
        positions = lambda trial: trial.replace(joints=trial.joints.replace(velocity=np.empty((0, 0))))
        for trial in thud.study(change_trials(self.first, positions)).trials:
            truth = self.truths[[each.name for each in self.dataset.trials].index(trial.name)]
            self.assertAlmostEqual(trial.touch.v_exact / truth.velocity, 1, delta=1e-4)
            self.assertTrue(isnan(trial.observer_delay))
        loud = lambda trial: trial.replace(joints=trial.joints.replace(torque=trial.joints.torque + 5))
        self.assertTrue(all(isnan(each.detection_delay) for each in thud.study(change_trials(self.first, loud)).trials))

        early = lambda trial: trial.replace(alarm_time=trial.joints.time[0])
        warned = thud.study(change_trials(self.first, early))
        self.assertTrue(all(isnan(each.detection_delay) for each in warned.trials))
        self.assertIn("15 trials: the controller's alarm came before the touch", warned.warnings[0].text)

    def test_what_few_data_can_tell(self):
        slow = [trial.name for trial in self.dataset.trials if trial.configuration == "three"]
        rule = verdict(thud.study(claims.only(self.dataset, slow)), "small_restitution")
        self.assertEqual(rule.judgement, Judgement.not_testable)
        self.assertIn("applies to 0 trials", rule.why)
        for each in thud.study(claims.only(self.dataset, ["one_2_1"])).verdicts:
            self.assertEqual(each.judgement, Judgement.not_testable, each.claim)

    def test_a_law_that_does_not_fit_is_not_supported(self):
        table = np.where((np.arange(1000) > 250) & (np.arange(1000) < 333), 400.0, 0)
        flat = lambda trial: trial.replace(force=trial.force.replace(force=table + trial.force.force % 1))
        found = verdict(thud.study(change_trials(self.first, flat)), "c1.viscoelastic")
        self.assertEqual((found.judgement, found.threshold), (Judgement.not_supported, 0.9))
        self.assertLess(found.statistic, 0.9)

    def test_another_arm_has_no_panda_beside_it(self):
        header = self.first.header.replace(
            robot="planar_2r",
            urdf=thud.urdf_text("planar_2r"),
            point=thud.ContactPoint("tip", normal_W=[-1, 0, 0]),
            detection_joints=[0, 1],
            configurations=[each.replace(q=[0.7, 0.7]) for each in self.first.header.configurations],
        )
        bare = change_trials(self.first, lambda trial: trial.replace(joints=thud.JointLog()))
        found = thud.study(bare.replace(header=header))
        self.assertEqual(found.robots, ("planar_2r",))
        self.assertEqual(verdict(found, "c2.algebraic").judgement, Judgement.not_testable)
        self.assertNotEqual(verdict(found, "c2.composite_rigid_body").judgement, Judgement.not_testable)

    def test_noise_and_retreat_are_left_out(self):
        noise = np.random.default_rng(4).normal(size=1000)
        silent = lambda trial: trial.replace(force=trial.force.replace(force=noise))
        nothing = thud.study(change_trials(self.first, silent))
        self.assertEqual({each.judgement for each in nothing.verdicts}, {Judgement.not_testable})
        self.assertTrue(all(cell.trials == () for cell in nothing.cells))
        away = lambda trial: trial.replace(joints=trial.joints.replace(velocity=-trial.joints.velocity))
        gone = thud.study(change_trials(claims.only(self.dataset, ["two_2_1"]), away))
        self.assertEqual(gone.trials[0].status, thud.TrialStatus.no_approach)
        self.assertEqual(gone.trials[0].message, "the joint log says that the contact point does not approach")
        half = self.first.replace(trials=self.first.trials[:6])
        self.assertIn("6 of 15 trials", thud.study(half).warnings[0].text)

    def test_another_robot_can_judge(self):
        one = claims.only(self.dataset, ["one_0_1"])
        self.assertEqual(
            thud.study(one, robot=thud.load_robot("panda_gaz")).robots, ("panda_gaz", "panda", "panda_fer")
        )
        renamed = one.replace(header=one.header.replace(robot="our arm"))
        self.assertEqual(thud.study(renamed).robots, ("our arm", "panda_fer", "panda_gaz"))

    def test_refusals(self):
        one = claims.only(self.dataset, ["one_0_1"])
        says = lambda *arguments, **options: refusal(thud.Error, thud.study, one, *arguments, **options)
        self.assertEqual(says(self.truths[:2]), "truth: 2 entries: must be none, or one for each of 1 trials")
        self.assertEqual(says(material_restitution=1.5), "material_restitution: 1.5: must be in (0, 1]")
        self.assertEqual(says(jobs=-1), "jobs: -1: must be at least 0")
        wrong = says(robot=thud.load_robot("planar_2r"))
        self.assertEqual(wrong, "robot: planar_2r: has 2 joints where the dataset has 7")


if __name__ == "__main__":
    unittest.main()
