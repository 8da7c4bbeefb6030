# Real hits of two KUKA iiwa on a box, against the models: which mass does a hit feel, and how does the box leave?
#
#     python real_hits.py HITS.csv --robots FOLDER [--out FOLDER]
#
# HITS.csv has a row per hit (docs/real_hits.md lists the columns that are used); FOLDER holds iiwa7*.urdf and
# iiwa14*.urdf. Prints the tables of docs/real_hits.md; with --out, writes real_hits.csv (medians and quartiles of each
# session) and, with matplotlib, real_hits.svg.
import argparse
import csv
import sys
from pathlib import Path

import numpy as np

import thud

MODELS = ["algebraic", "composite_rigid_body", "flexible_joints", "generalized_momentum"]
SHAPED = "shaped rotors"  # generalized momentum with rotors, divided by a factor per robot from the other sessions
READINGS = ["lines", "5 to 15 ms", "joint rates"]  # of what the tool loses in speed
SHAPES = np.arange(0, 1.5001, 0.005)  # factors of the rotors that are tried
STICKS = 0.6  # friction with which all of these hits stick


def read_hits(path):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    if not rows:
        sys.exit(f"real_hits: {path}: has no hits")
    try:
        wanted = [row for row in rows if not any(float(row[f"flag_{name}"]) for name in ("push", "edge", "few_post"))]
        hits = {name: np.array([float(row[name]) for row in wanted]) for name in
                ("m_obj", "v_tool_before", "v_tool_after", "v_tool_5_15ms", "v_obj_after", "spin_rad_s", "departure_deg",
                 "recorded_directional_mass")}
        for name, columns in (("q", "q{}"), ("dq_before", "dq_before{}"), ("dq_after", "dq_after{}")):
            hits[name] = np.array([[float(row[columns.format(i)]) for i in range(1, 8)] for row in wanted])
        for name in ("direction", "offset"):
            hits[name] = np.array([[float(row[f"{name}_{axis}"]) for axis in "xyz"] for row in wanted])
        for name in ("dataset", "session", "config", "robot", "offset_frame"):
            hits[name] = np.array([row[name] for row in wanted])
    except (KeyError, ValueError) as error:
        sys.exit(f"real_hits: {path}: {error}: every hit needs the columns of docs/real_hits.md")
    if not wanted:
        sys.exit(f"real_hits: {path}: all {len(rows)} hits are flagged")
    return hits, len(rows)


def load_robots(folder, names):
    robots = {}
    for name in names:
        files = sorted(Path(folder).glob(f"iiwa{name}[!0-9]*.urdf"))
        if not files:
            sys.exit(f"real_hits: {folder}: has no iiwa{name}*.urdf")
        robots[name] = thud.load_robot(str(files[0]))
    return robots


def add_models(hits, robots, rotors):
    """Masses of the models, the tool's velocities by the joint rates, and what any factor of the rotors needs."""
    count = len(hits["robot"])
    masses = {model: np.full(count, np.nan) for model in MODELS}
    before, after = np.zeros((count, 3)), np.zeros((count, 3))
    poles, weights = np.zeros((count, 7)), np.zeros((count, 7))
    root = np.sqrt(rotors)
    for i in range(count):
        dynamics = dynamics_of(hits, robots, i)
        prediction = thud.predict(dynamics, hits["dq_before"][i])
        for model in MODELS:
            masses[model][i] = prediction[getattr(thud.InertiaModel, model)].inertia.effective_mass
        before[i], after[i] = dynamics.J[:3] @ hits["dq_before"][i], dynamics.J[:3] @ hits["dq_after"][i]
        # j (M + s B)^-1 j^T = sum of weights/(poles + s)
        poles[i], vectors = np.linalg.eigh(dynamics.M / np.outer(root, root))
        weights[i] = (vectors.T @ (dynamics.normal_W @ dynamics.J[:3] / root)) ** 2
    hits.update(masses=masses, velocity_before=before, velocity_after=after, poles=poles, weights=weights)
    along = hits["direction"]
    hits["loss"] = {"lines": hits["v_tool_before"] - hits["v_tool_after"],
                    "5 to 15 ms": hits["v_tool_before"] - hits["v_tool_5_15ms"],
                    "joint rates": np.einsum("ij,ij->i", before - after, along)}
    hits["impulse"] = hits["m_obj"] * hits["v_obj_after"]


def dynamics_of(hits, robots, i):
    point = thud.ContactPoint(str(hits["offset_frame"][i]), hits["offset"][i], -hits["direction"][i])
    return thud.contact_dynamics(robots[hits["robot"][i]], point, hits["q"][i])


def rotor_mass(hits, chosen, shape):
    return 1 / np.sum(hits["weights"][chosen] / (hits["poles"][chosen] + shape), axis=1)


def error(mass, hits, reading, chosen):
    """|mass/measured - 1| without a division by the tool's loss of speed, which may be nil or negative."""
    return np.abs(mass * hits["loss"][reading][chosen] / hits["impulse"][chosen] - 1)


def fitted_shape(hits, reading, chosen):
    errors = [np.median(error(rotor_mass(hits, chosen, shape), hits, reading, chosen)) for shape in SHAPES]
    return SHAPES[int(np.argmin(errors))]


def sessions_of(hits):
    keys = sorted(set(zip(hits["robot"], hits["dataset"], hits["session"])), key=lambda key: (int(key[0]), *key[1:]))
    return {key: np.flatnonzero([other == key for other in zip(hits["robot"], hits["dataset"], hits["session"])])
            for key in keys}


def shape_by_others(hits, sessions):
    """For each session and reading: the factor from the robot's other sessions, none where there are none."""
    shapes = {}
    for key in sessions:
        others = [chosen for other, chosen in sessions.items() if other != key and other[0] == key[0]]
        for reading in READINGS:
            shapes[key, reading] = fitted_shape(hits, reading, np.concatenate(others)) if others else np.nan
    return shapes


def quartiles(values):
    return np.percentile(values, [25, 50, 75]) if len(values) else np.full(3, np.nan)


def row(*cells):
    print("| " + " | ".join(cells) + " |")


def header(*cells):
    row(*cells)
    print("|" + "---|" * len(cells))


def masses_table(hits, sessions, shapes):
    """Median error of each model under each reading, by robot and over all hits."""
    print("\n## Error of the models' masses, median over the hits\n")
    header("robot", "reading", "hits", "measured kg", *MODELS, SHAPED, "factor of all sessions")
    for robot in [*sorted(set(hits["robot"]), key=int), "both"]:
        chosen = np.flatnonzero((hits["robot"] == robot) | (robot == "both"))
        for reading in READINGS:
            measured = np.median(hits["loss"][reading][chosen] / hits["impulse"][chosen])
            errors = [np.median(error(hits["masses"][model][chosen], hits, reading, chosen)) for model in MODELS]
            tested = [error(rotor_mass(hits, own, shapes[key, reading]), hits, reading, own) for key, own in sessions.items()
                      if robot in (key[0], "both") and np.isfinite(shapes[key, reading])]
            row(robot, reading, str(len(chosen)), f"{1 / measured:.2f}", *(f"{100 * e:.1f} %" for e in errors),
                f"{100 * np.median(np.concatenate(tested)):.1f} %" if tested else "none",
                "" if robot == "both" else f"{fitted_shape(hits, reading, chosen):.3f}")


def posture_table(hits):
    """How the mass changes from posture 1 to posture 2, measured and by the models."""
    print("\n## Mass in posture 2 over that in posture 1\n")
    header("robot", "box kg", *(f"measured, {reading}" for reading in READINGS), *MODELS, "a tenth of the rotors")
    for robot, mass in sorted(set(zip(hits["robot"], hits["m_obj"]))):
        parts = [np.flatnonzero((hits["robot"] == robot) & (hits["m_obj"] == mass) & (hits["config"] == posture))
                 for posture in ("1", "2")]
        if not all(len(part) for part in parts):
            continue
        measured = [np.median((hits["loss"][reading] / hits["impulse"])[parts[0]]) /
                    np.median((hits["loss"][reading] / hits["impulse"])[parts[1]]) for reading in READINGS]
        models = [np.median(hits["masses"][model][parts[1]]) / np.median(hits["masses"][model][parts[0]]) for model in MODELS]
        rotors = np.median(rotor_mass(hits, parts[1], 0.1)) / np.median(rotor_mass(hits, parts[0], 0.1))
        row(robot, f"{mass:g}", *(f"{value:.2f}" for value in [*measured, *models, rotors]))


def speeds_table(hits, sessions, shapes):
    """Object over tool speed; the models' with a restitution per robot and box that the other sessions give."""
    print("\n## Speed of the box over that of the tool before the hit, and its error by the models\n")
    header("robot", "box kg", "hits", "ratio", "quartiles", *(f"e, {reading}" for reading in READINGS[:2]), *MODELS, SHAPED)
    ratio = hits["v_obj_after"] / hits["v_tool_before"]
    for robot, mass in sorted(set(zip(hits["robot"], hits["m_obj"])), key=lambda key: (int(key[0]), key[1])):
        chosen = np.flatnonzero((hits["robot"] == robot) & (hits["m_obj"] == mass))
        low, middle, high = quartiles(ratio[chosen])
        rebound = [np.median((hits["v_obj_after"] - hits["v_tool_before"] + hits["loss"][reading])[chosen] /
                             hits["v_tool_before"][chosen]) for reading in READINGS[:2]]
        errors = {name: [] for name in [*MODELS, SHAPED]}
        for key, own in sessions.items():
            own = np.intersect1d(own, chosen)
            others = np.setdiff1d(chosen, sessions[key])
            shape = shapes[key, "lines"]
            if not len(own) or not len(others):
                continue
            for name in errors:
                share = {}
                for part, at in (("own", own), ("others", others)):
                    m = rotor_mass(hits, at, shape) if name == SHAPED else hits["masses"][name][at]
                    share[part] = m / (m + mass)
                factor = np.median(ratio[others] / share["others"])  # 1 + e
                errors[name].extend(np.abs(factor * share["own"] / ratio[own] - 1))
        row(robot, f"{mass:g}", str(len(chosen)), f"{middle:.3f}", f"{low:.3f} to {high:.3f}",
            *(f"{e:.2f}" for e in rebound),
            *(f"{100 * np.median(e):.1f} %" if len(e) and np.isfinite(e).all() else "none" for e in errors.values()))


def two_boxes(hits):
    """The mass that light and heavy box give together, if their restitution were the same: no speed after a hit enters."""
    ratio = hits["v_obj_after"] / hits["v_tool_before"]
    for robot in sorted(set(hits["robot"]), key=int):
        boxes = sorted(set(hits["m_obj"][hits["robot"] == robot]))
        if len(boxes) != 2:
            continue
        light, heavy = (np.median(ratio[(hits["robot"] == robot) & (hits["m_obj"] == box)]) for box in boxes)
        mass = (heavy * boxes[1] - light * boxes[0]) / (light - heavy)
        print(f"\nrobot {robot}: both boxes with one restitution give {mass:.1f} kg, "
              f"with e = {light * (mass + boxes[0]) / mass - 1:.2f}")


def left_of(direction):
    return np.cross([0, 0, 1], direction)


def spins_table(hits, robots):
    """Spin and departure: what holds the box at the tool's face decides how they go together."""
    print("\n## Spin and departure of the box\n")
    header("robot", "box kg", "hits", "spin rad/s, quartiles", "departure deg, quartiles", "arm of the spin m",
           "R^2", "error without friction", "sticking, by spin alone", "sticking, thud")
    left = left_of(hits["direction"])
    # the table counts departures towards +x of the world, whichever way the robot hits
    angle = np.radians(hits["departure_deg"]) * np.sign(left[:, 0])
    across = hits["v_obj_after"] * np.tan(angle)
    tool = np.einsum("ij,ij->i", hits["velocity_before"], left)
    for robot, mass in sorted(set(zip(hits["robot"], hits["m_obj"])), key=lambda key: (int(key[0]), key[1])):
        chosen = np.flatnonzero((hits["robot"] == robot) & (hits["m_obj"] == mass))
        basis = np.stack([hits["spin_rad_s"], tool, np.ones(len(tool))], 1)
        halves = [chosen[hits["session"][chosen] == s] for s in sorted(set(hits["session"][chosen]))]
        errors, thud_errors, explained, arms = [], [], [], []
        for own in halves:
            others = np.setdiff1d(chosen, own) if len(halves) > 1 else own
            c = np.linalg.lstsq(basis[others], across[others], rcond=None)[0]
            arms.append(c[0])
            errors.extend(np.abs(np.arctan(basis[own] @ c / hits["v_obj_after"][own]) - angle[own]))
            explained.extend(across[own] - basis[own] @ c)
            thud_errors.extend(np.abs(departure_by_spin(hits, robots, i, max(c[0], 0.02)) - angle[i]) for i in own[:: max(1, len(own) // 40)])
        r_squared = 1 - np.sum(np.square(explained)) / np.sum((across[chosen] - across[chosen].mean()) ** 2)
        degrees = [np.degrees(np.median(np.abs(values))) for values in (angle[chosen], errors, thud_errors)]
        spin, departure = quartiles(hits["spin_rad_s"][chosen]), quartiles(np.degrees(angle[chosen]))
        row(robot, f"{mass:g}", str(len(chosen)), f"{spin[0]:.2f}, {spin[1]:.2f}, {spin[2]:.2f}",
            f"{departure[0]:.1f}, {departure[1]:.1f}, {departure[2]:.1f}", f"{np.median(arms):.3f}", f"{r_squared:.2f}",
            *(f"{value:.1f} deg" for value in degrees))


def departure_by_spin(hits, robots, i, half_depth):
    """The departure that predict_impact gives a uniform box with friction, hit where the measured spin comes out."""
    dynamics = dynamics_of(hits, robots, i)
    direction, mass = hits["direction"][i], hits["m_obj"][i]
    left, moment = left_of(direction), mass * (2 * half_depth) ** 2 / 6
    e = np.clip((hits["v_obj_after"][i] - hits["v_tool_before"][i] + hits["loss"]["lines"][i]) / hits["v_tool_before"][i], 0, 1)

    def leave(offset):
        box = thud.Object(mass=mass, inertia_W=moment * np.eye(3), com_W=dynamics.p_WC + half_depth * direction - offset * left)
        found = thud.predict_impact(dynamics, hits["dq_before"][i], friction=STICKS, restitution=e, object=box)
        return found[thud.InertiaModel.generalized_momentum].object

    low, high = -half_depth, half_depth  # a hit to the left of the middle turns the box clockwise
    wanted = hits["spin_rad_s"][i]
    for _ in range(20):
        middle = (low + high) / 2
        if leave(middle).angular_velocity[2] > wanted:
            low = middle
        else:
            high = middle
    velocity = leave((low + high) / 2).velocity
    return np.arctan2(velocity @ left, velocity @ direction)


def elastic_table(hits, robots, rotors):
    """The elastic arm with a tenth of the rotors and transmissions that are assumed: no source has the iiwa's."""
    print("\n## The arm with elastic joints, a tenth of the rotors, stiffnesses assumed\n")
    header("robot", "box kg", "K N m/rad", "contact ms", "mass by the links kg", "by the motors kg")
    for robot, mass in sorted(set(zip(hits["robot"], hits["m_obj"])), key=lambda key: (int(key[0]), key[1])):
        chosen = np.flatnonzero((hits["robot"] == robot) & (hits["m_obj"] == mass))
        i = chosen[len(chosen) // 2]
        dynamics = dynamics_of(hits, robots, i)
        j = np.append(dynamics.normal_W @ dynamics.J[:3], 1)  # the box is one more joint, without a motor
        M = np.block([[dynamics.M, np.zeros((7, 1))], [np.zeros((1, 7)), np.array([[mass]])]])
        for stiffness in (3e3, 1e4, 3e4):
            drives = thud.Drives(rotor_inertia=np.append(0.1 * rotors, np.nan), stiffness=np.append(np.full(7, stiffness), np.nan))
            profile = thud.elastic_profile(thud.elastic_arm(M, j, drives), thud.Viscoelastic(1e5, 1e5), -hits["v_tool_before"][i])
            end = thud.states(profile, np.array([profile.end]))
            slowed = [profile.impulse / (j[:7] @ rate[0, :7]) for rate in (end.joint_rate, end.motor_rate)]
            row(robot, f"{mass:g}", f"{stiffness:g}", f"{1e3 * profile.end:.1f}", f"{slowed[0]:.1f}", f"{slowed[1]:.1f}")


def session_rows(hits, sessions, shapes):
    rows = []
    for (robot, dataset, session), chosen in sessions.items():
        values = {"robot": robot, "dataset": dataset, "session": session, "posture": hits["config"][chosen[0]],
                  "m_obj [kg]": hits["m_obj"][chosen[0]], "hits": len(chosen)}
        ratio = hits["v_obj_after"][chosen] / hits["v_tool_before"][chosen]
        columns = {"v_tool_before [m/s]": hits["v_tool_before"][chosen], "v_obj_after [m/s]": hits["v_obj_after"][chosen],
                   "v_obj_over_v_tool [1]": ratio, "spin [rad/s]": hits["spin_rad_s"][chosen],
                   "departure [deg]": hits["departure_deg"][chosen]}
        for reading in READINGS:
            columns[f"impulse_over_loss, {reading} [kg]"] = hits["impulse"][chosen] / hits["loss"][reading][chosen]
        for model in MODELS:
            columns[f"{model} [kg]"] = hits["masses"][model][chosen]
        for name, numbers in columns.items():
            for part, value in zip(("q1", "median", "q3"), quartiles(numbers)):
                values[f"{name} {part}"] = f"{value:.4g}"
        for reading in READINGS:
            key = (robot, dataset, session), reading
            values[f"shape_by_others, {reading} [1]"] = f"{shapes[key]:.3f}"
            for model in MODELS:
                values[f"error of {model}, {reading} [1] median"] = f"{np.median(error(hits['masses'][model][chosen], hits, reading, chosen)):.3f}"
            tested = error(rotor_mass(hits, chosen, shapes[key]), hits, reading, chosen)
            values[f"error of {SHAPED}, {reading} [1] median"] = f"{np.median(tested):.3f}"
        rows.append(values)
    return rows


def draw(rows, path):
    try:
        import matplotlib
    except ImportError:
        sys.exit("no picture: matplotlib is not installed")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "thud"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(9, 5))
    at = np.arange(len(rows))
    for k, reading in enumerate(READINGS):
        low, middle, high = (np.array([float(each[f"impulse_over_loss, {reading} [kg] {part}"]) for each in rows])
                             for part in ("q1", "median", "q3"))
        inside = middle > 0
        axes.errorbar(at[inside] + 0.15 * (k - 1), middle[inside], np.abs([middle - low, high - middle])[:, inside],
                      fmt="os^"[k], ms=4, lw=1, color=f"C{k}", label=f"measured, {reading}: median and quartiles")
    for model, mark in zip(MODELS, ("_", "_", ".", "_")):
        values = [float(each[f"{model} [kg] median"]) for each in rows]
        axes.plot(at, values, mark, ms=12 if mark == "_" else 5, mew=2, color=f"C{3 + MODELS.index(model)}", label=model)
    axes.set_yscale("log")
    axes.set_ylim(2, 40)
    axes.set_yticks([2, 3, 5, 7, 10, 20, 30], ["2", "3", "5", "7", "10", "20", "30"])
    axes.minorticks_off()
    axes.set_xticks(at, [f"{each['robot']} {each['dataset']} {each['session'][:10]}" for each in rows], rotation=70, fontsize=7)
    axes.set_ylabel("mass [kg]")
    axes.set_title("iiwa 7 and 14 hit a box: apparent mass by session (data: EPFL LASA, air_hockey)", fontsize=9)
    axes.legend(fontsize=7, ncols=2)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description="Real hits of two KUKA iiwa on a box, against the models")
    parser.add_argument("hits", help="CSV file with a row per hit")
    parser.add_argument("--robots", required=True, help="folder with iiwa7*.urdf and iiwa14*.urdf")
    parser.add_argument("--out", help="folder for real_hits.csv and real_hits.svg")
    arguments = parser.parse_args()
    hits, all_hits = read_hits(arguments.hits)
    robots = load_robots(arguments.robots, sorted(set(hits["robot"])))
    rotors = thud.load_drives("iiwa14", 7).rotor_inertia
    add_models(hits, robots, rotors)
    sessions = sessions_of(hits)
    shapes = shape_by_others(hits, sessions)
    off = np.abs(hits["masses"]["generalized_momentum"] / hits["recorded_directional_mass"] - 1)
    print(f"{len(hits['robot'])} hits of {all_hits} without a flag, in {len(sessions)} sessions of a robot; "
          f"generalized momentum is {100 * np.median(off):.1f} % from what the robots logged")
    masses_table(hits, sessions, shapes)
    posture_table(hits)
    speeds_table(hits, sessions, shapes)
    two_boxes(hits)
    spins_table(hits, robots)
    elastic_table(hits, robots, rotors)
    if not arguments.out:
        return
    folder = Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    rows = session_rows(hits, sessions, shapes)
    with open(folder / "real_hits.csv", "w", newline="") as file:
        file.write("# Medians and quartiles of hits by EPFL LASA, repository epfl-lasa/air_hockey; examples/real_hits.py\n")
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    draw(rows, folder / "real_hits.svg")


if __name__ == "__main__":
    main()
