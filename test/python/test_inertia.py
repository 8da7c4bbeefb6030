import unittest
from math import isnan, pi

import numpy as np

import thud
from support import C1, C2, I1, I2, L1, L2, M1, M2, POINT, cross, dynamics, random_robot, rotation, unit

TIGHT = 1e-12
Status = thud.InertiaStatus


def cart(normal: list) -> thud.ContactDynamics:
    """2 kg on a slider along x, hit through its centre."""
    joint = thud.Joint("j", thud.JointType.prismatic, "cart", axis=[1, 0, 0])
    robot = thud.Robot("cart", [joint], [thud.BodyInertia(2, inertia=np.eye(3))], [thud.Frame("cart", 0)])
    return thud.contact_dynamics(robot, thud.ContactPoint("cart", normal_W=normal), [0])


class InverseInertia(unittest.TestCase):
    def test_planar_arm_folded_at_a_right_angle(self):
        arm = thud.load_robot("planar_2r")
        x = thud.contact_dynamics(arm, thud.ContactPoint("tip", normal_W=[-1, 0, 0]), [0, pi / 2])
        y = thud.contact_dynamics(arm, thud.ContactPoint("tip", normal_W=[0, 1, 0]), [0, pi / 2])
        # joints free: along x both columns of J are -l2, along y they are (l1, 0); M = [a b; b d] with b = d here
        d = b = I2 + M2 * C2**2
        a = I1 + M1 * C1**2 + d + M2 * L1**2
        det = a * d - b * b
        along = det / (L2**2 * (a - 2 * b + d))
        self.assertAlmostEqual(thud.generalized_momentum(x).effective_mass, along, delta=TIGHT)
        self.assertAlmostEqual(thud.generalized_momentum(y).effective_mass, det / (L1**2 * d), delta=TIGHT)
        # one rigid body of two rods, hit at a distance from its centre of mass
        r = np.array([L1, L2]) - np.array([M1 * C1 + M2 * L1, M2 * C2]) / 5
        Ic = I1 + I2 + M1 * M2 / 5 * ((L1 - C1) ** 2 + C2**2)
        self.assertAlmostEqual(thud.composite_rigid_body(x).effective_mass, 1 / (1 / 5 + r[1] ** 2 / Ic), delta=TIGHT)
        self.assertAlmostEqual(thud.composite_rigid_body(y).effective_mass, 1 / (1 / 5 + r[0] ** 2 / Ic), delta=TIGHT)
        self.assertEqual(thud.algebraic(x).status, Status.underactuated)
        self.assertTrue(isnan(thud.algebraic(x).effective_mass))
        stretched = thud.contact_dynamics(arm, thud.ContactPoint("tip", normal_W=[-1, 0, 0]), [0, 0])
        self.assertEqual(thud.generalized_momentum(stretched).status, Status.singular)

    def test_a_cart_weighs_what_it_weighs(self):
        along, across = cart([-1, 0, 0]), cart([0, 1, 0])
        for inertia in (
            thud.generalized_momentum(along),
            thud.composite_rigid_body(along),
            thud.flexible_joints(along),
            thud.algebraic(along, pseudo_inverse=True),
            thud.composite_rigid_body(across),
        ):
            self.assertAlmostEqual(inertia.effective_mass, 2, delta=TIGHT)
        self.assertEqual(thud.generalized_momentum(across).status, Status.singular)
        self.assertFalse(thud.generalized_momentum(across).exists)
        self.assertEqual(thud.algebraic(across, pseudo_inverse=True).status, Status.singular)

    def test_definitions_by_plain_matrix_algebra(self):
        """docs/equations.md as it stands, with general inverses."""
        for seed in range(8):
            random = np.random.default_rng(seed)
            robot = random_robot(seed, 8)
            point = thud.ContactPoint("link7", random.normal(size=3), random.normal(size=3))
            self.compare(thud.contact_dynamics(robot, point, random.uniform(-2, 2, 8)))
        for index in range(3):
            self.compare(dynamics(index))

    def compare(self, d: thud.ContactDynamics):
        n, r, M_inv = d.normal_W, d.p_WC - d.com_W, np.linalg.inv(d.M)
        X = np.block([[np.eye(3), -cross(r)], [np.zeros((3, 3)), np.eye(3)]])
        I_G = np.block([[d.mass * np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), d.Ic_W]])
        W = np.eye(3) / d.mass - cross(r) @ np.linalg.inv(d.Ic_W) @ cross(r)
        W_gm = (d.J @ M_inv @ d.J.T)[:3, :3]
        W_flexible = W + ((d.J - X @ np.linalg.inv(I_G) @ d.A_G) @ M_inv @ d.J.T)[:3, :3]
        found = {
            thud.composite_rigid_body: W,
            thud.generalized_momentum: W_gm,
            thud.flexible_joints: W_flexible,
        }
        for option, expected in found.items():
            inertia = option(d)
            np.testing.assert_allclose(inertia.W, expected, atol=1e-9 * np.abs(expected).max())
            if inertia.exists:
                self.assertAlmostEqual(inertia.effective_mass * (n @ expected @ n), 1, delta=1e-8)
        if thud.algebraic(d).status == Status.ok:
            m_em = np.linalg.inv(d.J @ M_inv @ d.J.T)[:3, :3]
            self.assertAlmostEqual(thud.algebraic(d).effective_mass / (n @ m_em @ n), 1, delta=1e-6)
            self.assertGreaterEqual(n @ m_em @ n, 1 / (n @ W_gm @ n))
        X_inv = np.linalg.inv(X)
        I_eq = X_inv.T @ I_G @ X_inv
        np.testing.assert_allclose(thud.equivalent_inertia(d), I_eq, atol=1e-10 * np.abs(I_eq).max())

    def test_links_share_the_composite_body(self):
        d = dynamics(1)
        links = thud.link_inertias(thud.load_robot("panda"), POINT, [0, 0.4, 0, -1.3, 0, pi / 2 + 1.7, pi / 4])
        I_eq = thud.equivalent_inertia(d)
        np.testing.assert_allclose(sum(links), I_eq, atol=1e-11)
        V = np.linalg.solve(I_eq, np.r_[d.normal_W, 0, 0, 0])
        shares = np.array([V @ each @ V for each in links]) * thud.composite_rigid_body(d).effective_mass
        np.testing.assert_allclose(thud.link_shares(d, links), shares, atol=1e-11)
        self.assertAlmostEqual(shares.sum(), 1, delta=1e-11)

    def test_singular_postures_and_the_pseudo_inverse(self):
        for name, q, frame in [("panda", np.zeros(7), "panda_foot"), ("spatial_3r", [0.3, -0.2, 0.9], "tip")]:
            point = thud.ContactPoint(frame, [0, 0, 0.01], [-1, 0.2, 0])
            d = thud.contact_dynamics(thud.load_robot(name), point, q)
            self.assertIn(thud.algebraic(d).status, (Status.singular, Status.underactuated))
            pinv = np.linalg.pinv(d.J @ np.linalg.solve(d.M, d.J.T), rcond=1e-12)[:3, :3]
            found = thud.algebraic(d, pseudo_inverse=True)
            self.assertEqual((found.status, found.exists), (Status.pseudo_inverse, True))
            self.assertAlmostEqual(found.effective_mass / (d.normal_W @ pinv @ d.normal_W), 1, delta=1e-8)
        self.assertEqual(thud.algebraic(dynamics(0), pseudo_inverse=True).status, Status.ok)

    def test_plain_matrices_and_model_by_name(self):
        d = dynamics(2)
        body, contact = thud.CompositeBody(d.mass, d.com_W, d.Ic_W), thud.ContactGeometry(d.p_WC, d.normal_W)
        by_hand = {
            thud.InertiaModel.algebraic: thud.algebraic(d.M, d.J, d.normal_W),
            thud.InertiaModel.generalized_momentum: thud.generalized_momentum(d.M, d.J, d.normal_W),
            thud.InertiaModel.composite_rigid_body: thud.composite_rigid_body(body, contact),
            thud.InertiaModel.flexible_joints: thud.flexible_joints(d.M, d.J, d.A_G, body, contact),
        }
        table = dict(zip(thud.all_inertia_models, (16.7389, 2.4476, 13.4072, 2.3710)))
        for model, inertia in by_hand.items():
            self.assertEqual(inertia.effective_mass, thud.inverse_inertia(d, model).effective_mass)
            self.assertAlmostEqual(inertia.effective_mass, table[model], delta=5e-5)

    def test_four_at_once(self):
        for d in (dynamics(0), cart([-1, 0, 0])):
            four = thud.inverse_inertias(d)
            self.assertEqual(tuple(four), thud.all_inertia_models)
            for model in thud.all_inertia_models:
                alone, together = getattr(thud, model.name)(d), four[model]
                self.assertEqual(together.status, alone.status)
                np.testing.assert_allclose(together.W, alone.W, rtol=1e-9, atol=1e-12)

    def test_a_planar_arm_in_a_turned_world_stays_singular(self):
        """Seven joints about one direction move the tip in a plane only, whatever the rounding of a turned frame."""
        random = np.random.default_rng(2)
        for _ in range(10):
            R = rotation(unit(random), random.uniform(-3, 3))
            body = thud.BodyInertia(1, [0.15, 0.02, 0], np.diag([0.01, 0.02, 0.02]))
            base = thud.Joint("0", axis=[0, 0, 1], link="0", R_PJ=R)
            link = base.replace(p_PJ=[0.3, 0, 0], R_PJ=np.eye(3))
            others = [link.replace(name=f"{i}", link=f"{i}", parent=i - 1) for i in range(1, 7)]
            arm = thud.Robot("planar", [base, *others], 7 * [body], [thud.Frame("tip", 6)])
            at = lambda n: thud.contact_dynamics(arm, thud.ContactPoint("tip", [0.2, 0, 0], R @ n), q)
            q, inside, across = random.uniform(-1, 1, 7), np.array([1, 0.3, 0]), np.array([0, 0, 1])
            self.assertEqual(thud.algebraic(at(inside)).status, Status.singular)
            self.assertEqual(thud.generalized_momentum(at(inside)).status, Status.ok)
            self.assertEqual(thud.generalized_momentum(at(across)).status, Status.singular)

    def test_what_has_no_inertia_to_turn(self):
        random = np.random.default_rng(1)
        for _ in range(10):
            joint = thud.Joint("j", axis=[0, 0, 1], link="rod", R_PJ=rotation(unit(random), 1.3))
            rod = thud.BodyInertia(1, [0.5, 0, 0], np.diag([0, 0.1, 0.1]))
            point = thud.ContactPoint("rod", [1, 0.1, 0.1], unit(random))
            frames = [thud.Frame("rod", 0)]
            thin = thud.contact_dynamics(thud.Robot("rod", [joint], [rod], frames), point, [0.3])
            self.assertEqual(thud.composite_rigid_body(thin).status, Status.massless)
            self.assertEqual(thud.link_shares(thin, []), [])
            on_axis = thud.BodyInertia(1, [0, 0, 0.7], np.zeros((3, 3)))
            nothing = thud.contact_dynamics(thud.Robot("point", [joint], [on_axis], frames), point, [0.3])
            self.assertEqual(thud.generalized_momentum(nothing).status, Status.massless)
        self.assertEqual(Status.underactuated.name, "underactuated")


if __name__ == "__main__":
    unittest.main()
