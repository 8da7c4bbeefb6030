"""The examples of the documents run, in order, and print what stands below them.

A `console` block holds commands behind "$ " and, below each, lines that its output has, in that order. A `python` block is run
with the names of those before it on the page; a `text` block behind it is all that it prints. An indented line that begins
with "thud " is a command too. A `toml` block is TOML. Each page has an empty folder of its own, with data/ and examples/ of the repository.
"""

import contextlib
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

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ["THUD"])
os.environ["MPLBACKEND"] = "Agg"
PAGES = {path.name: path for path in sorted((ROOT / "docs").glob("*.md"))}

BLOCK = re.compile(r"^```(\w*)\n([\s\S]*?)^```$|^(    thud .*\n(?:    (?:thud| ).*\n)*)", re.M)
COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.M)

# Languages that are shown rather than run.
SHOWN = {
    "text": "what a program prints",
    "matlab": "needs MATLAB",
}

# Blocks that are not run, by a line of them.
NOT_RUN = {
    "thud import hits.bag": "the bag is not part of the repository; test/tools/test_import_log.py makes such logs",
    'with read_log("hits.bag")': "the same, and test/python/test_logs.py",
    "h5py.File": "h5py is not installed",
    "thud info franka_emika_panda/panda.xml": "MuJoCo's menagerie is not part of the repository; test/tools/test_info.py has such files",
    "thud study hits7": "the measured hits are not part of the repository",
    "thud map panda": "three million postures take a minute; `make figures` runs it",
    "thud::gpu_missing()": "test/gpu/test_gpu.cpp calls these",
    "--scheduler tcp://10.0.0.1": "needs a cluster; test/tools/test_cluster.py",
    'Client("tcp://10.0.0.1': "the same",
    "thud merge s*.h5": "needs what the shards made; test/tools/test_sweep.py",
    'backend="gpu")  ': "needs a GPU; test/python/test_gpu.py",
    "thud sweep sweep.h5 --campaign": "needs a finished sweep; test/tools/test_sweep.py",
    "thud studio panda": "serves until it is ended; test/tools/test_studio.py",
    "thud sweep examples/sweep.toml": "five minutes; `make sweep` runs it",
}

# What a page takes as known.
GIVEN = {
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


def reason_not_to_run(language: str, text: str) -> str:
    found = [why for line, why in NOT_RUN.items() if line in text]
    if language == "usage":
        found.append("a synopsis")
    return found[0] if found else SHOWN.get(language, "")


def blocks(text: str) -> list[tuple[str, str]]:
    """Language and text, in order; indented commands are those of a console, with nothing below them."""
    found = []
    for match in BLOCK.finditer(text):
        if match[3] is None:
            found.append((match[1], match[2]))
        else:
            commands = re.sub(r"^    (?=thud )", "$ ", match[3], flags=re.M)
            found.append(("usage" if re.search(r"[…\[|]", commands) else "console", commands))
    return found


class Page(unittest.TestCase):
    """One page, in a folder of its own."""

    def __init__(self, name: str):
        super().__init__("run_blocks")
        self.name = name

    def __str__(self) -> str:
        return self.name

    def shell(self, text: str) -> None:
        path = f"{PROGRAM.parent}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        for command, shown in COMMAND.findall(text):
            done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, env={**os.environ, "PATH": path})
            self.assertEqual(done.returncode, 0, f"{self.name}: {command}\n{done.stderr}")
            lines = [line.rstrip() for line in done.stdout.splitlines()]
            for line in shown.splitlines():
                self.assertIn(line.rstrip(), lines, f"{self.name}: {command}")
                del lines[: lines.index(line.rstrip()) + 1]

    def python(self, text: str, names: dict, shown: str | None) -> None:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(text, self.name, "exec"), names)
        if shown is not None or out.getvalue():
            self.assertEqual(out.getvalue(), shown, f"{self.name}: {text}")

    def run_blocks(self):
        every = blocks(PAGES[self.name].read_text())
        names: dict = {"__name__": "__main__"}
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            for name in ("data", "examples"):
                pathlib.Path(name).symlink_to(ROOT / name)
            pathlib.Path("docs").mkdir()
            exec(GIVEN.get(self.name, ""), names)
            for (language, text), (next_language, next_text) in zip(every, [*every[1:], ("", "")]):
                if reason_not_to_run(language, text):
                    continue
                if language == "console":
                    self.shell(text)
                elif language == "python":
                    self.python(text, names, next_text if next_language == "text" else None)
                elif language == "toml":
                    tomllib.loads(text)
                else:
                    self.fail(f"{self.name}: a block of {language} is neither run nor listed with a reason:\n{text}")


class Lists(unittest.TestCase):
    def test_every_exception_is_needed(self):
        every = "".join(path.read_text() for path in PAGES.values())
        for line in NOT_RUN:
            self.assertIn(line, every)
        self.assertLessEqual(set(GIVEN), set(PAGES))

    def test_the_readme_has_blocks_that_other_tests_run(self):
        """console: test_source.py; cpp, python: the examples that test_source.py compares them with; cmake: test/package."""
        self.assertLessEqual({language for language, _ in blocks((ROOT / "README.md").read_text())}, {"console", "cpp", "python", "cmake"})

    def test_a_wrong_page_is_seen(self):
        good = ["```python\nprint(2)\n```\n\n```text\n2\n```\n", "```console\n$ echo one; echo two\none\ntwo\n```\n", "    thud info panda\n"]
        wrong = ["```python\nprint(2)\n```\n\n```text\n3\n```\n", "```python\nprint(2)\n```\n", "```console\n$ echo one; echo two\ntwo\none\n```\n",
                 "```console\n$ false\n```\n", "    thud no_such_command\n", "```rust\nfn main() {}\n```\n", "```\n$ thud info panda\n```\n"]
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page")
            with unittest.mock.patch.dict(PAGES, {"page": page}):
                for text in good:
                    page.write_text(text)
                    Page("page").run_blocks()
                for text in wrong:
                    page.write_text(text)
                    with self.assertRaises(AssertionError, msg=text):
                        Page("page").run_blocks()


def load_tests(loader: unittest.TestLoader, tests: unittest.TestSuite, _pattern: str) -> unittest.TestSuite:
    tests.addTests(Page(name) for name in PAGES if blocks(PAGES[name].read_text()))
    return tests


if __name__ == "__main__":
    unittest.main()
