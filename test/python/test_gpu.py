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

    def libraries(self):
        """How each library that is there makes an array on the GPU, and a NumPy array of one of ours."""
        try:
            import cupy

            yield "cupy", cupy.asarray, lambda of: cupy.asnumpy(cupy.asarray(of))
            yield "cupy by DLPack", cupy.asarray, lambda of: cupy.asnumpy(cupy.from_dlpack(of))
        except ImportError:
            pass
        try:
            import torch

            yield "torch", lambda q: torch.tensor(q, device="cuda"), lambda of: torch.from_dlpack(of).cpu().numpy()
        except ImportError:
            pass
        try:
            import jax

            jax.config.update("jax_enable_x64", True)
            yield "jax", jax.numpy.asarray, lambda of: np.asarray(jax.dlpack.from_dlpack(of))
        except ImportError:
            pass

    @unittest.skipIf(MISSING, f"no GPU: {MISSING}")
    def test_takes_and_gives_arrays_on_the_gpu(self):
        dq = np.random.default_rng(2).uniform(-1, 1, self.q.shape)
        here = thud.predict_batch(PANDA, POINT, self.q, dq, outputs=thud.BatchOutputs.positions, restitution=0.2)
        for name, there, back in self.libraries():
            with self.subTest(name):
                found = thud.predict_batch(PANDA, POINT, there(self.q), there(dq), outputs=thud.BatchOutputs.positions, restitution=0.2, backend="gpu")
                self.assertEqual(found.effective_mass.shape, (500, 4))
                np.testing.assert_allclose(back(found.effective_mass), here.effective_mass.all, rtol=1e-7)
                np.testing.assert_allclose(back(found.impulse_total), here.impulse_total.all, rtol=1e-7)
                np.testing.assert_allclose(back(found.p_WC), here.p_WC, rtol=0, atol=1e-12)
                np.testing.assert_allclose(back(found.v_exact), here.v_exact, rtol=0, atol=1e-12)
                self.assertIsNone(found.M)

    @unittest.skipIf(MISSING, f"no GPU: {MISSING}")
    def test_everything_stays_on_the_gpu_without_a_copy(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("no CuPy")
        here = thud.predict_batch(PANDA, POINT, self.q, outputs=thud.BatchOutputs.everything)
        wide = cupy.zeros((500, 9))
        wide[:, :7] = cupy.asarray(self.q)
        with cupy.cuda.Stream() as stream:
            found = thud.predict_batch(PANDA, POINT, wide[:, :7], outputs=thud.BatchOutputs.everything, backend="gpu", stream=stream.ptr)
        for name in ("J", "M", "A_G", "com_W", "Ic_W", "p_WC"):
            with self.subTest(name):
                array = cupy.asarray(getattr(found, name))
                self.assertEqual(array.data.ptr, getattr(found, name).__cuda_array_interface__["data"][0])
                np.testing.assert_allclose(cupy.asnumpy(array), getattr(here, name), rtol=0, atol=1e-11)
        kept = cupy.asarray(found.effective_mass)
        del found  # the memory is kept by who took the array
        np.testing.assert_allclose(cupy.asnumpy(kept), here.effective_mass.all, rtol=1e-7)
        self.assertEqual(self.says(cupy.asarray(self.q, dtype=cupy.float32), backend="gpu"), "q: type <f4: must be float64 on a GPU")
        self.assertEqual(self.says(cupy.asarray(self.q[:, :6]), backend="gpu"), "q: 500 postures of 6 values: each needs 7, one per joint of panda")

    @unittest.skipIf(MISSING, f"no GPU: {MISSING}")
    def test_examples_run_on_the_gpu(self):
        for example, lines in (("gpu_map", 23), ("gpu_planner", 3)):
            done = subprocess.run([sys.executable, ROOT / f"examples/{example}.py", "gpu", "1e4"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(len(done.stdout.splitlines()), lines)

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
