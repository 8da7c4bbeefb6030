# A sampling planner that avoids hard hits: the Panda goes from one posture to another; of 10 000 random variations of its way
# those count most that are short and along which the foot, if it met a wall at x, would pass on little impulse.
#
#     python gpu_planner.py [cpu | gpu] [ROLLOUTS]
#
# Path integral control: the next way is the mean of all, weighted by exp(-cost). On a GPU (CuPy) all of it stays there.
import sys
import time

import numpy as np

import thud

backend = sys.argv[1] if len(sys.argv) > 1 else "cpu"
rollouts = int(float(sys.argv[2])) if len(sys.argv) > 2 else 10_000
if backend == "gpu":
    if why := thud.gpu_missing():
        sys.exit(f"no GPU: {why}")
    import cupy as xp
else:
    xp = np

robot = thud.load_robot("panda")
point = thud.ContactPoint("panda_foot", [0, 0, 0.0223], [-1, 0, 0])  # a wall in front
start, goal = xp.asarray([0, -0.6, 0, -2.2, 0, 2.4, 0.8]), xp.asarray([0, 0.5, 0, -1.4, 0, 1.9, 0.8])
turns, steps, duration, hard = 20, 24, 1.0, 3.0  # [1], [1], [s], [N s]
shapes = xp.sin(xp.pi * xp.arange(1, 4)[:, None] * xp.linspace(0, 1, steps))  # what a way may add: three half waves
random = xp.random.default_rng(1)


def numbers(array):
    """An array of a batch, of the host or of the GPU."""
    every = getattr(array, "all", array)  # of all models; of an array, a method
    return xp.asarray(array if callable(every) else every)


def hits(ways):
    """The hardest hit of each way [N s], and its length [rad]; ways x steps x joints."""
    dq = xp.gradient(ways, duration / (steps - 1), axis=1)
    q, rates = (xp.ascontiguousarray(each.reshape(-1, robot.size)) for each in (ways, dq))
    batch = thud.predict_batch(robot, point, q, rates, restitution=0.2, backend=backend)
    impulse = numbers(batch.impulse_total)[:, thud.InertiaModel.composite_rigid_body.value]
    return impulse.reshape(len(ways), steps).max(axis=1), xp.abs(xp.diff(ways, axis=1)).sum(axis=(1, 2))


straight = start + (goal - start) * xp.linspace(0, 1, steps)[:, None]
wave, spread = xp.zeros((3, robot.size)), 0.3  # [rad]
hardest, length = hits(straight[None])
print(f"straight: hardest hit {float(hardest[0]):.2f} N s, length {float(length[0]):.2f} rad")
began = time.perf_counter()
for turn in range(turns):
    tried = wave + spread * random.standard_normal((rollouts, 3, robot.size))
    hardest, length = hits(straight + xp.einsum("rwj,ws->rsj", tried, shapes))
    cost = length + 20 * xp.maximum(0, hardest / hard - 1)
    weight = xp.exp(-(cost - cost.min()) / 0.1)
    wave, spread = xp.einsum("r,rwj->wj", weight / weight.sum(), tried), 0.85 * spread
hardest, length = hits((straight + xp.einsum("wj,ws->sj", wave, shapes))[None])
took = time.perf_counter() - began
print(f"planned:  hardest hit {float(hardest[0]):.2f} N s, length {float(length[0]):.2f} rad")
print(f"{turns} x {rollouts} rollouts of {steps} postures in {took:.2f} s on the {backend}")
