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

WHAT = """One fit of the viscoelastic law to 250 samples (25 kHz, 1 % noise; stiffness, damping, mass and start free).
  thud    thud::fit, without a starting guess; with intervals and everything else that it reports. Where a record leaves the
          shape loose, it goes through all shapes, which the others do not: a quarter of these records, see 90 %
  ceres   Ceres, RK4 between samples, automatic derivatives, dense QR, function_tolerance 1e-8, from a guess 20 % off
  scipy   least_squares over solve_ivp (RK45, rtol 1e-8, atol 1e-10), from the same guess
They take turns of {turn} records, one fit of each, until each has fitted all {records} in each of {rounds} rounds. Every fit is
timed alone, by a clock in its own process. That their parameters agree is checked first.
"""
VELOCITY = -0.12
NAMES = ("thud", "ceres", "scipy")
RECORDS, TURN = 32, 16
# Most that a parameter may differ from thud's, in its standard errors.
AGREE = 0.02
# What the fit is to reach: [us], and times faster than a rival.
MOST, CERES, SCIPY = 40, 5, 1000


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
    """Takes records to each: the seconds of every fit, and what they found."""

    def __init__(self, program):
        self.program = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.records = [self.ask(f"record {i}") for i in range(RECORDS)]

    def ask(self, request):
        print(request, file=self.program.stdin, flush=True)
        return json.loads(self.program.stdout.readline())

    def scipy(self, begin, end):
        out = {"seconds": [], "parameters": []}
        for record in self.records[begin:end]:
            times, forces = np.array(record["times"]), np.array(record["forces"])
            start = [np.log(3e5 * 1.2), np.log(7.5e6 * 0.8), np.log(4 * 1.2), 0.4]
            started = time.perf_counter()
            found = least_squares(residual, start, args=(times, forces), x_scale=[1, 1, 1, 0.1])
            out["seconds"].append(time.perf_counter() - started)
            out["parameters"].append([*np.exp(found.x[:3]), found.x[3] * 1e-3])
        return out

    def turn(self, name, begin, end):
        return self.scipy(begin, end) if name == "scipy" else self.ask(f"{name} {begin} {end}")


def check(rivals):
    """The largest difference from thud, in standard errors, over all records; too large a one ends the run."""
    ours = rivals.turn("thud", 0, RECORDS)
    worst = {}
    for name in NAMES[1:]:
        theirs = rivals.turn(name, 0, RECORDS)["parameters"]
        off = np.abs(np.array(theirs) - ours["parameters"]) / ours["errors"]
        worst[name] = float(off.max())
        if not worst[name] <= AGREE:  # NaN: a fit that failed
            record = int(off.max(axis=1).argmax())
            raise SystemExit(f"fit_rivals: record {record}: thud found {ours['parameters'][record]}, {name} {theirs[record]}")
    return worst


def race(rivals, rounds):
    times = {name: [] for name in NAMES}
    first = []  # of thud in each turn, after the others had the processor
    for _ in range(rounds):
        for begin in range(0, RECORDS, TURN):
            for name in NAMES:
                microseconds = [t * 1e6 for t in rivals.turn(name, begin, begin + TURN)["seconds"]]
                times[name] += microseconds
                if name == "thud":
                    first.append(microseconds[0])
    ours = statistics.median(times["thud"])
    out = {name: {"median_us": statistics.median(t), "min_us": min(t), "p90_us": statistics.quantiles(t, n=10)[-1],
                  "ratio": statistics.median(t) / ours, "ratio_of_min": min(t) / min(times["thud"])}
           for name, t in times.items()}
    out["thud"]["first_of_a_turn_us"] = statistics.median(first)
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    rivals = Rivals(options.program)
    print(WHAT.format(turn=TURN, records=RECORDS, rounds=options.rounds), flush=True)
    worst = check(rivals)
    print("largest difference of a parameter from thud's, in its standard errors: "
          + ", ".join(f"{name} {off:.4f}" for name, off in worst.items()), flush=True)
    found = race(rivals, options.rounds)
    print(f"\n{'':8}{'median [us]':>14}{'min [us]':>14}{'90 % [us]':>14}{'slower than thud':>20}{'by the min':>12}")
    for name, row in found.items():
        print(f"{name:8}{row['median_us']:14.1f}{row['min_us']:14.1f}{row['p90_us']:14.1f}{row['ratio']:20.1f}"
              f"{row['ratio_of_min']:12.1f}")
    print(f"the first fit of thud in a turn, after the others had the processor: {found['thud']['first_of_a_turn_us']:.1f} us\n")
    figures = [(f"median of thud at most {MOST} us", found["thud"]["median_us"], found["thud"]["median_us"] <= MOST),
               (f"at least {CERES} times faster than Ceres", found["ceres"]["ratio"], found["ceres"]["ratio"] >= CERES),
               (f"at least {SCIPY} times faster than SciPy", found["scipy"]["ratio"], found["scipy"]["ratio"] >= SCIPY)]
    for text, value, met in figures:
        print(f"{'reached' if met else 'NOT REACHED':12} {text}: {value:.1f}")
    if options.json:
        options.json.write_text(json.dumps(
            {"rounds": options.rounds, "records": RECORDS, "turn": TURN, "differences": worst, "fit_250_samples": found,
             "figures": [{"figure": text, "value": value, "reached": met} for text, value, met in figures]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
