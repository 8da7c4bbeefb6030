"""Limits in Python: the standard's figures, the rows against the hit itself, and what does not fit."""

import pickle
import unittest

import numpy as np
import thud
from support import POINT, dynamics, posture, refusal, same

PANDA = thud.load_robot("panda")
WALL = thud.Viscoelastic(1e6, 7.28e6)


class Limits(unittest.TestCase):
    def setUp(self):
        self.dynamics = dynamics(0)
        self.direction = thud.approach(self.dynamics, 1).dq
        self.limits = thud.robot_limits(PANDA)

    def test_a_person(self):
        regions = thud.body_regions()
        self.assertEqual(len(regions), 12)
        chest = thud.BodyContact(regions["chest"])
        self.assertAlmostEqual(thud.body_speeds(chest, 8.7165).force, 0.6619, delta=5e-5)
        self.assertAlmostEqual(thud.body_speeds(chest.replace(clamped=True), 10).force, 0.28, delta=5e-5)
        found = thud.speed_limit(PANDA, POINT, posture(0), self.direction, self.limits, body=chest)
        self.assertEqual(found.speed, min(row.speed for row in found.rows))
        self.assertEqual(found.rows[found.binding].speed, found.speed)
        self.assertTrue(same(pickle.loads(pickle.dumps(found)), found))

    def test_the_fastest_is_not_slower(self):
        for model in thud.all_inertia_models:
            one = thud.speed_limit(PANDA, POINT, posture(0), self.direction, self.limits, model=model, law=WALL)
            best = thud.fastest_approach(PANDA, POINT, posture(0), self.limits, model=model, law=WALL)
            self.assertGreaterEqual(best.speed, one.speed * (1 - 1e-12))

    def test_rows_are_the_hit(self):
        dq, ddq, gravity, period = np.linspace(-1, 1, 7), np.linspace(3, -2, 7), np.zeros(7), 1e-3
        rows = thud.impact_rows(self.dynamics, dq, period, self.limits, gravity, restitution=0.4)
        moved = dq + period * ddq
        impulse = -1.4 * thud.generalized_momentum(self.dynamics).effective_mass * thud.contact_velocity(self.dynamics, moved)
        after = moved + thud.joint_velocity_jump(self.dynamics, impulse * np.asarray(self.dynamics.normal_W))
        np.testing.assert_allclose((rows.upper - rows.A @ ddq)[:7], self.limits.speed - after, atol=1e-9)
        self.assertTrue(np.isinf(rows.upper[7:]).all())  # no contact time: no torques
        limit = thud.joint_speed_limit(self.dynamics, self.direction, self.limits, gravity)
        self.assertAlmostEqual(limit, thud.speed_limit(PANDA, POINT, posture(0), self.direction, self.limits,
                                                       model=thud.InertiaModel.generalized_momentum).speed, places=12)

    def test_files(self):
        found = thud.parse_limits("[joints]\nspeed = 1\n[contact]\nforce = 5\n", 7)
        both = thud.with_limits(self.limits, found.limits)
        np.testing.assert_array_equal(both.speed, np.ones(7))
        np.testing.assert_array_equal(both.torque, self.limits.torque)
        self.assertEqual(both.force, 5)
        self.assertEqual(thud.load_limits("franka", 7).limits.collision_force, 20)
        self.assertEqual(sorted(thud.shipped_limits()), ["franka", "iso_ts_15066"])
        self.assertIn("iso", thud.limits_text("iso_ts_15066").lower())

    def test_refusals(self):
        at = (PANDA, POINT, posture(0))
        says = lambda text, kind, call, *words, **options: self.assertIn(text, refusal(kind, call, *words, **options))
        says("direction", thud.InputError, thud.speed_limit, *at, -np.asarray(self.direction), self.limits)
        says("speed: 2 values", thud.InputError, thud.speed_limit, *at, self.direction, thud.Limits(speed=[1, 2]))
        says("drives", thud.InputError, thud.speed_limit, *at, self.direction, self.limits, drives=thud.load_drives("panda", 7))
        says("mass: 0", thud.InputError, thud.body_speeds, thud.BodyContact(thud.body_regions()["hand"]), 0)
        says("file:2", thud.FileError, thud.parse_limits, "[joints]\nfast = 1\n", 7, name="file")
        says("period: 0", thud.InputError, thud.impact_rows, self.dynamics, np.zeros(7), 0, self.limits, np.zeros(7))
