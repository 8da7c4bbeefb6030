"""URDF that is no robot: the message names the value and the rule."""

import unittest

import thud
from support import refusal
from test_robot import inertial, joint, link, urdf

LIMIT = "<limit lower='{}' upper='{}' velocity='1' effort='{}'/>"


def says(parts: str) -> str:
    return refusal(thud.RobotError, thud.parse_urdf, urdf(parts), "this")


class Refusals(unittest.TestCase):
    def test_text_that_is_no_xml_or_no_urdf(self):
        for text in ("", "hello", "<robot name='a'>", "<robot name='a'><link name=</robot>", "<robot\0>"):
            self.assertIn("robot: this: ", refusal(thud.RobotError, thud.parse_urdf, text, "this"))
        self.assertIn("no <robot>", refusal(thud.RobotError, thud.parse_urdf, "<house/>"))
        self.assertIn("nested", refusal(thud.RobotError, thud.parse_urdf, "<robot name='a'>" + 100000 * "<a>"))
        self.assertIn("no links", says(""))
        self.assertIn("two links are called a", says(link("a") + link("a")))
        self.assertIn("'b', which does not exist", says(link("a") + joint("j", "a", "b")))

    def test_graphs_that_are_no_tree(self):
        abc = link("a") + link("b") + link("c")
        self.assertIn("two roots, a and c", says(abc + joint("j", "a", "b")))
        self.assertIn("cycle", says(link("a") + link("b") + joint("j", "a", "b") + joint("k", "b", "a")))
        self.assertIn("c has two parents", says(abc + joint("j", "a", "c") + joint("k", "b", "c")))

    def test_joints_and_numbers(self):
        moved = lambda kind, inside="": says(link("a") + link("b") + joint("j", "a", "b", kind, inside))
        for kind in ("floating", "planar", "screw"):
            self.assertIn(kind, moved(kind))
        self.assertIn("no moving joint", moved("fixed"))
        self.assertIn("axis", moved("continuous", "<axis xyz='0 0 0'/>"))
        self.assertIn("limits", moved("revolute"))
        self.assertIn("2 > 1", moved("revolute", LIMIT.format(2, 1, 1)))
        self.assertIn("effort -3", moved("revolute", LIMIT.format(1, 2, -3)))
        body = lambda inside: says(link("a") + link("b", inside) + joint("j", "a", "b"))
        self.assertIn("mass of link b: -1:", body(inertial(-1, 1, 1, 1)))
        self.assertIn("too large", body(inertial(1e308, 1, 1, 1, "<origin xyz='1e300 0 0'/>")))
        for bad in ("nan", "1e999", "two"):
            self.assertNotEqual(body(f"<inertial><mass value='{bad}'/></inertial>"), "not refused")

    def test_names_and_files(self):
        panda = thud.load_robot("panda")
        self.assertIn("frame: hand: not a link of panda", refusal(thud.RobotError, panda.frame, "hand"))
        self.assertIn("joint: panda_joint8:", refusal(thud.RobotError, panda.joint_index, "panda_joint8"))
        self.assertIn("panda_gaz", refusal(thud.FileError, thud.load_robot, "no/such/robot.urdf"))
        self.assertNotEqual(refusal(thud.FileError, thud.load_robot, "/"), "not refused")  # a folder
        said = refusal(thud.InputError, thud.load_robot("planar_2r").with_rotor_inertia, [0.5, -1])
        self.assertIn("rotor: -1:", said)


if __name__ == "__main__":
    unittest.main()
