"""The command line as people and programs see it. THUD names the program under test."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

THUD = os.environ["THUD"]
ROOT = pathlib.Path(__file__).resolve().parent.parent
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
            result = answer("predict", str(path), "--q", "0", "--dq", "-1", "--frame", "a", "--offset", "1,0,0",
                            "--normal", "0,1,0")
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

    def test_table_for_people(self):
        done = run("predict", "panda", "--q", CONFIGURATION_ONE, "--speed", "0.12", *WALL)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for word in [*OPTIONS, "effective mass", "8.7165 kg", "e_a 0.918", "e < 0.15 may be assumed", "panda_joint7"]:
            self.assertIn(word, done.stdout)


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
            (panda + still + WALL + ["--restitution", "1.2"], "restitution: 1.2: must be from 0 to 1"),
            (panda + still + WALL + ["--restitution", "nan"], "--restitution: 'nan': must be a finite number"),
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
            (panda + still + ["--frame", "panda_link0", "--normal", "1,0,0"], "fixed base"),
            (panda + still + ["--frame", "panda_foot", "--normal", "0,0,0"], "normal: 0,0,0: must be finite and not"),
            (panda + still + ["--frame", "panda_foot", "--normal", "1,0"], "--normal: 1,0: must be three numbers"),
            (panda + still + ["--frame", "panda_foot", "--normal", "1,0,x"], "--normal: 'x'"),
            (["info", "no/such.urdf"], "robot: no/such.urdf: cannot be read"),
            (["info", "panda", "again"], "again"),
            (["help", "bogus"], "COMMAND: bogus"),
            (["completion", "fish"], "SHELL: fish: must be bash"),
        ]
        for arguments, words in cases:
            with self.subTest(arguments=arguments):
                self.assertIn(words, self.refused(*arguments))
                if arguments and arguments[0] in ("predict", "info"):
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
    commands = ["predict", "info", "completion", "help"]

    def test_version_is_that_of_cmake(self):
        version = re.search(r"project\(thud VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(run("--version").stdout, f"thud {version}\n")

    def test_every_command_has_help_with_an_example_that_works(self):
        listed = run("--help").stdout
        for command in self.commands:
            text = run(command, "--help").stdout
            self.assertEqual(text, run("help", command).stdout)
            self.assertIn(command, listed)
            example = text.split("Example:\n")[1].strip()
            with self.subTest(example=example):
                line = f'thud() {{ "$THUD" "$@"; }}; set -e; {example}'
                done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=60)
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

    def test_non_physical_inertia_is_named(self):
        self.assertIn("panda_link4", answer("info", "panda_fer")["warnings"][0])
        self.assertIn("warning: link panda_link4 has a non-physical inertia", run("info", "panda_fer").stdout)

    def test_shipped_names(self):
        self.assertEqual(run("info").stdout.split(), answer("info")["robots"])


if __name__ == "__main__":
    unittest.main()
