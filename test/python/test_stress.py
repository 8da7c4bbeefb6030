import gc
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from math import nan
from pathlib import Path

import numpy as np

import claims
import thud
from support import DAMPED, POINT, ROOT, TIMES, dynamics, record, same, small_campaign

PANDA = thud.load_robot("panda")
RECORD = ROOT / "data/records/viscoelastic.csv"
Q = np.random.default_rng(1).uniform(-2, 2, (200, 7))


def resident() -> int:
    """Memory that the process has now [bytes]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def settles(count: int, call) -> bool:
    """Whether rounds of so many calls come to need no more Python objects and memory. A leak shows in every round."""
    for _ in range(12):
        gc.collect()
        blocks, before = sys.getallocatedblocks(), resident()
        for _ in range(count):
            call()
        gc.collect()
        if sys.getallocatedblocks() - blocks < count / 4 and resident() - before < max(2**16, 64 * count):
            return True
    return False


def refused(call, *arguments, **keywords) -> None:
    try:
        call(*arguments, **keywords)
    except (thud.Error, TypeError):
        return
    raise AssertionError("not refused")


class Leaks(unittest.TestCase):
    def test_memory_stays_bounded(self):
        d, law, rec, bad = dynamics(0), thud.Viscoelastic(3e5, 2.5e6), record(DAMPED), np.full(7, nan)
        profile, workspace = thud.force_profile(law, 4, -0.12), thud.DynamicsWorkspace(PANDA, POINT)
        prediction, observer, header = thud.Prediction(7), thud.MomentumObserver(PANDA), thud.header(small_campaign())
        large = np.ones(20000)
        calls = {  # how often, and what
            "contact_dynamics": (1500, lambda: thud.contact_dynamics(PANDA, POINT, Q[0]).M),
            "workspace": (1500, lambda: thud.contact_dynamics(workspace, Q[0].tolist()).J),
            "predict": (1500, lambda: thud.predict(d, Q[0])[thud.InertiaModel.algebraic].impulse),
            "predict into": (1500, lambda: thud.predict(d, Q[0], prediction)),
            "from matrices": (1500, lambda: thud.algebraic(np.ascontiguousarray(d.M), d.J, d.normal_W)),
            "batch": (100, lambda: thud.predict_batch(PANDA, POINT, Q, Q, progress=lambda *each: None).status.all),
            "profile": (1500, lambda: thud.warnings(thud.force_profile(law, 4, -0.12))),
            "states": (200, lambda: thud.states(profile, large)),
            "record": (200, lambda: thud.Record(large, large).replace(dropped=3).time),
            "read": (200, lambda: thud.read_record(RECORD).force),
            "window": (200, lambda: thud.contact_samples(rec, thud.find_contact(rec)).force),
            "fit": (200, lambda: thud.fit(TIMES, DAMPED, thud.LawKind.viscoelastic, velocity=-0.12).parameters),
            "identify": (40, lambda: thud.identify(rec, velocity=-0.12).laws[0].parameters),
            "observer": (1500, lambda: observer.update(Q[0], Q[1], Q[2], 1e-3)),
            "robot": (200, lambda: thud.parse_urdf(header.urdf).joints[0].axis),
            "header": (400, lambda: header.replace(seed=3).configurations[0].q),
            "campaign": (100, lambda: thud.parse_campaign(thud.format_campaign(small_campaign()))),
            "refused number": (1500, lambda: refused(thud.contact_dynamics, PANDA, POINT, bad)),
            "refused array": (2000, lambda: refused(thud.contact_dynamics, PANDA, POINT, large)),
            "refused type": (2000, lambda: refused(thud.contact_dynamics, PANDA, POINT, "q")),
            "refused record": (2000, lambda: refused(thud.Record, ["a"] * 50, large)),
            "refused file": (2000, lambda: refused(thud.read_record, "none.csv")),
            "refused frame": (2000, lambda: refused(PANDA.frame, "hand")),
            "refused text": (2000, lambda: refused(thud.parse_record, "time,force\n" + 500 * "x")),
        }
        for name, (count, call) in calls.items():
            self.assertTrue(settles(count, call), name)
        kept: list = []  # and a leak is seen
        self.assertFalse(settles(300, lambda: kept.append(object())))
        self.assertFalse(settles(300, lambda: kept.append(bytearray(1000))))

    def test_references_come_back(self):
        q, robot, progress = Q[0].copy(), thud.load_robot("planar_2r"), lambda *each: None
        calls = [
            lambda: thud.contact_dynamics(PANDA, POINT, q),
            lambda: thud.State(q, q).replace(q=q),
            lambda: refused(thud.predict, dynamics(0), q, restitution=7),
            lambda: refused(thud.Robot, "r", [robot, q], [], []),
            lambda: thud.predict_batch(PANDA, POINT, Q, progress=progress),
            lambda: refused(robot.with_rotor_inertia, q),
        ]
        counts = lambda: [sys.getrefcount(each) for each in (q, Q, robot, progress, PANDA, POINT)]
        before = counts()
        for call in calls:
            for _ in range(500):
                call()
        self.assertEqual(counts(), before)

    def test_views_hold_their_owner_and_let_it_go(self):
        large = np.ones(100000)
        make = lambda: thud.Record(large, large).time
        views = [make() for _ in range(20)]
        self.assertTrue(all(np.array_equal(view, large) for view in views))
        del views
        self.assertTrue(settles(20, make))


class Threads(unittest.TestCase):
    def test_eight_threads_get_the_serial_results(self):
        shared = thud.read_record(RECORD)

        def work(robot: thud.Robot, rec: thud.Record) -> list:
            batch = thud.predict_batch(robot, POINT, Q, Q, jobs=1)
            found = thud.identify(rec, velocity=-0.12)
            fit = thud.fit(TIMES, DAMPED, thud.LawKind.hunt_crossley, velocity=-0.12)
            read = thud.read_record(RECORD)
            inertia = [thud.contact_dynamics(robot, POINT, q).M_inv_JT for q in Q[:50]]
            return [batch.effective_mass.all, batch.impulse_total.all, found, fit, read, inertia]

        expected, wrong, rounds = work(PANDA, shared), [], []
        deadline = time.monotonic() + 3

        def hammer(own: bool) -> None:
            robot, rec = (thud.load_robot("panda"), thud.read_record(RECORD)) if own else (PANDA, shared)
            while time.monotonic() < deadline:
                wrong.extend(i for i, (a, b) in enumerate(zip(work(robot, rec), expected)) if not same(a, b))
                rounds.append(1)

        threads = [threading.Thread(target=hammer, args=(i % 2 == 0,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])
        self.assertGreaterEqual(len(rounds), 16)

    def test_long_work_lets_other_threads_run(self):
        """A thread counts while another is inside one call; with the GIL held it would count once or twice."""
        long = np.arange(40000) / 25e3
        force = np.interp(long, TIMES, DAMPED) + np.random.default_rng(1).normal(size=long.size)
        many, dataset = np.tile(Q, (4000, 1)), claims.build(6, configurations=1)[0]
        with tempfile.TemporaryDirectory() as folder:
            calls = {
                "predict_batch": lambda: thud.predict_batch(PANDA, POINT, many, jobs=1),
                "fit": lambda: thud.fit_all(long, force, velocity=-0.12),
                "simulate": lambda: thud.simulate(small_campaign(), Path(folder) / "a.h5", jobs=1),
                "study": lambda: thud.study(dataset, jobs=1),
            }
            for name, call in calls.items():
                counted, done = [0], threading.Event()

                def count() -> None:
                    while not done.is_set():
                        counted[0] += 1
                        time.sleep(0)

                thread = threading.Thread(target=count)
                thread.start()
                while counted[0] < 10:
                    time.sleep(0.001)
                before, start = counted[0], time.monotonic()
                call()
                inside, taken = counted[0] - before, time.monotonic() - start
                done.set()
                thread.join()
                self.assertGreater(taken, 0.02, name)  # so long that the count means something
                self.assertGreater(inside, 50, name)


class Interruptions(unittest.TestCase):
    def test_exceptions_of_progress_come_out(self):
        class Enough(Exception):
            pass

        def stop(done: int, planned: int) -> None:
            raise Enough(f"{done} of {planned}")

        dataset, _ = claims.build(1, configurations=1)
        with tempfile.TemporaryDirectory() as folder:
            for jobs in (1, 2):
                for call in (
                    lambda: thud.predict_batch(PANDA, POINT, np.tile(Q, (100, 1)), jobs=jobs, progress=stop),
                    lambda: thud.study(dataset, jobs=jobs, progress=stop),
                    lambda: thud.simulate(small_campaign(), Path(folder) / f"{jobs}.h5", jobs=jobs, progress=stop),
                ):
                    with self.assertRaisesRegex(Enough, "^[0-9]+ of [0-9]+$"):
                        call()

    def test_ctrl_c_ends_simulate_and_the_same_call_completes_the_file(self):
        ctrl_c = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job in the background ignores it
        self.addCleanup(signal.signal, signal.SIGINT, ctrl_c)
        campaign = small_campaign(repeats=8)
        with tempfile.TemporaryDirectory() as folder:
            whole, cut = Path(folder) / "whole.h5", Path(folder) / "cut.h5"
            thud.simulate(campaign, whole)
            timer = threading.Timer(0.25, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt):
                thud.simulate(campaign, cut, jobs=1)
                time.sleep(1)  # a signal that came too late ends this, and then nothing is missing
            timer.join()
            self.assertLess(len(thud.DatasetReader(cut).finished), 8)
            self.assertEqual(thud.simulate(campaign, cut), thud.SimulateStatus.complete)
            self.assertEqual(cut.read_bytes(), whole.read_bytes())


class Import(unittest.TestCase):
    def test_waits_for_nothing_that_it_may_not_need(self):
        program = "import sys, thud; print(*sorted({'numpy', 'mujoco', 'matplotlib', 'pandas', 'rosbags', 'mcap', 'scipy'} & sys.modules.keys()))"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)
        self.assertEqual(done.stdout.strip(), "")


if __name__ == "__main__":
    unittest.main()
