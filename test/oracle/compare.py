"""Holds thud's kernel against Pinocchio and MuJoCo.

    compare.py FOLDER

FOLDER is what `oracle_dump FOLDER STATES` wrote. Each oracle reads the same URDF text by its own parser and computes
every quantity by its own algorithms; from its matrices the four options are computed again with NumPy.
Prints the largest relative error per robot and quantity. Exit 1 if any exceeds its tolerance, if an answer is missing,
or if there were too few states.
"""

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import mujoco
import numpy as np
import pinocchio

# Errors are relative to the largest entry of the oracle's matrix.
#
# M, J, A_G, mass, CoM, Ic, and the terms of Lagrange's equations: both sides round at 1e-16 per operation, and a chain of 64 joints adds up a few thousand.
RIGID_BODY = 1e-11
# (J M^-1 J^T)^-1 loses as many digits as the condition number of its matrix has, which passes 5e8 on the Panda. Up to
# WELL_CONDITIONED the tolerance is fixed, or 2 eps times the condition where that is more: rounding the entries of the
# matrix alone moves its inverse by as much. Beyond, the matrix itself is held to OPTION, and its inverse to what that
# leaves open. With A the one matrix, B the other, X and Y their inverses,
#
#   X - Y = X (B - A) Y,   so   |X - Y| <= |X| |B - A| |Y|,
#
# which is the condition times what A and B differ by; and either inverse is computed with a relative error of no more than
# INVERSION times the condition [Higham, Accuracy and Stability of Numerical Algorithms, 14.1: n^2 roundings are ample]. A wrong
# sign or term in A fails at OPTION; one in the inverse is an error of the order of 1, and the bound is below 1e-2 up to
# SINGULAR_CONDITION. The table shows those states apart.
INVERSE = 1e-8
WELL_CONDITIONED = 1e8
INVERSION = 36 * np.finfo(float).eps
# The other options pass through M^-1 but not through the 6 x 6 inverse. Their mass is 1 / (n.W n): where n.W n is
# smaller than the largest entry of W by more than WELL_POSED, it loses digits that W has, and the tolerance of the mass
# grows in proportion; the table counts these states ("faint").
OPTION = 1e-9
WELL_POSED = 1e6
# thud calls a posture singular when a pivot is below 1e-12 of its diagonal, and declines a mass when n.W n is below
# 1e-12 of the trace of W. Rounding may move either by less than a factor of ten.
SINGULAR_CONDITION = 1e11
NO_MOTION = 1e-11
# What MuJoCo compiled is what the URDF says, up to its iterative search for the principal axes.
SAME_INERTIA = 1e-10

PANDAS = ("panda", "panda_fer", "panda_gaz")
# Arms with a link as thin as a needle, such as the last of the FR3, whose M is ill-conditioned as well: their inverse is held
# to the bound at every state, not to INVERSE.
THIN = ("fr3", "gen3", "iiwa14", "iiwa7", "ur10e", "ur5e", "xarm7")
FEWEST_STATES = 1000  # whose inverse was compared at INVERSE: of each Panda set, and of the random robots together
FEWEST_RANDOM_ROBOTS = 10

RIGID_BODY_FIELDS = ("p", "J", "M", "A_G", "mass", "com", "Ic", "momentum", "gradient")
OPTIONS = ("generalized_momentum", "composite", "flexible")  # and the algebraic one, which has its own rules


class PinocchioOracle:
    """Pinocchio 4: its URDF parser, crba, ccrba, frame Jacobians, Coriolis matrix and generalized gravity."""

    name = "pinocchio"

    def __init__(self, urdf: str, joints: list[str], rotors: np.ndarray, gravity: np.ndarray):
        self.model = pinocchio.buildModelFromXML(urdf)
        names = list(self.model.names)[1:]
        if names != joints:
            raise SystemExit(f"joint order differs: thud {joints}, Pinocchio {names}")
        self.model.armature = rotors
        self.model.gravity.linear = gravity
        self.data = self.model.createData()

    def configuration(self, q: np.ndarray) -> np.ndarray:
        """q as Pinocchio holds it: a continuous joint is a cosine and a sine."""
        out = np.empty(self.model.nq)
        for joint, value in zip(list(self.model.joints)[1:], q):
            out[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
        return out

    def evaluate(self, q: np.ndarray, dq: np.ndarray, frame: str, offset: np.ndarray) -> dict[str, np.ndarray]:
        model, data = self.model, self.data
        q = self.configuration(q)
        pinocchio.ccrba(model, data, q, np.zeros(model.nv))
        A_G, Ic, mass = data.Ag.copy(), data.Ig.inertia.copy(), data.Ig.mass
        com = pinocchio.centerOfMass(model, data, q).copy()
        upper = np.triu(pinocchio.crba(model, data, q))
        M = upper + np.triu(upper, 1).T
        C = pinocchio.computeCoriolisMatrix(model, data, q, dq).copy()
        gradient = C.T @ dq - pinocchio.computeGeneralizedGravity(model, data, q)

        if not model.existBodyName(frame):
            raise SystemExit(f"Pinocchio has no link {frame}")
        identity = model.getBodyId(frame)
        J = pinocchio.computeFrameJacobian(model, data, q, identity, pinocchio.LOCAL_WORLD_ALIGNED)
        placement = data.oMf[identity]
        arm = placement.rotation @ offset
        J[:3] -= cross_matrices(arm[None])[0] @ J[3:]  # v_p = v_frame + w x arm
        return {"p": placement.translation + arm, "J": J, "M": M, "A_G": A_G, "mass": mass, "com": com, "Ic": Ic,
                "momentum": M @ dq, "gradient": gradient}


class MujocoOracle:
    """MuJoCo 4: its URDF parser and compiler, mj_crb, mj_jac, mj_rne; composite quantities summed over its bodies."""

    name = "mujoco"

    def __init__(self, urdf: str, joints: list[str], rotors: np.ndarray, gravity: np.ndarray):
        spec = mujoco.MjSpec.from_string(urdf)
        # Keep the links and the numbers as they are: no fusing, no repair of inertias.
        spec.compiler.fusestatic = False
        spec.compiler.balanceinertia = False
        spec.compiler.boundmass = spec.compiler.boundinertia = 0
        spec.compiler.inertiafromgeom = mujoco.mjtInertiaFromGeom.mjINERTIAFROMGEOM_FALSE
        moments = {body.name: m for body in spec.bodies if (m := self._hide_nonphysical(body)) is not None}
        self.model = model = spec.compile()
        self.data = mujoco.MjData(model)
        for body, principal in moments.items():
            print(f"MuJoCo's compiler refuses the inertia of {body}: {principal} is written into the compiled model")
            model.body(body).inertia[:] = principal

        if sorted(model.joint(i).name for i in range(model.njnt)) != sorted(joints):
            raise SystemExit("MuJoCo does not have thud's joints")
        self.dofs = np.array([model.joint(name).dofadr[0] for name in joints])
        self.positions = np.array([model.joint(name).qposadr[0] for name in joints])
        if model.dof_armature.any():
            raise SystemExit("MuJoCo added an armature of its own")
        model.dof_armature[self.dofs] = rotors
        model.opt.gravity[:] = gravity
        mujoco.mj_setConst(model, self.data)
        self._check_inertias(urdf)
        self.bodies = [b for b in range(model.nbody) if model.body_weldid[b] != 0 and model.body_mass[b] > 0]

    @staticmethod
    def _hide_nonphysical(body) -> np.ndarray | None:
        """Gives a body whose principal moments break A + B >= C, which MuJoCo's compiler refuses, a sphere's inertia in
        the same principal axes, and returns the true moments to write into the compiled model."""
        xx, yy, zz, xy, xz, yz = body.fullinertia
        full = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        if np.isnan(xx):
            return None
        moments, axes = np.linalg.eigh(full)
        if moments[0] + moments[1] >= moments[2]:
            return None
        axes[:, 2] *= np.sign(np.linalg.det(axes))
        principal, turned = np.zeros(4), np.zeros(4)
        mujoco.mju_mat2Quat(principal, axes.flatten())
        mujoco.mju_mulQuat(turned, body.iquat, principal)
        body.iquat = turned
        body.fullinertia = [np.nan, 0, 0, 0, 0, 0]
        body.inertia = np.full(3, moments[2])
        return moments

    def _check_inertias(self, urdf: str) -> None:
        """The compiled masses and inertias are those of the URDF text, read here once more."""
        for link in ElementTree.fromstring(urdf).iter("link"):
            inertial = link.find("inertial")
            if inertial is None:
                continue
            body = self.model.body(link.get("name"))
            x, y, z = (float(v) for v in inertial.find("origin").get("rpy").split())
            rotation = turn(2, z) @ turn(1, y) @ turn(0, x)
            value = {key: float(text) for key, text in inertial.find("inertia").attrib.items()}
            tensor = np.array([[value["i" + "".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])
            expected = rotation @ tensor @ rotation.T
            axes = np.zeros(9)
            mujoco.mju_quat2Mat(axes, body.iquat)
            axes = axes.reshape(3, 3)
            error = np.abs(axes @ np.diag(body.inertia) @ axes.T - expected).max() / np.abs(expected).max()
            if not (error <= SAME_INERTIA and body.mass[0] == float(inertial.find("mass").get("value"))):
                raise SystemExit(f"MuJoCo changed the inertia of link {link.get('name')} by {error:.1e}")

    def evaluate(self, q: np.ndarray, dq: np.ndarray, frame: str, offset: np.ndarray) -> dict[str, np.ndarray]:
        model, data = self.model, self.data
        data.qpos[self.positions] = q
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeM(model, data)
        M = np.zeros((model.nv, model.nv))
        mujoco.mj_fullM(model, data, M)

        body = model.body(frame).id
        p = data.xpos[body] + data.xmat[body].reshape(3, 3) @ offset
        J = np.zeros((6, model.nv))
        mujoco.mj_jac(model, data, J[:3], J[3:], p, body)

        masses, at = model.body_mass[self.bodies], data.xipos[self.bodies]
        mass = masses.sum()
        com = masses @ at / mass
        axes = data.ximat[self.bodies].reshape(-1, 3, 3)
        inertia = axes * model.body_inertia[self.bodies][:, None] @ axes.transpose(0, 2, 1)
        body_J = np.zeros((len(self.bodies), 6, model.nv))
        for b, of_body in zip(self.bodies, body_J):
            mujoco.mj_jacBodyCom(model, data, of_body[:3], of_body[3:], b)
        r_x, m = cross_matrices(at - com), masses[:, None, None]
        Ic = (inertia - m * r_x @ r_x).sum(axis=0)
        A_G = np.vstack([(m * body_J[:, :3]).sum(axis=0), (inertia @ body_J[:, 3:] + m * r_x @ body_J[:, :3]).sum(axis=0)])
        order = self.dofs
        M = M[np.ix_(order, order)]
        return {"p": p, "J": J[:, order], "M": M, "A_G": A_G[:, order], "mass": mass, "com": com, "Ic": Ic,
                "momentum": M @ dq, "gradient": self._gradient(dq)}

    def _bias(self, dq: np.ndarray) -> np.ndarray:
        """C dq + g at the present posture."""
        bias = np.zeros(self.model.nv)
        self.data.qvel[self.dofs] = dq
        mujoco.mj_comVel(self.model, self.data)
        mujoco.mj_rne(self.model, self.data, 0, bias)
        return bias[self.dofs]

    def _gradient(self, dq: np.ndarray) -> np.ndarray:
        """C^T dq - g, though MuJoCo has no C: the bias is quadratic in the rates, so that half the difference of
        bias(dq + e_j) and bias(dq - e_j) is twice column j of C in Christoffel's form."""
        columns = [(self._bias(dq + e) - self._bias(dq - e)) / 4 for e in np.eye(len(dq))]
        return np.array(columns) @ dq - self._bias(np.zeros_like(dq))


def turn(axis: int, angle: float) -> np.ndarray:
    """Rotation about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = np.cos(angle)
    R[j, i] = np.sin(angle)
    R[i, j] = -R[j, i]
    return R


def cross_matrices(r: np.ndarray) -> np.ndarray:
    """[r]x for each row of r."""
    out = np.zeros((len(r), 3, 3))
    out[:, 0, 1], out[:, 0, 2], out[:, 1, 2] = -r[:, 2], r[:, 1], -r[:, 0]
    return out - out.transpose(0, 2, 1)


def options(o: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """docs/equations.md, from stacked matrices, as written there. "mobility" is the 6 x 6 J M^-1 J^T."""
    J, n, m, r = o["J"], o["n"], o["mass"][:, None, None], o["p"] - o["com"]
    M_inv_JT = np.linalg.solve(o["M"], J.transpose(0, 2, 1))
    mobility = J @ M_inv_JT

    r_x = cross_matrices(r)
    W = np.eye(3) / m - r_x @ np.linalg.solve(o["Ic"], r_x)
    I_G = np.zeros((len(r), 6, 6))
    I_G[:, :3, :3], I_G[:, 3:, 3:] = m * np.eye(3), o["Ic"]
    X = np.tile(np.eye(6), (len(r), 1, 1))
    X[:, :3, 3:] = -r_x
    J_avg = np.linalg.solve(I_G, o["A_G"])
    flexible = W + ((J - X @ J_avg) @ M_inv_JT)[:, :3, :3]

    out = {"mobility": mobility}
    for key, matrix in zip(OPTIONS, (mobility[:, :3, :3], W, flexible)):
        out[key + "_W"] = matrix
        out[key + "_mass"] = 1 / np.einsum("si,sij,sj->s", n, matrix, n)
    return out


def algebraic(mobility: np.ndarray, n: np.ndarray) -> dict[str, np.ndarray]:
    """The algebraic option of section 2, for states at which the 6 x 6 inverse exists."""
    inverse = np.linalg.inv(mobility)
    m_em = inverse[:, :3, :3]
    mass = np.einsum("si,sij,sj->s", n, m_em, n)
    return {"inverse": inverse, "algebraic_W": np.linalg.inv(m_em), "algebraic_mass": mass}


def relative_errors(value: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Largest difference against the largest entry of the reference, per state. NaN where a number is missing."""
    entries = tuple(range(1, value.ndim))
    return np.abs(value - reference).max(axis=entries) / np.abs(reference).max(axis=entries)


class Report:
    """The largest error per robot, oracle and quantity, and a line for each that exceeds its tolerance."""

    def __init__(self) -> None:
        self.cells: dict[tuple[str, str], dict[str, str]] = {}
        self.failures: list[str] = []

    def note(self, robot: str, oracle: str, column: str, text: object) -> None:
        self.cells.setdefault((robot, oracle), {})[column] = str(text)

    def check(self, robot: str, oracle: str, column: str, errors: np.ndarray, tolerance, states: np.ndarray) -> None:
        """Errors of the given states, and what they may be: one number, or one per state."""
        self.note(robot, oracle, column, f"{errors.max():.1e}" if len(errors) else "-")
        bad = ~(errors <= tolerance)  # a missing number is NaN, and bad
        if bad.any():
            worst = np.argmax(np.where(bad, np.nan_to_num(errors, nan=np.inf), -1))
            self.failures.append(
                f"{robot}, {oracle}, {column}: {bad.sum()} of {len(errors)} states exceed the tolerance, "
                f"the worst by an error of {errors[worst]:.2e} (state {states[worst]})"
            )

    def require(self, robot: str, oracle: str, holds: np.ndarray, sentence: str) -> None:
        """Something that must hold at every state."""
        if not holds.all():
            self.failures.append(f"{robot}, {oracle}: {sentence} (state {np.argmin(holds)})")

    def print_table(self, title: str, columns: dict[str, str]) -> None:
        """columns: from the name under which a cell was noted to its heading."""

        def line(robot: str, oracle: str, texts) -> str:
            cells = (f"{text:>{max(len(heading), 7)}}" for text, heading in zip(texts, columns.values()))
            return f"{robot:13} {oracle:9} " + " ".join(cells)

        print("\n" + title)
        print(line("robot", "oracle", columns.values()))
        for (robot, oracle), cells in self.cells.items():
            print(line(robot, oracle, (cells.get(column, "-") for column in columns)))

    def print(self) -> None:
        print("Largest errors of thud against each oracle, relative to the largest entry of the oracle's matrix")
        columns = ("states", *RIGID_BODY_FIELDS, "n")
        self.print_table(f"Rigid-body quantities, tolerance {RIGID_BODY:g}", dict(zip(columns, columns)))

        title = (
            f"The 6 x 6 inverse and the algebraic option, tolerance {INVERSE:g} (ill: the condition of J M^-1 J^T is "
            f"beyond {WELL_CONDITIONED:g}, and the tolerance grows with it)"
        )
        columns = {"underactuated": "<6 joints", "singular": "singular", "well": "states"}
        columns |= {"inverse": "inverse", "algebraic_W": "W", "algebraic_mass": "mass"}
        columns |= {"ill": "ill", "condition": "up to", "inverse_ill": "inverse"}
        columns |= {"algebraic_W_ill": "W", "algebraic_mass_ill": "mass"}
        self.print_table(title, columns)

        title = (
            f"The other options, tolerance {OPTION:g} (faint: n.W n is below {1 / WELL_POSED:g} of W, and the mass's "
            "tolerance grows with it; none: declined, since nothing moves along n)"
        )
        columns = {}
        for key, short in zip(OPTIONS, ("gm", "crb", "flex")):
            parts = {"_W": "W", "_mass": "mass", "_faint": "faint", "_declined": "none"}
            columns |= {key + part: f"{short} {heading}" for part, heading in parts.items()}
        self.print_table(title, columns)


def compare_options(report: Report, case: dict, oracle: str, rows: np.ndarray, o: dict[str, np.ndarray]) -> None:
    """The three options that need no 6 x 6 inverse. Where thud declines, the oracle's numbers must give the reason."""
    name, every = case["name"], np.arange(len(rows))
    for key in OPTIONS:
        status = statuses(case, rows, key)
        W, ok = o[key + "_W"], status == "ok"
        along = 1 / o[key + "_mass"]
        still = along <= NO_MOTION * np.trace(W, axis1=1, axis2=2)
        report.require(name, oracle, ok | (status == "singular") & still, f"{key} declined without a reason")
        loss = np.abs(W).max(axis=(1, 2)) / np.abs(along) / WELL_POSED
        report.note(name, oracle, key + "_declined", (~ok).sum())
        report.note(name, oracle, key + "_faint", (ok & (loss > 1)).sum())
        tolerances = {"_W": OPTION, "_mass": OPTION * np.maximum(1, loss[ok])}
        for part, tolerance in tolerances.items():
            errors = relative_errors(rows[key + part][ok], o[key + part][ok])
            report.check(name, oracle, key + part, errors, tolerance, every[ok])


def compare_inverse(report: Report, case: dict, oracle: str, rows: np.ndarray, o: dict[str, np.ndarray]) -> int:
    """The 6 x 6 inverse and the algebraic option. Returns the number of states compared at INVERSE."""
    # It exists where six joints or more move the contact point, unless the posture is singular.
    name, every = case["name"], np.arange(len(rows))
    status = statuses(case, rows, "algebraic")
    ok, singular = status == "ok", status == "singular"
    enough = (np.abs(o["J"]).max(axis=1) > 0).sum(axis=1) >= 6
    condition = np.full(len(rows), np.inf)
    condition[enough] = np.linalg.cond(o["mobility"][enough])
    report.require(name, oracle, (status == "underactuated") == ~enough, "wrong number of joints that move the contact")
    report.require(name, oracle, ok | singular | ~enough, "the algebraic option has no status that explains it")
    report.require(name, oracle, ~singular | (condition > SINGULAR_CONDITION), "called singular, and is not")
    report.require(name, oracle, ok | np.isnan(rows["inverse"]).all(axis=(1, 2)), "an inverse that does not exist")

    well = ok & (condition < WELL_CONDITIONED)
    ill = ok & ~well
    counts = {"underactuated": ~enough, "singular": singular, "well": well, "ill": ill}
    for column, states in counts.items():
        report.note(name, oracle, column, states.sum())
    report.note(name, oracle, "condition", f"{condition[ok].max():.0e}" if ok.any() else "-")
    errors = relative_errors(rows["mobility"][enough], o["mobility"][enough])
    report.check(name, oracle, "mobility", errors, OPTION, every[enough])
    for part, suffix in ((well, ""), (ill, "_ill")):
        values = algebraic(o["mobility"][part], o["n"][part])
        bounds = inverse_bounds(rows["mobility"][part], o["mobility"][part], values)
        for key, value in values.items():
            fixed = key == "inverse" and not suffix and name not in THIN  # its block may be much smaller than the whole
            tolerance = np.maximum(INVERSE, 2 * np.finfo(float).eps * condition[part] if fixed else bounds[key])
            report.check(name, oracle, key + suffix, relative_errors(rows[key][part], value), tolerance, every[part])
    return int(well.sum())


def inverse_bounds(A: np.ndarray, B: np.ndarray, of_B: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What the inverses of two matrices, and the options taken from them, can differ by, relative to their largest entries."""

    def size(matrix: np.ndarray) -> np.ndarray:
        return np.linalg.norm(matrix, 2, axis=(1, 2))

    X, Y = np.linalg.inv(A), of_B["inverse"]
    absolute = size(X) * size(B - A) * size(Y) + INVERSION * size(B) * size(Y) * size(Y)
    W = of_B["algebraic_W"]  # the inverse of a block of Y
    return {"inverse": absolute / np.abs(Y).max(axis=(1, 2)), "algebraic_mass": absolute / np.abs(of_B["algebraic_mass"]),
            "algebraic_W": absolute * size(W) * size(W) / np.abs(W).max(axis=(1, 2))}


def statuses(case: dict, rows: np.ndarray, key: str) -> np.ndarray:
    """thud's own words for how an option went, per state."""
    return np.array(case["statuses"])[rows[key + "_status"].astype(int)]


def compare(folder: Path, cases: list[dict], report: Report) -> dict[str, int]:
    """Every robot in the folder against every oracle. Returns how many states of each robot had their inverse compared
    at INVERSE with both."""
    compared: dict[str, int] = {}
    for case in cases:
        name = case["name"]
        record = np.dtype([(key, "<f8", tuple(shape)) for key, shape in case["fields"]])
        rows = np.fromfile(folder / f"{name}.bin", dtype=record)
        if len(rows) != case["states"]:
            raise SystemExit(f"{name}.bin holds {len(rows)} states, cases.json says {case['states']}")
        urdf = (folder / f"{name}.urdf").read_text()
        normals = rows["given_normal"] / np.linalg.norm(rows["given_normal"], axis=1)[:, None]
        for make in (PinocchioOracle, MujocoOracle):
            oracle = make(urdf, case["joints"], np.array(case["rotors"]), np.array(case["gravity"]))
            states = zip(rows["q"], rows["dq"], rows["frame"], rows["offset"])
            results = [oracle.evaluate(q, dq, case["frames"][int(frame)], offset) for q, dq, frame, offset in states]
            o = {key: np.array([result[key] for result in results]) for key in RIGID_BODY_FIELDS} | {"n": normals}
            report.note(name, oracle.name, "states", len(rows))
            for key, value in o.items():
                errors = relative_errors(rows[key], value)
                report.check(name, oracle.name, key, errors, RIGID_BODY, np.arange(len(rows)))
            o |= options(o)
            compare_options(report, case, oracle.name, rows, o)
            inverses = compare_inverse(report, case, oracle.name, rows, o)
            compared[name] = min(compared.get(name, inverses), inverses)
    return compared


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    report = Report()
    folder = Path(sys.argv[1])
    cases = json.loads((folder / "cases.json").read_text())
    compared = compare(folder, cases, report)
    report.print()

    # Enough of everything
    random = {case["name"]: compared[case["name"]] for case in cases if case["random"]}
    wanted = {name: compared.get(name, 0) for name in PANDAS} | {"the random robots": sum(random.values())}
    for name, count in wanted.items():
        if count < FEWEST_STATES:
            report.failures.append(f"{name}: the inverse was compared at {count} states, fewer than {FEWEST_STATES}")
    if len(random) < FEWEST_RANDOM_ROBOTS:
        report.failures.append(f"{len(random)} random robots, fewer than {FEWEST_RANDOM_ROBOTS}")

    print(f"\n{len(compared)} robots")
    for oracle in (PinocchioOracle, MujocoOracle):
        states = {name: int(cells["states"]) for (name, by), cells in report.cells.items() if by == oracle.name}
        of_random = sum(states[name] for name in random)
        print(f"{oracle.name}: {of_random} states of random robots, {sum(states.values()) - of_random} of those that ship")
    for failure in report.failures:
        print("FAILED", failure)
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
