"""One viscoelastic fit by thud, by Ceres and by SciPy, in one interleaved run.

python bench/fit_rivals.py BUILD/bench_fit [--rounds N] [--json FILE]      needs numpy and scipy
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

WHAT = """One fit of the viscoelastic law to 250 samples (25 kHz, 1 % noise; stiffness, damping, mass and start free), {records} records.
  thud    thud::fit, without a starting guess; with intervals and everything else that it reports
  ceres   Ceres, RK4 between samples, automatic derivatives, dense QR, function_tolerance 1e-8, from a guess 20 % off
  scipy   least_squares over solve_ivp (RK45, rtol 1e-8, atol 1e-10), from the same guess
Each of {rounds} rounds takes every record to thud ({thud} fits in a row), Ceres ({ceres}) and SciPy ({scipy}), then the next. A turn's
time is the median of its fits; each rival's clock runs around its own fits alone. Their parameters were compared first.
"""
VELOCITY = -0.12
REPEATS = {"thud": 9, "ceres": 3, "scipy": 1}
RECORDS = 32
# Most that a parameter may differ from thud's, in its standard errors. The rivals go down to the kinks that samples make
# where they enter or leave the contact; thud smooths these (src/descent.cpp), and stops at a tenth of a standard error.
AGREE = 1
# What the fit is to reach: [us], and times faster than a rival.
MOST, CERES, SCIPY = 30, 3, 1000


def residual(p, times, forces):
    k, c, m, t0 = np.exp(p[0]), np.exp(p[1]), np.exp(p[2]), p[3] * 1e-3
    inside = times > t0
    answer = solve_ivp(
        lambda t, s: (s[1], (c * s[0] * s[1] - k * s[0]) / m if s[0] < 0 else 0.0),
        (t0, times[-1]), (0.0, VELOCITY), t_eval=times[inside], rtol=1e-8, atol=1e-10)
    x, v = answer.y
    model = np.zeros_like(forces)
    model[inside] = np.where(x < 0, c * x * v - k * x, 0)
    return forces - model


class Rivals:
    """Takes a record to each: seconds of every fit, and what the last one found."""

    def __init__(self, program):
        self.program = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.records = {seed: self.ask(f"record {seed}") for seed in range(1, RECORDS + 1)}

    def ask(self, request):
        print(request, file=self.program.stdin, flush=True)
        return json.loads(self.program.stdout.readline())

    def scipy(self, seed, repeats):
        times, forces = (np.array(self.records[seed][key]) for key in ("times", "forces"))
        start = [np.log(3e5 * 1.2), np.log(7.5e6 * 0.8), np.log(4 * 1.2), 0.4]
        seconds = []
        for _ in range(repeats):
            begin = time.perf_counter()
            found = least_squares(residual, start, args=(times, forces), x_scale=[1, 1, 1, 0.1])
            seconds.append(time.perf_counter() - begin)
        return {"seconds": seconds, "parameters": [*np.exp(found.x[:3]), found.x[3] * 1e-3]}

    def turn(self, name, seed, repeats):
        return self.scipy(seed, repeats) if name == "scipy" else self.ask(f"{name} {seed} {repeats}")


def check(rivals):
    """The largest difference from thud, in standard errors; a fit that failed or differs ends the run."""
    worst = {}
    for seed in rivals.records:
        ours = rivals.turn("thud", seed, 1)
        if not ours["ok"]:
            raise SystemExit(f"fit_rivals: record {seed}: thud did not converge")
        for name in ("ceres", "scipy"):
            theirs = rivals.turn(name, seed, 1)["parameters"]
            off = max(abs(a - b) / e for a, b, e in zip(ours["parameters"], theirs, ours["errors"]))
            worst[name] = max(worst.get(name, 0), off)
            if off > AGREE:
                raise SystemExit(f"fit_rivals: record {seed}: thud found {ours['parameters']}, {name} {theirs}")
    return worst


def race(rivals, rounds):
    turns = {name: [] for name in REPEATS}
    first = []  # thud's first fit of each turn, after the other programs had the processor
    for _ in range(rounds):
        for seed in rivals.records:
            for name, repeats in REPEATS.items():
                seconds = rivals.turn(name, seed, repeats)["seconds"]
                turns[name].append(statistics.median(seconds) * 1e6)
                if name == "thud":
                    first.append(seconds[0] * 1e6)
    ours = statistics.median(turns["thud"])
    out = {name: {"median_us": statistics.median(t), "min_us": min(t), "ratio": statistics.median(t) / ours}
           for name, t in turns.items()}
    out["thud"]["first_of_a_turn_us"] = statistics.median(first)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    rivals = Rivals(options.program)
    print(WHAT.format(records=RECORDS, rounds=options.rounds, **REPEATS), flush=True)
    worst = check(rivals)
    print("largest difference of a parameter from thud's, in its standard errors: "
          + ", ".join(f"{name} {off:.2f}" for name, off in worst.items()), flush=True)
    found = race(rivals, options.rounds)
    print(f"\n{'':8}{'median [us]':>14}{'min [us]':>14}{'slower than thud':>20}")
    for name, row in found.items():
        print(f"{name:8}{row['median_us']:14.1f}{row['min_us']:14.1f}{row['ratio']:20.1f}")
    print(f"thud's first fit of a turn, with caches that others have used: {found['thud']['first_of_a_turn_us']:.1f} us\n")
    figures = [(f"median of thud at most {MOST} us", found["thud"]["median_us"], found["thud"]["median_us"] <= MOST),
               (f"at least {CERES} times faster than Ceres", found["ceres"]["ratio"], found["ceres"]["ratio"] >= CERES),
               (f"at least {SCIPY} times faster than SciPy", found["scipy"]["ratio"], found["scipy"]["ratio"] >= SCIPY)]
    for text, value, met in figures:
        print(f"{'reached' if met else 'NOT REACHED':12} {text}: {value:.1f}")
    if options.json:
        options.json.write_text(json.dumps(
            {"rounds": options.rounds, "records": RECORDS, "repeats": REPEATS, "differences": worst, "fit_250_samples": found,
             "figures": [{"figure": text, "value": value, "reached": met} for text, value, met in figures]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
