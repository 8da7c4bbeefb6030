import subprocess
import sys
import unittest

import numpy as np
from support import POINT, ROOT, refusal

import thud

PANDA = thud.load_robot("panda")
MISSING = thud.gpu_missing()


class OnAGpu:
    """An array on a GPU, as CuPy and others tell of it."""

    __cuda_array_interface__ = {"shape": (2, 7), "typestr": "<f8", "data": (4096, False), "strides": None, "version": 3}


class Gpu(unittest.TestCase):
    q = np.random.default_rng(1).uniform(-2, 2, (500, 7))

    def says(self, q, **options) -> str:
        return refusal(thud.InputError, thud.predict_batch, PANDA, POINT, q, **options)

    @unittest.skipUnless(MISSING, "there is a GPU")
    def test_says_what_is_missing(self):
        self.assertEqual(self.says(self.q, backend="gpu"), f"backend: gpu: {MISSING}")
        self.assertEqual(self.says(OnAGpu(), backend="gpu"), f"backend: gpu: {MISSING}")
        for example in ("gpu_map", "gpu_planner"):
            done = subprocess.run([sys.executable, ROOT / f"examples/{example}.py", "gpu"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (1, f"no GPU: {MISSING}\n"))

    def test_refuses_another_backend_and_arrays_that_are_not_there(self):
        self.assertEqual(self.says(self.q, backend="tpu"), "backend: tpu: must be cpu or gpu")
        self.assertEqual(self.says(OnAGpu(), backend="cpu"), "backend: cpu: q is on a GPU: must be gpu")

    @unittest.skipIf(MISSING, f"no GPU: {MISSING}")
    def test_answers_as_the_processor_does(self):
        here = thud.predict_batch(PANDA, POINT, self.q)
        there = thud.predict_batch(PANDA, POINT, self.q, backend="gpu")
        np.testing.assert_allclose(there.effective_mass.all, here.effective_mass.all, rtol=1e-7)
        np.testing.assert_array_equal(there.status.all, here.status.all)

    def test_examples_run_on_the_processor(self):
        done = subprocess.run([sys.executable, ROOT / "examples/gpu_map.py", "cpu", "2e4"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(done.stdout.splitlines()), 23)
        done = subprocess.run([sys.executable, ROOT / "examples/gpu_planner.py", "cpu", "1e3"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        straight, planned, took = done.stdout.splitlines()
        hit = lambda line: float(line.split("hit ")[1].split()[0])
        self.assertLess(hit(planned), hit(straight))
        self.assertLess(hit(planned), 3)  # [N s], what counts as hard there


if __name__ == "__main__":
    unittest.main()
