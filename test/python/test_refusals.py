import subprocess
import tempfile
import unittest
from math import inf, nan
from pathlib import Path

import numpy as np

import thud
from support import DAMPED, POINT, PROGRAM, TIMES, dynamics, posture, record, refusal

PANDA = thud.load_robot("panda")
Q = posture(0)


def command_line(*arguments: str) -> str:
    """What the program says on stderr, without its name."""
    run = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
    assert run.returncode != 0, run.stdout
    return run.stderr.strip().removeprefix("thud: ")


class Errors(unittest.TestCase):
    def test_classes_and_evidence(self):
        for kind in (thud.InputError, thud.RobotError, thud.FileError, thud.PlantError):
            self.assertTrue(issubclass(kind, thud.Error) and issubclass(kind, Exception))
        self.assertTrue(issubclass(thud.InputError, ValueError))
        self.assertFalse(issubclass(thud.FileError, ValueError))
        with self.assertRaises(ValueError) as caught:
            thud.force_profile(thud.Spring(1, 1), -2, -1)
        error = caught.exception
        self.assertEqual((error.argument, error.value), ("mass", "-2"))
        self.assertEqual(str(error), f"{error.argument}: {error.value}: {error.rule}")
        with self.assertRaises(thud.RobotError) as caught:
            PANDA.frame("hand")
        self.assertEqual((caught.exception.argument, caught.exception.value), ("frame", "hand"))
        with self.assertRaises(thud.FileError) as caught:
            thud.read_record("none.csv")
        self.assertEqual(str(caught.exception), "none.csv: cannot be opened: No such file or directory")

    def test_an_error_is_one_line_whatever_was_in_the_input(self):
        with self.assertRaises(thud.RobotError) as caught:
            PANDA.frame("p\nda\x1b[2J\x9bé")
        self.assertEqual(caught.exception.value, r"p\x0ada\x1b[2J\x9bé")
        self.assertTrue(str(caught.exception).startswith(r"frame: p\x0ada"))
        made = thud.FileError("log\n", "a topic\r\nfoo\x7f", "must be one\tline")  # as the readers of logs do
        self.assertEqual(str(made), r"log\x0a: a topic\x0d\x0afoo\x7f: must be one\x09line")
        self.assertEqual((made.argument, made.strerror), (r"log\x0a", r"must be one\x09line"))

    def test_what_moves_the_text_of_a_line_is_shown(self):
        moving = [0x61c, 0x200e, 0x200f, *range(0x2028, 0x202f), *range(0x2066, 0x206a)]
        others = "".join(chr(code) for code in (0x61b, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a, 0x1f4ae))
        text = "".join(map(chr, moving))
        shown = "".join(f"\\u{code:04x}" for code in moving)
        with self.assertRaises(thud.RobotError) as caught:
            PANDA.frame(text + others)
        self.assertEqual(caught.exception.value, shown + others)
        self.assertEqual(thud.FileError(text + others, "a", "b").argument, shown + others)

    @unittest.skipUnless(PROGRAM.exists(), f"no program at {PROGRAM}; set THUD to it")
    def test_the_command_line_says_the_same_of_its_options(self):
        q = ",".join(map(str, Q))
        contact = ("--speed", "0.12", "--frame", "panda_foot", "--normal", "-1,0,0")
        profile = ("profile", "--law", "viscoelastic", "--speed", "0.12", "--damping", "1")
        for frame, normal in (("hand", [-1, 0, 0]), ("panda_foot", [0, 0, 0]), ("panda_link0", [-1, 0, 0])):
            axes = ",".join(map(str, normal))
            said = command_line("predict", "panda", "--q", q, "--speed", "0.12", "--frame", frame, "--normal", axes)
            point = thud.ContactPoint(frame, normal_W=normal)
            self.assertEqual("--" + refusal(thud.Error, thud.contact_dynamics, PANDA, point, Q), said)
        law = thud.Viscoelastic(3e5, 1)
        said = command_line(*profile, "--mass", "-4", "--stiffness", "3e5")
        self.assertEqual("--" + refusal(thud.InputError, thud.force_profile, law, -4, -0.12), said)
        said = command_line(*profile, "--mass", "4", "--stiffness", "0")
        self.assertEqual("--" + refusal(thud.InputError, thud.force_profile, law.replace(stiffness=0), 4, -0.12), said)
        said = command_line("predict", "panda", "--q", q, *contact, "--restitution", "1.5")
        self.assertEqual("--" + refusal(thud.InputError, thud.predict, dynamics(0), Q, restitution=1.5), said)
        said = command_line("predict", "nobody", "--q", q, *contact)
        self.assertEqual(refusal(thud.FileError, thud.load_robot, "nobody"), said)
        with tempfile.TemporaryDirectory() as folder:
            table, plan, urdf = (Path(folder) / name for name in ("a.csv", "plan.toml", "arm.urdf"))
            table.write_text("time,force\n0,1\n1,x\n")
            plan.write_text("repeats = 0\n")
            urdf.write_text("<robot name='a'><link name='b'/></robot>")
            said = command_line("fit", str(table), "--speed", "0.12")
            self.assertEqual(refusal(thud.FileError, thud.read_record, table), said)
            said = command_line("simulate", str(plan), "--out", str(Path(folder) / "a.h5"))
            self.assertEqual(refusal(thud.FileError, thud.read_campaign, plan), said)
            said = command_line("study", str(table), "--out", str(Path(folder) / "out"))
            self.assertEqual(refusal(thud.FileError, thud.read_dataset, table), said)
            said = command_line("info", str(urdf))
            self.assertEqual(refusal(thud.RobotError, thud.load_robot, urdf), said)


class Arrays(unittest.TestCase):
    CALLS = {
        "q": lambda bad: thud.contact_dynamics(PANDA, POINT, bad),
        "dq": lambda bad: thud.predict(dynamics(0), bad),
        "times": lambda bad: thud.fit(bad, DAMPED, thud.LawKind.spring, velocity=-0.12),
        "time": lambda bad: thud.Record(bad, DAMPED),
        "offset": lambda bad: thud.ContactPoint("a", bad),
        "speeds": lambda bad: thud.default_campaign().replace(speeds=bad),
        "impulse_W": lambda bad: thud.joint_impulse(dynamics(0), bad),
    }

    def test_what_is_not_a_vector_of_real_numbers(self):
        cases = {
            "dtype complex128: must be real numbers": np.zeros(7, complex),
            "dtype bool: must be real numbers": np.zeros(7, bool),
            "dtype <U1: must be real numbers": ["1"] * 7,
            "dtype object: must be real numbers": [None] * 7,
            "dtype datetime64[s]: must be real numbers": np.zeros(7, "M8[s]"),
            "list: NumPy makes no array of it": [1, [2, 3]],
            "shape (7, 1): must be a vector": np.zeros((7, 1)),
            "shape (): must be a vector": 3.0,
        }
        for name, call in self.CALLS.items():
            for rule, bad in cases.items():
                self.assertEqual(refusal(thud.InputError, call, bad), f"{name}: {rule}")
        said = refusal(thud.InputError, thud.predict_batch, PANDA, POINT, Q)
        self.assertEqual(said, "q: shape (7,): must be a matrix")

    def test_numbers_that_are_none(self):
        for bad in (nan, inf, -inf):
            spoilt = Q.copy()
            spoilt[3] = bad
            said = f"q: {bad}: must be finite (panda_joint4)"
            self.assertEqual(refusal(thud.InputError, thud.contact_dynamics, PANDA, POINT, spoilt), said)
            self.assertIn(f"{bad}", refusal(thud.InputError, thud.predict, dynamics(0), spoilt))
            for function in (thud.contact_velocity, thud.approximate_to_exact):
                self.assertIn("must be finite", refusal(thud.InputError, function, dynamics(0), spoilt))

    def test_wrong_sizes(self):
        says = lambda call, *arguments: refusal(thud.InputError, call, *arguments)
        said = says(thud.contact_dynamics, PANDA, POINT, Q[:6])
        self.assertEqual(said, "q: 6 values: needs 7, one per joint of panda")
        self.assertIn("q: 8 values", says(thud.contact_dynamics, thud.DynamicsWorkspace(PANDA, POINT), np.zeros(8)))
        self.assertIn("dq: 6 values: needs 7", says(thud.contact_velocity, dynamics(0), Q[:6]))
        self.assertIn("impulse_W: 2 values: needs 3", says(thud.joint_impulse, dynamics(0), [1, 2]))
        self.assertIn("inertia: 2 x 2: must be 3 x 3", says(thud.BodyInertia, 1, [0, 0, 0], np.eye(2)))
        observer, detector = thud.MomentumObserver(PANDA), thud.ThresholdDetector([4, 6], 1)
        for size in (0, 6, 8):
            self.assertNotEqual(says(observer.update, np.zeros(size), Q, Q, 1e-3), "not refused")
            self.assertNotEqual(says(observer.update, Q, Q, np.zeros(size), 1e-3), "not refused")
        self.assertNotEqual(says(detector.update, np.zeros(6)), "not refused")
        self.assertNotEqual(says(detector.update, np.zeros(7), np.zeros(5)), "not refused")
        self.assertNotEqual(says(thud.torque_residual, [7], Q, Q), "not refused")
        self.assertNotEqual(says(thud.torque_residual, [-1], Q, Q), "not refused")


class Types(unittest.TestCase):
    def test_wrong_types(self):
        d = dynamics(0)
        calls = [
            (thud.contact_dynamics, "panda", POINT, Q),
            (thud.contact_dynamics, PANDA, POINT, None),
            (thud.contact_dynamics, PANDA, "panda_foot", Q),
            (thud.contact_dynamics, PANDA, Q),
            (thud.load_robot, 3),
            (thud.load_robot, None),
            (thud.parse_urdf, b"<robot/>"),
            (thud.Spring, "stiff"),
            (thud.Spring, None),
            (thud.Viscoelastic, 1, 2, 3),
            (thud.force_profile, "spring", 4, -0.12),
            (thud.force_profile, thud.Spring(1, 1), 4 + 0j, -0.12),
            (thud.fit, TIMES, DAMPED, "spring"),
            (thud.identify, DAMPED),
            (thud.simulate, "campaign.toml", "a.h5"),
            (thud.study, "a.h5"),
            (thud.ThresholdDetector, ["five"], 1),
            (thud.approach, d, "fast"),
            (thud.Robot, "r", [1], [2], [3]),
            (thud.Dataset, None, [1]),
            (thud.predict_batch, PANDA, POINT, np.zeros((1, 7)), None, "everything"),
        ]
        for call, *arguments in calls:
            with self.assertRaises(TypeError, msg=f"{call} {arguments}") as caught:
                call(*arguments)
            self.assertNotIsInstance(caught.exception, thud.Error)
        self.assertRaises(TypeError, thud.find_contact, record(DAMPED), colour="red")
        self.assertRaises(TypeError, thud.ContactDynamics)

    def test_whole_numbers_that_do_not_fit(self):
        self.assertRaises((TypeError, thud.InputError, OverflowError), thud.simulate_trial, thud.default_campaign(), -1)
        self.assertRaises((TypeError, thud.InputError), thud.Prediction, 0)
        self.assertRaises(TypeError, thud.default_campaign().replace, repeats=1.5)
        self.assertRaises(TypeError, thud.default_campaign().replace, seed=-1)
        self.assertRaises(TypeError, thud.default_campaign().replace, seed=2**64)


if __name__ == "__main__":
    unittest.main()
