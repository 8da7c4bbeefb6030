"""Completion of bash, zsh and fish, and the manual page."""

import os
import pathlib
import pty
import re
import select
import signal
import subprocess
import tempfile
import unittest

from program import ROOT, THUD


def run(*words: str, **options) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True, timeout=60, **options).stdout


# What each shell reads first: the completion, in the place of the program one that tells the words it is given, and a prompt that
# counts them.
SHELLS = {
    "bash": (["bash", "--noprofile", "--rcfile", "setup", "-i"], """
source <("$THUD" completion bash)
thud() { printf '%s\\0' "$@" >words; let ++count; }
count=0 PS1='<$count>'
"""),
    "zsh": (["zsh", "-i"], """
autoload -Uz compinit; compinit -u -d dump; source <("$THUD" completion zsh)
thud() { printf '%s\\0' "$@" >words; let ++count; }
setopt prompt_subst; count=0 PS1='<$count>'
"""),
    "fish": (["fish", "--no-config", "--init-command", "source setup"], """
$THUD completion fish | source
set count 0
function thud; printf '%s\\0' $argv >words; set count (math $count + 1); end
function fish_prompt; echo -n "<$count>"; end
"""),
}
# A link that is a command: whoever completes it must not run it, nor when the line is run.
NAMED_LIKE_A_COMMAND = """<robot name="evil"><link name="base"/><link name="$(touch${IFS}pwned)tip"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="j" type="revolute"><parent link="base"/>
<child link="$(touch${IFS}pwned)tip"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""


class Shell:
    """A shell on a terminal of its own, in a folder where `data` is."""

    def __init__(self, name: str, folder: pathlib.Path) -> None:
        command, setup = SHELLS[name]
        self.folder, self.count = folder, 0
        (folder / "data").symlink_to(ROOT / "data")
        for file in ("setup", ".zshrc"):
            (folder / file).write_text(setup)
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            try:
                os.chdir(folder)
                os.execvpe(command[0], command, {**os.environ, "HOME": str(folder), "ZDOTDIR": str(folder), "TERM": "dumb"})
            finally:
                os._exit(127)  # a child without the shell is not to run the tests as well
        self.wait()

    def wait(self) -> None:
        """For the prompt after so many lines."""
        said = b""
        while b"<%d>" % self.count not in said:
            if not select.select([self.terminal], [], [], 30)[0]:
                raise TimeoutError(said)
            said += os.read(self.terminal, 4096)

    def __call__(self, *line: str, then: str = "") -> list[str]:
        """The words that the program is given when a line is typed, a tab, what is typed `then` and a return."""
        os.write(self.terminal, f"{' '.join(line)}\t{then}\r".encode())
        self.count += 1
        self.wait()
        return (self.folder / "words").read_text().split("\0")[:-1]

    def close(self) -> None:
        os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)
        os.close(self.terminal)


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.shells = {}
        for name in SHELLS:
            folder = tempfile.TemporaryDirectory()
            cls.addClassCleanup(folder.cleanup)
            cls.shells[name] = Shell(name, pathlib.Path(folder.name))
            cls.addClassCleanup(cls.shells[name].close)

    def completes(self, *line: str, given: list[str] | None = None) -> None:
        """The last word, after the one before it, which is what has been typed of it. The others are `given` as they are typed, if nothing else is said."""
        *before, typed, whole = line
        for name, shell in self.shells.items():
            with self.subTest(shell=name):
                self.assertEqual(shell("thud", *before, typed), [*(before if given is None else given), whole])

    def test_commands_and_options(self):
        self.completes("pre", "predict")
        self.completes("predict", "panda", "--no", "--normal")
        self.completes("help", "sw", "sweep")

    def test_robots_laws_and_frames(self):
        self.completes("predict", "panda_g", "panda_gaz")
        self.completes("profile", "--law", "v", "viscoelastic")
        self.completes("fit", "a.csv", "--law", "a", "all")
        self.completes("predict", "panda", "--frame", "panda_f", "panda_foot")
        self.completes("fit", "a.csv", "--robot", "planar_2r", "--frame", "t", "tip")
        self.completes("fit", "a.csv", "--robot=planar_2r", "--frame", "t", "tip")
        self.completes("translate", "--to", "mu", "mujoco")

    def test_fixed_values(self):
        for line in ("limit panda --body che chest", "map panda --quantity peak peak_force", "aim panda --orientation tool tool-along-normal",
                     "predict panda --servo o off", "info panda --kind dr drives", "import a.bag --force-axis norma normal"):
            self.completes(*line.split())

    def test_values_after_an_equals_sign(self):
        self.completes("predict", "panda", "--frame=panda_f", "--frame=panda_foot")
        self.completes("profile", "--law=v", "--law=viscoelastic")
        self.completes("profile", "panda", "--servo=", "--servo=off")
        self.completes("profile", "panda", "--drives=data/drives/f", "--drives=data/drives/fr3.toml")

    def test_words_with_signs_at_which_bash_breaks_them(self):
        self.completes("predict", "--q", "panda_joint2=0.4", "panda", "--frame", "panda_f", "panda_foot")
        self.completes("predict", "--lock", "panda_joint2=0.4,panda_joint3=1", "panda", "--frame=panda_f", "--frame=panda_foot")
        for shell in self.shells.values():
            (shell.folder / "colons.urdf").write_text(NAMED_LIKE_A_COMMAND.replace("$(touch${IFS}pwned)", "a::b::"))
        self.completes("predict", "colons.urdf", "--frame", "a", "a::b::tip")
        self.completes("predict", "colons.urdf", "--frame", "a::b", "a::b::tip")
        self.completes("predict", "colons.urdf", "--frame", "a::b::", "a::b::tip")
        self.completes("predict", "colons.urdf", "--frame=a::b:", "--frame=a::b::tip")
        self.completes("predict", "--plot", "a=b:c.svg", "panda", "--frame", "panda_f", "panda_foot")

    def test_words_in_quotes_and_at_home(self):
        for shell in self.shells.values():
            (shell.folder / "my arm.urdf").write_text(NAMED_LIKE_A_COMMAND.replace("$(touch${IFS}pwned)", "the "))
            (shell.folder / "arm").write_text(NAMED_LIKE_A_COMMAND.replace("$(touch${IFS}pwned)", "the_"))
        for quoted in ('"my arm.urdf"', "'my arm.urdf'", r"my\ arm.urdf", '"my "arm.urdf'):
            self.completes("predict", quoted, "--frame", "b", "base", given=["predict", "my arm.urdf", "--frame"])
        self.completes("predict", "'my arm.urdf'", "--frame", "t", "the tip", given=["predict", "my arm.urdf", "--frame"])
        for name, shell in self.shells.items():
            with self.subTest(shell=name):
                self.assertEqual(shell("thud", "predict", "~/arm", "--frame", "the"), ["predict", str(shell.folder / "arm"), "--frame", "the_tip"])
                if name != "fish":  # whose own function for paths knows no ~
                    self.assertEqual(shell("thud", "info", "~/data/robots/pl"), ["info", str(shell.folder / "data/robots/planar_2r.urdf")])

    def test_files_where_an_option_takes_one(self):
        offered = {}
        for command in re.findall(r"^  (\w+)  ", run(THUD, "--help").split("Subcommands:")[1], re.M):
            for option in re.findall(r"^  (--[\w-]+) (?:TEXT|FILE|INT)", run(THUD, command, "--help"), re.M):
                if ":files" in run(THUD, "__complete", command, option, "").split():
                    offered.setdefault(option, []).append(command)
        paths = ("--out", "--csv", "--plot", "--report", "--robot", "--compare", "--drives", "--limits", "--fit", "--tls-ca", "--tls-cert", "--tls-key")
        self.assertEqual(offered.pop("--speed"), ["fit"])  # a number, or a file of them
        self.assertLessEqual({"--out", "--csv", "--plot", "--robot", "--compare", "--drives", "--fit"}, set(offered))  # without the lab
        self.assertLessEqual(set(offered), set(paths))
        for option in ("--mass", "--q", "--speed", "--stiffness"):
            self.completes("profile", "panda", option, "dat", "dat")

    def test_lists(self):
        self.completes("predict", "panda", "--compare", "panda_fer,panda_g", "panda_fer,panda_gaz")
        self.completes("fit", "a.csv", "--free", "stiffness,ro", "stiffness,rotor_inertia")

    def test_names_that_take_a_value(self):
        """Of joints, and of a law's parameters: the number goes on where the name ends, without a blank."""
        for before, typed, whole in (("", "panda_joint2", "panda_joint2="), ("panda_joint2=0.4,", "panda_joint3", "panda_joint3=")):
            for sign in ("--lock ", "--lock=", "--q ", "--dq="):
                for name, shell in self.shells.items():
                    with self.subTest(shell=name, typed=sign + before + typed):
                        said = shell("thud", "predict", "panda", sign + before + typed, then="1")
                        self.assertEqual(said, ["predict", "panda", *(sign + before + whole + "1").split(" ")])
        for name, shell in self.shells.items():
            with self.subTest(shell=name):
                self.assertEqual(shell("thud", "predict", "--wall", "viscoelastic,stiffness=1e6,d", then="7e6"),
                                 ["predict", "--wall", "viscoelastic,stiffness=1e6,damping=7e6"])
                self.assertEqual(shell("thud", "predict", "--wall", "vis", then="stiffness=1e6"), ["predict", "--wall", "viscoelastic,stiffness=1e6"])
        self.assertEqual(run(THUD, "__complete", "predict", "panda", "--q", "0,0.1,"), "")

    def test_names_that_were_used(self):
        self.assertEqual(run(THUD, "__complete", "predict", "planar_2r", "--q", "joint1=1,").split(), ["joint1=1,joint2="])
        self.assertEqual(run(THUD, "__complete", "predict", "--wall", "viscoelastic,damping=1,").split(), ["viscoelastic,damping=1,stiffness="])
        self.assertIn("panda_fer,panda", run(THUD, "__complete", "predict", "panda", "--compare", "panda_fer,").split())

    def test_files(self):
        self.completes("info", "data/robots/pl", "data/robots/planar_2r.urdf")
        self.completes("predict", "data/robots/planar_2r.urdf", "--frame", "t", "tip")

    def test_a_folder_does_not_make_a_path_of_a_word_that_is_like_it(self):
        for shell in self.shells.values():
            for name in ("sweep", "tip"):
                (shell.folder / name).mkdir()
        self.completes("swe", "sweep")
        self.completes("predict", "planar_2r", "--frame", "ti", "tip")

    def test_a_link_named_like_a_command_is_not_run(self):
        for shell in self.shells.values():
            (shell.folder / "arm.urdf").write_text(NAMED_LIKE_A_COMMAND)
        for typed, whole in (("", []), (r"\$", ["$(touch${IFS}pwned)tip"])):  # of two links, and of one
            for name, shell in self.shells.items():
                with self.subTest(shell=name, typed=typed):
                    self.assertEqual(shell("thud", "predict", "arm.urdf", "--frame", typed), ["predict", "arm.urdf", "--frame", *whole])
                    self.assertFalse((shell.folder / "pwned").exists())

    def test_words_that_no_line_can_hold_are_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "arm.urdf")
            path.write_text(NAMED_LIKE_A_COMMAND.replace("$(touch${IFS}pwned)", "a&#10;b\x7f"))
            self.assertEqual(run(THUD, "__complete", "predict", str(path), "--frame", "").split(), ["base"])

    def test_zsh_without_its_completion_system(self):
        with tempfile.TemporaryDirectory() as folder:
            said = run("zsh", "-f", "-c", 'source <("$THUD" completion zsh); print $_comps[thud]', stdin=subprocess.DEVNULL,
                       env={**os.environ, "HOME": folder, "ZDOTDIR": folder})
        self.assertEqual(said, "_thud\n")

    def test_what_cannot_be_completed_stays(self):
        self.completes("predict", "nobody", "--frame", "p", "p")
        self.completes("frobnicate", "pan", "pan")


class Manual(unittest.TestCase):
    def test_has_every_command_and_option(self):
        page = run(THUD, "help", "--man").replace("\\-", "-")
        for command in re.findall(r"^  (\w+)  ", run(THUD, "--help").split("Subcommands:")[1], re.M):
            section = re.search(rf'\.SS "thud {command}"\n(.*?)(?=\.S[SH] )', page, re.S)[1]
            for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(THUD, command, "--help"), re.M):
                if option != "--help":
                    self.assertIn(f"\\fB{option}\\fR", section, command)

    def test_has_all_that_help_says_behind_the_options(self):
        """And nothing of the options that help keeps to itself."""
        page = run("man", "-l", "-", input=run(THUD, "help", "--man"), env={**os.environ, "MANWIDTH": "4000", "LC_ALL": "C"})
        self.assertNotIn("--collected", page)
        shown = [" ".join(line.split()) for line in re.sub(".\b", "", page).splitlines()]
        for command in re.findall(r"^  (\w+)  ", run(THUD, "--help").split("Subcommands:")[1], re.M):
            for line in filter(None, re.split(r"(?m)^  -.*\n", run(THUD, command, "--help"))[-1].splitlines()):
                self.assertTrue(" ".join(line.split()) in shown, (command, line))

    def test_has_every_variable_of_the_environment(self):
        section = re.search(r"\.SH ENVIRONMENT\n(.*?)\.SH ", run(THUD, "help", "--man"), re.S)[1]
        for path in [*(ROOT / "tools").rglob("*.cpp"), *(ROOT / "src").rglob("*.cpp")]:
            for name in re.findall(r'getenv\("(\w+)"\)', path.read_text()):
                self.assertIn(name, section, path)

    def test_is_troff_without_fault(self):
        page = run(THUD, "help", "--man")
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-rLL=100n", "-P-cbou"], input=page, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("thud predict panda --q 0,0.1,0,-1.5,0,3.1708,0.7854", done.stdout)


if __name__ == "__main__":
    unittest.main()
