"""Any bytes are a log or a FileError in one line, never another exception; what a log says of itself can be shown, and its
impacts looked for. The first byte chooses the file's suffix.

MATLAB files up to version 7 are left out: SciPy reads them in a process of its own, three a second. What would be one is
given to the reader of version 7.3.
"""

import contextlib
import functools
import os
import tempfile
import unittest.mock
from collections.abc import Callable, Iterator
from pathlib import Path

import rosbags.serde.utils
import rosbags.typesys

import thud
from thud.logs import Log, import_log, read_log, trials

SUFFIXES = (".bag", ".mcap", ".mat", ".lvm", ".csv", ".flat")
folder = tempfile.TemporaryDirectory(dir="/dev/shm")
paths = [os.path.join(folder.name, f"log{suffix}") for suffix in SUFFIXES]


class Types(dict):
    """Message types, which can be a key: their text and name."""

    def __init__(self, parse: Callable, text: str, name: str) -> None:
        super().__init__(parse(text, name))
        self.key = parse.__name__, text, name

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Types) and self.key == other.key


def read(path: str | Path) -> Log:
    """What import_log reads, a log that says of itself what it has."""
    log = read_log(path)
    assert all(topic.count >= 0 for topic in log.topics)
    return log


@contextlib.contextmanager
def sooner() -> Iterator[list[Callable]]:
    """Most of an input's time goes into what is the same for the next: the robot, the version, and what rosbags reads and
    writes to read a message. Here they are kept; gives the functions that keep them."""
    keep = functools.lru_cache(300)
    room, store = rosbags.typesys, rosbags.typesys.store.Typestore
    make, register = room.get_typestore, store.register
    robot, text, version, base = keep(trials.load_robot), keep(trials.urdf_text), keep(trials.version), keep(make)
    compiled = keep(lambda source: compile(source, "message", "exec"))
    from_msg, from_idl = (keep(functools.partial(Types, parse)) for parse in (room.get_types_from_msg, room.get_types_from_idl))

    @keep
    def registered(types: Types) -> dict:
        made = make(room.Stores.EMPTY)
        register(made, types)
        return made.__dict__

    empty = room.Stores.EMPTY
    with contextlib.ExitStack() as patches:
        for place, name, kept in (
            (trials, "read_log", read), (trials, "load_robot", robot), (trials, "urdf_text", text), (trials, "version", version),
            (room, "get_typestore", lambda which: make(which) if which == empty else base(which)),
            (room, "get_types_from_msg", from_msg), (room, "get_types_from_idl", from_idl),
            (store, "register", lambda made, types: made.__dict__.update(registered(types))),
        ):
            patches.enter_context(unittest.mock.patch.object(place, name, kept))
        patches.enter_context(
            unittest.mock.patch.object(rosbags.serde.utils, "exec", lambda source, scope: exec(compiled(source), scope), create=True))
        yield [robot, text, version, base, compiled, from_msg, registered]


def takes(data: bytes) -> bool:
    """Whether an input is read and imported."""
    if not data:
        return False
    path, data = paths[data[0] % len(paths)], data[1:]
    matlab5 = (path.endswith(".mat") or data.startswith(b"MATLAB ")) and not data.startswith(b"MATLAB 7.3")
    if matlab5 and b"\x89HDF\r\n\x1a\n" not in (data[:8], data[512:520]):
        data = b"MATLAB 7.3" + data[10:]
    with open(path, "wb") as file:
        file.write(data)
    try:
        import_log(path, "panda", "panda_foot", [-1, 0, 0], [0, 0, 0.0223], q=[0, 0.1, 0, -1.5, 0, 3.1708, 0.7854], speed=[0.12])
        return True
    except thud.Error as error:
        assert "\n" not in str(error) and error.rule, error
        return False
