import copy
import enum
import functools
import gc
import pickle
import subprocess
import sys
import tempfile
import tracemalloc
import unittest
from pathlib import Path

import numpy as np

import claims
import thud
from support import DAMPED, POINT, TIMES, dynamics, posture, record, same, small_campaign

PANDA = thud.load_robot("panda")


def sweep_answers() -> list[object]:
    """What a sweep says of claims that one key decides."""
    plan = thud.parse_sweep('points = 40\n[range]\n"joints.stiffness" = { log = [2e3, 3e4] }')
    with tempfile.TemporaryDirectory() as folder:
        writer = thud.SweepWriter(Path(folder) / "a.h5", plan)
        for row in writer.missing():
            point = writer.point(row)
            cells = [("refined", 0.0), ("seed", float(point.seed)), ("joints.stiffness", point.values[0]), ("failure", "")]
            cells += [("r1", "supported" if point.values[0] > 8e3 else "not supported"), ("r1.statistic", 0.0), ("algebraic.error", 0.2), ("algebraic.ratio", 1.2)]
            writer.store(row, [thud.SweepCell(name, "", value) for name, value in cells])
        writer.finish()
        result = thud.read_sweep_result(Path(folder) / "a.h5")
        answers = thud.answer_sweep(result)
        report = thud.write_sweep_report(result, answers, "a.h5", Path(folder) / "out")
    claim = answers.claims[0]
    return [answers, claim, claim.deciding[0], answers.models[0], report]


@functools.cache
def instances() -> dict[str, object]:
    """One object of every class with fields, each filled by the function that makes it."""
    campaign = small_campaign()
    d, lab = dynamics(0), thud.simulate_trial(campaign, 0)
    dataset, truths = claims.build(1, configurations=1)
    study = thud.study(dataset, truths)
    trial = next(each for each in study.trials if each.ok)
    profile = thud.force_profile(thud.Viscoelastic(3e5, 2.5e6), 4, -0.12)
    prediction = thud.predict(d, thud.approach(d, 0.12).dq)
    model = prediction[thud.InertiaModel.algebraic]
    summary = thud.summarize(record(DAMPED))
    alarm = thud.find_alarm([0, 1], [[0.0], [2.0]], thud.ThresholdDetector([0], 1))
    with tempfile.TemporaryDirectory() as folder:
        thud.simulate(campaign, Path(folder) / "a.h5")
        cell = thud.summarize_cells(Path(folder) / "a.h5")[0]
        report = thud.write_report(study, "a.h5", Path(folder) / "out")
    found = [PANDA, PANDA.joints[0], PANDA.bodies[0], PANDA.frames[1], PANDA.base, POINT, thud.State([1, 2], [3, 4]), d]
    found += [thud.Follower(PANDA.joints[0], PANDA.bodies[0], 0, 2.0, 0.1)]
    found += [thud.lagrange_terms(PANDA, posture(0), posture(1)), thud.algebraic(d)]
    found += [thud.approach(d, 0.1), thud.load_robot("panda_fer").warnings[0]]
    found += [prediction, model, model.impulse, thud.CompositeBody(d.mass, d.com_W, d.Ic_W)]
    found += [thud.ContactGeometry(d.p_WC, d.normal_W), profile, thud.state(profile, 1e-3)]
    found += [profile.peak, profile.end_of_compression, profile.end_of_contact, profile.end_of_force]
    found += [profile.impulse, profile.energy, thud.Spring(1, 0.5), thud.Maxwell(1, 2), thud.HuntCrossley(1, 2, 1.5)]
    found += [profile.law, record(DAMPED), summary, summary.sampling, summary.contact, alarm, thud.warnings(profile)[0]]
    found += [thud.fit_all(TIMES, DAMPED, velocity=-0.12), trial.found, trial.found.laws[0]]
    found += [trial.found.laws[0].parameters[0], dataset, dataset.header, dataset.trials[0], dataset.trials[0].joints]
    found += [dataset.header.configurations[0], truths[0], campaign, campaign.drives, campaign.control, campaign.sensor]
    found += [campaign.variation, lab, lab.run, lab.run.energy, cell, cell.velocity, cell.threshold, report]
    found += [thud.predict_batch(PANDA, POINT, [posture(0)]), campaign.friction]
    struck = thud.predict_impact(d, thud.approach(d, 0.12).dq, friction=0.3, object=thud.Object(mass=2))
    by_free_joints = struck[thud.InertiaModel.generalized_momentum]
    found += [struck, by_free_joints, by_free_joints.impact, by_free_joints.impact.phases[0], by_free_joints.object]
    found += [thud.Object(mass=2), thud.ContactResponse(np.eye(3)), thud.impact_path(np.eye(3), -d.normal_W, d.normal_W)[0]]
    found += [thud.impact(thud.ContactResponse(np.eye(3), -d.normal_W), thud.ContactResponse(), d.normal_W)]
    hits = thud.predict_impact_batch(PANDA, POINT, [posture(0), posture(0) * np.nan], np.zeros(7))
    found += [hits, hits.refused[0]]
    arm = thud.elastic_arm(PANDA, POINT, posture(0), thud.load_drives("panda", 7))
    hit = thud.elastic_profile(arm, thud.Viscoelastic(1e6, 7e6), -0.12)
    found += [arm, thud.CommandChange(0.0, np.zeros(7), np.zeros(7), np.zeros(7)), hit.turns[0], thud.energies(hit)]
    times = np.arange(0, 0.02, 4e-5)
    measured = thud.Record(times, thud.forces(hit, times - 3e-3))
    identified = thud.identify(measured, arm=arm, velocity=-0.12, kind=thud.LawKind.viscoelastic)
    found += [thud.states(hit, [1e-3]), identified, identified.laws[0]]
    free = [thud.DriveParameter.stiffness, thud.DriveParameter.damping]
    alone = thud.identify(measured, arm=arm, velocity=-0.12, kind=thud.LawKind.viscoelastic, free=free, intervals=False)
    shared = thud.ArmHit(arm, alone.contact, alone.laws[0], 1)
    armed = thud.study(dataset, truths, drives=thud.load_drives("panda", 7)).arm
    found += [shared, thud.fit_arm([shared], free=free), thud.regime(arm, hit), armed, study.verdicts_as_in_paper[0]]
    region = thud.body_regions()["chest"]
    speeds = thud.speed_limit(PANDA, POINT, posture(0), thud.approach(d, 1).dq, thud.robot_limits(PANDA))
    found += [region, thud.BodyContact(region), thud.body_speeds(thud.BodyContact(region, area=1e-4), 5), thud.robot_limits(PANDA)]
    found += [speeds, speeds.rows[0], thud.impact_rows(d, posture(0), 1e-3, thud.robot_limits(PANDA), posture(0)), thud.load_limits("franka", 7)]
    aims = thud.aim(PANDA, POINT, thud.AimTarget(d.p_WC), starts=4)
    found += [thud.AimTarget(d.p_WC), aims, aims.aims[0], thud.reach(PANDA, POINT, thud.AimTarget(d.p_WC), posture(0))]
    map = thud.capability_map(PANDA, POINT, cell=0.3, samples=1000)
    with tempfile.TemporaryDirectory() as folder:
        mapped = thud.write_map(map, PANDA, POINT, folder)
    found += [map, map.convergence, mapped, thud.WorkspaceBox([0, 0, 0]), thud.direction_masses(thud.composite_rigid_body(d), thud.InertiaModel.composite_rigid_body)]
    found += [thud.summarize_residuals(TIMES, np.sin(7e3 * TIMES))]
    found += [study, trial, trial.touch, study.cells[0], study.cells[0].ratio, study.verdicts[0], study.truth[0]]
    translation = thud.translate(thud.Maxwell(3e5, 4e3), 4, 0.12, to="gazebo", step=1e-3)
    found += [translation, translation.of_law, translation.parameters[0]]
    time = np.arange(0, 0.3, 5e-3)
    ball = thud.ObjectLog(0.5, time=time, position=np.outer(np.maximum(time - 0.1, 0), [0.4, 0, 0]))
    bare = thud.Dataset(dataset.header, [dataset.trials[0].replace(force=thud.Record(), object=ball)])
    objects = thud.study(bare).objects
    found += [ball, objects, objects.trials[0], objects.trials[0].predictions[0], objects.models[0], thud.Box([0.4])]
    sweep = thud.parse_sweep('points = 1\n[range]\n"joints.stiffness" = { log = [2e3, 3e4] }')
    found += [thud.study(dataset, truths, sample=1).cells[0].band]  # of more trials than that
    found += [thud.sweep_task(sweep, thud.sweep_points(sweep)[0])]
    found += [sweep, sweep.ranges[0], thud.sweep_points(sweep)[0], thud.SweepCell("x", "1", 0.5), thud.wilson(1, 2)]
    found += sweep_answers()
    return {type(each).__name__: each for each in found}


def fields(value: object) -> list[str]:
    return [name for name, kind in vars(type(value)).items() if isinstance(kind, property) or not name.startswith("_")]


class Values(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.all = instances()

    def test_every_class_is_here(self):
        classes = [each for each in vars(thud).values() if isinstance(each, type) and not issubclass(each, enum.Enum)]
        self.assertEqual({each.__name__ for each in classes if "__setstate__" in vars(each)}, set(self.all))

    def test_fields_cannot_be_set_and_arrays_are_read_only(self):
        arrays = 0
        for name, value in self.all.items():
            for field in fields(value):
                found = getattr(value, field)
                if callable(found):
                    continue
                with self.assertRaises(AttributeError, msg=f"{name}.{field}"):
                    setattr(value, field, found)
                if isinstance(found, np.ndarray) and found.size:
                    arrays += 1
                    with self.assertRaises(ValueError, msg=f"{name}.{field}"):
                        found[...] = 0
                    self.assertRaises(ValueError, found.setflags, write=True)
                if isinstance(found, (list, dict)) and found:  # the caller's own
                    found.clear()
                    self.assertTrue(getattr(value, field), f"{name}.{field}")
            self.assertRaises(AttributeError, setattr, value, "colour", "red")
        self.assertGreater(arrays, 40)

    def test_pickle_and_copies(self):
        for name, value in self.all.items():
            for protocol in (2, pickle.HIGHEST_PROTOCOL):
                self.assertTrue(same(pickle.loads(pickle.dumps(value, protocol)), value), name)
            deep = copy.deepcopy(value)
            self.assertTrue(same(deep, value) and same(copy.copy(value), value), name)
            for a, b in zip(value.__getstate__(), deep.__getstate__()):
                self.assertFalse(isinstance(a, np.ndarray) and np.shares_memory(a, b), name)

    def test_same_tells_a_difference(self):
        """Else the round trips above would show nothing."""
        self.assertFalse(same(POINT, POINT.replace(offset=[0, 0, 1])))
        dataset = self.all["Dataset"]
        other = dataset.trials[0].replace(force=dataset.trials[0].force.replace(dropped=1))
        self.assertFalse(same(dataset, dataset.replace(trials=[other, *dataset.trials[1:]])))

    def test_repr(self):
        for name, value in self.all.items():
            self.assertIn(name, repr(value)[: len(name) + 1])
        names = {name: getattr(thud, name) for name in ("Spring", "Variation", "ContactPoint", "State")}
        for value in (thud.Spring(3e5, 0.25), thud.Variation(law=0.1), POINT, thud.State([1, 2], [0.1, 0.2])):
            self.assertTrue(same(eval(repr(value), {**names, "array": np.array}), value))

    def test_replace(self):
        for name, value in self.all.items():
            if not hasattr(value, "replace"):
                continue
            self.assertTrue(same(value.replace(), value), name)
            self.assertRaises(TypeError, value.replace, colour="red")
            for field, found in zip(fields(value), value.__getstate__()):
                self.assertTrue(same(value.replace(**{field: found}), value), f"{name}.{field}")
        moved = POINT.replace(offset=[1, 2, 3])
        np.testing.assert_array_equal(moved.offset, [1, 2, 3])
        np.testing.assert_array_equal(POINT.offset, [0, 0, 0.0223])
        self.assertRaises(TypeError, POINT.replace, frame=3)


class Arrays(unittest.TestCase):
    def test_views_share_memory_and_keep_their_owner(self):
        made = {
            "Record.time": lambda: thud.Record(np.arange(1e5), np.ones(100000)).time,
            "ContactDynamics.M": lambda: dynamics(0).M,
            "Batch.effective_mass": lambda: thud.predict_batch(
                PANDA, POINT, np.tile(posture(0), (20000, 1))
            ).effective_mass[thud.InertiaModel.algebraic],
            "nested": lambda: thud.simulate_trial(small_campaign(), 0).trial.joints.position,
            "Robot": lambda: thud.load_robot("panda").joints[3].p_PJ,
            "DynamicsWorkspace": lambda: thud.contact_dynamics(thud.DynamicsWorkspace(PANDA, POINT), posture(0)).J,
        }
        for name, make in made.items():
            view, kept = make(), make().copy()
            gc.collect()
            garbage = [np.full(view.shape, 7.0) for _ in range(20)]
            np.testing.assert_array_equal(view, kept, name)
            del garbage
        whole = thud.Record(np.arange(9.0), np.ones(9))
        self.assertTrue(np.shares_memory(whole.time, whole.time))
        d = dynamics(0)
        self.assertTrue(np.shares_memory(d.M, d.M))

    def test_a_workspace_is_written_again(self):
        workspace = thud.DynamicsWorkspace(PANDA, POINT)
        first = thud.contact_dynamics(workspace, posture(0))
        kept = first.M.copy()
        second = thud.contact_dynamics(workspace, posture(2))
        self.assertTrue(np.shares_memory(first.M, second.M))
        np.testing.assert_array_equal(first.M, dynamics(2).M)
        np.testing.assert_array_equal(kept, dynamics(0).M)

    def test_what_goes_in_may_be_changed_afterwards(self):
        q = posture(0)
        state, expected = thud.State(q, q), q.copy()
        q[:] = 0
        np.testing.assert_array_equal(state.q, expected)

    def test_all_kinds_of_arrays_give_the_same_numbers(self):
        q = np.round(posture(0) * 4) / 4  # exact in float32 too
        expected = thud.contact_dynamics(PANDA, POINT, q).M
        strided = np.zeros(21)
        strided[::3] = q
        odd = np.frombuffer(b"x" + q.tobytes(), dtype="u1")[1:].view(float)  # not aligned
        kinds = [q.astype("f4"), q.astype(">f8"), q.astype("f2"), list(q), tuple(q), strided[::3], q[::-1][::-1], odd]
        kinds += [np.float64(q), q.astype(object).astype(float), np.ma.asarray(q), memoryview(q)]
        for each in kinds:
            np.testing.assert_array_equal(thud.contact_dynamics(PANDA, POINT, each).M, expected)
        whole = np.array([0, 1, 0, -1, 0, 3, 1])
        of_whole = thud.contact_dynamics(PANDA, POINT, whole.astype(float)).M
        for kind in ("i1", "u1", "i4", "i8"):
            given = np.abs(whole) if kind == "u1" else whole
            found = thud.contact_dynamics(PANDA, POINT, given.astype(kind)).M
            same_as = of_whole if kind != "u1" else thud.contact_dynamics(PANDA, POINT, np.abs(whole) * 1.0).M
            np.testing.assert_array_equal(found, same_as)
        d = dynamics(1)
        for M in (np.ascontiguousarray(d.M), np.asfortranarray(d.M), d.M.tolist(), np.kron(d.M, np.eye(2))[::2, ::2]):
            for J in (np.ascontiguousarray(d.J), np.asfortranarray(d.J)):
                mass = thud.algebraic(M, J, d.normal_W).effective_mass
                self.assertEqual(mass, thud.algebraic(d).effective_mass)

    def test_contiguous_float64_goes_in_without_a_numpy_copy(self):
        q = np.tile(posture(0), (20000, 1))
        for given, copied in ((q, False), (np.asfortranarray(q), True), (q.astype("f4"), True)):
            tracemalloc.start()
            thud.predict_batch(PANDA, POINT, given)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
            self.assertEqual(peak > q.nbytes / 2, copied)

    def test_nor_does_cpp_copy_it(self):
        """A log of 64 MB whose answer is one number, in an interpreter of its own: how much its memory grows [KiB]."""
        program = (
            "import numpy as np, pathlib, sys, thud\n"
            "peak = lambda: int(pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])\n"
            "time, torque = np.arange(1e6), np.full((1000000, 8), 0.25, order=sys.argv[1])\n"
            "thud.quiet_level(time[:9], torque[:9].copy(sys.argv[1]), [0, 1], 0, 8)\n"
            "before = peak()\n"
            "assert thud.quiet_level(time, torque, [0, 1], 0, 9) == 0.5\n"
            "print(peak() - before)\n"
        )
        run = lambda order: subprocess.run([sys.executable, "-c", program, order], capture_output=True, check=True)
        self.assertLess(int(run("F").stdout), 32000)
        self.assertGreater(int(run("C").stdout), 32000)  # the library's matrices are column-major


if __name__ == "__main__":
    unittest.main()
