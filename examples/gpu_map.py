# Where does the Panda hit lightly? Postures by the million, on the processor or on a GPU: the least effective mass of its foot
# towards a wall, over a slice of its workspace.
#
#     python gpu_map.py [cpu | gpu] [POSTURES]
#
# On a GPU (CuPy) the postures are drawn there and the results stay there; only the cells come back.
import sys
import time

import numpy as np

import thud

backend = sys.argv[1] if len(sys.argv) > 1 else "cpu"
postures = int(float(sys.argv[2])) if len(sys.argv) > 2 else 200_000
if backend == "gpu":
    if why := thud.gpu_missing():
        sys.exit(f"no GPU: {why}")
    import cupy as xp
else:
    xp = np

robot = thud.load_robot("panda")
point = thud.ContactPoint("panda_foot", [0, 0, 0.0223], [-1, 0, 0])
limits = xp.asarray([[joint.lower, joint.upper] for joint in robot.joints])
cell, cells = 0.1, 22  # [m], along x and z from -1.1 m


def numbers(array):
    """An array of a batch, of the host or of the GPU."""
    every = getattr(array, "all", array)  # of all models; of an array, a method
    return xp.asarray(array if callable(every) else every)


def mapped(count):
    q = limits[:, 0] + (limits[:, 1] - limits[:, 0]) * xp.random.default_rng(1).random((count, robot.size))
    batch = thud.predict_batch(robot, point, q, outputs=thud.BatchOutputs.positions, backend=backend)
    mass, p = numbers(batch.effective_mass)[:, thud.InertiaModel.composite_rigid_body.value], numbers(batch.p_WC)
    column, row = (xp.floor(p[:, axis] / cell).astype(int) + cells // 2 for axis in (0, 2))
    slice_y = (xp.abs(p[:, 1]) < cell) & (column >= 0) & (column < cells) & (row >= 0) & (row < cells)
    least = xp.full((cells, cells), xp.inf)
    xp.minimum.at(least, (row[slice_y], column[slice_y]), mass[slice_y])
    return least if xp is np else xp.asnumpy(least)


mapped(1000)  # the first call finds the device
start = time.perf_counter()
least = mapped(postures)
print(f"{postures} postures in {time.perf_counter() - start:.3f} s on the {backend}")
for row in reversed(least):
    print("".join("   ." if not np.isfinite(mass) else f"{mass:4.1f}" for mass in row))
