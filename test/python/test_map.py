"""Maps in Python: the arrays against predict, the files, and what does not fit."""

import csv
import pickle
import tempfile
import unittest
from pathlib import Path

import numpy as np
import thud
from support import POINT, refusal, same

PANDA = thud.load_robot("panda")
MODEL = thud.InertiaModel.composite_rigid_body


class Map(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.map = thud.capability_map(PANDA, POINT, cell=0.2, samples=20000)

    def test_extremes_are_those_of_their_postures(self):
        found = self.map
        cells = found.centre.shape[1]
        self.assertEqual((found.quantity, found.model, found.least.shape), (thud.MapQuantity.effective_mass, MODEL, (cells,)))
        self.assertEqual((found.q_least.shape, found.normal_least.shape), ((7, cells), (3, cells)))
        self.assertEqual(found.postures.sum(), 20000)
        for q, values in (found.q_least, found.least), (found.q_greatest, found.greatest):
            batch = thud.predict_batch(PANDA, POINT, q.T, outputs=thud.BatchOutputs.positions)
            np.testing.assert_allclose(batch.effective_mass[MODEL], values, rtol=1e-9)
            self.assertLessEqual(np.abs(batch.p_WC.T - found.centre).max(), 0.1 + 1e-9)
        self.assertTrue((found.least <= found.median).all() and (found.median <= found.greatest).all())
        self.assertAlmostEqual(found.convergence.volume, cells * 0.2**3)
        self.assertTrue(same(pickle.loads(pickle.dumps(found)), found))

    def test_quantities_and_sides(self):
        heard = []
        chest = thud.BodyContact(thud.body_regions()["chest"])
        speed = thud.capability_map(PANDA, POINT, quantity=thud.MapQuantity.speed, body=chest, cell=0.2, samples=20000,
                                    jobs=2, progress=lambda done, all: heard.append((done, all)))
        self.assertEqual(heard[-1], (20000, 20000))
        self.assertEqual(thud.unit_of(speed.quantity), "m/s")
        expected = [thud.body_speeds(chest, mass).force for mass in self.map.greatest]
        np.testing.assert_allclose(speed.least, expected, rtol=1e-9)
        box = thud.WorkspaceBox([0, -0.2, 0], [0.5, 0.2, 0.5])
        turned = thud.capability_map(PANDA, POINT, direction_F=[0, 0, 1], within=box, cell=0.2, samples=5000)
        self.assertTrue((turned.centre[1] < 0.31).all())
        wide = thud.capability_map(PANDA, POINT, all_directions=True, cell=0.2, samples=20000)
        self.assertTrue((wide.least <= self.map.least * (1 + 1e-9)).all())
        self.assertTrue((wide.greatest >= self.map.greatest * (1 - 1e-9)).all())
        inertia = thud.composite_rigid_body(thud.contact_dynamics(PANDA, POINT, wide.q_least[:, 0]))
        self.assertAlmostEqual(thud.direction_masses(inertia, MODEL).least, wide.least[0], places=9)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            files = thud.write_map(self.map, PANDA, POINT, Path(folder) / "new")
            lines = Path(files.table).read_text().splitlines()
            self.assertTrue(lines[0].startswith("# thud map "))
            rows = list(csv.DictReader(lines[2:]))
            np.testing.assert_array_equal([float(row["greatest [kg]"]) for row in rows], self.map.greatest)
            np.testing.assert_array_equal([float(row["q_least_panda_joint4 [rad]"]) for row in rows], self.map.q_least[3])
            self.assertIn('{"format":"thud map"', Path(files.page).read_text())
            thud.write_map(self.map, PANDA, POINT, Path(folder) / "new")  # its own
            Path(files.table).write_text("x\n")
            with self.assertRaises(thud.FileError):
                thud.write_map(self.map, PANDA, POINT, Path(folder) / "new")
        self.assertEqual(thud.map_csv(self.map, PANDA).count("\n"), 2 + self.map.centre.shape[1])
        self.assertIn("thud map", thud.map_page(thud.map_json(self.map, PANDA, POINT)))

    def test_refusals(self):
        for message, words in [
            ("cell: 0", dict(cell=0)),
            ("samples: 1", dict(samples=1)),
            ("law: none", dict(quantity=thud.MapQuantity.peak_force, approach_speed=1)),
            ("limits: none", dict(quantity=thud.MapQuantity.speed)),
            ("direction_F", dict(direction_F=[1, 2])),
        ]:
            self.assertIn(message, refusal(thud.InputError, thud.capability_map, PANDA, POINT, **words))
