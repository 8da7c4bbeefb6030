"""The examples of the documents run, in order, and print what stands below them.

A `console` block holds commands behind "$ " and, below each, lines that its output has, in that order. A `python` block is run
with the names of those before it on the page; a `text` block behind it is all that it prints. A `toml` block is given to the reader
that it is meant for. An indented block holds commands, without what they print, or is a synopsis, whose options the command has. Each page
has an empty folder of its own, with data/ and examples/ of the repository. Every other block is listed below with a reason.
"""

import contextlib
import dataclasses
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest
import unittest.mock

import thud
from markdown_it import MarkdownIt

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ["THUD"])
os.environ["MPLBACKEND"] = "Agg"
PAGES = {path.name: path for path in sorted((ROOT / "docs").glob("*.md"))}

COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.M)
# A command with what is to be filled in, in upper case, and parts in brackets that may be left out.
SYNOPSIS = re.compile(r"thud \w+ (?=.*\b[A-Z]+\b)(?=.*\[--?\w[^\]]*\])", re.S)

# Blocks that are not run, by page and first line.
NOT_RUN = {
    ("README.md", "build/release/thud map panda --frame panda_foot --offset 0,0,0.0223 --direction 0,0,-1 --quantity speed --body chest --samples 3e6 --out out/map"):
        "three million postures take a minute; `make figures` runs it",
    ("command_line.md", "thud info franka_emika_panda/panda.xml"): "MuJoCo's menagerie is not part of the repository; test/tools/test_info.py has such files",
    ("dataset.md", 'with h5py.File("impacts.h5") as file:'): "h5py is not installed",
    ("from_matlab.md", 'pyenv(Version="/path/to/python");'): "needs MATLAB",
    ("from_matlab.md", '[~, text] = system("thud profile --law viscoelastic --mass 4 --speed 0.12 --stiffness 3e5 --damping 2.5e6 --json");'): "needs MATLAB",
    ("from_matlab.md", 'time = h5read("hits.h5", "/trials/hit_01/force/time");'): "needs MATLAB",
    ("gpu.md", "setup/install cuda                                    # nvcc and the runtime as wheels, into .venv (280 MB); a toolkit on the machine does as well"):
        "needs CUDA's compiler and a GPU; `make test-gpu` begins with these",
    ("gpu.md", "const std::string why = thud::gpu_missing();                                 // empty, or what is missing"): "test/gpu/test_gpu.cpp calls these",
    ("gpu.md", 'batch = thud.predict_batch(robot, point, q, backend="gpu")                                 # NumPy in, a Batch out'):
        "needs a GPU; test/python/test_gpu.py",
    ("impact.md", "du/dp = W (n + t)"): "equations",
    ("impact.md", "d(theta)/d(tau) = G(theta),   d(ln r)/d(tau) = F(theta),   dp/d(tau) = r,   du_n/d(tau) = r H(theta)"): "equations",
    ("limits.md", "−speed ≤ (1 − (1+e) P) dq' ≤ speed,   P = p j"): "equations",
    ("limits.md", "python examples/fast.py docs/fast.svg"): "takes seconds; test/python/test_examples.py runs it",
    ("logs.md", "$ thud import hits.bag --robot panda --frame panda_foot --offset 0,0,0.0223 --normal -1,0,0 --out hits.h5"):
        "the bag is not part of the repository; test/tools/test_import_log.py makes such logs",
    ("logs.md", "from thud.logs import import_log, read_log"): "the same, and test/python/test_logs.py",
    ("maps.md", "thud map panda --frame panda_foot --offset 0,0,0.0223 --direction 0,0,-1 --quantity speed --body chest --samples 3e6 --out out/map"):
        "three million postures take a minute; `make figures` runs it",
    ("performance-gpu.md", "$ THUD_GPU=1 build/cuda/test_gpu"): "what `make test-gpu` printed on a GPU",
    ("real_hits.md", "python examples/real_hits.py HITS.csv --robots FOLDER --out docs"): "the measured hits are not part of the repository",
    ("real_hits.md", "python examples/real_hits_dataset.py HITS.csv --robots FOLDER --robot 7 --out hits7"): "the same",
    ("studio.md", "thud studio panda"): "serves until it is ended; test/tools/test_studio.py",
    ("sweeps.md", "thud sweep examples/sweep.toml --out sweep.h5"): "five minutes; `make sweep` runs it",
    ("sweeps.md", "export DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED=False DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL=1s"):
        "needs a cluster; test/tools/test_cluster.py",
    ("sweeps.md", "from dask.distributed import Client"): "the same",
    ("sweeps.md", "sbatch --array=1-100 --wrap 'thud sweep sweep.toml --out s$SLURM_ARRAY_TASK_ID.h5 --shard $SLURM_ARRAY_TASK_ID/100 --jobs $SLURM_CPUS_ON_NODE'"):
        "needs Slurm; test/tools/test_sweep.py merges shards",
    ("sweeps.md", "thud sweep examples/sweep.toml --out sweep.h5 --report sweep"): "five minutes; `make sweep` runs it",
    ("sweeps.md", "thud sweep sweep.h5 --campaign 17 > campaign_17.toml"): "needs a finished sweep; test/tools/test_sweep.py",
    ("translate.md", "4 kg at 0.12 m/s; not installed: none"): "simulators that are not installed; test/translate has the numbers of MuJoCo",
}

# What a page takes as known.
GIVEN = {
    "dataset.md": """
import pathlib, shutil
for name in ("slow.csv", "fast.csv"):
    shutil.copy("data/records/viscoelastic.csv", name)
joints = [f"{kind}.panda_joint{i}" for kind in ("q", "dq") for i in range(1, 8)]
for folder, titles, values in (("joints", joints, [0] * 14), ("object", ["x", "y", "z", "qw", "qx", "qy", "qz"], [0, 0, 0, 1, 0, 0, 0])):
    pathlib.Path(folder).mkdir()
    rows = [["time", *titles], *([0.001 * i, *values] for i in range(100))]
    pathlib.Path(folder, "box_01.csv").write_text("".join(",".join(map(str, row)) + "\\n" for row in rows))
""",
    "impact.md": """
import numpy, thud
robot = thud.load_robot("panda")
point = thud.ContactPoint(frame="panda_foot", offset=[0, 0, 0.0223], normal_W=[-1, 0, 0])
q = numpy.tile([0, 0.1, 0, -1.5, 0, 3.1708, 0.7854], (3, 1))
dq = numpy.tile([0.1, 0.3, 0, 0.1, 0, 0, 0], (3, 1))
normals, masses = numpy.tile([-1.0, 0, 0], (3, 1)), [1.0, 2.0, 3.0]
""",
    "python.md": """
import mujoco, numpy, pandas, pathlib, pinocchio, shutil, thud
shutil.copy("data/records/viscoelastic.csv", "impact.csv")
pathlib.Path("arm.urdf").write_text(thud.urdf_text("panda"))
for name in ("scene.xml", "panda.xml"):
    pathlib.Path(name).write_text("<mujoco><worldbody><body><joint name='a' armature='0.1'/><geom size='0.1'/></body></worldbody></mujoco>")
robot = thud.load_robot("panda")
point = thud.ContactPoint(frame="panda_foot", offset=[0, 0, 0.0223], normal_W=[-1, 0, 0])
p = [0.6, 0, 0.6]
dq = numpy.zeros((100_000, 7))
""",
    "translate.md": "import shutil\nshutil.copy('data/records/viscoelastic.csv', 'record.csv')\n",
}


@dataclasses.dataclass
class Block:
    """A fenced or an indented block of a page."""

    page: str
    language: str  # of its info string; of an indented one "console", or "synopsis"
    text: str

    @property
    def key(self) -> tuple[str, str]:
        return self.page, self.text.partition("\n")[0]


def blocks(page: str, text: str) -> list[Block]:
    found = []
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "fence":
            found.append(Block(page, token.info, token.content))
        elif token.type == "code_block":
            found.append(Block(page, "synopsis" if SYNOPSIS.match(token.content) else "indented", token.content))
    return found


class Page(unittest.TestCase):
    """One page, in a folder of its own."""

    def __init__(self, name: str):
        super().__init__("run_blocks")
        self.name = name

    def __str__(self) -> str:
        return self.name

    def run_program(self, command: str) -> str:
        path = f"{PROGRAM.parent}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, env={**os.environ, "PATH": path})
        self.assertEqual(done.returncode, 0, f"{self.name}: {command}\n{done.stderr}")
        return done.stdout

    def console(self, text: str) -> None:
        self.assertTrue(text.startswith("$ "), f"{self.name}: begins with no command:\n{text}")
        for command, shown in COMMAND.findall(text):
            lines = [line.rstrip() for line in self.run_program(command).splitlines()]
            for line in shown.splitlines():
                self.assertIn(line.rstrip(), lines, f"{self.name}: {command}")
                del lines[: lines.index(line.rstrip()) + 1]

    def synopsis(self, text: str) -> None:
        for usage in re.findall(r"^\S.*\n(?:\s+\S.*\n)*", text, re.M):
            known = re.findall(r"--[\w-]+", self.run_program(" ".join(usage.split()[:2]) + " --help"))
            for option in re.findall(r"--[\w-]+", usage):
                self.assertIn(option, known, f"{self.name}: {usage}")

    def python(self, text: str, names: dict, shown: str | None) -> None:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, self.name, "exec"), names)
        if shown is not None or out.getvalue():
            self.assertEqual(out.getvalue(), shown, f"{self.name}: {text}")

    def toml(self, text: str) -> None:
        """A manifest, or more trials of one; a campaign; else a sweep, drives or limits, which the program tells apart."""
        keys = set(tomllib.loads(text))
        if "trial" in keys:
            with open("manifest.toml", "a") as manifest:
                manifest.write(text)
            self.run_program("thud info .")
        elif keys & {"kind", "speeds", "configuration"} and "range" not in keys:
            thud.parse_campaign(text, self.name)
        else:
            pathlib.Path("block.toml").write_text(text)
            self.run_program("thud info block.toml")

    def run_blocks(self):
        every = [block for block in blocks(self.name, PAGES[self.name].read_text()) if block.key not in NOT_RUN]
        names: dict = {"__name__": "__main__"}
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for name in ("data", "examples"):
                pathlib.Path(name).symlink_to(ROOT / name)
            pathlib.Path("docs").mkdir()
            exec(GIVEN.get(self.name, ""), names)
            for before, block, below in zip([None, *every], every, [*every[1:], None]):
                if block.language == "console":
                    self.console(block.text)
                elif block.language == "indented":
                    self.console(re.sub(r"^(?=\S)", "$ ", block.text, flags=re.M))
                elif block.language == "synopsis":
                    self.synopsis(block.text)
                elif block.language == "python":
                    self.python(block.text, names, below.text if below and below.language == "text" else None)
                elif block.language == "toml":
                    self.toml(block.text)
                elif block.language != "text" or not before or before.language != "python":
                    self.fail(f"{self.name}: a block of {block.language or 'no language'} is neither run nor listed with a reason:\n{block.text}")


class Lists(unittest.TestCase):
    def test_every_exception_is_needed(self):
        every = [block.key for name, path in {**PAGES, "README.md": ROOT / "README.md"}.items() for block in blocks(name, path.read_text())]
        for key in NOT_RUN:
            self.assertEqual(every.count(key), 1, key)
        self.assertLessEqual(set(GIVEN), set(PAGES))

    def test_the_readme_has_blocks_that_other_tests_run(self):
        """console: test_source.py; cpp, python: the examples that test_source.py compares them with; cmake: test/package."""
        every = blocks("README.md", (ROOT / "README.md").read_text())
        self.assertLessEqual({block.language for block in every if block.key not in NOT_RUN}, {"console", "cpp", "python", "cmake"})

    def test_a_wrong_page_is_seen(self):
        good = ["```python\nprint(2)\n```\n\n```text\n2\n```\n", "```console\n$ echo one; echo two\none\ntwo\n```\n", "    thud info panda\n",
                "    thud info ROBOT [--json]\n", "- item\n\n  ```console\n  $ echo one\n  one\n  ```\n", "```toml\n[contact]\nforce = 120\n```\n",
                "```toml\nspeeds = [0.1]\n```\n", '```toml\npoints = 2\n[range]\n"joints.stiffness" = { log = [2e3, 3e4] }\n```\n',
                "```toml\n[joints]\nrotor_inertia = 0.5\nstiffness = 1e4\ndamping = 5\n```\n"]
        wrong = ["```python\nprint(2)\n```\n\n```text\n3\n```\n", "```python\nprint(2)\n```\n", "```console\n$ echo one; echo two\ntwo\none\n```\n",
                 "```console\n$ false\n```\n", "    thud no_such_command\n", "```rust\nfn main() {}\n```\n", "```\n$ thud info panda\n```\n",
                 "    false\n", "- item\n\n  ```console\n  $ false\n  ```\n", "~~~console\n$ false\n~~~\n", "```c++\nint i;\n```\n", "```text\n2\n```\n",
                 "```console\nthud info panda\n```\n", "    thud info panda | false\n", "    thud info […]\n", "    thud info ROBOT [--no-such-option]\n",
                 "```toml\n[body.glove]\nweight = 120\n```\n", "```toml\nspeeds = [-1]\n```\n", "```toml\nfoo = 1\n```\n",
                 '```toml\npoints = 2\n[range]\n"joints.no_such_key" = { log = [2e3, 3e4] }\n```\n', '```toml\nrobot = "panda"\n[[trial]]\nspeed = 1\n```\n']
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page")
            with unittest.mock.patch.dict(PAGES, {"page": page}):
                for text in good:
                    page.write_text(text)
                    with self.subTest(good=text):
                        Page("page").run_blocks()
                for text in wrong:
                    page.write_text(text)
                    with self.subTest(wrong=text), self.assertRaises((AssertionError, thud.Error)):
                        Page("page").run_blocks()


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, _pattern: str) -> unittest.TestSuite:
    tests.addTests(Page(name) for name in PAGES if blocks(name, PAGES[name].read_text()))
    return tests


if __name__ == "__main__":
    unittest.main()
