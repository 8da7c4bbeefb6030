# Real hits through the door for datasets: a folder with a manifest, for thud import and thud study.
#
#     python real_hits_dataset.py HITS.csv --robots FOLDER --robot 7 --out FOLDER
#     thud study FOLDER --out study --friction 0.6 --object-restitution 0.2
#
# HITS.csv holds what was read from each recording, not the recording: two samples of the joints (just before the hit, and
# 10 ms after it) and how fast the box left. Its motion is written as the straight line with that speed, direction and
# spin, hit in the middle of a face, so a study gives these back; where the box was hit is not known. The reference speed of
# a trial is that of the tool, rounded to 0.05 m/s: it makes the cells.
import argparse
import csv
from pathlib import Path

import numpy as np
from real_hits import dynamics_of, left_of, load_robots, read_hits

RATE, REST, FOLLOWED, AFTER = 200, 0.04, 0.1, 0.01  # of the poses [Hz], and times before the hit, after it, of dq_after [s]


def write_table(path, titles, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(titles)
        writer.writerows([[f"{value:.9g}" for value in row] for row in rows])


def write_hit(folder, name, hits, robots, i, half_depth):
    joints = [joint.name for joint in robots[hits["robot"][i]].joints]
    q, before, after = hits["q"][i], hits["dq_before"][i], hits["dq_after"][i]
    times = [-0.005, 0, AFTER]
    write_table(folder / f"joints/{name}.csv", ["time", *(f"{signal}.{joint}" for signal in ("q", "dq") for joint in joints)],
                [[t, *(q + t * (before if t <= 0 else after)), *(before if t <= 0 else after)] for t in times])
    direction = hits["direction"][i]
    left = left_of(direction)
    angle = np.radians(hits["departure_deg"][i]) * np.sign(left[0])
    velocity = hits["v_obj_after"][i] * (direction + np.tan(angle) * left)
    centre = dynamics_of(hits, robots, i).p_WC + half_depth * direction
    rows = []
    for k in range(-round(REST * RATE), round(FOLLOWED * RATE) + 1):
        t = k / RATE
        turn = hits["spin_rad_s"][i] * max(t, 0) / 2
        rows.append([t, *(centre + max(t, 0) * velocity), np.cos(turn), 0, 0, np.sin(turn)])
    write_table(folder / f"object/{name}.csv", ["time", "x", "y", "z", "qw", "qx", "qy", "qz"], rows)


def main():
    parser = argparse.ArgumentParser(description="Real hits as a dataset without force records")
    parser.add_argument("hits", help="CSV file with a row per hit")
    parser.add_argument("--robots", required=True, help="folder with iiwa7*.urdf and iiwa14*.urdf")
    parser.add_argument("--robot", default="7", help="7 or 14")
    parser.add_argument("--half-depth", type=float, default=0.1, help="of the box, from its face to its middle [m]")
    parser.add_argument("--out", required=True, help="folder to write, which must not exist")
    arguments = parser.parse_args()
    hits, _ = read_hits(arguments.hits)
    robots = load_robots(arguments.robots, [arguments.robot])
    chosen = np.flatnonzero(hits["robot"] == arguments.robot)
    folder = Path(arguments.out)
    folder.mkdir(parents=True)
    direction, frame, offset = (hits[key][chosen[0]] for key in ("direction", "offset_frame", "offset"))
    text = ["# Hits by EPFL LASA, repository epfl-lasa/air_hockey; written by examples/real_hits_dataset.py",
            'robot = "robot.urdf"', f'robot_name = "iiwa{arguments.robot}"', "[contact]", f'frame = "{frame}"',
            f"offset = {[float(x) for x in offset]}", f"normal = {[0.0 - float(x) for x in direction]}"]
    for posture in sorted(set(hits["config"][chosen])):
        q = np.median(hits["q"][chosen][hits["config"][chosen] == posture], axis=0)
        text += ["[[configuration]]", f'name = "posture{posture}"', f"q = {[round(float(x), 6) for x in q]}"]
    for i in chosen:
        name = f"{hits['dataset'][i]}_{i:04d}"
        mass = hits["m_obj"][i]
        moment = mass * (2 * arguments.half_depth) ** 2 / 6
        write_hit(folder, name, hits, robots, i, arguments.half_depth)
        text += ["[[trial]]", f'name = "{name}"', f'configuration = "posture{hits["config"][i]}"',
                 f"speed = {0.05 * round(hits['v_tool_before'][i] / 0.05):.2f}", f'joints = "joints/{name}.csv"', f'object = "object/{name}.csv"',
                 f"object_mass = {mass:g}", f"object_inertia = [{moment:g}, {moment:g}, {moment:g}, 0, 0, 0]"]
    source = sorted(Path(arguments.robots).glob(f"iiwa{arguments.robot}[!0-9]*.urdf"))[0]
    (folder / "robot.urdf").write_text(source.read_text())
    (folder / "manifest.toml").write_text("\n".join(text) + "\n")
    print(f"{folder}: {len(chosen)} hits of the iiwa {arguments.robot}")


if __name__ == "__main__":
    main()
