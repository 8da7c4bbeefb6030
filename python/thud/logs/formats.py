"""Which format a log has: by its first bytes, and by its name where these do not tell."""

from __future__ import annotations

from pathlib import Path

from .. import FileError
from . import arrays, ros
from .log import Log, reading

KNOWN = "a rosbag 1 (.bag), a rosbag 2 (folder with metadata.yaml, .db3), MCAP, MATLAB (.mat), libfranka's CSV, LabVIEW's .lvm, mc_rtc's .flat"


def read_log(path: str | Path) -> Log:
    """Opens a log of any format that this page knows. Use it in a `with` statement: a bag stays open to be read.

    Raises FileError for a file that cannot be read, is damaged, or needs a package that is not installed."""
    place = Path(path)
    with reading(place, "a log"):
        if place.is_dir():
            if (place / "metadata.yaml").exists():
                return ros.open_bag(place, 2)
            raise FileError(str(path), "is a folder without metadata.yaml", f"a log is {KNOWN}")
        with open(place, "rb") as file:
            head = file.read(520)
        suffix = place.suffix.lower()
        if head.startswith(b"#ROSBAG V2.0"):
            return ros.open_bag(place, 1)
        if head.startswith(b"SQLite format 3\0"):
            return ros.open_bag(place, 2)
        if head.startswith(b"\x89MCAP0\r\n"):
            return ros.open_mcap(place)
        if head.startswith(b"MATLAB ") or suffix == ".mat":
            return arrays.open_matlab(place)
        if head.startswith(b"LabVIEW Measurement"):
            return arrays.open_lvm(place)
        if head.replace(b" ", b"").startswith(b"time,success_rate,"):
            return arrays.open_franka(place)
        if suffix == ".flat":
            return arrays.open_flat(place)
        said = {".bag": "a rosbag", ".db3": "a rosbag 2", ".mcap": "MCAP", ".lvm": "a LabVIEW measurement"}.get(suffix)
        raise FileError(str(path), f"is not {said}" if said else "is no log", f"a log is {KNOWN}, and begins like one")
