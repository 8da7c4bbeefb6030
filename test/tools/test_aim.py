"""thud aim, as people and programs see it."""

import math
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

from program import AIMED, OPTIONS, WALL, answer, run


class Aim(unittest.TestCase):
    def test_both_ends_of_what_a_point_allows(self):
        ends = {}
        for goal in "maximize", "minimize":
            found = answer(*AIMED, "--orientation", "tool-along-normal", f"--{goal}", "effective_mass")
            self.assertEqual((found["quantity"], found["maximize"], found["model"], found["orientation"]),
                             ("effective_mass", goal == "maximize", "composite_rigid_body", "tool_along_normal"))
            self.assertTrue(1 <= len(found["optima"]) <= 5 and found["reached"] <= found["starts"] == 64)
            values = [each["value"] for each in found["optima"]]
            self.assertEqual(values, sorted(values, reverse=goal == "maximize"))
            for each in found["optima"]:
                self.assertLess(each["position_error"], 1e-6)
                self.assertLess(each["angle_error"], 1e-6)
                self.assertGreaterEqual(each["joint_limit_distance"], 0)
            best = found["optima"][0]
            there = answer("predict", "panda", "--q=" + ",".join(map(repr, best["q"])), *WALL, "--dq=" + ",".join(map(repr, best["dq"])))
            for option in OPTIONS:
                self.assertAlmostEqual(there["options"][option]["effective_mass"], best["effective_mass"][option], 9)
            self.assertEqual(best["value"], best["effective_mass"]["composite_rigid_body"])
            self.assertAlmostEqual(there["velocity"]["exact"], -best["speed"], 9)
            for at, expected in zip(there["position"], (0.6, 0, 0.6)):
                self.assertAlmostEqual(at, expected, 6)
            ends[goal] = best["value"]
        self.assertGreater(ends["maximize"], 1.3 * ends["minimize"])
        again = answer(*AIMED, "--orientation", "tool-along-normal", "--minimize", "effective_mass")
        self.assertEqual(again, found)

    def test_an_object_leaves_as_asked_for(self):
        ball = ["--object-mass", "1", "--restitution", "0.5"]
        found = answer(*AIMED, *ball, "--object-speed", "0.3", "--count", "2")
        self.assertEqual(found["quantity"], "object_speed")
        best = found["optima"][0]
        hit = answer("predict", "panda", "--q=" + ",".join(map(repr, best["q"])), *WALL, "--dq=" + ",".join(map(repr, best["dq"])), *ball)
        leaves = hit["options"]["composite_rigid_body"]["impact"]["object"]["velocity"]
        self.assertAlmostEqual(math.hypot(*leaves), 0.3, 9)
        self.assertAlmostEqual(math.dist(leaves, best["object"]["velocity"]), 0, 9)
        self.assertAlmostEqual(best["speed_allowed"] / best["speed"], best["value"] / 0.3, 9)
        self.assertGreater(best["speed_allowed"], best["speed"])
        fast = answer(*AIMED, *ball, "--object-speed", "30", "--count", "1")["optima"][0]
        self.assertIn("speed limits allow", " ".join(fast["warnings"]))
        heavy = answer(*AIMED, *ball, "--object-speed", "0.3", "--maximize", "effective_mass", "--count", "1")["optima"][0]
        self.assertLessEqual(heavy["speed"], best["speed"])

    def test_speed_is_that_of_limit(self):
        found = answer(*AIMED, "--orientation", "tool-along-normal", "--maximize", "speed", "--body", "chest", "--starts", "16", "--count", "1")
        self.assertEqual(found["model"], "cautious")
        best = found["optima"][0]
        limit = answer("limit", "panda", "--q=" + ",".join(map(repr, best["q"])), *WALL, "--body", "chest")
        self.assertAlmostEqual(limit["speed"], best["value"], 12)
        self.assertIn("no certified safety function", " ".join(best["warnings"]))

    def test_what_would_be_left_out_is_refused(self):
        for words, says in ((["--maximize", "impulse", "--friction", "0.3"], "--friction: 0.3: is of an object"),
                            (["--object-mass", "1", "--object-speed", "0.3", "--speed", "5"], "--speed: 5: is given beside --object-speed"),
                            (["--maximize", "speed", "--speed", "5"], "--speed: 5: is what is searched for")):
            done = run(*AIMED, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertTrue(done.stderr.startswith(f"thud: {says}"), done.stderr)

    def test_a_joint_that_the_hit_does_not_feel_makes_no_other_posture(self):
        found = answer("aim", "ur10e", "--frame", "tool0", "--at", "0.7,0.2,0.5", "--normal=-1,0,0", "--orientation", "tool-along-normal",
                       "--maximize", "effective_mass", "--starts", "32")
        values = [each["value"] for each in found["optima"]]
        self.assertEqual(len(values), len({round(value, 6) for value in values}), values)

    def test_table_and_drawing(self):
        with tempfile.TemporaryDirectory() as folder:
            drawing = pathlib.Path(folder) / "arm.svg"
            done = run("aim", "planar_2r", "--frame", "tip", "--at", "1.1,0.6,0", "--normal", "0,1,0", "--maximize", "impulse",
                       "--model", "generalized_momentum", "--plot", str(drawing))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"64 starts reach it, 2 postures shown, \d+ ms")
            self.assertRegex(done.stdout, r"1\. [\d.]+ N s")
            self.assertEqual(ElementTree.parse(drawing).getroot().tag, "{http://www.w3.org/2000/svg}svg")

    def test_without_an_answer(self):
        for words, says in ((["--at", "2,0,0"], r"cannot be reached .* nearest stayed 0\.9\d+ m away"),
                            (["--at", "0.5,0.5,0", "--model", "algebraic"], "does not exist")):
            done = run("aim", "spatial_3r", "--frame", self.last("spatial_3r"), "--normal", "1,0,0", "--maximize", "effective_mass", *words)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
            self.assertRegex(done.stderr, rf"\Athud: [^\n]*{says}[^\n]*\n\Z")

    def last(self, robot: str) -> str:
        return answer("info", robot)["frames"][-1]


if __name__ == "__main__":
    unittest.main()
