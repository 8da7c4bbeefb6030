"""What every command refuses, and what its help says."""

import pathlib
import re
import subprocess
import tempfile
import unittest

from program import AIMED, ARM, CAMPAIGN, CONFIGURATION_ONE, RECORD, ROOT, THUD, TRANSLATED, VISCOELASTIC, WALL, refused, run


def completed(*line: str) -> list[str]:
    return [each.split("\t")[0] for each in run("__complete", *line).stdout.splitlines()]


OFFERED = {command: completed(command, "--") for command in completed("")}  # options by command


class Refusals(unittest.TestCase):
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
            (["translate", *TRANSLATED], "--to: missing"),
            (["translate", *TRANSLATED, "--to", "unity"], "--to: unity: must be mujoco, drake, gazebo or bullet"),
            (["translate", *TRANSLATED[:-2], "--to", "drake"], "--speed: missing: is needed without --fit"),
            (["translate", *TRANSLATED[:-1], "-1", "--to", "drake"], "--speed: -1: must be > 0"),
            (["translate", "--to", "drake"], "--law: missing: is needed without --fit"),
            (["translate", *TRANSLATED, "--to", "drake", "--step", "0"], "--step: 0: must be > 0"),
            (["translate", *TRANSLATED, "--to", "drake", "--step", "1e-9"], "--step: 1e-09: must be more than"),
            (["translate", *TRANSLATED, "--to", "drake", "--constant-impedance"], "--constant-impedance: drake: is of mujoco alone"),
            (["translate", "--fit", "none.json", "--to", "drake"], "none.json: cannot be opened"),
            (["translate", *TRANSLATED, "--fit", "none.json", "--to", "drake"], "is the fit's with --fit"),
            (["info", "panda", "--kind", "arm"], "--kind: arm: must be robot, drives or limits"),
            (["info", "--kind", "drives"], "SUBJECT: missing: is needed with --kind"),
            (["info", "none.toml"], "none.toml"),
            (["info", ""], "argument: '': must not be empty"),
            (["fit", "", "--speed", "1"], "argument: '': must not be empty"),
            (["info", "iiwa", "--memory", "1"], "--memory: 1: applies to datasets only"),
            (fit + ["--free", "stiffness"], "--free: stiffness: is of an arm: it needs --robot"),
            (fit + ["--robot", "panda"], "--q: missing: is needed with --robot"),
            (fit + hit + ["--mass", "4"], "--mass: 4: is the arm's with --robot"),
            (fit + hit + ["--free", "colour"], "--free: colour: must be of stiffness, damping"),
            (fit + hit + ["--free", "servo"], "free: servo: the drives have none"),
            (fit + hit + ["--model-error", "-1"], "--model-error: -1: must be >= 0"),
            (panda + still + WALL + ["--friction", "-1"], "--friction: -1: must be >= 0"),
            (AIMED, "--maximize: missing: give --maximize, --minimize or --object-speed"),
            (AIMED + ["--maximize", "mass"], "--maximize: mass: must be one of effective_mass, speed"),
            (AIMED + ["--maximize", "speed", "--minimize", "speed"], "--minimize: speed: is given beside --maximize"),
            (AIMED + ["--maximize", "speed", "--orientation", "up"], "--orientation: up: must be free, tool-along-normal or fixed"),
            (AIMED + ["--maximize", "speed", "--orientation", "fixed"], "--rpy: missing"),
            (AIMED + ["--maximize", "speed", "--rpy", "0,0,0"], "--rpy: 0,0,0: is of a tool that does not turn"),
            (AIMED + ["--object-speed", "1"], "--object-speed: 1: is of an object: it needs --object-mass"),
            (AIMED + ["--maximize", "effective_mass", "--model", "cautious"], "--model: cautious: is of the quantity speed alone"),
            (AIMED + ["--maximize", "effective_mass", "--body", "chest"], "--body: given: is of the quantity speed alone"),
            (AIMED + ["--maximize", "effective_mass", "--starts", "0"], "--starts: 0: must be from 1"),
            (AIMED + ["--maximize", "impulse", "--speed", "0"], "--speed: 0: must be > 0"),
            (AIMED + ["--maximize", "object_speed"], "quantity: object_speed: needs an object"),
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
            (panda + still + WALL + ["--lock", "panda_joint1"], "--lock: panda_joint1: must be joint=value"),
            (panda + still + WALL + ["--lock=panda_joint2="], "--lock: '': must be a finite number"),
            (panda + ["--speed", "1"] + WALL + ["--drives", "panda", "--wall", "viscoelastic,stiffness"], "--wall: stiffness: must be parameter=value"),
            (panda + ["--speed", "1"] + WALL + ["--drives", "panda", "--wall", "viscoelastic,stiffness=1,stiffness=2"], "names that parameter twice"),
            (panda + ["--dq", "elbow=1"] + WALL, "joint: elbow: not a moving joint of panda"),
            (panda + still + ["--frame", "hand", "--normal", "1,0,0"], "frame: hand: not a link of panda"),
            (panda + still + ["--frame", "panda_link0", "--normal", "1,0,0"], "fixed to the base"),
            (panda + still + ["--frame", "panda_foot", "--normal", "0,0,0"], "normal: 0,0,0: must be finite and not"),
            (panda + still + ["--frame", "panda_foot", "--normal", "1,0"], "--normal: 1,0: must be three numbers"),
            (panda + still + ["--frame", "panda_foot", "--normal", "1,0,x"], "--normal: 'x'"),
            (["profile", *VISCOELASTIC], "--damping: missing: viscoelastic needs it"),
            (["profile", "--law", "foo", "--mass", "1", "--speed", "1"], "--law: foo: must be spring, maxwell"),
            (["profile", "--law", "spring", "--mass", "1", "--speed", "1"], "--stiffness: missing: thud profile needs it"),
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
            (["fit", RECORD], "--speed: missing"),
            (["fit", RECORD, "--speed", "fast"], "--speed: 'fast': must be a finite number"),
            (["fit", RECORD, "--speed", "-1"], "--speed: -1: must be > 0"),
            (["fit", RECORD, "--speed", "1", "--mass", "0"], "--mass: 0: must be > 0"),
            (["fit", RECORD, "--speed", "1", "--law", "glue"], "--law: glue: must be all, spring, maxwell"),
            (["fit", RECORD, RECORD, "--speed", "1", "--plot", "a.svg"], "--plot: 2 records: draws one"),
            (["fit", "no/such.csv", "--speed", "1"], "no/such.csv"),
            (["fit", RECORD, "--speed", "1", "--unit", "force=stone"], "--unit: force=stone: not a unit of force: N, mN"),
            (["fit", RECORD, "--speed", "1", "--unit", "force=g"], "an acceleration needs the mass that it moves"),
            (["fit", RECORD, "--speed", "1", "--skip", "-1"], "--skip: '-1': must be a whole number"),
            (["fit", RECORD, "--speed", "1", "--from", "x"], "--from: 'x': must be a finite number"),
            (["fit", RECORD, "--speed", "1", "--force-column", "Fz"], "has no column named Fz"),
            (["info", "panda", "--unit", "time=ms"], "--unit: time=ms: applies to records only"),
            (["info", "panda", "--memory", "2"], "--memory: 2: applies to datasets only"),
            (["info", RECORD, "--max-joints", "5"], "--max-joints: 5: applies to robots only"),
            (["info", str(ROOT / "data/records"), "--max-size", "5"], "--max-size: 5: applies to records and robots only"),
            (["fit", RECORD, "--speed", "1", "--out", ""], "--out: '': must not be empty"),
            (["fit", RECORD, "--speed", "1", "--plot="], "--plot: '': must not be empty"),
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
            (["completion", "tcsh"], "SHELL: tcsh: must be bash, zsh or fish"),
        ]
        for arguments, words in cases:
            with self.subTest(arguments=arguments):
                self.assertIn(words, refused(*arguments))
                if arguments and "--json" in OFFERED.get(arguments[0], []):
                    self.assertIn(words, refused(*arguments, "--json"))

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
                    self.assertIn(words, refused("info", str(path)))
            refused("info", folder)


# The program, with a campaign of three trials where an example simulates that of 150.
SMALL = 'thud() { [ "$1" != simulate ] || set -- simulate small.toml "${@:2}"; "$THUD" "$@"; }'


class Help(unittest.TestCase):

    def test_version_is_that_of_cmake(self):
        version = re.search(r"project\(thud VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]
        self.assertEqual(run("--version").stdout, f"thud {version}\n")

    def test_what_names_a_robot_is_told_alike(self):
        """MJCF will do wherever URDF does, but for a dataset to be written."""
        told = 0
        for command in OFFERED:
            for line in re.findall(r"^  (?:ROBOT|--robot|SUBJECT) .*$", run(command, "--help").stdout, re.M):
                if "URDF" in line and command != "import":
                    self.assertIn("URDF or MJCF file", line, command)
                    self.assertRegex(line, r"[Ss]hipped name", command)
                    told += 1
        self.assertGreaterEqual(told, 8 if "map" in OFFERED else 4)

    def test_drives_are_told_alike(self):
        for command in OFFERED:
            for line in re.findall(r"^  --drives .*$", run(command, "--help").stdout, re.M):
                self.assertIn("a shipped name (panda, iiwa14), a TOML file, such as a campaign, or MJCF", line, command)

    def test_help_is_there_whatever_else_is_given(self):
        self.assertEqual(run("profile", "--law", "foo", "--help").stdout, run("profile", "--help").stdout)

    def test_every_command_has_help_with_an_example_that_works(self):
        listed = run("--help").stdout
        self.assertIn("predict", OFFERED)
        self.assertEqual(run("help").stdout, listed)
        for command in OFFERED:
            text = run(command, "--help").stdout
            self.assertEqual(text, run("help", command).stdout)
            self.assertIn(command, listed)
            example = text.split("Example:\n")[1].strip()
            if command == "studio" or (command in ("map", "sweep", "merge") and "asan" in THUD):  # serves; a million postures, campaigns
                continue
            with self.subTest(example=example):
                line = f'{SMALL}; set -e; {example}'
                with tempfile.TemporaryDirectory() as folder:
                    pathlib.Path(folder, "small.toml").write_text(CAMPAIGN)
                    done = subprocess.run(["bash", "-c", line], cwd=folder, capture_output=True, text=True, timeout=120)
                self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
