"""Robots that are in Pinocchio. Follows thud/pinocchio.hpp step by step; nothing of Pinocchio is imported here."""

from __future__ import annotations

import math
import sys
from typing import Any

from . import BodyInertia, Frame, Joint, JointType, Robot
from .error import RobotError

ROUNDING = 1e-12


def _length(vector: Any) -> float:
    return math.sqrt(sum(float(x) ** 2 for x in vector))


def _limit(value: float) -> float:
    """Pinocchio says "no limit" by the largest number."""
    return math.copysign(math.inf, value) if abs(value) == sys.float_info.max else float(value)


def _joint(model: Any, index: int) -> Joint:
    """Joint 1 to njoints - 1, understood by the way it moves rather than by its class."""
    given = model.joints[index]
    refusal = RobotError(
        f"joint {model.names[index]}", given.shortname(), "must be revolute, continuous or prismatic"
    )
    if given.nv != 1 or given.nq > 2:
        raise refusal
    neutral = model.lowerPositionLimit.copy()
    neutral[:] = 0
    if given.nq == 2:
        neutral[given.idx_q] = 1.0  # cos and sin of the angle
    data = given.createData()
    given.calc(data, neutral)
    subspace = data.S.reshape(6)
    linear, angular = subspace[:3], subspace[3:]
    slides = _length(angular) < ROUNDING and abs(_length(linear) - 1) < ROUNDING
    turns = _length(linear) < ROUNDING and abs(_length(angular) - 1) < ROUNDING
    if not data.M.isIdentity(ROUNDING) or not (turns or (slides and given.nq == 1)):
        raise refusal

    placement = model.jointPlacements[index]
    limits = {}
    if given.nq == 1:
        limits["lower"] = _limit(model.lowerPositionLimit[given.idx_q])
        limits["upper"] = _limit(model.upperPositionLimit[given.idx_q])
    return Joint(
        name=model.names[index],
        type=JointType.prismatic if slides else JointType.revolute if given.nq == 1 else JointType.continuous,
        link=model.names[index],
        parent=int(model.parents[index]) - 1,
        R_PJ=placement.rotation,
        p_PJ=placement.translation,
        axis=linear if slides else angular,
        velocity=_limit(model.upperVelocityLimit[given.idx_v]),
        effort=_limit(model.upperEffortLimit[given.idx_v]),
        rotor_inertia=float(model.armature[given.idx_v]),
        **limits,
    )


def from_pinocchio(model: Any) -> Robot:
    """A robot with the joints of a pinocchio.Model (Pinocchio 4), in its order.

    dq is Pinocchio's v; q is Pinocchio's q but for continuous joints, of which Pinocchio stores cosine and sine and thud the
    angle [rad]. The universe is the base. Frames are those of type BODY and OP_FRAME. A joint's link is the first BODY frame
    that stands where the joint does, or else has the joint's name. Armature is rotor inertia; limits are the upper ones of
    velocity and effort.

    Raises RobotError for a joint that is not revolute, continuous or prismatic (such as a free flyer, a sphere, a plane, a
    screw, a mimic), and for what the constructor of Robot refuses, such as two frames of one name.
    """
    joints, bodies, frames = [], [], []
    for index in range(1, model.njoints):
        joints.append(_joint(model, index))
        inertia = model.inertias[index]  # about the centre of mass, in the joint's axes
        bodies.append(BodyInertia(mass=float(inertia.mass), com=inertia.lever, inertia=inertia.inertia))
    linked = [False] * len(joints)
    for frame in model.frames:
        kind = str(frame.type)
        if kind not in ("BODY", "OP_FRAME"):
            continue
        carrier = int(frame.parentJoint) - 1
        frames.append(
            Frame(
                name=frame.name, joint=carrier, R_JF=frame.placement.rotation, p_JF=frame.placement.translation
            )
        )
        if kind == "BODY" and carrier >= 0 and not linked[carrier] and frame.placement.isIdentity(ROUNDING):
            joints[carrier] = joints[carrier].replace(link=frame.name)
            linked[carrier] = True
    return Robot(model.name, joints, bodies, frames)
