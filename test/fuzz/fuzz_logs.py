"""The fuzzer of logs: what must hold is in log_input.py. Takes libFuzzer's options (Atheris); the branches counted are
those of thud.logs. The seeds, the folder that is named last, must be read and imported, as target.cpp says.
"""

import pathlib
import sys

import atheris

with atheris.instrument_imports(include=["thud.logs"]):
    from log_input import sooner, takes


def one_input(data: bytes) -> None:
    takes(data)


with sooner():
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
