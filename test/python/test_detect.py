import unittest
from math import inf, isnan, nan

import numpy as np

import thud
from support import TIMES, dynamics, posture, refusal

TIME = np.array([0, 0.001, 0.0025, 0.003, 0.01, 0.011])
# joints 1 and 3 are watched: the residuals are 0.5, 1.5, 1, 2, 2.5, 0 in binary-exact numbers
TORQUE = np.array([[90, 1.25, 0, 2], [90, 2.5, 0, 2], [90, 1, 0, 1], [90, 0, 0, 1], [90, 1, 0, 4.5], [90, 1, 0, 2]])
REFERENCE = np.tile([-90, 1, 7, 2.0], (6, 1))
REFERENCE[0, 3] = 2.25
RESIDUALS = [0.5, 1.5, 1, 2, 2.5, 0]
WATCHED = [1, 3]
GAIN = 100.0  # [1/s]


def pushed_pendulum(push: float, step: float = 1e-3, samples: int = 100) -> tuple[np.ndarray, ...]:
    """A rod turning about y under gravity and constant torques; Runge and Kutta's steps. tau = 2 N m."""
    times, states, state = step * np.arange(samples), [], np.array([0.3, 0.4])

    def rate(s: np.ndarray) -> np.ndarray:  # (I + m l^2) ddq = tau + push + m g l sin(q): the rod stands upright at 0
        return np.array([s[1], (2 + push + 3 * 9.81 * 0.5 * np.sin(s[0])) / (0.1 + 3 * 0.25)])

    for _ in times:
        states.append(state)
        fine = step / 10
        for _ in range(10):
            a = rate(state)
            b = rate(state + fine / 2 * a)
            c = rate(state + fine / 2 * b)
            state = state + fine / 6 * (a + 2 * b + 2 * c + rate(state + fine * c))
    q, dq = np.array(states).T
    return times, q[:, None], dq[:, None], np.full((samples, 1), 2.0)


def pendulum() -> thud.Robot:
    body = thud.BodyInertia(3, [0, 0, 0.5], np.diag([0.1, 0.1, 0.01]))
    return thud.Robot("rod", [thud.Joint("j", axis=[0, 1, 0], link="rod")], [body], [thud.Frame("rod", 0)])


class Threshold(unittest.TestCase):
    def test_residual_by_hand(self):
        for torque, reference, expected in zip(TORQUE, REFERENCE, RESIDUALS):
            self.assertEqual(thud.torque_residual(WATCHED, torque, reference), expected)
            self.assertEqual(thud.torque_residual(WATCHED, reference, torque), expected)
        self.assertEqual(thud.torque_residual([], [1, 2], [0, 0]), 0)

    def test_alarm_stays(self):
        detector = thud.ThresholdDetector(WATCHED, 2)
        self.assertTrue(isnan(detector.residual))
        alarms = [detector.update(torque, reference) for torque, reference in zip(TORQUE, REFERENCE)]
        self.assertEqual(alarms, [False] * 4 + [True] * 2)  # a residual of 2 is not above 2
        self.assertEqual((detector.alarm, detector.residual), (True, 0))
        detector.reset()
        self.assertFalse(detector.alarm)
        self.assertTrue(detector.update([0, 1.5, 0, -1.5]))
        self.assertEqual((detector.joints, detector.threshold, detector.consecutive), (WATCHED, 2, 1))

    def test_cycles_in_a_row_and_failing_sensors(self):
        detector = thud.ThresholdDetector([0], 1, consecutive=3)
        self.assertEqual([detector.update(r) for r in (2.0, 2.0, 1.0, 2.0, 2.0, 2.0, 0.0)], [False] * 5 + [True] * 2)
        failing = thud.ThresholdDetector([0, 1], 1)
        self.assertFalse(failing.update([0, 0, nan]))
        self.assertTrue(failing.update([0, nan, 0]))

    def test_find_alarm(self):
        found = thud.find_alarm(TIME, TORQUE, REFERENCE, thud.ThresholdDetector(WATCHED, 1))
        self.assertEqual((found.sample, found.time, found.residual), (1, 0.001, 1.5))
        at = lambda threshold, consecutive=1, start=-inf: thud.find_alarm(
            TIME, TORQUE - REFERENCE, thud.ThresholdDetector(WATCHED, threshold, consecutive), start
        )
        self.assertEqual([at(1, 2).sample, at(2).sample, at(2.5)], [4, 4, None])
        self.assertEqual([at(1, 1, 0.001).sample, at(1, 1, 0.0011).sample, at(1, 2, 0.01)], [1, 3, None])

    def test_find_alarm_is_the_streaming_detector_on_a_log(self):
        random = np.random.default_rng(1)
        for round in range(30):
            torque, reference = random.uniform(-1, 1, (2, 400, 7))
            detector = thud.ThresholdDetector([4, 5], random.uniform(2, 4), 1 + round % 3)
            found = thud.find_alarm(np.arange(400.0), torque, reference, detector)
            alarms = [detector.update(a, b) for a, b in zip(torque, reference)]
            self.assertEqual(found.sample if found else None, alarms.index(True) if any(alarms) else None)

    def test_quiet_level(self):
        quiet = lambda low, high: thud.quiet_level(TIME, TORQUE, REFERENCE, WATCHED, low, high)
        self.assertEqual([quiet(-inf, inf), quiet(0, 0.003), quiet(0.0015, 0.0029)], [2.5, 2, 1])
        self.assertEqual(thud.quiet_level(TIME, TORQUE - REFERENCE, WATCHED, from_=0, to=0.001), 1.5)


class Observer(unittest.TestCase):
    def test_free_motion_and_a_constant_push(self):
        """r follows a constant external torque as 1 - exp(-K t); the trapezoidal rule leaves 1e-4 of the torques."""
        for push in (0.0, 1.7):
            log = pushed_pendulum(push)
            r = thud.external_torques(pendulum(), *log, gain=GAIN)
            expected = push * -np.expm1(-GAIN * log[0])
            np.testing.assert_allclose(r[:, 0], expected, atol=1e-4 * 17)

    def test_it_is_the_integral_of_the_textbook(self):
        times, q, dq, tau = pushed_pendulum(1.7, step=1e-4, samples=300)
        r = thud.external_torques(pendulum(), times, q, dq, tau, gain=GAIN)[:, 0]
        p, integral = 0.85 * dq[:, 0], 0.0
        for i in range(300):
            by_hand = GAIN * (p[i] - p[0] - integral)
            self.assertAlmostEqual(r[i], by_hand, delta=0.02 * 1.7)  # Euler's rule
            integral += 1e-4 * (2 + 3 * 9.81 * 0.5 * np.sin(q[i, 0]) + by_hand)

    def test_resets_and_gaps(self):
        robot, rest, push = thud.load_robot("spatial_3r"), np.zeros(3), np.full(3, -2.0)
        hold = -thud.lagrange_terms(robot, rest, rest).gradient
        observer = thud.MomentumObserver(robot, GAIN)
        np.testing.assert_array_equal(observer.external_torque, rest)
        np.testing.assert_array_equal(observer.update(rest, rest, hold + push, 1e-3), rest)
        after = observer.update(rest, rest, hold + push, 1e-3)  # stays although the motors push: pushed the other way
        np.testing.assert_allclose(after, push * np.expm1(-0.1), atol=1e-12)
        observer.reset()
        np.testing.assert_array_equal(observer.external_torque, rest)
        fast = thud.MomentumObserver(robot, 1e4)
        for dt in (1e-3, 1.0, 1e-3, 60.0):
            fast.update(rest, rest, hold - push, dt)
        np.testing.assert_allclose(fast.external_torque, push, atol=1e-12)

    def test_a_held_arm_that_is_pushed_alarms_when_the_gain_says(self):
        """The arm stands still against a force at the foot from t = 10 ms on; half the torque is seen after ln 2/K."""
        panda, q, touch = thud.load_robot("panda"), posture(0), 0.01
        push = dynamics(0).J[:3].T @ [-40, 0, 0]
        hold = -thud.lagrange_terms(panda, q, np.zeros(7)).gradient
        torque = hold - np.where(TIMES[:, None] >= touch, push, 0)
        still = np.tile(q, (600, 1)), np.zeros((600, 7))
        for gain in (200.0, 1000.0):
            r = thud.external_torques(panda, TIMES, *still, torque, gain=gain)
            half = thud.torque_residual([4, 5], push, np.zeros(7)) / 2
            self.assertLess(thud.quiet_level(TIMES, r, [4, 5], 0, touch - 1e-4), 1e-9)
            alarm = thud.find_alarm(TIMES, r, thud.ThresholdDetector([4, 5], half))
            self.assertAlmostEqual(alarm.time, touch + np.log(2) / gain, delta=2 * 4e-5)
        self.assertEqual(thud.usual_gain, 500)


class Refusals(unittest.TestCase):
    def test_detectors(self):
        says = lambda *arguments: refusal(thud.InputError, thud.ThresholdDetector, *arguments)
        self.assertEqual(says([], 1), "joints: none: at least one joint must be watched")
        self.assertEqual(says([4, -1], 1), "joints: -1: a joint's index must be at least 0")
        self.assertEqual(says([4, 5, 4], 1), "joints: 4: must not be listed twice")
        self.assertEqual(says([4], -1.8), "threshold: -1.8: must be finite and greater than 0")
        self.assertEqual(says([4], 1, 0), "consecutive: 0: must be at least 1")

    def test_logs(self):
        detector = thud.ThresholdDetector(WATCHED, 1)
        says = lambda time=TIME, torque=TORQUE, start=0.0: refusal(
            thud.InputError, thud.find_alarm, time, torque, REFERENCE, detector, start
        )
        self.assertEqual(says(start=nan), "start: nan: must be a time")
        self.assertEqual(says(TIME[[0, 1, 1, 3, 4, 5]]), "time[2]: 0.001: time must increase from sample to sample")
        self.assertEqual(says(TIME[:0]), "time: 0 samples: a log needs at least one")
        rule = "must be 6 x 4, a row per sample and a column per joint"
        self.assertEqual(says(torque=TORQUE[:5]), f"torque: 5 x 4: {rule}")
        self.assertEqual(says(torque=TORQUE + [inf, 0, 0, 0]), "torque: inf: must be finite (sample 0, joint 0)")
        watched = thud.ThresholdDetector([1, 4], 1)
        self.assertEqual(
            refusal(thud.InputError, thud.find_alarm, TIME, TORQUE, watched), "joints: 4: the log has 4, from 0"
        )

    def test_observers(self):
        robot = thud.load_robot("planar_2r")
        says = lambda *arguments: refusal(thud.InputError, thud.MomentumObserver, robot, *arguments)
        self.assertEqual(says(0), "gain: 0: must be finite and greater than 0")
        self.assertEqual(says(1, [0, inf, 0]), "gravity: 0,inf,0: must be finite")
        good, wide = np.zeros((3, 2)), np.zeros((3, 3))
        found = refusal(thud.InputError, thud.external_torques, robot, [0, 1, 2], good, wide, good)
        self.assertEqual(found, "velocity: 3 x 3: must be 3 x 2, a row per sample and a column per joint")


if __name__ == "__main__":
    unittest.main()
