"""Sweeps and campaigns on Dask clusters, started as people start them: the same bytes as a local run, whoever dies. THUD names the program
under test; the Python that runs this has the package with its extra."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import distributed

import thud
import thud.cluster
from program import ROOT, THUD, answer, refused, run

DASK = str(pathlib.Path(sys.executable).with_name("dask"))
CAMPAIGN = """robot = "planar_2r"
repeats = 1
speeds = [0.15]
[[configuration]]
name = "bent"
q = [0.4, 1.2]
threshold = 1e9
[contact]
frame = "tip"
offset = [0, 0, 0]
normal = [-1, 0, 0]
[controller]
ramp = 0.06
cruise = 0.02
after = 0.03
angular_weight = 0
[sensor]
rate = 1e4
bandwidth = 2e3
[plant]
step = 1e-4
"""


def plan_text(points: int, campaign: str = CAMPAIGN) -> str:
    base = campaign.replace("[[", "[[base.").replace("\n[c", "\n[base.c").replace("\n[s", "\n[base.s").replace("\n[p", "\n[base.p")
    return (f'points = {points}\nseed = 3\n[base]\n{base}[range]\n"joints.stiffness" = {{ log = [4e3, 2e4] }}\n'
            '"contact.stiffness" = { values = [1e6, 2e6, 3e6, -1] }\n')


def wait_for(what, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)


class Dask(contextlib.ExitStack):
    """A scheduler on this machine, and workers of one thread that are started apart from it, each by its own command."""

    def __init__(self, folder: pathlib.Path, workers: int = 2, options: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.folder, self.options = folder, options
        self.file = folder / "scheduler.json"
        self.file.unlink(missing_ok=True)
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file))
        wait_for(lambda: self.file.exists() and self.file.stat().st_size > 0)
        self.address = json.loads(self.file.read_text())["address"]
        self.workers = [self.worker() for _ in range(workers)]

    def start(self, *words: str, **environment: str) -> subprocess.Popen:
        log = self.enter_context(open(self.folder / "dask.log", "ab"))
        child = subprocess.Popen([DASK, *words, *self.options], cwd=self.folder, stdout=log, stderr=log, env={**os.environ, **environment})
        self.callback(child.wait)
        self.callback(child.kill)
        return child

    def worker(self, **environment: str) -> subprocess.Popen:
        return self.start("worker", self.address, "--no-nanny", "--no-dashboard", "--nthreads", "1", "--host", "127.0.0.1", **environment)

    def client(self) -> distributed.Client:
        return self.enter_context(distributed.Client(self.address, set_as_default=False))


class Cluster(unittest.TestCase):
    known: dict[tuple[str, str], bytes] = {}  # files of local runs, by command and text

    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.plan = self.file("s.toml", plan_text(24))
        self.campaign = self.file("c.toml", CAMPAIGN.replace("repeats = 1", "repeats = 40"))

    def file(self, name: str, text: str | None = None) -> str:
        if text is not None:
            (self.folder / name).write_text(text)
        return str(self.folder / name)

    def dask(self, *options, **named) -> Dask:
        cluster = Dask(self.folder, *options, **named)
        self.addCleanup(cluster.close)
        return cluster

    def local(self, command: str, subject: str) -> bytes:
        """The file of a local run, of which it is known that it depends on the text of its subject alone."""
        key = command, pathlib.Path(subject).read_text()
        if key not in self.known:
            done = run(command, subject, "--out", self.file(f"local_{command}.h5"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.known[key] = pathlib.Path(self.file(f"local_{command}.h5")).read_bytes()
        return self.known[key]

    def same_as_local(self, name: str, command: str, subject: str) -> None:
        self.assertTrue(pathlib.Path(self.file(name)).read_bytes() == self.local(command, subject), f"{name} is not the file of a local run")
        self.assertFalse(os.path.exists(self.file(name) + ".parts"))

    def begun(self, command: str, subject: str, name: str, scheduler: str) -> subprocess.Popen:
        """A command that has finished some of its work, but not all."""
        child = subprocess.Popen([THUD, command, subject, "--out", self.file(name), "--scheduler", scheduler], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, text=True)
        self.addCleanup(child.kill)
        wait_for(lambda: self.finished(name) >= 2 or child.poll() is not None)
        self.assertIsNone(child.poll())
        return child

    def finished(self, name: str) -> int:
        parts = pathlib.Path(self.file(name) + ".parts")
        with contextlib.suppress(OSError):
            return (parts / "rows").read_bytes().count(b"\n") if (parts / "rows").exists() else len(list(parts.glob("*.h5")))
        return 0

    def test_workers_started_apart_make_the_file_of_a_local_run_though_one_is_killed_and_the_command_interrupted(self):
        cluster = self.dask()
        told = answer("sweep", self.plan, "--out", self.file("a.h5"), "--scheduler", cluster.address, "--report", self.file("page"), "--force")
        self.assertEqual((told["rows"], told["complete"], told["changed"], told["answers"]["failed"]), (24, True, True, 6))
        self.assertTrue(os.path.exists(told["report"]))
        told = {key: value for key, value in told.items() if key not in ("report", "results", "tables")}
        self.same_as_local("a.h5", "sweep", self.plan)
        again = answer("sweep", self.plan, "--out", self.file("a.h5"), "--scheduler", "tcp://127.0.0.1:1")  # nobody is needed
        self.assertEqual(again, told | {"changed": False})
        told = answer("simulate", self.campaign, "--seed", "5", "--out", self.file("b.h5"), "--scheduler", cluster.address)
        self.assertEqual((told["trials"], told["changed"], told["seed"]), (40, True, 5))
        run("simulate", self.campaign, "--seed", "5", "--out", self.file("c.h5"))
        self.assertTrue(pathlib.Path(self.file("b.h5")).read_bytes() == pathlib.Path(self.file("c.h5")).read_bytes())
        done = run("sweep", self.plan, "--out", self.file("2.h5"), "--scheduler", cluster.address, "--shard", "2/2", "--progress")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("campaigns [########################################] 12/12", done.stderr)
        run("sweep", self.plan, "--out", self.file("1.h5"), "--shard", "1/2")
        run("merge", self.file("1.h5"), self.file("2.h5"), "--out", self.file("m.h5"))
        self.same_as_local("m.h5", "sweep", self.plan)

        child = self.begun("sweep", self.plan, "k.h5", cluster.address)
        cluster.workers[0].send_signal(signal.SIGKILL)
        _, said = child.communicate(timeout=60)
        self.assertEqual((child.returncode, said), (0, ""))
        self.same_as_local("k.h5", "sweep", self.plan)

        child = self.begun("sweep", self.plan, "i.h5", cluster.address)
        child.send_signal(signal.SIGINT)
        out, said = child.communicate(timeout=30)
        self.assertEqual((child.returncode, out), (1, ""))
        self.assertEqual(said, f"thud: interrupted: {self.file('i.h5')}: the same command continues where it stopped\n")
        answer("sweep", self.plan, "--out", self.file("i.h5"), "--scheduler", cluster.address)
        self.same_as_local("i.h5", "sweep", self.plan)

    def test_a_dead_scheduler_ends_the_command_and_the_same_command_goes_on(self):
        for command, subject in (("sweep", self.plan), ("simulate", self.campaign)):
            with self.subTest(command=command):
                cluster = self.dask(workers=1)
                child = self.begun(command, subject, "a.h5", cluster.address)
                cluster.scheduler.send_signal(signal.SIGKILL)
                out, said = child.communicate(timeout=30)
                self.assertEqual((child.returncode, out), (1, ""), said)
                self.assertRegex(said, r"\Athud: scheduler tcp://127[^\n]+ is lost: [^\n]+ goes on where it stopped\n\Z")
                kept = self.finished("a.h5")
                self.assertGreaterEqual(kept, 2)
                cluster.close()
                # by other means, with what is there
                told = answer(command, subject, "--out", self.file("a.h5"), "--jobs", "1")
                self.assertIs(told["complete"], True)
                self.same_as_local("a.h5", command, subject)
                os.unlink(self.file("a.h5"))

    def test_python_with_a_local_cluster_of_several_processes(self):
        plan, campaign = thud.read_sweep(self.plan), thud.read_campaign(self.campaign)
        with (distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as local,
              distributed.Client(local) as client):
            seen = []
            table = thud.sweep(plan, self.file("a.h5"), client=client, refine=[("c1.spring", 4)], progress=lambda *count: seen.append(count))
            self.assertEqual(list(table["row"][:24]), list(range(24)))
            self.assertEqual(seen[23], (24, 24))
            thud.sweep(plan, self.file("b.h5"), refine=[("c1.spring", 4)])
            self.assertTrue(pathlib.Path(self.file("a.h5")).read_bytes() == pathlib.Path(self.file("b.h5")).read_bytes())
            self.assertEqual(thud.simulate(campaign, self.file("c.h5"), client=client), thud.SimulateStatus.complete)
            self.same_as_local("c.h5", "simulate", self.campaign)
            self.assertEqual(thud.simulate(campaign, self.file("c.h5"), client=client), thud.SimulateStatus.was_complete)
            with self.assertRaisesRegex(thud.InputError, "jobs: 2: does not go with a client"):
                thud.sweep(plan, self.file("d.h5"), jobs=2, client=client)
            with self.assertRaisesRegex(thud.InputError, "must be a dask.distributed.Client"):
                thud.sweep(plan, self.file("d.h5"), client="tcp://127.0.0.1:1")
            # what is wrong with a campaign is said as it is without a cluster
            unstable = campaign.replace(step=1e-2)
            with self.assertRaises(thud.Error) as alone:
                thud.simulate(unstable, self.file("e.h5"))
            with self.assertRaises(type(alone.exception)) as there:
                thud.simulate(unstable, self.file("f.h5"), client=client)
            self.assertEqual(str(there.exception), str(alone.exception))

            # Work is made as it is needed: what is under way does not grow with what there is to do
            collector, made, most = thud.cluster.Collector(client), 0, 0

            def works():
                nonlocal made
                for number in range(300):
                    made += 1
                    yield thud.cluster.Work(str(number), number, next_number, (number,))

            kept = []

            def keep(number, result):
                nonlocal most
                kept.append(int(result))
                self.assertEqual(number, kept[-1])
                most = max(most, made - len(kept))

            collector.collect(works(), keep)
            self.assertEqual(sorted(kept), list(range(300)))
            self.assertLessEqual(most, collector.room + 1)

    def test_a_task_needs_no_file(self):
        shutil.copy(ROOT / "data/robots/planar_2r.urdf", self.folder / "arm.urdf")
        plan = thud.read_sweep(self.file("p.toml", plan_text(2, CAMPAIGN.replace('"planar_2r"', '"arm.urdf"'))))
        points = thud.sweep_points(plan)
        rows = [thud.sweep_row(plan, point) for point in points]
        tasks = [thud.sweep_task(plan, point) for point in points]
        os.unlink(self.folder / "arm.urdf")
        self.assertEqual([thud.sweep_row(task) for task in tasks], rows)
        self.assertIn("failure", [cell.column for cell in rows[0]])
        self.assertEqual(max(cell.value for cell in rows[0] if cell.column == "trials"), 1)

    def test_a_worker_with_another_thud_is_refused_by_name(self):
        own = pathlib.Path(thud.__file__).parent
        mine = thud.cluster.worker.identity()
        cluster = self.dask(workers=1)
        client = cluster.client()
        client.wait_for_workers(1, timeout=60)
        for name, line, version in (("older", "\n__version__ = '0.0.1'\n", "0.0.1"), ("changed", "\n# changed\n", thud.__version__), ("library", "", thud.__version__)):
            other = self.folder / name
            shutil.copytree(own, other / "thud", ignore=shutil.ignore_patterns("__pycache__"))
            (other / "mujoco").symlink_to(own.parent / "mujoco")
            with open(other / "thud/__init__.py", "a") as text:
                text.write(line)
            if name == "library":  # that simulates: bytes after its end, which nobody loads
                (library,) = (other / "thud").rglob("libthud_lab.so.*")
                with open(library, "ab") as end:
                    end.write(b"other")
            before = set(client.nthreads())
            worker = cluster.worker(PYTHONPATH=str(other))
            client.wait_for_workers(2, timeout=60)
            (address,) = set(client.nthreads()) - before
            for command, subject in (("sweep", self.plan), ("simulate", self.campaign)):
                said = refused(command, subject, "--out", self.file("a.h5"), "--scheduler", cluster.address)
                self.assertIn(f"thud: worker {address}: thud {version} (SHA-256 ", said)
                self.assertIn(f"thud {mine[0]} (SHA-256 {mine[1][:12]})", said)
                self.assertEqual(list(self.folder.glob("a.h5*")), [])
            worker.kill()
            wait_for(lambda: len(client.nthreads()) == 1)
        bare = self.folder / "bare"  # thud is not what it is called there
        (bare / "thud").mkdir(parents=True)
        (bare / "thud/__init__.py").touch()
        cluster.worker(PYTHONPATH=str(bare))
        client.wait_for_workers(2, timeout=60)
        self.assertIn("no thud.cluster", refused("sweep", self.plan, "--out", self.file("a.h5"), "--scheduler", cluster.address))

    def test_tls(self):
        certificate, key = self.file("cert.pem"), self.file("key.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                        "-subj", "/CN=localhost"], check=True, capture_output=True)
        own = ("--tls-ca-file", certificate, "--tls-cert", certificate, "--tls-key", key)
        cluster = self.dask(workers=1, options=("--protocol", "tls", *own))
        self.assertTrue(cluster.address.startswith("tls://"))
        words = ("sweep", self.plan, "--out", self.file("a.h5"), "--scheduler", cluster.address)
        short = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "2s"}
        self.assertIn("--scheduler: tls://", refused(*words, **short))
        self.assertIn("--tls-ca: no.pem: cannot be read", refused(*words, "--tls-ca", "no.pem"))
        answer(*words, "--tls-ca", certificate, "--tls-cert", certificate, "--tls-key", key)
        self.same_as_local("a.h5", "sweep", self.plan)

    def test_refusals(self):
        words = ("sweep", self.plan, "--out", self.file("a.h5"))
        short = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "1s"}
        self.assertIn("no scheduler can be reached there", refused(*words, "--scheduler", "tcp://127.0.0.1:1", **short))
        self.assertIn("no scheduler can be reached there", refused(*words, "--scheduler", "nowhere:x", **short))
        self.assertIn("--jobs: 2: does not go with --scheduler", refused(*words, "--scheduler", "tcp://127.0.0.1:1", "--jobs", "2"))
        self.assertIn("--tls-ca: a.pem: goes with --scheduler", refused(*words, "--tls-ca", "a.pem"))
        self.assertIn("must be i/n", refused(*words, "--scheduler", "tcp://127.0.0.1:1", "--shard", "3"))
        other = subprocess.run([sys.executable, "-m", "thud.cluster", *words, "--scheduler", "tcp://127.0.0.1:1", "--version-of-thud", "0.0.1"],
                               capture_output=True, text=True, timeout=60)  # as a program of that version would
        self.assertEqual((other.returncode, other.stdout), (2, ""))
        self.assertRegex(other.stderr, r"\Athud: thud: 0\.0\.1: is not the version of Python's package [^\n]+\n\Z")
        bare = self.folder / "bare"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
        said = refused(*words, "--scheduler", "tcp://127.0.0.1:1", THUD_PYTHON=str(bare / "bin/python3"))
        self.assertIn("pip install 'thud[cluster]'", said)
        self.assertEqual(list(self.folder.glob("a.h5*")), [])
        for command in ("sweep", "simulate"):
            text = run(command, "--help").stdout
            self.assertIn("--scheduler tcp://127.0.0.1:8786", text)
            self.assertNotIn("--collected", text)


def next_number(_: tuple[str, str], number: int) -> bytes:
    return str(number).encode()


if __name__ == "__main__":
    unittest.main()
