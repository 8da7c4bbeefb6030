import pickle
import unittest
from math import isnan, nan

import numpy as np

import thud
from support import POINT, dynamics, posture, refusal

TIGHT = 1e-11
PANDA = thud.load_robot("panda")
UP = [0, 0, 1]
GENERAL = np.array([[2, 0.3, -0.6], [0.3, 1.5, 0.4], [-0.6, 0.4, 1.2]])


class Impact(unittest.TestCase):
    def test_cases_with_known_answers(self):
        ball = thud.impact(np.diag([3.5, 3.5, 1]), [0.6, 0.8, -1], UP, friction=0.1, restitution=0.6)
        np.testing.assert_allclose(ball.impulse, [-0.096, -0.128, 1.6], atol=TIGHT)
        np.testing.assert_allclose(ball.velocity_after, [0.264, 0.352, 0.6], atol=TIGHT)
        self.assertAlmostEqual(ball.energy_lost, 0.4352, delta=TIGHT)
        self.assertEqual([phase.mode for phase in ball.phases], [thud.ContactMode.slip])
        self.assertAlmostEqual(ball.phases[0].normal_impulse, 1.6, delta=TIGHT)
        stops = thud.impact(GENERAL, [0.3, -0.2, -1], UP, friction=0.6, restitution=0.5)
        np.testing.assert_allclose(stops.impulse, [0.337629227975, -0.324388865940, 1.463236328189], atol=2e-9)
        self.assertEqual([phase.mode for phase in stops.phases], [thud.ContactMode.slip, thud.ContactMode.stick])
        self.assertAlmostEqual(thud.sticking_friction(GENERAL, UP), 0.4860812291, delta=1e-10)

    def test_kinds_by_name_and_by_member(self):
        rod = np.array([[2.5, 0, -1.5], [0, 1, 0], [-1.5, 0, 2.5]])
        expected = {"energetic": 0.7029015306, "poisson": 0.7024390244, "newton": 0.7121951220}
        for name, normal in expected.items():
            found = thud.impact(rod, [0.1, 0, -1], UP, friction=0.3, restitution=0.5, kind=name)
            self.assertAlmostEqual(found.impulse[2], normal, delta=1e-10)
            member = thud.impact(rod, [0.1, 0, -1], UP, 0.3, 0.5, thud.RestitutionKind[name])
            np.testing.assert_array_equal(member.impulse, found.impulse)
        self.assertEqual([kind.name for kind in thud.all_restitution_kinds], ["energetic", "newton", "poisson"])
        self.assertEqual(refusal(thud.InputError, thud.impact, rod, [0, 0, -1], UP, 0.3, 0.5, "elastic"),
                         "kind: elastic: must be one of energetic, newton, poisson")

    def test_without_approach_and_without_answer(self):
        none = thud.impact(GENERAL, [0.1, 0, 0.5], UP, friction=0.3)
        self.assertEqual((none.status, none.phases, none.energy_lost), (thud.ImpactStatus.no_approach, (), 0))
        self.assertTrue(none.exists)
        rail = np.array([0.6, 0, 0.8])
        wedged = thud.impact(np.outer(rail, rail), -rail, UP, friction=1.5)
        self.assertEqual(wedged.status, thud.ImpactStatus.wedged)
        self.assertTrue(np.isnan(wedged.impulse).all() and isnan(wedged.energy_lost) and not wedged.exists)
        self.assertEqual([warning.code for warning in thud.warnings(wedged)], [thud.WarningCode.wedged])

    def test_path(self):
        path = thud.impact_path(GENERAL, [1, 1, -1], UP, friction=0.3, restitution=0.5)
        found = thud.impact(GENERAL, [1, 1, -1], UP, friction=0.3, restitution=0.5)
        np.testing.assert_allclose(path[-1].impulse, found.impulse, atol=TIGHT)
        np.testing.assert_allclose(path[-1].velocity, found.velocity_after, atol=TIGHT)
        self.assertTrue(np.all(np.diff([at.impulse[2] for at in path]) >= 0))

    def test_refusals(self):
        says = lambda *arguments, **words: refusal(thud.InputError, thud.impact, *arguments, **words)
        self.assertEqual(says(GENERAL, [0, 0, -1], UP, friction=-1), "friction: -1: must be finite and >= 0")
        self.assertEqual(says(GENERAL, [0, 0, -1], UP, restitution=nan), "restitution: nan: must be from 0 to 1")
        self.assertIn("must be symmetric", says(np.triu(GENERAL), [0, 0, -1], UP))
        self.assertIn("must be positive semidefinite", says(np.diag([1, -1, 1]), [0, 0, -1], UP))
        self.assertIn("velocity", says(GENERAL, [0, -1], UP))
        self.assertIn("W", says(np.eye(2), [0, 0, -1], UP))


class Objects(unittest.TestCase):
    def test_normal_and_central_by_hand(self):
        ball = thud.Object(mass=3, velocity=[0, 0, 0.5])
        robot = thud.ContactResponse(np.eye(3) / 2, [0, 0, -1])
        found = thud.impact(robot, thud.contact_response(ball, [0, 0, 0]), UP, restitution=0.5)
        iota = 1.5 * 2 * 3 / (2 + 3) * 1.5
        self.assertAlmostEqual(found.impact.impulse[2], iota, delta=TIGHT)
        self.assertAlmostEqual(found.velocity_after[2], -1 + iota / 2, delta=TIGHT)
        self.assertAlmostEqual(found.other_velocity_after[2], 0.5 - iota / 3, delta=TIGHT)
        np.testing.assert_allclose(thud.motion_after(ball, [0, 0, 0], -found.impact.impulse).velocity,
                                   found.other_velocity_after, atol=TIGHT)

    def test_reduced_mass(self):
        robot, ball = thud.ContactResponse(np.eye(3) / 4), thud.contact_response(thud.Object(mass=2), [0, 0, 0])
        self.assertAlmostEqual(thud.reduced_mass(robot, ball, [0, 0, 3]), 4 * 2 / 6, delta=TIGHT)
        self.assertAlmostEqual(thud.reduced_mass(robot, thud.ContactResponse(), UP), 4, delta=TIGHT)

    def test_a_body_turns(self):
        box = thud.Object(mass=2, inertia_W=np.diag([0.01, 0.02, 0.025]), com_W=[0.1, 0, 0])
        after = thud.motion_after(box, [0.1, 0.05, 0], [1, 0, 0])
        np.testing.assert_allclose(after.velocity, [0.5, 0, 0], atol=TIGHT)
        np.testing.assert_allclose(after.angular_velocity, [0, 0, -0.05 / 0.025], atol=TIGHT)
        np.testing.assert_allclose(thud.contact_response(box, [0.1, 0.05, 0]).W[0, 0], 0.5 + 0.05**2 / 0.025, atol=TIGHT)

    def test_refusals(self):
        self.assertEqual(refusal(thud.InputError, thud.contact_response, thud.Object(mass=-1), [0, 0, 0]),
                         "object mass: -1: must be finite and > 0")


class Prediction(unittest.TestCase):
    def test_an_arm_hits_an_object(self):
        d = dynamics(0)
        dq = thud.approach(d, 0.12).dq + np.array([0.3, 0, 0, 0, 0, 0, 0])
        box = thud.Object(mass=2, velocity=[-0.1, 0, 0])
        found = thud.predict_impact(d, dq, friction=0.3, restitution=0.5, object=box)
        gm = found[thud.InertiaModel.generalized_momentum]
        pair = thud.impact(thud.contact_response(d, dq, thud.generalized_momentum(d)), thud.contact_response(box, d.p_WC),
                           d.normal_W, friction=0.3, restitution=0.5)
        np.testing.assert_allclose(gm.impact.impulse, pair.impact.impulse, atol=TIGHT)
        np.testing.assert_allclose(gm.velocity_after, pair.velocity_after, atol=TIGHT)
        np.testing.assert_allclose(gm.object.velocity, pair.other_velocity_after, atol=TIGHT)
        np.testing.assert_allclose(gm.joint_impulse, d.J[:3].T @ gm.impact.impulse, atol=TIGHT)
        self.assertAlmostEqual(found.v_normal, -0.22, delta=TIGHT)
        flexible = found[thud.InertiaModel.flexible_joints]
        self.assertEqual(flexible.impact.status, thud.ImpactStatus.not_run)
        self.assertEqual([warning.subject for warning in thud.warnings(found)], ["flexible_joints"])

    def test_without_either_it_is_predict(self):
        d = dynamics(1)
        dq = thud.approach(d, 0.12).dq
        plain, found = thud.predict(d, dq, restitution=0.3), thud.predict_impact(d, dq, restitution=0.3)
        for model in thud.all_inertia_models:
            np.testing.assert_allclose(found[model].impact.impulse, plain[model].impulse_W, atol=TIGHT)

    def test_pickles_with_its_phases(self):
        d = dynamics(0)
        found = thud.predict_impact(d, thud.approach(d, 0.12).dq, friction=0.3)
        again = pickle.loads(pickle.dumps(found))
        model = thud.InertiaModel.composite_rigid_body
        self.assertEqual(len(again[model].impact.phases), len(found[model].impact.phases))
        np.testing.assert_array_equal(again[model].impact.impulse, found[model].impact.impulse)


class ImpactBatch(unittest.TestCase):
    def rows(self, count: int) -> dict:
        random = np.random.default_rng(3)
        inertia = np.array([[2, 0.1, 0], [0.1, 2.5, 0.2], [0, 0.2, 3]]) * 1e-2
        return {"q": posture(0) + random.uniform(-0.3, 0.3, (count, 7)), "dq": random.uniform(-1, 1, (count, 7)),
                "offset": random.uniform(-0.1, 0.1, (count, 3)), "normal_W": random.normal(size=(count, 3)),
                "object_mass": random.uniform(0.3, 3, count), "object_inertia_W": np.tile(inertia, (count, 1, 1)),
                "object_com_W": random.uniform(-1, 1, (count, 3)), "object_velocity": random.uniform(-1, 1, (count, 3)),
                "object_angular_velocity": random.uniform(-1, 1, (count, 3))}

    def test_equals_single_hits(self):
        rows = self.rows(40)
        rules = {"friction": 0.4, "restitution": 0.3, "kind": "poisson"}
        batch = thud.predict_impact_batch(PANDA, POINT, **rows, **rules, jumps=True, jobs=2)
        self.assertEqual(batch.refused, ())
        for i in range(40):
            each = {name: value[i] for name, value in rows.items()}
            point = POINT.replace(offset=each["offset"], normal_W=each["normal_W"])
            box = thud.Object(**{name.removeprefix("object_"): each[name] for name in each if name.startswith("object_")})
            single = thud.predict_impact(thud.contact_dynamics(PANDA, point, each["q"]), each["dq"], object=box, **rules)
            np.testing.assert_array_equal(batch.velocity[i], single.velocity)
            self.assertEqual((batch.v_normal[i], batch.v_tangential[i]), (single.v_normal, single.v_tangential))
            for model, one in single.models.items():
                self.assertEqual((batch.status[model][i], batch.inertia[model][i]), (one.impact.status, one.inertia))
                for name, value in {"impulse": one.impact.impulse, "velocity_after": one.velocity_after,
                                    "compression": one.impact.compression, "energy_lost": one.impact.energy_lost,
                                    "object_velocity": one.object.velocity,
                                    "object_angular_velocity": one.object.angular_velocity,
                                    "joint_velocity_jump": one.joint_velocity_jump,
                                    "joint_velocity_jump_least_norm": one.joint_velocity_jump_least_norm,
                                    "joint_impulse": one.joint_impulse}.items():
                    np.testing.assert_array_equal(getattr(batch, name)[model][i], value, name)
                phases = [(mode, impulse) for mode, impulse in zip(batch.phase_mode[model][i], batch.phase_impulse[model][i])
                          if not isnan(impulse)]
                self.assertEqual(phases, [(phase.mode, phase.normal_impulse) for phase in one.impact.phases])

    def test_one_of_each_for_all_rows(self):
        rows = self.rows(7)
        one = thud.predict_impact_batch(PANDA, POINT, rows["q"][0], rows["dq"][0], normal_W=rows["normal_W"],
                                        object_mass=2, object_velocity=[0.1, 0, 0])
        same = thud.predict_impact_batch(PANDA, POINT, np.tile(rows["q"][0], (7, 1)), np.tile(rows["dq"][0], (7, 1)),
                                         normal_W=rows["normal_W"], object_mass=np.full(7, 2.0),
                                         object_velocity=np.tile([0.1, 0, 0], (7, 1)), frame=[POINT.frame] * 7)
        np.testing.assert_array_equal(one.impulse.all, same.impulse.all)
        self.assertEqual((one.impulse.all.shape, one.joint_impulse.all.size), ((7, 4, 3), 0))
        self.assertEqual(thud.predict_impact_batch(PANDA, POINT, np.empty((0, 7)), np.empty((0, 7))).impulse.all.shape, (0, 4, 3))

    def test_rows_without_an_answer_are_named(self):
        rows = self.rows(9)
        whole = thud.predict_impact_batch(PANDA, POINT, **rows)
        rows["q"][2, 3], rows["object_mass"][5], rows["normal_W"][7] = nan, -1, 0
        batch = thud.predict_impact_batch(PANDA, POINT, **rows)
        self.assertEqual([each.row for each in batch.refused], [2, 5, 7])
        self.assertEqual(batch.refused[1].reason, "object mass: -1: must be finite and > 0")
        self.assertEqual(batch.refused[2].reason, "normal: 0,0,0: must be finite and not zero")
        self.assertTrue(np.isnan(batch.impulse.all[[2, 5, 7]]).all())
        self.assertTrue((batch.status.all[2] == thud.ImpactStatus.not_run).all())
        others = [0, 1, 3, 4, 6, 8]
        np.testing.assert_array_equal(batch.impulse.all[others], whole.impulse.all[others])
        again = pickle.loads(pickle.dumps(batch))
        np.testing.assert_array_equal(again.impulse.all, batch.impulse.all)
        np.testing.assert_array_equal(again.status.all, batch.status.all)
        self.assertEqual(([each.reason for each in again.refused], repr(again)),
                         ([each.reason for each in batch.refused], "<ImpactBatch, 9 rows>"))

    def test_refusals(self):
        says = lambda **words: refusal(thud.InputError, thud.predict_impact_batch, PANDA, POINT, **{**self.rows(4), **words})
        self.assertEqual(says(offset=np.zeros((3, 3))), "offset: 3 rows: needs 4, as others have, or one for all of them")
        self.assertEqual(says(dq=np.zeros((4, 6))), "dq: 6 values per row: each needs 7")
        self.assertEqual(says(object_mass=None), "object_inertia_W: 4 rows: is of an object: it needs object_mass")
        self.assertEqual(says(object_mass=["heavy"] * 4), "object_mass: dtype <U5: must be real numbers")


if __name__ == "__main__":
    unittest.main()
