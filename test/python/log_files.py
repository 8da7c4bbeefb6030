"""Logs of known hits, written by the reference writer of each format."""

from __future__ import annotations

import ctypes
import ctypes.util
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import thud
from support import POINT, posture, viscoelastic_force

ROBOT = thud.load_robot("panda")
NAMES = [joint.name for joint in ROBOT.joints]
ZERO = 1_700_000_000_123_456_789  # of the log [ns]
RATE, JOINT_RATE = 1000, 200  # [Hz]
SPEEDS, TOUCHES, DURATION = (0.08, 0.12, 0.121, 0.18), (1.0004, 2.2107, 3.4, 4.60021), 5.5
STIFFNESS, DAMPING = 4e4, 2e5
FINE = np.arange(0, 0.06, 1e-5)


@cache
def fine_pulse(speed: float) -> np.ndarray:
    """The force of 4 kg at FINE after the touch [N]."""
    return viscoelastic_force(FINE, STIFFNESS, DAMPING, speed=speed)


def pulse(after: np.ndarray, speed: float) -> np.ndarray:
    return np.interp(after, FINE, fine_pulse(speed), left=0, right=0)


@dataclass
class Hits:
    """A force sensor in a wall, and the joints of an arm that hits it, the last time in another posture. The contact is along -z of the
    sensor, which has a rest that moves as a tool does that turns in gravity, and a little across."""

    touches: tuple[float, ...] = TOUCHES  # [s]
    speeds: tuple[float, ...] = SPEEDS  # [m/s]
    duration: float = DURATION  # [s]
    pressing: float = 0  # force that stays for 0.3 s after a hit [N]
    bounces: int = 0  # smaller hits that follow, 0.1 s apart

    def __post_init__(self) -> None:
        random = np.random.default_rng(1)
        self.time, self.joint_time = np.arange(int(RATE * self.duration)) / RATE, np.arange(int(JOINT_RATE * self.duration)) / JOINT_RATE
        self.peaks = [fine_pulse(speed).max() for speed in self.speeds]
        contact = np.zeros(len(self.time))
        for touch, speed in zip(self.touches, self.speeds):
            for i in range(self.bounces + 1):
                contact += 0.6**i * pulse(self.time - touch - 0.1 * i, speed)
            since = self.time - touch
            contact = np.where((since > 0.012) & (since < 0.3), np.maximum(contact, self.pressing), contact)
        rest = np.array([1.5, -3, 22]) + np.outer(np.sin(self.time / 2), [0.5, 0.2, 3])
        self.force = rest + np.outer(contact, [0.05, -0.03, -1]) + 0.1 * random.normal(size=(len(self.time), 3))
        self.postures = [posture(0)] * (len(self.touches) - 1) + [posture(1)]
        self.q, self.dq = np.tile(self.postures[0], (len(self.joint_time), 1)), np.zeros((len(self.joint_time), 7))
        for touch, speed, here in zip(self.touches, self.speeds, self.postures):
            rate = approach(here, speed)
            near = np.abs(self.joint_time - touch) < 0.5
            coming = near & (self.joint_time <= touch)
            self.q[near] = here
            self.q[coming] = here + np.outer(self.joint_time[coming] - touch, rate)
            self.dq[coming] = rate
        self.tau = 0.5 * np.ones_like(self.q)


def approach(q: np.ndarray, speed: float) -> np.ndarray:
    """Joint rates that bring the point against the normal at that speed."""
    dynamics = thud.contact_dynamics(ROBOT, POINT, q)
    row = dynamics.normal_W @ dynamics.J[:3]
    return -speed * row / (row @ row)


def stamp(store, ns: int):
    return store.types["builtin_interfaces/msg/Time"](sec=int(ns // 10**9), nanosec=int(ns % 10**9))


def header(store, ns: int, frame: str):
    kind = store.types["std_msgs/msg/Header"]
    more = {"seq": 0} if "seq" in kind.__dataclass_fields__ else {}
    return kind(stamp=stamp(store, ns), frame_id=frame, **more)


def wrench(store, ns: int, force, frame: str = "wall_sensor"):
    types = store.types
    vector = types["geometry_msgs/msg/Vector3"]
    torque = vector(x=0.0, y=0.0, z=0.0)
    pair = types["geometry_msgs/msg/Wrench"](force=vector(*map(float, force)), torque=torque)
    return types["geometry_msgs/msg/WrenchStamped"](header=header(store, ns, frame), wrench=pair)


def joint_state(store, ns: int, names, q, dq, tau):
    kind = store.types["sensor_msgs/msg/JointState"]
    return kind(header=header(store, ns, ""), name=list(names), position=np.array(q, float), velocity=np.array(dq, float),
                effort=np.array(tau, float))


def messages(hits: Hits, store, stamps: bool = True, frame: str = "wall_sensor", ahead: float = 0, sensors: int = 1, turn=np.eye(3),
             unknown=()):
    """(receive time, topic, message) as an arm, its gripper and a sensor would publish: other joint order, two fingers more,
    messages of the gripper alone, some late, some without a number. `ahead` is what the sensor's clock is ahead of the robot's [s],
    `turn` turns the sensor's axes, `unknown` are (signal, joint) that the driver has no numbers of."""
    random = np.random.default_rng(2)
    order = [6, 2, 0, 1, 5, 3, 4]
    names = [*(NAMES[i] for i in order), "panda_finger_joint1", "panda_finger_joint2"]
    for i, t in enumerate(hits.time):
        at = ZERO + round(t * 1e9)
        force = [np.nan] * 3 if i in (70, 71) else hits.force[i]
        late = 0.05 if i in (30, 4200) else 0.001 * random.random()
        for sensor in range(sensors):
            stamped = at + round(1e9 * ahead) if stamps else 0
            topic = "/ft/wrench" + (str(sensor + 1) if sensor else "")
            yield at + round(1e9 * late) + 500_000, topic, wrench(store, stamped, turn @ force, frame)
    for i, t in enumerate(hits.joint_time):
        at = ZERO + round(t * 1e9)
        fingers = [0.02, 0.02]
        signals = {"q": [*hits.q[i][order], *fingers], "dq": [*hits.dq[i][order], 0, 0], "tau": [*hits.tau[i][order], 0, 0]}
        for signal, joint in unknown:
            signals[signal][names.index(joint)] = np.nan
        yield at + 700_000, "/joint_states", joint_state(store, at if stamps else 0, names, *signals.values())
        if i % 10 == 0:
            yield at + 800_000, "/joint_states", joint_state(store, at, names[-2:], fingers, [0, 0], [0, 0])
    for i in range(5):
        yield ZERO + i * 10**9, "/notes", store.types["std_msgs/msg/String"](data="a note")


def in_order(hits: Hits, store, **options):
    return sorted(messages(hits, store, **options), key=lambda each: each[0])


def write_bag1(path: Path, hits: Hits, **options) -> Path:
    from rosbags.rosbag1 import Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS1_NOETIC)
    with Writer(path) as writer:
        connections: dict = {}
        for at, topic, message in in_order(hits, store, **options):
            kind = message.__msgtype__
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, kind, typestore=store)
            writer.write(connections[topic], at, store.serialize_ros1(message, kind))
    return path


def write_bag2(path: Path, hits: Hits, storage: str, **options) -> Path:
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    with Writer(path, version=8, storage_plugin=StoragePlugin[storage]) as writer:
        connections: dict = {}
        for at, topic, message in in_order(hits, store, **options):
            kind = message.__msgtype__
            if topic not in connections:
                connections[topic] = writer.add_connection(topic, kind, typestore=store)
            writer.write(connections[topic], at, store.serialize_cdr(message, kind))
    return path


def write_mcap(path: Path, hits: Hits, version: int = 2, **options) -> Path:
    """By mcap's own writer, with the messages of ROS 1 or 2."""
    from mcap.writer import Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE if version == 2 else Stores.ROS1_NOETIC)
    with open(path, "wb") as file:
        writer = Writer(file)
        writer.start(profile="" if version == 1 else "ros2")
        channels: dict = {}
        for at, topic, message in in_order(hits, store, **options):
            kind = message.__msgtype__
            if topic not in channels:
                text = store.generate_msgdef(kind, ros_version=version)[0].encode()
                name = kind if version == 2 else kind.replace("/msg/", "/")
                schema = writer.register_schema(name, f"ros{version}msg", text)
                channels[topic] = writer.register_channel(topic, "cdr" if version == 2 else "ros1", schema)
            raw = store.serialize_cdr(message, kind) if version == 2 else store.serialize_ros1(message, kind)
            writer.add_message(channels[topic], at, bytes(raw), at)
        writer.finish()
    return path


def variables(hits: Hits) -> dict:
    return {"t": hits.time, "wrench": np.column_stack([hits.force, np.zeros_like(hits.force)]),
            "arm": {"time": hits.joint_time, "q": hits.q.T, "dq": hits.dq.T, "tau": hits.tau.T},
            "note": "a note", "g": 9.81}


def save_matlab5(path: Path, values: dict, compressed: bool = True) -> Path:
    import scipy.io

    scipy.io.savemat(path, values, do_compression=compressed)
    return path


def write_matlab5(path: Path, hits: Hits) -> Path:
    return save_matlab5(path, variables(hits))


class Matio:
    """MATLAB files of version 7.3 by matio."""

    MAT73, COMPRESSED, DOUBLE, CHAR, STRUCT = 0x0200, 1, (6, 9), (4, 4), (2, 22)

    def __init__(self) -> None:
        self.library = ctypes.CDLL(ctypes.util.find_library("matio"))
        for name in ("Mat_CreateVer", "Mat_VarCreate", "Mat_VarCreateStruct", "Mat_VarSetStructFieldByName"):
            getattr(self.library, name).restype = ctypes.c_void_p
        pointer, text, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t
        self.library.Mat_CreateVer.argtypes = [text, text, ctypes.c_int]
        self.library.Mat_VarCreate.argtypes = [text, ctypes.c_int, ctypes.c_int, ctypes.c_int, pointer, pointer, ctypes.c_int]
        self.library.Mat_VarCreateStruct.argtypes = [text, ctypes.c_int, pointer, pointer, ctypes.c_uint]
        self.library.Mat_VarSetStructFieldByName.argtypes = [pointer, text, size, pointer]
        self.library.Mat_VarWrite.argtypes = [pointer, pointer, ctypes.c_int]
        self.library.Mat_Close.argtypes = [pointer]

    def variable(self, name: str | None, value) -> int:
        called = name.encode() if name else None
        if isinstance(value, dict):
            dims = (ctypes.c_size_t * 2)(1, 1)
            fields = (ctypes.c_char_p * len(value))(*(key.encode() for key in value))
            made = self.library.Mat_VarCreateStruct(called, 2, dims, fields, len(value))
            for key, each in value.items():
                self.library.Mat_VarSetStructFieldByName(made, key.encode(), 0, self.variable(None, each))
            return made
        if isinstance(value, str):
            dims = (ctypes.c_size_t * 2)(1, len(value))
            return self.library.Mat_VarCreate(called, *self.CHAR, 2, dims, value.encode(), 0)
        array = np.atleast_1d(np.asarray(value, float))
        array = np.asfortranarray(array.reshape(-1, 1) if array.ndim == 1 else array)
        dims = (ctypes.c_size_t * 2)(*array.shape)
        return self.library.Mat_VarCreate(called, *self.DOUBLE, 2, dims, array.ctypes.data_as(ctypes.c_void_p), 0)

    def write(self, path: Path, values: dict, compressed: bool) -> None:
        file = self.library.Mat_CreateVer(str(path).encode(), None, self.MAT73)
        for name, value in values.items():
            assert self.library.Mat_VarWrite(file, self.variable(name, value), self.COMPRESSED if compressed else 0) == 0
        self.library.Mat_Close(file)


def write_matlab73(path: Path, hits: Hits, compressed: bool = True) -> Path:
    Matio().write(path, variables(hits), compressed)
    return path


def franka_text(hits: Hits, touch: int = 0, spaces: str = " ") -> str:
    """As franka::logToCSV writes it: the last 50 ms of states, here around a touch. The external torques are those of the force,
    after a filter of 2 ms."""
    titles = ["time", "success_rate"]
    sizes = [("state.q", 7), ("state.q_d", 7), ("state.dq", 7), ("state.dq_d", 7), ("state.tau_J", 7), ("state.tau_ext_hat_filtered", 7),
             ("cmd.q_d", 7), ("cmd.dq_d", 7), ("cmd.O_T_EE_d", 16), ("cmd.O_dP_EE_d", 6), ("cmd.tau_J_d", 7)]
    titles += [f"{name}[{i}]" for name, size in sizes for i in range(size)]
    at, speed, q = hits.touches[touch], hits.speeds[touch], hits.postures[touch]
    dynamics = thud.contact_dynamics(ROBOT, POINT, q)
    row, rate = dynamics.normal_W @ dynamics.J[:3], approach(q, speed)
    times = np.arange(50) * 1e-3 + at - 0.0254
    force = pulse(times - at, speed)
    lines, filtered = [], 0.0
    for t, f in zip(times, force):
        filtered += (f - filtered) * (1 - np.exp(-0.5))
        here = q + rate * min(0, t - at)
        moving = rate if t < at else 0 * rate
        values = [1.0, *here, *here, *moving, *moving, *(0.5 + filtered * row), *(filtered * row), *here, *moving, *np.eye(4).reshape(-1),
                  *np.zeros(6), *np.zeros(7)]
        lines.append(",".join([str(round(1000 * (t + 1e-9))), *(f"{value:.6g}" for value in values)]))
    head = f",{spaces}".join(titles[:9]) + "," + ",".join(titles[9:])
    return head + "\n" + "\n".join(lines) + "\n"


def write_franka(path: Path, hits: Hits) -> Path:
    path.write_text(franka_text(hits))
    return path


def write_lvm(path: Path, hits: Hits, decimal: str = ".") -> Path:
    number = lambda value: f"{value:.6f}".replace(".", decimal)
    lines = ["LabVIEW Measurement\t", "Writer_Version\t2", "Reader_Version\t2", "Separator\tTab", f"Decimal_Separator\t{decimal}",
             "Multi_Headings\tNo", "X_Columns\tOne", "Time_Pref\tRelative", "***End_of_Header***\t", "\t",
             "Channels\t2\t\t", f"Samples\t{len(hits.time)}\t{len(hits.time)}\t", "X_Dimension\tTime\tTime\t", "X0\t0\t0\t",
             f"Delta_X\t{number(1 / RATE)}\t{number(1 / RATE)}\t", "***End_of_Header***\t\t\t", "X_Value\tForce\tTemperature\tComment"]
    lines += [f"{number(t)}\t{number(f)}\t{number(21.5)}" for t, f in zip(hits.time, hits.force[:, 2])]
    path.write_text("\r\n".join(lines) + "\r\n")
    return path


def write_flat(path: Path, hits: Hits) -> Path:
    """The layout of mc_rtc's FlatLog: a count, then whether numeric, name, size and numbers."""
    at_joints = lambda table: np.column_stack([np.interp(hits.time, hits.joint_time, column) for column in table.T])
    columns = {"t": hits.time}
    for name, table in (("qIn", at_joints(hits.q)), ("alphaIn", at_joints(hits.dq)), ("tauIn", at_joints(hits.tau))):
        columns |= {f"{name}_{i}": table[:, i] for i in range(7)}
    columns |= {f"WallSensor_f{axis}": hits.force[:, i] for i, axis in enumerate("xyz")}
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(columns) + 1))
        for name, column in columns.items():
            file.write(struct.pack("<BQ", 1, len(name)) + name.encode() + struct.pack("<Q", len(column)) + column.astype("<f8").tobytes())
        file.write(struct.pack("<BQ", 0, 5) + b"state" + struct.pack("<Q", 1) + struct.pack("<Q", 4) + b"idle")
    return path


WRITERS = {
    "rosbag 1": ("a.bag", write_bag1),
    "rosbag 2, sqlite3": ("a_sqlite", lambda path, hits: write_bag2(path, hits, "SQLITE3")),
    "rosbag 2, mcap": ("a_mcap", lambda path, hits: write_bag2(path, hits, "MCAP")),
    "MCAP": ("a.mcap", write_mcap),
    "MCAP of ROS 1": ("a1.mcap", lambda path, hits: write_mcap(path, hits, 1)),
    "MATLAB": ("a.mat", write_matlab5),
    "MATLAB 7.3": ("a73.mat", write_matlab73),
    "MATLAB 7.3, not compressed": ("a73plain.mat", lambda path, hits: write_matlab73(path, hits, False)),
    "libfranka CSV": ("a.csv", write_franka),
    "LabVIEW measurement": ("a.lvm", write_lvm),
    "mc_rtc flat log": ("a.flat", write_flat),
}
