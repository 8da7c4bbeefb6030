import pickle
import unittest
from math import inf, nan

import numpy as np

import thud
from support import POINT, posture, random_robot, refusal

PANDA = thud.load_robot("panda")
FIELDS = [name for name, member in vars(thud.Batch).items() if isinstance(member, property)]
Everything = thud.BatchOutputs.everything
Model = thud.InertiaModel


def states(robot: thud.Robot, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    q = random.uniform(-2, 2, (count, robot.size))
    q[:1] = 0  # where the Panda is singular
    return q, random.uniform(-1, 1, (count, robot.size))


def numbers(batch: thud.Batch, name: str) -> np.ndarray:
    field = getattr(batch, name)
    return field.all if isinstance(field, thud.ModelArray) else field


def equal(a: thud.Batch, b: thud.Batch) -> bool:
    return all(np.array_equal(numbers(a, name), numbers(b, name), equal_nan=True) for name in FIELDS)


def near(a: np.ndarray, b: np.ndarray) -> bool:
    """Within 1e-6 of the largest entry: that each number is in its place. How near they are, test_batch.cpp says."""
    scale = np.nanmax(np.abs(b)) if not np.isnan(b).all() else 0
    return np.allclose(a, b, rtol=0, atol=1e-6 * scale, equal_nan=True)


class Batch(unittest.TestCase):
    def test_one_posture_is_the_textbook(self):
        """The singular value decomposition and solve of NumPy instead of the module's own factorisation."""
        q, dq = states(PANDA, 40)
        batch = thud.predict_batch(PANDA, POINT, q[1:], dq[1:], Everything, restitution=0.3)
        W_gm = batch.J[:, :3] @ np.linalg.solve(batch.M, np.swapaxes(batch.J[:, :3], 1, 2))
        mass = 1 / W_gm[:, 0, 0]
        free = Model.generalized_momentum
        np.testing.assert_allclose(batch.effective_mass[free], mass, rtol=1e-9)
        v = -np.einsum("ij,ij->i", batch.J[:, 0], dq[1:])
        np.testing.assert_allclose(batch.v_exact, v, atol=1e-12)
        compression = np.where(v < 0, -v * mass, 0)
        np.testing.assert_allclose(batch.impulse_compression[free], compression, atol=1e-10)
        np.testing.assert_allclose(batch.impulse_total.all, 1.3 * batch.impulse_compression.all, rtol=1e-14)
        np.testing.assert_allclose(batch.joint_impulse[free], -batch.J[:, 0] * 1.3 * compression[:, None], atol=1e-10)
        jump = np.einsum("ijk,ik->ij", batch.M, batch.joint_velocity_jump[free])
        np.testing.assert_allclose(jump, batch.joint_impulse[free], atol=1e-9)

    def test_equals_single_queries(self):
        for robot, point in [(PANDA, POINT), (random_robot(3, 5), thud.ContactPoint("link4", normal_W=[0, 1, 2]))]:
            q, dq = states(robot, 270)
            batch = thud.predict_batch(robot, point, q, dq, Everything, restitution=0.3, pseudo_inverse=True, jobs=2)
            for i in range(0, 270, 9):
                d = thud.contact_dynamics(robot, point, q[i])
                p = thud.predict(d, dq[i], restitution=0.3, pseudo_inverse=True)
                for name in ("p_WC", "com_W", "Ic_W", "J", "A_G", "M"):
                    self.assertTrue(near(getattr(batch, name)[i], getattr(d, name)), name)
                for name in ("v_exact", "v_approximate", "ratio"):
                    self.assertTrue(near(getattr(batch, name)[i], getattr(p, name)), name)
                for model, single in p.models.items():
                    self.assertEqual(thud.InertiaStatus(batch.status[model][i]), single.inertia.status)
                    self.assertTrue(near(batch.effective_mass[model][i], single.inertia.effective_mass))
                    self.assertTrue(near(batch.W[model][i], single.inertia.W))
                    self.assertTrue(near(batch.impulse_total[model][i], single.impulse.total))
                    for name in ("joint_velocity_jump", "joint_velocity_jump_least_norm", "joint_impulse"):
                        self.assertTrue(near(getattr(batch, name)[model][i], getattr(single, name)), name)

    def test_less_is_a_part_of_everything(self):
        q, dq = states(PANDA, 50)
        everything = thud.predict_batch(PANDA, POINT, q, dq, Everything)
        masses = thud.predict_batch(PANDA, POINT, q)
        # the last two models go another way to their matrices
        np.testing.assert_array_equal(masses.effective_mass.all[:, :2], everything.effective_mass.all[:, :2])
        np.testing.assert_allclose(masses.effective_mass.all, everything.effective_mass.all, rtol=1e-9)
        self.assertEqual((masses.v_exact.size, masses.J.size, masses.W.all.size), (0, 0, 0))
        impulses = thud.predict_batch(PANDA, POINT, q, dq)
        np.testing.assert_array_equal(impulses.effective_mass.all, masses.effective_mass.all)
        np.testing.assert_allclose(impulses.impulse_total.all, everything.impulse_total.all, rtol=1e-9)
        self.assertEqual(impulses.joint_impulse.all.size, 0)

    def test_by_model_and_all_of_it_without_a_copy(self):
        q, dq = states(PANDA, 5)
        batch = thud.predict_batch(PANDA, POINT, q, dq, Everything)
        for name, shape in {"effective_mass": (), "status": (), "W": (3, 3), "joint_impulse": (7,)}.items():
            array = getattr(batch, name)
            self.assertEqual(array.all.shape, (5, 4, *shape), name)
            for at, model in enumerate(thud.all_inertia_models):
                self.assertEqual(array[model].shape, (5, *shape), name)
                self.assertTrue(np.shares_memory(array[model], array.all[:, at]), name)
                self.assertFalse(array[model].flags.writeable)
                np.testing.assert_array_equal(array[model], array.all[:, at])
        self.assertEqual(repr(batch.W), "<ModelArray of shape (5, 4, 3, 3)>")
        self.assertRaises(TypeError, lambda: batch.W[0])  # by model only

    def test_does_not_depend_on_threads_or_memory_order(self):
        q, dq = states(PANDA, 1000)
        one = thud.predict_batch(PANDA, POINT, q, dq, Everything, jobs=1)
        for jobs in (0, 2, 5):
            self.assertTrue(equal(thud.predict_batch(PANDA, POINT, q, dq, Everything, jobs=jobs), one))
        wide = np.full((1002, 9), nan)
        wide[1:-1, 1:-1] = q
        for other in (np.asfortranarray(q), wide[1:-1, 1:-1], q.tolist()):
            self.assertTrue(equal(thud.predict_batch(PANDA, POINT, other, dq, Everything), one))

    def test_says_what_does_not_exist(self):
        q = np.array([np.zeros(7), posture(0)])
        batch = thud.predict_batch(PANDA, POINT, q)
        self.assertEqual(batch.status[Model.algebraic][0], thud.InertiaStatus.singular)
        self.assertTrue(np.isnan(batch.effective_mass[Model.algebraic][0]))
        np.testing.assert_allclose(batch.effective_mass.all[1], [10.7651, 2.4549, 8.7165, 2.4321], atol=5e-5)
        asked = thud.predict_batch(PANDA, POINT, q, pseudo_inverse=True)
        self.assertEqual(asked.status[Model.algebraic][0], thud.InertiaStatus.pseudo_inverse)

    def test_of_no_postures(self):
        batch = thud.predict_batch(PANDA, POINT, np.empty((0, 7)), outputs=Everything)
        self.assertEqual(batch.effective_mass.all.shape, (0, 4))
        self.assertEqual((batch.M.shape, batch.W.all.shape), ((0, 7, 7), (0, 4, 3, 3)))

    def test_pickles(self):
        q, dq = states(PANDA, 5)
        for batch in (thud.predict_batch(PANDA, POINT, q), thud.predict_batch(PANDA, POINT, q, dq, Everything)):
            self.assertTrue(equal(pickle.loads(pickle.dumps(batch)), batch))
            self.assertEqual(repr(batch), "<Batch, 5 postures>")

    def test_tells_how_far_it_is(self):
        for jobs in (1, 3):
            told: list[tuple[int, int]] = []
            thud.predict_batch(
                PANDA, POINT, states(PANDA, 1500)[0], jobs=jobs, progress=lambda *each: told.append(each)
            )
            done = [each[0] for each in told]
            self.assertEqual((done, {each[1] for each in told}), (sorted(set(done)), {1500}))
            self.assertEqual(done[-1], 1500)

    def test_a_posture_that_is_not_finite_is_nan_and_the_others_stand(self):
        q, dq = states(PANDA, 100)
        whole = thud.predict_batch(PANDA, POINT, q, dq, Everything)
        q[41, 3], dq[99, 6] = nan, -inf
        batch = thud.predict_batch(PANDA, POINT, q, dq, Everything)
        self.assertTrue(np.isnan(batch.effective_mass.all[41]).all() and np.isnan(batch.M[41]).all())
        self.assertTrue((batch.status.all[41] == thud.InertiaStatus.not_run).all())
        self.assertTrue(np.isnan(batch.impulse_total.all[[41, 99]]).all())
        np.testing.assert_array_equal(batch.effective_mass.all[99], whole.effective_mass.all[99])
        others = np.delete(np.arange(100), [41, 99])
        for name in FIELDS:
            np.testing.assert_array_equal(numbers(batch, name)[others], numbers(whole, name)[others], name)

    def test_refusals(self):
        q, dq = states(PANDA, 100)
        says = lambda *arguments, **options: refusal(
            thud.InputError, thud.predict_batch, PANDA, POINT, *arguments, **options
        )
        self.assertEqual(says(q[:, :6]), "q: 100 postures of 6 values: each needs 7, one per joint of panda")
        rule = "must have the shape of q, 100 postures of 7 values, or no posture"
        self.assertEqual(says(q, dq[:99]), "dq: 99 postures of 7 values: " + rule)
        self.assertEqual(says(q, restitution=1.5), "restitution: 1.5: must be from 0 to 1")
        self.assertEqual(says(q, jobs=-1), "jobs: -1: must be at least 0")
        with self.assertRaises(thud.RobotError):
            thud.predict_batch(PANDA, POINT.replace(frame="hand"), q)


if __name__ == "__main__":
    unittest.main()
