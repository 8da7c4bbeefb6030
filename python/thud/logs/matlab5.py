"""python matlab5.py FILE: the variables of a MATLAB file up to version 7, to standard output.

SciPy does not survive every damaged file. Its process ends then, and that of who asked for the file does not: `variables` starts one.
Written are a line of JSON (names of the arrays, texts, notes), then the arrays one after the other as NumPy saves them.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

LONGEST = 300  # until a file is given up; one of 280 MB takes 4                                [s]


def variables(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, tuple[str, ...]], list[str]]:
    """Arrays and texts by name, notes on what is left out. Raises ValueError or MemoryError for what SciPy cannot read."""
    with tempfile.TemporaryFile() as found:
        try:
            done = subprocess.run([sys.executable, "-P", "-W", "ignore", __file__, str(path.absolute())], stdin=subprocess.DEVNULL,
                                  stdout=found, stderr=subprocess.PIPE, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            raise ValueError(f"SciPy has not read it within {LONGEST} s") from None
        if done.returncode < 0:
            raise ValueError(f"SciPy crashes on it, signal {-done.returncode}")
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines() or [f"SciPy ends with {done.returncode}"]
            raise MemoryError if "MemoryError" in said[-1] else ValueError(said[-1])
        found.seek(0)
        told = json.loads(found.readline())
        arrays = {name: np.load(found, allow_pickle=False) for name in told["names"]}
    return arrays, {name: tuple(words) for name, words in told["texts"].items()}, told["notes"]


class Walk:
    """What is in the values that SciPy gives."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        self.texts: dict[str, list[str]] = {}
        self.notes: list[str] = []
        for name, value in values.items():
            if not name.startswith("__"):
                self.take(name, value, 0)

    def take(self, name: str, value: Any, depth: int) -> None:
        if depth > 8:
            return
        if hasattr(value, "_fieldnames"):
            for part in value._fieldnames:
                self.take(f"{name}.{part}", getattr(value, part), depth + 1)
        elif not isinstance(value, np.ndarray) or type(value).__name__ in ("MatlabOpaque", "MatlabFunction"):
            self.notes.append(f"{name}: is left out: an object of MATLAB, such as a timeseries or a table; save it as arrays")
        elif value.dtype.kind == "O":
            entries = [each for each in value.reshape(-1)]
            words = [str(each.reshape(-1)[0]) for each in entries if isinstance(each, np.ndarray) and each.dtype.kind == "U" and each.size == 1]
            if entries and len(words) == len(entries):
                self.texts[name] = words
            elif len(entries) == 1:
                self.take(name, entries[0], depth + 1)
            elif entries:
                self.notes.append(f"{name}: is left out: a cell or struct array of {len(entries)}")
        elif value.dtype.kind == "U":
            self.texts[name] = [str(each) for each in value.reshape(-1)]
        else:
            self.arrays[name] = value


def main(path: str) -> None:
    walk = Walk(importlib.import_module("scipy.io").loadmat(path, squeeze_me=False, struct_as_record=False))
    out = sys.stdout.buffer
    out.write(json.dumps({"names": list(walk.arrays), "texts": walk.texts, "notes": walk.notes}).encode() + b"\n")
    for array in walk.arrays.values():
        np.save(out, array, allow_pickle=False)
    out.flush()


if __name__ == "__main__":
    main(sys.argv[1])
