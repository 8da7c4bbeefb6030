"""Runs every benchmark, one after the other, and writes what they found.

python bench/performance.py BUILD          measure: BUILD/performance.json, docs/performance.json (four digits), page, chart
python bench/performance.py --render       docs/performance.md and docs/performance.svg from docs/performance.json
"""
import argparse
import datetime
import importlib.metadata
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

import performance_chart
import performance_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
# Name, program and arguments, rough seconds on an idle machine. Where rivals meet, they take turns in each round.
PROGRAMS = [
    ("query", ["bench_query", "201"], 6),
    ("native", ["bench_native", "201"], 2),
    ("parts", ["bench_parts", "51"], 6),
    ("walk", ["bench_walk", "101"], 3),
    ("impact", ["bench_impact", "101"], 6),
    ("fit", [sys.executable, ROOT / "bench/fit_rivals.py", "bench_fit", "--rounds", "10"], 35),
    ("profile", ["bench_profile", "31"], 15),
    ("elastic", ["bench_elastic", "21"], 40),
    ("latency", ["bench_latency", "--seconds", "60"], 62),
]
WHEELS = {"Pinocchio": "pin", "MuJoCo": "mujoco", "ProxSuite": "proxsuite", "SciPy": "scipy", "NumPy": "numpy"}
PACKAGES = {"KDL": "liborocos-kdl-dev", "DART": "libdart-dev", "Ceres": "libceres-dev", "Boost": "libboost-dev",
            "Eigen": "libeigen3-dev"}
INSTRUCTION_SETS = ("sse2", "sse4_2", "avx", "avx2", "fma", "avx512f", "avx512dq", "avx512vl")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def flags_of(commands, source):
    """How a source was compiled, without what says where files lie."""
    command = next(entry["command"] for entry in commands if entry["file"].endswith(source))
    return " ".join(re.findall(r"(?<= )-(?:O\d|m[\w=-]+|f[\w=-]+|std=\S+|DNDEBUG)(?= )", command))


def machine(build):
    cpu = pathlib.Path("/proc/cpuinfo").read_text()
    flags = re.search(r"flags\s*: (.*)", cpu)[1].split()
    system = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
    commands = json.loads((build / "compile_commands.json").read_text())
    return {
        "processor": re.search(r"model name\s*: (.*)", cpu)[1],
        "family": "family {}, model {}".format(*(re.search(rf"^{key}\s*: (\d+)", cpu, re.M)[1]
                                                 for key in ("cpu family", "model"))),
        "cores": os.cpu_count(),
        "virtual": "hypervisor" in flags,
        "instruction_sets": [name for name in INSTRUCTION_SETS if name in flags],
        "system": system["PRETTY_NAME"].strip('"'),
        "compiler": output("g++", "--version").splitlines()[0],
        "flags": {"thud": flags_of(commands, "src/mechanics/inertia.cpp"),
                  "what calls the rivals": flags_of(commands, "bench/bench_query.cpp"),
                  "Pinocchio compiled for the machine": flags_of(commands, "bench/bench_native.cpp")},
        "versions": {**{name: importlib.metadata.version(wheel) for name, wheel in WHEELS.items()},
                     **{name: output("dpkg-query", "-W", "-f", "${Version}", package) for name, package in PACKAGES.items()}},
    }


def busy():
    """Seconds that all cores together have worked, and that this program and its children have."""
    user, nice, system, _, _, irq, softirq, steal = map(
        int, pathlib.Path("/proc/stat").read_text().split("\n")[0].split()[1:9])
    own = sum(usage.ru_utime + usage.ru_stime
              for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK"), own


def run(name, command, build):
    """What a program wrote as JSON. One that measured something bad may say so by its exit status; one that measured
    nothing ends the run."""
    file = build / f"{name}.json"
    file.unlink(missing_ok=True)
    command = [str(build / part) if str(part).startswith("bench_") else str(part) for part in command]
    status = subprocess.run([*command, "--json", str(file)]).returncode
    if not file.exists():
        raise SystemExit(f"performance: {name}: exit status {status} and no result")
    return json.loads(file.read_text())


def measure(build):
    data = {"date": datetime.date.today().isoformat(), "machine": machine(build)}
    start, (all_before, own_before) = time.monotonic(), busy()
    for number, (name, command, seconds) in enumerate(PROGRAMS, 1):
        print(f"\n[{number}/{len(PROGRAMS)}] {name}, some {seconds} s", flush=True)
        data[name] = run(name, command, build)
    all_after, own_after = busy()
    data["machine"]["others_busy"] = max(0, (all_after - all_before - own_after + own_before) / (time.monotonic() - start))
    return data


def rounded(data):
    """Four digits: more are noise."""
    if isinstance(data, dict):
        return {key: rounded(value) for key, value in data.items()}
    if isinstance(data, list):
        return [rounded(value) for value in data]
    return float(f"{data:.4g}") if isinstance(data, float) else data


def render():
    data = json.loads((DOCS / "performance.json").read_text())
    (DOCS / "performance.md").write_text(performance_page.page(data))
    (DOCS / "performance.svg").write_text(performance_chart.chart(data))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("--render", action="store_true")
    options = parser.parse_args()
    if not options.render:
        if not options.build:
            parser.error("BUILD, or --render")
        data = measure(options.build.resolve())
        (options.build / "performance.json").write_text(json.dumps(data, indent=1) + "\n")
        (DOCS / "performance.json").write_text(json.dumps(rounded(data), indent=1) + "\n")
    render()
    print("\nwritten: docs/performance.json, docs/performance.md, docs/performance.svg")


if __name__ == "__main__":
    main()
