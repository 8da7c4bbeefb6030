"""Robots that are in MuJoCo."""

from __future__ import annotations

from typing import Any

from . import Robot


def from_mujoco(model: Any) -> Robot:
    """A robot with the hinges and slides of a mujoco.MjModel, in its order: q is qpos, dq is qvel.

    Bodies and named sites are frames, the world is the base. Armature, that of actuators among it, is rotor inertia, which
    `drives_of` gives as drives; effort is what the actuators of a joint can do by their ranges of force and the joint's own;
    there is no limit of velocity. What `parse_mjcf` leaves out is left out here, with the same warnings.

    Raises RobotError for a ball joint, for a free joint of a body that carries joints, for a model without a hinge or a
    slide, and for what the constructor of Robot refuses.
    """
    from .mujoco_model import Parts  # brings NumPy, which `import thud` does not wait for

    return Parts(model).robot()
