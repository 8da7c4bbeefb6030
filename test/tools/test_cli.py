"""The command line as people and programs see it. THUD names the program under test."""

import csv
import json
import math
import os
import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import time
import tomllib
import unittest
import xml.etree.ElementTree as ElementTree

THUD = os.environ["THUD"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
HALF_PI = 1.5707963267948966
CONFIGURATION_ONE = f"0,0.1,0,-1.5,0,{HALF_PI + 1.6},{HALF_PI / 2}"
WALL = ["--frame", "panda_foot", "--offset", "0,0,0.0223", "--normal", "-1,0,0"]
OPTIONS = ["algebraic", "generalized_momentum", "composite_rigid_body", "flexible_joints"]


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([THUD, *arguments], capture_output=True, text=True, timeout=60)


def answer(*arguments: str) -> dict:
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", done.stderr
    return json.loads(done.stdout, parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)))


def offered() -> dict[str, list[str]]:
    """The commands of the program and the options of each, by its own completion."""
    cases = re.findall(r"^    (\w+)\) options='([^']*)'", run("completion", "bash").stdout, re.M)
    return {command: options.split() for command, options in cases}


OFFERED = offered()


def two_limbs() -> str:
    """The planar arm, and beside it on the same base a paddle of 4 kg that swings."""
    text = (ROOT / "data/robots/planar_2r.urdf").read_text().replace('"', "'")
    paddle = """
      <link name='paddle'><inertial><origin xyz='0 0.1 0.2'/><mass value='4'/>
        <inertia ixx='0.1' iyy='0.1' izz='0.1' ixy='0' ixz='0' iyz='0'/></inertial></link>
      <joint name='swing' type='continuous'><parent link='base'/><child link='paddle'/><axis xyz='1 0 0'/></joint></robot>"""
    return text.replace("</robot>", paddle)


class Predict(unittest.TestCase):
    def test_section_7_to_its_digits(self):
        result = answer("predict", "panda", "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL)
        self.assertEqual(result["joints"], [f"panda_joint{i}" for i in range(1, 8)])
        self.assertAlmostEqual(result["mass"], 15.17, 9)
        self.assertAlmostEqual(result["velocity"]["exact"], -0.12, 9)
        self.assertAlmostEqual(result["velocity"]["ratio"], 0.9182, 4)
        for option, mass in zip(OPTIONS, [10.7651, 2.4549, 8.7165, 2.4321]):
            found = result["options"][option]
            self.assertEqual(found["status"], "ok")
            self.assertAlmostEqual(found["effective_mass"], mass, 4)
            self.assertAlmostEqual(found["impulse_compression"], 0.12 * found["effective_mass"], 9)
            self.assertEqual(found["impulse"], found["impulse_compression"])
            self.assertEqual(len(found["joint_velocity_jump"]), 7)
            self.assertEqual(len(found["joint_impulse"]), 7)
        composite = result["options"]["composite_rigid_body"]
        self.assertAlmostEqual(
            composite["impulse_compression_approximate"],
            composite["effective_mass"] * -result["velocity"]["approximate"], 9)
        self.assertIs(result["small_restitution"], True)
        self.assertAlmostEqual(sum(result["link_shares"].values()), 1, 9)
        self.assertEqual(result["warnings"], [])

    def test_drives_say_which_option_is_near(self):
        at = ["predict", "panda", "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL]
        wall = ["--wall", "viscoelastic,stiffness=1e6,damping=7.279e6"]
        found = answer(*at, "--drives", "panda", "--servo", "off", *wall)
        arm = found["elastic_arm"]
        self.assertAlmostEqual(arm["effective_mass"], 8.573, 3)  # of another integrator: test_elastic_arm
        self.assertAlmostEqual(arm["time_of_compression"], 5.7494e-3, 7)
        self.assertAlmostEqual(arm["x"], arm["frequency"] * arm["time_of_compression"], 9)
        self.assertEqual((arm["nearest"], arm["by_rule"]), ("composite_rigid_body", "composite_rigid_body"))
        self.assertEqual(list(arm["difference"]), [*OPTIONS, "generalized_momentum_with_rotors"])
        for option in OPTIONS:
            mass = found["options"][option]["effective_mass"]
            self.assertAlmostEqual(arm["difference"][option], mass / arm["effective_mass"] - 1, 9)
        self.assertNotIn("elastic_arm", answer(*at))
        self.assertRegex(str(answer(*at, "--drives", "panda")["warnings"]), "no --wall is given: viscoelastic,stiffness=1e")
        held = answer(*at, "--drives", "panda", *wall)["elastic_arm"]  # the servo holds the motors: more of the arm
        self.assertEqual((held["nearest"], held["by_rule"]), ("algebraic", "composite_rigid_body"))
        unknown = answer(*at, "--drives", "iiwa14", *wall)  # no stiffness: a mass, and no regime
        self.assertIsNone(unknown["elastic_arm"]["x"])
        self.assertGreater(unknown["elastic_arm"]["effective_mass"], 2)
        soft = answer(*at, "--drives", "panda", "--wall", "viscoelastic,stiffness=1e3,damping=1")
        self.assertIsNone(soft["elastic_arm"]["effective_mass"])
        self.assertRegex(str(soft["warnings"]), "does not come to rest at what it hits within 50 ms")
        heavy = answer(*at, "--drives", "panda", *wall, "--object-mass", "1e12")["elastic_arm"]
        self.assertAlmostEqual(heavy["effective_mass"], held["effective_mass"], 8)
        box = answer(*at, "--drives", "panda", *wall, "--object-mass", "2", "--object-velocity", "-0.1,0,0")
        relative = 0.12 + 0.1  # the box comes towards the arm, whose mass at so short a contact is nearer the links'
        mass = box["elastic_arm"]["effective_mass"]
        self.assertAlmostEqual(box["elastic_arm"]["impulse_compression"], relative / (1 / mass + 1 / 2), 9)
        self.assertLess(box["elastic_arm"]["time_of_compression"], held["time_of_compression"] / 2)
        self.assertEqual(box["elastic_arm"]["nearest"], "generalized_momentum")
        for wrong, said in {("--wall", "spring,stiffness=1e6"): "thud: --wall: spring,stiffness=1e6: is of an arm with",
                            ("--drives", "panda", "--wall", "spring,stiffness=1e6"): "must have restitution=VALUE",
                            ("--drives", "panda", "--wall", "maxwell,stiffness=1,damping=1,exponent=2"):
                                "--wall: exponent: maxwell does not take it",
                            ("--drives", "panda", "--friction", "0.3"): "--friction: 0.3: an arm with elastic joints hits without friction",
                            ("--drives", "panda", "--rotor", "0.1,0.1,0.1,0.1,0.1,0.1,0.1"): "--rotor",
                            ("--drives", "nobody"): "nobody"}.items():
            done = run(*at, *wrong)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(said, done.stderr)

    def test_restitution_and_duration(self):
        result = answer("predict", "panda", "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL,
                        "--restitution", "0.5", "--duration", "0.01")
        for found in result["options"].values():
            self.assertAlmostEqual(found["impulse"], 1.5 * found["impulse_compression"], 9)
            for torque, impulse in zip(found["joint_torque_jump"], found["joint_impulse"]):
                self.assertAlmostEqual(torque, impulse / 0.01, 9)

    def test_named_joints(self):
        named = answer("predict", "panda", "--q", "panda_joint4=-1.3,panda_joint2=0.4", "--dq", "panda_joint2=0.5", *WALL)
        plain = answer("predict", "panda", "--q", "0,0.4,0,-1.3,0,0,0", "--dq", "0,0.5,0,0,0,0,0", *WALL)
        self.assertEqual(named, plain)

    def test_normal_of_any_length(self):
        short = answer("predict", "planar_2r", "--q", "0.1,1", "--dq", "1,0", "--frame", "tip", "--normal", "1,0,0")
        long = answer("predict", "planar_2r", "--q", "0.1,1", "--dq", "1,0", "--frame", "tip", "--normal", "1e6,0,0")
        self.assertEqual(short, long)

    def test_rotor_inertia_makes_the_arm_heavier(self):
        plain = answer("predict", "panda", "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL)["options"]
        geared = answer("predict", "panda", "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL,
                        "--rotor", "0.6,0.6,0.6,0.6,0.2,0.2,0.2")["options"]
        key = "effective_mass"
        self.assertGreater(geared["generalized_momentum"][key], plain["generalized_momentum"][key])
        self.assertEqual(geared["composite_rigid_body"][key], plain["composite_rigid_body"][key])

    def test_options_that_do_not_exist_are_null(self):
        for arguments, status in [(["panda", "--q", "0,0,0,0,0,0,0", "--dq", "0,0.1,0,0,0,0,0", *WALL], "singular"),
                                  (["planar_2r", "--q", "0.1,1", "--dq", "1,0", "--frame", "tip", "--normal", "1,0,0"],
                                   "underactuated")]:
            result = answer("predict", *arguments)
            found = result["options"]["algebraic"]
            self.assertEqual(found["status"], status)
            self.assertEqual({value for key, value in found.items() if key != "status"}, {None})
            self.assertIn("algebraic", " ".join(result["warnings"]))
            asked = answer("predict", *arguments, "--pseudo-inverse")["options"]["algebraic"]
            self.assertEqual(asked["status"], "pseudo_inverse")
            self.assertGreater(asked["effective_mass"], 0)

    def test_massless(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "ghost.urdf")
            path.write_text("<robot name='g'><link name='base'/><link name='a'/><joint name='j' type='continuous'>"
                            "<parent link='base'/><child link='a'/><axis xyz='0 0 1'/></joint></robot>")
            done = run("predict", str(path), "--q", "0", "--dq", "-1", "--frame", "a", "--offset", "1,0,0",
                       "--normal", "0,1,0", "--json")
        self.assertEqual(done.returncode, 1)  # no model exists
        self.assertRegex(done.stderr, r"\Athud: [^\n]*no option exists[^\n]*\n\Z")
        result = json.loads(done.stdout)
        self.assertIn("link a moves without inertia", " ".join(result["warnings"]))
        self.assertEqual({found["status"] for found in result["options"].values()}, {"massless"})
        self.assertIsNone(result["center_of_mass"])
        self.assertIsNone(result["velocity"]["approximate"])
        self.assertAlmostEqual(result["velocity"]["exact"], -1)

    def test_no_approach(self):
        result = answer("predict", "panda", "--q", CONFIGURATION_ONE, "--dq", "0,-0.4,0,-0.5,0,0.1,0", *WALL)
        self.assertGreater(result["velocity"]["exact"], 0)
        for found in result["options"].values():
            self.assertGreater(found["effective_mass"], 1)
            self.assertEqual(found["impulse"], 0)
        self.assertIn("does not approach", result["warnings"][0])

    def test_at_rest_the_ratio_does_not_exist(self):
        result = answer("predict", "panda", "--q", CONFIGURATION_ONE, "--dq", "0,0,0,0,0,0,0", *WALL)
        self.assertEqual(result["velocity"]["exact"], 0)
        self.assertIsNone(result["velocity"]["ratio"])
        self.assertIsNone(result["small_restitution"])

    def test_compare_shows_the_spread(self):
        arguments = ["predict", "panda", "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL,
                     "--compare", "panda,panda_fer,panda_gaz"]
        result = answer(*arguments)
        self.assertEqual(sorted(result["compare"]), ["panda_fer", "panda_gaz"])
        key = ["options", "composite_rigid_body", "effective_mass"]
        masses = []
        for item in [result, *result["compare"].values()]:
            for word in key:
                item = item[word]
            masses.append(item)
        self.assertEqual(result["spread"]["composite_rigid_body"], {"low": min(masses), "high": max(masses)})
        self.assertGreater(max(masses) / min(masses), 1.1)
        self.assertIn("panda_link4", " ".join(result["compare"]["panda_fer"]["warnings"]))
        self.assertIn("spread", run(*arguments).stdout)

    def test_limbs_locks_chains_and_tools(self):
        hit = ["--frame", "tip", "--normal", "1,0,0"]
        with tempfile.TemporaryDirectory() as folder:
            robot = str(pathlib.Path(folder, "two.urdf"))
            pathlib.Path(robot).write_text(two_limbs())
            def ask(q, *more): return answer("predict", robot, "--q", q, "--speed", "0.1", *hit, *more)
            limb, whole = ask("0.1,1,0.3"), ask("0.1,1,0.3", "--whole")
            self.assertEqual(limb["links"], ["link1", "link2", "tip"])
            self.assertEqual(whole["links"], ["link1", "link2", "tip", "paddle"])
            self.assertEqual((limb["mass"], whole["mass"]), (5, 9))
            self.assertEqual(list(limb["link_shares"].values())[2], 0)
            alone = answer("predict", "planar_2r", "--q", "0.1,1", "--speed", "0.1", *hit)
            for option in OPTIONS:
                found, expected = (item["options"][option]["effective_mass"] for item in (limb, alone))
                self.assertEqual(found is None, expected is None)
                if found is not None:
                    self.assertAlmostEqual(found, expected, 9)
            table = run("predict", robot, "--q", "0.1,1,0.3", "--speed", "0.1", *hit).stdout
            self.assertIn("composite body: 1 of 2 limbs, 3 links from link1 to tip", table)
            chain, locked = ask("0.1,1", "--chain"), ask("0.1,1", "--lock", "swing=0.3")
            self.assertEqual(chain["joints"], ["joint1", "joint2"])
            self.assertEqual({**chain, "warnings": []}, {**locked, "warnings": []})
            named = ask("joint1=0.1,joint2=1,swing=0.3", "--chain")
            self.assertEqual(named["q"], [0.1, 1])
            self.assertEqual(named["mass"], 5)
            tool = ask("0.1,1,0.3", "--tool", "2,0.1,0,0,0.01,0.02,0.02,0,0,0")
            self.assertEqual(tool["mass"], 7)
            for arguments, rule in [(["--tool", "1,2"], "--tool: 1,2: must be MASS"), (["--tool", "-1"], "tool.mass: -1:"),
                                    (["--lock", "elbow=1"], "joint: elbow: not a moving joint"),
                                    (["--lock", "joint1"], "--lock: joint1: must be joint=value"),
                                    (["--max-joints", "2"], "more than 2 moving joints"),
                                    (["--lock", "joint1=0,joint2=0,swing=0"], "must leave a joint")]:
                done = run("predict", robot, "--q", "0.1,1,0.3", "--speed", "0.1", *hit, *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(rule, done.stderr)

    def test_nearest_motion_of_an_arm_that_cannot_move_along_the_normal_alone(self):
        arguments = ["predict", "planar_2r", "--q", "0.2,1", "--speed", "0.1", "--frame", "tip", "--normal"]
        result = answer(*arguments, "-1,0,0.001")
        self.assertAlmostEqual(result["velocity"]["exact"], -0.1, 12)
        self.assertRegex(" ".join(result["warnings"]), r"also moves it 0.0001 m/s sideways")
        self.assertNotIn("sideways", " ".join(answer(*arguments, "-1,0,0")["warnings"]))
        done = run(*arguments, "0,0,1")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--speed: 0.1: no motion of the joints", done.stderr)
        done = run(*arguments, "-0.0001,0,1")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("speed: 0.1: the nearest motion of the contact point is 10000 times as fast across", done.stderr)

    def test_names_do_not_reach_the_terminal_as_they_are(self):
        name = "red&#27;[31m&#10;\u009bx" + "long_" * 12
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "odd.urdf")
            text = two_limbs().replace("joint2", name).replace("link2", f"l{name}")
            path.write_text(text.replace("iyy='0.1069791666666667'", "iyy='-0.1'"))
            for arguments in (["info", str(path)],
                              ["predict", str(path), "--q", "0,1,0", "--speed", "0.1", "--frame", "tip", "--normal", "1,0,0",
                               "--duration", "0.1"]):
                done = run(*arguments)
                self.assertEqual(done.returncode, 0)
                self.assertIn("non-physical", done.stdout)
                self.assertNotRegex(done.stdout, "[\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f]")
                self.assertIn("red\\x1b[31m\\x0a\\x9bx", done.stdout)
                rows = [line for line in done.stdout.splitlines() if line.startswith("red")]
                self.assertGreater(len(rows), 0)
                for row in rows:  # the next column begins after a space
                    self.assertRegex(row, r"long_long_  ")

    def test_mimic_joints_follow(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "mimic.urdf")
            path.write_text(two_limbs().replace("<axis xyz='1 0 0'/>",
                                                "<axis xyz='1 0 0'/><mimic joint='joint1' multiplier='-2' offset='0.5'/>"))
            info = answer("info", str(path))
            self.assertEqual([joint["name"] for joint in info["joints"]], ["joint1", "joint2"])
            self.assertEqual([(each["name"], each["leader"], each["multiplier"], each["offset"]) for each in info["followers"]],
                             [("swing", "joint1", -2, 0.5)])
            self.assertIn("swing follows joint1: q = -2 q_leader + 0.5", run("info", str(path)).stdout)
            result = answer("predict", str(path), "--q", "0.1,1", "--speed", "0.1", "--frame", "tip", "--normal", "1,0,0")
            self.assertEqual(result["joints"], ["joint1", "joint2"])
            self.assertEqual(result["mass"], 5)

    def test_an_absurd_tool_is_said_to_be_one(self):
        result = answer("predict", "panda", "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL,
                        "--tool", "1e-6,0,0,0,1,1,1,0,0,0")
        self.assertIn("the tool at panda_foot has an implausible inertia: 1 kg m^2 of 1e-06 kg", " ".join(result["warnings"]))
        plain = answer("predict", "panda", "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL,
                       "--tool", "0.5,0,0,0.05,0.001,0.001,0.001,0,0,0")
        self.assertEqual(plain["warnings"], [])

    SLIDES = ["--dq", "0.1,0.3,0,0.1,0,0,0"]

    def hit(self, *more):
        return answer("predict", "panda", "--q", CONFIGURATION_ONE, *self.SLIDES, *WALL, *more)

    def test_friction_on_a_wall(self):
        plain, result = self.hit("--restitution", "0.5"), self.hit("--restitution", "0.5", "--friction", "0.2")
        self.assertIn("slides", " ".join(plain["warnings"]))
        self.assertEqual(result["warnings"], ["flexible_joints has no impact with friction: its matrix is not symmetric"])
        for name, option in result["options"].items():
            self.assertNotIn("impact", plain["options"][name])
            self.assertEqual(option["effective_mass"], plain["options"][name]["effective_mass"])
            impact = option["impact"]
            if name == "flexible_joints":
                self.assertIsNone(impact)
                self.assertIsNone(option["impulse"])
                self.assertIsNone(option["joint_impulse"])
                continue
            self.assertEqual(list(impact), ["impulse", "velocity_after", "phases", "energy_lost", "object"])
            self.assertIsNone(impact["object"])
            x, y, z = impact["impulse"]
            self.assertAlmostEqual(option["impulse"], -x, delta=1e-12)  # the normal is -x
            self.assertLessEqual(math.hypot(y, z), 0.2 * -x * (1 + 1e-9))
            self.assertGreater(math.hypot(y, z), 0.01 * -x)
            self.assertAlmostEqual(sum(phase["normal_impulse"] for phase in impact["phases"]), -x, delta=1e-12)
            self.assertIn(impact["phases"][0]["mode"], ("slip", "stick"))
            self.assertGreater(impact["energy_lost"], 0)

    def test_an_object_leaves_with_the_impulse(self):
        result = self.hit("--friction", "0.3", "--object-mass", "2", "--object-velocity", "-0.2,0.1,0")
        for name in ("algebraic", "generalized_momentum", "composite_rigid_body"):
            impact = result["options"][name]["impact"]
            for after, before, iota in zip(impact["object"]["velocity"], (-0.2, 0.1, 0), impact["impulse"]):
                self.assertAlmostEqual(after, before - iota / 2, delta=1e-12)
            self.assertEqual(impact["object"]["angular_velocity"], [0, 0, 0])
        # central and without friction: (1 + e) m m_o/(m + m_o) |u_n| of each option
        central = self.hit("--restitution", "0.5", "--object-mass", "2")
        for option in central["options"].values():
            m = option["effective_mass"]
            self.assertAlmostEqual(option["impulse"], 1.5 * m * 2 / (m + 2) * -central["velocity"]["exact"], delta=1e-12)
            self.assertIsNotNone(option["impact"])
        p = central["position"]
        body = self.hit("--friction", "0.3", "--object-mass", "2", "--object-inertia", "0.01,0.02,0.02,0,0,0",
                        "--object-com", f"{p[0] + 0.1},{p[1] + 0.05},{p[2]}")
        impact = body["options"]["composite_rigid_body"]["impact"]
        x, y, z = (-each for each in impact["impulse"])  # on the object, at (-0.1, -0.05, 0) from its centre
        for found, expected in zip(impact["object"]["angular_velocity"],
                                   (-0.05 * z / 0.01, 0.1 * z / 0.02, (-0.1 * y + 0.05 * x) / 0.02)):
            self.assertAlmostEqual(found, expected, delta=1e-9)

    def test_an_object_may_run_away(self):
        result = self.hit("--object-mass", "1", "--object-velocity", "0.5,0,0")
        self.assertIn("does not approach what it would hit", " ".join(result["warnings"]))
        option = result["options"]["composite_rigid_body"]
        self.assertEqual((option["impulse"], option["impact"]["phases"], option["impact"]["energy_lost"]), (0, [], 0))
        self.assertEqual(option["impact"]["object"]["velocity"], [0.5, 0, 0])

    def test_kinds_of_restitution(self):
        impulses = {kind: self.hit("--restitution", "0.7", "--friction", "0.3", "--restitution-kind", kind)
                    ["options"]["generalized_momentum"] for kind in ("energetic", "newton", "poisson")}
        poisson = impulses["poisson"]
        self.assertAlmostEqual(poisson["impulse"], 1.7 * poisson["impulse_compression"], delta=1e-12)
        before = self.hit()["velocity"]["exact"]
        self.assertAlmostEqual(-impulses["newton"]["impact"]["velocity_after"][0], -0.7 * before, delta=1e-12)
        default = self.hit("--restitution", "0.7", "--friction", "0.3")["options"]["generalized_momentum"]
        self.assertEqual(default, impulses["energetic"])

    def test_the_course_of_an_impact_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            drawing = pathlib.Path(folder, "hit.svg")
            done = run("predict", "panda", "--q", CONFIGURATION_ONE, *self.SLIDES, *WALL, "--friction", "0.3", "--restitution", "0.5", "--plot", str(drawing))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            text = drawing.read_text()
            for word in ("friction cone", "tangential impulse [N s]", "composite_rigid_body", "slip [m/s]", "height [m]",
                         "velocity before, "):
                self.assertIn(word, text)
            self.assertEqual(text.count(' arrow"'), 4)  # before, and after it by the three models that allow friction
            self.assertIn("impact with friction 0.3", done.stdout)
            self.assertIn("slip 0.", done.stdout)
            still = run("predict", "panda", "--q", CONFIGURATION_ONE, "--dq", "0,0,0,0,0,0,0", *WALL, "--plot", str(drawing))
            self.assertEqual((still.returncode, still.stdout), (1, ""))

    def test_table_for_people(self):
        done = run("predict", "panda", "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in [*OPTIONS, "effective mass", "8.7165 kg", "e_a 0.918", "e < 0.15 may be assumed", "panda_joint7"]:
            self.assertIn(word, done.stdout)


VISCOELASTIC = ["--law", "viscoelastic", "--mass", "4", "--speed", "0.12", "--stiffness", "3e5"]


ARM = ("panda", "--q", "0,0.1,0,-1.5,0,3.170796326794897,0.7853981633974483", "--frame", "panda_foot", "--offset", "0,0,0.0223",
       "--normal=-1,0,0", "--law", "viscoelastic", "--speed", "0.12", "--stiffness", "1e6", "--damping", "7.279e6")


class ElasticProfile(unittest.TestCase):
    def test_reference_values_and_keys(self):
        free = answer("profile", *ARM, "--drives", "panda", "--servo", "off")
        self.assertEqual((free["robot"], free["model"], free["mass"]), ("panda", "elastic_arm", None))
        for peak, force in zip(free["peaks"], (193.813, 214.053), strict=True):
            self.assertAlmostEqual(peak["force"], force, delta=6e-4)
        self.assertEqual(free["events"]["peak"], free["peaks"][1])
        self.assertAlmostEqual(free["events"]["end_of_contact"]["time"], 9.9259e-3, delta=6e-8)
        self.assertAlmostEqual(free["effective_mass"]["compression"], 8.573, delta=6e-4)
        self.assertAlmostEqual(free["impulse"]["compression"], 1.028807, delta=6e-7)
        energy = free["energy"]
        self.assertAlmostEqual(energy["initial"], energy["dissipated"] + energy["final"], 9)
        self.assertEqual(free["warnings"], [])
        servo = answer("profile", *ARM, "--drives", "panda", "--horizon", "0.03")
        self.assertIsNone(servo["events"]["end_of_contact"])
        self.assertIsNone(servo["restitution"])
        self.assertEqual(len(servo["turns"]), 3)
        self.assertIn("the contact lasts beyond the horizon of 0.03 s", servo["warnings"])

    def test_an_object_that_is_free_to_move(self):
        wall = answer("profile", *ARM, "--drives", "panda")
        free = answer("profile", *ARM, "--drives", "panda", "--object-mass", "2")
        self.assertEqual(free["object_mass"], 2)
        self.assertNotIn("object_mass", wall)
        self.assertLess(free["impulse"]["total"], wall["impulse"]["total"] / 2)
        mass = free["effective_mass"]["compression"]
        self.assertAlmostEqual(free["impulse"]["compression"], 0.12 / (1 / mass + 1 / 2), 9)
        energy = free["energy"]
        self.assertAlmostEqual(energy["initial"], energy["dissipated"] + energy["final"], 9)
        self.assertIn("m/s on 2 kg that is free to move", run("profile", *ARM, "--drives", "panda", "--object-mass", "2").stdout)

    def test_what_is_not_known_is_said(self):
        rigid = answer("profile", *ARM)
        self.assertEqual(len(rigid["warnings"]), 3)
        self.assertAlmostEqual(rigid["effective_mass"]["compression"], rigid["effective_mass"]["links"], 6)

    def test_table_csv_and_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            table, plot = pathlib.Path(folder, "p.csv"), pathlib.Path(folder, "p.svg")
            out = run("profile", *ARM, "--drives", "panda", "--csv", table, "--plot", plot).stdout
            self.assertIn("end of compression", out)
            lines = [line for line in table.read_text().splitlines() if not line.startswith("#")]
            self.assertEqual(len(lines), 602)
            self.assertEqual(len(lines[0].split(",")), 6 + 3 * 7)
            self.assertIn("transmission torque", plot.read_text())

    def test_refusals(self):
        for arguments, text in (
                ((*ARM, "--mass", "4"), "--mass: 4: is the arm's with ROBOT"),
                ((*ARM, "--servo", "on"), "--servo: on: must be off"),
                ((*ARM, "--drives", "nobody"), "is not a shipped name (fr3, iiwa14, iiwa7, panda)"),
                ((*ARM[:1], *ARM[3:]), "--q: missing: is needed with ROBOT"),
                ((*ARM[1:], "--mass", "4"), "it needs ROBOT"),
                ((*ARM[8:],), "--mass: missing: is needed without ROBOT")):
            done = run("profile", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(text, done.stderr)


class Profile(unittest.TestCase):
    def test_section_5_to_its_digits(self):
        # d, e, 1/d, x_max [mm], f_max [N], t at peak, t_c, t at x = 0 [ms]; the sheet's 1.494 for d = 5 is 1.4933
        for d, e, inverse, depth, force, peak, compression, end in [
                (0.1, 0.937476, 10, 0.42437, 127.905, 5.271, 5.620, 11.48),
                (1, 0.593624, 1, 0.34327, 128.833, 3.084, 4.913, 11.77),
                (3, 0.306897, 1 / 3, 0.26240, 159.433, 1.904, 4.143, 13.04),
                (5, 0.196980, 0.2, 0.22199, 187.905, 1.493, 3.723, 14.59),
                (10, 0.099982, 0.1, 0.17086, 246.228, 1.066, 3.145, 18.36)]:
            result = answer("profile", *VISCOELASTIC, "--damping", repr(d * 3e5 / 0.12))
            events = result["events"]
            self.assertAlmostEqual(result["restitution"], e, delta=0.5e-6)
            self.assertAlmostEqual(result["restitution_asymptotic"], inverse, 9)
            self.assertAlmostEqual(1e3 * events["end_of_compression"]["depth"], depth, delta=0.5e-5)
            self.assertAlmostEqual(events["peak"]["force"], force, delta=0.5e-3)
            self.assertAlmostEqual(1e3 * events["peak"]["time"], peak, delta=0.5e-3)
            self.assertAlmostEqual(1e3 * events["end_of_compression"]["time"], compression, delta=0.51e-3)
            self.assertAlmostEqual(1e3 * events["end_of_contact"]["time"], end, delta=0.5e-2)
            self.assertLess(events["end_of_force"]["time"], events["end_of_contact"]["time"])
            self.assertAlmostEqual(result["impulse"]["compression"], 0.48, 12)
            self.assertAlmostEqual(result["impulse"]["total"], 0.48 * (1 + result["restitution"]), 12)
            energy = result["energy"]
            self.assertAlmostEqual(energy["initial"], energy["dissipated"] + energy["final"], 12)
            self.assertEqual(len(result["warnings"]), 1 if abs(inverse / e - 1) > 0.05 else 0)

    def test_every_law(self):
        common = ["--mass", "4", "--speed", "0.12", "--stiffness", "3e5"]
        spring = answer("profile", "--law", "spring", *common, "--restitution", "0.5")
        self.assertEqual(spring["restitution"], 0.5)
        self.assertNotIn("restitution_asymptotic", spring)
        self.assertAlmostEqual(spring["events"]["peak"]["force"], 0.12 * (3e5 * 4) ** 0.5, 9)
        self.assertEqual(spring["events"]["peak"]["time"], spring["events"]["end_of_compression"]["time"])
        never = answer("profile", "--law", "maxwell", *common, "--damping", "100")
        self.assertIsNone(never["events"]["end_of_contact"])
        self.assertIsNone(never["events"]["end_of_compression"])
        self.assertIsNone(never["impulse"]["compression"])
        self.assertEqual(never["restitution"], 0)
        general = answer("profile", "--law", "hunt_crossley", *common, "--damping", "2.5e6", "--exponent", "1")
        special = answer("profile", "--law", "viscoelastic", *common, "--damping", "2.5e6")
        self.assertAlmostEqual(general["events"]["end_of_contact"]["time"],
                               special["events"]["end_of_contact"]["time"], 12)

    def test_an_object_that_gives_way(self):
        law = ["--law", "viscoelastic", "--speed", "0.12", "--stiffness", "3e5", "--damping", "2.5e6"]
        free = answer("profile", *law, "--mass", "4", "--object-mass", "2")
        alone = answer("profile", *law, "--mass", str(4 * 2 / 6))
        self.assertEqual((free["mass"], free["object_mass"]), (4, 2))
        self.assertAlmostEqual(free["reduced_mass"], 4 * 2 / 6, delta=1e-12)
        self.assertNotIn("reduced_mass", alone)
        self.assertAlmostEqual(free["events"]["peak"]["force"], alone["events"]["peak"]["force"], delta=1e-9)
        self.assertAlmostEqual(free["impulse"]["total"], alone["impulse"]["total"], delta=1e-12)
        self.assertIn("4 kg against 2 kg, reduced mass 1.33333 kg,", run("profile", *law, "--mass", "4", "--object-mass", "2").stdout)

    def test_csv_and_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            table, drawing, page = (pathlib.Path(folder, name) for name in ("a.csv", "a.svg", "a.html"))
            for plot in (drawing, page):
                done = run("profile", *VISCOELASTIC, "--damping", "2.5e6", "--csv", str(table), "--plot", str(plot))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
            rows = [line for line in table.read_text().splitlines() if not line.startswith("#")]
            names, first, *_ = [row.split(",") for row in rows]
            self.assertEqual(names[:2], ["time [s]", "force [N]"])
            self.assertEqual(float(first[3]), -0.12)
            energies = [sum(float(cell) for cell in row.split(",")[5:8]) for row in rows[1:]]
            self.assertLess(max(energies) / min(energies) - 1, 1e-9)
            self.assertEqual(ElementTree.parse(drawing).getroot().tag, "{http://www.w3.org/2000/svg}svg")
            self.assertIn("end of compression", drawing.read_text())
            self.assertNotIn("nan", drawing.read_text())
            self.assertIn("<svg", page.read_text())
            self.assertEqual(answer("info", str(table))["samples"], len(rows) - 1)


OWN_TABLE = run("--version").stdout.strip().replace("thud", "# thud fit")


class Fit(unittest.TestCase):
    record = str(ROOT / "data/records/viscoelastic.csv")

    def test_parameters_return_with_intervals(self):
        found = answer("fit", self.record, "--speed", "0.12")["records"][0]
        self.assertEqual(found["file"], self.record)
        self.assertEqual(found["samples"], 300)
        self.assertAlmostEqual(found["rate"], 25000, 3)
        self.assertAlmostEqual(found["window"]["start"], 0.002, 4)
        self.assertEqual(found["best"], "viscoelastic")
        law = found["laws"]["viscoelastic"]
        self.assertEqual(law["status"], "converged")
        for name, truth in [("stiffness", 3e5), ("damping", 1.25e7), ("mass", 4)]:
            interval = law["parameters"][name]
            self.assertTrue(interval["low"] <= truth <= interval["high"], (name, interval))
            self.assertLess(interval["high"] / interval["low"], 2)
        self.assertAlmostEqual(law["impulse_compression"], 0.12 * law["parameters"]["mass"]["value"], 9)
        self.assertAlmostEqual(law["measured_impulse_compression"] / law["impulse_compression"], 1, 2)
        self.assertLess(law["time_of_peak"], law["time_of_compression"])
        self.assertLess(law["bic"], min(other["bic"] for name, other in found["laws"].items() if name != "viscoelastic"))
        self.assertGreater(found["laws"]["spring"]["parameters"]["restitution"]["value"], 1)
        self.assertIn("spring needs a restitution", " ".join(found["warnings"]))

    def test_what_a_fit_says_about_itself(self):
        law = answer("fit", self.record, "--speed", "0.12", "--law", "viscoelastic")["records"][0]["laws"]["viscoelastic"]
        self.assertEqual(law["identifiability"], dict.fromkeys(law["parameters"], "identified"))
        # d = 5: a restitution of 0.2 is not told with the mass free
        told = law["restitution_interval"]
        self.assertEqual(told["identifiability"], "flat")
        self.assertTrue(told["low"] < law["restitution"] < told["high"])
        self.assertLess(law["misfit"], 1.2)
        self.assertLess(law["residuals"]["frequency_share"], 0.2)
        self.assertGreater(law["residuals"]["runs_p"], 0.001)
        found = answer("fit", self.record, "--speed", "0.12", "--law", "viscoelastic", "--mass", "2")["records"][0]
        wrong = found["laws"]["viscoelastic"]
        self.assertEqual(wrong["identifiability"]["mass"], "known")
        self.assertGreater(wrong["misfit"], 1.5)
        self.assertLess(wrong["residuals"]["runs_p"], 1e-6)
        self.assertIn("times the noise of the samples", " ".join(found["warnings"]))
        table = run("fit", self.record, "--speed", "0.12", "--to", "0.0035", "--law", "viscoelastic").stdout
        self.assertRegex(table, "window too short|flat|correlated")

    def test_an_arm_in_the_place_of_the_mass(self):
        """Its own record from `thud profile`, with the drives told 2 and 1.5 times too large."""
        arm = ["--q", CONFIGURATION_ONE, *WALL]
        with tempfile.TemporaryDirectory() as folder:
            made, record, drives, table, plot = (
                f"{folder}/{name}" for name in ("made.csv", "record.csv", "drives.toml", "out.csv", "fit.svg")
            )
            law = ["--law", "viscoelastic", "--speed", "0.12", "--stiffness", "1e6", "--damping", "7.28e6"]
            run("profile", "panda", *arm, *law, "--drives", "panda", "--horizon", "0.014", "--csv", made)
            rows = [line.split(",")[:2] for line in pathlib.Path(made).read_text().splitlines() if line[:1].isdigit()]
            with open(record, "w") as out:
                out.write("time,force\n")
                out.writelines(f"{(i - 100) * 2.3e-5},{0.02 * (i % 3) - 0.02}\n" for i in range(100))
                out.writelines(f"{time},{force}\n" for time, force in rows)
            text = "[joints]\nrotor_inertia = [0.195, 0.195, 0.195, 0.195, 0.074, 0.074, 0.074]\n"
            text += "stiffness = 2e4\ndamping = 1.5\neffort = [87, 87, 87, 87, 12, 12, 12]\n"
            text += "[controller]\nstiffness = [3000, 3000, 3000, 2500, 2500, 2000, 2000]\ndamping_ratio = 1\n"
            pathlib.Path(drives).write_text(text)
            fit = ["fit", record, "--speed", "0.12", "--robot", "panda", *arm, "--drives", drives]
            fit += ["--free", "stiffness,damping", "--law", "viscoelastic"]
            found = answer(*fit, "--out", table, "--plot", plot)["records"][0]
            self.assertEqual(found["best"], "viscoelastic")
            got = found["laws"]["viscoelastic"]
            for name, value in (("stiffness", 1e6), ("damping", 7.28e6), ("joints.stiffness", 0.5)):
                self.assertAlmostEqual(got["parameters"][name]["value"] / value, 1, delta=2e-3, msg=name)
            factor = got["parameters"]["joints.damping"]
            self.assertTrue(factor["low"] < 1 / 1.5 < factor["high"])
            self.assertEqual(got["model"], "elastic_arm")
            self.assertEqual(got["not_identifiable"], [])
            self.assertAlmostEqual(got["correlation"]["damping"]["damping"], 1)
            self.assertNotIn("mass", got["parameters"])
            self.assertIn("joints.stiffness_low", pathlib.Path(table).read_text())
            self.assertIn("end of compression", pathlib.Path(plot).read_text())
            self.assertIn("joints.stiffness 0.5", run(*fit).stdout)

    def test_known_mass_is_kept(self):
        law = answer("fit", self.record, "--speed", "0.12", "--mass", "4", "--law", "viscoelastic")["records"][0]["laws"]
        self.assertEqual(list(law), ["viscoelastic"])
        self.assertEqual(law["viscoelastic"]["parameters"]["mass"], {"value": 4, "low": 4, "high": 4})

    def test_folder_with_a_table_of_speeds(self):
        speeds = {"viscoelastic": 0.12, "maxwell": 0.10, "spring": 0.08, "hunt_crossley_negative": 0.15, "pressing": 0.18}
        with tempfile.TemporaryDirectory() as folder:
            rows = pathlib.Path(folder, "speeds.txt")
            rows.write_text("record,speed\n" + "".join(f"{name}.csv,{speed}\n" for name, speed in speeds.items()))
            table = pathlib.Path(folder, "table.csv")
            result = answer("fit", str(ROOT / "data/records"), "--speed", str(rows), "--out", str(table))
            self.assertEqual({pathlib.Path(item["file"]).stem: item["speed"] for item in result["records"]}, speeds)
            for item in result["records"]:
                name = pathlib.Path(item["file"]).stem
                expected = "viscoelastic" if name == "pressing" else name.removesuffix("_negative")
                self.assertEqual(item["best"], expected)
            mark, *rest = table.read_text().splitlines()
            self.assertEqual(mark, OWN_TABLE)
            lines = list(csv.DictReader(rest))
            self.assertEqual(len(lines), sum(len(item["laws"]) for item in result["records"]))
            self.assertEqual(sum(row["best"] == "1" for row in lines), len(speeds))
            self.assertTrue(all(None not in row and None not in row.values() for row in lines))
            laws = {item["file"]: item["laws"] for item in result["records"]}
            for row in lines:  # a column has the word of the JSON key
                self.assertEqual(float(row["restitution"]), laws[row["file"]][row["law"]]["restitution"])
                self.assertEqual(row["restitution_low"] != "", row["law"] == "spring")
            shown = run("fit", str(ROOT / "data/records"), "--speed", str(rows), "--progress")
            self.assertIn("5/5", shown.stderr)
            rows.write_text("viscoelastic.csv,0.12\n")
            missing = run("fit", str(ROOT / "data/records"), "--speed", str(rows), "--json")
            self.assertEqual(missing.returncode, 1)
            self.assertEqual(missing.stderr.count("has no row for"), 4)
            self.assertEqual([pathlib.Path(item["file"]).stem for item in json.loads(missing.stdout)["records"]],
                             ["viscoelastic"])
            one = run("fit", str(ROOT / "data/records/maxwell.csv"), "--speed", str(rows))
            self.assertEqual((one.returncode, one.stdout), (2, ""))

    def test_what_is_no_record_does_not_stop_the_others(self):
        with tempfile.TemporaryDirectory() as folder:
            records, empty = pathlib.Path(folder, "records"), pathlib.Path(folder, "empty")
            records.mkdir()
            empty.mkdir()
            record, speeds = records / "a.csv", records / "speeds.csv"
            record.write_text(pathlib.Path(self.record).read_text())
            speeds.write_text("record,speed\na.csv,0.12\n")
            for table in ("fit", "study"):  # results in the folder of the records
                (records / f"{table}.csv").write_text(f"# thud {table} 0.2.0\nname,x\na,1\n")
            result = answer("fit", str(records), "--speed", str(speeds))
            self.assertEqual([item["file"] for item in result["records"]], [str(record)])
            done = run("fit", str(record), str(empty), "--speed", "0.12", "--json")
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, f"thud: RECORD: {empty}: a folder without a .csv file to read\n")
            self.assertEqual(len(json.loads(done.stdout)["records"]), 1)
            done = run("fit", str(empty), "--speed", "0.12")
            self.assertEqual((done.returncode, done.stdout), (2, ""))

    @unittest.skipIf("asan" in THUD, "a sanitizer needs an address space of its own")
    def test_memory_that_runs_out_is_one_line(self):
        def little(*arguments: str) -> subprocess.CompletedProcess:
            limit = 200_000 << 10
            return subprocess.run([THUD, *arguments], capture_output=True, text=True, timeout=60,
                                  preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        with tempfile.TemporaryDirectory() as folder:
            big, robot = pathlib.Path(folder, "big.csv"), pathlib.Path(folder, "big.urdf")
            with open(big, "w") as file:
                for first in range(0, 5_000_000, 100_000):
                    file.write("".join(f"{i}e-6,0.5\n" for i in range(first, first + 100_000)))
            done = little("fit", str(big), "--speed", "0.1")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, r"\Athud: [^\n]*big.csv: does not fit into memory: [^\n]+\n\Z")
            done = little("fit", str(big), self.record, "--speed", "0.12", "--json")
            self.assertEqual(done.returncode, 1)
            self.assertIn("big.csv: does not fit into memory", done.stderr)
            self.assertEqual(json.loads(done.stdout)["records"][0]["best"], "viscoelastic")
            robot.write_text("<robot name='r'><link name='a'>" + "<visual><geometry><sphere radius='1'/></geometry></visual>"
                             * 700_000 + "</link></robot>")
            done = little("info", str(robot))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")
            self.assertNotIn("bad_alloc", done.stderr)

    def test_plot(self):
        with tempfile.TemporaryDirectory() as folder:
            drawing = pathlib.Path(folder, "fit.svg")
            self.assertEqual(run("fit", self.record, "--speed", "0.12", "--plot", str(drawing)).returncode, 0)
            laws = answer("fit", self.record, "--speed", "0.12")["records"][0]["laws"]
            for word in ["record", *laws, "end of compression"]:
                self.assertIn(word, drawing.read_text())
            ElementTree.parse(drawing)

    def test_no_answer_is_exit_1(self):
        with tempfile.TemporaryDirectory() as folder:
            flat = pathlib.Path(folder, "flat.csv")
            flat.write_text("".join(f"{i / 1e4},{0.1 * (-1) ** i}\n" for i in range(300)))
            done = run("fit", str(flat), "--speed", "0.1", "--json")
            self.assertEqual(done.returncode, 1)
            self.assertIsNone(json.loads(done.stdout)["records"][0]["best"])
            self.assertRegex(done.stderr, r"\Athud: [^\n]+\n\Z")

    def test_a_failed_run_leaves_old_files_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            table = pathlib.Path(folder, "table.csv")
            table.write_text("# thud fit 0.1: old")
            bad = pathlib.Path(folder, "bad.csv")
            bad.write_text("time,force\n0,1\n1,oops\n")
            done = run("fit", str(bad), "--speed", "0.12", "--out", str(table))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("bad.csv:3: oops:", done.stderr)
            self.assertEqual(table.read_text(), "# thud fit 0.1: old")
            self.assertEqual(sorted(path.name for path in pathlib.Path(folder).iterdir()), ["bad.csv", "table.csv"])

    def test_a_bad_record_among_several_does_not_stop_the_others(self):
        with tempfile.TemporaryDirectory() as folder:
            good = pathlib.Path(folder, "good.csv")
            good.write_text(pathlib.Path(self.record).read_text())
            for name in ("bad.csv", "worse.csv"):
                pathlib.Path(folder, name).write_text("time,force\n0,1\n1,oops\n")
            table = pathlib.Path(folder, "table.csv")
            for _ in range(2):  # the second time the folder holds a table of ours
                done = run("fit", folder, "--speed", "0.12", "--out", str(table), "--json")
                self.assertEqual(done.returncode, 1)
                lines = done.stderr.splitlines()
                self.assertEqual([line.split(": ")[2] for line in lines], ["oops", "oops"])
                self.assertTrue(lines[0].startswith(f"thud: {folder}/bad.csv:3: "))
                self.assertTrue(lines[1].startswith(f"thud: {folder}/worse.csv:3: "))
                result = json.loads(done.stdout)
                self.assertEqual([f"thud: {warning}" for warning in result["warnings"]], lines)
                self.assertEqual([item["file"] for item in result["records"]], [str(good)])
                self.assertEqual(result["records"][0]["best"], "viscoelastic")
                self.assertTrue(table.read_text().startswith(OWN_TABLE + "\nfile,speed,"))
            shown = run("fit", str(good), f"{folder}/bad.csv", "--speed", "0.12")
            self.assertEqual(shown.returncode, 1)
            self.assertIn("* best by BIC: viscoelastic", shown.stdout)
            none = run("fit", f"{folder}/bad.csv", f"{folder}/worse.csv", "--speed", "0.12", "--json")
            self.assertEqual((none.returncode, json.loads(none.stdout)["records"]), (1, []))

    def test_columns_of_the_table_do_not_run_together(self):
        with tempfile.TemporaryDirectory() as folder:  # a million newton: wide numbers
            record = pathlib.Path(folder, "a.csv")
            record.write_text(pathlib.Path(self.record).read_text())
            done = run("fit", str(record), "--speed", "1.2e-7", "--unit", "force=MN")
            header, *laws = [line for line in done.stdout.splitlines() if line and not line.startswith(("warning", "*"))][1:]
            self.assertEqual(len(laws), 4)
            found = json.loads(run("fit", str(record), "--speed", "1.2e-7", "--unit", "force=MN", "--json").stdout)
            found = found["records"][0]["laws"]
            names = ["law", "status", "RMSE [N]", "R^2", "BIC", "e", "impulse_c [N s]", "measured"]
            keys = ["rmse", "r_squared", "bic", "restitution", "impulse_compression", "measured_impulse_compression"]
            self.assertEqual(re.split(r"  +", header)[:8], names)
            ends = [re.search(re.escape(name) + r"(?= |$)", header).end() for name in names[2:]]
            for line in laws:
                cells = line.replace(" *", "").split()
                law = found[cells[0]]
                self.assertEqual(cells[1], law["status"])
                for key, cell, end in zip(keys, cells[2:8], ends):
                    if law[key] is None:
                        self.assertEqual(cell, "none")
                    else:
                        self.assertAlmostEqual(float(cell) / law[key], 1, delta=1e-3)
                    self.assertEqual(line[end - len(cell) - 1:end], " " + cell)  # a blank before each, ends in line
                    self.assertEqual(line[end], " ")

    def test_names_of_files_do_not_reach_the_terminal_as_they_are(self):
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder, "red\x1b[31m")
            data.mkdir()
            record = data / "a\x1b[0m.csv"
            record.write_text(pathlib.Path(self.record).read_text())
            (data / "manifest.toml").write_text(MANIFEST + '[[trial]]\nname = "a"\nforce = "a\\u001b[0m.csv"\nspeed = 0.12\n')
            for words in (["fit", str(record), "--speed", "0.12"], ["info", str(record)], ["info", str(data)],
                          ["import", str(data), "--out", f"{data}/a.h5"], ["study", str(data), "--out", str(data)]):
                done = run(*words)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("red\\x1b[31m", done.stdout)
                self.assertNotIn("\x1b", done.stdout)
            self.assertIn("1 of 1 trials", run("info", str(data)).stdout)
            self.assertIn("alarms in 0 trials", run("info", str(data)).stdout)

    def half_sines(self, *touches: float, rate: float = 5000, length: float = 0.2) -> list[tuple[float, float]]:
        """Times and forces of pulses of 10 ms; the first has 100 N, the second 150, and so on."""
        pulse = lambda x: math.sin(math.pi * x / 0.01) if 0 < x < 0.01 else 0
        ripple = lambda i: 0.2 * math.sin(12.9898 * i * i)
        return [(i / rate, sum((100 + 50 * k) * pulse(i / rate - touch) for k, touch in enumerate(touches)) + ripple(i))
                for i in range(int(length * rate))]

    def test_records_as_people_have_them(self):
        samples = self.half_sines(0.0501)
        comma = lambda number: f"{number:.6f}".replace(".", ",")
        shapes = {  # text of the file, options
            "plain": ("time,force\n" + "".join(f"{t:.6f},{f:.6f}\n" for t, f in samples), []),
            "six axes": ("t,Fx,Fy,Fz,Mx,My,Mz\n" + "".join(f"{t:.6f},0,0,{f:.6f},0,0,0\n" for t, f in samples),
                         ["--force-column", "Fz"]),
            "numbers of columns": ("".join(f"9,{t:.6f},0,{f:.6f}\n" for t, f in samples),
                                   ["--time-column", "2", "--force-column", "4"]),
            "units": ("clock,load\n" + "".join(f"{1e3 * t:.4f},{1e-3 * f:.9f}\n" for t, f in samples),
                      ["--time-column", "clock", "--force-column", "load", "--unit", "time=ms,force=kN"]),
            "pounds": ("".join(f"{1e6 * t:.1f},{f / 4.4482216152605:.6f}\n" for t, f in samples),
                       ["--unit", "time=us,force=lbf"]),
            "acceleration": ("t [s],a [g]\n" + "".join(f"{t:.6f},{f / (1.5 * 9.80665):.6f}\n" for t, f in samples),
                             ["--force-column", "a", "--unit", "force=g*1.5"]),
            "skip": ("Bench 3\nrun,17,x\nt,f\n" + "".join(f"{t:.6f},{f:.6f}\n" for t, f in samples), ["--skip", "2"]),
            "decimal commas in quotes": ("".join(f'"{comma(t)}","{comma(f)}"\n' for t, f in samples), []),
            "decimal commas": ("t;f\n" + "".join(f"{comma(t)};{comma(f)}\n" for t, f in samples), []),
            "units row": ("time,force\n[ms],[N]\n" + "".join(f"{1e3 * t:.4f},{f:.6f}\n" for t, f in samples), []),
            "index": ("".join(f"{i},{t:.6f},{f:.6f}\n" for i, (t, f) in enumerate(samples)), []),
            "missing": ("t,f\n" + "".join(f"{t:.6f},{'' if i % 7 == 3 else f'{f:.6f}'}\n"
                                          for i, (t, f) in enumerate(samples)), []),
        }
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "a.csv")
            for name, (text, options) in shapes.items():
                with self.subTest(name):
                    record.write_text(text)
                    found = answer("fit", str(record), "--speed", "0.1", "--law", "spring", *options)["records"][0]
                    self.assertAlmostEqual(found["rate"], 5000, 3)
                    self.assertAlmostEqual(found["peak"]["force"], 100, delta=1)
                    law = found["laws"]["spring"]["parameters"]
                    # a half sine of peak F and length T: impulse 2 F T/pi = 2 m v
                    self.assertAlmostEqual(law["mass"]["value"], 100 * 0.01 / (math.pi * 0.1), delta=0.05)
                    seen = answer("info", str(record), *options)
                    self.assertAlmostEqual(seen["peak"]["force"], found["peak"]["force"], 9)
                    self.assertEqual(found["samples"], seen["samples"])
                    piped = subprocess.run([THUD, "fit", "-", "--speed", "0.1", "--law", "spring", *options, "--json"],
                                           input=text, capture_output=True, text=True, timeout=60)
                    again = json.loads(piped.stdout)["records"][0]
                    self.assertEqual({**again, "file": str(record)}, found)
            self.assertIn("143 of 1000 rows lack a number", " ".join(found["warnings"]))  # the last one: missing

    def test_one_contact_of_several(self):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "a.csv")
            record.write_text("".join(f"{t},{f}\n" for t, f in self.half_sines(0.02, 0.08, 0.14)))
            fit = ["fit", str(record), "--speed", "0.1", "--law", "spring"]
            cases = [([], 0.02, 100), (["--contact", "1"], 0.02, 100), (["--contact", "2"], 0.08, 150),
                     (["--contact", "3"], 0.14, 200), (["--from", "0.05"], 0.08, 150),
                     (["--from", "0.05", "--contact", "2"], 0.14, 200), (["--from", "0.05", "--to", "0.12"], 0.08, 150)]
            for options, start, peak in cases:
                with self.subTest(options):
                    found = answer(*fit, *options)["records"][0]
                    self.assertAlmostEqual(found["window"]["start"], start, delta=3e-4)
                    self.assertAlmostEqual(found["peak"]["force"], peak, delta=1)
                    self.assertAlmostEqual(answer("info", str(record), *options)["peak"]["force"], peak, delta=1)
            for options, words in [
                (["--contact", "4"], "--contact: 4: the record has 3 contacts"),
                (["--from", "0.05", "--contact", "3"], "--contact: 3: the record has 2 contacts"),
                (["--contact", "0"], "--contact: 0: contacts are counted from 1"),
                (["--contact", "x"], "--contact: 'x': must be a whole number"),
                (["--from", "0.2", "--to", "0.1"], "--from: 0.2: must be a time before to"),
                (["--from", "5"], "from, to: 5 to inf s: has 0 samples of a record from 0 to 0.1998 s"),
            ]:
                done = run(*fit, *options)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(words, done.stderr)

    def test_what_has_no_end_is_refused(self):
        done = run("fit", "/dev/zero", "--speed", "0.1", "--max-size", "1000000")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "thud: /dev/zero: has more than 1000000 bytes: the limit for reading "
                                      "(RecordOptions::max_size, --max-size)\n")
        done = run("info", "/dev/zero", "--max-size", "1000000")
        self.assertEqual(done.stderr, "thud: robot: /dev/zero: has more than 1000000 bytes (the limit for reading "
                                      "(UrdfLimits::bytes, --max-size))\n")
        self.assertIn("has more than 67108864 bytes", run("info", "/dev/zero").stderr)
        done = run("predict", str(ROOT / "data/robots/panda.urdf"), "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL,
                   "--max-size", "100")
        self.assertIn("has more than 100 bytes", done.stderr)
        done = run("fit", self.record, "--speed", "0.1", "--max-samples", "100")
        self.assertIn("more than 100 samples: the limit for a record (RecordOptions::max_samples, --max-samples)", done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            huge = pathlib.Path(folder, "huge.csv")
            with open(huge, "wb") as file:
                file.truncate(100 << 30)
            done = run("info", str(huge))
            self.assertEqual(done.returncode, 2)
            self.assertIn("huge.csv: has more than 1073741824 bytes: the limit for reading", done.stderr)

    def test_messages_on_slow_records_and_square_pulses_are_true(self):
        with tempfile.TemporaryDirectory() as folder:
            record = pathlib.Path(folder, "a.csv")
            slow = self.half_sines(0.051, rate=200, length=0.5)
            record.write_text("time [s],force [N]\n" + "".join(f"{t:.4f},{f:.3f}\n" for t, f in slow))
            shown = run("fit", str(record), "--speed", "0.1")
            self.assertEqual(shown.returncode, 1)
            self.assertIn("warning: the rate is 200 Hz, low for an impact\n", shown.stdout)
            self.assertIn("fewer than 4 samples in the contact", shown.stdout)
            for untrue in ("199.99", "drift", "is time in seconds", "no force rises"):
                self.assertNotIn(untrue, shown.stdout + shown.stderr + run("info", str(record)).stdout)
            record.write_text("".join(f"{i / 1000},{100 if 50 <= i < 70 else 0}\n" for i in range(200)))
            shown = run("fit", str(record), "--speed", "0.1")
            self.assertEqual(shown.returncode, 1)
            self.assertEqual(shown.stderr, f"thud: fit: {record}: no contact to fit\n")
            self.assertIn("the force has only two levels, 0 and 100 N", shown.stdout)
            self.assertNotIn("as much as noise", shown.stdout)


CAMPAIGN = """
seed = 5
repeats = 3
speeds = [0.15]
[[configuration]]
name = "reach"
q = [0, 0.4, 0, -1.3, 0, 3.2708, 0.7854]
threshold = 1.8
"""


class Translate(unittest.TestCase):
    LAW = ["--law", "viscoelastic", "--stiffness", "3e5", "--damping", "2.5e6", "--mass", "4", "--speed", "0.12"]

    def test_what_a_simulator_makes_of_a_law(self):
        profile = answer("profile", *self.LAW)
        contact = {"mujoco": ["solref", "solimp"], "drake": ["point_contact_stiffness", "hunt_crossley_dissipation"],
                   "gazebo": ["kp", "kd", "max_vel"], "bullet": ["contactStiffness", "contactDamping"]}
        for simulator, names in contact.items():
            result = answer("translate", *self.LAW, "--to", simulator)
            self.assertEqual(list(result), ["law", "mass", "speed", "parameters", "to", "step", "contact", "units", "exact", "matched",
                                            "outcome", "elsewhere", "snippet", "warnings"])
            self.assertEqual((result["to"], result["step"], list(result["contact"])), (simulator, None, names))
            self.assertEqual(list(result["units"]), names)
            of_law, of_simulator = result["outcome"]["law"], result["outcome"]["simulator"]
            self.assertAlmostEqual(of_law["peak"], profile["events"]["peak"]["force"], 9)
            self.assertAlmostEqual(of_law["duration"], profile["events"]["end_of_force"]["time"], 12)
            self.assertAlmostEqual(of_simulator["peak"] / of_law["peak"], 1, 5)
            self.assertAlmostEqual(of_simulator["restitution"], profile["restitution"], 5)
            self.assertEqual(result["exact"], simulator == "drake")
            self.assertEqual(result["exact"], result["warnings"] == [])
            self.assertEqual([(each["mass"], each["speed"]) for each in result["elsewhere"]], [(4, 0.06), (4, 0.24), (2, 0.12), (8, 0.12)])
            table = run("translate", *self.LAW, "--to", simulator).stdout
            self.assertIn(result["snippet"], table)
            self.assertIn(f"4 kg at 0.12 m/s", table)
        self.assertEqual(answer("translate", *self.LAW, "--to", "drake")["contact"]["point_contact_stiffness"], 3e5)

    def test_a_step_and_one_impedance(self):
        stepped = answer("translate", *self.LAW, "--to", "gazebo", "--step", "0.001")
        kp, kd = stepped["contact"]["kp"], stepped["contact"]["kd"]
        self.assertAlmostEqual(stepped["contact"]["soft_erp"], 1e-3 * kp / (1e-3 * kp + kd), 12)
        self.assertLess(stepped["outcome"]["lowest"]["peak"], stepped["outcome"]["highest"]["peak"])
        self.assertLess(kd, answer("translate", *self.LAW, "--to", "gazebo")["contact"]["kd"])  # the step damps by itself
        constant = answer("translate", *self.LAW, "--to", "mujoco", "--constant-impedance")
        self.assertEqual(constant["contact"]["solimp"][0], constant["contact"]["solimp"][1])
        self.assertEqual(constant["matched"], ["peak", "restitution"])
        self.assertEqual(answer("translate", *self.LAW, "--to", "mujoco")["matched"], ["peak", "duration", "restitution"])

    def test_from_a_fit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "fit.json")
            fit = run("fit", str(ROOT / "data/records/viscoelastic.csv"), "--speed", "0.12", "--json").stdout
            path.write_text(fit)
            laws = json.loads(fit)["records"][0]["laws"]
            result = answer("translate", "--fit", str(path), "--to", "drake")
            self.assertEqual((result["law"], result["speed"]), ("viscoelastic", 0.12))
            self.assertEqual(result["mass"], laws["viscoelastic"]["parameters"]["mass"]["value"])
            self.assertEqual(result["parameters"]["stiffness"], laws["viscoelastic"]["parameters"]["stiffness"]["value"])
            other = answer("translate", "--fit", str(path), "--law", "maxwell", "--mass", "5", "--to", "drake")
            self.assertEqual((other["law"], other["mass"]), ("maxwell", 5))
            for text in ("", "[]", "{", '{"records": []}', '{"records": [3]}', '{"records": [{"best": null}]}', '{"records": [{"best": "spring"}]}',
                         '{"records": [{"best": "spring", "laws": {"spring": {"parameters": {"stiffness": 3}}}}]}'):
                path.write_text(text)
                done = run("translate", "--fit", str(path), "--to", "drake")
                self.assertEqual((done.returncode, done.stdout), (2, ""), text)
                self.assertRegex(done.stderr, r"\Athud: --fit: [^\n]+: [^\n]+\n\Z")


class Aim(unittest.TestCase):
    WHERE = ["aim", "panda", *WALL, "--at", "0.6,0,0.6"]

    def test_both_ends_of_what_a_point_allows(self):
        ends = {}
        for goal in "maximize", "minimize":
            found = answer(*self.WHERE, "--orientation", "tool-along-normal", f"--{goal}", "effective_mass")
            self.assertEqual((found["quantity"], found["maximize"], found["model"], found["orientation"]),
                             ("effective_mass", goal == "maximize", "composite_rigid_body", "tool_along_normal"))
            self.assertTrue(1 <= len(found["optima"]) <= 5 and found["reached"] <= found["starts"] == 64)
            values = [each["value"] for each in found["optima"]]
            self.assertEqual(values, sorted(values, reverse=goal == "maximize"))
            for each in found["optima"]:
                self.assertLess(each["position_error"], 1e-6)
                self.assertLess(each["angle_error"], 1e-6)
                self.assertGreaterEqual(each["joint_limit_distance"], 0)
            best = found["optima"][0]
            there = answer("predict", "panda", "--q=" + ",".join(map(repr, best["q"])), *WALL, "--dq=" + ",".join(map(repr, best["dq"])))
            for option in OPTIONS:
                self.assertAlmostEqual(there["options"][option]["effective_mass"], best["effective_mass"][option], 9)
            self.assertEqual(best["value"], best["effective_mass"]["composite_rigid_body"])
            self.assertAlmostEqual(there["velocity"]["exact"], -best["speed"], 9)
            for at, expected in zip(there["position"], (0.6, 0, 0.6)):
                self.assertAlmostEqual(at, expected, 6)
            ends[goal] = best["value"]
        self.assertGreater(ends["maximize"], 1.3 * ends["minimize"])
        again = answer(*self.WHERE, "--orientation", "tool-along-normal", "--minimize", "effective_mass")
        self.assertEqual(again, found)

    def test_an_object_leaves_as_asked_for(self):
        ball = ["--object-mass", "1", "--restitution", "0.5"]
        found = answer(*self.WHERE, *ball, "--object-speed", "0.3", "--count", "2")
        self.assertEqual(found["quantity"], "object_speed")
        best = found["optima"][0]
        hit = answer("predict", "panda", "--q=" + ",".join(map(repr, best["q"])), *WALL, "--dq=" + ",".join(map(repr, best["dq"])), *ball)
        leaves = hit["options"]["composite_rigid_body"]["impact"]["object"]["velocity"]
        self.assertAlmostEqual(math.hypot(*leaves), 0.3, 9)
        self.assertAlmostEqual(math.dist(leaves, best["object"]["velocity"]), 0, 9)
        self.assertAlmostEqual(best["speed_allowed"] / best["speed"], best["value"] / 0.3, 9)
        self.assertGreater(best["speed_allowed"], best["speed"])
        fast = answer(*self.WHERE, *ball, "--object-speed", "30", "--count", "1")["optima"][0]
        self.assertIn("speed limits allow", " ".join(fast["warnings"]))
        heavy = answer(*self.WHERE, *ball, "--object-speed", "0.3", "--maximize", "effective_mass", "--count", "1")["optima"][0]
        self.assertLessEqual(heavy["speed"], best["speed"])

    def test_speed_is_that_of_limit(self):
        found = answer(*self.WHERE, "--orientation", "tool-along-normal", "--maximize", "speed", "--body", "chest", "--starts", "16", "--count", "1")
        self.assertEqual(found["model"], "cautious")
        best = found["optima"][0]
        limit = answer("limit", "panda", "--q=" + ",".join(map(repr, best["q"])), *WALL, "--body", "chest")
        self.assertAlmostEqual(limit["speed"], best["value"], 12)
        self.assertIn("no certified safety function", " ".join(best["warnings"]))

    def test_what_would_be_left_out_is_refused(self):
        for words, says in ((["--maximize", "impulse", "--friction", "0.3"], "--friction: 0.3: is of an object"),
                            (["--object-mass", "1", "--object-speed", "0.3", "--speed", "5"], "--speed: 5: is given beside --object-speed"),
                            (["--maximize", "speed", "--speed", "5"], "--speed: 5: is what is searched for")):
            done = run(*self.WHERE, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertTrue(done.stderr.startswith(f"thud: {says}"), done.stderr)

    def test_a_joint_that_the_hit_does_not_feel_makes_no_other_posture(self):
        found = answer("aim", "ur10e", "--frame", "tool0", "--at", "0.7,0.2,0.5", "--normal=-1,0,0", "--orientation", "tool-along-normal",
                       "--maximize", "effective_mass", "--starts", "32")
        values = [each["value"] for each in found["optima"]]
        self.assertEqual(len(values), len({round(value, 6) for value in values}), values)

    def test_table_and_drawing(self):
        with tempfile.TemporaryDirectory() as folder:
            drawing = pathlib.Path(folder) / "arm.svg"
            done = run("aim", "planar_2r", "--frame", "tip", "--at", "1.1,0.6,0", "--normal", "0,1,0", "--maximize", "impulse",
                       "--model", "generalized_momentum", "--plot", str(drawing))
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"64 starts reach it, 2 postures shown, \d+ ms")
            self.assertRegex(done.stdout, r"1\. [\d.]+ N s")
            self.assertEqual(ElementTree.parse(drawing).getroot().tag, "{http://www.w3.org/2000/svg}svg")

    def test_without_an_answer(self):
        for words, says in ((["--at", "2,0,0"], r"cannot be reached .* nearest stayed 0\.9\d+ m away"),
                            (["--at", "0.5,0.5,0", "--model", "algebraic"], "does not exist")):
            done = run("aim", "spatial_3r", "--frame", self.last("spatial_3r"), "--normal", "1,0,0", "--maximize", "effective_mass", *words)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
            self.assertRegex(done.stderr, rf"\Athud: [^\n]*{says}[^\n]*\n\Z")

    def last(self, robot: str) -> str:
        return answer("info", robot)["frames"][-1]


class Limit(unittest.TestCase):
    WHERE = ["limit", "panda", "--q", CONFIGURATION_ONE, *WALL]
    LAW = ["--law", "viscoelastic", "--stiffness", "1e6", "--damping", "7.28e6"]

    def rows(self, *options: str) -> dict:
        found = answer(*self.WHERE, *options)
        self.assertEqual(set(found), {"speed", "binding", "model", "dq", "limits", "warnings"})
        rows = {(row["name"], row["joint"]): row for row in found["limits"]}
        speeds = [row["speed"] for row in found["limits"] if row["speed"] is not None]
        self.assertEqual(found["speed"], min(speeds))
        self.assertEqual(rows[found["binding"]["name"], found["binding"]["joint"]]["speed"], found["speed"])
        return found | {"rows": rows}

    def test_a_person(self):
        for model, speed in ("generalized_momentum", 1.1644), ("composite_rigid_body", 0.6619):
            found = self.rows("--body", "chest", "--model", model)
            self.assertAlmostEqual(found["rows"]["body_force", None]["speed"], speed, delta=1e-4)
            self.assertEqual(found["model"], model)
            self.assertIn("no certified safety function", " ".join(found["warnings"]))
        self.assertEqual(self.rows("--body", "chest")["speed"],
                         min(self.rows("--body", "chest", "--model", model)["speed"] for model in OPTIONS))
        clamped = self.rows("--body", "hand", "--clamped", "--area", "1", "--model", "composite_rigid_body")["rows"]
        force, pressure = clamped["body_force", None], clamped["body_pressure", None]
        self.assertEqual((force["bound"], pressure["bound"]), (140, 190e4))
        self.assertAlmostEqual(pressure["speed"] / force["speed"], 190 / 140, places=12)
        head = self.rows("--body", "skull")
        self.assertEqual((head["speed"], head["binding"]["name"]), (0, "body_force"))
        self.assertIn("no hit is permitted", " ".join(head["warnings"]))

    def test_what_is_met_is_what_predict_and_profile_say(self):
        found = self.rows(*self.LAW, "--max-force", "300", "--model", "composite_rigid_body")
        mass = answer("predict", "panda", "--q", CONFIGURATION_ONE, *WALL, "--speed", "0.1")["options"]["composite_rigid_body"]["effective_mass"]
        at = lambda speed: answer("profile", *self.LAW, "--mass", str(mass), "--speed", str(speed))
        self.assertAlmostEqual(at(found["rows"]["peak_force", None]["speed"])["events"]["peak"]["force"], 300, delta=3e-7)
        row = found["rows"]["joint_speed_after", "panda_joint4"]
        restitution = at(row["speed"])["restitution"]
        hit = answer("predict", "panda", "--q", CONFIGURATION_ONE, *WALL, "--speed", str(row["speed"]), "--restitution", str(restitution))
        jump = hit["options"]["composite_rigid_body"]["joint_velocity_jump_least_norm"][3]
        self.assertAlmostEqual(abs(hit["dq"][3] + jump), row["bound"], delta=1e-9)

    def test_drives_give_peaks(self):
        found = self.rows(*self.LAW, "--drives", "panda", "--max-force", "300", "--limits", "franka")
        self.assertIn("peaks of the elastic arm", " ".join(found["warnings"]))
        arm = answer("profile", "panda", "--q", CONFIGURATION_ONE, *WALL, "--drives", "panda", *self.LAW,
                     "--speed", str(found["rows"]["peak_force", None]["speed"]))
        self.assertAlmostEqual(arm["events"]["peak"]["force"], 300, delta=1e-5)
        self.assertEqual(found["rows"]["collision_torque", "panda_joint7"]["bound"], 12)
        self.assertEqual(found["rows"]["collision_force", None]["bound"], 20)

    def test_the_fastest_approach_is_not_slower(self):
        for model in OPTIONS:
            one = self.rows("--model", model)["speed"]
            best = self.rows("--model", model, "--fastest")
            self.assertGreaterEqual(best["speed"], one * (1 - 1e-12))
            again = self.rows("--model", model, "--dq=" + ",".join(map(str, best["dq"])))
            self.assertAlmostEqual(again["speed"], best["speed"], places=9)

    def test_limits_of_ones_own(self):
        with tempfile.TemporaryDirectory() as folder:
            own = pathlib.Path(folder) / "own.toml"
            own.write_text("[joints]\nspeed = 0.5\n[body.paw]\nforce = 10\npressure = 1e4\nstiffness = 1e4\nmass = 1\n")
            found = self.rows("--limits", str(own), "--body", "paw")
        self.assertEqual(found["rows"]["joint_speed_before", "panda_joint1"]["bound"], 0.5)
        self.assertEqual(found["rows"]["body_force", None]["bound"], 20)

    def test_table_for_people(self):
        text = run(*self.WHERE, "--body", "chest").stdout
        self.assertRegex(text, r"^panda: at most 0\.\d+ m/s along the normal, by \w+\n")
        self.assertEqual(text.count("<- binds"), 1)

    def test_refusals(self):
        for words, message in [
            (["--body", "nose"], "--body: nose: must be one of abdomen, back"),
            (["--body", "chest", *self.LAW], "--body: chest: is given beside --law"),
            (["--clamped"], "--clamped: given: is of a person"),
            (["--area", "1"], "--area: 1: is of a person"),
            (["--body", "chest", "--area", "0"], "--area: 0: must be > 0"),
            (["--max-force", "10"], "--max-force: 10: needs --law"),
            ([*self.LAW, "--max-force", "-1"], "--max-force: -1: must be > 0"),
            (["--stiffness", "1"], "--stiffness: 1: is of a law"),
            (["--model", "best"], "--model: best: must be cautious"),
            (["--restitution", "2"], "--restitution: 2: must be from 0 to 1"),
            (["--drives", "panda"], "--drives: panda: needs --law"),
            (["--servo", "off"], "--servo: off: is of an arm"),
            (["--dq", "0,0,0,0,0,0,0"], "must approach"),
            (["--dq", "1,0,0,0,0,0,0", "--fastest"], "--dq: 1,0,0,0,0,0,0: is one approach"),
            (["--limits", "none"], "limits: none: cannot be read"),
        ]:
            done = run(*self.WHERE, *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertIn(message, done.stderr)


class Map(unittest.TestCase):
    WHERE = ["map", "panda", "--frame", "panda_foot", "--offset", "0,0,0.0223"]
    NORMAL = [*WHERE, "--normal=-1,0,0"]

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def cells(self, folder: pathlib.Path) -> list[dict]:
        return list(csv.DictReader(line for line in (folder / "map.csv").read_text().splitlines() if not line.startswith("#")))

    def test_extremes_are_what_predict_says(self):
        found = answer(*self.NORMAL, "--samples", "3e4", "--cell", "0.2", "--out", str(self.folder / "new"))
        self.assertEqual(list(found), ["quantity", "unit", "model", "samples", "seed", "cells", "volume", "least", "greatest",
                                       "median_resolution", "convergence", "page", "table", "warnings"])
        cells = self.cells(self.folder / "new")
        self.assertEqual((found["cells"], found["samples"], found["model"]), (len(cells), 30000, "composite_rigid_body"))
        self.assertEqual(sum(int(cell["postures"]) for cell in cells), 30000)
        self.assertAlmostEqual(found["volume"], len(cells) * 0.2**3)
        self.assertEqual(found["least"]["value"], min(float(cell["least [kg]"]) for cell in cells))
        self.assertEqual(found["greatest"]["value"], max(float(cell["greatest [kg]"]) for cell in cells))
        for extreme in found["least"], found["greatest"]:
            hit = answer("predict", "panda", "--q=" + ",".join(map(repr, extreme["q"])), *WALL, "--dq", "0,0,0,0,0,0,0")
            self.assertAlmostEqual(hit["options"]["composite_rigid_body"]["effective_mass"] / extreme["value"], 1, places=9)
        text = run(*self.NORMAL, "--samples", "3e4", "--cell", "0.2", "--out", str(self.folder / "new")).stdout
        self.assertRegex(text, r"\Aeffective_mass of panda: 30000 postures in \d+ cells, [\d.]+ m\^3\n")
        self.assertIn("samples doubled: changes of", text)

    def test_speeds_are_those_of_limit(self):
        out = self.folder / "speeds"
        found = answer(*self.WHERE, "--direction", "0,0,-1", "--quantity", "speed", "--body", "chest", "--samples", "2000", "--cell", "0.3", "--out", str(out))
        self.assertEqual((found["model"], found["unit"]), ("cautious", "m/s"))
        self.assertIn("no certified safety function", " ".join(found["warnings"]))
        extreme = found["greatest"]
        normal = "--normal=" + ",".join(map(repr, extreme["normal"]))
        limit = answer("limit", "panda", "--q=" + ",".join(map(repr, extreme["q"])), "--frame", "panda_foot", "--offset", "0,0,0.0223", normal, "--body", "chest")
        self.assertAlmostEqual(limit["speed"] / extreme["value"], 1, places=6)
        contact = answer(*self.WHERE, "--direction", "0,0,-1", "--quantity", "speed", "--body", "chest", "--contact-alone", "--samples", "2000", "--cell", "0.3", "--out", str(out))
        self.assertGreater(contact["greatest"]["value"], extreme["value"])
        law = ["--law", "viscoelastic", "--stiffness", "1e6", "--damping", "7.28e6"]
        few = ["--samples", "500", "--cell", "0.5", "--out", str(out)]
        for words, unit in [(["--quantity", "impulse", "--speed", "0.5", "--restitution", "0.2"], "N s"), (["--quantity", "peak_force", "--speed", "0.5", *law], "N"),
                            (["--quantity", "speed", *law, "--max-force", "300"], "m/s")]:
            found = answer(*self.NORMAL, *words, *few)
            self.assertEqual(found["unit"], unit)
            self.assertLess(found["least"]["value"], found["greatest"]["value"])
        self.assertEqual(answer(*self.WHERE, "--all-directions", *few)["model"], "composite_rigid_body")

    def test_the_same_bytes_whatever_the_jobs(self):
        texts = set()
        for jobs in "123":
            out = self.folder / jobs
            self.assertEqual(run(*self.NORMAL, "--samples", "5e4", "--cell", "0.1", "--jobs", jobs, "--out", str(out)).returncode, 0)
            texts.add(((out / "map.csv").read_bytes(), (out / "map.html").read_bytes()))
        self.assertEqual(len(texts), 1)

    @unittest.skipIf("asan" in THUD, "a sanitizer keeps what is freed")
    def test_memory_does_not_grow_with_the_samples(self):
        def peak(samples: str) -> int:
            words = [THUD, *self.NORMAL, "--samples", samples, "--cell", "0.2", "--jobs", "1", "--out", str(self.folder / samples)]
            child = os.posix_spawn(THUD, words, {**os.environ}, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
            _, status, usage = os.wait4(child, 0)
            self.assertEqual(status, 0)
            return usage.ru_maxrss  # KiB

        few, many = peak("1e5"), peak("1e6")
        self.assertLess(many, 1.05 * few + 1024)  # some cells at the edge are reached late

    def test_an_interrupt_leaves_nothing(self):
        out = self.folder / "new"
        process = subprocess.Popen([THUD, *self.NORMAL, "--samples", "4e9", "--progress", "--out", str(out)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stderr.read(1)  # it has begun
        process.send_signal(signal.SIGINT)
        text, error = process.communicate(timeout=60)
        self.assertEqual((process.returncode, text), (1, b""))
        self.assertIn(b"interrupted, nothing is written", error)
        self.assertFalse(out.exists())

    def test_other_files_are_spared(self):
        few = ["--samples", "500", "--cell", "0.5", "--out", str(self.folder)]
        (self.folder / "map.csv").write_text("mine\n")
        done = run(*self.NORMAL, *few)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("--out", done.stderr)
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["map.csv"])
        self.assertEqual(run(*self.NORMAL, *few, "--force").returncode, 0)
        self.assertEqual(run(*self.NORMAL, *few).returncode, 0)  # its own

    def test_refusals(self):
        out = ["--out", str(self.folder / "none")]
        for words, message in [
            (self.WHERE, "--normal: missing: one of --normal, --direction and --all-directions"),
            ([*self.NORMAL, "--all-directions"], "--normal: given beside another"),
            ([*self.NORMAL, "--quantity", "colour"], "--quantity: colour: must be effective_mass, speed"),
            ([*self.NORMAL, "--quantity", "impulse"], "--speed: missing: is needed for impulse"),
            ([*self.NORMAL, "--quantity", "peak_force", "--speed", "1"], "--law: none: is needed"),
            ([*self.NORMAL, "--speed", "1"], "--speed: 1: is of peak_force and impulse"),
            ([*self.NORMAL, "--body", "chest"], "--body: chest: is of the quantity speed"),
            ([*self.NORMAL, "--quantity", "speed", "--contact-alone"], "--limits: none: are needed"),
            ([*self.NORMAL, "--samples", "1.5"], "--samples: 1.5: must be a whole number"),
            ([*self.NORMAL, "--cell", "1e-4"], "--cell: 1e-04: gives more than 1e8 cells"),
            ([*self.NORMAL, "--within", "0,0,0,1,1"], "--within: 0,0,0,1,1: must be six numbers"),
            ([*self.NORMAL, "--within", "9,9,9,10,10,10"], "--within: given: has no place"),
            (["map", "panda", "--frame", "no", "--normal=-1,0,0"], "--frame: no: "),
            ([*self.WHERE, "--all-directions", "--model", "cautious"], "--model: cautious: differs"),
            ([*self.NORMAL, "--jobs", "-1"], "--jobs: -1: must not be negative"),
        ]:
            done = run(*words, *out)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
            self.assertIn(message, done.stderr)
        self.assertFalse((self.folder / "none").exists())


class Simulate(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.campaign = self.folder / "campaign.toml"
        self.campaign.write_text(CAMPAIGN)

    def test_default_campaign_reads_back(self):
        text = run("simulate", "--print-default").stdout
        parsed = tomllib.loads(text)
        self.assertEqual(parsed["robot"], "panda")
        self.assertEqual(parsed["repeats"], 10)
        self.assertEqual(parsed["speeds"], [0.08, 0.1, 0.12, 0.15, 0.18])
        self.assertEqual([c["threshold"] for c in parsed["configuration"]], [1.8, 1.8, 1.5])
        for table in ["contact", "joints", "sensor", "controller"]:
            self.assertIn(table, parsed)
        own = text.replace("repeats = 10", "repeats = 1").replace("speeds = [0.08, 0.1, 0.12, 0.15, 0.18]",
                                                                   "speeds = [0.18]")
        self.campaign.write_text(own)
        result = answer("simulate", str(self.campaign), "--out", str(self.folder / "a.h5"))
        self.assertEqual(result["trials"], 3)

    def test_same_seed_same_bytes_whatever_the_jobs(self):
        files = [self.folder / f"{jobs}.h5" for jobs in (1, 2)]
        for jobs, file in zip((1, 2), files):
            result = answer("simulate", str(self.campaign), "--out", str(file), "--jobs", str(jobs))
            self.assertTrue(result["complete"])
            self.assertTrue(result["changed"])
            cell = result["cells"][0]
            self.assertEqual((cell["configuration"], cell["trials"]), ("reach", 3))
            self.assertAlmostEqual(cell["contact_speed"]["mean"], 0.15, delta=0.05 * 0.15)
            self.assertEqual(cell["detection"]["threshold"]["false_alarms"], 0)
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())
        again = answer("simulate", str(self.campaign), "--out", str(files[0]))
        self.assertFalse(again["changed"])
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())
        other = self.folder / "other.h5"
        answer("simulate", str(self.campaign), "--seed", "6", "--out", str(other))
        self.assertNotEqual(other.read_bytes(), files[0].read_bytes())

    def test_goes_on_after_being_killed(self):
        self.campaign.write_text(CAMPAIGN.replace("repeats = 3", "repeats = 12"))
        whole, cut = self.folder / "whole.h5", self.folder / "cut.h5"
        answer("simulate", str(self.campaign), "--out", str(whole))
        parts = self.folder / "cut.h5.parts"
        kills = 0
        for wanted in (2, 5, 8):
            process = subprocess.Popen([THUD, "simulate", str(self.campaign), "--out", str(cut)],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and len(list(parts.glob("*.h5"))) < wanted:
                time.sleep(0.002)
            kills += process.poll() is None
            process.kill()
            process.wait()
        self.assertGreaterEqual(kills, 2)
        self.assertGreaterEqual(answer("info", str(cut))["trials"], 5)  # what was finished is not lost
        self.assertTrue(answer("simulate", str(self.campaign), "--out", str(cut))["complete"])
        self.assertEqual(cut.read_bytes(), whole.read_bytes())
        self.assertFalse(parts.exists())

    def test_interrupt_is_exit_1_and_goes_on(self):
        self.campaign.write_text(CAMPAIGN.replace("repeats = 3", "repeats = 12"))
        file = self.folder / "a.h5"
        process = subprocess.Popen([THUD, "simulate", str(self.campaign), "--out", str(file), "--jobs", "1"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not list((self.folder / "a.h5.parts").glob("*.h5")):
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate()
        self.assertEqual(process.returncode, 1)
        self.assertEqual(out, "")
        self.assertIn("continues where it stopped", error)
        self.assertTrue(answer("simulate", str(self.campaign), "--out", str(file))["complete"])

    def test_refusals(self):
        file = str(self.folder / "a.h5")
        answer("simulate", str(self.campaign), "--out", file)
        before = pathlib.Path(file).read_bytes()
        bad = self.folder / "bad.toml"
        bad.write_text("sped = 1\n")
        text = self.folder / "text.h5"
        text.write_text("not HDF5")
        for words, message in [
            (["--out", file, "--seed", "9"], "seed is 5, not 9"),
            (["--out", file, "--seed", "-1"], "--seed: '-1': must be a whole number"),
            (["--out", file, "--jobs", "-1"], "--jobs: -1: must not be negative"),
            ([], "--out: missing"),
            (["--out", str(text)], "text.h5"),
            (["--out", str(self.folder / "no" / "a.h5")], "no/a.h5"),
        ]:
            done = run("simulate", str(self.campaign), *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertIn(message, done.stderr)
        done = run("simulate", str(bad), "--out", str(self.folder / "b.h5"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("bad.toml:1: sped: not a key here", done.stderr)
        self.assertFalse((self.folder / "b.h5").exists())
        bad.write_text(CAMPAIGN.replace("reach", ".reach"))  # a name that a dataset would refuse
        done = run("simulate", str(bad), "--out", str(self.folder / "b.h5"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("configuration.name: '.reach': a name has", done.stderr)
        self.assertFalse((self.folder / "b.h5").exists())
        self.assertEqual(pathlib.Path(file).read_bytes(), before)
        self.assertEqual(text.read_text(), "not HDF5")

    def test_an_unstable_plant_has_no_answer(self):
        self.campaign.write_text(CAMPAIGN + "[joints]\nstiffness = 1e12\n[plant]\nstep = 1e-4\n"
                                            "[sensor]\nrate = 1e4\nbandwidth = 2e3\n")
        done = run("simulate", str(self.campaign), "--out", str(self.folder / "a.h5"))
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done.stderr)
        self.assertIn("the plant became unstable", done.stderr)


    def test_trials_that_never_touch_are_recorded(self):
        self.campaign.write_text(CAMPAIGN.replace("threshold = 1.8", "threshold = 0.001"))
        file = str(self.folder / "a.h5")
        result = answer("simulate", str(self.campaign), "--out", file)
        cell = result["cells"][0]
        self.assertEqual((result["complete"], cell["trials"], cell["touched"]), (True, 3, 0))
        self.assertEqual((cell["detection"]["threshold"]["false_alarms"], cell["detection"]["threshold"]["missed"]), (3, 0))
        self.assertIsNone(cell["peak_force"]["mean"])
        self.assertIn("3 of 3 trials never touched the wall", result["warnings"][0])
        self.assertIn("none", run("simulate", str(self.campaign), "--out", file).stdout)
        self.assertEqual(answer("info", file)["trials"], 3)
        there, again = str(self.folder / "there"), str(self.folder / "b.h5")
        answer("export", file, "--out", there)
        answer("import", there, "--out", again)
        self.assertEqual(pathlib.Path(file).read_bytes(), pathlib.Path(again).read_bytes())
        done = run("study", file, "--out", str(self.folder / "out"), "--json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no trial has a contact", done.stderr)


class Outputs(unittest.TestCase):
    """Nothing that was read is lost, and nothing that thud did not write."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.record = self.folder / "run.csv"
        self.text = (ROOT / "data/records/viscoelastic.csv").read_text()
        self.record.write_text(self.text)

    def refused(self, *words) -> str:
        done = run(*map(str, words))
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")
        return done.stderr

    def test_raw_data_are_not_destroyed(self):
        link, speeds = self.folder / "link.csv", self.folder / "speeds.csv"
        link.symlink_to(self.record)
        speeds.write_text("run.csv,0.12\n")
        for force in ([], ["--force"]):
            for out in (self.record, link):
                for option in ("--out", "--plot"):
                    self.assertIn("is read by this command", self.refused(
                        "fit", self.record, "--speed", "0.12", option, out, *force))
            self.assertIn("is read by this command", self.refused(
                "fit", self.record, "--speed", speeds, "--out", speeds, *force))
        self.assertEqual(self.record.read_text(), self.text)
        self.assertTrue(link.is_symlink())

    def test_a_foreign_file_is_replaced_by_force_alone(self):
        mine = self.folder / "manifest.toml"
        mine.write_text("mine")
        profile = ["profile", "--law", "spring", "--mass", "4", "--speed", "0.1", "--stiffness", "1e5", "--restitution", "0.5"]
        for words in (["fit", self.record, "--speed", "0.12", "--out"], [*profile, "--csv"]):
            self.assertIn("--force replaces it", self.refused(*words, mine))
            self.assertEqual(mine.read_text(), "mine")
            self.assertEqual(run(*map(str, words), str(mine), "--force").returncode, 0)
            self.assertEqual(run(*map(str, words), str(mine)).returncode, 0, "its own mark gives way")
            self.assertRegex(mine.read_text(), rf"\A# thud {words[0]} \d")
            mine.write_text("mine")
        self.assertIn("is the file of --csv", self.refused(
            *profile, "--csv", self.folder / "a.svg", "--plot", f"{self.folder}/./a.svg"))
        relative = os.path.relpath(self.folder / "a.svg")
        self.assertIn("is the file of --csv", self.refused(*profile, "--csv", relative, "--plot", self.folder / "a.svg"))
        self.assertFalse((self.folder / "a.svg").exists())
        self.assertEqual(run(*profile, "--csv", "/dev/null").returncode, 0)

    def test_a_mark_is_at_the_beginning_or_there_is_none(self):
        script = self.folder / "fit.sh"
        fit = ["fit", self.record, "--speed", "0.12", "--out", script]
        for text in (f"thud fit {self.record}\n", "# thud fit my own notes\n", "#!/bin/sh\n# thud fit 0.2.0\n"):
            script.write_text(text)
            self.assertIn("--force replaces it", self.refused(*fit))
            self.assertEqual(script.read_text(), text)

    def test_a_marked_record_that_was_read_is_an_input(self):
        text = "# thud fit 0.2.0\n" + self.text
        self.record.write_text(text)
        for force in ([], ["--force"]):
            self.assertIn("is read by this command", self.refused(
                "fit", self.record, "--speed", "0.12", "--out", self.record, *force))
        self.assertEqual(self.record.read_text(), text)

    def test_standard_input_is_an_input(self):
        for words in (["--out", str(self.record)], ["--out", str(self.record), "--force"], ["--plot", str(self.record)]):
            with open(self.record) as file:
                done = subprocess.run([THUD, "fit", "-", "--speed", "0.12", *words], stdin=file, capture_output=True,
                                      text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("is read by this command", done.stderr)
            self.assertEqual(self.record.read_text(), self.text)

    def test_nothing_is_written_where_one_file_cannot_be(self):
        table = self.folder / "table.csv"
        fit = ["fit", self.record, "--speed", "0.12", "--out", table]
        self.assertIn("there is no such folder", self.refused(*fit, "--plot", self.folder / "no" / "x.svg"))
        self.assertFalse(table.exists())
        (self.folder / "manifest.toml").write_text(MANIFEST + '[[trial]]\nforce = "run.csv"\nspeed = 0.12\n')
        (self.folder / "out" / "verdicts.csv").mkdir(parents=True)
        message = self.refused("study", self.folder, "--out", self.folder / "out")
        self.assertIn("--out: ", message)
        self.assertIn("verdicts.csv: is a folder; a file is needed", message)
        self.assertEqual([path.name for path in (self.folder / "out").iterdir()], ["verdicts.csv"])

    def test_results_of_a_study_are_no_records(self):
        (self.folder / "manifest.toml").write_text(MANIFEST + '[[trial]]\nforce = "run.csv"\nspeed = 0.12\n')
        for _ in range(2):
            answer("study", str(self.folder), "--out", str(self.folder))
            found = answer("fit", str(self.folder), "--speed", "0.12")
            self.assertEqual([item["file"] for item in found["records"]], [str(self.record)])

    def test_a_foreign_table_is_not_said_to_be_read(self):
        (self.folder / "manifest.toml").write_text(MANIFEST + '[[trial]]\nforce = "run.csv"\nspeed = 0.12\n')
        mine = self.folder / "cells.csv"
        mine.write_text("mine")
        self.assertIn("--force replaces it", self.refused("study", self.folder, "--out", self.folder))
        self.assertEqual(mine.read_text(), "mine")
        answer("study", str(self.folder), "--out", str(self.folder), "--force")

    def test_a_record_with_a_mark_is_spared_by_a_study(self):
        for first in ("# taken for the thud study of May\n", "# thud study 0.2.0\n"):
            (self.folder / "trials.csv").write_text(first + self.text)
            (self.folder / "manifest.toml").write_text(MANIFEST + '[[trial]]\nforce = "trials.csv"\nspeed = 0.12\n')
            for force in ([], ["--force"]):
                self.assertIn("trials.csv: is read by this command",
                              self.refused("study", self.folder, "--out", self.folder, *force))
            self.assertEqual((self.folder / "trials.csv").read_text(), first + self.text)

    def test_a_study_spares_the_records_in_its_folder(self):
        (self.folder / "trials.csv").write_text(self.text)
        (self.folder / "manifest.toml").write_text(MANIFEST + '[[trial]]\nforce = "trials.csv"\nspeed = 0.12\n')
        before = sorted(path.name for path in self.folder.iterdir())
        for force in ([], ["--force"]):
            self.assertIn("trials.csv: is read by this command",
                          self.refused("study", self.folder, "--out", self.folder, *force))
        self.assertEqual((self.folder / "trials.csv").read_text(), self.text)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before)

    def test_a_dataset_is_not_converted_onto_itself(self):
        file, there = str(self.folder / "a.h5"), str(self.folder / "there")
        answer("import", str(ROOT / "data/records"), "--out", file)
        answer("export", file, "--out", there)
        before = pathlib.Path(file).read_bytes()
        self.assertIn("is read by this command", self.refused("import", file, "--out", file, "--force"))
        self.assertIn("is read by this command", self.refused("export", there, "--out", there, "--force"))
        self.assertEqual(pathlib.Path(file).read_bytes(), before)
        self.assertEqual(answer("info", there)["trials"], 5)

    def test_a_full_disk_is_no_success(self):
        for words in (["info", "panda"], ["info", "panda", "--json"], ["--help"], ["completion", "bash"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([THUD, *words], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual(done.returncode, 1, words)
            self.assertEqual(done.stderr, "thud: standard output: cannot be written: No space left on device\n")


CLAIMS = re.findall(r"^\| `((?!beyond)[\w.]+)` \|", (ROOT / "docs/study.md").read_text(), re.M)  # in the order of the document

MANIFEST = """
robot = "panda"
[contact]
frame = "panda_foot"
offset = [0, 0, 0.0223]
normal = [-1, 0, 0]
[[configuration]]
q = [0, 0.1, 0, -1.5, 0, 3.1708, 0.7854]
"""


class Study(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "deep" / "out"

    def results(self) -> dict:
        return json.loads((self.out / "results.json").read_text(),
                          parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)))

    def measured(self, records: dict[str, float]) -> str:
        """A folder as people bring it: force records and speeds, nothing else."""
        data = self.folder / "data"
        data.mkdir()
        text = MANIFEST
        for name, speed in records.items():
            (data / name).write_bytes((ROOT / "data/records" / name).read_bytes())
            text += f'[[trial]]\nforce = "{name}"\nspeed = {speed}\n'
        (data / "manifest.toml").write_text(text)
        return str(data)

    def test_simulated_campaign(self):
        campaign, file = self.folder / "campaign.toml", str(self.folder / "a.h5")
        campaign.write_text(CAMPAIGN)
        answer("simulate", str(campaign), "--out", file)
        printed = answer("study", file, "--out", str(self.out))
        self.assertEqual(list(printed), ["verdicts", "beyond", "arm", "report", "results", "tables", "warnings"])
        self.assertEqual([each["claim"] for each in printed["beyond"]], ["beyond.rotors", "beyond.elastic_arm"])
        self.assertEqual(printed["arm"]["origin"], "the dataset's campaign")
        self.assertEqual([each["claim"] for each in printed["verdicts"]], CLAIMS)
        self.assertEqual(printed["results"], str(self.out / "results.json"))
        found = self.results()
        self.assertEqual(found["verdicts"], printed["verdicts"])
        self.assertEqual(found["dataset"]["file"], "a.h5")
        self.assertEqual(found["dataset"]["seed"], 5)
        self.assertEqual([trial["status"] for trial in found["trials"]], ["ok"] * 3)
        self.assertEqual(found["truth"]["trials"], 3)
        for path in printed["tables"]:
            mark, *lines = pathlib.Path(path).read_text().splitlines()
            self.assertRegex(mark, r"\A# thud study \d")
            rows = list(csv.reader(lines))
            self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        # on another number of threads the same bytes
        before = (self.out / "results.json").read_bytes()
        answer("study", file, "--out", str(self.out), "--jobs", "1")
        self.assertEqual((self.out / "results.json").read_bytes(), before)

    def test_a_box_in_the_place_of_the_wall(self):
        campaign, file = self.folder / "box.toml", str(self.folder / "box.h5")
        example = (ROOT / "docs/lab.md").read_text().split("```toml\n")[1].split("```")[0]
        campaign.write_text(example.replace("repeats = 3", "repeats = 1").replace("[0.4, 1.9]", "[0.4]")
                            .replace("[0.3, 0.5]", "[0.5]"))
        cells = answer("simulate", str(campaign), "--out", file)["cells"]
        self.assertEqual([cell["object"] for cell in cells], ["m0.4_o0", "m0.4_o0.04"])
        info = answer("info", file)
        self.assertEqual(info["force"], {"rate": None, "trials": 0})
        self.assertEqual(info["object"], {"rate": 200.0, "trials": 2, "masses": [0.4]})
        printed = answer("study", file, "--out", str(self.out))
        self.assertEqual({each["why"] for each in printed["verdicts"]}, {"no trial has a force record"})
        models = {each["model"]: each for each in printed["objects"]}
        self.assertEqual(models["flexible_joints"]["trials"], 0)  # no answer with friction
        self.assertLess(models["generalized_momentum"]["median_error"], 0.1)  # a light box feels little but the links
        objects = self.results()["objects"]["trials"]
        self.assertLess(abs(objects[0]["spin"]), 0.2)
        self.assertLess(objects[1]["spin"], -1)  # hit to the left of the middle
        self.assertTrue((self.out / "objects.csv").exists())
        # a folder and back, without a change; then as measured, with friction and restitution given
        folder = self.folder / "data"
        answer("export", file, "--out", str(folder))
        again = str(self.folder / "again.h5")
        answer("import", str(folder), "--out", again)
        self.assertEqual(pathlib.Path(again).read_bytes(), pathlib.Path(file).read_bytes())
        done = run("study", str(folder), "--out", str(self.out), "--friction", "0.3", "--object-restitution", "0.4", "--no-page")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("2 of 2 objects with a hit; as given", done.stdout)
        self.assertEqual(run("study", file, "--out", str(self.out), "--friction", "-1").returncode, 2)

    def test_predictions_are_those_of_predict(self):
        answer("study", self.measured({"viscoelastic.csv": 0.12, "maxwell.csv": 0.1}), "--out", str(self.out))
        found = self.results()
        self.assertEqual(found["robots"], ["panda", "panda_fer", "panda_gaz"])
        for cell in found["cells"]:
            q, dq = (",".join(repr(value) for value in cell[key]) for key in ("q", "dq"))
            for robot in found["robots"]:
                expected = answer("predict", robot, "--q", q, "--dq", dq, *WALL)
                for option in OPTIONS:
                    for key, value in cell["predictions"][robot][option].items():
                        self.assertEqual(value, expected["options"][option][key], (robot, option, key))

    def test_a_study_without_the_page(self):
        folder = self.measured({"viscoelastic.csv": 0.12})
        printed = answer("study", folder, "--out", str(self.out), "--no-page")
        self.assertIsNone(printed["report"])
        self.assertEqual(self.results()["verdicts"], printed["verdicts"])
        self.assertFalse((self.out / "report.html").exists())
        self.assertNotIn("report:", run("study", folder, "--out", str(self.out), "--no-page").stdout)
        self.assertIsNotNone(answer("study", folder, "--out", str(self.out))["report"])
        before = (self.out / "report.html").read_bytes()
        answer("study", folder, "--out", str(self.out), "--no-page", "--robot", "panda_gaz")
        self.assertEqual((self.out / "report.html").read_bytes(), before)

    def test_laws_are_those_of_fit(self):
        answer("study", self.measured({"viscoelastic.csv": 0.12}), "--out", str(self.out))
        fitted = answer("fit", str(ROOT / "data/records/viscoelastic.csv"), "--speed", "0.12")["records"][0]
        trial = self.results()["trials"][0]
        self.assertEqual(trial["velocity"]["source"], "reference")
        self.assertEqual(trial["best"], fitted["best"])
        for law, expected in fitted["laws"].items():
            found = trial["laws"][law]
            self.assertLessEqual(set(expected), set(found))
            self.assertAlmostEqual(found["rmse"], expected["rmse"], 9)
            self.assertAlmostEqual(found["misfit"], expected["misfit"], 9)
            self.assertEqual(found["identifiability"], expected["identifiability"])
            if expected["residuals"]:
                self.assertEqual(found["residuals"]["runs"], expected["residuals"]["runs"])
                self.assertAlmostEqual(found["residuals"]["frequency"], expected["residuals"]["frequency"], 6)

    def test_measured_folder_says_what_it_cannot_tell(self):
        folder = self.measured({"viscoelastic.csv": 0.12, "maxwell.csv": 0.1, "spring.csv": 0.08})
        printed = answer("study", folder + "/", "--out", str(self.out))
        verdicts = {each["claim"]: each for each in printed["verdicts"]}
        self.assertEqual(verdicts["c1.maxwell"]["verdict"], "not testable")
        self.assertIsNone(verdicts["c1.maxwell"]["statistic"])
        self.assertEqual(verdicts["c1.spring"]["verdict"], "not supported")  # one of the three is a spring
        self.assertTrue(any("no joint log" in sentence for sentence in printed["warnings"]))
        found = self.results()
        self.assertEqual(found["dataset"]["file"], "data")
        self.assertEqual(found["dataset"]["source"], "measured")
        self.assertIsNone(found["dataset"]["seed"])
        self.assertIsNone(found["truth"])
        done = run("study", folder, "--out", str(self.out))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("not testable: c1.maxwell: ", done.stdout)
        self.assertIn(str(self.out / "results.json"), done.stdout)

    def test_unfinished_dataset(self):
        campaign, file = self.folder / "campaign.toml", self.folder / "a.h5"
        campaign.write_text(CAMPAIGN.replace("repeats = 3", "repeats = 12"))
        process = subprocess.Popen([THUD, "simulate", str(campaign), "--out", str(file)], stdout=subprocess.DEVNULL)
        while process.poll() is None and len(list((self.folder / "a.h5.parts").glob("*.h5"))) < 2:
            time.sleep(0.002)
        process.kill()
        process.wait()
        printed = answer("study", str(file), "--out", str(self.out))
        self.assertRegex(printed["warnings"][0], r"not complete: \d+ of 12 trials")
        self.assertEqual(self.results()["dataset"]["planned"], 12)

    def test_no_contact_is_exit_1_with_a_report(self):
        folder = self.measured({"viscoelastic.csv": 0.12})
        noise = "".join(f"{i / 25e3:.5f},{(i * 7919 % 13 - 6) / 10}\n" for i in range(300))
        pathlib.Path(folder, "viscoelastic.csv").write_text("time [s],force [N]\n" + noise)
        done = run("study", folder, "--out", str(self.out), "--json")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Athud: study: [^\n]*no trial has a contact[^\n]*\n\Z")
        self.assertEqual({each["verdict"] for each in json.loads(done.stdout)["verdicts"]}, {"not testable"})
        self.assertNotEqual(self.results()["trials"][0]["status"], "ok")

    def test_refusals_leave_old_results_alone(self):
        folder = self.measured({"viscoelastic.csv": 0.12})
        self.out.mkdir(parents=True)
        old = '{"format": "thud results"}'
        (self.out / "results.json").write_text(old)
        out = ["--out", str(self.out)]
        (self.folder / "file").write_text("mine")
        for words, message in [
            ([str(self.folder / "no.h5"), *out], "no.h5"),
            ([folder], "--out: missing"),
            ([folder, *out, "--jobs", "-1"], "--jobs: -1: must not be negative"),
            ([folder, *out, "--robot", "nobody"], "nobody"),
            ([folder, *out, "--robot", "planar_2r"], "robot: planar_2r: has 2 joints where the dataset has 7"),
            ([folder, *out, "--material-restitution", "2"], "--material-restitution: 2: must be in (0, 1]"),
            ([folder, "--out", str(self.folder / "file")], "file: cannot be made"),
        ]:
            done = run("study", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertIn(message, done.stderr)
        self.assertEqual((self.out / "results.json").read_text(), old)
        self.assertEqual((self.folder / "file").read_text(), "mine")


class Refusals(unittest.TestCase):
    def refused(self, *arguments: str) -> str:
        done = run(*arguments)
        self.assertEqual(done.returncode, 2, arguments)
        self.assertEqual(done.stdout, "", arguments)
        self.assertRegex(done.stderr, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")
        return done.stderr

    def test_each_says_what_value_and_rule(self):
        panda = ["predict", "panda", "--q", CONFIGURATION_ONE]
        still = ["--dq", "0,0,0,0,0,0,0"]
        fit = ["fit", str(ROOT / "data/records/viscoelastic.csv"), "--speed", "0.12"]
        hit = ["--robot", "panda", "--q", CONFIGURATION_ONE, *WALL]
        cases = [
            ([], "command: missing"),
            (["bogus"], "command: bogus: not a command"),
            (["--bogus"], "command: --bogus: not a command"),
            (["predict"], "ROBOT: missing"),
            (["predict", "panda", "--dq", "0"], "--q: missing"),
            (panda + still + ["--frame", "panda_foot"], "--normal: missing"),
            (panda + WALL, "--dq: missing: give either --dq or --speed"),
            (panda + still + WALL + ["--speed", "1"], "give either --dq or --speed"),
            (panda + still + WALL + ["--colour", "red"], "not known to thud predict"),
            (panda + still + WALL + ["--restitution"], "--restitution"),
            (panda + still + WALL + ["--restitution", "1.2"], "--restitution: 1.2: must be from 0 to 1"),
            (panda + still + WALL + ["--restitution", "nan"], "--restitution: 'nan': must be a finite number"),
            (["translate", *Translate.LAW], "--to: missing"),
            (["translate", *Translate.LAW, "--to", "unity"], "--to: unity: must be mujoco, drake, gazebo or bullet"),
            (["translate", *Translate.LAW[:-2], "--to", "drake"], "--speed: missing: is needed without --fit"),
            (["translate", *Translate.LAW[:-1], "-1", "--to", "drake"], "--speed: -1: must be > 0"),
            (["translate", "--to", "drake"], "--law: missing: is needed without --fit"),
            (["translate", *Translate.LAW, "--to", "drake", "--step", "0"], "--step: 0: must be > 0"),
            (["translate", *Translate.LAW, "--to", "drake", "--step", "1e-9"], "--step: 1e-09: must be more than"),
            (["translate", *Translate.LAW, "--to", "drake", "--constant-impedance"], "--constant-impedance: drake: is of mujoco alone"),
            (["translate", "--fit", "none.json", "--to", "drake"], "none.json: cannot be opened"),
            (["translate", *Translate.LAW, "--fit", "none.json", "--to", "drake"], "is the fit's with --fit"),
            (["info", "panda", "--kind", "arm"], "--kind: arm: must be robot, drives or limits"),
            (["info", "--kind", "drives"], "SUBJECT: missing: is needed with --kind"),
            (["info", "none.toml"], "none.toml"),
            (["info", "iiwa", "--memory", "1"], "--memory: 1: applies to datasets only"),
            (fit + ["--free", "stiffness"], "--free: stiffness: is of an arm: it needs --robot"),
            (fit + ["--robot", "panda"], "--q: missing: is needed with --robot"),
            (fit + hit + ["--mass", "4"], "--mass: 4: is the arm's with --robot"),
            (fit + hit + ["--free", "colour"], "--free: colour: must be of stiffness, damping"),
            (fit + hit + ["--free", "servo"], "free: servo: the drives have none"),
            (fit + hit + ["--model-error", "-1"], "--model-error: -1: must be >= 0"),
            (panda + still + WALL + ["--friction", "-1"], "--friction: -1: must be >= 0"),
            (Aim.WHERE, "--maximize: missing: give --maximize, --minimize or --object-speed"),
            (Aim.WHERE + ["--maximize", "mass"], "--maximize: mass: must be one of effective_mass, speed"),
            (Aim.WHERE + ["--maximize", "speed", "--minimize", "speed"], "--minimize: speed: is given beside --maximize"),
            (Aim.WHERE + ["--maximize", "speed", "--orientation", "up"], "--orientation: up: must be free, tool-along-normal or fixed"),
            (Aim.WHERE + ["--maximize", "speed", "--orientation", "fixed"], "--rpy: missing"),
            (Aim.WHERE + ["--maximize", "speed", "--rpy", "0,0,0"], "--rpy: 0,0,0: is of a tool that does not turn"),
            (Aim.WHERE + ["--object-speed", "1"], "--object-speed: 1: is of an object: it needs --object-mass"),
            (Aim.WHERE + ["--maximize", "effective_mass", "--model", "cautious"], "--model: cautious: is of the quantity speed alone"),
            (Aim.WHERE + ["--maximize", "effective_mass", "--body", "chest"], "--body: given: is of the quantity speed alone"),
            (Aim.WHERE + ["--maximize", "effective_mass", "--starts", "0"], "--starts: 0: must be from 1"),
            (Aim.WHERE + ["--maximize", "impulse", "--speed", "0"], "--speed: 0: must be > 0"),
            (Aim.WHERE + ["--maximize", "object_speed"], "quantity: object_speed: needs an object"),
            (panda + still + WALL + ["--friction", "inf"], "--friction: 'inf': must be a finite number"),
            (panda + still + WALL + ["--restitution-kind", "elastic"],
             "--restitution-kind: elastic: must be one of energetic, newton, poisson"),
            (panda + still + WALL + ["--object-mass", "0"], "object mass: 0: must be finite and > 0"),
            (panda + still + WALL + ["--object-velocity", "1,0,0"], "--object-velocity: 1,0,0: is of an object: it needs --object-mass"),
            (panda + still + WALL + ["--object-mass", "1", "--object-com", "1,0,0"], "--object-inertia: missing:"),
            (panda + still + WALL + ["--object-mass", "1", "--object-inertia", "1,1,1,0,0,0"], "--object-com: missing:"),
            (panda + still + WALL + ["--object-mass", "1", "--object-inertia", "1,1,1", "--object-com", "1,0,0"],
             "--object-inertia: 1,1,1: must be IXX,IYY,IZZ,IXY,IXZ,IYZ"),
            (panda + still + WALL + ["--object-mass", "1", "--object-inertia", "1,1,5,0,0,0", "--object-com", "1,0,0"],
             "object inertia: 5: a principal moment must not exceed the sum of the other two"),
            (panda + still + WALL + ["--rotor", "1,2"], "--rotor: 2 values: panda needs 7"),
            (panda + still + WALL + ["--rotor", "1,1,1,1,1,1,-1"], "rotor: -1:"),
            (panda + still + WALL + ["--duration", "0"], "--duration: 0: must be > 0"),
            (panda + still + WALL + ["--compare", "planar_2r"], "--compare: planar_2r: has 2 joints"),
            (panda + ["--speed", "-1"] + WALL, "speed: -1:"),
            (panda + ["--dq", "0,0"] + WALL, "--dq: 2 values: panda needs 7"),
            (panda + ["--dq", "0,0,0,inf,0,0,0"] + WALL, "--dq: 'inf'"),
            (panda + ["--dq", "0,0,0,,0,0,0"] + WALL, "--dq: ''"),
            (panda + ["--dq", "panda_joint2=1,0"] + WALL, "--dq: 0: must be joint=value"),
            (panda + ["--dq", "panda_joint2=1,panda_joint2=2"] + WALL, "names that joint twice"),
            (panda + ["--dq", "elbow=1"] + WALL, "joint: elbow: not a moving joint of panda"),
            (panda + still + ["--frame", "hand", "--normal", "1,0,0"], "frame: hand: not a link of panda"),
            (panda + still + ["--frame", "panda_link0", "--normal", "1,0,0"], "fixed to the base"),
            (panda + still + ["--frame", "panda_foot", "--normal", "0,0,0"], "normal: 0,0,0: must be finite and not"),
            (panda + still + ["--frame", "panda_foot", "--normal", "1,0"], "--normal: 1,0: must be three numbers"),
            (panda + still + ["--frame", "panda_foot", "--normal", "1,0,x"], "--normal: 'x'"),
            (["profile", *VISCOELASTIC], "--damping: missing: viscoelastic needs it"),
            (["profile", *VISCOELASTIC, "--damping", "-1"], "damping: -1:"),
            (["profile", *VISCOELASTIC, "--damping", "1", "--exponent", "2"], "--exponent: 2: viscoelastic does not"),
            (["profile", *VISCOELASTIC, "--damping", "1", "--restitution", "1"], "--restitution: 1: viscoelastic does"),
            (["profile", *VISCOELASTIC, "--damping", "1", "--object-mass", "0"], "object mass: 0: must be finite and > 0"),
            (["profile", *ARM, "--object-mass", "0"], "object mass: 0: must be finite and > 0"),
            (["profile", *VISCOELASTIC, "--damping", "1", "--plot", "a.png"], "--plot: a.png: the name must end in .svg or .html"),
            (["profile", *VISCOELASTIC, "--damping", "1", "--csv", "no/such/folder/a.csv"], "no/such/folder/a.csv"),
            (["profile", *VISCOELASTIC[:4], "--speed", "0", *VISCOELASTIC[6:], "--damping", "1"], "--speed: 0: must be"),
            (["profile", *VISCOELASTIC[:2], "--mass", "0", *VISCOELASTIC[4:], "--damping", "1"], "mass: 0:"),
            (["profile", "--law", "glue", *VISCOELASTIC[2:]], "--law: glue: must be spring, maxwell"),
            (["profile", "--law", "spring", *VISCOELASTIC[2:]], "--restitution: missing: spring needs it"),
            (["fit", Fit.record], "--speed: missing"),
            (["fit", Fit.record, "--speed", "fast"], "--speed: 'fast': must be a finite number"),
            (["fit", Fit.record, "--speed", "-1"], "--speed: -1: must be > 0"),
            (["fit", Fit.record, "--speed", "1", "--mass", "0"], "--mass: 0: must be > 0"),
            (["fit", Fit.record, "--speed", "1", "--law", "glue"], "--law: glue:"),
            (["fit", Fit.record, Fit.record, "--speed", "1", "--plot", "a.svg"], "--plot: 2 records: draws one"),
            (["fit", "no/such.csv", "--speed", "1"], "no/such.csv"),
            (["fit", Fit.record, "--speed", "1", "--unit", "force=stone"], "--unit: force=stone: not a unit of force: N, mN"),
            (["fit", Fit.record, "--speed", "1", "--unit", "force=g"], "an acceleration needs the mass that it moves"),
            (["fit", Fit.record, "--speed", "1", "--skip", "-1"], "--skip: '-1': must be a whole number"),
            (["fit", Fit.record, "--speed", "1", "--from", "x"], "--from: 'x': must be a finite number"),
            (["fit", Fit.record, "--speed", "1", "--force-column", "Fz"], "has no column named Fz"),
            (["info", "panda", "--unit", "time=ms"], "--unit: time=ms: applies to records only"),
            (["info", "panda", "--memory", "2"], "--memory: 2: applies to datasets only"),
            (["info", Fit.record, "--max-joints", "5"], "--max-joints: 5: applies to robots only"),
            (["info", str(ROOT / "data/records"), "--max-size", "5"], "--max-size: 5: applies to records and robots only"),
            (["fit", Fit.record, "--speed", "1", "--out", ""], "--out: '': must not be empty"),
            (["fit", Fit.record, "--speed", "1", "--plot="], "--plot: '': must not be empty"),
            (["fit", str(ROOT / "data/robots"), "--speed", "1"], "a folder without a .csv file to read"),
            (["info", "no/such.csv"], "no/such.csv"),
            (["info", "no/such.urdf"], "robot: no/such.urdf: cannot be read"),
            (["info", "panda", "again"], "again"),
            (["info", "no/such.h5"], "no/such.h5: cannot be opened: No such file or directory"),
            (["info", str(ROOT / "docs")], "manifest.toml: cannot be opened"),
            (["import", str(ROOT / "data/records")], "--out: missing"),
            (["import", str(ROOT / "data/records"), "--out", "a.csv"], "--out: a.csv: must end in .h5 or .hdf5"),
            (["import", "no/such", "--out", "a.h5"], "no/such: cannot be opened"),
            (["export", "no/such.h5", "--out", "a"], "no/such.h5: cannot be opened"),
            (["export", "no/such.h5", "--out", "a.h5"], "--out: a.h5: names an HDF5 file; export writes a folder"),
            (["help", "bogus"], "COMMAND: bogus"),
            (["completion", "fish"], "SHELL: fish: must be bash"),
        ]
        for arguments, words in cases:
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.refused(*arguments))
                if arguments and "--json" in OFFERED.get(arguments[0], []):
                    self.assertIn(words, self.refused(*arguments, "--json"))

    def test_bad_robots(self):
        link, other = "<link name='a'/>", "<link name='b'/>"
        joint = "<joint name='j' type='{}'><parent link='{}'/><child link='{}'/></joint>"
        heavy = ("<link name='b'><inertial><mass value='-1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"
                 "</inertial></link>")
        cases = [
            ("", "not XML"),
            ("<robot", "not XML"),
            ("<robot name='r'>\n<link name='a'>\n</robot>", "not XML"),
            ("\0\1\2", "NUL"),
            (f"<robot name='r'>{link}{other}</robot>", "two roots"),
            (f"<robot name='r'>{link}{other}{joint.format('continuous', 'a', 'b')}"
             f"{joint.replace('j', 'k', 1).format('continuous', 'b', 'a')}</robot>", ""),
            (f"<robot name='r'>{link}{other}{joint.format('floating', 'a', 'b')}</robot>", "floating"),
            (f"<robot name='r'>{link}{heavy}{joint.format('continuous', 'a', 'b')}</robot>", "mass of link b: -1:"),
        ]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "bad.urdf")
            for text, words in cases:
                with self.subTest(text=text):
                    path.write_text(text)
                    self.assertIn(words, self.refused("info", str(path)))
            self.refused("info", folder)


class Help(unittest.TestCase):
    long = ["simulate", "study", "sweep", "merge"]  # many trials: the commands of the README, test_sweep_cli.py

    def test_version_is_that_of_cmake(self):
        version = re.search(r"project\(thud VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(run("--version").stdout, f"thud {version}\n")

    def test_every_command_has_help_with_an_example_that_works(self):
        listed = run("--help").stdout
        self.assertIn("predict", OFFERED)
        self.assertEqual(run("help").stdout, listed)
        for command in OFFERED:
            text = run(command, "--help").stdout
            self.assertEqual(text, run("help", command).stdout)
            self.assertIn(command, listed)
            example = text.split("Example:\n")[1].strip()
            if command in self.long or (command == "map" and "asan" in THUD):  # a million postures
                continue
            with self.subTest(example=example):
                line = f'thud() {{ "$THUD" "$@"; }}; set -e; {example}'
                with tempfile.TemporaryDirectory() as folder:
                    pathlib.Path(folder, "data").symlink_to(ROOT / "data")
                    done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_bash_completes(self):
        def words(*line: str) -> list[str]:
            script = (f'source <("$THUD" completion bash); COMP_WORDS=({" ".join(repr(word) for word in line)}); '
                      f'COMP_CWORD={len(line) - 1}; _thud; printf "%s\\n" "${{COMPREPLY[@]}}"')
            return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual(words("thud", "pre"), ["predict"])
        self.assertEqual(words("thud", "predict", "panda_"), ["panda_fer", "panda_gaz"])
        self.assertEqual(words("thud", "predict", "panda", "--no"), ["--normal"])
        self.assertIn("--json", words("thud", "info", "--"))


class Convert(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.records = str(ROOT / "data/records")
        self.file, self.there, self.again = (str(self.folder / name) for name in ("a.h5", "there", "b.h5"))

    def test_there_and_back_is_the_same_file(self):
        result = answer("import", self.records, "--out", self.file)
        self.assertEqual((result["kind"], result["file"], result["trials"], result["complete"], result["warnings"]),
                         ("dataset", self.file, 5, True, []))
        self.assertEqual(run("export", self.file, "--out", self.there).stdout, f"{self.there}: 5 of 5 trials\n")
        self.assertEqual(answer("import", self.there, "--out", self.again)["trials"], 5)
        self.assertEqual(pathlib.Path(self.file).read_bytes(), pathlib.Path(self.again).read_bytes())
        expected = answer("info", self.file)
        self.assertEqual({**answer("info", self.there), "file": self.file}, expected)
        self.assertIn("5/5", run("export", self.file, "--out", str(self.folder / "c"), "--progress").stderr)

    def test_what_is_there_stays_unless_forced(self):
        answer("import", self.records, "--out", self.file)
        answer("export", self.file, "--out", self.there)
        before = pathlib.Path(self.file).read_bytes()
        for arguments in (["import", self.records, "--out", self.file], ["export", self.file, "--out", self.there]):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("already exists; --force replaces it", done.stderr)
            self.assertEqual(run(*arguments, "--force").returncode, 0)
        self.assertEqual(pathlib.Path(self.file).read_bytes(), before)
        pathlib.Path(self.there, "thesis.txt").write_text("mine")
        self.assertIn("holds thesis.txt", run("export", self.file, "--out", self.there, "--force").stderr)
        self.assertEqual(pathlib.Path(self.there, "thesis.txt").read_text(), "mine")
        pathlib.Path(self.there, "thesis.txt").unlink()
        for name in ("force/extra.csv", "force/sub/raw.bin"):  # what the manifest does not name
            mine = pathlib.Path(self.there, name)
            mine.parent.mkdir(exist_ok=True)
            mine.write_text("mine")
            self.assertIn("which is no part of a dataset", run("export", self.file, "--out", self.there, "--force").stderr)
            self.assertEqual(mine.read_text(), "mine")
            mine.unlink()
        mine.parent.rmdir()
        done = run("export", self.file, "--out", self.there + "/", "--force")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(answer("info", self.there)["trials"], 5)
        pathlib.Path(self.file).write_text("mine")
        self.assertIn("is not HDF5", run("import", self.records, "--out", self.file, "--force").stderr)
        self.assertEqual(pathlib.Path(self.file).read_text(), "mine")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.h5", "there"])

    def test_memory_is_a_limit_that_can_be_raised(self):
        answer("import", self.records, "--out", self.file)
        for words in (["info", self.file], ["study", self.file, "--out", str(self.folder / "s")],
                      ["export", self.file, "--out", self.there], ["import", self.records, "--out", self.again]):
            done = run(*words, "--memory", "0.00001")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("is beyond the 1e-05 GiB of memory that the dataset may take (argument memory, --memory)",
                          done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
        self.assertEqual(answer("export", self.file, "--out", self.there, "--memory", "2")["trials"], 5)

    def test_a_damaged_file_gets_one_line(self):
        answer("import", self.records, "--out", self.file)
        data = bytearray(pathlib.Path(self.file).read_bytes())
        for at in range(48, len(data), 1009):
            pathlib.Path(self.again).write_bytes(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1:])
            done = run("info", self.again)
            if done.returncode != 0:
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")


class Info(unittest.TestCase):
    def test_robot(self):
        result = answer("info", "panda")
        self.assertEqual(result["kind"], "robot")
        self.assertEqual([joint["name"] for joint in result["joints"]], [f"panda_joint{i}" for i in range(1, 8)])
        self.assertEqual(result["joints"][3]["lower"], -3.0718)
        self.assertAlmostEqual(result["mass"], 15.17, 9)
        self.assertEqual(result["warnings"], [])
        self.assertIn("panda_foot", result["frames"])
        self.assertIsNone(answer("info", "planar_2r")["joints"][0]["upper"])

    def test_record(self):
        result = answer("info", str(ROOT / "data/records/maxwell.csv"))
        self.assertEqual((result["kind"], result["samples"]), ("record", 300))
        self.assertAlmostEqual(result["rate"], 25000, 3)
        self.assertAlmostEqual(result["noise"], 0.95, delta=0.25)
        self.assertAlmostEqual(result["baseline"], -3, delta=0.5)

    def test_non_physical_inertia_is_named(self):
        self.assertIn("panda_link4", answer("info", "panda_fer")["warnings"][0])
        self.assertIn("warning: link panda_link4 has a non-physical inertia", run("info", "panda_fer").stdout)

    def test_dataset(self):
        result = answer("info", str(ROOT / "data/records"))
        self.assertEqual((result["kind"], result["trials"], result["planned"], result["complete"]),
                         ("dataset", 5, 5, True))
        self.assertEqual(result["speeds"], [0.08, 0.1, 0.12, 0.15, 0.18])
        self.assertEqual(result["configurations"][0]["trials"], 5)
        self.assertIsNone(result["configurations"][0]["threshold"])
        self.assertAlmostEqual(result["force"]["rate"], 25000, 3)
        self.assertIsNone(result["joint_signals"]["rate"])
        self.assertIs(result["truth"], False)
        self.assertEqual(result["warnings"], [])
        self.assertIn("5 of 5 trials, complete; simulated", run("info", str(ROOT / "data/records")).stdout)

    def test_drives(self):
        result = answer("info", "panda", "--kind", "drives")
        self.assertEqual((result["kind"], result["file"], result["joints"]), ("drives", "panda", 7))
        self.assertEqual(result["rotor_inertia"], [0.195] * 4 + [0.074] * 3)
        self.assertEqual((result["stiffness"], result["servo_damping"], result["servo_damping_ratio"]), ([1e4] * 7, None, 1))
        self.assertEqual(answer("info", "panda")["kind"], "robot")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "mine.toml")
            path.write_text("[joints]\nstiffness = 1e4\n")
            one = answer("info", str(path))
            self.assertEqual((one["kind"], one["joints"], one["stiffness"], one["rotor_inertia"]), ("drives", None, [1e4], None))
            self.assertTrue(one["warnings"])
            self.assertIn("stiffness           10000 for each joint", run("info", str(path)).stdout)
            path.write_text("[joints]\nstiffness = [1, 2]\ndamping = [1, 2, 3]\n")
            self.assertIn("damping: must have 2 numbers", run("info", str(path)).stderr.replace("[1, 2, 3]: ", ""))

    def test_limits(self):
        result = answer("info", "franka")
        self.assertEqual((result["kind"], result["joints"], result["collision_force"], result["force"]), ("limits", 7, 20, None))
        self.assertEqual(result["collision_torque"], [20, 20, 18, 18, 16, 14, 12])
        people = answer("info", "iso_ts_15066")
        self.assertIsNone(people["joints"])
        self.assertEqual(len(people["bodies"]), 12)
        self.assertIn("region of a body", run("info", "iso_ts_15066").stdout)
        path = str(ROOT / "data/limits/franka.toml")
        self.assertEqual(answer("info", path), result | {"file": path})

    def test_shipped_names(self):
        result = answer("info")
        self.assertEqual(run("info").stdout.split(), result["robots"])
        self.assertIn("iiwa14", result["drives"])
        self.assertEqual(result["limits"], ["franka", "iso_ts_15066"])


class Mjcf(unittest.TestCase):
    TEXT = """<mujoco model="arm"><compiler angle="radian"/><worldbody><body name="upper">
      <joint name="a" axis="0 0 1" armature="0.3" damping="1"/><inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/>
      <geom type="mesh" mesh="shell"/>
      <body name="lower" pos="1 0 0"><joint name="b" axis="0 0 1"/><joint name="c" axis="0 1 0"/>
        <inertial pos="0.4 0 0" mass="1" diaginertia="0.05 0.05 0.05"/><site name="tip" pos="0.8 0 0"/></body></body></worldbody>
      <asset><mesh name="shell" file="nowhere.stl"/></asset>
      <actuator><motor joint="a" forcerange="-30 30"/></actuator></mujoco>"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.arm = str(self.folder / "arm.xml")
        pathlib.Path(self.arm).write_text(self.TEXT)

    def test_is_a_robot(self):
        found = answer("info", self.arm)
        self.assertEqual((found["kind"], found["robot"], found["mass"]), ("robot", self.arm, 3))
        self.assertEqual([joint["rotor_inertia"] for joint in found["joints"]], [0.3, 0, 0])
        self.assertEqual([joint["effort"] for joint in found["joints"]], [30, None, None])
        self.assertEqual(found["frames"], ["world", "upper", "lower", "tip"])
        self.assertEqual(len(found["warnings"]), 1)
        self.assertIn("rotor inertia [kg m^2 or kg]: a 0.3 b 0 c 0\n", run("info", self.arm).stdout)

    def test_rotors_count(self):
        at = ["--q", "0.3,0.5,0.2", "--dq=-1,0,0", "--frame", "tip", "--normal", "0,1,0"]
        mass = lambda found: found["options"]["generalized_momentum"]["effective_mass"]
        given = answer("predict", self.arm, *at)
        self.assertGreater(mass(given), mass(answer("predict", self.arm, *at, "--rotor", "0,0,0")))
        self.assertEqual(mass(given), mass(answer("predict", self.arm, *at, "--rotor", "0.3,0,0")))
        drives = answer("predict", self.arm, *at, "--drives", self.arm)
        self.assertTrue(any("rotor_inertia is not known" in text for text in drives["warnings"]))
        # of the joints that are left
        chain = ["--q", "0.3", "--dq=-1", "--frame", "upper", "--offset", "1,0,0", "--normal", "0,1,0", "--chain"]
        self.assertFalse(any("rotor_inertia" in text for text in answer("predict", self.arm, *chain, "--drives", self.arm)["warnings"]))

    def test_refusals(self):
        cases = {
            "ball.xml": (self.TEXT.replace('name="b"', 'name="b" type="ball"').replace('<joint name="c" axis="0 1 0"/>', ""), "joint b is a ball; use three hinges"),
            "open.xml": ("<mujoco><worldbody>", "MuJoCo refuses it: XML"),
            "shell.xml": (re.sub("<inertial[^>]*mass=.2[^>]*>", "", self.TEXT), "a body that moves without <inertial> needs its meshes"),
            "arm.urdf.xacro": ("<robot name='a'><xacro:include filename='b'/></robot>", "expand it first: xacro"),
        }
        for name, (text, what) in cases.items():
            path = self.folder / name
            path.write_text(text)
            done = run("info", str(path))
            self.assertEqual((done.returncode, done.stdout), (2, ""), name)
            self.assertRegex(done.stderr, r"\Athud: [^\n]+: [^\n]+: [^\n]+\n\Z")
            self.assertIn(what, done.stderr)


if __name__ == "__main__":
    unittest.main()
