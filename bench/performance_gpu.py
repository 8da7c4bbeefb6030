"""docs/performance-gpu.json and its page from a run of bench_gpu.

python performance_gpu.py BUILD [PYTHON]   runs bench_gpu and test_gpu of that folder, and the rivals that PYTHON has, by default this one
python performance_gpu.py --render         the page from the stored data
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA, PAGE = ROOT / "docs/performance-gpu.json", ROOT / "docs/performance-gpu.md"

TEXT = """# Performance on a GPU

`make bench-gpu` writes this page from one run on one machine; `docs/performance-gpu.json` holds the data. What is of earlier runs says so: what was counted and tried under [Roofline](#roofline), what was tried with
[plain arrays](#arrays-of-the-host){rivals_too}. How to build and use it: [gpu.md](gpu.md).

## The machine
{device}. Its memory gives {memory:.2f} TB/s (a copy, read and written bytes), its bus {there:.1f} GB/s there, {back:.1f} GB/s back and {both:.1f} GB/s both ways at once (page-locked). All threads of its
processor together copy {host_copy:.1f} GB/s from plain to page-locked memory (each byte counted once).

## Aims
{aims}
{since}
## Arrays on the GPU
Random postures, {count} at a time, the median of five calls, each with all of its set-up and the postures that the processor has to complete. Every arm was first compared with the processor on
20000 postures: the largest difference of a mass is in the table, and that of the algebraic model, which inverts a matrix of condition up to 1e9.{three_masses}

{resident}

A posture of masses moves 8 n + 48 bytes, one of everything 8 n + 48 + 8 (51 + 12 n + n²). Chains are made of solid boxes with odd axes, trees have a branch at every third joint; their contact is
on the last link.

## Roofline
{roofline}

## Arrays of the host
A chain of 7 joints (the Panda). The share is of the bus in the direction that has more to carry, by the bytes that travel: a posture's statuses, 16 bytes, are written by the host. "Plain" is memory as programs have it, which threads copy to page-locked memory first.

{staged}

Plain masses are bound by the processor's copies: a posture is {copied} bytes to be copied, so that {plain:.3g} of them a second are {plain_copy:.1f} GB/s, more than the {host_copy:.1f} GB/s that all threads copy between large arrays. {staged_note}

## Rivals
The Panda, {rival_count} postures at a time in double precision, arrays on the GPU, the median of five calls after one that compiles. PyTorch and JAX: the same four masses, by the composite-rigid-body algorithm
written by hand over whole batches (`bench/rivals_gpu.py`), and M and J of it alone (PyTorch, unless it compiles, computes all of it either way). MJX gives M and J. Each agreed with thud on 4096 postures before it was timed: the largest difference of M or J relative to its
largest entry, and of a mass (but the algebraic one).

{rivals}

MuJoCo Warp was not measured: the wheel of warp-lang 1.19.0 is 149 MB, more than could be taken to that machine, which has no network. {rivals_note}

## The tests on that machine
`make test-gpu`:

```text
$ THUD_GPU=1 build/cuda/test_gpu
{tests}
```
"""


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in lines)


LIMIT = 100  # [s] for each rival


def rivals_table(data):
    panda = data["arms"]["panda"]
    rows = [["thud", "", f"{panda['masses']:.3g}", f"{panda['everything']:.3g} (everything)", "", ""]]
    for name, of in data["rivals"].items():
        if "version" not in of:
            rows.append([name, "", of["why"], "", "", ""])
            continue
        rate = lambda key: f"{of[key]:.3g}" if key in of else ""
        rows.append([name, of["version"], rate("masses") if of["agrees"] else "does not agree", rate("matrices"),
                     f"{max(of['difference_M'], of['difference_J']):.1e}", f"{of['difference']:.1e}" if "difference" in of else ""])
    return table(["", "version", "masses [1/s]", "M and J [1/s]", "difference of M, J", "of masses"], rows)


def run_rivals(python, question, folder):
    """Each in a process of its own: they would share the GPU's memory."""
    found = {}
    for name in ("torch", "jax", "mjx"):
        out = pathlib.Path(folder, f"{name}.json")
        try:
            done = subprocess.run([python, ROOT / "bench/rivals_gpu.py", question, out, name], timeout=LIMIT, capture_output=True, text=True)
        except subprocess.TimeoutExpired:
            found[name] = {"why": f"took longer than {LIMIT} s to compile and run"}
            continue
        if done.returncode == 0:
            found |= json.loads(out.read_text())
        else:
            found[name] = {"why": (done.stderr.strip().splitlines() or ["failed"])[-1]}
        print(name, found, flush=True)
    return found


STATUSES = 16  # bytes of a posture's results that the host writes itself: they do not travel


def page(data):
    ceilings, arms = data["ceilings"], data["arms"]
    # of 20000 such inverses some differ, unless there are none
    three = [arm["joints"] for arm in arms.values() if arm["difference_algebraic"] == 0]
    algebraic = lambda arm: f"{arm['difference_algebraic']:.1e}" if arm["difference_algebraic"] else "–"
    share = lambda arm: arm["everything"] * sum(arm["bytes_everything"]) / ceilings["memory"]
    panda = arms["panda"]

    def bus(rate, sizes):
        there, back = sizes[0], sizes[1] - STATUSES
        return max(rate * there / ceilings["bus_there"], rate * back / ceilings["bus_back"], rate * (there + back) / ceilings["bus_both"])

    def verdict(reached, asked):
        return "met" if reached >= asked else "not met"

    worst_chain = min(arm["masses"] for name, arm in arms.items() if arm["joints"] == 7)
    staged = [(name, kind, arms["panda"][f"{name}_{kind}"], panda[f"bytes_{kind}"])
              for kind in ("masses", "everything") for name in ("locked", "plain")]
    aims = [["masses, chain of 7", "3e9 postures/s", f"{worst_chain:.3g}", verdict(worst_chain, 3e9)],
            ["masses, chain of 7", "5e9 postures/s, the aim", f"{worst_chain:.3g}", verdict(worst_chain, 5e9)],
            ["masses, tree of 12", "1e9 postures/s", f"{arms['tree of 12']['masses']:.3g}", verdict(arms["tree of 12"]["masses"], 1e9)]]
    aims += [[f"everything, {name}", "60 % of the memory", f"{share(arm):.1%}", verdict(share(arm), 0.6)]
             for name, arm in arms.items()]
    aims += [[f"{kind} staged, {'page-locked' if name == 'locked' else name}", "80 % of the bus", f"{bus(rate, sizes):.0%}", verdict(bus(rate, sizes), 0.8)]
             for name, kind, rate, sizes in staged]
    resident = [[name, f"{arm['masses']:.3g}", f"{arm['everything']:.3g}", f"{share(arm):.0%}", f"{arm['difference']:.1e}",
                 algebraic(arm)] for name, arm in arms.items()]
    rates = [["processor, all cores", *(f"{panda[f'processor_{kind}']:.3g}" for kind in ("masses", "everything")), "", ""]]
    rates += [[f"GPU, {'page-locked' if name == 'locked' else name}", f"{panda[f'{name}_masses']:.3g}", f"{panda[f'{name}_everything']:.3g}",
               f"{bus(panda[f'{name}_masses'], panda['bytes_masses']):.0%}", f"{bus(panda[f'{name}_everything'], panda['bytes_everything']):.0%}"]
              for name in ("locked", "plain")]
    return TEXT.format(
        device=data["device"], memory=ceilings["memory"] / 1e12, there=ceilings["bus_there"] / 1e9, back=ceilings["bus_back"] / 1e9,
        both=ceilings["bus_both"] / 1e9, host_copy=ceilings["host_copy"] / 1e9, count="2^24 (everything 2^22; above 16 joints 2^20 and 2^18)",
        aims=table(["what", "asked", "reached", ""], aims), since="\n" + data["since"] + "\n" if "since" in data else "",
        resident=table(["arm", "masses [1/s]", "everything [1/s]", "of the memory", "difference", "algebraic"], resident),
        three_masses="" if not three else f" In the trees of {three[0]} to {three[-1]} joints the contact is behind five of them: three masses, the algebraic one does not exist.",
        roofline=data.get("roofline", ""), staged_note=data.get("staged_note", ""),
        copied=int(sum(panda["bytes_masses"])), plain=panda["plain_masses"], plain_copy=panda["plain_masses"] * sum(panda["bytes_masses"]) / 1e9,
        rivals_note=data.get("rivals_note", ""), rivals_too=", and the [rivals'](#rivals) figures" if "rivals_note" in data else "",
        staged=table(["", "masses [1/s]", "everything [1/s]", "of the bus", "of the bus"], rates),
        rivals=rivals_table(data), rival_count="2^20", tests=data.get("tests", "").strip())


def main(*arguments):
    data = json.loads(DATA.read_text()) if DATA.exists() else {}
    if arguments != ("--render",):
        build = pathlib.Path(arguments[0])
        python = arguments[1] if len(arguments) > 1 else sys.executable
        with tempfile.TemporaryDirectory() as folder:
            made, question = pathlib.Path(folder, "gpu.json"), pathlib.Path(folder, "question.json")
            subprocess.run([build / "bench_gpu", made, question], check=True)
            data |= json.loads(made.read_text())
            data.pop("since", None)  # these figures are of what is here
            done = subprocess.run([build / "test_gpu"], env=os.environ | {"THUD_GPU": "1"}, capture_output=True, text=True)
            data["tests"] = "\n".join(line for line in done.stdout.splitlines() if "ms)" in line and "----" not in line or "PASSED" in line or "FAILED" in line)
            data["rivals"] = run_rivals(python, question, folder)
            data.pop("rivals_note", None)  # so are these
        DATA.write_text(json.dumps(data, indent=1) + "\n")
    PAGE.write_text(page(data))


if __name__ == "__main__":
    main(*sys.argv[1:])
