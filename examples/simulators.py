"""A contact law, translated for MuJoCo, Drake, Gazebo (by ODE) and Bullet and run in each of them: a ball hits a wall.

    python examples/simulators.py [MASS SPEED]

prints, for each simulator that is installed (PyPI: mujoco, drake, pybullet; Debian: libode8), peak, duration and restitution as
the law has them and how far off the simulator is, at the mass and speed of the translation and elsewhere. docs/translate.md has
its table.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import importlib.util
import sys
from typing import Any, Callable

import numpy as np

import thud

LAWS: dict[str, Any] = {
    "viscoelastic, e = 0.83": thud.Viscoelastic(3e5, 7.5e5),
    "viscoelastic, e = 0.59": thud.Viscoelastic(3e5, 2.5e6),
    "viscoelastic, e = 0.20": thud.Viscoelastic(3e5, 1.25e7),
    "hunt_crossley, n = 1.5, e = 0.59": thud.HuntCrossley(1e7, 1e7 / 0.12, 1.5),
    "spring, e = 0.7": thud.Spring(3e5, 0.7),
    "maxwell, e = 0.65": thud.Maxwell(3e5, 4e3),
}
SHIFT = 0.37  # of a step, at which the touch comes
GONE = 0.01  # of the peak, where the force counts as gone


class Course:
    """The forces of a hit, a step each [N], and what they tell."""

    def __init__(self, mass: float, speed: float, step: float):
        self.mass, self.speed, self.step = mass, speed, step
        self.velocity, self.forces = -speed, [0.0]

    def add(self, velocity: float) -> bool:
        """The velocity after another step [m/s]; whether it is over."""
        self.forces.append(self.mass * (velocity - self.velocity) / self.step)
        self.velocity = velocity
        return velocity > 0 and abs(self.forces[-1]) < 1e-9 * max(self.forces)

    def outcome(self) -> np.ndarray:
        """Peak [N], duration [s], restitution."""
        forces = np.array(self.forces[1:])
        last = np.flatnonzero(forces > GONE * forces.max())[-1] + 1
        return np.array([forces.max(), (last - SHIFT) * self.step, self.velocity / self.speed])


def values(translation: thud.Translation) -> dict[str, Any]:
    return {each.name: each.values if len(each.values) > 1 else each.values[0] for each in translation.parameters}


def in_mujoco(translation: thud.Translation, mass: float, speed: float, step: float, joint: str = "<freejoint/>") -> np.ndarray:
    import mujoco

    text = {name: " ".join(f"{each:.17g}" for each in numbers) for name, numbers in values(translation).items()}
    model = mujoco.MjModel.from_xml_string(f"""
      <mujoco><option timestep="{step:.17g}" gravity="0 0 0"/><worldbody>
        <geom type="plane" size="1 1 1" priority="1" condim="1" solref="{text["solref"]}" solimp="{text["solimp"]}"/>
        <body pos="0 0 {0.1 + SHIFT * step * speed:.17g}">{joint}<geom type="sphere" size="0.1" mass="{mass:.17g}"/></body>
      </worldbody></mujoco>""")
    data, course, dof = mujoco.MjData(model), Course(mass, speed, step), 2 if model.nv == 6 else 0
    data.qvel[dof] = -speed
    for _ in range(1000000):
        mujoco.mj_step(model, data)
        if course.add(float(data.qvel[dof])):
            break
    return course.outcome()


def in_drake(translation: thud.Translation, mass: float, speed: float, step: float) -> np.ndarray:
    """With a continuous plant where the translation has no step; the step is then that of the record."""
    import pydrake.all as drake

    contact = values(translation)
    builder = drake.DiagramBuilder()
    plant, _ = drake.AddMultibodyPlantSceneGraph(builder, time_step=step if translation.step else 0.0)
    plant.set_contact_model(drake.ContactModel.kPoint)
    plant.mutable_gravity_field().set_gravity_vector([0, 0, 0])
    ball = plant.AddRigidBody("ball", drake.SpatialInertia(mass, [0, 0, 0], drake.UnitInertia.SolidSphere(0.1)))
    for body, shape, pose, stiffness, dissipation in (
        (ball, drake.Sphere(0.1), [0, 0, 0], contact["point_contact_stiffness"], contact["hunt_crossley_dissipation"]),
        (plant.world_body(), drake.Box(1, 1, 1), [0, 0, -0.5], 1e15, 0),
    ):
        material = drake.ProximityProperties()
        drake.AddContactMaterial(
            point_stiffness=stiffness, dissipation=dissipation, friction=drake.CoulombFriction(0, 0), properties=material
        )
        plant.RegisterCollisionGeometry(body, drake.RigidTransform(pose), shape, body.name(), material)
    plant.Finalize()
    simulator = drake.Simulator(builder.Build())
    context = plant.GetMyMutableContextFromRoot(simulator.get_mutable_context())
    plant.SetPositions(context, [1, 0, 0, 0, 0, 0, 0.1 + SHIFT * step * speed])
    plant.SetVelocities(context, [0, 0, 0, 0, 0, -speed])
    if not translation.step:
        integrator = simulator.get_mutable_integrator()
        integrator.set_maximum_step_size(step)
        integrator.request_initial_step_size_target(step)
        integrator.set_target_accuracy(1e-9)
    course = Course(mass, speed, step)
    for i in range(1, 1000000):
        simulator.AdvanceTo(i * step)
        if course.add(float(plant.GetVelocities(context)[5])):
            break
    return course.outcome()


def in_ode(translation: thud.Translation, mass: float, speed: float, step: float) -> np.ndarray:
    """What Gazebo does with kp and kd: soft_erp and soft_cfm of a contact, by its step."""
    contact = values(translation)
    kp, kd = contact["kp"], contact["kd"]
    ode = ctypes.CDLL("libode.so.8")
    real, pointer = ctypes.c_double, ctypes.c_void_p
    for name, result, arguments in (
        ("dWorldCreate", pointer, []), ("dBodyCreate", pointer, [pointer]), ("dMassSetSphereTotal", None, [pointer, real, real]),
        ("dBodySetMass", None, [pointer, pointer]), ("dBodySetLinearVel", None, [pointer, real, real, real]),
        ("dBodySetPosition", None, [pointer, real, real, real]), ("dBodyGetPosition", ctypes.POINTER(real), [pointer]),
        ("dBodyGetLinearVel", ctypes.POINTER(real), [pointer]), ("dJointGroupCreate", pointer, [ctypes.c_int]),
        ("dJointCreateContact", pointer, [pointer, pointer, pointer]), ("dJointAttach", None, [pointer, pointer, pointer]),
        ("dWorldStep", ctypes.c_int, [pointer, real]), ("dJointGroupEmpty", None, [pointer]), ("dWorldDestroy", None, [pointer]),
        ("dJointGroupDestroy", None, [pointer]),
    ):  # fmt: skip
        getattr(ode, name).restype, getattr(ode, name).argtypes = result, arguments
    four = real * 4

    class Surface(ctypes.Structure):
        _fields_ = [("mode", ctypes.c_int), *((name, real) for name in (
            "mu", "mu2", "rho", "rho2", "rhoN", "bounce", "bounce_vel", "soft_erp", "soft_cfm",
            "motion1", "motion2", "motionN", "slip1", "slip2"))]  # fmt: skip

    class Geometry(ctypes.Structure):
        _fields_ = [("pos", four), ("normal", four), ("depth", real), ("g1", pointer), ("g2", pointer),
                    ("side1", ctypes.c_int), ("side2", ctypes.c_int)]  # fmt: skip

    class Contact(ctypes.Structure):
        _fields_ = [("surface", Surface), ("geom", Geometry), ("fdir1", four)]

    ode.dInitODE()
    world, group = ode.dWorldCreate(), ode.dJointGroupCreate(0)
    body, inertia = ode.dBodyCreate(world), ctypes.create_string_buffer(1024)
    ode.dMassSetSphereTotal(inertia, mass, 0.1)
    ode.dBodySetMass(body, inertia)
    ode.dBodySetPosition(body, 0, 0, 0.1 + SHIFT * step * speed)
    ode.dBodySetLinearVel(body, 0, 0, -speed)
    course = Course(mass, speed, step)
    for _ in range(1000000):
        height = ode.dBodyGetPosition(body)[2]
        if height < 0.1:
            soft = Surface(mode=0x008 | 0x010, soft_erp=step * kp / (step * kp + kd), soft_cfm=1 / (step * kp + kd))
            where = Geometry(pos=four(0, 0, 0, 0), normal=four(0, 0, 1, 0), depth=0.1 - height)
            ode.dJointAttach(ode.dJointCreateContact(world, group, ctypes.byref(Contact(soft, where))), body, None)
        ode.dWorldStep(world, step)
        ode.dJointGroupEmpty(group)
        if course.add(ode.dBodyGetLinearVel(body)[2]):
            break
    ode.dJointGroupDestroy(group)
    ode.dWorldDestroy(world)
    return course.outcome()


def in_bullet(translation: thud.Translation, mass: float, speed: float, step: float) -> np.ndarray:
    import pybullet

    contact = values(translation)
    pybullet.connect(pybullet.DIRECT)
    pybullet.setTimeStep(step)
    wall = pybullet.createMultiBody(0, pybullet.createCollisionShape(pybullet.GEOM_BOX, halfExtents=[1, 1, 1]), basePosition=[0, 0, -1])
    slop = 1e-5  # PyBullet takes bodies for that much further apart [m]
    ball = pybullet.createMultiBody(
        mass, pybullet.createCollisionShape(pybullet.GEOM_SPHERE, radius=0.1), basePosition=[0, 0, 0.1 - slop + SHIFT * step * speed]
    )
    pybullet.changeDynamics(wall, -1, contactStiffness=1e18, contactDamping=0, restitution=0, lateralFriction=0)
    pybullet.changeDynamics(ball, -1, restitution=0, linearDamping=0, lateralFriction=0, **contact)
    pybullet.resetBaseVelocity(ball, [0, 0, -speed])
    course = Course(mass, speed, step)
    for _ in range(1000000):
        pybullet.stepSimulation()
        if course.add(pybullet.getBaseVelocity(ball)[0][2]):
            break
    pybullet.disconnect()
    return course.outcome()


def installed() -> dict[str, Callable[..., np.ndarray]]:
    """What can be run here, by the name that `translate` has for it."""
    found: dict[str, Callable[..., np.ndarray]] = {}
    for name, package, run in (("mujoco", "mujoco", in_mujoco), ("drake", "pydrake", in_drake), ("bullet", "pybullet", in_bullet)):
        if importlib.util.find_spec(package):
            found[name] = run
    if ctypes.util.find_library("ode"):
        found["gazebo"] = in_ode
    return found


def main() -> None:
    mass, speed = (float(sys.argv[1]), float(sys.argv[2])) if len(sys.argv) == 3 else (4.0, 0.12)
    runs = installed()
    missing = {each.name for each in thud.all_simulators} - set(runs)
    print(f"{mass:g} kg at {speed:g} m/s; not installed: {', '.join(sorted(missing)) or 'none'}")
    print(f"{'law':<34}{'simulator':<24}{'step [ms]':>10}{'peak':>9}{'duration':>10}{'restitution':>12}   at 2 m      at 2 v: peak, restitution")
    for title, law in LAWS.items():
        for name, run in runs.items():
            for step, constant in [(None, False), (1e-3, False)] + ([(None, True)] if name == "mujoco" else []):
                found = thud.translate(law, mass, speed, to=name, step=step, constant_impedance=constant)

                def off(mass: float, speed: float) -> list[str]:
                    law_says = thud.law_outcome(law, mass, speed)
                    expected = np.array([law_says.peak, law_says.duration, law_says.restitution])
                    return [f"{100 * each:+.1f} %" for each in run(found, mass, speed, step or law_says.duration / 2000) / expected - 1]

                here, heavy, fast = off(mass, speed), off(2 * mass, speed), off(mass, 2 * speed)
                label = name + (", constant" if constant else "")
                print(f"{title:<34}{label:<24}{1e3 * step if step else 0:>10g}{here[0]:>9}{here[1]:>10}{here[2]:>12}   "
                      f"{heavy[0]:>9}{heavy[2]:>10} {fast[0]:>9}{fast[2]:>10}")  # fmt: skip


if __name__ == "__main__":
    main()
