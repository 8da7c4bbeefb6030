"""From a log to trials: which topic is the force and which the joints, where the impacts are, posture and speed at each.

An impact is a rise of the force within 0.1 s. `find_contact` judges every one of them: where it begins, its peak, its rest level
before. Hits that follow within half a second belong to the trial of the first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import version
from math import inf, nan, pi
from pathlib import Path
from typing import Any, Callable, Sequence

import numpy as np

from .. import (
    Configuration,
    ContactPoint,
    ContactWindow,
    Dataset,
    DatasetHeader,
    InputError,
    JointLog,
    JointType,
    Record,
    Robot,
    Trial,
    Warning,
    WarningCode,
    contact_dynamics,
    contact_velocity,
    find_contact,
    load_robot,
    min_record_samples,
    parse_record,
    urdf_text,
    usable,
)
from .arrays import EXTERNAL, ArrayLog, leaf
from .formats import read_log
from .log import Array, ForceSamples, JointSamples, Log, Topic, rate_of
from .ros import WRENCHES

ANGLES = {"rad": 1.0, "deg": pi / 180}
AXES = ("x", "y", "z", "-x", "-y", "-z", "norm", "normal")
RISE = 0.1  # longest rise of an impact, as find_contact has it                               [s]
APART = 0.5  # hits that are closer belong to one trial                                       [s]
REST = 1.0  # over which the level without a contact is taken                                 [s]
SHARE = 0.2  # of the largest rise: smaller ones are no impacts unless min_force says so      [1]
LEAST = 8  # of the noise's standard deviations: smaller rises are noise, as for find_contact [1]
BEFORE, AFTER = 0.2, 0.2  # of the contact, kept in a trial                                   [s]
SAME_CLOCK = 0.1  # delays to the recorder that differ by more are of different clocks        [s]
SAME_POSTURE = 0.05  # joint positions of one configuration differ by less                   [rad or m]
SAME_SPEED = 0.05  # speeds of one reference differ by less, relatively                       [1]
OUTSIDE = 0.01  # of a joint's limits, which calibration may be off by                        [rad or m]
FIT = 0.02  # joint velocities before the touch are fitted over this                          [s]


@dataclass(frozen=True)
class Impact:
    """A hit that became a trial."""

    trial: str
    log: str  # in which it is
    time: float  # of the touch, on the clock of the force                     [s]
    peak: float  # largest sample of the contact as stored; NaN without a force record [N]
    duration: float  # of the contact                                          [s]
    status: str  # of find_contact
    speed: float  # of the point against the normal, at the touch              [m/s]
    reference: float  # what hits of about this speed have in common           [m/s]
    q: tuple[float, ...]  # at the touch                                       [rad or m]
    configuration: str


@dataclass(frozen=True)
class LeftOut:
    """A rise of the force that did not become a trial."""

    log: str
    time: float  # [s]
    why: str


@dataclass(frozen=True)
class Taken:
    """What a topic was taken for."""

    topic: str
    type: str
    samples: int
    rate: float  # [Hz]
    clock: str
    how: str  # axis and sign of a force, order of the joints
    frame: str = ""  # that the axes of a force are said to be of
    dropped: int = 0


@dataclass(frozen=True)
class Source:
    """A log, and what was taken for what in it."""

    log: Log
    force: Taken
    joints: Taken | None  # None: it has none


@dataclass(frozen=True)
class Imported:
    """A dataset and where it comes from. Without an impact there is no dataset."""

    dataset: Dataset | None
    sources: tuple[Source, ...]
    impacts: tuple[Impact, ...]
    left_out: tuple[LeftOut, ...]
    warnings: tuple[str, ...]


class NoImpact(Exception):
    """Why a rise of the force is no trial."""


def import_log(
    path: str | Path | Sequence[str | Path],
    robot: str | Path,
    frame: str,
    normal: Sequence[float],
    offset: Sequence[float] = (0, 0, 0),
    *,
    force_topic: str = "",
    joint_topic: str = "",
    force_axis: str = "",
    joints: Sequence[str] = (),
    q: Sequence[float] | None = None,
    speed: Sequence[float] | float | None = None,
    min_force: float | None = None,
    from_: float = -inf,
    to: float = inf,
    clock_offset: float = 0,
    units: str = "",
) -> Imported:
    """Finds the impacts in a log and cuts a trial from it for each.

    path          of the log, or several logs of one set-up, whose trials become one dataset
    robot         a shipped name or a URDF file
    frame, offset, normal  where it hits, as in a ContactPoint
    force_topic   of the force; TOPIC:FIELD of a message that is no wrench. Without it the only wrench in the log.
    joint_topic   of the joints; without it the only one in the log
    force_axis    x, y, z, -x, -y or -z of the sensor; norm, of what exceeds the rest; normal, the component along the contact
                  normal, for a sensor whose frame is a link of the robot. Without it the axis that exceeds its rest most, with the
                  sign that it has then.
    joints        what the robot's joints are called in the log, in the robot's order; without it by their names, or in the
                  order of the columns where those have none
    q             joint positions at the touch [rad or m], instead of those in the log
    speed         approach speed [m/s], one for all or several references of which each hit gets the nearest; instead of what
                  the log gives
    min_force     smallest rise that is an impact [N]; without it 0.2 of the largest
    from_, to     part of the log that is searched, on the clock of the force [s]
    clock_offset  added to the times of the force to get those of the joints [s]
    units         "time=ms,force=kN", of logs that are arrays; as for read_record. "position=deg": positions and velocities of
                  revolute joints are in degrees

    Raises InputError, RobotError and FileError. What it took for what is in the result.
    """
    arm = load_robot(robot)
    point = ContactPoint(frame, list(offset), list(normal))
    contact_dynamics(arm, point, np.zeros(arm.size))  # refuses a frame or a normal that is none
    paths = [path] if isinstance(path, (str, Path)) else list(path)
    if not paths:
        raise InputError("path", "none", "needs a log")
    searches = []
    for each in paths:
        with read_log(each) as log:
            search = Search(log, arm, point, clock_offset, tuple(joints), None if q is None else np.asarray(q, float), speeds(speed))
            search.set_units(units)
            search.take_topics(force_topic, joint_topic)
            search.run(force_axis, min_force, from_, to)
            searches.append(search)
    return joined(searches, urdf_text(robot))


def joined(searches: list[Search], urdf: str) -> Imported:
    """Hits of several logs as one dataset: postures that are alike are one configuration, speeds that are alike one reference."""
    found = [(search, hit) for search in searches for hit in search.hits]
    hits = [hit for _, hit in found]
    groups: list[list[int]] = []
    for i, hit in enumerate(hits):
        near = next((group for group in groups if np.abs(np.subtract(hits[group[0]].q, hit.q)).max() < SAME_POSTURE), None)
        if near is None:
            groups.append([i])
        else:
            near.append(i)
    place = {i: f"c{k + 1}" for k, group in enumerate(groups) for i in group}
    reference = references(hits, groups) if not searches[0].given_speeds else {i: hit.speed for i, hit in enumerate(hits)}
    impacts, trials = [], []
    counts: dict[tuple[str, float], int] = {}
    for i, (search, hit) in enumerate(found):
        key = (place[i], reference[i])
        counts[key] = counts.get(key, 0) + 1
        impacts.append(replace(hit, trial=f"hit_{i + 1:0{max(2, len(str(len(hits))))}}", configuration=place[i], reference=reference[i]))
        trials.append(search.trial(impacts[-1], counts[key]))
    dataset = None
    if trials:
        configurations = [Configuration(f"c{k + 1}", np.median([hits[i].q for i in group], axis=0)) for k, group in enumerate(groups)]
        header = DatasetHeader(robot=searches[0].arm.name, urdf=urdf, point=searches[0].point, configurations=configurations,
                               plan=[trial.name for trial in trials], versions={"thud": version("thud")})
        dataset = Dataset(header, trials)
    several_logs = len(searches) > 1
    return Imported(
        dataset, tuple(Source(search.log, search.force_taken(), search.joints_taken()) for search in searches), tuple(impacts),
        tuple(each for search in searches for each in search.left_out),
        tuple(f"{search.log.path}: {text}" if several_logs else text for search in searches for text in search.warnings))


def references(hits: list[Impact], groups: list[list[int]]) -> dict[int, float]:
    """Of each hit the reference speed: the median of those of its configuration that are alike, to three digits."""
    reference = {}
    for group in groups:
        waiting = sorted(group, key=lambda i: hits[i].speed)
        while waiting:
            least = hits[waiting[0]].speed
            alike = [i for i in waiting if hits[i].speed <= least * (1 + SAME_SPEED)]
            middle = float(f"{np.median([hits[i].speed for i in alike]):.3g}")
            reference.update({i: middle for i in alike})
            waiting = waiting[len(alike) :]
    return reference


def speeds(given: Sequence[float] | float | None) -> tuple[float, ...]:
    if given is None:
        return ()
    found = tuple(float(each) for each in np.atleast_1d(np.asarray(given, float)))
    for each in found:
        if not 0 < each < inf:
            raise InputError("speed", f"{each:g}", "must be finite and > 0")
    return found


def several(option: str, log: Log, role: str, named: str) -> str:
    """The topic for a role: the one that is named, or the only one; empty: there is none."""
    if named:
        return named
    found = [topic.name for topic in log.topics if topic.role == role and topic.count > 0]
    if len(found) > 1:
        raise InputError(option, "missing", f"the log has several: {', '.join(found)}")
    return found[0] if found else ""


def rest_level(time: Array, values: Array) -> Array:
    """The level without a contact at each sample: medians of a second, in which an impact is short."""
    step = REST / 10
    if time[-1] - time[0] < 2 * REST:
        return np.broadcast_to(np.median(values[: max(3, len(values) // 4)], axis=0), values.shape)
    block = np.floor((time - time[0]) / step)
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    ends = np.append(starts[1:], len(time))
    levels = np.array([np.median(values[a:b], axis=0) for a, b in zip(starts, ends)])
    middles = np.array([time[(a + b - 1) // 2] for a, b in zip(starts, ends)])
    wide = np.array([np.median(levels[max(0, i - 5) : i + 6], axis=0) for i in range(len(levels))])
    return np.column_stack([np.interp(time, middles, column) for column in wide.T])


def without_spikes(values: Array) -> Array:
    """Median of three neighbours."""
    if len(values) < 3:
        return values
    middle = np.median(np.stack([values[:-2], values[1:-1], values[2:]]), axis=0)
    return np.concatenate([values[:1], middle, values[-1:]])


def lowest_before(values: Array, width: int) -> Array:
    """The least of the last `width` values, at each: minima from either end of blocks as long."""
    blocks = -(-len(values) // width)
    padded = np.full((blocks + 1) * width, inf)
    padded[width : width + len(values)] = values
    table = padded.reshape(-1, width)
    ahead = np.minimum.accumulate(table, axis=1).reshape(-1)
    back = np.minimum.accumulate(table[:, ::-1], axis=1)[:, ::-1].reshape(-1)
    here = np.arange(width, width + len(values))
    return np.minimum(ahead[here], back[here - width + 1])


def noise_of(values: Array) -> float:
    """Standard deviation of one sample, from first differences."""
    steps = np.diff(values)
    return 1.4826 * float(np.median(np.abs(steps - np.median(steps)))) / np.sqrt(2) if len(steps) else 0.0


class Search:
    """The steps of import_log, in their order."""

    def __init__(self, log: Log, arm: Robot, point: ContactPoint, clock_offset: float, called: tuple[str, ...],
                 q: Array | None, given_speeds: tuple[float, ...]) -> None:
        self.log, self.arm, self.point, self.clock_offset = log, arm, point, clock_offset
        self.names = tuple(joint.name for joint in arm.joints)
        self.called, self.q, self.given_speeds = called, q, given_speeds
        self.force: ForceSamples | None = None
        self.joints: JointSamples | None = None
        self.force_topic = self.joint_topic = Topic("", "", 0)
        self.units = ""
        self.force_unit = 1.0  # [N]
        self.angle_unit = 1.0  # of revolute joints' positions and velocities [rad, rad/s]
        self.estimate = False  # the force is that of external torques, and no record
        self.warnings: list[str] = list(log.notes)
        self.left_out: list[LeftOut] = []
        self.hits: list[Impact] = []
        self.kept: dict[float, tuple[Record, ContactWindow]] = {}  # by the time of the touch
        self.axis, self.sign, self.column = "", 1, 0
        self.joint_order = ""
        self.outside = False  # whether a posture outside the limits was told
        if called and len(called) != arm.size:
            raise InputError("joints", f"{len(called)} names", f"{arm.name} has {arm.size} joints")
        if q is not None and (q.shape != (arm.size,) or not np.isfinite(q).all()):
            raise InputError("q", f"{q.size} values", f"{arm.name} needs {arm.size} finite ones")

    def set_units(self, units: str) -> None:
        self.units = units
        pairs = [each.strip() for each in units.split(",") if each.strip()]
        angles = [each for each in pairs if each.partition("=")[0].strip() == "position"]
        for each in angles:
            unit = each.partition("=")[2].strip()
            if unit not in ANGLES:
                raise InputError("unit", each, f"must be one of {', '.join(ANGLES)}")
            self.angle_unit = ANGLES[unit]
        record = ",".join(each for each in pairs if each not in angles)
        told = parse_record("".join(f"{0.5 * i} {i}\n" for i in range(10)), "unit", units=record)
        self.force_unit = float(told.force[1])
        if isinstance(self.log, ArrayLog):
            if "time" in record:
                self.log.told = float(told.time[2])
        elif told.time[2] != 1:
            raise InputError("unit", units, f"times of {self.log.format} are not in doubt")
        elif self.angle_unit != 1:
            raise InputError("unit", units, f"joint positions of {self.log.format} are not in doubt")

    # topics

    def take_topics(self, force_topic: str, joint_topic: str) -> None:
        force_name = several("force-topic", self.log, "force", force_topic)
        joint_name = several("joint-topic", self.log, "joints", joint_topic)
        if joint_name:
            self.joint_topic = self.log.topic("joint-topic", joint_name)
            self.joints = self.log.joints(joint_name, self.called or self.names)
            self.tell_order(self.joints)
            self.joints = self.in_radians(self.joints)
            self.warnings += [f"{joint_name}: {note}" for note in self.joints.notes]
        elif self.q is None or not self.given_speeds:
            raise InputError("joint-topic", "missing", f"the log has no joints ({self.listed()}); without them q and speed must be given")
        torques = self.joints is not None and self.joints.external_torque.size > 0
        if force_name and not (torques and self.is_external(force_name)):
            self.force_topic = self.log.topic("force-topic", force_name.split(":")[0])
            if self.force_unit != 1 and self.force_topic.type in WRENCHES:
                raise InputError("unit", self.units, f"forces of a {self.force_topic.type} are not in doubt: they are in N")
            self.force = self.log.force(force_name)
            self.warnings += [f"{force_name}: {note}" for note in self.force.notes]
        elif torques:
            self.force_topic = next(topic for topic in self.log.topics if self.is_external(topic.name))
            self.force = self.external_force()
            self.estimate = not force_name
        else:
            raise InputError("force-topic", "missing", f"the log has no wrench ({self.listed()}); name the topic that is the force")
        self.force = replace(self.force, force=self.force.force * self.force_unit)
        if len(self.force.time) < min_record_samples:
            raise InputError("force-topic", self.force_topic.name, f"has {len(self.force.time)} samples; needs {min_record_samples}")
        if self.joints is not None:
            self.same_clock()

    def is_external(self, name: str) -> bool:
        return leaf(name) in EXTERNAL

    def listed(self) -> str:
        return ", ".join(f"{topic.name}: {topic.type}" for topic in self.log.topics[:12]) or "it is empty"

    def tell_order(self, joints: JointSamples) -> None:
        """How the columns of the robot's joints were found: by their names, or as they stand."""
        columns = joints.position.shape[1]
        if joints.names:
            self.joint_order = "by name"
            if joints.others:
                self.joint_order += f", without {', '.join(joints.others)}"
        elif columns == self.arm.size:
            self.joint_order = f"columns without names, taken in the order of {self.arm.name}"
        else:
            raise InputError("joint-topic", f"{self.joint_topic.name} ({columns} columns)",
                             f"{self.arm.name} has {self.arm.size} joints, and the columns have no names")

    def in_radians(self, joints: JointSamples) -> JointSamples:
        unit = np.array([1 if joint.type == JointType.prismatic else self.angle_unit for joint in self.arm.joints])
        return replace(joints, position=joints.position * unit, velocity=joints.velocity * unit if joints.velocity.size else joints.velocity)

    def external_force(self) -> ForceSamples:
        """The force along the normal that the external torques are nearest to: J_n.tau/(J_n.J_n)."""
        assert self.joints is not None
        forces = []
        for q, torque in zip(self.joints.position, self.joints.external_torque):
            dynamics = contact_dynamics(self.arm, self.point, q)
            row = dynamics.normal_W @ dynamics.J[:3]
            forces.append(row @ torque / (row @ row))
        return ForceSamples(self.joints.time, np.array(forces).reshape(-1, 1), self.joints.clock)

    def same_clock(self) -> None:
        """Puts the joints' times on the scale of the force's."""
        assert self.force is not None and self.joints is not None
        ours, theirs = self.force.clock, self.joints.clock
        shift = theirs.zero - ours.zero
        if {ours.name, theirs.name} == {"header stamp", "receive time"}:
            self.warnings.append(f"the force has {ours.name}s, the joints {theirs.name}s: they may be some milliseconds apart")
        if abs(theirs.delay - ours.delay) > SAME_CLOCK * 1e9:
            shift += theirs.delay - ours.delay
            self.warnings.append(
                f"force and joints are stamped by different clocks, {abs(theirs.delay - ours.delay) / 1e9:.3f} s apart at the recorder: "
                "they are aligned by the least delay to it, some milliseconds at best; --clock-offset corrects it")
        self.joints = replace(self.joints, time=self.joints.time + shift / 1e9)
        at = self.force.time + self.clock_offset
        if at[-1] < self.joints.time[0] or at[0] > self.joints.time[-1]:
            raise InputError("clock-offset", f"{self.clock_offset:g}",
                             f"the force is from {at[0]:.6g} to {at[-1]:.6g} s, the joints from {self.joints.time[0]:.6g} to {self.joints.time[-1]:.6g} s")

    # impacts

    def run(self, force_axis: str, min_force: float | None, from_: float, to: float) -> None:
        """Finds the hits."""
        assert self.force is not None
        if force_axis and force_axis not in AXES:
            raise InputError("force-axis", force_axis, f"must be one of {', '.join(AXES)}")
        if min_force is not None and not 0 < min_force < inf:
            raise InputError("min-force", f"{min_force:g}", "must be finite and > 0")
        time = self.force.time
        inside = (time >= from_) & (time <= to)
        if inside.sum() < min_record_samples:
            raise InputError("from, to", f"{from_:g} to {to:g} s",
                             f"has {inside.sum()} samples of a force from {time[0]:.6g} to {time[-1]:.6g} s; needs {min_record_samples}")
        self.force = replace(self.force, time=time[inside], force=self.force.force[inside])
        self.choose_axis(force_axis)
        self.hits = [hit for hit in map(self.trial_at, *self.rises(min_force)) if hit is not None]

    def choose_axis(self, force_axis: str) -> None:
        """The axis of the force and its sign, and the signal whose rises are impacts."""
        assert self.force is not None
        rest = rest_level(self.force.time, self.force.force)
        away = without_spikes(self.force.force) - rest
        largest = np.abs(away).max(axis=0)
        columns = self.force.force.shape[1]
        if force_axis in ("norm", "normal") or columns == 1 and force_axis:
            if columns == 1:
                raise InputError("force-axis", force_axis, f"{self.force_topic.name} has one axis only")
            if force_axis == "normal":
                self.turn_to_world(np.zeros(self.arm.size))  # refuses a frame that is not known
            self.axis, self.sign = force_axis, 1
            self.signal = np.linalg.norm(away, axis=1)
            return
        axis = "xyz".index(force_axis[-1]) if force_axis else int(np.argmax(largest))
        if force_axis:
            self.sign = -1 if force_axis.startswith("-") else 1
        else:
            self.sign = 1 if away[int(np.argmax(np.abs(away[:, axis]))), axis] > 0 else -1
        self.axis = "only" if columns == 1 else "xyz"[axis]
        self.column = axis
        # With a given axis the contact may still pull: rises are looked for in the direction that it has.
        peak = away[int(np.argmax(np.abs(away[:, axis]))), axis]
        self.signal = np.copysign(1, peak) * self.force.force[:, axis]
        if force_axis and peak * self.sign < 0:
            self.warnings.append(f"the force along {force_axis} is negative in contact; its sign is reversed")
            self.sign = -self.sign
        for other in range(columns):
            if other != axis and largest[other] > 0.3 * largest[axis]:
                self.warnings.append(f"the force is not along one axis of the sensor: {'xyz'[other]} has up to {largest[other]:.3g} N beside "
                                     f"{largest[axis]:.3g} N of {'xyz'[axis]}; --force-axis norm or normal takes both")

    def rises(self, min_force: float | None) -> tuple[list[float], list[float], list[float]]:
        """When the impacts begin, from when and until when each may be looked at."""
        assert self.force is not None
        time = self.force.time
        smooth = without_spikes(self.signal)
        width = max(2, round(min(RISE * rate_of(time), len(time))))
        rise = smooth - lowest_before(smooth, width)
        noise, top = noise_of(self.signal), float(rise.max())
        floor = max(LEAST * noise, 1e-9)
        least = max(floor, SHARE * top) if min_force is None else max(min_force, 1e-9)
        starts = self.groups(rise >= least)
        small = [(a, b) for a, b in self.groups(rise >= floor) if not any(a <= start <= b for start, _ in starts)]
        if small and min_force is None:
            height = max(float(rise[(time >= a) & (time <= b)].max()) for a, b in small)
            self.warnings.append(f"{len(small)} smaller rises of up to {height:.3g} N are left out; --min-force takes those above it")
        if not starts:
            self.warnings.append(f"no rise of the force within {RISE} s above {least:.3g} N")
        lows = [max([time[0], a - REST, *(end + 0.02 for _, end in starts[:i][-1:])]) for i, (a, _) in enumerate(starts)]
        highs = [min([time[-1], b + APART, *(start - 0.02 for start, _ in starts[i + 1 : i + 2])]) for i, (_, b) in enumerate(starts)]
        return [a for a, _ in starts], lows, highs

    def groups(self, above: Any) -> list[tuple[float, float]]:
        """First and last time of samples that are above, those less than APART from each other together."""
        assert self.force is not None
        times = self.force.time[above]
        if not len(times):
            return []
        cuts = np.flatnonzero(np.diff(times) > APART)
        return list(zip(times[[0, *(cuts + 1)]], times[[*cuts, -1]]))

    def trial_at(self, start: float, low: float, high: float) -> Impact | None:
        """The impact at a rise; None, with the reason noted, where there is none."""
        try:
            return self.judged(start, low, high)
        except NoImpact as why:
            self.left_out.append(LeftOut(str(self.log.path), start, str(why)))
            return None

    def judged(self, start: float, low: float, high: float) -> Impact:
        record, window = self.contact(start, low, high)
        if not usable(window):  # where much else moves the force, the nearest samples may tell more
            near = self.contact(start, max(low, start - BEFORE), min(high, start + AFTER))
            if not usable(near[1]):
                raise NoImpact(window.message)
            record, window = near
        if kept_part(record, window).sum() < min_record_samples:
            raise NoImpact(f"{kept_part(record, window).sum()} samples around it: the force is recorded too slowly")
        q, dq = self.state_at(window.start + self.clock_offset)
        self.check_limits(q)
        speed = self.given_speeds[0] if self.given_speeds else nan
        if dq is not None:
            dynamics = contact_dynamics(self.arm, self.point, q)
            measured = -contact_velocity(dynamics, dq)
            if not self.given_speeds:
                if not measured > 0:
                    raise NoImpact(f"the point does not approach along the normal: it moves away at {-measured:.3g} m/s")
                speed = measured
            else:
                speed = min(self.given_speeds, key=lambda each: abs(each - measured))
                if abs(speed - measured) > 0.2 * speed:
                    self.warnings.append(f"at {window.start:.6g} s the log has {measured:.3g} m/s where {speed:.3g} m/s is given")
        elif len(self.given_speeds) > 1:
            raise NoImpact("the log has no joint velocities to tell which of the given speeds it was")
        self.kept[window.start] = (record, window)
        samples = stored_force(record, window)[window.first : window.last + 1]
        return Impact("", str(self.log.path), window.start, nan if self.estimate else float(samples.max()), window.end - window.start,
                      window.status.name, speed, speed, tuple(float(each) for each in q), "")

    def check_limits(self, q: Array) -> None:
        """Warns, once for a log, of a posture that the robot cannot have."""
        out = [(max(joint.lower - value, value - joint.upper), joint, value) for joint, value in zip(self.arm.joints, q)]
        far, joint, value = max(out, key=lambda each: each[0])
        if not far > OUTSIDE or self.outside:
            return
        self.outside = True
        unit = "m" if joint.type == JointType.prismatic else "rad"
        text = f"joint {joint.name} at {value:.4g} {unit} is outside its limits, {joint.lower:.4g} to {joint.upper:.4g} {unit}"
        if self.q is None and unit == "rad" and self.angle_unit == 1:
            text += ": is the log in degrees?" + (" --unit position=deg" if isinstance(self.log, ArrayLog) else "")
        self.warnings.append(text)

    def contact(self, start: float, low: float, high: float) -> tuple[Record, ContactWindow]:
        assert self.force is not None
        part = (self.force.time >= low) & (self.force.time <= high)
        time = self.force.time[part]
        if len(time) < min_record_samples:
            raise NoImpact(f"{len(time)} samples only")
        record = Record(time, self.component(self.force.force[part], time, start))
        return record, find_contact(record)

    def component(self, force: Array, time: Array, start: float) -> Array:
        """The force of a stretch as one number a sample."""
        if self.axis not in ("norm", "normal"):
            return self.sign * force[:, self.column]
        quiet = (time > start - BEFORE) & (time < start - FIT)
        rest = np.median(force[quiet] if quiet.sum() >= 3 else force[:3], axis=0)
        if self.axis == "norm":
            length: Array = np.linalg.norm(force - rest, axis=1)
            return length
        q, _ = self.state_at(start + self.clock_offset)
        normal = np.asarray(self.point.normal_W, float)
        along: Array = (force - rest) @ self.turn_to_world(q).T @ normal / np.linalg.norm(normal)
        return along

    def turn_to_world(self, q: Array) -> Array:
        """From the sensor's frame, a link of the robot or the world."""
        assert self.force is not None
        frame = self.force.frame.lstrip("/")
        link = next((each for each in self.arm.frames if each.name == frame), None)
        if link is not None and link.joint < 0:
            return np.asarray(link.R_JF)
        if link is None and frame == "world":
            return np.eye(3)
        if link is None:
            raise InputError("force-axis", "normal", f"the force is in the frame {frame or 'that is not said'}, which is no link of {self.arm.name}")
        corners = [contact_dynamics(self.arm, ContactPoint(frame, corner, [1, 0, 0]), q).p_WC for corner in np.vstack([np.zeros(3), np.eye(3)])]
        return np.column_stack([corner - corners[0] for corner in corners[1:]])

    def state_at(self, touch: float) -> tuple[Array, Array | None]:
        """Joint positions and velocities just before a touch, on the joints' clock."""
        if self.joints is None:
            assert self.q is not None
            return self.q, None
        time, position, velocity = self.joints.time, self.joints.position, self.joints.velocity
        last = int(np.searchsorted(time, touch, side="right")) - 1
        period = 1 / rate_of(time) if len(time) > 1 else inf
        if last < 1 or touch - time[last] > max(0.05, 5 * period):
            raise NoImpact(f"the log has no joint samples just before {touch:.6g} s")
        first = int(np.searchsorted(time, touch - FIT))
        if velocity.size:
            dq = velocity[last]
            if last - first >= 7:
                dq = line_at(time[first : last + 1], velocity[first : last + 1], touch)[0]
        else:
            first = min(first, max(0, last - 3))
            dq = line_at(time[first : last + 1], position[first : last + 1], touch)[1]
        q = position[last] + dq * (touch - time[last])
        return (self.q if self.q is not None else q), dq

    # trials

    def trial(self, hit: Impact, repeat: int) -> Trial:
        assert self.force is not None
        record, window = self.kept[hit.time]
        low, high = window.start - BEFORE, window.end + AFTER
        part = kept_part(record, window)
        said = [f"from {self.log.path.name}, {self.log.format}; topic {self.force_topic.name}; {self.axis_said()}",
                f"rest of {window.sign * self.sign * window.baseline:.6g} N before the hit is subtracted; times by {self.force.clock.name}"]
        if self.force.clock.zero:
            said.append(f"time 0 is {self.force.clock.zero / 1e9:.6f} s since the epoch")
        notes = [Warning(WarningCode.stored_note, text=note.text) for note in window.notes if "another contact" not in note.text]
        if len(notes) < len(window.notes):
            notes.append(Warning(WarningCode.stored_note, text="the tool hit again: the first contact is the trial's"))
        force = Record(record.time[part], stored_force(record, window)[part], 0, said, notes)
        return Trial(name=hit.trial, configuration=hit.configuration, speed=hit.reference, repeat=repeat,
                     force=Record() if self.estimate else force, joints=self.joint_part(low, high), clock_offset=self.clock_offset)

    def joint_part(self, low: float, high: float) -> JointLog:
        if self.joints is None:
            return JointLog()
        time = self.joints.time
        part = (time >= low + self.clock_offset) & (time <= high + self.clock_offset)
        cut: Callable[[Array], Array] = lambda signal: signal[part] if signal.size else np.empty((0, 0))
        return JointLog(time[part], cut(self.joints.position), cut(self.joints.velocity), cut(self.joints.torque))

    # what was taken for what

    def axis_said(self) -> str:
        if self.estimate or self.axis == "only" and self.joints is not None and self.is_external(self.force_topic.name):
            return "force along the normal estimated from external torques"
        if self.axis == "norm":
            return "length of the force vector, less its rest"
        if self.axis == "normal":
            return "component along the contact normal"
        if self.axis == "only":
            return f"its only axis{', sign reversed' if self.sign < 0 else ''}, positive in contact"
        return f"{'-' if self.sign < 0 else ''}{self.axis}, positive in contact"

    def force_taken(self) -> Taken:
        assert self.force is not None
        return Taken(self.force_topic.name, self.force_topic.type, len(self.force.time), rate_of(self.force.time), self.force.clock.name,
                     self.axis_said() + ("; it shows when the robot hits, and is not stored as a record" if self.estimate else ""),
                     self.force.frame, self.force.dropped)

    def joints_taken(self) -> Taken | None:
        if self.joints is None:
            return None
        return Taken(self.joint_topic.name, self.joint_topic.type, len(self.joints.time), rate_of(self.joints.time),
                     self.joints.clock.name, self.joint_order, dropped=self.joints.dropped)


def kept_part(record: Record, window: ContactWindow) -> Any:
    """Which samples of a record belong to the trial."""
    return (record.time >= window.start - BEFORE) & (record.time <= window.end + AFTER)


def stored_force(record: Record, window: ContactWindow) -> Array:
    """The force of a record above its rest, positive in contact [N]."""
    return np.asarray(window.sign * (record.force - window.baseline), float)


def line_at(time: Array, values: Array, at: float) -> tuple[Array, Array]:
    """Value and slope at a time of the straight lines through samples."""
    middle = time.mean()
    away = time - middle
    slope = away @ (values - values.mean(axis=0)) / (away @ away)
    return values.mean(axis=0) + slope * (at - middle), slope
