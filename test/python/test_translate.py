"""Contact laws as parameters of simulators, run in the simulators themselves (examples/simulators.py): MuJoCo, which is always
here, ODE, and Drake and Bullet where they are installed."""

import sys
import unittest

import numpy as np

import thud
from support import ROOT, refusal

sys.path.insert(0, str(ROOT / "examples"))
import simulators  # noqa: E402

LAWS = [
    thud.Viscoelastic(3e5, 7.5e5),
    thud.Viscoelastic(3e5, 2.5e6),
    thud.Viscoelastic(1e6, 7.279e6),
    thud.HuntCrossley(1e7, 1e8, 1.5),
    thud.Spring(3e5, 0.7),
    thud.Maxwell(3e5, 4e3),
]
HITS = [(4, 0.12), (0.5, 0.4)]  # [kg], [m/s]
FINE = 2000  # steps in contact: small ones
SMALL_STEPS = 0.004  # of a quantity: what so many steps and a touch anywhere in the first leave
BETWEEN = 0.1  # of their range: touches between the sixteen that bounds are found from
RULE = 1e-6  # of a quantity: the same step rule, in the library and in the simulator
RUNS = simulators.installed()


def numbers(outcome: thud.HitOutcome) -> np.ndarray:
    return np.array([outcome.peak, outcome.duration, outcome.restitution])


class InTheSimulator(unittest.TestCase):
    def each(self, name):
        for law in LAWS:
            for mass, speed in HITS:
                yield law, mass, speed, thud.translate(law, mass, speed, to=name)

    def small_steps(self, name):
        """What is matched is the law's, and everything is as said, at the mass and speed of the translation and elsewhere."""
        run = RUNS[name]
        for law, mass, speed, found in self.each(name):
            for other_mass, other_speed in ((mass, speed), (2 * mass, 0.6 * speed)):
                said = numbers(thud.simulated_outcome(found, other_mass, other_speed))
                step = said[1] / FINE
                seen = run(found, other_mass, other_speed, step)
                np.testing.assert_allclose(seen, said, rtol=SMALL_STEPS, err_msg=f"{law} {mass} {speed} {other_mass}")
            expected = numbers(thud.law_outcome(law, mass, speed))
            self.assertIn("peak", found.matched)
            self.assertIn("restitution", found.matched)
            for i, quantity in enumerate(("peak", "duration", "restitution")):
                if quantity in found.matched:
                    self.assertAlmostEqual(numbers(found.of_simulator)[i] / expected[i], 1, 4, f"{law} {quantity}")

    def large_steps(self, name, tolerance=RULE):
        """The rule by which the simulator steps is the library's."""
        run = RUNS[name]
        for law in LAWS[:3]:
            found = thud.translate(law, 4, 0.12, to=name, step=1e-3)
            seen = run(found, 4, 0.12, 1e-3)
            for i, quantity in enumerate(("peak", "duration", "restitution")):
                low, high = (numbers(bound)[i] for bound in (found.lowest, found.highest))
                slack = tolerance * high + (1e-3 / 16 if quantity == "duration" else BETWEEN * (high - low))
                self.assertTrue(low - slack <= seen[i] <= high + slack, f"{law} {quantity}: {low} {seen[i]} {high}")

    def test_mujoco(self):
        self.small_steps("mujoco")
        self.large_steps("mujoco")

    def test_mujoco_takes_a_slide_joint_as_well(self):
        found = thud.translate(LAWS[1], 4, 0.12, to="mujoco")
        step = found.of_law.duration / FINE
        free, slide = (RUNS["mujoco"](found, 4, 0.12, step, joint) for joint in ("<freejoint/>", '<joint type="slide" axis="0 0 1"/>'))
        np.testing.assert_allclose(free, slide, rtol=1e-9)

    def test_mujoco_an_arm(self):
        """Of several joints MuJoCo guesses the inertia: a growing impedance needs diagexact, one of 0.9999 does not."""
        import mujoco

        text = """
          <mujoco><option timestep="1e-5" gravity="0 0 0"/><worldbody>
            <geom type="plane" size="3 3 1" priority="1" condim="1"/>
            <body pos="0 0 0.4100001"><joint axis="0 1 0"/><geom size=".1" pos=".25 0 .1" mass="2" contype="0" conaffinity="0"/>
              <body pos=".5 0 .2"><joint axis="0 1 0"/><geom size=".1" pos=".4 0 -.51" mass="1.5"/></body></body>
          </worldbody></mujoco>"""
        model = mujoco.MjModel.from_xml_string(text)

        def row(data):
            jacobian = np.zeros((3, model.nv))
            mujoco.mj_forward(model, data)
            mujoco.mj_jac(model, data, jacobian, None, data.geom_xpos[2] - [0, 0, 0.1], 2)
            return jacobian[2]

        start, inverse, push = mujoco.MjData(model), np.zeros((2, 2)), np.zeros(6)
        j = row(start)
        mujoco.mj_solveM(model, start, inverse, np.eye(2))
        mass = 1 / (j @ inverse @ j)

        def seen(found, exactly):
            model.geom_solref[0], model.geom_solimp[0] = simulators.values(found)["solref"], simulators.values(found)["solimp"]
            model.opt.enableflags = mujoco.mjtEnableBit.mjENBL_DIAGEXACT if exactly else 0
            data, peak = mujoco.MjData(model), 0.0
            data.qvel[:] = -0.12 * mass * inverse @ j
            for _ in range(1500):
                mujoco.mj_step(model, data)
                if data.ncon:
                    mujoco.mj_contactForce(model, data, 0, push)
                    peak = max(peak, push[0])
            return peak, row(data) @ data.qvel / 0.12

        growing = thud.translate(LAWS[1], mass, 0.12, to="mujoco")
        constant = thud.translate(LAWS[1], mass, 0.12, to="mujoco", constant_impedance=True)
        wanted = (growing.of_law.peak, growing.of_law.restitution)
        np.testing.assert_allclose(seen(growing, True), wanted, rtol=0.005)
        np.testing.assert_allclose(seen(constant, False), wanted, rtol=0.005)
        self.assertGreater(abs(seen(growing, False)[0] / wanted[0] - 1), 0.04)

    def test_mujoco_constant_impedance(self):
        found = thud.translate(LAWS[1], 4, 0.12, to="mujoco", constant_impedance=True)
        seen = RUNS["mujoco"](found, 4, 0.12, found.of_law.duration / FINE)
        np.testing.assert_allclose(seen, numbers(found.of_simulator), rtol=SMALL_STEPS)
        self.assertNotIn("duration", found.matched)

    @unittest.skipUnless("gazebo" in RUNS, "libode8 is not installed")
    def test_ode(self):
        self.small_steps("gazebo")
        self.large_steps("gazebo")

    @unittest.skipUnless("drake" in RUNS, "drake is not installed")
    def test_drake(self):
        self.small_steps("drake")
        self.large_steps("drake")
        exact = thud.translate(LAWS[1], 4, 0.12, to="drake")
        self.assertTrue(exact.exact)
        seen = RUNS["drake"](exact, 4, 0.12, exact.of_law.duration / FINE)
        np.testing.assert_allclose(seen[[0, 2]], numbers(exact.of_law)[[0, 2]], rtol=1e-5)

    @unittest.skipUnless("bullet" in RUNS, "pybullet is not installed")
    def test_bullet(self):
        self.small_steps("bullet")
        self.large_steps("bullet", 1e-4)  # it keeps its velocities no better


class InPython(unittest.TestCase):
    def test_names_and_refusals(self):
        law = LAWS[1]
        self.assertEqual(thud.translate(law, 4, 0.12, thud.Simulator.drake), thud.translate(law, 4, 0.12, to="drake"))
        self.assertEqual([each.name for each in thud.all_simulators], ["mujoco", "drake", "gazebo", "bullet"])
        said = refusal(thud.InputError, thud.translate, law, 4, 0.12, "unity")
        self.assertEqual(said, "to: unity: must be mujoco, drake, gazebo or bullet")
        self.assertIn("speed: -0.12", refusal(thud.InputError, thud.translate, law, 4, -0.12, "drake"))
        found = thud.translate(law, 4, 0.12, "mujoco")
        self.assertIn('solref="-', found.snippet)
        self.assertEqual(list(found.to_table()["quantity"]), ["peak", "duration", "restitution"])


if __name__ == "__main__":
    unittest.main()
