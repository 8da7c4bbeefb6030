"""The program under test, named by THUD, and what its tests ask in common."""

import json
import os
import pathlib
import re
import subprocess

THUD = os.environ["THUD"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
HALF_PI = 1.5707963267948966
CONFIGURATION_ONE = f"0,0.1,0,-1.5,0,{HALF_PI + 1.6},{HALF_PI / 2}"
WALL = ["--frame", "panda_foot", "--offset", "0,0,0.0223", "--normal", "-1,0,0"]
OPTIONS = ["algebraic", "generalized_momentum", "composite_rigid_body", "flexible_joints"]


def run(*arguments: str | pathlib.Path, text: str | None = None, **environment: str) -> subprocess.CompletedProcess:
    """What it does, with that text on standard input."""
    return subprocess.run([THUD, *arguments], capture_output=True, text=True, timeout=120, input=text, env={**os.environ, **environment})


def answer(*arguments: str) -> dict:
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", done.stderr
    return json.loads(done.stdout, parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)))


def refused(*arguments: str | pathlib.Path, **environment: str) -> str:
    """The one line on standard error: argument, value, rule."""
    done = run(*arguments, **environment)
    assert (done.returncode, done.stdout) == (2, ""), (arguments, done.stderr)
    assert re.fullmatch(r"thud: [^\n]+: [^\n]+: [^\n]+\n", done.stderr), done.stderr
    return done.stderr


VISCOELASTIC = ["--law", "viscoelastic", "--mass", "4", "--speed", "0.12", "--stiffness", "3e5"]

ARM = ("panda", "--q", "0,0.1,0,-1.5,0,3.170796326794897,0.7853981633974483", "--frame", "panda_foot", "--offset", "0,0,0.0223",
       "--normal=-1,0,0", "--law", "viscoelastic", "--speed", "0.12", "--stiffness", "1e6", "--damping", "7.279e6")

CAMPAIGN = """
seed = 5
repeats = 3
speeds = [0.15]
[[configuration]]
name = "reach"
q = [0, 0.4, 0, -1.3, 0, 3.2708, 0.7854]
threshold = 1.8
"""

MANIFEST = """
robot = "panda"
[contact]
frame = "panda_foot"
offset = [0, 0, 0.0223]
normal = [-1, 0, 0]
[[configuration]]
q = [0, 0.1, 0, -1.5, 0, 3.1708, 0.7854]
"""

RECORD = str(ROOT / "data/records/viscoelastic.csv")

TRANSLATED = ["--law", "viscoelastic", "--stiffness", "3e5", "--damping", "2.5e6", "--mass", "4", "--speed", "0.12"]

AIMED = ["aim", "panda", *WALL, "--at", "0.6,0,0.6"]
