"""What others take for the same question on the GPU of this machine: an arm written by hand in PyTorch and in JAX, and MJX for M and J.

python rivals_gpu.py QUESTION.json OUT.json [torch | jax | mjx]

QUESTION.json, of bench_gpu: an arm, postures, their masses, M and J by thud. Who does not agree is not timed; all in double precision.
"""

import json
import sys
import time

COUNT = 1 << 20  # postures at a time
AGREEMENT = 1e-9  # of M, J and the masses, relative to the largest entry of a posture; of the algebraic mass, an inverse of condition 1e9:
AGREEMENT_OF_INVERSE = 1e-5


def arm(xp, joints, offset, normal, q):
    """M, J at the contact point, and the four effective masses, for a batch q of shape (N, n): the composite-rigid-body algorithm about
    the contact point, in world axes."""
    stack, dot = xp.stack, lambda a, b: (a * b).sum(-1)
    cross = lambda a, b: stack([a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1], a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2], a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]], 1)
    times = lambda A, b: (A * b[:, None, :]).sum(-1)
    n, one = len(joints), xp.ones_like(q[:, 0])
    R, p = xp.eye(one)[None] * one[:, None, None], xp.zeros_like(q[:, :3])
    frames = []
    for i, joint in enumerate(joints):  # a serial arm
        p = p + times(R, joint["p"][None] * one[:, None])
        s, c = xp.sin(q[:, i])[:, None, None], xp.cos(q[:, i])[:, None, None]
        K = joint["K"][None]  # of the axis, [axis]x
        R = R @ (joint["R"][None] @ (xp.eye(one)[None] + s * K + (1 - c) * (K @ K)))
        frames.append((R, p))
    p_WC = p + times(R, offset[None] * one[:, None])
    axes, twists, mass, first, second, momenta = [], [], 0, 0, 0, [None] * n
    for joint, (R, p) in zip(joints, frames):
        axis = times(R, joint["axis"][None] * one[:, None])
        twists.append((cross(p - p_WC, axis), axis))
    for i in reversed(range(n)):
        joint, (R, p) = joints[i], frames[i]
        r = p - p_WC + times(R, joint["com"][None] * one[:, None])
        mass, first = mass + joint["mass"], first + joint["mass"] * r
        second = second + R @ joint["I"][None] @ xp.transposed(R) + joint["mass"] * (dot(r, r)[:, None, None] * xp.eye(one)[None] - r[:, :, None] * r[:, None, :])
        v, w = twists[i]
        momenta[i] = (mass * v + cross(w, first), times(second, w) + cross(first, v))
    M = stack([stack([dot(twists[min(i, j)][0], momenta[max(i, j)][0]) + dot(twists[min(i, j)][1], momenta[max(i, j)][1]) for j in range(n)], 1)
               for i in range(n)], 1)
    M = M + xp.diagonal(stack([joint["rotor"] for joint in joints], 0))[None]
    J = xp.concatenate([stack([twist[0] for twist in twists], 2), stack([twist[1] for twist in twists], 2)], 1)
    r = first / mass
    Ic = second - mass * (dot(r, r)[:, None, None] * xp.eye(one)[None] - r[:, :, None] * r[:, None, :])
    X = xp.solve(M, xp.transposed(J))  # M^-1 J^T
    A = J @ X
    many = normal[None] * one[:, None]
    along = lambda W: dot(many, times(W, many))
    algebraic = along(xp.inverse(A[:, :3, :3] - A[:, :3, 3:] @ xp.solve(A[:, 3:, 3:], A[:, 3:, :3])))
    w = xp.solve(Ic, cross(-r, many)[:, :, None])[:, :, 0]
    v = cross(w, -r) + many / mass
    rigid, response = dot(v, many), times(X[:, :, :3], many)
    shared = sum((dot(h[0], v) + dot(h[1], w)) * response[:, i] for i, h in enumerate(momenta))
    momentum = along(A[:, :3, :3])
    return M, J, stack([algebraic, 1 / momentum, 1 / rigid, 1 / (rigid + momentum - shared)], 1)


def worst(found, known):
    """The largest difference, relative to the largest entry of its posture."""
    import numpy as np

    found, known = np.asarray(found).reshape(len(known), -1), np.asarray(known).reshape(len(known), -1)
    return float((np.abs(found - known).max(1) / np.abs(known).max(1)).max())


def seconds(call):
    """The median of five calls after one that is not counted."""
    call()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return sorted(times)[2]


def report(version, question, masses, matrices):
    """A row: agreement first; who does not agree has no rates. The calls return when all is computed."""
    import numpy as np

    def first(array):
        some = array[: len(question["q"])]
        return np.asarray(some.cpu() if hasattr(some, "cpu") else some)

    M, J = map(first, matrices())
    row = {"version": version, "difference_M": worst(M, question["M"]), "difference_J": worst(J, question["J"])}
    agrees = max(row["difference_M"], row["difference_J"]) <= AGREEMENT
    if masses:
        found, known = first(masses()), np.asarray(question["mass"])
        row["difference"] = float(np.abs(found[:, 1:] / known[:, 1:] - 1).max())
        row["difference_algebraic"] = float(np.abs(found[:, 0] / known[:, 0] - 1).max())
        agrees = agrees and row["difference"] <= AGREEMENT and row["difference_algebraic"] <= AGREEMENT_OF_INVERSE
    row["agrees"] = bool(agrees)
    if agrees:
        row["matrices"] = COUNT / seconds(matrices)
    if agrees and masses:
        row["masses"] = COUNT / seconds(masses)
    return row


def constants(question, array):
    import numpy as np

    def joint(of):
        x, y, z = of["axis"]
        return {"R": array(of["R"]), "p": array(of["p"]), "axis": array(of["axis"]), "K": array([[0, -z, y], [z, 0, -x], [-y, x, 0]]),
                "mass": float(of["mass"]), "com": array(of["com"]), "I": array(of["I"]), "rotor": array(of["rotor"])}

    normal = np.asarray(question["normal"])
    return [joint(each) for each in question["joints"]], array(question["offset"]), array(normal / np.linalg.norm(normal))


def by_torch(question):
    import torch

    class Torch:
        stack, sin, cos, zeros_like, ones_like = torch.stack, torch.sin, torch.cos, torch.zeros_like, torch.ones_like
        concatenate, diagonal, solve, inverse = torch.cat, torch.diag, torch.linalg.solve, torch.linalg.inv
        eye = staticmethod(lambda like: torch.eye(3, dtype=like.dtype, device=like.device))
        transposed = staticmethod(lambda A: A.transpose(1, 2))

    array = lambda values: torch.tensor(values, dtype=torch.float64, device="cuda")
    joints, offset, normal = constants(question, array)
    q = array(question["q"]).repeat(COUNT // len(question["q"]), 1)
    all_of = lambda of: arm(Torch, joints, offset, normal, of)

    def waited(function):
        def call():
            found = function(q)
            torch.cuda.synchronize()
            return found

        return call

    rows = {}
    for name, masses, matrices in (("PyTorch", lambda of: all_of(of)[2], lambda of: all_of(of)[:2]),
                                   ("PyTorch, compiled", torch.compile(lambda of: all_of(of)[2]), torch.compile(lambda of: all_of(of)[:2]))):
        rows[name] = report(torch.__version__, question, waited(masses), waited(matrices))
    return rows


def by_jax(question):
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp

    class Jax:
        stack, sin, cos, zeros_like, ones_like = jnp.stack, jnp.sin, jnp.cos, jnp.zeros_like, jnp.ones_like
        concatenate, diagonal, solve, inverse = jnp.concatenate, jnp.diag, jnp.linalg.solve, jnp.linalg.inv
        eye = staticmethod(lambda like: jnp.eye(3, dtype=like.dtype))
        transposed = staticmethod(lambda A: A.swapaxes(1, 2))

    array = lambda values: jnp.asarray(values, dtype=jnp.float64)
    joints, offset, normal = constants(question, array)
    q = jnp.tile(array(question["q"]), (COUNT // len(question["q"]), 1))
    all_of = lambda of: arm(Jax, joints, offset, normal, of)
    masses, matrices = jax.jit(lambda of: all_of(of)[2]), jax.jit(lambda of: all_of(of)[:2])
    waited = lambda function: lambda: jax.block_until_ready(function(q))
    return {"JAX, compiled": report(jax.__version__, question, waited(masses), waited(matrices))}


def by_mjx(question):
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    import mujoco
    import numpy as np
    from mujoco import mjx

    numbers = lambda values: " ".join(repr(float(x)) for x in values)
    inside = f"<site name='contact' pos='{numbers(question['offset'])}'/>"
    for joint in reversed(question["joints"]):
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, np.asarray(joint["R"], float).ravel())
        I = np.asarray(joint["I"])
        inside = (f"<body pos='{numbers(joint['p'])}' quat='{numbers(quat)}'><joint axis='{numbers(joint['axis'])}' armature='{joint['rotor']}'/>"
                  f"<inertial pos='{numbers(joint['com'])}' mass='{joint['mass']}' fullinertia='{numbers([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])}'/>"
                  f"{inside}</body>")
    model = mujoco.MjModel.from_xml_string(f"<mujoco><compiler angle='radian' balanceinertia='false'/><worldbody>{inside}</worldbody></mujoco>")
    site, body = model.site("contact").id, model.nbody - 1
    there = mjx.put_model(model)
    empty = mjx.make_data(there)

    def matrices(q):
        def one(q):
            data = empty.replace(qpos=q)
            data = mjx.crb(there, mjx.com_pos(there, mjx.kinematics(there, data)))
            jacp, jacr = mjx.jac(there, data, data.site_xpos[site], body)
            return mjx.full_m(there, data), jnp.concatenate([jacp.T, jacr.T])

        return jax.vmap(one)(q)

    matrices = jax.jit(matrices)
    q = jnp.tile(jnp.asarray(question["q"]), (COUNT // len(question["q"]), 1))
    return {"MJX": report(mujoco.__version__, question, None, lambda: jax.block_until_ready(matrices(q)))}


def main(file, out, *names):
    with open(file) as text:
        question = json.load(text)
    rows = {}
    for name in names or ("torch", "jax", "mjx"):
        rows |= {"torch": by_torch, "jax": by_jax, "mjx": by_mjx}[name](question)
    with open(out, "w") as text:
        json.dump(rows, text, indent=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
