"""thud's fit against SciPy's solve_ivp + least_squares on one record, in interleaved rounds.

python bench/fit_rivals.py BUILD/bench_fit [rounds]      needs numpy and scipy; prints one JSON object
"""
import json
import statistics
import subprocess
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

VELOCITY = -0.12


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


def fit(times, forces):
    start = [np.log(3e5 * 1.2), np.log(7.5e6 * 0.8), np.log(4 * 1.2), 0.4]
    return least_squares(residual, start, args=(times, forces), x_scale=[1, 1, 1, 0.1])


def main():
    bench, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 5
    text = subprocess.run([bench, "--record"], check=True, capture_output=True, text=True).stdout
    times, forces = np.array([[float(x) for x in line.split(",")] for line in text.splitlines()]).T
    ours, theirs = [], []
    for _ in range(rounds):
        line = subprocess.run([bench, "--fit", "200"], check=True, capture_output=True, text=True).stdout.split()
        ours.append(float(line[0]) * 1e-6)
        begin = time.perf_counter()
        result = fit(times, forces)
        theirs.append(time.perf_counter() - begin)
        found = [*np.exp(result.x[:3]), result.x[3] * 1e-3]
        for mine, his in zip(map(float, line[1:3 + 1]), found):
            if abs(mine / his - 1) > 0.05:
                sys.exit(f"fit_rivals: fits disagree: {line[1:]} and {found}")
    a, b = statistics.median(ours), statistics.median(theirs)
    print(json.dumps({"thud_us": a * 1e6, "scipy_us": b * 1e6, "ratio": b / a, "rounds": rounds,
                      "scipy_evaluations": int(result.nfev)}))


if __name__ == "__main__":
    main()
