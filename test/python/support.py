"""What the tests share: the paper's contact, random trees, and records made without the module."""

from __future__ import annotations

import os
from math import pi
from pathlib import Path
from typing import Callable

import numpy as np

import thud

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("THUD", ROOT / "build/release/thud"))
POINT = thud.ContactPoint(frame="panda_foot", offset=[0, 0, 0.0223], normal_W=[-1, 0, 0])

# data/robots/planar_2r.urdf as textbooks have it: lengths, centres of mass [m], masses [kg], inertias [kg m^2]
L1, L2, C1, C2, M1, M2 = 1.0, 0.8, 0.5, 0.4, 3.0, 2.0
I1, I2 = M1 * (3 * 0.025**2 + L1**2) / 12, M2 * (3 * 0.025**2 + L2**2) / 12


def posture(index: int) -> np.ndarray:
    """The three configurations of the paper's experiment."""
    q2, q4 = (0.1, 0.4, 0.8)[index], (-1.5, -1.3, -1.1)[index]
    return np.array([0, q2, 0, q4, 0, pi / 2 + q2 - q4, pi / 4])


def dynamics(index: int) -> thud.ContactDynamics:
    return thud.contact_dynamics(thud.load_robot("panda"), POINT, posture(index))


def cross(r: np.ndarray) -> np.ndarray:
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def rotation(axis: np.ndarray, angle: float) -> np.ndarray:
    """Rodrigues."""
    k = cross(np.asarray(axis, float) / np.linalg.norm(axis))
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def unit(random: np.random.Generator) -> np.ndarray:
    vector = random.normal(size=3)
    return vector / np.linalg.norm(vector)


def box(random: np.random.Generator) -> thud.BodyInertia:
    """A solid box somewhere: nobody can call its inertia non-physical."""
    mass, side, turn = 10 ** random.uniform(-1, 1), random.uniform(0.05, 0.25, 3), rotation(unit(random), 1.0)
    moments = mass * (np.sum(side**2) - side**2) / 12
    return thud.BodyInertia(mass, random.uniform(-0.2, 0.2, 3), turn @ np.diag(moments) @ turn.T)


def random_robot(seed: int, joints: int) -> thud.Robot:
    """A tree with branches, sliding and endless joints, odd axes. Body i is the frame "linki"."""
    random = np.random.default_rng(seed)
    kinds = list(thud.JointType)
    made = [
        thud.Joint(
            name=f"joint{i}",
            type=kinds[random.integers(3)],
            link=f"link{i}",
            parent=int(random.integers(-1, i)) if i else -1,
            R_PJ=rotation(unit(random), random.uniform(-pi, pi)),
            p_PJ=random.uniform(-0.3, 0.3, 3),
            axis=unit(random),
        )
        for i in range(joints)
    ]
    frames = [thud.Frame(name=f"link{i}", joint=i) for i in range(joints)]
    return thud.Robot("random", made, [box(random) for _ in made], frames)


def runge_kutta(rate: Callable, state: np.ndarray, step: float) -> np.ndarray:
    a = rate(state)
    b = rate(state + step / 2 * a)
    c = rate(state + step / 2 * b)
    return state + step / 6 * (a + 2 * b + 2 * c + rate(state + step * c))


def viscoelastic_force(times: np.ndarray, k: float, c: float, mass: float = 4, speed: float = 0.12, n: float = 1):
    """f = depth^n (k + c rate) over the time since the touch [N], by fixed steps of 1 us."""

    def rate(state: np.ndarray) -> np.ndarray:
        x, v = state
        return np.array([v, -max(0.0, max(x, 0.0) ** n * (k + c * v)) / mass])

    state, table = np.array([0.0, speed]), [0.0]
    while len(table) < 60000 and state[0] >= 0:
        state = runge_kutta(rate, state, 1e-6)
        table.append(-mass * rate(state)[1])
    return np.interp(times, 1e-6 * np.arange(len(table)), table, left=0, right=0)


def maxwell_force(times: np.ndarray, k: float, c: float, mass: float = 4, speed: float = 0.12) -> np.ndarray:
    w0, zeta = np.sqrt(k / mass), np.sqrt(k * mass) / (2 * c)
    wd = w0 * np.sqrt(1 - zeta**2)
    force = k * speed / wd * np.exp(-zeta * w0 * times) * np.sin(wd * times)
    return np.where((times > 0) & (times < pi / wd), force, 0)


def spring_force(times: np.ndarray, k: float, e: float, mass: float = 4, speed: float = 0.12) -> np.ndarray:
    w = np.sqrt(k / mass)
    end, peak = pi / (2 * w), speed * np.sqrt(k * mass)
    force = np.where(times < end, peak * np.sin(w * times), peak * np.cos(w * (times - end) / e))
    return np.where((times > 0) & (times < end * (1 + e)), force, 0)


TIMES = np.arange(600) / 25e3  # [s]
TOUCH = 4e-3  # [s]
DAMPED = viscoelastic_force(TIMES - TOUCH, 3e5, 7.5e6)  # d = 3: 4 kg at 0.12 m/s [N]


def record(force: np.ndarray, noise: float = 0, offset: float = 0, drift: float = 0, seed: int = 1) -> thud.Record:
    """A sensor's record of a force at TIMES: noise as a share of the peak, offset [N], drift [N/s]."""
    normal = np.random.default_rng(seed).normal(size=len(force))
    return thud.Record(TIMES[: len(force)], force + noise * force.max() * normal + offset + drift * (TIMES - TOUCH))


def small_campaign(speeds: tuple = (0.15,), repeats: int = 1, configurations: int = 1) -> thud.Campaign:
    campaign = thud.default_campaign()
    chosen = campaign.configurations[:configurations]
    return campaign.replace(repeats=repeats, speeds=list(speeds), configurations=chosen)


def same(a, b) -> bool:
    """Equal field by field, NaN being equal to NaN."""
    if isinstance(a, (np.ndarray, float)):
        return np.array_equal(a, b, equal_nan=True)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if "__setstate__" in type(a).__dict__:
        return type(a) is type(b) and same(a.__getstate__(), b.__getstate__())
    return a == b


def texts(warnings) -> tuple[str, ...]:
    """The sentences of warnings."""
    return tuple(warning.text for warning in warnings)


def refusal(kind: type[thud.Error], call: Callable, *arguments, **keywords) -> str:
    """What an error of that kind says, or that there was none."""
    try:
        call(*arguments, **keywords)
    except kind as error:
        return str(error)
    return "not refused"
