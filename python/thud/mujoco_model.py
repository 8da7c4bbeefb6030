"""The parts of a mujoco.MjModel as those of a robot. Follows src/lab/mjcf.cpp step by step; nothing of MuJoCo is imported here."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import Base, BodyInertia, Frame, Joint, JointType, Robot, Warning, WarningCode
from .error import RobotError

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint
ON_A_JOINT = (0, 1)  # mjtTrn: joint, joint in parent


class _Pose:
    """Of a frame in another: R [1], p [m]."""

    def __init__(self, R: Any = None, p: Any = None) -> None:
        self.R = np.eye(3) if R is None else R
        self.p = np.zeros(3) if p is None else np.asarray(p, dtype=float)

    def __mul__(self, inner: _Pose) -> _Pose:
        return _Pose(self.R @ inner.R, self.p + self.R @ inner.p)


def _rotation(quaternion: Any) -> Any:
    w, x, y, z = np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def _turned(axis: Any, angle: float) -> Any:
    return _rotation([math.cos(angle / 2), *(math.sin(angle / 2) * axis)])


def _name(model: Any, addresses: Any, index: int) -> str:
    start = int(addresses[index])
    return bytes(model.names[start : model.names.index(b"\0", start)]).decode(errors="replace")


def _unique(name: str, suffix: str, taken: set[str]) -> str:
    while name in taken:
        name += suffix
    taken.add(name)
    return name


def _larger_side(values: Any) -> float:
    return float(np.abs(values).max())


def _largest_force(model: Any, i: int) -> float:
    """What actuator i can do at most [N m or N], before its gear."""
    most = _larger_side(model.actuator_forcerange[i]) if model.actuator_forcelimited[i] else math.inf
    control = int(getattr(model, "actuator_ctrladr", range(i + 1))[i])
    controls = int(getattr(model, "actuator_ctrlnum", [1] * (i + 1))[i])
    plain = not (model.actuator_gaintype[i] or model.actuator_biastype[i] or model.actuator_dyntype[i])
    if plain and controls == 1 and model.actuator_ctrllimited[control]:
        gain = abs(float(model.actuator_gainprm[i][0]))
        most = min(most, gain * _larger_side(model.actuator_ctrlrange[control]))
    return most


def _driven(model: Any, joint: int) -> tuple[float, float]:
    """Effort of all actuators of a joint [N m or N] and the rotor inertia that they add [kg m^2 or kg]."""
    efforts, rotor = [], 0.0
    adds = getattr(model, "jnt_actuatorid", None)  # since MuJoCo 4
    for i in range(len(model.actuator_trntype)):
        if model.actuator_trntype[i] not in ON_A_JOINT or model.actuator_trnid[i][0] != joint:
            continue
        gear = float(model.actuator_gear[int(getattr(model, "actuator_outadr", range(i + 1))[i])][0])
        efforts.append(abs(gear) * _largest_force(model, i) if gear else 0.0)
        if adds is not None and adds[joint] == i:
            rotor = gear * gear * float(model.actuator_armature[i])
    effort = sum(efforts) if efforts else math.inf
    if model.jnt_actfrclimited[joint]:
        effort = min(effort, _larger_side(model.jnt_actfrcrange[joint]))
    return effort, rotor


class _Body:
    """What a joint moves, from parts that are fixed to it."""

    def __init__(self) -> None:
        self.mass, self.com, self.inertia = 0.0, np.zeros(3), np.zeros((3, 3))

    @staticmethod
    def _parallel_axis(mass: float, r: Any) -> Any:
        return mass * (r @ r * np.eye(3) - np.outer(r, r))

    def merge(self, at: _Pose, mass: float, com: Any, inertia: Any) -> None:
        turned = at.R @ inertia @ at.R.T
        if mass == 0:
            self.inertia = self.inertia + turned
            return
        place = at.p + at.R @ com
        total = self.mass + mass
        merged = (self.mass * self.com + mass * place) / total
        self.inertia = (
            self.inertia
            + self._parallel_axis(self.mass, self.com - merged)
            + turned
            + self._parallel_axis(mass, place - merged)
        )
        self.mass, self.com = total, merged


class Parts:
    """The parts of a robot, body after body: each comes after the one that carries it."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.places: list[tuple[int, _Pose, bool]] = [(-1, _Pose(), False)]  # joint, pose in its frame, left out
        self.joints: list[Joint] = []
        self.bodies: list[_Body] = []
        self.frames = [Frame(name="world")]
        self.warnings: list[Warning] = []
        self.passive: list[str] = []
        self.names, self.joint_names = {"world"}, set[str]()
        self.base_mass = 0.0
        self.robot_name = bytes(model.names[: model.names.index(b"\0")]).decode(errors="replace") or "robot"
        for body in range(1, model.nbody):
            self.add_body(body)
        for site in range(model.nsite):
            self.add_site(site)
        if not self.joints:
            self.refuse("has no moving joint: a robot has hinges or slides")

    def refuse(self, rule: str) -> None:
        raise RobotError("robot", self.robot_name, rule)

    def left_out(self, subject: str, text: str) -> None:
        self.warnings.append(Warning(code=WarningCode.part_left_out, subject=subject, text=text))

    def add_body(self, body: int) -> None:
        model = self.model
        joint, pose, left_out = self.places[int(model.body_parentid[body])]
        name = _name(model, model.name_bodyadr, body) or f"body{body}"
        pose = pose * _Pose(_rotation(model.body_quat[body]), model.body_pos[body])
        first = int(model.body_jntadr[body])
        for index in range(first, first + int(model.body_jntnum[body])):
            joint, pose, left_out = self.add_joint(index, name, joint, pose, left_out)
        self.places.append((joint, pose, left_out))
        if left_out:
            return
        self.frames.append(Frame(name=_unique(name, "_", self.names), joint=joint, R_JF=pose.R, p_JF=pose.p))
        mass, R = float(model.body_mass[body]), _rotation(model.body_iquat[body])
        if joint < 0:
            self.base_mass += mass
        else:
            inertia = R @ np.diag(model.body_inertia[body]) @ R.T
            self.bodies[joint].merge(pose, mass, np.asarray(model.body_ipos[body], dtype=float), inertia)

    def add_joint(self, index: int, link: str, carrier: int, pose: _Pose, left_out: bool) -> tuple[int, _Pose, bool]:
        model = self.model
        name, kind = _name(model, model.name_jntadr, index) or f"joint{index}", int(model.jnt_type[index])
        if left_out:
            self.refuse(f"joint {name} is on a body that is free; the base must be fixed: delete the free joint")
        if kind == BALL:
            self.refuse(f"joint {name} is a ball; use three hinges")
        if kind == FREE:
            self.left_out(link, f"body {link} is free to move and is left out: it is no part of an arm")
            return carrier, pose, True
        axis, anchor = np.array(model.jnt_axis[index], dtype=float), np.array(model.jnt_pos[index], dtype=float)
        reference = float(model.qpos0[model.jnt_qposadr[index]])  # where the body is as described
        placed = pose * _Pose(p=anchor)
        limited = bool(model.jnt_limited[index])
        if kind == SLIDE:
            placed.p = placed.p - placed.R @ axis * reference
            moves = JointType.prismatic
        else:
            placed.R = placed.R @ _turned(axis, -reference)
            moves = JointType.revolute if limited else JointType.continuous
        lower, upper = (float(x) for x in model.jnt_range[index]) if limited else (-math.inf, math.inf)
        effort, rotor = _driven(model, index)
        rate = int(model.jnt_dofadr[index])
        joint = Joint(
            name=_unique(name, "_", self.joint_names),
            type=moves,
            link=link,
            parent=carrier,
            R_PJ=placed.R,
            p_PJ=placed.p,
            axis=axis,
            lower=lower,
            upper=upper,
            effort=effort,
            rotor_inertia=float(model.dof_armature[rate]) + rotor,
        )
        if model.dof_damping[rate] or model.dof_frictionloss[rate] or model.jnt_stiffness[index]:
            self.passive.append(joint.name)
        self.joints.append(joint)
        self.bodies.append(_Body())
        return len(self.joints) - 1, _Pose(p=-anchor), False

    def add_site(self, site: int) -> None:
        model = self.model
        name = _name(model, model.name_siteadr, site)
        joint, carrier, left_out = self.places[int(model.site_bodyid[site])]
        if not name or left_out:
            return
        pose = carrier * _Pose(_rotation(model.site_quat[site]), model.site_pos[site])
        self.frames.append(Frame(name=_unique(name, "_site", self.names), joint=joint, R_JF=pose.R, p_JF=pose.p))

    def robot(self) -> Robot:
        if self.passive:
            others = f" and {len(self.passive) - 1} more" if len(self.passive) > 1 else ""
            self.left_out(
                self.passive[0],
                f"damping, stiffness and friction of joints are left out, those of {self.passive[0]}{others}: "
                "they are no part of a transmission",
            )
        if self.model.neq:
            self.left_out(
                "equality",
                f"equality constraints are left out, {self.model.neq}: what they couple moves independently",
            )
        if self.model.ntendon:
            self.left_out("tendon", f"tendons are left out, {self.model.ntendon}")
        bodies = [BodyInertia(mass=body.mass, com=body.com, inertia=body.inertia) for body in self.bodies]
        base = Base(link="world", mass=self.base_mass)
        return Robot(self.robot_name, self.joints, bodies, self.frames, self.warnings, base=base)
