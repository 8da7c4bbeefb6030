import tempfile
import unittest
from math import pi
from pathlib import Path

import numpy as np

import thud
from support import refusal


class Campaign(unittest.TestCase):
    def test_default_is_the_papers_experiment(self):
        campaign = thud.default_campaign()
        self.assertEqual((campaign.robot, campaign.repeats), ("panda", 10))
        np.testing.assert_array_equal(campaign.speeds, [0.08, 0.10, 0.12, 0.15, 0.18])
        self.assertEqual([each.threshold for each in campaign.configurations], [1.8, 1.8, 1.5])
        self.assertEqual(campaign.detection_joints, ("panda_joint5", "panda_joint6"))
        self.assertEqual((campaign.sensor.rate, campaign.control.period), (25e3, 1e-3))
        for each in campaign.configurations:  # keeps the tool horizontal
            self.assertAlmostEqual(each.q[5], pi / 2 + each.q[1] - each.q[3], delta=1e-15)
        self.assertAlmostEqual(thud.restitution(campaign.law, 1, -0.12), 0.627, delta=5e-4)  # of the material

    def test_text_comes_back_as_it_was(self):
        default = thud.default_campaign()
        laws = (thud.Spring(1e5, 0.5), thud.Maxwell(1e5, 900), thud.HuntCrossley(2e8, 1e9, 1.5), default.law)
        with tempfile.TemporaryDirectory() as folder:
            for law in laws:
                campaign = default.replace(law=law, seed=2**53 + 1, speeds=[1 / 3])  # more than a double holds
                path = Path(folder) / "plan.toml"
                path.write_text(thud.format_campaign(campaign))
                back = thud.read_campaign(path)
                self.assertEqual((back.seed, back.speeds[0]), (2**53 + 1, 1 / 3))
                self.assertEqual(thud.law_parameters(back.law), thud.law_parameters(law))
                self.assertEqual(thud.format_campaign(back), thud.format_campaign(campaign))

    def test_keys_left_out_keep_their_defaults(self):
        campaign = thud.parse_campaign("seed = 7\nspeeds = [0.1]\n[joints]\nstiffness = 9000\n")
        self.assertEqual((campaign.seed, campaign.repeats), (7, 10))
        np.testing.assert_array_equal(campaign.drives.stiffness, np.full(7, 9000))
        np.testing.assert_array_equal(campaign.drives.damping, thud.default_campaign().drives.damping)

    def test_another_robot(self):
        text = """
robot = "spatial_3r"
[[configuration]]
name = "bent"
q = [0.1, 0.4, 0.8]
threshold = 2
[contact]
frame = "tip"
normal = [0, 0, 1]
"""
        campaign = thud.parse_campaign(text)
        self.assertEqual((campaign.drives.rotor_inertia.size, len(campaign.detection_joints)), (3, 3))

    def test_refusals(self):
        cases = {
            "speeds = 3\n": "plan.toml:1: speeds: 3: must be a list of numbers",
            "speeds = []\n": "plan.toml: speeds: none: needs at least one",
            "speeds = [0.1, -0.2]\n": "plan.toml: speeds: -0.2: must lie above 0 and up to 10 m/s",
            "repeats = 1.5\n": "plan.toml:1: repeats: 1.5: must be a whole number from 1 to 100000",
            "[joints]\nstiffness = 0\n": "plan.toml: joints.stiffness: 0: must be positive",
            "[plant]\nstep = 3e-5\n": "plan.toml: plant.step: 3e-05: must divide controller.period = 0.001",
        }
        for text, message in cases.items():
            self.assertEqual(refusal(thud.Error, thud.parse_campaign, text, "plan.toml"), message)
        self.assertIn("nobody", refusal(thud.Error, thud.parse_campaign, 'robot = "nobody"\n'))
        says = refusal(thud.InputError, thud.validate, thud.default_campaign().replace(speeds=[-1]))
        self.assertEqual(says, "speeds: -1: must lie above 0 and up to 10 m/s")


if __name__ == "__main__":
    unittest.main()
