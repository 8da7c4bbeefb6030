"""Logs that are arrays with names: what MATLAB saved, libfranka's CSV, LabVIEW's .lvm, mc_rtc's .flat.

A topic is an array, samples by columns. Which one is a force, a time or a joint signal is told by its name, in any case and
without what stands before the last dot.
"""

from __future__ import annotations

import re
import struct
from collections import defaultdict
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import hdf5, matlab5
from .log import Array, Clock, ForceSamples, JointSamples, Log, Topic, in_order, joint_samples, need, rate_of, reading, refuse_topic
from .. import FileError

TIMES = ("t", "time", "times", "timestamp", "timestamps", "stamp", "tout", "x_value", "secs", "seconds")
FORCES = ("f", "force", "forces", "fx", "fy", "fz", "fn", "normal_force", "contact_force", "wrench", "wrenches", "ft", "f_ext",
          "force_torque", "forcetorque", "fx,fy,fz", "ft_sensor", "loadcell", "load_cell")
POSITIONS = ("q", "qpos", "position", "positions", "joint_position", "joint_positions", "joint_pos", "qin", "q_meas")
VELOCITIES = ("dq", "qd", "qdot", "qvel", "velocity", "velocities", "joint_velocity", "joint_velocities", "joint_vel", "alphain",
              "dq_meas")
TORQUES = ("tau", "tau_j", "torque", "torques", "effort", "efforts", "joint_torque", "joint_torques", "tauin")
EXTERNAL = ("tau_ext_hat_filtered", "tau_ext")
NAMES = ("name", "names", "joint_names", "joint_name", "joints")
MOST_BYTES = 1 << 30  # of a file


def leaf(name: str) -> str:
    """The last part of a name, without its unit: state.q is q, time_ms is time."""
    last = name.rpartition(".")[2].strip().lower()
    bare = re.split(r"[\[(/]", last, maxsplit=1)[0]
    return bare.rstrip() if bare != last else re.sub(r"_(s|ms|us|ns|n|nm)$", "", last)


def folder(name: str) -> str:
    return name.rpartition(".")[0]


class ArrayLog(Log):
    """Arrays by name (n x k), texts by name. `time_unit` is that of times whose names do not say it [s]."""

    def __init__(self, path: Path, form: str, arrays: dict[str, Array], texts: dict[str, tuple[str, ...]] = {},
                 time_unit: float = 1, notes: tuple[str, ...] = ()) -> None:
        self.arrays, self.texts, self.time_unit = arrays, texts, time_unit
        self.told: float | None = None  # unit of all times, whatever they are called [s]
        self.columns: dict[tuple[str, str, int], tuple[int, str]] = {}  # place and name of the first by folder, leaf and length
        for i, (name, array) in enumerate(arrays.items()):
            if array.shape[1:] == (1,):
                self.columns.setdefault((folder(name), leaf(name), len(array)), (i, name))
        topics, longest, known = [], nan, dict[str, tuple[float, float]]()
        for name, array in arrays.items():
            role = "" if leaf(name) in TIMES else self.role_of(name)
            time = self.time_of(name)
            if time and time not in known:
                known[time] = self.pace(time)
            rate, long = known.get(time, (nan, nan))
            if role and len(array) > 1 and (isnan(longest) or long > longest):
                longest = long
            topics.append(Topic(name, "x".join(map(str, array.shape)), len(array), rate, role))
        super().__init__(path, form, tuple(topics), longest, notes=notes)

    def role_of(self, name: str) -> str:
        array = self.arrays[name]
        if len(array) < 2:
            return ""
        if is_force(name) and array.shape[1] in (1, 3, 6):
            return "force"
        return "joints" if leaf(name) in POSITIONS else ""

    def time_of(self, name: str) -> str:
        """The times of an array: as long, and named after it, or beside it, or at the top; the empty text without one."""
        last, at, long = leaf(name), folder(name), len(self.arrays[name])
        near = self.first(at, (f"{last}_time", f"{last}_t", f"time_{last}", f"t_{last}", f"{last}time", f"t{last}"), long)
        while not near:
            near = self.first(at, TIMES, long)
            if not at:
                break
            at = folder(at)
        return near

    def first(self, at: str, leaves: tuple[str, ...], long: int) -> str:
        """The first column of a folder with one of these names and that length; the empty text without one."""
        return min((self.columns[at, each, long] for each in leaves if (at, each, long) in self.columns), default=(0, ""))[1]

    def seconds(self, name: str) -> Array:
        unit = re.search(r"(?:_|\[|\(|/)\s*(s|ms|us|ns)\s*[\])]?$", name.strip().lower())
        factor = {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[unit[1]] if unit else self.time_unit
        factor = factor if self.told is None else self.told
        return np.asarray(self.arrays[name][:, 0] * factor, float)

    def pace(self, name: str) -> tuple[float, float]:
        """Of times: samples per second and how long they last."""
        moments = self.seconds(name)
        return rate_of(moments), float(moments[-1] - moments[0]) if len(moments) else nan

    def times(self, option: str, topic: Topic) -> tuple[Array, Clock]:
        name = self.time_of(topic.name)
        if not name:
            raise refuse_topic(option, topic, f"has no times: needs one of {topic.count} numbers called time or t beside it")
        moments = self.seconds(name)
        finite = moments[np.isfinite(moments)]
        # Times since the epoch keep their digits if they count from the first.
        zero = int(finite.min()) if len(finite) and finite.min() > 1e6 else 0
        return moments - zero, Clock(name, zero * 1_000_000_000)

    def force(self, name: str) -> ForceSamples:
        topic = self.topic("force-topic", name)
        array = self.arrays[name]
        if array.shape[1] not in (1, 3, 6):
            raise refuse_topic("force-topic", topic, "is no force: must have 1, 3 or 6 columns")
        with reading(self.path, self.format):
            time, clock = self.times("force-topic", topic)
            time, (force,), dropped, notes = in_order(time, array[:, :3])
        return ForceSamples(time, force, clock, "", dropped, tuple(notes))

    def joints(self, name: str, wanted: tuple[str, ...] = ()) -> JointSamples:
        topic = self.topic("joint-topic", name)
        position = self.arrays[name]
        names = next((texts for each, texts in self.texts.items() if leaf(each) in NAMES and len(texts) == position.shape[1]), ())
        if names and not set(wanted) <= set(names):
            raise refuse_topic("joint-topic", topic, f"is of {', '.join(names)}; --joints says what the robot's joints are called in the log")
        with reading(self.path, self.format):
            time, clock = self.times("joint-topic", topic)
            beside = {"velocity": VELOCITIES, "torque": TORQUES, "external_torque": EXTERNAL}
            signals = {"position": position, **{kind: self.beside(name, called) for kind, called in beside.items()}}
            return joint_samples(topic, time, signals, clock, names, wanted)

    def beside(self, position: str, kinds: tuple[str, ...]) -> Array:
        for each, array in self.arrays.items():
            if folder(each) == folder(position) and leaf(each) in kinds and array.shape == self.arrays[position].shape:
                return array
        return np.empty((0, 0))


def is_force(name: str) -> bool:
    last = leaf(name)
    return last in FORCES or last.endswith(("_force", "_wrench", "forcesensor", "force sensor", " force"))


def grouped(columns: dict[str, Array]) -> dict[str, Array]:
    """Columns NAME[0], NAME[1] … or NAME_0, NAME_1 … as one array, and NAME_fx, NAME_fy, NAME_fz as NAME_force."""
    parts: dict[str, dict[int, Array]] = {}
    for name, column in columns.items():
        if match := re.fullmatch(r"(.+?)(?:\[(\d{1,4})\]|_(\d{1,4}))", name):
            parts.setdefault(match[1], {})[int(match[2] or match[3])] = column
        elif match := re.fullmatch(r"(.+)_f([xyz])", name):
            parts.setdefault(f"{match[1]}_force", {})["xyz".index(match[2])] = column
        else:
            parts.setdefault(name, {})[0] = column
    found = {}
    for name, group in parts.items():
        if sorted(group) == list(range(len(group))):
            found[name] = np.column_stack([group[i] for i in range(len(group))])
        else:
            found.update({f"{name}_{i}": column.reshape(-1, 1) for i, column in group.items()})
    return found


def with_axes(arrays: dict[str, Array]) -> dict[str, Array]:
    """Columns fx, fy and fz that stand together as one force of three axes, called "fx,fy,fz"."""
    found, columns = dict(arrays), defaultdict[tuple[str, str], list[str]](list)
    for name in arrays:
        columns[folder(name), leaf(name)].append(name)
    for name in arrays:
        if leaf(name) == "fx":
            three = [each for axis in "xyz" for each in columns[folder(name), f"f{axis}"]]
            alone = all(len(columns[folder(name), f"f{axis}"]) == 1 for axis in "xyz")
            if alone and {arrays[each].shape for each in three} == {(len(arrays[name]), 1)}:
                at = f"{folder(name)}." if folder(name) else ""
                found[f"{at}fx,fy,fz"] = np.hstack([found.pop(each) for each in three])
    return found


def file_bytes(path: Path) -> bytes:
    if path.stat().st_size > MOST_BYTES:
        raise FileError(str(path), f"{path.stat().st_size} bytes", f"more than {MOST_BYTES} are not read")
    return path.read_bytes()


# MATLAB


def open_matlab(path: Path) -> Log:
    """A .mat file up to version 7 by SciPy in another process, of version 7.3 as HDF5."""
    with reading(path, "a MATLAB file"):
        data = file_bytes(path)
        arrays: dict[str, Array] = {}
        texts: dict[str, tuple[str, ...]] = {}
        notes: list[str] = []
        if data[:10] == b"MATLAB 7.3" or hdf5.SIGNATURE in (data[:8], data[512:520]):
            form = "MATLAB 7.3"
            try:
                walk_hdf5(hdf5.File(data), arrays, texts, notes)
            except hdf5.Unreadable as error:
                raise FileError(str(path), f"cannot be read as {form}", str(error)) from None
        else:
            form = "MATLAB"
            need(path, "scipy")
            found, texts, notes = matlab5.variables(path)
            for name, value in found.items():
                add_array(name, value, arrays, notes)
        return ArrayLog(path, form, with_axes(arrays), texts, notes=tuple(notes))


def add_array(name: str, values: NDArray[Any], arrays: dict[str, Array], notes: list[str]) -> None:
    """An array as samples by columns: MATLAB's rows, or its columns where there are fewer rows than columns."""
    if values.ndim != 2 or 0 in values.shape or values.dtype.kind not in "fiub":
        if values.size:
            notes.append(f"{name}: is left out: no matrix of real numbers")
        return
    tall = values if values.shape[0] >= values.shape[1] else values.T
    arrays[name] = np.ascontiguousarray(tall, float)


def walk_hdf5(file: hdf5.File, arrays: dict[str, Array], texts: dict[str, tuple[str, ...]], notes: list[str]) -> None:
    def text_of(address: int) -> str:
        return "".join(chr(code) for code in file.array(file.node(address)).reshape(-1) if code < 0x110000)

    def walk(name: str, address: int, depth: int) -> None:
        node = file.node(address)
        kind = node.attributes.get("MATLAB_class", "")
        if node.group:
            if depth <= 8:
                for part, child in node.links.items():
                    walk(f"{name}.{part}" if name else part, child, depth + 1)
        elif "MATLAB_empty" in node.attributes or node.shape is None or not node.type:
            return
        elif kind == "cell":
            entries = [int(each) for each in file.array(node).reshape(-1)]
            if all(file.node(each).attributes.get("MATLAB_class") == "char" for each in entries[:100]):
                texts[name] = tuple(text_of(each) for each in entries[:100])
            else:
                notes.append(f"{name}: is left out: a cell array of {len(entries)}")
        elif kind == "char":
            texts[name] = (text_of(address),)
        elif node.type[0] & 15 not in (0, 1):
            notes.append(f"{name}: is left out: an object of MATLAB, such as a timeseries or a table; save it as arrays")
        else:
            add_array(name, file.array(node).T, arrays, notes)

    for name, address in file.node(file.root).links.items():
        if not name.startswith("#"):
            walk(name, address, 0)


# Tables of text


def open_franka(path: Path) -> Log:
    """franka::logToCSV: the states and commands before a control exception. Times are milliseconds."""
    with reading(path, "a log of libfranka"):
        lines = file_bytes(path).decode("utf-8", "strict").splitlines()
        titles = [cell.strip() for cell in lines[0].split(",")]
        if len(set(titles)) < len(titles):
            raise FileError(f"{path}:1", "a title twice", "columns must have different names")
        table = []
        for number, line in enumerate(lines[1:], 2):
            if not line.strip():
                continue
            cells = line.split(",")
            if len(cells) != len(titles):
                raise FileError(f"{path}:{number}", f"{len(cells)} cells", f"the header has {len(titles)}")
            try:
                table.append([float(cell) for cell in cells])
            except ValueError:
                bad = next(cell for cell in cells if not is_number(cell))
                raise FileError(f"{path}:{number}", bad.strip()[:40] or "an empty cell", "must be a number") from None
        values = np.array(table, float).reshape(len(table), len(titles))
        return ArrayLog(path, "libfranka CSV", grouped(dict(zip(titles, values.T))), time_unit=1e-3)


def is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def open_lvm(path: Path) -> Log:
    """LabVIEW's .lvm: headers, then a table per segment; the first segment is read."""
    with reading(path, "a LabVIEW measurement"):
        lines = file_bytes(path).decode("utf-8", "replace").splitlines()
        mark = "***End_of_Header***"
        header = dict(line.split("\t", 1) for line in lines[: lines_to(lines, mark, 0)] if "\t" in line)
        separator = "," if header.get("Separator", "Tab").strip().lower().startswith("comma") else "\t"
        decimal = "," if header.get("Decimal_Separator", ".").strip() == "," else "."
        at = lines_to(lines, mark, 0) + 1
        end = next((i for i in range(at, len(lines)) if lines[i].startswith(mark)), None)
        segment = {}
        if end is not None:
            for line in lines[at:end]:
                key, *cells = line.split(separator)
                segment[key.strip()] = [cell.strip() for cell in cells]
            at = end + 1
        while at < len(lines) and not lines[at].strip():
            at += 1
        if at >= len(lines):
            raise FileError(str(path), "no table after its header", "a LabVIEW measurement has one")
        titles = [cell.strip() for cell in lines[at].split(separator)]
        notes, rows = [], []
        for i in range(at + 1, len(lines)):
            cells = lines[i].split(separator)
            if not lines[i].strip() or cells[0].strip() in ("Channels", mark):
                rest = sum(line.startswith("Channels") for line in lines[i:])
                if rest:
                    notes.append(f"{rest} more segments of the file are left out")
                break
            rows.append([number(cell, decimal) for cell in cells[: len(titles)]] + [nan] * (len(titles) - len(cells)))
        promised = [int(cell) for cell in segment.get("Samples", []) if cell.isdigit()]
        if promised and len(rows) < max(promised):
            raise FileError(str(path), f"{len(rows)} rows", f"its header promises {max(promised)} samples: the file is truncated")
        table = np.array(rows, float).reshape(len(rows), len(titles))
        columns = {title: table[:, i] for i, title in enumerate(titles) if title and title != "Comment"}
        steps = segment.get("Delta_X", [])
        if "X_Value" in columns and not np.isfinite(columns["X_Value"]).any() and steps:
            start = number(segment.get("X0", ["0"])[0], decimal)
            columns["X_Value"] = start + number(steps[0], decimal) * np.arange(len(table))
        arrays = {name: column.reshape(-1, 1) for name, column in columns.items()}
        return ArrayLog(path, "LabVIEW measurement", with_axes(arrays), notes=tuple(notes))


def lines_to(lines: list[str], mark: str, start: int) -> int:
    for i in range(start, len(lines)):
        if lines[i].startswith(mark):
            return i
    raise ValueError(f"no {mark}")


def number(cell: str, decimal: str) -> float:
    try:
        return float(cell.replace(decimal, "."))
    except ValueError:
        return nan


# mc_rtc


def open_flat(path: Path) -> Log:
    """mc_rtc's .flat: a count; for each entry whether it has numbers, its name, its size, its numbers or texts."""
    with reading(path, "a flat log of mc_rtc"):
        data = file_bytes(path)
        columns, at = {}, 8
        (count,) = struct.unpack_from("<Q", data)
        if count > len(data):
            raise ValueError("more entries than bytes")
        for _ in range(count):
            numeric, length = struct.unpack_from("<BQ", data, at)
            name = taken(data, at + 9, length).decode("utf-8")
            at += 9 + length
            (size,) = struct.unpack_from("<Q", data, at)
            at += 8
            if numeric:
                columns[name] = np.frombuffer(taken(data, at, 8 * size), "<f8").astype(float)
                at += 8 * size
            else:
                for _ in range(size):
                    (length,) = struct.unpack_from("<Q", data, at)
                    taken(data, at + 8, length)
                    at += 8 + length
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise ValueError("entries of different lengths")
        return ArrayLog(path, "mc_rtc flat log", grouped(columns))


def taken(data: bytes, at: int, size: int) -> bytes:
    if at + size > len(data):
        raise ValueError("the file ends in an entry")
    return data[at : at + size]


