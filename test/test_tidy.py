"""clang-tidy over what the library's rooms compile: test_tidy.py BUILD."""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

build = pathlib.Path(sys.argv[1])
# The wider processors' files hold the baseline's text again.
commands = json.loads((build / "compile_commands.json").read_text())
files = [entry["file"] for entry in commands if "thud_room_" in entry["command"]
         and entry["file"].endswith((".cpp", ".cxx")) and "kernel/avx" not in entry["file"]]
seen = {room for entry in commands for room in re.findall(r"thud_room_(\w+)\.dir", entry["command"])}
rooms = {path.name for path in (pathlib.Path(__file__).resolve().parents[1] / "src").iterdir() if path.is_dir()}
assert seen == rooms, seen ^ rooms


def tidy(file: str) -> subprocess.CompletedProcess:
    return subprocess.run(["clang-tidy", "--quiet", "-p", build, file], capture_output=True, text=True)


with concurrent.futures.ThreadPoolExecutor(2) as crew:
    bad = [run for run in crew.map(tidy, files) if run.returncode]
for run in bad:
    print(run.stdout, run.stderr)
print(f"{len(files)} files, {len(bad)} with findings")
sys.exit(bool(bad))
