"""Logs by the reference writer of each format become datasets with the hits that are in them; broken ones are refused in one line."""

import contextlib
import dataclasses
import io
import itertools
import json
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import warnings
from pathlib import Path

import numpy as np

import log_files
import thud
from log_files import SPEEDS, TOUCHES, WRITERS, Hits, write_bag1, write_mcap
from support import POINT, refusal, rotation
from thud.logs import hdf5, import_log, read_log
from thud.logs.__main__ import main
from thud.logs.trials import rest_level

WALL = {"robot": "panda", "frame": POINT.frame, "offset": POINT.offset, "normal": POINT.normal_W}
WORDS = ["--robot", "panda", "--frame", "panda_foot", "--offset", "0,0,0.0223", "--normal", "-1,0,0"]
TOUCH = 2e-4  # of a 32 ms contact in 0.1 N of noise, sampled at 1 kHz: as window.hpp says, relatively [s]
PEAK = 0.01  # of the force, relatively: noise and the moving rest
SPEED = 1e-4  # relatively: the samples of a straight approach
POSTURE = 1e-4  # [rad]: the joints' way in the error of the touch
GIVEN = {"LabVIEW measurement": {"q": log_files.posture(0), "speed": 0.12}}  # it has no joints
HITS = Hits()


def said(*words: str) -> tuple[int, str, str]:
    """Status, standard output and standard error of the command line."""
    out, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
        status = main(list(words))
    return status, out.getvalue(), error.getvalue()


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)


class Formats(Case):
    def test_known_hits_of_every_format(self):
        for name, (file, write) in WRITERS.items():
            with self.subTest(name):
                path = write(self.folder / file, HITS)
                found = import_log(path, **WALL, **GIVEN.get(name, {}))
                self.assertTrue(name.startswith(found.sources[0].log.format), found.sources)
                self.check(name, found)
                thud.write_dataset(self.folder / f"{file}.h5", found.dataset)  # which validates it

    def check(self, name: str, found):
        franka, lvm = name == "libfranka CSV", name == "LabVIEW measurement"
        hits = 1 if franka else len(TOUCHES)
        self.assertEqual(len(found.impacts), hits, found.left_out)
        self.assertEqual(found.left_out, ())
        for i, (impact, trial) in enumerate(zip(found.impacts, found.dataset.trials)):
            # a filter of 2 ms delays and rounds what libfranka estimates, and its times are whole milliseconds
            self.assertAlmostEqual(impact.time, TOUCHES[i], delta=1.5e-3 if franka else TOUCH)
            self.assertEqual((impact.trial, trial.configuration), (trial.name, impact.configuration))
            if not franka:
                self.assertAlmostEqual(impact.peak / HITS.peaks[i], 1, delta=PEAK)
                window = thud.find_contact(trial.force)
                self.assertEqual(window.sign, 1)
                self.assertAlmostEqual(window.peak / HITS.peaks[i], 1, delta=PEAK)
                self.assertAlmostEqual(window.start, TOUCHES[i], delta=TOUCH)
            if not lvm:
                self.assertAlmostEqual(impact.speed / SPEEDS[i], 1, delta=SPEED)
                np.testing.assert_allclose(impact.q, HITS.postures[i], atol=5e-4 if franka else POSTURE)
                self.assertEqual(trial.joints.position.shape, trial.joints.torque.shape)
                np.testing.assert_allclose(trial.joints.torque[0], 0.5)
        if franka:
            self.assertEqual(found.dataset.trials[0].force.time.size, 0)
        elif not lvm:
            self.assertEqual([impact.configuration for impact in found.impacts], ["c1", "c1", "c1", "c2"])
            self.assertEqual([trial.speed for trial in found.dataset.trials], [0.08, 0.12, 0.12, 0.18])  # 0.12 and 0.121 are alike
            self.assertEqual([trial.repeat for trial in found.dataset.trials], [1, 1, 2, 1])

    def test_what_a_log_has(self):
        path = write_bag1(self.folder / "a.bag", Hits((0.5,), (0.12,), 1.0))
        with read_log(path) as log:
            kinds = {topic.name: (topic.type, topic.count, topic.role) for topic in log.topics}
        self.assertEqual(kinds["/ft/wrench"], ("geometry_msgs/msg/WrenchStamped", 1000, "force"))
        self.assertEqual(kinds["/joint_states"], ("sensor_msgs/msg/JointState", 220, "joints"))
        self.assertEqual(kinds["/notes"][2], "")
        status, text, _ = said("info", str(path), "--json")
        told = json.loads(text)
        self.assertEqual((status, told["kind"], told["format"], len(told["topics"])), (0, "log", "rosbag 1", 3))
        self.assertAlmostEqual(told["start"], log_files.ZERO / 1e9, delta=1e-3)

    def test_text_of_libfranka_with_and_without_blanks(self):
        for blanks in ("", " "):
            path = self.folder / "franka.csv"
            path.write_text(log_files.franka_text(HITS, 1, blanks))
            found = import_log(path, **WALL)
            self.assertAlmostEqual(found.impacts[0].speed / SPEEDS[1], 1, delta=SPEED)
            stored = import_log(path, **WALL, force_topic="state.tau_ext_hat_filtered")
            self.assertGreater(stored.dataset.trials[0].force.force.max(), 0.8 * HITS.peaks[1])

    def test_lvm_with_decimal_commas_and_its_own_steps(self):
        path = log_files.write_lvm(self.folder / "a.lvm", HITS, ",")
        lines = path.read_text().splitlines()
        start = next(i for i, line in enumerate(lines) if line.startswith("X_Value")) + 1
        path.write_text("\n".join(lines[:start] + ["\t" + line.split("\t", 1)[1] for line in lines[start:]]))
        found = import_log(path, **WALL, **GIVEN["LabVIEW measurement"])
        self.assertEqual([round(impact.time, 2) for impact in found.impacts], [round(touch, 2) for touch in TOUCHES])

    def test_arrays_in_other_units_and_with_names(self):
        import scipy.io

        names = np.array([log_files.NAMES[i] for i in (1, 0, 2, 3, 4, 5, 6)], object)
        order = [1, 0, 2, 3, 4, 5, 6]
        scipy.io.savemat(self.folder / "a.mat", {
            "ft": {"time": 1e3 * HITS.time, **{f"F{axis}": 1e-3 * HITS.force[:, i] for i, axis in enumerate("xyz")}},
            "arm": {"time": 1e3 * HITS.joint_time, "q": HITS.q[:, order], "names": names}})
        found = import_log(self.folder / "a.mat", **WALL, units="time=ms,force=kN")
        for i, impact in enumerate(found.impacts):
            self.assertAlmostEqual(impact.peak / HITS.peaks[i], 1, delta=PEAK)
            self.assertAlmostEqual(impact.speed / SPEEDS[i], 1, delta=SPEED)  # from positions alone
            np.testing.assert_allclose(impact.q, HITS.postures[i], atol=POSTURE)
        self.assertEqual(found.sources[0].force.topic, "ft.fx,fy,fz")
        self.assertIn("by name", found.sources[0].joints.how)


class Choices(Case):
    """What an experimentalist meets in a bag."""

    def bag(self, hits: Hits = Hits((1.2,), (0.12,), 2.4), **options) -> Path:
        path = self.folder / "a.bag"
        path.unlink(missing_ok=True)
        return write_bag1(path, hits, **options)

    def flat(self, hits: Hits) -> Path:
        return log_files.write_flat(self.folder / "a.flat", hits)

    def test_axis_and_sign(self):
        path, peak = self.bag(), HITS.peaks[1]
        found = import_log(path, **WALL)
        self.assertTrue(found.sources[0].force.how.startswith("-z"), found.sources[0].force.how)
        rest = found.dataset.trials[0].force
        self.assertLess(abs(np.median(rest.force[rest.time < 1.15])), 0.3)  # of 22 N, which drift by 1.2 N/s
        for axis in ("z", "-z"):
            given = import_log(path, **WALL, force_axis=axis)
            np.testing.assert_allclose(given.dataset.trials[0].force.force, rest.force, atol=1e-9)
            self.assertEqual(any("reversed" in text for text in given.warnings), axis == "z")
        self.assertAlmostEqual(import_log(path, **WALL, force_axis="norm").impacts[0].peak / peak, 1, delta=PEAK)
        across = import_log(path, **WALL, force_axis="x").impacts[0].peak
        self.assertAlmostEqual(across / peak, 0.05, delta=0.01)
        self.assertIn("frame wall_sensor, which is no link", refusal(thud.InputError, import_log, path, **WALL, force_axis="normal"))
        self.assertIn("must be one of x, y, z", refusal(thud.InputError, import_log, path, **WALL, force_axis="up"))

    def test_a_sensor_on_the_robot_turns_with_it(self):
        # In the axes of the foot the force that pushes it out of the wall, along -x of the world, has several components.
        q, away = log_files.posture(1), np.zeros(3)
        corner = lambda at: thud.contact_dynamics(log_files.ROBOT, thud.ContactPoint("panda_foot", at, [1, 0, 0]), q).p_WC
        R = np.column_stack([corner(axis) - corner(away) for axis in np.eye(3)])
        to_foot = R.T @ rotation([0, 1, 0], np.pi / 2)  # the sensor's -z is the world's -x
        tilted = rotation([0, 0, 1], 0.6)
        path = self.bag(frame="panda_foot", turn=to_foot)
        found = import_log(path, **WALL, force_axis="normal")
        self.assertAlmostEqual(found.impacts[0].peak / HITS.peaks[1], 1, delta=PEAK)
        path = self.bag(frame="wall_sensor", turn=tilted @ rotation([1, 0, 0], 0.6))
        self.assertTrue(any("not along one axis" in text for text in import_log(path, **WALL).warnings))

    def test_numbers_that_a_driver_does_not_have(self):
        finger = import_log(self.bag(unknown=[(signal, "panda_finger_joint1") for signal in ("q", "dq", "tau")]), **WALL)
        self.assertEqual((finger.sources[0].joints.samples, finger.sources[0].joints.dropped), (480, 0))
        self.assertEqual(finger.dataset.trials[0].joints.torque.shape, finger.dataset.trials[0].joints.position.shape)
        found = import_log(self.bag(unknown=[("tau", "panda_joint7"), ("dq", "panda_joint2"), ("dq", "panda_joint3")]), **WALL)
        self.assertEqual(found.sources[0].joints.dropped, 0)
        self.assertAlmostEqual(found.impacts[0].speed / 0.12, 1, delta=SPEED)  # from positions alone
        self.assertEqual((found.dataset.trials[0].joints.torque.size, found.dataset.trials[0].joints.velocity.size), (0, 0))
        self.assertIn("/joint_states: the torque of panda_joint7 is never a number: it counts as not measured, of any joint", found.warnings)
        self.assertIn("/joint_states: the velocity of panda_joint2, panda_joint3 is never a number: it counts as not measured, of any joint",
                      found.warnings)
        self.assertIn("the position of panda_joint4 is never a finite number",
                      refusal(thud.InputError, import_log, self.bag(unknown=[("q", "panda_joint4")]), **WALL))
        arrays = log_files.variables(HITS)
        arrays["arm"]["q"] = np.where(np.arange(len(HITS.joint_time)) % 2, np.nan, HITS.q.T)
        arrays["arm"]["tau"] = np.where(np.arange(len(HITS.joint_time)) % 2, HITS.tau.T, np.nan)
        self.assertIn("has no sample of which all numbers are finite",
                      refusal(thud.InputError, import_log, log_files.save_matlab5(self.folder / "a.mat", arrays), **WALL))

    def test_the_peak_is_the_largest_stored_sample(self):
        """Of a half sine as short as four samples, wherever these fall on it. The window's smoothed peak of that is low by a quarter."""
        for length, after in itertools.product((0.004, 0.012, 0.03), (0, 2.5e-4, 5e-4, 7.5e-4)):
            hits = Hits((1.2,), (0.12,), 2.4)
            since = hits.time - 1.2 - after
            half_sine = 40 * np.sin(np.pi * since / length) * ((since > 0) & (since < length))
            hits.force = np.outer(half_sine, [0, 0, -1]) + 0.1 * np.random.default_rng(5).normal(size=hits.force.shape)
            found = import_log(self.flat(hits), **WALL)
            self.assertEqual(found.impacts[0].peak, found.dataset.trials[0].force.force.max())
            self.assertAlmostEqual(found.impacts[0].peak, half_sine.max(), delta=0.4)
            self.assertGreater(half_sine.max(), (0.92 if length == 0.004 else 0.99) * 40)  # half a step beside the top

    def test_a_log_in_degrees(self):
        arrays = log_files.variables(Hits((1.2,), (0.12,), 2.4))
        for signal in ("q", "dq"):
            arrays["arm"][signal] = np.degrees(arrays["arm"][signal])
        path = log_files.save_matlab5(self.folder / "deg.mat", arrays)
        self.assertIn("joint panda_joint6 at 187.4 rad is outside its limits, -0.0175 to 3.752 rad: is the log in degrees? --unit position=deg",
                      import_log(path, **WALL).warnings)
        found = import_log(path, **WALL, units="position=deg,force=N")
        self.assertEqual(found.warnings, ())
        self.assertAlmostEqual(found.impacts[0].speed / 0.12, 1, delta=SPEED)
        np.testing.assert_allclose(found.impacts[0].q, log_files.posture(1), atol=POSTURE)
        self.assertIn("position=grad: must be one of rad, deg", refusal(thud.InputError, import_log, path, **WALL, units="position=grad"))

    def test_steps_of_time_that_no_clock_has(self):
        for step in (1e-300, 5e-324):
            arrays = {"t": step * np.arange(1000), "force": HITS.force[:1000, 2], "q": HITS.q[:1000], "dq": HITS.dq[:1000]}
            self.assertIn("time must increase from sample to sample",
                          refusal(thud.InputError, import_log, log_files.save_matlab5(self.folder / "a.mat", arrays), **WALL))

    def test_several_topics_are_listed(self):
        path = self.bag(sensors=2)
        self.assertEqual(refusal(thud.InputError, import_log, path, **WALL),
                         "force-topic: missing: the log has several: /ft/wrench, /ft/wrench2")
        self.assertEqual(import_log(path, **WALL, force_topic="/ft/wrench2").sources[0].force.topic, "/ft/wrench2")
        self.assertIn("the log has", refusal(thud.InputError, import_log, path, **WALL, force_topic="/ft"))
        self.assertIn("is no wrench", refusal(thud.InputError, import_log, path, **WALL, force_topic="/notes"))
        self.assertIn("must be one of sensor_msgs", refusal(thud.InputError, import_log, path, **WALL, force_topic="/ft/wrench", joint_topic="/notes"))
        field = import_log(path, **WALL, force_topic="/ft/wrench:wrench.force.z")
        self.assertAlmostEqual(field.impacts[0].peak / HITS.peaks[1], 1, delta=PEAK)
        self.assertIn("is no force", refusal(thud.InputError, import_log, path, **WALL, force_topic="/ft/wrench:header"))

    def test_clocks(self):
        clocks = lambda imported: (imported.sources[0].force.clock, imported.sources[0].joints.clock)
        self.assertEqual(clocks(import_log(self.bag(), **WALL)), ("header stamp", "header stamp"))
        bare = import_log(self.bag(stamps=False), **WALL)
        self.assertEqual(clocks(bare), ("receive time", "receive time"))
        self.assertAlmostEqual(bare.impacts[0].speed / 0.12, 1, delta=0.01)
        apart = import_log(self.bag(ahead=-3.5), **WALL)  # the sensor's computer has another time
        self.assertTrue(any("different clocks, 3.5" in text for text in apart.warnings), apart.warnings)
        self.assertAlmostEqual(apart.impacts[0].speed / 0.12, 1, delta=1e-3)  # half a millisecond of delay on the way
        shifted = import_log(self.bag(), **WALL, clock_offset=-0.2)
        np.testing.assert_allclose(np.subtract(shifted.impacts[0].q, log_files.posture(1)), -0.2 * log_files.approach(log_files.posture(1), 0.12), atol=POSTURE)
        self.assertEqual(shifted.dataset.trials[0].clock_offset, -0.2)
        self.assertIn("the force is from", refusal(thud.InputError, import_log, self.bag(), **WALL, clock_offset=100))

    def test_a_tool_that_presses_on_or_bounces_is_one_trial(self):
        for hits in (Hits((1.2, 2.4), (0.12, 0.08), 3.5, pressing=8), Hits((1.2, 2.4), (0.12, 0.08), 3.5, bounces=2)):
            found = import_log(self.flat(hits), **WALL)
            self.assertEqual(len(found.impacts), 2, found.left_out)
            for impact, touch, peak in zip(found.impacts, hits.touches, hits.peaks):
                self.assertAlmostEqual(impact.time, touch, delta=TOUCH)
                self.assertAlmostEqual(impact.peak / peak, 1, delta=PEAK)

    def test_hits_beside_all_that_moves_a_force(self):
        """Noise of up to 0.6 N, gravity that moves by up to 15 N within a second or two, bounces, pressing on."""
        random = np.random.default_rng(6)
        for _ in range(12):
            count = random.integers(2, 5)
            touches = np.round((1 + np.cumsum(random.uniform(1.2, 3, count))) / 0.005) * 0.005 + 4e-4
            hits = Hits(tuple(touches), tuple(map(float, random.choice((0.08, 0.12, 0.18), count))), float(touches[-1]) + 1,
                        pressing=float(random.choice([0, 8])), bounces=int(random.choice([0, 2])))
            hump = np.hanning(3000)
            moving = np.convolve(random.normal(size=len(hits.time)), hump / np.linalg.norm(hump), "same")
            hits.force += random.uniform(0, 0.6) * random.normal(size=hits.force.shape)
            hits.force += np.outer(random.uniform(0, 5) * moving, [0.3, 0.5, 1])
            found = import_log(self.flat(hits), **WALL)
            self.assertEqual(len(found.impacts), count, (found.left_out, found.warnings))
            for impact, touch, peak in zip(found.impacts, hits.touches, hits.peaks):
                self.assertAlmostEqual(impact.time, touch, delta=2e-3)
                self.assertAlmostEqual(impact.peak / peak, 1, delta=0.08)  # 2 % at 95 % of them; the rest moves meanwhile

    def test_small_hits_are_named(self):
        hits = Hits((1.2, 2.4), (0.02, 0.18), 3.5)
        found = import_log(self.flat(hits), **WALL)
        self.assertEqual(len(found.impacts), 1)
        self.assertTrue(any("1 smaller rises of up to" in text for text in found.warnings), found.warnings)
        both = import_log(self.flat(hits), **WALL, min_force=3)
        self.assertEqual([round(impact.speed, 3) for impact in both.impacts], [0.02, 0.18])
        late = import_log(self.flat(hits), **WALL, min_force=3, to=2)
        self.assertEqual(len(late.impacts), 1)
        self.assertIn("has 0 samples", refusal(thud.InputError, import_log, self.flat(hits), **WALL, from_=50))

    def test_what_is_given_goes_before_the_log(self):
        path = self.flat(Hits((1.2, 2.4), (0.08, 0.18), 3.5))
        q = log_files.posture(0) + 0.01
        found = import_log(path, **WALL, q=q, speed=[0.082, 0.17])
        self.assertEqual([trial.speed for trial in found.dataset.trials], [0.082, 0.17])
        np.testing.assert_array_equal(found.dataset.header.configurations[0].q, q)
        away = import_log(path, **{**WALL, "normal": [1, 0, 0]})
        self.assertIsNone(away.dataset)
        self.assertIn("does not approach along the normal", away.left_out[0].why)
        self.assertIn("planar_2r has 2 joints, and the columns have no names",
                      refusal(thud.InputError, import_log, path, **{**WALL, "robot": "planar_2r", "frame": "tip"}))

    def test_several_logs_are_one_dataset(self):
        speeds, still = (0.08, 0.12, 0.121), log_files.write_flat(self.folder / "still.flat", Hits((), (), 1.0))
        logs = [log_files.write_flat(self.folder / f"{i}.flat", Hits((1.2,), (speed,), 2.4)) for i, speed in enumerate(speeds)]
        found = import_log([*logs, still], **WALL)
        self.assertEqual([(trial.name, trial.configuration, trial.speed, trial.repeat) for trial in found.dataset.trials],
                         [("hit_01", "c1", 0.08, 1), ("hit_02", "c1", 0.12, 1), ("hit_03", "c1", 0.12, 2)])
        self.assertEqual([impact.log for impact in found.impacts], [str(log) for log in logs])
        self.assertTrue(any(text.startswith(f"{still}: no rise") for text in found.warnings), found.warnings)
        thud.write_dataset(self.folder / "a.h5", found.dataset)

    def test_joints_by_the_names_of_the_log(self):
        path = self.bag()
        order = log_files.NAMES[::-1]  # wrong on purpose: the last joint is taken for the first
        found = import_log(path, **WALL, joints=order, speed=0.12)
        np.testing.assert_allclose(found.impacts[0].q, log_files.posture(1)[::-1], atol=POSTURE)
        self.assertIn("are not there", refusal(thud.InputError, import_log, path, **WALL, joints=["a", *order[1:]]))
        self.assertIn("of the robot's joints joint1, joint2 are not there",
                      refusal(thud.InputError, import_log, path, **{**WALL, "robot": "planar_2r", "frame": "tip"}))
        self.assertIn("3 names", refusal(thud.InputError, import_log, path, **WALL, joints=["a", "b", "c"]))


class CommandLine(Case):
    def test_tables_and_json(self):
        path, out = write_mcap(self.folder / "a.mcap", Hits((1.2,), (0.12,), 2.4)), str(self.folder / "a.h5")
        status, text, error = said("import", str(path), *WORDS, "--out", out)
        self.assertEqual((status, error), (0, ""))
        self.assertIn("-z, positive in contact", text)
        self.assertIn("by name, without panda_finger_joint1", text)
        self.assertEqual(len(thud.read_dataset(out).trials), 1)
        before = Path(out).read_bytes()
        status, text, error = said("import", str(path), *WORDS, "--out", out)
        self.assertEqual((status, text, Path(out).read_bytes()), (2, "", before))
        status, text, error = said("import", str(path), *WORDS, "--out", out, "--force", "--json")
        told = json.loads(text)
        self.assertEqual((status, told["trials"], told["logs"][0]["force"]["topic"], told["logs"][0]["joints"]["topic"]), (0, 1, "/ft/wrench", "/joint_states"))
        self.assertEqual(Path(out).read_bytes(), before)

    def test_refusals(self):
        path, out = str(write_mcap(self.folder / "a.mcap", Hits((0.1,), (0.12,), 0.2))), str(self.folder / "b.h5")
        for words, what in (
            (["import", path, "--out", out], "--robot: missing"),
            (["import", path, *WORDS, "--out", "a.csv"], "--out: a.csv: must end in .h5"),
            (["import", path, *WORDS, "--out", out, "--normal", "1,0"], "--normal: 1,0: must be three numbers"),
            (["import", path, *WORDS, "--out", out, "--frame", "hand"], "frame: hand"),
            (["import", path, *WORDS, "--out", out, "--speed", "-1"], "--speed: -1: must be finite and > 0"),
            (["import", path, *WORDS, "--out", out, "--q", "elbow=1"], "--q: elbow: not a moving joint"),
            (["import", path, *WORDS, "--out", out, "--unit", "time=ms"], "--unit: time=ms: times of MCAP"),
            (["import", path, *WORDS, "--out", out, "--unit", "force=kN"], "--unit: force=kN: forces of a geometry_msgs/msg/WrenchStamped"),
            (["import", path, *WORDS, "--out", out, "--unit", "position=deg"], "--unit: position=deg: joint positions of MCAP"),
            (["import", path, *WORDS, "--out", out, "--min-force", "x"], "--min-force: 'x': must be a finite number"),
            (["import", path, *WORDS, "--out", out, "--colour", "red"], "arguments: unrecognized"),
            (["info", str(self.folder / "none.bag")], "No such file"),
            (["info", str(self.folder)], "is a folder without metadata.yaml"),
            (["info"], "LOG: missing"),
            ([], "import|info: missing"),
        ):
            status, text, error = said(*words)
            self.assertEqual((status, text), (2, ""), words)
            self.assertRegex(error, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")
            self.assertIn(what, error)
        self.assertFalse(Path(out).exists())

    def test_without_an_impact_nothing_is_written(self):
        path, out = write_mcap(self.folder / "a.mcap", Hits((), (), 1.0)), self.folder / "a.h5"
        status, text, error = said("import", str(path), *WORDS, "--out", str(out))
        self.assertEqual(status, 1)
        self.assertRegex(error, r"\Athud: [^\n]+: no impact: [^\n]+\n\Z")
        self.assertEqual(text.splitlines()[0], f"{out}: nothing is written")
        self.assertNotIn("0 trials", text)
        self.assertFalse(out.exists())

    def test_what_nobody_expected_is_one_line(self):
        with unittest.mock.patch("thud.logs.__main__.read_log", side_effect=IndexError("a line\nand another")):
            self.assertEqual(said("info", "a.bag"), (2, "", "thud: a.bag: cannot be read: IndexError: a line and another\n"))
        with unittest.mock.patch("thud.logs.__main__.import_log", side_effect=IndexError("7")):
            self.assertEqual(said("import", "a.bag", "b.bag", *WORDS, "--out", str(self.folder / "a.h5")),
                             (2, "", "thud: a.bag, b.bag: cannot be read: IndexError: 7\n"))

    def test_a_full_disk(self):
        path = write_mcap(self.folder / "a.mcap", Hits((), (), 0.1))
        with open("/dev/full", "w") as full:
            done = subprocess.run([sys.executable, "-m", "thud.logs", "info", str(path)], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stderr), (1, "thud: standard output: cannot be written: No space left on device\n"))

    def test_as_a_module_and_without_its_packages(self):
        done = subprocess.run([sys.executable, "-m", "thud.logs", "--help"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0)
        self.assertIn("Examples:\n  python -m thud.logs import hits.bag", done.stdout)
        path = write_bag1(self.folder / "a.bag", Hits((0.1,), (0.12,), 0.2))
        hide = "import sys; sys.modules['rosbags'] = None; from thud.logs.__main__ import main; sys.exit(main(['info', sys.argv[1]]))"
        done = subprocess.run([sys.executable, "-c", hide, str(path)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (2, f"thud: {path}: needs the Python package rosbags: pip install 'thud[logs]'\n"))


class Damaged(Case):
    """Truncated and garbled files: one line, exit 2 (or what is still right), never a traceback, nothing half written."""

    truncations, flips = 10, 20

    def test_every_format(self):
        small = Hits((0.05,), (0.12,), 0.1)
        random = np.random.default_rng(3)
        for name, (file, write) in WRITERS.items():
            path = write(self.folder / file, small)
            victim = max(path.glob("*"), key=lambda each: each.stat().st_size) if path.is_dir() else path
            whole, refused = victim.read_bytes(), 0
            with self.subTest(name):
                self.assertEqual(self.survives(path), 0)
                for end in [0, *random.integers(1, len(whole), self.truncations)]:
                    victim.write_bytes(whole[:end])
                    refused += self.survives(path) == 2
                self.assertGreaterEqual(refused, self.truncations // 4 if name == "libfranka CSV" else self.truncations)  # text may end with a line
                for _ in range(6 if name == "MATLAB" else self.flips):  # a process of its own reads each, half a second
                    spoilt = bytearray(whole)
                    for at in random.integers(0, len(whole), random.integers(1, 4)):
                        spoilt[at] ^= 1 << random.integers(8)
                    victim.write_bytes(spoilt)
                    self.survives(path)

    def survives(self, path: Path) -> int:
        out = self.folder / "out.h5"
        words = [*WORDS, "--q", "0,0.1,0,-1.5,0,3.1708,0.7854", "--speed", "0.12"]
        status, text, error = said("import", str(path), *words, "--out", str(out))
        self.assertEqual(out.exists(), status == 0)
        out.unlink(missing_ok=True)
        if status:
            self.assertRegex(error, r"\Athud: [^\n]+: [^\n]+\n\Z")
        if status == 2:
            self.assertEqual(text, "")
        return status

    def test_what_is_called_a_log_and_is_none(self):
        for suffix in (".bag", ".db3", ".mcap", ".mat", ".lvm", ".flat", ".csv"):
            for content in (b"", b"time,force\n1,2\n", bytes(range(256)) * 4):
                path = self.folder / f"a{suffix}"
                path.write_bytes(content)
                status, text, error = said("info", str(path))
                self.assertEqual((status, text), (2, ""), suffix)
                self.assertRegex(error, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")

    def test_scipy_may_crash_hang_or_run_out_of_memory(self):
        path = log_files.write_matlab5(self.folder / "a.mat", Hits((0.05,), (0.12,), 0.1))
        for body, what in (("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "(SciPy crashes on it, signal 11)"),
                           ("import time; time.sleep(60)", "(SciPy has not read it within 1 s)"),
                           ("raise MemoryError", "it claims more memory than there is"),
                           ("raise ValueError('a bad byte')", "(ValueError: a bad byte)")):
            reader = self.folder / "reader.py"
            reader.write_text(body)
            with unittest.mock.patch("thud.logs.matlab5.__file__", str(reader)), unittest.mock.patch("thud.logs.matlab5.LONGEST", 1):
                status, text, error = said("info", str(path))
            self.assertEqual((status, text), (2, ""))
            self.assertRegex(error, r"\Athud: [^\n]+: cannot be read as a MATLAB file: [^\n]+\n\Z")
            self.assertIn(what, error)

    def test_a_type_of_numbers_that_matlab_does_not_have(self):
        """At which SciPy reads beyond its table of types."""
        path = self.folder / "a.mat"
        whole = log_files.save_matlab5(path, {"t": np.arange(1000.0)}, compressed=False).read_bytes()
        path.write_bytes(whole[:176] + b"\xc2" + whole[177:])
        done = subprocess.run([sys.executable, "-m", "thud.logs", "info", str(path)], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"\Athud: [^\n]+: cannot be read as a MATLAB file: [^\n]+\n\Z")

    def test_hdf5_in_a_newer_form_than_matlab_writes(self):
        found = import_log(log_files.write_flat(self.folder / "a.flat", Hits((1.2,), (0.12,), 2.4)), **WALL)
        thud.write_dataset(self.folder / "a.h5", found.dataset)
        (self.folder / "a.h5").rename(self.folder / "a.mat")
        status, text, error = said("info", str(self.folder / "a.mat"))
        self.assertEqual((status, text), (2, ""))
        self.assertRegex(error, r"cannot be read as MATLAB 7.3: has an? [^\n]+\n\Z")

    def test_hdf5_that_claims_more_than_it_can_hold(self):
        """Arrays without data of their own would be as large as a file of any size says, each of them."""
        path = self.folder / "a.mat"
        log_files.Matio().write(path, {"t": np.zeros(10_000), "q": np.zeros((10_000, 7))}, compressed=True)
        self.assertGreater(80_000 * 8 / path.stat().st_size, 20)
        file = hdf5.File(path.read_bytes())
        node = file.node(file.node(file.root).links["q"])
        np.testing.assert_array_equal(file.array(node), np.zeros((7, 10_000)))
        claims = dataclasses.replace(node, shape=(1, 120 * path.stat().st_size), layout=struct.pack("<BBQQ", 3, 1, hdf5.UNDEFINED, 0))
        file.array(claims)
        with self.assertRaisesRegex(hdf5.Unreadable, "more numbers than a file of its size can hold"):
            file.array(claims)
        file.content = 1 << 40  # of a large file
        with self.assertRaisesRegex(hdf5.Unreadable, "has an array of more than 1 GiB"):
            file.array(dataclasses.replace(claims, shape=(1, (1 << 27) + 1)))

    def test_names_take_time_in_proportion(self):
        """By the square of their number or length it were minutes."""
        columns = ",".join(f"c{i}.x" for i in range(10_000))
        for titles in (columns, columns.replace("x", "fx"), "x" + " " * 100_000 + "y"):
            path = self.folder / "a.csv"
            path.write_text(f"time,success_rate,{titles}\n" + "1,1" + ",2" * len(titles.split(",")) + "\n")
            start = time.monotonic()
            with read_log(path) as log:
                self.assertEqual(len(log.topics), 2 + len(titles.split(",")))
            self.assertLess(time.monotonic() - start, 20)

    def test_a_force_of_three_axes_one_of_which_is_there_twice(self):
        """In two units: neither is dropped, nor taken for another axis."""
        path = self.folder / "a.csv"
        for titles in ("fx,fx [N],fy", "fx,fy,fz,fz [N]"):
            path.write_text(f"time,success_rate,{titles}\n" + "1,1" + ",2" * len(titles.split(",")) + "\n")
            with read_log(path) as log:
                self.assertEqual([topic.name for topic in log.topics], ["time", "success_rate", *titles.split(",")])

    def test_a_clock_that_jumps_by_ages(self):
        time = np.array([0, 0.1, 0.2, 0.3, 1e30, 1e300])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            level = rest_level(time, np.full((6, 3), 2.0))
        np.testing.assert_array_equal(level, np.full((6, 3), 2.0))

    def test_a_bag_without_its_data(self):
        path = log_files.write_bag2(self.folder / "a", Hits((0.1,), (0.12,), 0.2), "SQLITE3")
        next(path.glob("*.db3")).unlink()
        self.assertEqual(said("info", str(path))[0], 2)
        (path / "metadata.yaml").write_text("rosbag2_bagfile_information: {version: [}")
        self.assertEqual(said("info", str(path))[0], 2)
        shutil.rmtree(path)


if __name__ == "__main__":
    unittest.main()
