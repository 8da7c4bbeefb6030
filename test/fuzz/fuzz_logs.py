"""Any bytes are a log or a FileError in one line, never another exception; what a log says of itself can be shown, and its
impacts looked for. The first byte chooses the file's suffix. Takes libFuzzer's options (Atheris); the branches counted are
those of thud.logs. The seeds, the folder that is named last, must be read and imported, as target.cpp says.

MATLAB files up to version 7 are left out: SciPy reads them in a process of its own, three a second.
"""

import functools
import os
import pathlib
import sys
import tempfile

import atheris
import rosbags.serde.utils

import thud

with atheris.instrument_imports(include=["thud.logs"]):
    from thud.logs import import_log, read_log, trials

# Half of an input's time went into what is the same for the next: the robot, and compiling what rosbags writes to read a message.
trials.load_robot = functools.cache(trials.load_robot)
compiled = functools.lru_cache(1000)(lambda source: compile(source, "message", "exec"))
rosbags.serde.utils.exec = lambda source, scope: exec(compiled(source), scope)

SUFFIXES = (".bag", ".mcap", ".mat", ".lvm", ".csv", ".flat")
folder = tempfile.TemporaryDirectory(dir="/dev/shm")
paths = [os.path.join(folder.name, f"log{suffix}") for suffix in SUFFIXES]


def matlab(data: bytes) -> bool:
    """Whether SciPy would be asked."""
    return not (data[:10] == b"MATLAB 7.3" or b"\x89HDF\r\n\x1a\n" in (data[:8], data[512:520]))


def takes(data: bytes) -> bool:
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


def one_input(data: bytes) -> None:
    takes(data)


longest = next((int(each[9:]) for each in sys.argv if each.startswith("-max_len=")), 4096)
seeds = pathlib.Path(sys.argv[-1])  # an input that is run again is no folder
if seeds.is_dir() and not any(seeds.iterdir()):
    sys.exit(f"no seeds in {seeds}")
for seed in sorted(seeds.glob("*")):
    if seed.stat().st_size > longest:
        sys.exit(f"seed {seed} is longer than an input may be")
    if not takes(seed.read_bytes()):
        sys.exit(f"seed {seed} is refused")
atheris.Setup(sys.argv, one_input)
atheris.Fuzz()
