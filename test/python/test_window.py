import unittest
from math import isnan, nan

import numpy as np

import thud
from support import DAMPED, TIMES, TOUCH, maxwell_force, record, refusal, spring_force, texts

Status = thud.ContactStatus
PEAK = DAMPED.max()


def humps(*heights: float) -> thud.Record:
    """Half cosines of 2 ms between heights [N], 20 ms of quiet on either side."""
    quiet, ramp = np.zeros(500), (1 - np.cos(np.pi * np.arange(50) / 50)) / 2
    rises = [low + (high - low) * ramp for low, high in zip(heights, heights[1:])]
    force = np.concatenate([quiet, *rises, quiet + heights[-1]])
    return thud.Record(np.arange(force.size) / 25e3, force)


class Window(unittest.TestCase):
    def test_first_touch_peak_and_end(self):
        """Bounds as window.hpp states them at 25 kHz: some 15 us late, 15 us of spread at 1 % noise."""
        forces = {
            "damped": DAMPED,
            "maxwell": maxwell_force(TIMES - TOUCH, 3e5, 1200),
            "spring": spring_force(TIMES - TOUCH, 3e5, 0.6),
        }
        for name, force in forces.items():
            for noise, bias in ((0, 18e-6), (0.01, 22e-6)):
                found = [thud.find_contact(record(force, noise, 7, seed=seed)) for seed in range(20 if noise else 1)]
                starts = np.array([each.start for each in found])
                self.assertLess(abs(starts.mean() - TOUCH), bias, name)
                self.assertLess(starts.std(), 20e-6, name)
                self.assertAlmostEqual(np.mean([each.peak for each in found]) / force.max(), 1, delta=0.02)
            window = thud.find_contact(record(force))
            self.assertEqual((window.status, thud.usable(window)), (Status.found, True))
            last = TIMES[np.flatnonzero(force > 0.01 * force.max())[-1]]  # less the width of a mean over up to 1 ms
            self.assertTrue(last - 1e-3 < window.end < last + 1e-4, name)
            self.assertEqual(TIMES[window.last], window.end)
            self.assertTrue(TIMES[window.first - 1] < window.start <= TIMES[window.first])

    def test_noise_baseline_and_drift(self):
        quiet = np.concatenate([np.zeros(500), DAMPED])
        times = np.arange(quiet.size) / 25e3
        noise = 0.01 * PEAK * np.random.default_rng(1).normal(size=quiet.size)
        window = thud.find_contact(thud.Record(times, quiet + noise - 30 + 800 * (times - 0.024)))
        self.assertAlmostEqual(window.noise / (0.01 * PEAK), 1, delta=0.1)
        self.assertAlmostEqual(window.baseline, -30, delta=0.5 * 0.01 * PEAK)
        self.assertAlmostEqual(window.drift, 800, delta=60)
        self.assertGreater(window.quiet, 500)

    def test_a_sensor_of_the_other_sign(self):
        up = record(DAMPED, 0.02, 12)
        down = up.replace(force=-up.force)
        a, b = thud.find_contact(up), thud.find_contact(down)
        self.assertEqual((a.sign, b.sign, a.start, a.peak, a.baseline), (1, -1, b.start, b.peak, -b.baseline))
        self.assertIn("the force is negative in contact; its sign is reversed", texts(b.notes))
        self.assertGreater(thud.contact_samples(down, b).force.max(), 0.9 * PEAK)
        summary = thud.summarize(down.replace(notes=[thud.Warning(text="columns not used: temperature")]))
        self.assertEqual(texts(summary.warnings), ("columns not used: temperature", *texts(b.notes)))
        self.assertAlmostEqual(summary.sampling.rate, 25000, delta=1e-3)

    def test_a_record_that_begins_at_the_touch(self):
        begun = thud.Record(TIMES[:500], DAMPED[100:] + 20)
        window = thud.find_contact(begun)
        self.assertEqual((window.status, window.quiet), (Status.found, 0))
        self.assertIn("no quiet samples before the contact; the baseline is the level after it", texts(window.notes))
        self.assertAlmostEqual(window.baseline, 20, delta=0.01 * PEAK)

    def test_a_tool_that_presses_on(self):
        after = TIMES - TOUCH
        press = np.where(after > 0, 0.4 * PEAK * (1 - np.exp(-after / 5e-3)), 0)
        long = np.concatenate([np.maximum(DAMPED, press), np.full(600, press[-1])])
        window = thud.find_contact(thud.Record(np.arange(1200) / 25e3, long))
        self.assertEqual(window.status, Status.pressing)
        self.assertTrue(window.peak_time < window.end < TOUCH + 20e-3)

    def test_no_contact(self):
        for drift in (0, 300, -3000):
            window = thud.find_contact(record(0 * DAMPED, 0, 5, drift))
            self.assertEqual((window.status, thud.usable(window)), (Status.no_contact, False))
            self.assertTrue(isnan(window.start))
        slow = 50 * np.exp(-((np.arange(5000) * 1e-3 - 2.5) ** 2))
        swelling = thud.find_contact(thud.Record(np.arange(5000) * 1e-3, slow))
        self.assertIn("an impact takes at most 0.1 s", swelling.message)

    def test_cut_records_gaps_and_signs(self):
        self.assertEqual(thud.find_contact(thud.Record(TIMES[:200], DAMPED[:200])).status, Status.cut_at_end)
        self.assertEqual(thud.find_contact(thud.Record(TIMES[:490], DAMPED[110:])).status, Status.cut_at_start)
        for index, said in ((20, False), (200, True)):
            holed = thud.find_contact(thud.Record(np.delete(TIMES, index), np.delete(DAMPED, index)))
            self.assertEqual(holed.status, Status.found)
            self.assertEqual("samples are missing in the contact" in " ".join(texts(holed.notes)), said)
        release = thud.Record(TIMES[:450], DAMPED[150:])  # a push that ends, or a pull that begins?
        self.assertEqual(thud.find_contact(release).status, Status.ambiguous_sign)

    def test_clipped_doubled_and_spiked(self):
        self.assertNotIn("exactly", " ".join(texts(thud.find_contact(record(np.round(DAMPED))).notes)))
        clipped = thud.find_contact(record(np.minimum(np.round(DAMPED), 100)))
        self.assertIn("samples read exactly 100 N", " ".join(texts(clipped.notes)))
        two = np.concatenate([DAMPED, 1.5 * DAMPED])
        twice = thud.find_contact(thud.Record(np.arange(1200) / 25e3, two))
        self.assertAlmostEqual(twice.start, TOUCH, delta=1e-4)
        self.assertIn("there is another contact at t = 0.02", " ".join(texts(twice.notes)))
        later = thud.Record(np.arange(1200) / 25e3, two)
        second = TOUCH + 600 / 25e3
        for options in ({"contact": 2}, {"from_": 0.022}):
            self.assertAlmostEqual(thud.find_contact(later, **options).start, second, delta=1e-4)
            found = thud.identify(later, thud.LawKind.viscoelastic, velocity=-0.12, **options)
            self.assertAlmostEqual(found.window.start, second, delta=1e-4)
        self.assertAlmostEqual(thud.find_contact(later, to=0.023).start, TOUCH, delta=1e-4)
        self.assertEqual(len(thud.find_contacts(later)), 2)
        says = refusal(thud.InputError, thud.find_contact, later, contact=3)
        self.assertEqual(says, "contact: 3: the record has 2 contacts")
        spiked = record(DAMPED, 0.01).force.copy()
        spiked[40] = 2000
        window = thud.find_contact(thud.Record(TIMES, spiked))
        self.assertAlmostEqual(window.start, TOUCH, delta=1e-4)
        self.assertAlmostEqual(window.peak / PEAK, 1, delta=0.02)

    def test_humps_belong_to_one_contact(self):
        window = thud.find_contact(humps(0, 190, 150, 220, 0))
        self.assertEqual(window.status, Status.found)
        self.assertAlmostEqual(window.peak, 220, delta=4)
        self.assertAlmostEqual(window.end, 28e-3, delta=0.5e-3)

        pressing = thud.find_contact(humps(0, 200, 40, 120, 120, 120, 120))  # a fall to a fifth and a new rise
        self.assertEqual(pressing.status, Status.pressing)

    def test_noise_is_not_rounded_to_the_sensors_step(self):
        """Rounding adds the variance of a step, step^2/12; 500 quiet samples tell a deviation to 6 %."""
        whole = humps(0, 200, 0)
        noisy = whole.force + 0.25 * np.random.default_rng(1).normal(size=whole.force.size)
        for step in (0.1, 0.25, 0.5):
            rounded = whole.replace(force=step * np.round(noisy / step))
            self.assertAlmostEqual(thud.find_contact(rounded).noise, np.hypot(0.25, step / np.sqrt(12)), delta=0.05)

    def test_the_contact_force_without_the_sensor(self):
        raw = record(DAMPED, 0, 40)
        turned = raw.replace(force=-raw.force)
        window = thud.find_contact(turned)
        samples = thud.contact_samples(turned, window, before=5)
        self.assertEqual(samples.time.size, window.last - window.first + 6)
        np.testing.assert_allclose(samples.force, np.interp(samples.time, TIMES, DAMPED), atol=0.05)

    def test_refusals(self):
        whole = record(DAMPED)
        for options in ({"min_peak": 0}, {"max_rise": -1}, {"end_fraction": nan}):
            self.assertNotEqual(refusal(thud.InputError, thud.find_contact, whole, **options), "not refused")
        self.assertRaises(thud.InputError, thud.find_contact, thud.Record())
        nothing = thud.find_contact(record(0 * DAMPED))
        self.assertRaises(thud.InputError, thud.contact_samples, whole, nothing)


if __name__ == "__main__":
    unittest.main()
