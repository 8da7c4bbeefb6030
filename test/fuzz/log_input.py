"""Any bytes are a log or a FileError in one line, never another exception; what a log says of itself can be shown, and its
impacts looked for. The first byte chooses the file's suffix.

MATLAB files up to version 7 are left out: SciPy reads them in a process of its own, three a second.
"""

import contextlib
import functools
import os
import tempfile
import unittest.mock
from collections.abc import Callable, Iterator

import rosbags.serde.utils

import thud
from thud.logs import import_log, read_log, trials

SUFFIXES = (".bag", ".mcap", ".mat", ".lvm", ".csv", ".flat")
folder = tempfile.TemporaryDirectory(dir="/dev/shm")
paths = [os.path.join(folder.name, f"log{suffix}") for suffix in SUFFIXES]


@contextlib.contextmanager
def sooner() -> Iterator[tuple[Callable, Callable]]:
    """Half of an input's time goes into what is the same for the next: the robot, and compiling what rosbags writes to read
    a message. Here both are kept; gives the functions that keep them."""
    robot = functools.cache(trials.load_robot)
    compiled = functools.lru_cache(1000)(lambda source: compile(source, "message", "exec"))
    with (unittest.mock.patch.object(trials, "load_robot", robot),
          unittest.mock.patch.object(rosbags.serde.utils, "exec", lambda source, scope: exec(compiled(source), scope), create=True)):
        yield robot, compiled


def matlab(data: bytes) -> bool:
    """Whether SciPy would be asked."""
    return not (data[:10] == b"MATLAB 7.3" or b"\x89HDF\r\n\x1a\n" in (data[:8], data[512:520]))


def takes(data: bytes) -> bool:
    """Whether an input is read and imported."""
    if not data:
        return False
    path, data = paths[data[0] % len(paths)], data[1:]
    if (path.endswith(".mat") or data.startswith(b"MATLAB ")) and matlab(data):
        return False
    with open(path, "wb") as file:
        file.write(data)
    try:
        with read_log(path) as log:
            assert all(topic.count >= 0 for topic in log.topics)
        import_log(path, "panda", "panda_foot", [-1, 0, 0], [0, 0, 0.0223], q=[0, 0.1, 0, -1.5, 0, 3.1708, 0.7854], speed=[0.12])
        return True
    except thud.Error as error:
        assert "\n" not in str(error) and error.rule, error
        return False
