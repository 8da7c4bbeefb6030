import pickle
import tempfile
import unittest
from math import isnan, pi, sqrt
from pathlib import Path

import numpy as np

import thud
from support import POINT, dynamics, posture, random_robot, refusal, small_campaign

PANDA = thud.load_robot("panda")


def slider() -> thud.Robot:
    joint = thud.Joint("slide", thud.JointType.prismatic, "mass", axis=[1, 0, 0])
    return thud.Robot("slider", [joint], [thud.BodyInertia(3, inertia=np.eye(3))], [thud.Frame("mass", 0)])


class FreeImpact(unittest.TestCase):
    def test_two_limits_tie_plant_and_predictor(self):
        """A contact of 0.4 ms: rigid joints give J_v M^-1 J_v^T, a locked arm the composite body, within 1 %."""
        for index in range(3):
            d = dynamics(index)
            state = thud.State(posture(index), thud.approach(d, 0.12).dq)
            r, n = d.p_WC - d.com_W, d.normal_W
            masses = {
                thud.PlantJoints.rigid: 1 / (n @ d.J[:3] @ np.linalg.solve(d.M, d.J[:3].T) @ n),
                thud.PlantJoints.locked: 1 / (1 / d.mass + np.cross(r, n) @ np.linalg.solve(d.Ic_W, np.cross(r, n))),
            }
            for joints, mass in masses.items():
                law = thud.Viscoelastic(mass * (pi / 2 / 4e-4) ** 2)
                run = thud.free_impact(PANDA, state, POINT, law, joints, step=5e-7, duration=1.2e-3)
                self.assertAlmostEqual(run.truth.impulse_compression / (0.12 * mass), 1, delta=0.01)

    def test_both_limits_hold_for_other_robots(self):
        tried = 0
        for seed in range(12):
            robot, random = random_robot(seed, 2 + seed % 5), np.random.default_rng(seed)
            q, dq = random.uniform(-2, 2, robot.size), random.uniform(-1, 1, robot.size)
            point = thud.ContactPoint(robot.frames[-1].name, random.uniform(-0.1, 0.1, 3), random.normal(size=3))
            d = thud.contact_dynamics(robot, point, q)
            dq = dq * (-0.1 / thud.contact_velocity(d, dq))
            free, body = thud.generalized_momentum(d), thud.composite_rigid_body(d)
            if not (free.exists and body.exists) or np.linalg.norm(dq) > 3 or free.effective_mass > 100:
                continue  # the point hardly moves
            tried += 1
            masses = {thud.PlantJoints.rigid: free.effective_mass, thud.PlantJoints.locked: body.effective_mass}
            for joints, mass in masses.items():
                law = thud.Viscoelastic(mass * (pi / 2 / 4e-4) ** 2)
                run = thud.free_impact(robot, thud.State(q, dq), point, law, joints, step=5e-7, duration=1.2e-3)
                self.assertAlmostEqual(run.truth.impulse_compression / (0.1 * mass), 1, delta=0.01)
        self.assertGreaterEqual(tried, 4)
        fer = thud.load_robot("panda_fer")  # has an inertia that no body can have
        d = thud.contact_dynamics(fer, POINT, posture(0))
        mass, state = thud.generalized_momentum(d).effective_mass, thud.State(posture(0), thud.approach(d, 0.12).dq)
        law = thud.Viscoelastic(mass * (pi / 2 / 4e-4) ** 2)
        run = thud.free_impact(fer, state, POINT, law, step=5e-7, duration=1.2e-3)
        self.assertAlmostEqual(run.truth.impulse_compression / (0.12 * mass), 1, delta=0.01)

    def test_without_motors_and_gravity_the_wall_gets_what_the_arm_loses(self):
        state = thud.State(posture(1), thud.approach(dynamics(1), 0.15).dq)
        for joints in (thud.PlantJoints.rigid, thud.PlantJoints.locked):
            energy = thud.free_impact(PANDA, state, POINT, thud.Viscoelastic(3e5, 1e6), joints).energy
            self.assertGreater(energy.wall, 0)
            self.assertAlmostEqual(-energy.kinetic / energy.wall, 1, delta=1e-3)

    def test_a_mass_on_a_slide_gives_the_profile_of_each_law(self):
        point, state = thud.ContactPoint("mass", normal_W=[-1, 0, 0]), thud.State([0], [0.2])
        w = sqrt(3e5 / 3)
        spring = thud.free_impact(slider(), state, point, thud.Spring(3e5, 0.6), step=1e-6).truth
        self.assertAlmostEqual(spring.peak_force / (0.2 * sqrt(3e5 * 3)), 1, delta=2e-3)
        self.assertAlmostEqual(spring.compression_time * w, pi / 2, delta=4e-3)
        self.assertAlmostEqual(spring.velocity_after / 0.2, 0.6, delta=2e-3)
        for law in (thud.Maxwell(3e5, 2000), thud.Viscoelastic(3e5, 2e6), thud.HuntCrossley(2e7, 8e7, 1.5)):
            run = thud.free_impact(slider(), state, point, law, step=1e-6)
            profile = thud.force_profile(law, 3, -0.2)
            during = run.time < 0.9 * profile.end_of_contact.time
            expected = thud.states(profile, run.time[during])["force"]
            np.testing.assert_allclose(run.force[during], expected, atol=5e-3 * profile.peak.force)
            self.assertAlmostEqual(run.truth.impulse_compression, 0.6, delta=2e-3)
            self.assertAlmostEqual(run.depth.max(), run.truth.depth, delta=1e-9)


class Trials(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.campaign = thud.default_campaign()
        cls.trials = [thud.simulate_trial(cls.campaign, index) for index in (3, 77, 148)]

    def test_touch_at_the_reference_speed(self):
        for lab in self.trials:
            truth = lab.run.truth
            self.assertAlmostEqual(-truth.velocity / lab.trial.speed, 1, delta=0.05)
            self.assertTrue(0 < lab.trial.alarm_time - truth.touch_time < 5e-3)
            self.assertTrue(5e-3 < truth.contact_time < 50e-3)
            d = thud.contact_dynamics(PANDA, POINT, truth.q)
            self.assertAlmostEqual(d.normal_W @ d.J[:3] @ truth.dq, truth.velocity, delta=1e-9)
            mass = thud.generalized_momentum(d).effective_mass
            self.assertGreater(truth.impulse_compression / -truth.velocity, 2 * mass)

    def test_record_agrees_with_the_truth(self):
        sensor = self.campaign.sensor
        for lab in self.trials:
            window = thud.find_contact(lab.trial.force)
            self.assertAlmostEqual(window.start + lab.trial.clock_offset, lab.run.truth.touch_time, delta=2e-4)
            self.assertAlmostEqual(window.peak / lab.run.truth.peak_force, 1, delta=0.03)
            self.assertAlmostEqual(window.noise, np.hypot(sensor.noise, sensor.resolution / sqrt(12)), delta=0.03)
            steps = lab.trial.force.force / sensor.resolution
            np.testing.assert_array_equal(steps, np.round(steps))
            self.assertAlmostEqual(np.trapezoid(lab.run.force, lab.run.time) / lab.run.truth.impulse, 1, delta=0.05)

    def test_energy_closes(self):
        for lab in self.trials:
            e = lab.run.energy
            others = e.kinetic + e.elastic + e.gravity + e.transmission + e.friction + e.wall
            self.assertAlmostEqual(e.remainder, e.motor - others, delta=1e-12)
            self.assertTrue(e.wall > 0 and e.friction > 0 and e.transmission > 0)
            self.assertLess(abs(e.remainder / e.wall), 0.01)

    def test_low_pass_keeps_the_impulse_and_delays_it(self):
        """A second-order Butterworth delays the centre of the force by sqrt(2)/(2 pi bandwidth)."""
        sensor = self.campaign.sensor.replace(noise=0, resolution=0, bandwidth=1000)
        quiet = self.campaign.replace(sensor=sensor, variation=self.campaign.variation.replace(baseline=0))
        lab = thud.simulate_trial(quiet, 45)
        felt, given = lab.trial.force, lab.run
        impulse, centre = np.trapezoid(felt.force, felt.time), np.trapezoid(felt.force * felt.time, felt.time)
        push, middle = np.trapezoid(given.force, given.time), np.trapezoid(given.force * given.time, given.time)
        self.assertAlmostEqual(impulse / push, 1, delta=2e-3)
        touch = lab.run.truth.touch_time - lab.trial.clock_offset
        self.assertAlmostEqual(centre / impulse - touch - middle / push, sqrt(2) / (2 * pi * 1000), delta=4e-5)

    def test_free_motion_raises_no_alarm(self):
        free = thud.simulate_free_motion(self.campaign, 49)
        log = free.trial.joints
        self.assertTrue(isnan(free.trial.alarm_time))
        self.assertEqual(free.run.force.size, 0)
        joints = thud.header(self.campaign).detection_joints
        self.assertLess(thud.quiet_level(log.time, log.torque, log.torque_reference, joints, 0, log.time[-1]), 1)
        limits = [each.velocity for each in PANDA.joints]
        self.assertTrue((np.abs(log.velocity).max(axis=0) < limits).all())

    def test_what_changes_a_run(self):
        one, again = thud.simulate_trial(self.campaign, 5), thud.simulate_trial(self.campaign, 5)
        np.testing.assert_array_equal(one.trial.force.force, again.trial.force.force)
        other = thud.simulate_trial(self.campaign.replace(seed=2), 5)
        self.assertFalse(np.array_equal(one.trial.force.force, other.trial.force.force))
        clipped = thud.simulate_trial(self.campaign.replace(sensor=self.campaign.sensor.replace(range=100)), 45)
        self.assertEqual(clipped.trial.force.force.max(), 100)
        drives = self.campaign.drives
        friction = self.campaign.friction
        smooth = self.campaign.replace(friction=friction.replace(level=0 * friction.level))
        self.assertEqual(thud.simulate_free_motion(smooth, 0).run.energy.friction, 0)
        still = self.campaign.replace(variation=thud.Variation(0, 0, 0, 0, 0))
        first, second = (thud.simulate_trial(still, index).run.truth for index in (20, 21))
        self.assertEqual((first.law.stiffness, first.velocity), (1e6, second.velocity))
        self.assertEqual(first.touch_time, second.touch_time)
        weak = self.campaign.replace(drives=drives.replace(effort=np.full(7, 5.0)))
        sunk = thud.simulate_free_motion(weak, 0).trial.joints.position
        held = thud.simulate_free_motion(self.campaign, 0).trial.joints.position
        self.assertGreater(np.abs(sunk - held)[:, 3].max(), 0.05)  # joint 4 holds the forearm
        half = thud.simulate_trial(self.campaign.replace(step=1e-5), 3).run.truth
        self.assertAlmostEqual(self.trials[0].run.truth.impulse / half.impulse, 1, delta=0.005)

    def test_plan(self):
        header = thud.header(self.campaign)
        self.assertEqual((len(header.plan), header.plan[0], header.plan[-1]), (150, "one_0.08_01", "three_0.18_10"))
        self.assertEqual((header.source, header.detection_joints), (thud.DataSource.simulated, (4, 5)))
        thud.validate(header, self.trials[2].trial)

    def test_refusals(self):
        says = lambda campaign, index=0: refusal(thud.InputError, thud.simulate_trial, campaign, index)
        self.assertNotEqual(says(self.campaign, 150), "not refused")
        self.assertNotEqual(says(self.campaign.replace(law=thud.Viscoelastic(-1))), "not refused")
        far = self.campaign.replace(control=self.campaign.control.replace(ramp=50))
        self.assertNotEqual(says(far), "not refused")
        stiff = self.campaign.replace(
            drives=self.campaign.drives.replace(stiffness=np.full(7, 1e12)),
            step=1e-4,
            sensor=self.campaign.sensor.replace(rate=1e4, bandwidth=2e3),
        )
        unstable = refusal(thud.PlantError, thud.simulate_trial, stiff, 0)
        self.assertTrue(unstable.startswith("step: "), "an unstable plant went unnoticed")
        rest = thud.State(posture(0), np.zeros(7))
        base = thud.ContactPoint("panda_link0", normal_W=[1, 0, 0])
        self.assertRaises(thud.RobotError, thud.free_impact, PANDA, rest, base, thud.Viscoelastic(1e5))


class Files(unittest.TestCase):
    def test_file_depends_neither_on_threads_nor_on_interruptions(self):
        campaign = small_campaign(configurations=2, repeats=2)
        with tempfile.TemporaryDirectory() as folder:
            one, two, cut = (Path(folder) / name for name in ("one.h5", "two.h5", "cut.h5"))
            told = []
            status = thud.simulate(campaign, one, jobs=1, progress=lambda *each: told.append(each))
            self.assertEqual((status, told), (thud.SimulateStatus.complete, [(i, 4) for i in range(1, 5)]))
            self.assertEqual(thud.simulate(campaign, one), thud.SimulateStatus.was_complete)
            thud.simulate(campaign, two, jobs=3)
            self.assertEqual(two.read_bytes(), one.read_bytes())

            def stop(done: int, all: int) -> None:
                if done == 2:
                    raise RuntimeError("enough")

            self.assertRaises(RuntimeError, thud.simulate, campaign, cut, jobs=1, progress=stop)
            self.assertIn(len(thud.DatasetReader(cut).finished), (2, 3))
            self.assertEqual(thud.simulate(campaign, cut), thud.SimulateStatus.complete)
            self.assertEqual(cut.read_bytes(), one.read_bytes())
            other = refusal(thud.FileError, thud.simulate, campaign.replace(seed=2), one)
            self.assertIn("seed is 1, not 2", other)

            cells = thud.summarize_cells(one)
            self.assertEqual([(each.configuration, each.trials) for each in cells], [("one", 2), ("two", 2)])
            reader = thud.DatasetReader(one)
            impulses = [reader.truth(name).impulse_compression for name in thud.header(campaign).plan[:2]]
            self.assertAlmostEqual(cells[0].impulse_compression.mean, np.mean(impulses), delta=1e-15)
            self.assertEqual(cells[0].impulse_compression.min, min(impulses))
            self.assertEqual(cells[0].threshold.missed + cells[0].observer.false_alarms, 0)

    def test_trials_may_be_made_elsewhere_and_come_in_any_order(self):
        campaign = small_campaign(repeats=3)
        with tempfile.TemporaryDirectory() as folder:
            whole, parts = Path(folder, "a.h5"), Path(folder, "b.h5")
            thud.simulate(campaign, whole)
            missing = thud.CampaignWriter(parts, campaign).missing()
            self.assertGreater(len(missing), 1)
            for index in reversed(missing):  # a new writer for each, as after a crash
                writer = thud.CampaignWriter(parts, campaign)
                self.assertEqual((writer.complete, writer.missing(), writer.size), (False, missing[:index + 1], len(missing)))
                self.assertIn("is missing", refusal(thud.InputError, writer.finish))
                made = thud.simulate_trial(pickle.loads(pickle.dumps(campaign)), index)
                trial, truth = pickle.loads(pickle.dumps((made.trial, made.run.truth)))
                writer.store(trial, truth)
                if index > 0:
                    del writer
            writer.finish()
            self.assertTrue(writer.complete)
            self.assertEqual(parts.read_bytes(), whole.read_bytes())
            self.assertEqual(thud.CampaignWriter(parts, campaign).missing(), [])
            self.assertIn("another campaign", refusal(thud.FileError, thud.CampaignWriter, parts, campaign.replace(seed=99)))


if __name__ == "__main__":
    unittest.main()
