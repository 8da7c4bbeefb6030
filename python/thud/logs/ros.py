"""Logs of ROS without ROS: rosbag 1, rosbag 2 (a folder, or its .db3 file) and MCAP, by the packages rosbags and mcap."""

from __future__ import annotations

from math import nan
from pathlib import Path
from typing import Any, Callable, Iterator, Protocol

import numpy as np

from .log import (
    Clock,
    ForceSamples,
    JointSamples,
    Log,
    Topic,
    in_order,
    joint_samples,
    need,
    reading,
    refuse_topic,
)


NANO = 1e9
WRENCHES = ("geometry_msgs/msg/WrenchStamped", "geometry_msgs/msg/Wrench")
FORCES = {  # what can be taken for a force without naming a field, and whether it is without being named
    "geometry_msgs/msg/WrenchStamped": ("wrench.force", True),
    "geometry_msgs/msg/Wrench": ("force", True),
    "geometry_msgs/msg/Vector3Stamped": ("vector", False),
    "geometry_msgs/msg/Vector3": ("", False),
    "std_msgs/msg/Float64": ("data", False),
    "std_msgs/msg/Float32": ("data", False),
}
JOINTS: dict[str, tuple[tuple[str, ...], ...]] = {  # fields: names, position, velocity, torque
    "sensor_msgs/msg/JointState": (("name", "position", "velocity", "effort"),),
    "control_msgs/msg/JointTrajectoryControllerState": (
        ("joint_names", "feedback.positions", "feedback.velocities", "feedback.effort"),
        ("joint_names", "actual.positions", "actual.velocities", "actual.effort"),
    ),
    "franka_msgs/msg/FrankaState": (("", "q", "dq", "tau_J"),),
    "franka_msgs/msg/FrankaRobotState": (
        tuple(f"measured_joint_state.{each}" for each in ("name", "position", "velocity", "effort")),
    ),
}


class Source(Protocol):
    """A file that holds messages."""

    format: str

    def topics(self) -> dict[str, tuple[str, int]]: ...  # type and count by name
    def span(self) -> tuple[int, int]: ...  # receive times of the first and the last message [ns]
    def messages(self, topic: str) -> Iterator[tuple[int, Any]]: ...  # receive time [ns], message
    def close(self) -> None: ...


class Bag:
    """rosbag 1 or 2 by rosbags."""

    def __init__(self, path: Path, version: int) -> None:
        self.format = f"rosbag {version}"
        room = need(path, f"rosbags.rosbag{version}")
        self.types = need(path, "rosbags.typesys")
        stores = self.types.Stores
        self.store = self.types.get_typestore(stores.ROS1_NOETIC if version == 1 else stores.ROS2_HUMBLE)
        self.own: dict[str, Any] = {}  # stores of types that a bag describes itself
        self.decode = "deserialize_ros1" if version == 1 else "deserialize_cdr"
        self.reader = room.Reader(path)
        self.reader.open()

    def topics(self) -> dict[str, tuple[str, int]]:
        found: dict[str, tuple[str, int]] = {}
        for each in self.reader.connections:
            found[each.topic] = (each.msgtype, found.get(each.topic, ("", 0))[1] + each.msgcount)
        return found

    def span(self) -> tuple[int, int]:
        return self.reader.start_time, self.reader.end_time - 1

    def messages(self, topic: str) -> Iterator[tuple[int, Any]]:
        chosen = [each for each in self.reader.connections if each.topic == topic]
        for connection, stamp, raw in self.reader.messages(chosen):
            yield stamp, getattr(self.store_of(connection), self.decode)(raw, connection.msgtype)

    def store_of(self, connection: Any) -> Any:
        """The types of a connection: as the bag describes them, or the usual ones."""
        text = getattr(connection.msgdef, "data", "")
        if connection.msgdef.format.name != "MSG" or not text:
            return self.store
        if connection.msgtype not in self.own:
            store = self.types.get_typestore(self.types.Stores.EMPTY)
            store.register(self.types.get_types_from_msg(text, connection.msgtype))
            self.own[connection.msgtype] = store
        return self.own[connection.msgtype]

    def close(self) -> None:
        self.reader.close()


class Mcap:
    """A bare MCAP file by mcap; messages of ROS 1 and 2."""

    def __init__(self, path: Path) -> None:
        self.format = "MCAP"
        room = need(path, "mcap.reader")
        self.types = need(path, "rosbags.typesys")
        self.stores: dict[int, Any] = {}
        self.known: dict[str, tuple[str, int]] = {}
        self.file = open(path, "rb")
        try:
            self.look(room.make_reader(self.file, validate_crcs=True))
        except BaseException:
            self.file.close()
            raise

    def look(self, reader: Any) -> None:
        """Topics, and when they begin and end: by the summary at the end of the file, or else message by message."""
        self.reader = reader
        summary = self.reader.get_summary()
        if summary is None or summary.statistics is None:
            self.first, self.last = 0, 0
            for schema, channel, message in self.reader.iter_messages():
                self.add(channel.topic, schema, channel.message_encoding, 1)
                self.first = min(self.first or message.log_time, message.log_time)
                self.last = max(self.last, message.log_time)
        else:
            statistics = summary.statistics
            self.first, self.last = statistics.message_start_time, statistics.message_end_time
            for channel in summary.channels.values():
                schema = summary.schemas.get(channel.schema_id)
                counts = statistics.channel_message_counts
                self.add(channel.topic, schema, channel.message_encoding, counts.get(channel.id, 0))

    def add(self, topic: str, schema: Any, encoding: str, count: int) -> None:
        kind = ros_type(schema.name) if schema is not None else "no schema"
        if encoding not in ("cdr", "ros1"):
            kind = f"{kind} in {encoding or 'an encoding that is not said'}"
        self.known[topic] = (kind, self.known.get(topic, ("", 0))[1] + count)

    def topics(self) -> dict[str, tuple[str, int]]:
        return self.known

    def span(self) -> tuple[int, int]:
        return self.first, self.last

    def messages(self, topic: str) -> Iterator[tuple[int, Any]]:
        for schema, channel, message in self.reader.iter_messages(topics=[topic]):
            kind = ros_type(schema.name)
            if schema.id not in self.stores:
                store = self.types.get_typestore(self.types.Stores.EMPTY)
                text = schema.data.decode()
                if schema.encoding == "ros2idl":
                    store.register(self.types.get_types_from_idl(text))
                else:
                    store.register(self.types.get_types_from_msg(text, kind))
                self.stores[schema.id] = store
            decode = "deserialize_ros1" if channel.message_encoding == "ros1" else "deserialize_cdr"
            yield message.log_time, getattr(self.stores[schema.id], decode)(message.data, kind)

    def close(self) -> None:
        self.file.close()


def ros_type(name: str) -> str:
    """geometry_msgs/Wrench as ROS 2 has it: geometry_msgs/msg/Wrench."""
    package, _, kind = name.partition("/")
    return name if "/" in kind or not kind else f"{package}/msg/{kind}"


def field(message: Any, path: str) -> Any:
    for name in filter(None, path.split(".")):
        message = getattr(message, name)
    return message


class RosLog(Log):
    """A log whose topics are those of ROS. A force may be named TOPIC:FIELD, such as /franka_states:O_F_ext_hat_K."""

    def __init__(self, path: Path, open_source: Callable[[], Source], what: str) -> None:
        self.what = what
        with reading(path, what):
            self.source = open_source()
            first, last = self.source.span()
            seconds = max(0.0, (last - first) / NANO)
            known = self.source.topics().items()
            topics = tuple(Topic(name, kind, count, per_second(count, seconds), role_of(kind)) for name, (kind, count) in known)
        empty = not any(topic.count for topic in topics)
        super().__init__(path, self.source.format, topics, nan if empty else seconds, nan if empty else first / NANO)

    def close(self) -> None:
        self.source.close()

    def force(self, name: str) -> ForceSamples:
        topic, where = self.named(name)
        received, stamps, rows, frame = [], [], [], ""
        with reading(self.path, self.what):
            for received_at, message in self.source.messages(topic.name):
                try:
                    value = field(message, where)
                    rows.append(components(value))
                except (AttributeError, TypeError, ValueError):
                    raise refuse_topic("force-topic", topic, f"{where or 'its messages'}: is no force: must be a number, "
                                       "three or six numbers, or a vector with x, y and z") from None
                received.append(received_at)
                header = getattr(message, "header", None)
                stamps.append(stamp_of(header))
                frame = frame or getattr(header, "frame_id", "")
            if rows and len({len(row) for row in rows}) > 1:
                raise refuse_topic("force-topic", topic, "changes its size from message to message")
            time, clock, keep, notes = clock_of(received, stamps)
            force = np.array(rows, float).reshape(len(rows), -1)[keep]
            time, (force,), dropped, more = in_order(time, force)
        return ForceSamples(time / NANO, force, clock, frame, dropped, (*notes, *more))

    def named(self, name: str) -> tuple[Topic, str]:
        """A topic and the field in it that is the force."""
        bare, _, where = name.partition(":")
        topic = self.topic("force-topic", bare)
        if not where and topic.type not in FORCES:
            raise refuse_topic("force-topic", topic, "is no wrench, vector or number; name the field, TOPIC:FIELD")
        return topic, where or FORCES[topic.type][0]

    def joints(self, name: str, wanted: tuple[str, ...] = ()) -> JointSamples:
        topic = self.topic("joint-topic", name)
        if topic.type not in JOINTS:
            raise refuse_topic("joint-topic", topic, f"must be one of {', '.join(JOINTS)}")
        tables: dict[tuple[str, ...], Table] = {}
        with reading(self.path, self.what):
            for received_at, message in self.source.messages(topic.name):
                fields = next(each for each in JOINTS[topic.type] if hasattr(message, each[1].split(".")[0]))
                names = tuple(field(message, fields[0])) if fields[0] else ()
                tables.setdefault(names, Table()).add(
                    received_at, stamp_of(getattr(message, "header", None)), [field(message, each) for each in fields[1:]]
                )
            return self.joined(topic, tables, wanted)

    def joined(self, topic: Topic, tables: dict[tuple[str, ...], Table], wanted: tuple[str, ...]) -> JointSamples:
        """The messages that have all joints: of an arm and its gripper each may publish on one topic."""
        if not tables:
            raise refuse_topic("joint-topic", topic, "has no messages")
        whole = {names: table for names, table in tables.items() if not names or set(wanted) <= set(names)}
        if not whole:
            there = sorted({name for names in tables for name in names})
            missing = [name for name in wanted if name not in there]
            raise refuse_topic(
                "joint-topic", topic, f"has {', '.join(there)}; of the robot's joints "
                + (f"{', '.join(missing)} are not there" if missing else "no message has all")
                + "; --joints says what they are called in the log"
            )
        names = max(whole, key=lambda each: len(whole[each].received))
        table, others = whole[names], sum(len(each.received) for each in tables.values()) - len(whole[names].received)
        time, clock, keep, notes = clock_of(table.received, table.stamps)
        signals = []
        for rows in table.rows:
            widths = {len(row) for row in rows}
            size = widths.pop() if len(widths) == 1 else 0
            full = size > 0 and (not names or size == len(names))
            signals.append(np.array(rows, float)[keep] if full else np.empty((0, 0)))
        if not signals[0].size:
            raise refuse_topic("joint-topic", topic, "has no positions, or not one for each name")
        if others:
            notes.append(f"{others} messages of other joints on the topic are left out")
        return joint_samples(topic, time / NANO, dict(zip(("position", "velocity", "torque"), signals)), clock, names, wanted, notes)


class Table:
    """Rows of joint messages that have the same names."""

    def __init__(self) -> None:
        self.received: list[int] = []
        self.stamps: list[int | None] = []
        self.rows: tuple[list[Any], list[Any], list[Any]] = ([], [], [])

    def add(self, received: int, stamp: int | None, values: list[Any]) -> None:
        self.received.append(received)
        self.stamps.append(stamp)
        for rows, value in zip(self.rows, values):
            rows.append(np.asarray(value, float))


def role_of(kind: str) -> str:
    if kind in FORCES and FORCES[kind][1]:
        return "force"
    return "joints" if kind in JOINTS else ""


def per_second(count: int, seconds: float) -> float:
    return (count - 1) / seconds if count > 1 and seconds > 0 else nan


def components(value: Any) -> list[float]:
    """Of a force: one or three numbers."""
    if hasattr(value, "force"):
        value = value.force
    if hasattr(value, "wrench"):
        value = value.wrench.force
    if hasattr(value, "x"):
        return [value.x, value.y, value.z]
    numbers = np.asarray(value, float).reshape(-1)
    if len(numbers) not in (1, 3, 6):
        raise ValueError
    return [float(number) for number in numbers[:3]]


def stamp_of(header: Any) -> int | None:
    """Of a message, where it has one that was set [ns]."""
    if header is None:
        return None
    return int(header.stamp.sec) * 1_000_000_000 + int(header.stamp.nanosec) or None


def clock_of(received: list[int], stamps: list[int | None]) -> tuple[Any, Clock, Any, list[str]]:
    """Times [ns] since the first, by header stamps unless most are missing or repeat; which messages have one."""
    there = np.array([stamp is not None for stamp in stamps], bool)
    arrived = np.array(received, np.int64)
    notes = []
    if there.any():
        stamped = np.array([stamp for stamp in stamps if stamp is not None], np.int64)
        if len(np.unique(stamped)) > len(stamps) / 2:
            if lost := int(len(there) - there.sum()):
                notes.append(f"{lost} messages without a stamp are left out")
            zero = int(stamped.min())
            return stamped - zero, Clock("header stamp", zero, int((arrived[there] - stamped).min())), there, notes
        notes.append("header stamps are missing or repeat: receive times are used")
    zero = int(arrived.min()) if len(arrived) else 0
    return arrived - zero, Clock("receive time", zero), np.ones(len(arrived), bool), notes


def open_bag(path: Path, version: int) -> Log:
    what = f"rosbag {version}"
    return RosLog(path, lambda: Bag(path, version), what)


def open_mcap(path: Path) -> Log:
    return RosLog(path, lambda: Mcap(path), "MCAP")
