"""What a worker of the cluster runs. Its work comes with the task: it reads no file but those of thud itself."""

from __future__ import annotations

import functools
import hashlib
import pickle
from pathlib import Path
from typing import Sequence

import thud

Identity = tuple[str, str]


@functools.cache
def identity() -> Identity:
    """Version, and SHA-256 of all that a row comes from: the files of this package, its libraries, which may lie beside it,
    and MuJoCo's, as they are loaded."""
    package = Path(thud.__file__).parent
    files = {path.resolve() for path in package.rglob("*") if path.suffix == ".py" or ".so" in path.suffixes}
    with open("/proc/self/maps") as maps:
        files |= {Path(line.split(maxsplit=5)[5].strip()).resolve() for line in maps if "/libmujoco" in line or "/libthud" in line}
    parts = sorted(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest() for path in files)
    return thud.__version__, hashlib.sha256(b"".join(parts)).hexdigest()


class OtherVersion(Exception):
    """A worker whose thud is not that of the collector: its address, its version, its digest."""


def require(expected: Identity) -> None:
    if identity() != expected:
        from distributed import get_worker

        raise OtherVersion(get_worker().address, *identity())


def row_of(expected: Identity, task: bytes) -> bytes:
    """The row of a SweepTask."""
    require(expected)
    return pickle.dumps(thud.sweep_row(pickle.loads(task)), pickle.HIGHEST_PROTOCOL)


def trials_of(expected: Identity, campaign: bytes, indices: Sequence[int]) -> bytes:
    """Trials of a campaign, each with its truth."""
    require(expected)
    content = pickle.loads(campaign)
    made = (thud.simulate_trial(content, index) for index in indices)
    return pickle.dumps([(each.trial, each.run.truth) for each in made], pickle.HIGHEST_PROTOCOL)
