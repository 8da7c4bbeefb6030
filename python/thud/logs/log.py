"""A log of any format: which topics it has, and the samples of those that are forces or joints."""

from __future__ import annotations

import importlib
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from typing import Any, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .. import FileError, InputError

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Topic:
    """A topic of a bag, a variable or a column of a table."""

    name: str
    type: str  # of the messages; size and class of a variable
    count: int  # messages, or samples
    rate: float = nan  # [Hz]; NaN: not known
    role: str = ""  # "force" or "joints": what it can be taken for without being named; "" for others


@dataclass(frozen=True)
class Clock:
    """What the times of samples are."""

    name: str  # "header stamp", "receive time", or the name of a variable
    zero: int = 0  # time 0 of the samples on this clock                        [ns]
    delay: int = 0  # least time from the stamp to the recorder                 [ns]


@dataclass(frozen=True)
class ForceSamples:
    """A force over time as the sensor gave it."""

    time: Array  # strictly increasing, from clock.zero                         [s]  (n)
    force: Array  # along the axes of `frame`, or along the only axis           [N]  (n x 3 or n x 1)
    clock: Clock
    frame: str = ""  # of the axes; "": not said
    dropped: int = 0  # samples left out because a number was missing           [1]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class JointSamples:
    """Joint signals over time, a column per joint. A signal that was not measured is empty."""

    time: Array  # strictly increasing, from clock.zero                         [s]             (n)
    position: Array  #                                                          [rad or m]      (n x joints)
    velocity: Array  #                                                          [rad/s or m/s]  (n x joints)
    torque: Array  #                                                            [N m or N]      (n x joints)
    clock: Clock
    names: tuple[str, ...] = ()  # of the columns; empty: not said
    others: tuple[str, ...] = ()  # names that the log has beside those that were wanted
    external_torque: Array = field(default_factory=lambda: np.empty((0, 0)))  # as the robot estimates it [N m]
    dropped: int = 0
    notes: tuple[str, ...] = ()


@dataclass
class Log:
    """What a log has. `force` and `joints` read a topic."""

    path: Path
    format: str
    topics: tuple[Topic, ...] = ()
    duration: float = nan  # [s]
    start: float = nan  # since the epoch; NaN: not said                        [s]
    notes: tuple[str, ...] = ()

    def force(self, name: str) -> ForceSamples:
        """The samples of a force. Raises FileError, and InputError for a topic that is none."""
        raise NotImplementedError

    def joints(self, name: str, wanted: tuple[str, ...] = ()) -> JointSamples:
        """The samples of the joints called `wanted`, in that order; of all without it, or where the log has no names. Raises like
        `force`."""
        raise NotImplementedError

    def topic(self, option: str, name: str) -> Topic:
        for each in self.topics:
            if each.name == name:
                return each
        there = ", ".join(each.name for each in self.topics[:20])
        raise InputError(option, name, f"the log has {there or 'no topics'}")

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes what is open."""


@contextmanager
def reading(path: Path, what: str) -> Iterator[None]:
    """Turns whatever a reader of files says about damaged bytes into a FileError of one line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (FileError, InputError):
        raise
    except OSError as error:
        raise FileError(str(path), f"cannot be read as {what}", error.strerror or first_line(error)) from None
    except Exception as error:  # readers of other people raise anything on what they do not expect
        raise FileError(str(path), f"cannot be read as {what}", first_line(error)) from None


def first_line(error: Exception) -> str:
    if isinstance(error, MemoryError):
        return "it claims more memory than there is"
    lines = " ".join(str(error).split())
    return f"damaged, or not that format ({lines[:200] or type(error).__name__})"


def need(path: Path, package: str) -> Any:
    """A module that reading this file needs. Raises FileError saying how to get it."""
    try:
        return importlib.import_module(package)
    except ImportError:
        name = package.split(".")[0]
        raise FileError(str(path), f"needs the Python package {name}", "pip install 'thud[logs]'") from None


def in_order(time: NDArray[Any], *signals: Array) -> tuple[NDArray[Any], list[Array], int, list[str]]:
    """Samples with finite numbers at times that increase: sorted, without repeated times; how many had a missing
    number, and notes on the others. An empty signal stays empty."""
    notes = []
    good = np.isfinite(np.asarray(time, float))
    for signal in signals:
        if signal.size:
            good &= np.isfinite(signal).all(axis=1)
    time, kept = time[good], [signal[good] if signal.size else signal for signal in signals]
    dropped = int(len(good) - good.sum())
    steps = np.diff(time)
    if late := int((steps < 0).sum()):
        notes.append(f"{late} samples are out of order, and are sorted")
        order = np.argsort(time, kind="stable")
        time, kept = time[order], [signal[order] if signal.size else signal for signal in kept]
        steps = np.diff(time)
    first = np.concatenate([[True], steps > 0]) if len(time) else np.zeros(0, bool)
    if twice := int(len(first) - first.sum()):
        notes.append(f"{twice} samples repeat the time of another, and are left out")
        time, kept = time[first], [signal[first] if signal.size else signal for signal in kept]
    return time, kept, dropped, notes


def joint_samples(topic: Topic, time: NDArray[Any], signals: dict[str, Array], clock: Clock, names: tuple[str, ...],
                  wanted: tuple[str, ...], notes: Sequence[str] = ()) -> JointSamples:
    """The columns of the joints that are wanted, at times that increase. `time` is in seconds, `signals` are position, velocity,
    torque and perhaps external_torque. Drivers publish NaN for what they do not measure: a signal of which a column never has a
    number was not measured. Raises InputError if that is the position, or if no sample is left."""
    said = list(notes)
    kept = names
    if names and wanted:
        order = [names.index(name) for name in wanted]
        signals = {kind: signal[:, order] if signal.size else signal for kind, signal in signals.items()}
        kept = wanted
    for kind, signal in signals.items():
        never = np.flatnonzero(~np.isfinite(signal).any(axis=0))
        if not signal.size or not len(never):
            continue
        which = "all joints" if len(never) == signal.shape[1] else ", ".join(kept[i] if kept else f"column {i + 1}" for i in never)
        if kind == "position":
            raise refuse_topic("joint-topic", topic, f"the position of {which} is never a finite number")
        said.append(f"the {kind.replace('_', ' ')} of {which} is never a number: it counts as not measured, of any joint")
        signals = {**signals, kind: np.empty((0, 0))}
    time, found, dropped, more = in_order(time, *signals.values())
    if not len(time):
        raise refuse_topic("joint-topic", topic, "has no sample of which all numbers are finite")
    return JointSamples(time=time, clock=clock, names=kept, others=tuple(name for name in names if name not in kept), dropped=dropped,
                        notes=(*said, *more), **dict(zip(signals, found)))


def rate_of(time: Array) -> float:
    """Samples per second, by the median step [Hz]."""
    return 1 / float(np.median(np.diff(time))) if len(time) > 1 else nan


def refuse_topic(option: str, topic: Topic, rule: str) -> InputError:
    return InputError(option, f"{topic.name} ({topic.type})", rule)
