import gc
import tempfile
import threading
import unittest
from math import nan
from pathlib import Path

import numpy as np

import thud
from support import ROOT, refusal, same

LAWS = (thud.Spring(3e5, 0.2), thud.Maxwell(1e5, 250), thud.Viscoelastic(3e5, 1.25e7), thud.HuntCrossley(1e7, 2e8, 1.5))


def sample_header(trials: int, seed: int = 7) -> thud.DatasetHeader:
    return thud.DatasetHeader(
        source=thud.DataSource.simulated,
        robot="planar_2r",
        urdf=thud.urdf_text("planar_2r"),
        point=thud.ContactPoint("tip", [0.01, -0.1, 1 / 3], [-1, 0.25, 0]),
        detection_joints=[1, 0],
        configurations=[thud.Configuration("c1", [0.1, 1 / 3], 0.7), thud.Configuration("c2", [-1, -1])],
        plan=[f"c{i % 2 + 1}_v{i}.x-1" for i in range(trials)],
        campaign='seed = 1\n# "quotes", \\ and é\n',
        seed=seed,
        versions={'a "strange" name\\': "4.0 é", "thud": "0.1.0"},
    )


def sample_object(random: np.random.Generator) -> thud.ObjectLog:
    turns = random.normal(size=(9, 4))
    return thud.ObjectLog(mass=1.9, inertia=np.diag([0.02, 0.03, 0.04]), time=np.linspace(10, 10.04, 9), position=turns[:, :3],
                          orientation=turns / np.linalg.norm(turns, axis=1, keepdims=True))


def sample_trial(header: thud.DatasetHeader, index: int) -> thud.Trial:
    random = np.random.default_rng(index)
    signals = lambda: random.uniform(-3, 3, (40, 2))
    joints = thud.JointLog(np.linspace(10, 10.04, 40), signals(), signals(), signals(), signals())
    return thud.Trial(
        name=header.plan[index],
        configuration=header.configurations[index % 2].name,
        speed=0.08 + 0.02 * (index % 3),
        repeat=index + 1,
        force=thud.Record(
            -0.002 + np.arange(300) / 25e3,
            random.uniform(-1, 200, 300),
            dropped=3,
            comments=["made by hand"],
            notes=[thud.Warning(thud.WarningCode.stored_note, text="columns not used: x")],
        ),
        joints=(joints, joints.replace(velocity=np.empty((0, 0))), thud.JointLog())[index % 3],
        clock_offset=random.uniform(-1, 1),
        alarm_time=12.345678901234567 if index % 2 == 0 else nan,
        object=sample_object(random) if index % 3 == 1 else thud.ObjectLog(),
    )


def sample_truth(index: int) -> thud.Truth:
    return thud.Truth(LAWS[index % 4], touch_time=1 / 3, q=[0.1, 0.2], dq=[-0.3, 0.7], velocity=-0.12, peak_force=180)


def sample_dataset(trials: int) -> tuple[thud.Dataset, list[thud.Truth]]:
    header = sample_header(trials)
    made = [sample_trial(header, i) for i in range(trials)]
    return thud.Dataset(header, made), list(map(sample_truth, range(trials)))


class Case(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)


class Dataset(Case):
    def test_reads_back_what_it_wrote(self):
        dataset, truths = sample_dataset(5)
        for name in ("a.h5", "a.hdf5", "folder"):
            path = self.folder / name
            thud.write_dataset(path, dataset, truths)
            self.assertTrue(same(thud.read_dataset(path), dataset), name)
            self.assertTrue(same(thud.DatasetReader(path).header, dataset.header), name)
            self.assertEqual(tuple(thud.DatasetReader(path).finished), dataset.header.plan)
            for trial, truth in zip(dataset.trials, truths):
                self.assertTrue(same(thud.DatasetReader(path).trial(trial.name), trial))
                self.assertTrue(same(thud.DatasetReader(path).truth(trial.name), truth))
        self.assertEqual((self.folder / "a.h5").read_bytes(), (self.folder / "a.hdf5").read_bytes())
        reader = thud.DatasetReader.in_memory((self.folder / "a.h5").read_bytes())  # which nothing else keeps
        gc.collect()
        self.assertTrue(same(reader.dataset(), dataset))
        with self.assertRaisesRegex(thud.FileError, "^mine: is not HDF5"):
            thud.DatasetReader.in_memory(b"mine", name="mine")
        back = thud.read_dataset(self.folder / "folder")
        thud.write_dataset(self.folder / "b.h5", back, truths)
        self.assertEqual((self.folder / "a.h5").read_bytes(), (self.folder / "b.h5").read_bytes())

    def test_without_optional_parts(self):
        dataset, _ = sample_dataset(3)
        bare = thud.Dataset(dataset.header.replace(campaign="", versions={}, detection_joints=[]), dataset.trials[:2])
        for name in ("a.h5", "folder"):
            thud.write_dataset(self.folder / name, bare)
            self.assertTrue(same(thud.read_dataset(self.folder / name), bare))
            self.assertIsNone(thud.DatasetReader(self.folder / name).truth(bare.trials[0].name))
            self.assertRaises(thud.FileError, thud.DatasetReader(self.folder / name).trial, dataset.header.plan[2])

    def test_replaces_a_dataset_by_force_and_nothing_else(self):
        dataset, truths = sample_dataset(2)
        for name in ("a.h5", "folder"):
            path = self.folder / name
            thud.write_dataset(path, dataset)
            self.assertIn("already exists", refusal(thud.FileError, thud.write_dataset, path, dataset, truths))
            self.assertIsNone(thud.DatasetReader(path).truth(dataset.trials[0].name))
            thud.write_dataset(path, dataset, truths, force=True)
            self.assertIsNotNone(thud.DatasetReader(path).truth(dataset.trials[0].name))
        mine = self.folder / "mine.h5"
        mine.write_text("mine")
        self.assertIn("is not a dataset", refusal(thud.FileError, thud.write_dataset, mine, dataset, force=True))
        extra = self.folder / "folder/force/extra.csv"
        extra.write_text("mine")
        self.assertNotIn(str(extra), thud.DatasetReader(self.folder / "folder").files)
        self.assertIn("holds force/extra.csv",
                      refusal(thud.FileError, thud.write_dataset, self.folder / "folder", dataset, force=True))
        self.assertEqual((mine.read_text(), extra.read_text()), ("mine", "mine"))

    def test_memory_is_limited(self):
        dataset, _ = sample_dataset(2)
        long = thud.Record(1e-4 * np.arange(20_000), np.zeros(20_000))  # 320 kB
        dataset = thud.Dataset(dataset.header, [trial.replace(force=long) for trial in dataset.trials])
        for name in ("a.h5", "folder"):
            thud.write_dataset(self.folder / name, dataset)
            reader = thud.DatasetReader(self.folder / name, memory=500_000)
            for trial in reader.finished:
                self.assertEqual(len(reader.trial(trial).force.time), 20_000)
            self.assertIn("GiB of memory that the dataset may take", refusal(thud.FileError, reader.dataset))

    def test_what_is_no_dataset_or_damaged(self):
        path = self.folder / "a.h5"
        path.write_text("time,force\n1,2\n")
        rule = "a dataset is an HDF5 file or a folder with a manifest.toml"
        self.assertEqual(refusal(thud.FileError, thud.read_dataset, path), f"{path}: is not HDF5: {rule}")
        dataset, truths = sample_dataset(2)
        path.unlink()
        thud.write_dataset(path, dataset, truths)
        whole = path.read_bytes()
        for end in range(0, len(whole), 997):
            path.write_bytes(whole[:end])
            self.assertTrue(refusal(thud.FileError, thud.read_dataset, path).startswith(f"{path}: "), end)
        refused, random = 0, np.random.default_rng(1)
        for at in random.integers(len(whole), size=300):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1 :])
            try:
                self.assertTrue(same(thud.read_dataset(path), dataset), at)
            except thud.FileError:
                refused += 1
        self.assertGreater(refused, 50)

    def test_checks_what_is_to_be_written(self):
        dataset, truths = sample_dataset(3)

        def says(header: dict = {}, trial: dict = {}) -> str:
            trials = [dataset.trials[0].replace(**trial), *dataset.trials[1:]]
            spoilt = thud.Dataset(dataset.header.replace(**header), trials)
            return refusal(thud.InputError, thud.write_dataset, self.folder / "a.h5", spoilt)

        name = f"trial {dataset.header.plan[0]}"
        with self.assertRaisesRegex(TypeError, "DatasetHeader.source: wrong type"):
            says({"source": "measured"})  # a DataSource, not its name
        self.assertEqual(says({"detection_joints": [0, 2]}), "detection_joints: 2: must be from 0 to 1")
        self.assertEqual(says({"configurations": []}), "configurations: empty: needs at least one name")
        self.assertEqual(says(trial={"speed": -0.1}), f"{name}.speed: -0.1: must be finite and > 0")
        self.assertEqual(says(trial={"repeat": 0}), f"{name}.repeat: 0: counts from 1")
        self.assertEqual(says(trial={"name": "other"}), "trial: other: is not in the plan")
        self.assertEqual(list(self.folder.iterdir()), [])
        few = refusal(thud.InputError, thud.write_dataset, self.folder / "a.h5", dataset, truths[:1])
        self.assertEqual(few, "truth: 1 entries: must be one for each of the 3 trials, or none")

    def test_a_manifest_as_people_write_it(self):
        text = (ROOT / "docs/dataset.md").read_text()
        start = text.index("```toml\n") + len("```toml\n")
        (self.folder / "manifest.toml").write_text(text[start : text.index("```", start)])
        table = np.column_stack([np.arange(20.0), np.arange(20.0) ** 2])
        for name in ("slow.csv", "fast.csv"):
            np.savetxt(self.folder / name, table, delimiter=",", header="time [ms],force", comments="")
        dataset = thud.read_dataset(self.folder)
        self.assertEqual((dataset.header.source, dataset.header.plan), (thud.DataSource.measured, ("slow", "fast")))
        self.assertEqual((dataset.trials[1].speed, dataset.trials[1].force.time[3]), (0.18, 0.003))
        np.testing.assert_array_equal(dataset.trials[1].force.force, table[:, 1])
        self.assertEqual(dataset.trials[1].joints.time.size, 0)
        (self.folder / "manifest.toml").write_text('robot = "none.urdf"\n')
        says = refusal(thud.FileError, thud.read_dataset, self.folder)
        self.assertIn("manifest.toml:1: robot: none.urdf: cannot be read", says)

    def test_a_manifest_with_joints_repeats_and_a_plan(self):
        manifest = """robot = "planar_2r"
plan = ["late", "b", "a"]
detection_joints = ["joint2"]
[contact]
frame = "tip"
normal = [-1, 0, 0]
[[configuration]]
name = "bent"
q = [0.1, 1]
[[trial]]
force = "a.csv"
joints = "joints.csv"
speed = 0.1
[[trial]]
name = "b"
force = "a.csv"
speed = 0.1
alarm_time = 3
"""
        (self.folder / "manifest.toml").write_text(manifest)
        (self.folder / "a.csv").write_text("time [ms],force\n" + "".join(f"{i},{i * i}\n" for i in range(20)))
        joints = "tau.joint1; time [ms]; tau.joint2; tau_ref.joint2; tau_ref.joint1\n1;0.5;2;3;4\n5;1.5;6;7;-0.8\n"
        (self.folder / "joints.csv").write_text(joints)
        dataset = thud.read_dataset(self.folder)
        self.assertEqual([(each.name, each.repeat) for each in dataset.trials], [("b", 2), ("a", 1)])
        self.assertEqual((dataset.trials[0].alarm_time, dataset.header.detection_joints), (3, (1,)))
        log = dataset.trials[1].joints
        np.testing.assert_array_equal(log.torque, [[1, 2], [5, 6]])
        np.testing.assert_array_equal(log.torque_reference, [[4, 3], [-0.8, 7]])
        self.assertEqual(log.position.size, 0)
        outside = manifest.replace('"a.csv"', '"../a.csv"', 1)
        (self.folder / "manifest.toml").write_text(outside)
        rule = "force: ../a.csv: must be the name of a file in the folder of the manifest"
        self.assertIn(rule, refusal(thud.FileError, thud.read_dataset, self.folder))

    def test_takes_any_number(self):
        dataset, _ = sample_dataset(1)
        odd = [-0.0, 5e-324, -2.2250738585072014e-308, 1e12, 0.1, 1 / 3, 123456789.123456789, 1e300]
        trial = dataset.trials[0]
        force = trial.force.force.copy()
        force[:7] = odd[:7]
        joints = trial.joints.replace(torque=np.resize(odd, (40, 2)))
        dataset = dataset.replace(trials=[trial.replace(force=trial.force.replace(force=force), joints=joints)])
        for name in ("a.h5", "folder"):
            thud.write_dataset(self.folder / name, dataset)
            back = thud.read_dataset(self.folder / name).trials[0]
            self.assertEqual(back.force.force.tobytes(), force.tobytes())
            self.assertEqual(back.joints.torque.tobytes("F"), joints.torque.tobytes("F"))

    def test_several_threads_read(self):
        dataset, truths = sample_dataset(4)
        thud.write_dataset(self.folder / "a.h5", dataset, truths)
        good = []

        def read() -> None:
            for trial in 5 * dataset.trials:
                good.append(same(thud.DatasetReader(self.folder / "a.h5").trial(trial.name), trial))

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(good, [True] * 80)


class Writer(Case):
    def test_grows_by_one_trial_at_a_time(self):
        dataset, truths = sample_dataset(3)
        header, path = dataset.header, self.folder / "a.h5"
        writer = thud.DatasetWriter(path, header)
        self.assertEqual(tuple(writer.missing), header.plan)
        self.assertEqual(thud.read_dataset(path).trials, ())
        busy = refusal(thud.FileError, thud.DatasetWriter, path, header)
        self.assertEqual(busy, f"{path}: is being written by another process: a dataset has one writer at a time")
        for i in (2, 0):
            writer.store(dataset.trials[i], truths[i])
        says = refusal(thud.InputError, writer.finish)
        self.assertEqual(says, f"trials: {header.plan[1]}: is missing, and so are 0 more of the 3 planned")
        del writer  # as if interrupted
        writer = thud.DatasetWriter(path, header)
        self.assertEqual(writer.missing, [header.plan[1]])
        writer.store(dataset.trials[1], truths[1])
        writer.finish()
        thud.write_dataset(self.folder / "whole.h5", dataset, truths)
        self.assertEqual(path.read_bytes(), (self.folder / "whole.h5").read_bytes())
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["a.h5", "whole.h5"])

    def test_refuses_another_header_and_foreign_files(self):
        path, header = self.folder / "a.h5", sample_header(2)
        thud.DatasetWriter(path, header)
        other = header.replace(seed=8)
        self.assertIn("seed is 7, not 8", refusal(thud.FileError, thud.DatasetWriter, path, other))
        self.assertEqual(thud.difference(header, other), "seed is 7, not 8")
        self.assertIsNone(thud.difference(header, sample_header(2)))
        thesis = self.folder / "b.h5"
        thesis.write_text("my thesis")
        self.assertRaises(thud.FileError, thud.DatasetWriter, thesis, header)
        self.assertEqual(thesis.read_text(), "my thesis")


if __name__ == "__main__":
    unittest.main()
