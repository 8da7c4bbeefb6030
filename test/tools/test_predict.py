"""thud predict, as people and programs see it."""

import json
import math
import pathlib
import tempfile
import unittest

from program import CONFIGURATION_ONE, OPTIONS, ROOT, WALL, answer, run


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


if __name__ == "__main__":
    unittest.main()
