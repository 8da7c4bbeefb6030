"""Datasets whose answer is known: built to obey every claim of the paper, or to break one of them and no other.

Each trial is an impact of a chosen law and mass, as seen by a force sensor and a joint log with seeded noise. The arm
keeps its joint rates through the impact and its torques carry the contact force. That law is the arm's doing: the wall
itself would restore the 0.627 of its material.
"""

from __future__ import annotations

import re
from math import nan

import numpy as np

import thud
from support import POINT, ROOT, posture

NAMES = re.findall(r"^\| `((?!beyond)[\w.]+)` \|", (ROOT / "docs/study.md").read_text(), re.M)  # in the order of the document
SPEEDS = [0.08, 0.10, 0.12, 0.15, 0.18]
STIFFNESS = 8e5  # of the wall [N/m]
# d = c|v|/k by configuration and speed. A COR is told where d is below 3 or above 20; Maxwell's is told from zero where d
# is below 1.5, and depth is left when the force has vanished where d is above 2.2
DAMPING = ((2.4, 2.6, 22, 24, 26), (2.4, 2.5, 2.6, 22, 25), (1.2, 2.4, 2.5, 22, 25))
PANDA = thud.load_robot("panda")


def impact(broken: str, place: tuple[int, int, int], prediction: thud.Prediction) -> tuple:
    """Law and effective mass: viscoelastic and the composite body, unless the trial is one of the broken."""
    configuration, speed, repeat = place
    masses = {model: each.inertia.effective_mass for model, each in prediction.models.items()}
    mass, v = masses[thud.InertiaModel.composite_rigid_body], -prediction.v_exact
    d = DAMPING[configuration][speed]
    rule = configuration == 0 and speed >= 2  # the rule of small restitution applies
    if broken == "c2.algebraic" and (configuration, speed) == (2, 2):
        mass *= 1.4
    if broken == "r1" and (configuration, speed) == (2, 0):
        d = 0.9
    if broken == "small_restitution" and configuration == 0:
        d = 2.3 + 0.12 * speed
    if broken == "c1.spring" and repeat % 10 == 0 and not rule:
        return thud.Spring(STIFFNESS, 0.9), mass
    return thud.Viscoelastic(STIFFNESS, d * STIFFNESS / v), mass


def joint_log(q0, dq, profile: thud.ForceProfile, touch: float, random: np.random.Generator) -> thud.JointLog:
    """1 kHz. At constant rates dq the torques are d/dt p - dL/dq - J_v^T n f."""
    times, h = touch - 0.08 + 1e-3 * np.arange(120) + 0.3e-3, 1e-5
    q = q0 + (times - touch)[:, None] * dq
    force = thud.states(profile, times - touch)["force"]
    momentum = lambda at: thud.lagrange_terms(PANDA, at, dq).momentum
    free = np.array([(momentum(a + h * dq) - momentum(a - h * dq)) / (2 * h) for a in q])
    free -= [thud.lagrange_terms(PANDA, a, dq).gradient for a in q]
    J = thud.predict_batch(PANDA, POINT, q, outputs=thud.BatchOutputs.everything, jobs=1).J
    torque = free + J[:, 0] * force[:, None] + 0.02 * random.normal(size=q.shape)
    return thud.JointLog(times, q, dq + 1e-4 * random.normal(size=q.shape), torque, free)


def truth_of(law, mass: float, v: float, q, dq, touch: float) -> thud.Truth:
    p = thud.force_profile(law, mass, v)
    return thud.Truth(
        law=thud.Viscoelastic(STIFFNESS, 0.9 * STIFFNESS / -v),
        touch_time=touch,
        q=q,
        dq=dq,
        velocity=v,
        velocity_after=-p.restitution * v,
        peak_force=p.peak.force,
        peak_time=p.peak.time,
        compression_time=p.end_of_compression.time,
        contact_time=p.end_of_contact.time,
        depth=p.end_of_compression.depth,
        impulse_compression=mass * -v,
        impulse=(1 + p.restitution) * mass * -v,
    )


def build(repeats: int, broken: str = "", configurations: int = 3) -> tuple[thud.Dataset, list[thud.Truth]]:
    names = ["one", "two", "three"][:configurations]
    chosen = [thud.Configuration(name, posture(i), (1.8, 1.8, 1.5)[i]) for i, name in enumerate(names)]
    trials, truths = [], []
    for i, configuration in enumerate(chosen):
        for k, speed in enumerate(SPEEDS):
            for r in range(repeats):
                random = np.random.default_rng([1, i, k, r])
                q = configuration.q + 1e-3 * random.normal(size=7)
                dynamics = thud.contact_dynamics(PANDA, POINT, q)
                dq = thud.approach(dynamics, 0.97 * speed * (1 + 2e-3 * random.normal())).dq
                prediction = thud.predict(dynamics, dq)
                law, mass = impact(broken, (i, k, r), prediction)
                mass *= 1 + 2e-3 * random.normal()
                profile = thud.force_profile(law, mass, prediction.v_exact)
                touch, offset = 0.01 + 1e-4 * random.normal(), 0.3
                times = np.arange(1000) / 25e3
                force = thud.states(profile, times - touch)["force"] + 2.5 + random.normal(size=1000)
                trial = thud.Trial(
                    name=f"{configuration.name}_{k}_{r + 1}",
                    configuration=configuration.name,
                    speed=speed,
                    repeat=r + 1,
                    force=thud.Record(times, force),
                    joints=joint_log(q, dq, profile, touch + offset, random),
                    clock_offset=offset,
                    alarm_time=touch + offset + 4e-3 if r else nan,  # without it, the log must tell
                )
                trials.append(trial)
                truths.append(truth_of(law, mass, prediction.v_exact, q, dq, touch + offset))
    header = thud.DatasetHeader(
        source=thud.DataSource.simulated,
        robot="panda",
        urdf=thud.urdf_text("panda"),
        point=POINT,
        detection_joints=[4, 5],
        configurations=chosen,
        plan=[trial.name for trial in trials],
        seed=1,
    )
    return thud.Dataset(header, trials), truths


def only(dataset: thud.Dataset, names: list[str]) -> thud.Dataset:
    """The trials of these names, as if no other had been planned."""
    trials = [trial for trial in dataset.trials if trial.name in names]
    return thud.Dataset(dataset.header.replace(plan=[trial.name for trial in trials]), trials)
