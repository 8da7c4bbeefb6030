import ctypes
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


class DLTensor(ctypes.Structure):
    """An array as DLPack has it (dlpack.h, version 0.8), and below who gives it away."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class ByDLPack:
    """An array that knows DLPack alone, and the streams that it was asked for."""

    def __init__(self, shape=(2, 7), strides=None, code=2, bits=64, device=2):
        self.streams, self.device = [], device
        self.sizes = (ctypes.c_int64 * len(shape))(*shape)
        self.steps = strides and (ctypes.c_int64 * len(strides))(*strides)
        self.managed = DLManagedTensor(DLTensor(4096, device, 0, len(shape), code, bits, 1, self.sizes, self.steps, 0), None, None)

    def __dlpack_device__(self):
        return (2, 0)

    def __dlpack__(self, *, stream):
        self.streams.append(stream)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor", None)


class DLPackAlone:
    """An array of another library, of which nothing but DLPack is left."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


class Both(ByDLPack):
    """One that tells of itself without a stream, as PyTorch's do, or with one."""

    def __init__(self, **told):
        super().__init__()
        self.__cuda_array_interface__ = OnAGpu.__cuda_array_interface__ | told


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

    @unittest.skipUnless(MISSING, "there is a GPU, and these arrays are not on it")
    def test_reads_what_arrays_tell_of_themselves(self):
        missing = f"backend: gpu: {MISSING}"
        self.assertEqual(self.says(ByDLPack(), backend="cpu"), "backend: cpu: q is on a GPU: must be gpu")
        for array in (ByDLPack(), ByDLPack(strides=(9, 1)), ByDLPack((1, 7), strides=(0, 1)), Both()):
            self.assertEqual(self.says(array, backend="gpu"), missing)
            self.assertEqual(self.says(array, backend="gpu", stream=0), missing)
            self.assertEqual(self.says(array, backend="gpu", stream=77), missing)
            self.assertEqual(self.says(ByDLPack((array.sizes[0], 7)), dq=array, backend="gpu", stream=78), missing)
            self.assertEqual(array.streams, [1, 1, 77, 78])  # 1: the default stream
        with_stream = Both(stream=5)
        rates = ByDLPack()
        self.assertEqual(self.says(with_stream, dq=rates, backend="gpu"), missing)
        self.assertEqual((with_stream.streams, rates.streams), ([], [5]))
        for array, why in (
            (ByDLPack(bits=32), "q: type <f4: must be float64 on a GPU"),
            (ByDLPack(code=0), "q: type <i8: must be float64 on a GPU"),
            (ByDLPack((2, 7, 1)), "q: 3 dimensions: must be a matrix"),
            (ByDLPack(strides=(1, 2)), "q: strides: the numbers of a posture must be side by side"),
            (ByDLPack(strides=(0, 1)), "q: strides: each posture needs numbers of its own"),
            (ByDLPack(device=1), "q: what __dlpack__ returns: must be on a GPU"),
            (ByDLPack((2, 6)), "q: 2 postures of 6 values: each needs 7, one per joint of panda"),
            (Both(stream=None, strides=(0, 8)), "q: strides: each posture needs numbers of its own"),
            (Both(stream=None, strides=(60, 8)), "q: strides: must be whole numbers of float64"),
            (Both(stream=None, typestr="<f4"), "q: type <f4: must be float64 on a GPU"),
        ):
            with self.subTest(why):
                self.assertEqual(self.says(array, backend="gpu"), why)
        self.assertEqual(self.says(ByDLPack(), dq=ByDLPack(bits=32), backend="gpu"), "dq: type <f4: must be float64 on a GPU")

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
                if not hasattr(there(self.q), "__dlpack__"):
                    continue
                alone = DLPackAlone(there(self.q))
                found = thud.predict_batch(PANDA, POINT, alone, DLPackAlone(there(dq)), restitution=0.2, backend="gpu")
                np.testing.assert_allclose(back(found.effective_mass), here.effective_mass.all, rtol=1e-7)
                self.assertEqual(found.effective_mass.__dlpack_device__(), alone.__dlpack_device__())

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
